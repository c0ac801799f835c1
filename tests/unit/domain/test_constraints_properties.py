"""Properties that hold for any two rules: symmetry, no conflict with itself, unrelated sentences change nothing."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.constraints.double_negation import without_double_negation
from kisoku.domain.constraints.facets import NO_FACETS, apart, are_siblings, find_facets
from kisoku.domain.constraints.targets import are_contrasted, are_kinds
from kisoku.domain.constraints.text import language_of, normalise
from kisoku.domain.constraints.values import find_quantities

RULES = {
    "ja": (
        "図の名称は図の下に書く。",
        "図の名称は図の上に書く。",
        "操作ログは1年間保存する。",
        "操作ログは90日で削除する。",
        "略語は使用しない。",
        "略語は初出の箇所で使用してよい。",
        "定例会の議事録は書記が作成する。",
        "承認者の氏名を記入する。ただし表紙を除く。",
        "列名は英単語とする。",
    ),
    "zh": (
        "图题位于图的下方。",
        "图题写在图的上方。",
        "评审意见须在三个工作日内答复。",
        "评审意见五天内答复即可。",
        "未经项目经理批准，不得修改基线。",
        "注释用英文书写。",
    ),
    "en": (
        "Captions go below the figure.",
        "Captions go above the figure.",
        "Do not use abbreviations.",
        "Every document explains its abbreviations.",
        "The client may issue 120 calls a minute.",
    ),
}
ALL = tuple(chain.from_iterable(RULES.values()))


def _found(*texts: str) -> bool:
    rules = [RuleText(key=str(i), document=f"d{i}.docx", text=text) for i, text in enumerate(texts)]
    return bool(detect_conflicts(rules, load_lexicon()))


@given(st.sampled_from(ALL), st.sampled_from(ALL))
def test_swapping_two_rules_never_changes_the_verdict(a: str, b: str) -> None:
    assert _found(a, b) == _found(b, a)


@given(st.sampled_from(ALL))
def test_a_rule_never_contradicts_itself(rule: str) -> None:
    assert not _found(rule, rule)


@given(st.text(max_size=60))
def test_a_text_never_contradicts_itself(text: str) -> None:
    assert not _found(text or "x", text or "x")


@pytest.mark.parametrize("language", ["ja", "zh", "en"])
@pytest.mark.parametrize("before", [True, False])
def test_an_unrelated_sentence_changes_nothing(language: str, before: bool) -> None:
    unrelated = {"ja": "会場の鍵は受付で借りる。", "zh": "会场钥匙在前台领取。", "en": "The key is at the desk."}[
        language
    ]
    rules = RULES[language]
    a, b = rules[0], rules[1]
    assert _found(a, b)
    longer = f"{unrelated}\n{b}" if before else f"{b}\n{unrelated}"
    assert _found(a, longer)
    assert not _found(a, unrelated)


@pytest.mark.parametrize(
    ("a", "b", "separate"),
    [
        ("本番環境のログ", "検証環境のログ", True),
        ("官公庁向けの帳票", "民間取引先向けの帳票", True),
        ("日次バックアップ", "月次バックアップ", True),
        ("5人天以内的变更", "超过5人天的变更", True),
        ("5人天以内的变更", "3人天以内的变更", False),
        ("每日备份", "daily backup", False),
        ("本システムのログ", "検証環境のログ", False),
    ],
)
def test_cases_of_one_kind_exclude_each_other(a: str, b: str, separate: bool) -> None:
    one, two = (find_facets(normalise(text), language_of(text), load_lexicon()) for text in (a, b))
    assert apart(one, two, frozenset()) is separate
    assert apart(two, one, frozenset()) is separate
    assert not apart(one, NO_FACETS, frozenset())


@pytest.mark.parametrize(
    ("a", "b", "siblings"),
    [
        ("受注システム運用方針.docx", "請求システム運用方針.docx", True),
        ("図表規則.docx", "設計書記入規則.docx", False),
        ("開発標準2021年版.docx", "開発標準2024年版.docx", False),
        ("同じ.docx", "同じ.docx", False),
    ],
)
def test_sibling_documents(a: str, b: str, siblings: bool) -> None:
    assert are_siblings(a, b) is siblings


def test_topics_of_different_kinds() -> None:
    assert are_contrasted("受注データ", "請求データ", "受注データ", "請求データ", "ja")
    assert are_contrasted("failed reads", "failed writes", "failed reads", "failed writes", "en")
    assert not are_contrasted("受注データ", "受注データ", "", "", "ja")
    # The other rule names both kinds.
    assert not are_contrasted("受注データ", "請求データ", "受注データと請求データ", "受注データ、請求データ", "ja")


@given(
    st.text(alphabet="受注請求データ同別じタブ", max_size=6), st.text(alphabet="受注請求データ同別じタブ", max_size=6)
)
def test_kinds_are_symmetric(one: str, two: str) -> None:
    assert are_kinds(one, two) == are_kinds(two, one)


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        ("部長の承認がなければ発行できない。", "部長の承認を必須とし、発行。"),
        ("记录须清楚，未经批准，不得修改。", "记录须清楚,须经批准方可修改。"),
        ("記入しなければならない。", "記入しなければならない。"),
        ("no change without approval.", "no change without approval."),
    ],
)
def test_double_negation_is_put_positively(text: str, rewritten: str) -> None:
    assert without_double_negation(normalise(text), language_of(text)) == rewritten


@pytest.mark.parametrize(
    ("text", "amount", "dimension"),
    [
        ("120 calls a minute", 2.0, "rate"),
        ("5 calls/s", 5.0, "rate"),
        ("每分钟120次", 2.0, "rate"),
        ("1分間に120回", 2.0, "rate"),
        ("10.5人日", 10.5, "effort"),
        ("the tenth failure", 10.0, "times"),
        ("five consecutive failed sign-ins", 5.0, "times"),
        ("100万円", 1_000_000.0, "money"),
        ("two approvals", 2.0, "person"),
    ],
)
def test_more_quantities(text: str, amount: float, dimension: str) -> None:
    (found,) = find_quantities(normalise(text), load_lexicon())
    assert (found.amount, found.dimension) == (pytest.approx(amount), dimension)


@pytest.mark.parametrize("text", ["2022年3月31日", "平成26年4月", "以下の四つ", "2024-04-01", "標準の一つとして"])
def test_dates_and_announcements_are_no_quantities(text: str) -> None:
    assert not find_quantities(normalise(text), load_lexicon())
