"""What says nothing: covers, change histories, contents, banners. And what only looks like it."""

from openpyxl.styles import Font


def texts(document, reason: str = "boilerplate") -> list[str]:
    return [entry.text for entry in document.omissions if entry.reason == reason]


def banner(studio, sheet, author: str) -> None:
    for place, value, label in (
        ("A1:C1", "システム名", True), ("D1:H1", "見本", False), ("I1:K1", "成果物名", True),
        ("L1:P1", "標準", False), ("A2:C2", "作成", True), ("D2:H2", author, False),
    ):  # fmt: skip
        studio.cell(sheet, place, value, label=label)


def rule_book(studio, book):
    cover = book.active
    cover.title = "はじめ"
    cover["D9"] = "画面標準"
    cover["D9"].font = Font(size=24)
    cover["D12"] = "第1.0版"
    history = book.create_sheet("変更履歴")
    for column, label in enumerate(("版", "変更日", "変更内容", "変更者"), start=1):
        studio.cell(history, history.cell(3, column).coordinate, label, label=True)
        studio.cell(history, history.cell(4, column).coordinate, f"{label}の値")
    contents = book.create_sheet("もくじ")
    contents["B5"], contents["C6"] = "目次", "1. 概要"
    for name in ("本文1", "本文2"):
        sheet = book.create_sheet(name)
        studio.grid_paper(sheet)
        banner(studio, sheet, author=f"{name}の作者")
        sheet["B5"], sheet["C6"] = "1. 概要", f"{name}の規則を定める。"
    return book


def test_cover_history_contents_and_banner_are_left_out_and_reported(studio, book) -> None:
    document = studio.document(rule_book(studio, book))
    assert studio.read(book) == [
        "# 本文1", "## 1. 概要", "本文1の規則を定める。", "# 本文2", "## 1. 概要", "本文2の規則を定める。",
    ]  # fmt: skip
    omitted = texts(document)
    for text in ("画面標準", "第1.0版", "変更内容", "変更者の値", "目次", "システム名", "本文1の作者"):
        assert text in omitted
    assert omitted.count("システム名") == 2
    assert document.title == "画面標準"


def test_a_history_is_known_by_its_columns(studio, book) -> None:
    book.active["A1"] = "本文。"
    other = book.create_sheet("Sheet2")
    for column, label in enumerate(("No.", "版", "日付", "変更内容", "担当者", "変更者"), start=1):
        studio.cell(other, other.cell(1, column).coordinate, label, label=True)
        studio.cell(other, other.cell(2, column).coordinate, "x")
    assert studio.read(book) == ["# 規則", "本文。"]


def test_chinese_and_english_sheets_are_known_too(studio, book) -> None:
    book.active["A1"] = "正文。"
    for name in ("目录", "修订记录", "Revision History", "Contents"):
        book.create_sheet(name)["B3"] = "x"
    assert studio.read(book) == ["# 規則", "正文。"]


def test_a_workbook_of_one_sheet_is_its_content(studio, book) -> None:
    book.active.title = "変更履歴"
    book.active["A1"] = "変更履歴の書き方を定める。"
    assert studio.read(book) == ["# 変更履歴", "変更履歴の書き方を定める。"]


def test_a_first_sheet_with_rules_is_no_cover(studio, book) -> None:
    first = book.active
    first["A1"] = "注意"
    first["A1"].font = Font(size=24)
    first["A3"] = "全ての設計書は本書に従うこと。"
    for name in ("二", "三"):
        book.create_sheet(name)["A1"] = f"{name}の本文。"
    assert "全ての設計書は本書に従うこと。" in studio.read(book)


def test_a_table_about_changes_is_no_history(studio, book) -> None:
    book.active["A1"] = "本文。"
    other = book.create_sheet("権限")
    for column, label in enumerate(("項目", "変更者", "削除者"), start=1):
        studio.cell(other, other.cell(1, column).coordinate, label, label=True)
        studio.cell(other, other.cell(2, column).coordinate, f"{label}の値")
    assert "項目: 項目の値 / 変更者: 変更者の値 / 削除者: 削除者の値" in studio.read(book)


def test_the_same_header_over_other_data_is_no_banner(studio, book) -> None:
    for name in ("一", "二", "三"):
        sheet = book.create_sheet(name)
        for column, label in enumerate(("項目", "桁数"), start=1):
            studio.cell(sheet, sheet.cell(1, column).coordinate, label, label=True)
            studio.cell(sheet, sheet.cell(2, column).coordinate, f"{name}{column}")
            studio.cell(sheet, sheet.cell(3, column).coordinate, f"{name}{column}の次")
    assert "項目: 二1 / 桁数: 二2" in studio.read(book)
    assert not texts(studio.document(book))


def test_a_form_about_the_sheets_own_subject_is_no_banner(studio, book) -> None:
    for name in ("企業", "利用者", "組織"):
        sheet = book.create_sheet(name)
        for place, value, label in (
            ("A1", "論理名", True), ("B1", name, False), ("C1", "物理名", True), ("D1", f"{name}_MST", False),
            ("A2", "説明", True), ("B2:D2", "標準の項目を持つ。", False),
        ):  # fmt: skip
            studio.cell(sheet, place, value, label=label)
        sheet["A5"] = f"{name}の本文。"
    assert "論理名: 利用者 / 物理名: 利用者_MST" in studio.read(book)


def test_a_banner_over_wider_columns_is_the_same_banner(studio, book) -> None:
    for name, right in (("一", "H"), ("二", "J")):
        sheet = book.create_sheet(name)
        studio.cell(sheet, "A1:B1", "システム名", label=True)
        studio.cell(sheet, f"C1:{right}1", "見本システム")
        studio.cell(sheet, "A2:B2", "作成者", label=True)
        studio.cell(sheet, f"C2:{right}2", f"{name}の作者")
        sheet["A5"] = f"{name}の本文。"
    assert studio.read(book) == ["# 一", "一の本文。", "# 二", "二の本文。"]


def test_a_line_on_every_sheet_is_a_banner(studio, book) -> None:
    for name in ("一", "二", "三"):
        sheet = book.create_sheet(name)
        sheet["A1"], sheet["A4"] = "社外秘", f"{name}の本文。"
    book.remove(book["規則"])
    assert studio.read(book) == ["# 一", "一の本文。", "# 二", "二の本文。", "# 三", "三の本文。"]


def test_shapes_with_sentences_survive_on_boilerplate_sheets(studio, book) -> None:
    """A guidance balloon on a cover is a rule, a stamp is not (made from raw XML in the tests of shapes)."""
    from kisoku.adapters.chunking.excel.boilerplate import SheetText
    from kisoku.adapters.chunking.excel.grid import Area
    from kisoku.adapters.chunking.excel.shapes import Shape
    from kisoku.adapters.chunking.excel.writer import SheetContent, SheetWriter

    shapes = [Shape("SAMPLE", Area(1, 1, 2, 2)), Shape("本書は見本である。", Area(3, 1, 4, 4))]
    writer = SheetWriter(SheetContent(SheetText("表紙", {}, [], {}), {}, shapes), set())
    blocks = writer.write(boilerplate=True, banner_regions=[], banner_cells=set())
    assert [block.text for block in blocks] == ["表紙", "本書は見本である。"]
    assert [entry.text for entry in writer.omissions] == ["SAMPLE"]
