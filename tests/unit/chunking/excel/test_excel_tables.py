"""Rule blocks: headers, forms, captions, notes, several tables on a sheet."""

from kisoku.domain.blocks import Table


def tables(document) -> list[Table]:
    return [block for block in document.blocks if isinstance(block, Table)]


def grid(studio, sheet, top: int, left: int, rows, *, header: int = 1) -> None:
    """Write a framed table; its first `header` rows are grey."""
    for down, row in enumerate(rows):
        for right, value in enumerate(row):
            place = sheet.cell(top + down, left + right).coordinate
            studio.cell(sheet, place, value, label=down < header)


def test_each_value_has_its_label(studio, book) -> None:
    grid(studio, book.active, 2, 2, [("項目", "桁数"), ("氏名", 20), ("年齢", 3)])
    (table,) = tables(studio.document(book))
    assert table.rows == ("項目: 氏名 / 桁数: 20", "項目: 年齢 / 桁数: 3")
    assert table.anchor.sheet == "規則"
    assert table.anchor.cells == "B2:C4"
    assert [anchor.cells for anchor in table.row_anchors] == ["B3:C3", "B4:C4"]


def test_merged_header_rows_give_full_labels(studio, book) -> None:
    sheet = book.active
    studio.cell(sheet, "A1:A2", "No.", label=True)
    studio.cell(sheet, "B1:D1", "項目定義", label=True)
    for place, value in (("B2", "型"), ("C2", "桁数"), ("D2", "必須")):
        studio.cell(sheet, place, value, label=True)
    for place, value in (("A3", 1), ("B3", "文字"), ("C3", 20), ("D3", "○")):
        studio.cell(sheet, place, value)
    (table,) = tables(studio.document(book))
    assert table.rows == ("No.: 1 / 項目定義 > 型: 文字 / 項目定義 > 桁数: 20 / 項目定義 > 必須: ○",)


def test_columns_without_a_value_keep_their_label_once(studio, book) -> None:
    grid(studio, book.active, 1, 1, [("項目", "桁数", "備考"), ("氏名", 20, None), ("年齢", 3, None)])
    (table,) = tables(studio.document(book))
    assert table.rows == ("備考:", "項目: 氏名 / 桁数: 20", "項目: 年齢 / 桁数: 3")


def test_running_numbers_of_empty_rows_are_no_content(studio, book) -> None:
    grid(studio, book.active, 1, 1, [("No.", "項目", "備考"), (1, None, None), (2, None, None)])
    document = studio.document(book)
    (table,) = tables(document)
    assert table.rows == ("項目: / 備考:",)
    assert [(entry.text, entry.reason) for entry in document.omissions] == [
        ("1", "empty-label"),
        ("2", "empty-label"),
    ]


def test_a_cell_merged_over_rows_appears_once_in_a_short_table(studio, book) -> None:
    sheet = book.active
    grid(studio, sheet, 1, 1, [("分類", "項目"), ("基本", "氏名"), (None, "年齢")])
    sheet.merge_cells("A2:A3")
    (table,) = tables(studio.document(book))
    assert table.rows == ("分類: 基本 / 項目: 氏名", "項目: 年齢")


def test_in_a_long_table_it_comes_with_every_row_unless_it_is_a_text(studio, book) -> None:
    sheet = book.active
    rule = "この項目は業務要件に従い、記入する前に担当者の確認を得ること。" * 3
    remark = "全ての行に共通する長い解説であり、ラベルではない。" * 4
    grid(studio, sheet, 1, 1, [("分類", "規則", "解説"), *[("基本", f"{n}: {rule}", remark) for n in range(10)]])
    sheet.merge_cells("A2:A11")
    sheet.merge_cells("C2:C11")
    (table,) = tables(studio.document(book))
    assert all("基本" in row for row in table.rows)
    assert sum(remark in row for row in table.rows) == 1


def test_a_form_gives_label_and_value(studio, book) -> None:
    sheet = book.active
    for place, value in (("A1", "論理名"), ("C1", "物理名"), ("A2", "説明")):
        studio.cell(sheet, place, value, label=True)
    for place, value in (("B1", "企業"), ("D1", "COMPANY"), ("B2:D2", "利用企業の情報")):
        studio.cell(sheet, place, value)
    (table,) = tables(studio.document(book))
    assert table.rows == ("論理名: 企業 / 物理名: COMPANY", "説明: 利用企業の情報")


def test_an_empty_field_before_another_label_is_no_parent_of_it(studio, book) -> None:
    sheet = book.active
    studio.cell(sheet, "A1", "種別", label=True)
    studio.cell(sheet, "B1")
    studio.cell(sheet, "C1", "相手先", label=True)
    studio.cell(sheet, "D1", "本社")
    studio.cell(sheet, "A2:A3", "送信元", label=True)
    for row, name, value in ((2, "氏名", "山田"), (3, "電話", "03-0000-0000")):
        studio.cell(sheet, f"B{row}", name, label=True)
        studio.cell(sheet, f"C{row}:D{row}", value)
    (table,) = tables(studio.document(book))
    assert table.rows == ("種別: / 相手先: 本社", "送信元 > 氏名: 山田", "送信元 > 電話: 03-0000-0000")


def test_a_label_above_its_value(studio, book) -> None:
    sheet = book.active
    studio.cell(sheet, "A1:B1", "目的", label=True)
    studio.cell(sheet, "C1:F1")
    studio.cell(sheet, "A2:F2", "外部から利用者を取り込む。")
    studio.cell(sheet, "A3:B3", "条件", label=True)
    studio.cell(sheet, "C3:F3")
    studio.cell(sheet, "A4:F4", "毎日一回動かす。")
    (table,) = tables(studio.document(book))
    assert table.rows == ("目的: 外部から利用者を取り込む。", "条件: 毎日一回動かす。")


def test_tables_side_by_side_and_below_stay_apart(studio, book) -> None:
    sheet = book.active
    grid(studio, sheet, 2, 1, [("甲", "乙"), ("a1", "a2")])
    grid(studio, sheet, 2, 5, [("丙", "丁"), ("b1", "b2")])
    grid(studio, sheet, 8, 3, [("戊", "己"), ("c1", "c2")])
    assert [table.rows for table in tables(studio.document(book))] == [
        ("甲: a1 / 乙: a2",),
        ("丙: b1 / 丁: b2",),
        ("戊: c1 / 己: c2",),
    ]


def test_tables_that_touch_are_told_apart_by_their_headers(studio, book) -> None:
    sheet = book.active
    grid(studio, sheet, 1, 1, [("甲", "乙"), ("a1", "a2")])
    studio.cell(sheet, "A3:B3", "二番目", label=True)
    grid(studio, sheet, 4, 1, [("丙", "丁"), ("b1", "b2")])
    first, second = tables(studio.document(book))
    assert first.rows == ("甲: a1 / 乙: a2",)
    assert (second.caption, second.rows) == ("二番目", ("丙: b1 / 丁: b2",))


def test_title_above_and_notes_below_stay_with_the_table(studio, book) -> None:
    sheet = book.active
    sheet["B2"] = "表1 桁数の一覧"
    grid(studio, sheet, 4, 2, [("項目", "桁数"), ("氏名", 20), ("年齢", 3)])
    sheet["B7"] = "※桁数は全角で数える。"
    sheet["B8"] = "(※1) 姓名の間の空白を含む。"
    sheet["B11"] = "以上の表に従う。"
    (table,) = tables(studio.document(book))
    assert table.caption == "表1 桁数の一覧"
    assert table.notes == ("※桁数は全角で数える。", "(※1) 姓名の間の空白を含む。")
    assert studio.read(book)[-1] == "以上の表に従う。"


def test_unframed_tables_by_their_bold_or_typed_header(studio, book) -> None:
    sheet = book.active
    for row in (("年", "数"), (2019, 120), (2020, 135)):
        sheet.append(row)
    other = book.create_sheet("二")
    for row in (("名", "役"), ("甲", "主"), ("乙", "副")):
        other.append(row)
    other["A1"].font = other["B1"].font = studio.bold
    plain = book.create_sheet("三")
    for row in (("赤", "青"), ("白", "黒")):
        plain.append(row)
    assert studio.read(book) == [
        "# 規則", "年: 2019 / 数: 120", "年: 2020 / 数: 135",
        "# 二", "名: 甲 / 役: 主", "名: 乙 / 役: 副",
        "# 三", "赤 / 青", "白 / 黒",
    ]  # fmt: skip


def test_plain_rows_below_a_framed_header_belong_to_it(studio, book) -> None:
    sheet = book.active
    for place, value in (("A1", "Name"), ("B1", "Value")):
        studio.cell(sheet, place, value, label=True)
    sheet.append(("x", "one"))
    sheet.append(("y", "two"))
    assert studio.read(book) == ["# 規則", "Name: x / Value: one", "Name: y / Value: two"]


def test_rows_without_lines_between_are_one_row(studio, book) -> None:
    """Grid paper: a table row of two sheet rows, with lines only above and below."""
    from openpyxl.styles import Border, Side

    thin = Side(style="thin")
    sheet = book.active
    studio.grid_paper(sheet)
    grid(studio, sheet, 3, 5, [("項目", "形式", "備考"), ("文字", "全角", "例）氏名")])
    for column, first, second in ((5, "和暦", None), (6, "GGEE年", "※GGは元号"), (7, "例）昭和50年", "※要相談")):
        sheet.cell(5, column, first).border = Border(left=thin, right=thin, top=thin)
        sheet.cell(6, column, second).border = Border(left=thin, right=thin, bottom=thin)
    (table,) = tables(studio.document(book))
    assert table.rows[1] == "項目: 和暦 / 形式: GGEE年 ※GGは元号 / 備考: 例）昭和50年 ※要相談"


def test_boxes_on_grid_paper_reach_to_the_next_line(studio, book) -> None:
    """Cells that are not merged: the lines alone say where a box ends."""
    from openpyxl.styles import Border, Side

    thin = Side(style="thin")
    sheet = book.active
    studio.grid_paper(sheet)
    for row, texts in ((3, ("項目", "説明")), (4, ("氏名", "姓と名")), (5, ("住所", "番地まで"))):
        for left, right, text in ((5, 8, texts[0]), (9, 20, texts[1])):
            for column in range(left, right + 1):
                cell = sheet.cell(row, column)
                cell.border = Border(
                    top=thin,
                    bottom=thin,
                    left=thin if column == left else None,
                    right=thin if column == right else None,
                )
                if row == 3:
                    cell.fill = studio.grey
            sheet.cell(row, left, text)
    (table,) = tables(studio.document(book))
    assert table.rows == ("項目: 氏名 / 説明: 姓と名", "項目: 住所 / 説明: 番地まで")
    assert table.anchor.cells == "E3:T5"


def test_a_frame_around_a_page_is_no_table(studio, book) -> None:
    from openpyxl.styles import Border, Side

    thin = Side(style="thin")
    sheet = book.active
    studio.grid_paper(sheet)
    for row in range(2, 21):
        sheet.cell(row, 2).border = Border(left=thin)
        sheet.cell(row, 20).border = Border(right=thin)
    for column in range(2, 21):
        sheet.cell(2, column).border = Border(top=thin)
        sheet.cell(20, column).border = Border(bottom=thin)
    sheet["C4"] = "1. 概要"
    sheet["D5"] = "本書の目的を述べる。"
    grid(studio, sheet, 8, 4, [("項目", "桁数"), ("氏名", 20)])
    assert studio.read(book) == ["# 規則", "## 1. 概要", "本書の目的を述べる。", "項目: 氏名 / 桁数: 20"]


def test_long_rows_are_written_one_field_a_line(studio, book) -> None:
    lines = "次のいずれかに該当する\n・一つ目\n・二つ目"
    grid(studio, book.active, 1, 1, [("項目", "基準"), ("設計", lines)])
    (table,) = tables(studio.document(book))
    assert table.rows == (f"項目: 設計\n基準: {lines}",)


def test_a_group_bar_does_not_end_the_table(studio, book) -> None:
    sheet = book.active
    grid(studio, sheet, 1, 1, [("No.", "項目", "桁数")])
    studio.cell(sheet, "A2:C2", "領域：企業情報", bold=True)
    grid(studio, sheet, 3, 1, [(1, "氏名", 20), (2, "年齢", 3)], header=0)
    (table,) = tables(studio.document(book))
    assert table.rows == ("領域：企業情報", "No.: 1 / 項目: 氏名 / 桁数: 20", "No.: 2 / 項目: 年齢 / 桁数: 3")


def test_labels_that_outweigh_their_values_share_their_upper_part(studio, book) -> None:
    sheet = book.active
    studio.cell(sheet, "A1:A2", "所得", label=True)
    studio.cell(sheet, "B1:F1", "子供が二人いる共働き世帯の税率", label=True)
    for column, year in zip("BCDEF", ("1997", "1998", "1999", "2000", "2001"), strict=True):
        studio.cell(sheet, f"{column}2", year, label=True)
        studio.cell(sheet, f"{column}3", "1%")
    studio.cell(sheet, "A3", "6")
    (table,) = tables(studio.document(book))
    assert table.rows == (
        "所得: 6 / 子供が二人いる共働き世帯の税率 > 1997: 1% / 1998: 1% / 1999: 1% / 2000: 1% / 2001: 1%",
    )


def test_columns_of_a_tree_name_each_level_once(studio, book) -> None:
    sheet = book.active
    studio.cell(sheet, "A1:C1", "分類", label=True)
    studio.cell(sheet, "D1:D3", "形式", label=True)
    studio.cell(sheet, "A2:A3", None, label=True)
    studio.cell(sheet, "B2:C2", "小分類", label=True)
    studio.cell(sheet, "B3", None, label=True)
    studio.cell(sheet, "C3", "文書名", label=True)
    text = "この文書の形式と作成単位を述べる長い説明である。" * 2
    for row, values in enumerate(
        (("標準",), (None, "設計"), (None, None, "画面標準", text), (None, None, "帳票標準", text)), start=4
    ):
        for column, value in enumerate((*values, *[None] * (4 - len(values))), start=1):
            studio.cell(sheet, sheet.cell(row, column).coordinate, value)
    for row in range(8, 30):
        for column, value in enumerate((None, None, f"文書{row}", text), start=1):
            studio.cell(sheet, sheet.cell(row, column).coordinate, value)
    (table,) = tables(studio.document(book))
    assert table.rows[:3] == (
        "分類: 標準",
        "分類: 標準 / 小分類: 設計",
        f"分類: 標準 / 小分類: 設計 / 文書名: 画面標準 / 形式: {text}",
    )
    assert table.rows[-1].startswith("分類: 標準 / 小分類: 設計 / 文書名: 文書29")


def test_a_short_form_above_a_table_is_its_caption(studio, book) -> None:
    sheet = book.active
    for place, value, label in (
        ("A1", "論理名", True),
        ("B1", "利用者", False),
        ("C1", "物理名", True),
        ("D1", "USER_MST", False),
    ):
        studio.cell(sheet, place, value, label=label)
    grid(studio, sheet, 3, 1, [("項目", "桁数", "型", "必須"), ("氏名", 20, "文字", "○")])
    (table,) = tables(studio.document(book))
    assert table.caption == "論理名: 利用者 / 物理名: USER_MST"
    assert table.rows == ("項目: 氏名 / 桁数: 20 / 型: 文字 / 必須: ○",)
    assert table.anchor.cells == "A1:D4"


def test_table_objects_and_filters_tell_their_header(studio, book) -> None:
    from openpyxl.worksheet.table import Table as ListObject

    sheet = book.active
    for row in (("名", "役"), ("甲", "主"), ("乙", "副")):
        sheet.append(row)
    sheet.add_table(ListObject(displayName="T1", ref="A1:B3"))
    other = book.create_sheet("二")
    for row in (("色", "意味"), ("赤", "止まれ"), ("青", "進め")):
        other.append(row)
    other.auto_filter.ref = "A1:B3"
    assert studio.read(book) == [
        "# 規則", "名: 甲 / 役: 主", "名: 乙 / 役: 副", "# 二", "色: 赤 / 意味: 止まれ", "色: 青 / 意味: 進め",
    ]  # fmt: skip
