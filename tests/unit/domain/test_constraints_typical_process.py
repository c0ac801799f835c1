# ruff: noqa: E501 - a wording stands in one line
"""Everyday choices of project work in several wordings: two rules conflict when, and only when, they name different values."""

from itertools import permutations

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts

_NAMES = {
    "ja": ("手引A.docx", "規程B.docx"),
    "zh": ("细则A.docx", "办法B.docx"),
    "en": ("Guide_A.docx", "Manual_B.docx"),
}
# Topic, value, language, heading, text.
WORDINGS: tuple[tuple[str, str, str, str, str], ...] = (
    ("severity", "3", "ja", "重要度", "不具合の重大度は3段階（高・中・低）とする。"),
    ("severity", "3", "zh", "缺陷等级", "缺陷严重程度分为三级。"),
    ("severity", "4", "ja", "障害ランク", "障害ランク: S・A・B・Cの4区分"),
    ("severity", "4", "zh", "缺陷等级", "缺陷严重程度分为四级。"),
    ("defect-closer", "rep", "ja", "不具合のクローズ", "不具合票は起票者がクローズする。"),
    ("defect-closer", "rep", "zh", "缺陷关闭", "缺陷由提出人关闭。"),
    ("defect-closer", "qa", "ja", "不具合のクローズ", "不具合票は品質管理部門がクローズする。"),
    ("defect-closer", "qa", "zh", "缺陷关闭", "缺陷由质量部关闭。"),
    ("defect-closer", "dev", "ja", "不具合のクローズ", "不具合票は修正した開発者がクローズする。"),
    ("defect-closer", "dev", "zh", "缺陷关闭", "缺陷由修复的开发人员关闭。"),
    ("flaky", "retry", "ja", "不安定なテスト", "不安定なテストは3回まで自動で再実行する。"),
    ("flaky", "retry", "zh", "不稳定用例", "不稳定的测试失败后自动重跑，通过即视为合格。"),
    ("flaky", "noretry", "ja", "不安定なテスト", "不安定なテストの再実行は禁止し、原因を直すまで失敗として扱う。"),
    ("flaky", "noretry", "zh", "不稳定用例", "不稳定的测试不得重跑，一律视为失败。"),
    ("review-vs-ut", "before", "ja", "レビューの時期", "コードレビューは単体テストの前に行う。"),
    ("review-vs-ut", "before", "zh", "评审时机", "代码评审在单元测试之前进行。"),
    ("review-vs-ut", "after", "ja", "レビューの時期", "コードレビューは単体テストの完了後に行う。"),
    ("review-vs-ut", "after", "zh", "评审时机", "代码评审在单元测试通过之后进行。"),
    ("static-analysis", "before", "ja", "静的解析", "静的解析はコードレビューの前に実施する。"),
    ("static-analysis", "before", "zh", "静态分析", "静态分析在代码评审之前执行。"),
    ("static-analysis", "after", "ja", "静的解析", "静的解析はコードレビューの後に実施する。"),
    ("static-analysis", "after", "zh", "静态分析", "静态分析在代码评审之后执行。"),
    ("deploy-order", "db", "ja", "デプロイ順序", "DBを先に変更し、その後アプリケーションを配置する。"),
    ("deploy-order", "db", "zh", "部署顺序", "先更新数据库，再部署应用。"),
    ("deploy-order", "app", "ja", "デプロイ順序", "アプリケーションを先に配置し、その後DBを変更する。"),
    ("deploy-order", "app", "zh", "部署顺序", "先部署应用，再更新数据库。"),
    ("branch-cleanup", "del", "ja", "ブランチの後始末", "マージが済んだブランチは削除する。"),
    ("branch-cleanup", "del", "zh", "分支清理", "合并后的分支应删除。"),
    ("branch-cleanup", "keep", "ja", "ブランチの後始末", "マージが済んだブランチも消さずに残す。"),
    ("branch-cleanup", "keep", "zh", "分支清理", "合并后的分支应保留，不得删除。"),
    ("commit-format", "tick", "ja", "コミットメッセージ", "コミットメッセージの先頭にチケット番号を書く。"),
    ("commit-format", "tick", "zh", "提交信息", "提交信息以任务编号开头。"),
    (
        "commit-format",
        "type",
        "ja",
        "コミットメッセージ",
        "コミットメッセージの先頭に feat: や fix: などの種別を書く。",
    ),
    ("commit-format", "type", "zh", "提交信息", "提交信息以类型（feat、fix 等）开头。"),
    ("config-scope", "all", "ja", "構成管理", "ドキュメントも含めてすべての成果物を構成管理の対象とする。"),
    ("config-scope", "all", "zh", "配置管理", "文档和源代码均纳入配置管理。"),
    ("config-scope", "src", "ja", "構成管理", "構成管理の対象はソースコードに限り、設計書は含めない。"),
    ("config-scope", "src", "zh", "配置管理", "只有源代码纳入配置管理，文档不纳入。"),
    ("backup-place", "same", "ja", "バックアップの保管", "バックアップは同一拠点内に保管する。"),
    ("backup-place", "same", "zh", "备份存放", "备份存放在本机房内。"),
    ("backup-place", "remote", "ja", "バックアップの保管", "バックアップは遠隔地に保管する。"),
    ("backup-place", "remote", "zh", "备份存放", "备份须异地存放。"),
    ("estimate-unit", "day", "ja", "見積り", "見積りの単位は人日とする。"),
    ("estimate-unit", "day", "zh", "估算", "工作量以人天为单位估算。"),
    ("estimate-unit", "month", "ja", "見積り", "見積りの単位は人月とする。"),
    ("estimate-unit", "month", "zh", "估算", "工作量以人月为单位估算。"),
    ("estimate-unit", "hour", "ja", "見積り", "見積りは人時で行う。"),
    ("estimate-unit", "hour", "zh", "估算", "工作量以人时为单位估算。"),
)
TOPICS = tuple(dict.fromkeys(wording[0] for wording in WORDINGS))


def _rule(side: int, language: str, heading: str, text: str) -> RuleText:
    return RuleText(key=str(side), document=_NAMES[language][side], headings=(heading,), text=text)


@pytest.mark.parametrize("topic", TOPICS)
def test_wordings_conflict_when_their_values_differ(topic: str) -> None:
    lexicon = load_lexicon()
    for one, two in permutations([wording for wording in WORDINGS if wording[0] == topic], 2):
        found = detect_conflicts((_rule(0, *one[2:]), _rule(1, *two[2:])), lexicon)
        assert bool(found) is (one[1] != two[1]), (one[4], two[4])
