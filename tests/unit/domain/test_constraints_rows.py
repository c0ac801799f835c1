"""Rows of spreadsheets, written `label: value / label: value`: their cells, and what a clash of two tells."""

from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText, rule_hash
from kisoku.domain.constraints.detect import detect_conflicts
from kisoku.domain.constraints.splitting import split_rules


def test_a_row_is_cut_into_its_cells() -> None:
    row = RuleText(key="a", document="一覧.xlsx", text="列名: 機能名 / 桁数: 30 / 内容: 読み / 書きの別")
    rules = split_rules(row)
    assert [rule.subject for rule in rules if rule.label == "桁数"] == ["機能名"]
    # A slash inside a value does not begin a cell.
    assert any("読み / 書きの別" in rule.text for rule in rules)


def test_one_column_has_one_length() -> None:
    texts = [
        RuleText(key="a", document="一覧.xlsx", headings=("一覧表の列",), text="列名: 備考 / 桁数: 60"),
        RuleText(key="b", document="規則.xlsx", headings=("一覧表の列",), text="列名: 備考 / 桁数: 100"),
    ]
    (group,) = detect_conflicts(texts, load_lexicon())
    assert {m.value for m in group.members} == {"60", "100"}
    assert {m.rule_hash for m in group.members} == {rule_hash(m.document, m.rule) for m in group.members}
