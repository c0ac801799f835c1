"""The rule lexicon: bundled files, extension, errors."""

from pathlib import Path

import pytest
import yaml
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.constraints.text import normalise
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
    folder = Path(__file__).parents[2] / "config" / "lexicon"
    for path in folder.glob("*.yaml"):
        keys = [node[0].value for _, section in _sections(path) for node in section]
        assert len(keys) == len(set(keys)), path.name


def _sections(path: Path) -> list[tuple[str, list[tuple[yaml.ScalarNode, yaml.Node]]]]:
    root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    assert isinstance(root, yaml.MappingNode)
    sections = [(key.value, value.value) for key, value in root.value if isinstance(value, yaml.MappingNode)]
    return sections if len(sections) == 1 else sections[:1]


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
