"""The rule lexicon: bundled files, extension, errors."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
import yaml
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.constraints.text import Language, normalise, scan
from kisoku.domain.errors import ConfigError


def _rules(*texts: str) -> tuple[RuleText, ...]:
    return tuple(RuleText(key=str(i), document=f"文書{i}.docx", text=text) for i, text in enumerate(texts))


def test_every_value_flag_and_family_member_has_a_word() -> None:
    lexicon = load_lexicon()
    worded = {name for words in lexicon.words.values() for name in words}
    used = {value for values in lexicon.enums.values() for value in values.values}
    used |= {host for values in lexicon.enums.values() for host in values.hosts}
    used |= {name for values in lexicon.enums.values() for name in values.names}
    used |= set(lexicon.attributes) | set(lexicon.flags)
    used |= {member for family in lexicon.families.values() for member in family.members}
    assert used - worded == set()


def test_no_key_stands_twice_in_a_file() -> None:
    for path in _bundled():
        for keys in _keys(yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)):
            assert len(keys) == len(set(keys)), path.name


def _bundled() -> list[Path]:
    return sorted((Path(__file__).parents[2] / "config" / "lexicon").rglob("*.yaml"))


def _keys(node: yaml.Node | None) -> Iterator[list[str]]:
    """Yield the keys of a mapping and of those in it."""
    if isinstance(node, yaml.MappingNode):
        yield [key.value for key, _ in node.value]
        for _, value in node.value:
            yield from _keys(value)


def test_loading_twice_gives_the_same_object() -> None:
    assert load_lexicon() is load_lexicon()


def test_an_extra_file_teaches_a_new_value_set(tmp_path: Path) -> None:
    extra = tmp_path / "ja-bank.yaml"
    extra.write_text(
        "enums:\n  seal: {values: [seal-round, seal-square]}\nwords:\n  seal-round: [丸印]\n  seal-square: [角印]\n",
        encoding="utf-8",
    )
    rules = _rules("請求書には丸印を押す。", "請求書には角印を押す。")
    assert not detect_conflicts(rules, load_lexicon())
    assert len(detect_conflicts(rules, load_lexicon([extra]))) == 1


def test_one_file_may_hold_words_of_several_languages(tmp_path: Path) -> None:
    extra = tmp_path / "bank.yaml"
    extra.write_text(
        "enums:\n  seal: {values: [seal-round, seal-square]}\n"
        "words:\n  ja: {seal-round: [丸印], seal-square: [角印]}\n  zh: {seal-round: [圆章], seal-square: [方章]}\n",
        encoding="utf-8",
    )
    lexicon = load_lexicon([extra])
    assert len(detect_conflicts(_rules("請求書には丸印を押す。", "請求書には角印を押す。"), lexicon)) == 1
    assert len(detect_conflicts(_rules("请款单须盖圆章。", "请款单须盖方章。"), lexicon)) == 1


def test_words_of_an_extra_file_are_added_to_the_bundled_ones(tmp_path: Path) -> None:
    extra = tmp_path / "ja.yaml"
    extra.write_text("words:\n  red: [くれない]\n", encoding="utf-8")
    words = load_lexicon([extra]).words["ja"]["red"]
    assert "くれない" in words
    assert "赤字" in words


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("ja-x.yaml", "words: [", "no valid YAML"),
        ("ja-x.yaml", "- a\n", "must be a mapping"),
        ("fr.yaml", "words:\n  red: [rouge]\n", "does not tell the language"),
        ("ja-x.yaml", "enums: [a]\n", "another shape"),
        ("ja-x.yaml", "units:\n  furlong: {dimension: length}\n", "malformed at units.furlong"),
        ("ja-x.yaml", "colours: {}\n", "malformed at colours"),
    ],
)
def test_a_malformed_file_is_named(tmp_path: Path, name: str, content: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        load_lexicon([path])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.yaml cannot be read"):
        load_lexicon([tmp_path / "gone.yaml"])


def test_no_word_is_a_single_letter_or_digit() -> None:
    # "①" is "1" in normal form, and would be found in every rule with a number.
    single = {
        (name, word)
        for words in load_lexicon().words.values()
        for name, found in words.items()
        for word in found
        if len(normalise(word)) == 1 and normalise(word).isascii() and normalise(word).isalnum()
    }
    assert not single


def test_no_file_is_long() -> None:
    assert [path.name for path in _bundled() if len(path.read_text(encoding="utf-8").splitlines()) > 500] == []


# Idioms whose negation or limit is their meaning.
_IDIOMS = {
    "必須表示",
    "記入内容がない",
    "データがない場合",
    "参照のみ",
    "略さず",
    "略さない",
    "省略せず",
    "必ず表示",
    "管理対象外",
    "省略せず印字",
    "省略表示",
    "漏れなく表示",
    "すべて表示",
    "全て表示",
    "固定表示",
    "固定せず",
    "原則拒否",
    "全て拒否",
    "すべて拒否",
    "利用がない",
    "无内容",
    "没有内容",
    "不填写任何",
    "可自愿",
    "超出部分不打印",
    "超出部分不显示",
    "不固定",
    "无权使用",
    "仅未通过",
    "not applicable",
    "no result",
    "blocked by default",
    "allowed by default",
    "permitted by default",
}
_BEARING = ("m.not", "m.reject", "m.may", "m.only", "m.optional", "m.except", "m.contrast", "m.enough")


@pytest.mark.parametrize("language", ["ja", "zh", "en"])
def test_no_word_swallows_a_negation_or_a_modality(language: Language) -> None:
    # "禁止使用" under a value would hide the ban: words made of grammar alone belong to the grammar.
    words = load_lexicon().words[language]
    grammar = {
        normalise(w) for name, ws in words.items() if name.startswith(("m.", "op.")) or name == "stop" for w in ws
    }
    bearing = {normalise(word) for name in _BEARING for word in words.get(name, ())}
    swallowing = [
        (name, word)
        for name, found in words.items()
        if not name.startswith(("m.", "op.")) and name not in ("stop", "plain")
        for word in found
        if word not in _IDIOMS
        and normalise(word) not in grammar
        and any(not bearing.isdisjoint(pieces) for pieces in _divisions(normalise(word), grammar, language))
    ]
    assert swallowing == []


def _divisions(word: str, grammar: set[str], language: Language) -> list[list[str]]:
    """Return the ways in which a word is made of words of grammar alone."""
    if not word:
        return [[]]
    gap = " " if language == "en" else ""
    return [
        [word[:end], *rest]
        for end in range(1, len(word) + 1)
        if word[:end] in grammar and (not gap or end == len(word) or word[end] == gap)
        for rest in _divisions(word[end:].removeprefix(gap), grammar, language)
    ]


@pytest.mark.parametrize(
    "verb", ["含まず", "挟まず", "取り込まず", "埋め込まず", "囲まず", "読まず", "組まず", "進まず", "頼まず", "包まず"]
)
def test_a_verb_that_ends_in_mazu_is_negated(verb: str) -> None:
    # まず ("first") is neutral, and would hide the ず.
    hits = scan(f"例を{verb}に書く", load_lexicon().index("ja"))
    assert any(hit.is_marker("not") for hit in hits)


def test_no_two_identifiers_have_the_same_words() -> None:
    lexicon = load_lexicon()
    owners: dict[tuple[str, str], set[str]] = {}
    words: dict[str, set[tuple[str, str]]] = {}
    for language, found in lexicon.words.items():
        for name, forms in found.items():
            if not name.startswith(("m.", "op.")) and name not in ("stop", "plain"):
                for form in forms:
                    key = (language, normalise(form))
                    owners.setdefault(key, set()).add(name)
                    words.setdefault(name, set()).add(key)

    def kind(name: str) -> str:
        if name in lexicon.enum_of:
            return "value"
        return "attribute" if name in lexicon.attributes else "flag" if name in lexicon.flag_set else "thing"

    pairs = {pair for names in owners.values() for pair in combinations(sorted(names), 2)}
    twins = [
        (a, b) for a, b in pairs if kind(a) == kind(b) and len(words[a] & words[b]) >= 0.6 * len(words[a] | words[b])
    ]
    assert twins == []


def test_a_set_that_tells_its_topic_by_itself_has_no_other_hosts_and_no_threshold() -> None:
    for name, values in load_lexicon().enums.items():
        assert not (values.standalone and values.needed is not None), name


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Changes are rolled out in phases.", "Failed rows are reported all at once."),
        ("Screens are built step by step in a wizard.", "Errors are shown all at once."),
        ("Backups are checked at least once a month.", "Each request is processed exactly once by the clerk."),
        ("クラス名は名詞とする。", "メソッド名は動詞で始める。"),
        ("類名称は名詞のみとする。", "URLは動詞で始める。"),
        ("言語コードは2文字コードとする。", "国コードは英字3文字とする。"),
        ("SQLは文字列を連結して組み立てる。", "ログのメッセージは{}によるプレースホルダで組み立てる。"),
        ("多个系统共用接口。", "每个项目使用专用环境。"),
        ("单元格未填写无效。", "未发生的项目填写“-”。"),
    ],
)
def test_words_that_say_something_of_many_things_make_no_conflict(a: str, b: str) -> None:
    assert not detect_conflicts(_rules(a, b), load_lexicon())


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("システムの切替は全拠点一斉に切り替える。", "システムの切替は拠点ごとに順次移行する。"),
        ("消費税の端数処理は明細ごとに行う。", "消費税の端数処理は伝票の合計で行う。"),
        ("リソースのURLは名詞のみとし、動詞を含めない。", "APIのURLは動詞で始める。"),
        ("マージ済みの作業ブランチは直ちに削除する。", "マージ済みの作業ブランチは削除せず残しておく。"),
        ("納品媒体はUSBメモリとする。", "成果物の納品はDVD-Rとする。"),
        ("金額の列の型はDECIMALとする。", "金額の列の型はFLOATとする。"),
        ("削除は削除フラグで管理する。", "データの削除は物理削除とする。"),
        ("数値と単位の間は空白を挟まずに書く。", "数値と単位の間に半角スペースを入れる。"),
    ],
)
def test_shared_identifiers_serve_each_of_their_sets(a: str, b: str) -> None:
    assert detect_conflicts(_rules(a, b), load_lexicon())
