"""Cells that give a verdict are read as the rule they stand for."""

import pytest
from kisoku.domain.constraints.cells import said_by_cell
from kisoku.domain.constraints.text import language_of


@pytest.mark.parametrize(
    ("label", "value", "subject", "said"),
    [
        ("可否", "可", "goto文", "goto文は認める。"),
        ("可否", "×", "セルの結合", "セルの結合は禁止する。"),
        ("必須/任意", "必須", "略語一覧", "略語一覧を必須とする。"),
        ("要否", "否", "スモークテスト", "スモークテストは不要とする。"),
        ("適用", "対象外", "協力会社", "協力会社は適用対象外とする。"),
        ("印刷", "可", "機密文書", "機密文書の印刷は認める。"),
        ("顧客レビュー", "不要", "テストケース", "テストケースの顧客レビューは不要とする。"),
        ("goto文", "ng", "", "goto文は禁止する。"),
        ("本番", "off", "デバッグログ", "本番ではデバッグログを出さず、無効にする。"),
        ("是否必填", "否", "备注栏", "无需备注栏"),
        ("allowed", "no", "force push", "force push is prohibited"),
    ],
)
def test_a_verdict_is_told_in_words(label: str, value: str, subject: str, said: str) -> None:
    assert said_by_cell(label, f"{label}: {value}", subject, language_of(said)) == said


@pytest.mark.parametrize(
    ("label", "value", "subject"),
    [
        ("運用担当", "○", "サーバ再起動"),
        ("結果", "ok", "ログ出力"),
        ("chrome", "×", "一覧画面"),
        ("備考", "不要", "表紙"),
        ("上限", "5件", "ネスト"),
    ],
)
def test_results_parties_and_numbers_are_no_verdicts(label: str, value: str, subject: str) -> None:
    assert said_by_cell(label, f"{label}: {value}", subject, "ja") == ""
