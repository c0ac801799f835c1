"""Rows of spreadsheets, written `label: value / label: value`, as conflict sides."""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import ConflictGroup, RuleText, rule_hash
from kisoku.domain.constraints.detect import detect_conflicts
from kisoku.domain.constraints.splitting import split_rules


def _conflicts(a: str, b: str) -> tuple[ConflictGroup, ...]:
    texts = [
        RuleText(key="a", document="一覧.xlsx", headings=("一覧表の列",), text=a),
        RuleText(key="b", document="規則.xlsx", headings=("一覧表の列",), text=b),
    ]
    return detect_conflicts(texts, load_lexicon())


def test_a_row_is_cut_into_its_cells() -> None:
    row = RuleText(key="a", document="一覧.xlsx", text="列名: 機能名 / 桁数: 30 / 内容: 読み / 書きの別")
    rules = split_rules(row)
    assert [rule.subject for rule in rules if rule.label == "桁数"] == ["機能名"]
    # A slash inside a value does not begin a cell.
    assert any("読み / 書きの別" in rule.text for rule in rules)


def test_columns_of_different_names_may_differ() -> None:
    assert not _conflicts("列名: 機能ID / 型: 半角英数字 / 桁数: 4", "列名: 備考 / 型: 全角 / 桁数: 100")


def test_one_column_has_one_length() -> None:
    (group,) = _conflicts("列名: 備考 / 桁数: 60", "列名: 備考 / 桁数: 100")
    assert {m.value for m in group.members} == {"60", "100"}
    assert {m.rule_hash for m in group.members} == {rule_hash(m.document, m.rule) for m in group.members}


@pytest.mark.parametrize("cell", ["型: 全角", "内容: 動詞で終える名前", "必須: ●"])
def test_a_cell_that_names_something_forbids_nothing(cell: str) -> None:
    ban = "廃止した機能の行は取り消し線を引いて残し、その番号を別の機能に使わない。"
    assert not _conflicts(f"一覧表: 機能一覧 / 列名: 機能名 / {cell}", ban)


def test_enough_is_no_ten_minutes() -> None:
    a = RuleText(key="a", document="a.docx", text="データは100年以上使われることも多い。")
    b = RuleText(key="b", document="b.docx", text="データを使いこなすために十分な体制を置く。")
    assert not detect_conflicts([a, b], load_lexicon())
    c = RuleText(key="c", document="c.docx", text="バックアップは十分以内に終える。")
    d = RuleText(key="d", document="d.docx", text="バックアップは5分以内に終える。")
    assert detect_conflicts([c, d], load_lexicon())


def test_a_ban_answers_the_demand_of_the_same_action() -> None:
    ban = RuleText(key="a", document="a.docx", text="検索結果の上限件数は、個々の設計書には記載しない。")
    other = RuleText(key="b", document="b.docx", text="個々の設計書の検索結果を参照して、件数を実装する。")
    assert not detect_conflicts([ban, other], load_lexicon())
    demand = RuleText(key="c", document="c.docx", text="検索結果の上限件数は、個々の設計書に記載する。")
    assert detect_conflicts([ban, demand], load_lexicon())
