"""Bans that end, clauses that bind regardless, rules that do not hold for somebody, and what only one may do."""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints.double_negation import without_double_negation
from kisoku.domain.constraints.extraction import extract
from kisoku.domain.constraints.measures import QuantityClaim
from kisoku.domain.constraints.modality import states_something
from kisoku.domain.constraints.scope import is_void
from kisoku.domain.constraints.switches import is_temporary
from kisoku.domain.constraints.text import language_of, scan


@pytest.mark.parametrize(
    ("sentence", "clause", "temporary"),
    [
        ("要件定義書が承認されるまで、基本設計に着手してはならない", "基本設計に着手してはならない", True),
        ("スモークテストを終えるまでデプロイ完了と報告しない", "", True),
        ("前日までに資料を配り、口頭では説明しない", "口頭では説明しない", False),
        ("本番では直接更新しない", "", False),
    ],
)
def test_a_ban_until_something_is_done_is_no_ban(sentence: str, clause: str, temporary: bool) -> None:
    assert is_temporary(clause or sentence, sentence, "ja") is temporary


def test_what_makes_no_difference_states_nothing() -> None:
    assert not states_something("自社社員か協力会社かを問わず", "ja", labelled=False)
    assert not states_something("无论变更大小", "zh", labelled=False)


@pytest.mark.parametrize(
    ("text", "void"), [("本標準は協力会社には適用しない。", False), ("本標準は適用しない。", True)]
)
def test_a_rule_that_does_not_hold_for_somebody_is_in_force(text: str, void: bool) -> None:
    assert is_void(text, scan(text, load_lexicon().index("ja"))) is void


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("表紙のない設計書は受け付けない。", "設計書には表紙を必須とする。"),
        ("代替テキストのない画像がないこと。", "画像には代替テキストを必須とする。"),
        ("業務部門以外はマスタデータを変更してはならない。", "業務部門のみがマスタデータを変更してよい。"),
        ("除运维人员外，任何人不得重启服务器", "只有运维人员可以重启服务器"),
        ("nobody but the help desk may reset passwords", "only the help desk may reset passwords"),
        ("nobody may skip the review", "the review is mandatory"),
        ("no document goes out without a cover page.", "document must have cover page"),
    ],
)
def test_exclusive_and_doubly_negated_rules_are_put_plainly(text: str, said: str) -> None:
    assert without_double_negation(text, language_of(text)) == said


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("ユーザー名は3〜20文字とする。", {(">=", 3), ("<=", 20)}),
        ("密码长度为8至16个字符。", {(">=", 8), ("<=", 16)}),
        ("サーバ室の鍵を1人で管理してはならない。", set()),
        ("系统可用率不低于99.5%。", {(">=", 99.5)}),
    ],
)
def test_ranges_and_denied_numbers(text: str, bounds: set[tuple[str, float]]) -> None:
    found = extract(RuleText(key="a", document="規則.docx", text=text), load_lexicon()).constraints
    quantities = [c.claim.quantity for c in found if isinstance(c.claim, QuantityClaim)]
    assert {(q.operator, q.amount) for q in quantities} == bounds


def test_a_ban_beyond_a_number_bans_nothing_else() -> None:
    rule = RuleText(key="a", document="規則.docx", text="自動テストを3回以上再実行してはならない。")
    claims = [constraint.claim for constraint in extract(rule, load_lexicon()).constraints]
    assert not any(getattr(claim, "denied", None) for claim in claims)


def test_what_is_prohibited_at_the_end_of_a_clause_is_its_subject() -> None:
    rule = RuleText(key="a", document="Rules.docx", text="Taking pictures in the office is prohibited.")
    claims = [constraint.claim for constraint in extract(rule, load_lexicon()).constraints]
    assert any("camera-use" in getattr(claim, "banned", {}) for claim in claims)
