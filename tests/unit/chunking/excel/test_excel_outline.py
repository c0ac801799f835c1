"""Grid paper read as text: headings by number and indent, sentences over several rows."""

import pytest
from kisoku.adapters.chunking.excel.outline import Follower, Levels, TextLine, is_heading, numbered, paragraphs
from kisoku.domain.blocks import Heading


def line(text: str, row: int = 1, column: int = 2, *, emphasis: bool = False) -> TextLine:
    return TextLine(row, row, column, column, text, emphasis)


def write(sheet, **cells: str) -> None:
    for place, text in cells.items():
        sheet[place] = text


def test_number_and_indent_give_the_level(studio, book) -> None:
    sheet = book.active
    studio.grid_paper(sheet)
    write(
        sheet,
        B2="1. 概要", C3="1.1. 目的", D4="目的を述べる。",
        C6="1.2. 対象", D7="1.2.1. 画面", E8="画面を対象とする。",
        B10="2. 規則", C11="(1) 文字", D12="文字を定める。", C14="(2) 数字", D15="数字を定める。",
    )  # fmt: skip
    document = studio.document(book)
    assert studio.read(book) == [
        "# 規則", "## 1. 概要", "### 1.1. 目的", "目的を述べる。",
        "### 1.2. 対象", "#### 1.2.1. 画面", "画面を対象とする。",
        "## 2. 規則", "### (1) 文字", "文字を定める。", "### (2) 数字", "数字を定める。",
    ]  # fmt: skip
    headings = [block for block in document.blocks if isinstance(block, Heading)]
    assert headings[0].container
    assert [heading.number for heading in headings] == ["", "1", "1.1", "1.2", "1.2.1", "2", "1", "2"]
    assert headings[2].anchor.cells == "C3"


def test_bracketed_numbers_with_parts_nest(studio, book) -> None:
    sheet = book.active
    studio.grid_paper(sheet)
    write(sheet, B2="(3) 過程", C3="概要を述べる。", C5="(3-1) 頻度が低い場合", D6="＜方針＞", E7="こうする。")
    assert studio.read(book) == [
        "# 規則", "## (3) 過程", "概要を述べる。", "### (3-1) 頻度が低い場合", "＜方針＞", "こうする。",
    ]  # fmt: skip


def test_list_items_are_no_headings(studio, book) -> None:
    sheet = book.active
    studio.grid_paper(sheet)
    write(sheet, B2="1. 手順", C3="1. 項目を書く", C4="2. 表を書く", C5="3. 図を書く", C7="① 例", C8="② 例外")
    assert studio.read(book) == [
        "# 規則", "## 1. 手順", "1. 項目を書く", "2. 表を書く", "3. 図を書く", "① 例", "② 例外",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "follower", "expected"),
    [
        ("1.2 対象", None, True),
        ("1.2.3 対象", Follower(2, 2, "本文"), True),
        ("1. 対象", Follower(2, 3, "本文"), True),
        ("1. 対象", Follower(2, 2, None), True),
        ("1. 対象", Follower(2, 2, "2. 別"), False),
        ("1. 対象を書くこと。", Follower(2, 3, "本文"), False),
        ("1. 対象を書き、", Follower(2, 3, "本文"), False),
        ("第2章 総則", Follower(2, 3, "本文"), True),
        ("１．総則", Follower(2, 3, "本文"), True),
        ("（１）総則", Follower(2, 3, "本文"), True),
        ("（１）総則", Follower(2, 2, "（２）細則"), False),
        ("一、总则", Follower(2, 3, "正文"), True),
        ("（二）细则", Follower(2, 3, "正文"), True),
        ("第一章 总则", Follower(2, 3, "正文"), True),
        ("1、总则", Follower(2, 3, "正文"), True),
        ("一覧を示す", Follower(2, 3, "本文"), False),
        ("① 総則", Follower(3, 3, "本文"), True),
        ("■ 総則", Follower(2, 3, "本文"), True),
        ("2.5GBまで保存できる", Follower(2, 3, "本文"), False),
        ("1.5倍とする", Follower(2, 3, "本文"), False),
        ("24-11-06 新規作成", Follower(2, 3, "本文"), False),
        ("1.2目的", None, True),
        ("1.2.Purpose", None, True),
        ("2006/11/24 改訂", Follower(2, 3, "本文"), False),
        ("10.5%", Follower(2, 3, "本文"), False),
        ("総則", Follower(2, 3, "本文"), False),
    ],
)
def test_what_is_a_heading(text: str, follower: Follower | None, expected: bool) -> None:
    assert is_heading(line(text), follower) is expected


def test_numbers_are_told_apart() -> None:
    kinds = {text: numbered(text) for text in ("1.2.3 x", "第3章 x", "(2) x", "（2-1）x", "③ x", "◆x", "x")}
    found = {text: (entry.kind, entry.depth) if entry else None for text, entry in kinds.items()}
    assert found == {
        "1.2.3 x": ("number", 3), "第3章 x": ("number", 1), "(2) x": ("paren", 1), "（2-1）x": ("paren", 2),
        "③ x": ("circled", 1), "◆x": ("mark", 1), "x": None,
    }  # fmt: skip


def test_same_column_goes_by_the_kind_of_number() -> None:
    levels = Levels()
    opened = [
        levels.open(2, numbered(text)) for text in ("1. 章", "1.1 節", "(1) 項", "① 目", "(2) 項", "1.2 節", "2. 章")
    ]
    assert opened == [2, 3, 4, 5, 4, 3, 2]


def test_a_sentence_that_runs_on_is_joined() -> None:
    first = "この規則は、画面と帳票とバッチの全てについて、設計書を書く者が守るべき事項を定めるもので"
    joined = paragraphs([line(first, 1), line("あり、例外は認めない。", 2), line("次の文である。", 3)])
    assert [entry.text for entry in joined] == [f"{first}あり、例外は認めない。", "次の文である。"]
    assert (joined[0].row, joined[0].bottom) == (1, 2)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("短い行", "別の行"),
        ("項目を並べる順は次の通りとし、例外は別に定める場合に限って認めるものとする。", "次の文"),
        ("項目を並べる順は次の通りとし、例外は別に定める場合に限って認めるものとする", "・一つ目"),
        ("項目を並べる順は次の通りとし、例外は別に定める場合に限って認めるものとする", "(1) 一つ目"),
    ],
)
def test_separate_lines_stay_apart(first: str, second: str) -> None:
    assert len(paragraphs([line(first, 1), line(second, 2)])) == 2


def test_a_hanging_indent_continues_its_item() -> None:
    joined = paragraphs([line("2. 定義を抽出して、定義書を作成する", 1), line("\u3000 その際、雛形を使う。", 2)])
    assert [entry.text for entry in joined] == ["2. 定義を抽出して、定義書を作成するその際、雛形を使う。"]


def test_latin_words_are_joined_with_a_space() -> None:
    first = "This rule holds for every screen, report and batch of the system and its"
    joined = paragraphs([line(first, 1), line("documents.", 2)])
    assert joined[0].text == f"{first} documents."


def test_full_width_stays_full_width(studio, book) -> None:
    sheet = book.active
    studio.grid_paper(sheet)
    write(sheet, B2="１．文字", C3="（○）アイウエオ　、（×）ｱｲｳｴｵ")
    assert studio.read(book) == ["# 規則", "## １．文字", "（○）アイウエオ　、（×）ｱｲｳｴｵ"]
