# ruff: noqa: E501 - a pair stands in one line
"""Readings that rest on form, not on lists of words: judging headings, duties in tables, orders, divisions, bounds."""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.constraints.headed import under_heading, verdict_of
from kisoku.domain.constraints.per_unit import divisions_in
from kisoku.domain.constraints.roles import role_name, role_of_cell
from kisoku.domain.constraints.text import language_of, normalise

PAIRS = (
    # What a heading waives or bans.
    (True, "書式の手引き.docx | 記載 | 機能定義書には更新権限者を記す。", "簡素化.docx | 書かなくてよいもの | ・機能定義書の更新権限者"),
    # Duties in a table, and in a clause.
    (True, "分担表.xlsx | 移行 | 作業: 移行データ作成 | 発注者: － | 受注者: ◎", "移行計画.docx | 分担 | 移行データの作成は発注者が担当し、受注者は行わない。"),
    (False, "分担表.xlsx | 移行 | 作業: 移行データ作成 | 発注者: － | 受注者: ◎", "移行計画.docx | 分担 | 移行データの作成は受注者が担当する。"),
    # Orders.
    (True, "手順.docx | 公開 | Publish the interface first; only then may the client be built.", "build.docx | Order | The client is built before the interface is published."),
    (False, "手順.docx | 公開 | Publish the interface first; only then may the client be built.", "build.docx | Order | The interface is published before the client is built."),
    (True, "章立て.docx | 並び | まず前提条件、次に機能要件の順で書く。", "書き方.docx | 並び | 機能要件を前に置き、前提条件はその後ろに載せる。"),
    (True, "流程.docx | 步骤 | 接口评审批准之后再做容量估算。", "前置.docx | 条件 | 未完成容量估算的项目不得开展接口评审。"),
    # How a whole is divided.
    (True, "構成.docx | 分割 | 設計書は1機能につき1ファイルとする。", "構成2.docx | 分割 | 設計書はサブシステムごとに1ファイルとする。"),
    # Words that one table bans and another text uses.
    (True, "用語.xlsx | 用語 | 标准词: 账户 | 不得写作: 帐户", '用字.docx | 用字 | 文中一律写"帐户"，不写"账户"。'),
    # Not adopted, weighed, allotted, only alone: no rules.
    (False, "決定記録.docx | 検討 | 案A: 外部キーを設ける。案Bは性能のため不採用とした。", "DB規約.docx | 制約 | 外部キーは設けない。"),
    (False, "文体.docx | 文体 | 体言止めは表の中に限る。", "手引.docx | 文体 | 操作説明は敬体で書く。"),
    (False, "質.docx | 校验 | 不得仅靠人工校验。", "流程.docx | 校验 | 数据须经人工校验。"),
)  # fmt: skip


def _rule(key: str, side: str) -> RuleText:
    document, heading, text = (part.strip() for part in side.split(" | ", 2))
    return RuleText(key=key, document=document, headings=(heading,), text=text)


@pytest.mark.parametrize(("conflict", "a", "b"), PAIRS)
def test_pair(conflict: bool, a: str, b: str) -> None:
    one, two = _rule("a", a), _rule("b", b)
    assert bool(detect_conflicts((one, two), load_lexicon())) is conflict
    assert bool(detect_conflicts((two, one), load_lexicon())) is conflict


@pytest.mark.parametrize(
    ("heading", "verdict"),
    [("書かなくてよいもの", "waived"), ("禁止事項", "banned"), ("not required", "waived"), ("表紙", None), ("無需填写的项目", None)],
)  # fmt: skip
def test_headings_judge(heading: str, verdict: str | None) -> None:
    assert verdict_of(normalise(heading)) == verdict


def test_a_sentence_under_a_judging_heading_speaks_for_itself() -> None:
    assert under_heading("更新権限者", "waived", "ja") == "更新権限者は不要とする。"
    assert under_heading("略語を使わない。", "banned", "ja") == "略語を使わない。"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("サブシステムごとに1ブック", [("ブック", "サブシステム")]),
        ("設計書は1機能につき1ファイルとする", [("ファイル", "機能")]),
        ("one file per function", [("file", "function")]),
        ("1日ごとに1回", []),
    ],
)
def test_divisions(text: str, found: list[tuple[str, str]]) -> None:
    assert list(divisions_in(text, language_of(text))) == found


def test_duties_in_cells() -> None:
    assert role_of_cell("受注者", " ◎") == (frozenset({"受注者"}), frozenset())
    assert role_of_cell("発注者", " -") == (frozenset(), frozenset({"発注者"}))
    assert role_of_cell("担当者", " 運用部(平日のみ)") == (frozenset({"運用部"}), frozenset())
    assert role_of_cell("備考", " 運用部") is None
    assert role_name("起票した人") == "起票者"
