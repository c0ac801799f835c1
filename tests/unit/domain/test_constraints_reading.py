"""Readings that rest on form, not on lists of words: judging headings, divisions, duties in cells."""

import pytest
from kisoku.domain.constraints.headed import under_heading, verdict_of
from kisoku.domain.constraints.per_unit import divisions_in
from kisoku.domain.constraints.roles import role_name, role_of_cell
from kisoku.domain.constraints.text import language_of, normalise


@pytest.mark.parametrize(
    ("heading", "verdict"),
    [
        ("書かなくてよいもの", "waived"),
        ("禁止事項", "banned"),
        ("not required", "waived"),
        ("3.2 NG集", "banned"),
        ("Don'ts", "banned"),
        ("必須項目", "demanded"),
        ("使ってよいもの", "permitted"),
        ("表紙", None),
        ("無需填写的项目", None),
    ],
)
def test_headings_judge(heading: str, verdict: str | None) -> None:
    assert verdict_of(normalise(heading)) == verdict


def test_a_sentence_under_a_judging_heading_speaks_for_itself() -> None:
    assert under_heading("更新権限者", "waived", "ja") == "更新権限者は不要とする。"
    assert under_heading("略語を使わない。", "banned", "ja") == "略語を使わない。"
    assert under_heading("禁止在文档中使用宏", "banned", "zh") == "禁止在文档中使用宏"


def test_an_act_under_a_judging_heading_is_banned_as_an_act() -> None:
    assert under_heading("force pushする", "banned", "ja") == "force pushすることは禁止する。"
    assert under_heading("業務ファイルを置くこと", "banned", "ja") == "業務ファイルを置くことは禁止する。"
    assert under_heading("commit to main", "banned", "en") == "do not commit to main"


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
