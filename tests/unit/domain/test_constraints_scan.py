"""Contradictions in a whole handbook, and the language in which they are told."""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts, scan_conflicts
from kisoku.domain.constraints.claims import EnumClaim, FlagClaim
from kisoku.domain.constraints.measures import QuantityClaim
from kisoku.domain.constraints.naming import display_name, display_value
from kisoku.domain.constraints.values import Quantity


def _handbook() -> list[RuleText]:
    filler = [
        RuleText(
            key=f"f{n}", document=f"手引{n}.docx", headings=("一般",), text=f"第{n}工程の成果物は部門{n}が管理する。"
        )
        for n in range(40)
    ]
    rules = [
        RuleText(key="a", document="図規則.docx", headings=("図",), text="図の名称は図の下に中央揃えで記載する。"),
        RuleText(key="b", document="体裁.docx", headings=("図",), text="図の名称は必ず図の上に記載する。"),
        RuleText(key="c", document="表規則.docx", headings=("表",), text="表の名称は表の上に記載する。"),
        RuleText(key="d", document="性能.docx", headings=("応答",), text="照会画面の応答時間は3秒以内とする。"),
        RuleText(key="e", document="受入.docx", headings=("応答",), text="照会画面の応答時間は5秒以内とする。"),
    ]
    return [*filler[:20], rules[0], *filler[20:], *rules[1:]]


def test_a_scan_finds_contradictions_far_apart_and_nothing_else() -> None:
    groups = scan_conflicts(_handbook(), load_lexicon())
    assert {frozenset(m.chunk_id for m in group.members) for group in groups} == {
        frozenset({"a", "b"}),
        frozenset({"d", "e"}),
    }


@pytest.mark.parametrize(
    ("a", "b"),
    [
        # A case that makes no difference, and one of which the rule comes later, choose no widget.
        ("テキスト入力部を選択しても、候補一覧を表示しない。", "候補は、プルダウンで一覧から選択する。"),
        ("コード値をプルダウンで入力する場合、下記のように記載する。", "コード値はテキストボックスに直接入力する。"),
        # A ban of what a thing is made into is no ban of the thing.
        ("バージョン番号は整数で表し、バージョン番号を小数にしないこととする。", "バージョン番号を必須とする。"),
    ],
)
def test_cases_and_what_a_thing_becomes_are_not_at_odds(a: str, b: str) -> None:
    texts = [
        RuleText(key="a", document="部品.xlsx", headings=("機能",), text=a),
        RuleText(key="b", document="記述例.xlsx", headings=("項目",), text=b),
    ]
    assert scan_conflicts(texts, load_lexicon()) == ()


def test_a_value_set_that_tells_its_subject_needs_little_else_in_common() -> None:
    texts = [
        RuleText(
            key="a",
            document="データモデル.docx",
            headings=("国名",),
            text="国をコードで表す必要がある場合はアルファベット3文字のISO 3166-1 alpha-3での管理を標準とします。",
        ),
        RuleText(key="b", document="API.docx", headings=("項目",), text="国 | ISO 3166-1 alpha-2に準拠。"),
    ]
    assert [found.attribute for found in scan_conflicts(texts, load_lexicon())] == ["country-form"]


def test_a_scan_tells_how_far_it_is() -> None:
    texts = _handbook()
    seen: list[tuple[int, int]] = []
    scan_conflicts(texts, load_lexicon(), on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(n, len(texts)) for n in range(1, len(texts) + 1)]


def test_a_scan_of_nothing_finds_nothing() -> None:
    assert scan_conflicts([], load_lexicon()) == ()


def test_the_order_of_chunks_does_not_matter_to_a_scan() -> None:
    def found(texts: list[RuleText]) -> set[frozenset[str]]:
        return {frozenset(m.chunk_id for m in group.members) for group in scan_conflicts(texts, load_lexicon())}

    assert found(_handbook()) == found(_handbook()[::-1])


def test_one_rule_of_a_scan_does_not_chain_unrelated_ones() -> None:
    texts = [
        RuleText(key="a", document="甲.docx", text="図の名称は図の下に書く。\n目次の題は目次の下に書く。"),
        RuleText(key="b", document="乙.docx", text="図の名称は図の上に書く。"),
        RuleText(key="c", document="丙.docx", text="目次の題は目次の上に書く。"),
    ]
    members = [{m.chunk_id for m in group.members} for group in scan_conflicts(texts, load_lexicon())]
    assert {"a", "b", "c"} not in members


@pytest.mark.parametrize(
    ("language", "explanation"),
    [
        ("ja", "上下の位置: 下に (甲.docx) / 上に (乙.docx)"),
        ("en", "position: below (甲.docx) / above (乙.docx)"),
        ("zh", "上下位置: 下方 (甲.docx) / 上方 (乙.docx)"),
        ("auto", "上下の位置: 下に (甲.docx) / 上に (乙.docx)"),
        (None, "position-v: below (甲.docx) / above (乙.docx)"),
    ],
)
def test_an_explanation_is_one_line_in_the_readers_language(language, explanation) -> None:  # type: ignore[no-untyped-def]  # parametrized
    texts = [
        RuleText(key="a", document="甲.docx", text="図の名称は図の下に書く。"),
        RuleText(key="b", document="乙.docx", text="図の名称は図の上に書く。"),
    ]
    (group,) = detect_conflicts(texts, load_lexicon(), language=language)
    assert group.explanation == explanation
    # The identity of a conflict does not depend on the language.
    assert group.attribute == "position-v"


def test_every_property_has_a_name_in_every_language() -> None:
    lexicon = load_lexicon()
    dimensions = {unit.dimension for unit in lexicon.units.values()}
    for identifier in {*lexicon.enums, *dimensions, "term", "name", "order", "polarity", "presence"}:
        assert set(lexicon.names[identifier]) == {"ja", "zh", "en"}, identifier


def test_values_are_worded() -> None:
    lexicon = load_lexicon()
    quantity = Quantity(12, "char", ">=", "12文字", 0, 4)
    claim = QuantityClaim("char", quantity, frozenset(), frozenset())
    assert display_value(claim, lexicon, "ja") == "12文字 以上"
    assert display_value(FlagClaim("underline", on=False), lexicon, "en") == "underline: no"
    enum = EnumClaim("charset", frozenset({"utf-8"}), frozenset({"gbk"}), only=False)
    assert display_value(enum, lexicon, "en") == "utf-8 / not gbk"
    assert display_name("no-such-thing", lexicon, "ja") == "no-such-thing"
