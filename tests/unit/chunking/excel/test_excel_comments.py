"""Cell comments: instructions stay whole, with the label of their cell, in the section where they stand."""

from kisoku.domain.blocks import Heading, Table
from openpyxl.comments import Comment

NOTES = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"


def comment(sheet, place: str, text: str, author: str = "設計班") -> None:
    sheet[place].comment = Comment(text, author)


def header(studio, sheet, *labels: str) -> None:
    for column, label in enumerate(labels, start=1):
        studio.cell(sheet, sheet.cell(3, column).coordinate, label, label=True)
        studio.cell(sheet, sheet.cell(4, column).coordinate)


def test_an_empty_form_is_labels_and_instructions_together(studio, book) -> None:
    sheet = book.active
    header(studio, sheet, "コードID", "名称", "備考")
    comment(sheet, "A3", "採番規則に従う。\n省略しない。")
    comment(sheet, "C3", "補足を書く。")
    (table,) = [block for block in studio.document(book).blocks if isinstance(block, Table)]
    assert table.rows == (
        "コードID: / 名称: / 備考:",
        "コードID（記入要領）: 採番規則に従う。\n省略しない。",
        "備考（記入要領）: 補足を書く。",
    )


def test_the_label_is_the_full_path_of_the_column(studio, book) -> None:
    sheet = book.active
    studio.cell(sheet, "A1:A2", "No.", label=True)
    studio.cell(sheet, "B1:C1", "桁数", label=True)
    studio.cell(sheet, "B2", "最小", label=True)
    studio.cell(sheet, "C2", "小数部", label=True)
    studio.cell(sheet, "A3", 1)
    studio.cell(sheet, "B3", 10)
    studio.cell(sheet, "C3")
    comment(sheet, "C2", "小数の時だけ書く。")
    comment(sheet, "C3", "空けておく。")
    lines = studio.read(book)
    assert "桁数 > 小数部（記入要領）: 小数の時だけ書く。" in lines
    assert "桁数 > 小数部（記入要領）: 空けておく。" in lines


def test_form_fields_take_the_label_beside_them(studio, book) -> None:
    sheet = book.active
    for row, label in ((1, "目的"), (2, "条件")):
        studio.cell(sheet, f"A{row}", label, label=True)
        studio.cell(sheet, f"B{row}:D{row}")
    comment(sheet, "B2", "条件を書く。")
    assert "条件（記入要領）: 条件を書く。" in studio.read(book)


def test_a_comment_on_a_heading_stands_in_its_section(studio, book) -> None:
    sheet = book.active
    studio.grid_paper(sheet)
    sheet["B2"], sheet["C3"] = "1. 概要", "本文一。"
    sheet["B6"], sheet["C7"] = "2. 詳細", "本文二。"
    comment(sheet, "B2", "章の書き方。")
    comment(sheet, "F6", "見出しの右の空きに付いた要領。")
    assert studio.read(book) == [
        "# 規則", "## 1. 概要", "1. 概要（記入要領）: 章の書き方。", "本文一。",
        "## 2. 詳細", "2. 詳細（記入要領）: 見出しの右の空きに付いた要領。", "本文二。",
    ]  # fmt: skip


def test_a_comment_far_from_all_blocks_takes_the_nearest_text(studio, book) -> None:
    sheet = book.active
    studio.grid_paper(sheet)
    sheet["B2"] = "図の欄"
    comment(sheet, "B9", "図を描く。")
    assert studio.read(book) == ["# 規則", "図の欄", "図の欄（記入要領）: 図を描く。"]


def test_only_the_authors_own_name_is_dropped(studio, book) -> None:
    sheet = book.active
    for place, label in (("A1", "甲"), ("A5", "乙"), ("A9", "丙")):
        sheet[place] = label
    comment(sheet, "A1", "山田 太郎:\n要領一。", author="山田 太郎")
    comment(sheet, "A5", "例:\n要領二。", author="山田 太郎")
    comment(sheet, "A9", "山田 太郎\nに聞く。", author="山田 太郎")
    lines = "\n".join(studio.read(book))
    assert "甲（記入要領）: 要領一。" in lines
    assert "乙（記入要領）: 例:\n要領二。" in lines
    assert "丙（記入要領）: 山田 太郎\nに聞く。" in lines


def test_threads_replace_their_placeholder(studio, book) -> None:
    sheet = book.active
    sheet["A1"] = "項目"
    comment(sheet, "A1", "[Threaded comment]\n\nYour version of Excel allows you to read this")
    thread = (
        f'<ThreadedComments xmlns="{NOTES}"><threadedComment ref="A1" id="{{1}}"><text>問い</text></threadedComment>'
        '<threadedComment ref="A1" id="{2}" parentId="{1}"><text>答え</text></threadedComment></ThreadedComments>'
    )
    relation = (
        '<Relationship Type="http://schemas.microsoft.com/office/2017/10/relationships/threadedComment" '
        'Target="../threadedComments/threadedComment1.xml" Id="rId77"/></Relationships>'
    )
    data = studio.patched(
        studio.saved(book),
        {
            "xl/threadedComments/threadedComment1.xml": thread,
            "xl/worksheets/_rels/sheet1.xml.rels": lambda xml: xml.replace("</Relationships>", relation),
        },
    )
    assert "\n".join(studio.read(data)) == "# 規則\n項目\n項目（記入要領）: 問い\n答え"


def test_instructions_that_every_sheet_repeats_are_written_once(studio, book) -> None:
    for name in ("一", "二"):
        sheet = book.create_sheet(name)
        header(studio, sheet, "項目", "備考")
        comment(sheet, "A3", "項目を書く。")
    document = studio.document(book)
    text = "\n".join(studio.read(book))
    assert text.count("項目を書く。") == 1
    assert [(entry.text, entry.reason) for entry in document.omissions] == [("項目を書く。", "duplicate")]


def test_comments_on_boilerplate_sheets_are_kept(studio, book) -> None:
    contents = book.create_sheet("目次", 0)
    contents["B2"] = "目次"
    contents["C4"] = "1.1. 見出し"
    comment(contents, "C4", "第２段階まで記載する。")
    book["規則"]["A1"] = "本文。"
    document = studio.document(book)
    assert studio.read(book) == ["# 目次", "1.1. 見出し（記入要領）: 第２段階まで記載する。", "# 規則", "本文。"]
    assert {entry.reason for entry in document.omissions} == {"boilerplate"}


def test_many_instructions_are_grouped_each_whole(studio, book) -> None:
    sheet = book.active
    labels = [f"項目{n}" for n in range(12)]
    header(studio, sheet, *labels)
    for column, label in enumerate(labels, start=1):
        comment(sheet, sheet.cell(3, column).coordinate, f"{label}の書き方を述べる。" * 10)
    blocks = [block for block in studio.document(book).blocks if not isinstance(block, Heading)]
    rows = [row for block in blocks for row in block.rows if "記入要領" in row]
    assert len(rows) == 12
    assert 2 < len(blocks) < 12
    assert all(f"項目{n}（記入要領）: " + f"項目{n}の書き方を述べる。" * 10 in rows for n in range(12))


def test_comments_of_hidden_columns_are_reported(studio, book) -> None:
    sheet = book.active
    sheet["A1"], sheet["C1"] = "見える", "隠れる"
    comment(sheet, "C1", "内部の要領。")
    sheet.column_dimensions["C"].hidden = True
    document = studio.document(book)
    assert ("内部の要領。", "hidden") in [(entry.text, entry.reason) for entry in document.omissions]
    assert "内部の要領。" not in "\n".join(studio.read(book))
