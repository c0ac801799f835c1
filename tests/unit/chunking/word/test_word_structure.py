"""Headings, titles, tables and captions."""

import pytest
from kisoku.adapters.chunking.word.pieces import number_of
from kisoku.domain.blocks import Heading, Paragraph, Table


def style(style_id, name, *, based_on="", outline=None):
    base = f'<w:basedOn w:val="{based_on}"/>' if based_on else ""
    level = "" if outline is None else f'<w:outlineLvl w:val="{outline}"/>'
    return (
        f'<w:style w:type="paragraph" w:styleId="{style_id}"><w:name w:val="{name}"/>{base}'
        f"<w:pPr>{level}</w:pPr></w:style>"
    )


def p(text, style_id="", properties="", run=""):
    name = f'<w:pStyle w:val="{style_id}"/>' if style_id else ""
    return f"<w:p><w:pPr>{name}{properties}</w:pPr><w:r><w:rPr>{run}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def cell(content, properties=""):
    inner = content if content.startswith("<w:") else p(content)
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{inner}</w:tc>"


def table(*rows):
    return "<w:tbl>" + "".join(f"<w:tr>{''.join(row)}</w:tr>" for row in rows) + "</w:tbl>"


def plain_table(*rows):
    return table(*[[cell(text) for text in row] for row in rows])


STYLES = (
    style("a", "Normal")
    + style("1", "heading 1", outline=0)
    + style("2", "heading 2", based_on="1", outline=1)
    + style("mine", "社内見出し", based_on="2")
    + style("body1", "見出し１本文", based_on="a")
    + style("midashi2", "見出し本文")
    + style("named", "見出し 3")
    + style("off", "見出しなし", based_on="1", outline=9)
    + style("t", "Title", outline=0)
    + style("tt", "表紙の題", based_on="t")
    + style("st", "Subtitle", outline=1)
    + style("cap", "caption")
)


@pytest.mark.parametrize(
    ("style_id", "properties", "level"),
    [
        ("1", "", 1),
        ("2", "", 2),
        ("mine", "", 2),
        ("named", "", 3),
        ("a", '<w:outlineLvl w:val="4"/>', 5),
        ("Heading4", "", 4),
        ("body1", "", None),
        ("midashi2", "", None),
        ("off", "", None),
        ("1", '<w:outlineLvl w:val="9"/>', None),
    ],
)
def test_the_outline_level_decides(read_word, style_id, properties, level):
    document = read_word(p("題", style_id, properties) + p("別の節", "1") + p("次の節", "1"), {"styles": STYLES})
    assert document.blocks[0] == (Paragraph("題") if level is None else Heading("題", level=level))


def test_a_title_names_the_document_and_is_no_section(read_word):
    body = p("記入規則", "tt") + p("第1版", "st") + p("総則", "1") + p("本文")
    document = read_word(body, {"styles": STYLES})
    assert document.title == "記入規則"
    assert document.blocks == (
        Paragraph("記入規則"),
        Paragraph("第1版"),
        Heading("総則", level=1),
        Paragraph("本文"),
    )


def test_a_whole_clause_in_a_heading_style_is_text(read_word):
    clause = "受託者は" + "、検収の後も" * 10 + "責任を負う。"
    document = read_word(p("総則", "1") + p(clause, "2") + p("細則", "1"), {"styles": STYLES})
    assert document.blocks[1] == Paragraph(clause)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3.2 表の書き方", "3.2"),
        ("３．２　表の書き方", "3.2"),
        ("1. 目的", "1"),
        ("第１章 総則", "第1章"),
        ("第3条の2 例外", "第3条の2"),
        ("別紙1 様式", "別紙1"),
        ("A. PURPOSE", "A"),
        ("Chapter 2 Rules", "Chapter2"),
        ("① 対象", ""),
        ("3つの原則", ""),
        ("Java の規約", ""),
        ("2024年度版", ""),
        ("1総則", "1"),
        ("2 年間計画", "2"),
    ],
)
def test_typed_numbers(text, number):
    assert number_of(text) == number


def test_bold_numbered_lines_are_headings_where_no_style_is(read_word):
    bold = "<w:b/>"
    body = (
        p("第1章　総則", run=bold)
        + p("１．１　目的", run=bold)
        + p("この規則は、設計書の書き方を定める。")
        + p("１．２　範囲", run=bold)
        + p("1. 一つ目の項目")
        + p("第2章　細則", run=bold)
        + p("1.2 この文は太字だが、文として終わっている。", run=bold)
    )
    assert [b for b in read_word(body).blocks if isinstance(b, Heading)] == [
        Heading("第1章 総則", level=1, number="第1章"),
        Heading("１．１ 目的", level=2, number="1.1"),
        Heading("１．２ 範囲", level=2, number="1.2"),
        Heading("第2章 細則", level=1, number="第2章"),
    ]


def test_bold_numbered_lines_are_text_where_heading_styles_are(read_word):
    body = p("総則", "1") + p("1. 太字", run="<w:b/>") + p("細則", "1")
    assert read_word(body, {"styles": STYLES}).blocks[1] == Paragraph("1. 太字")


def test_plain_numbers_that_count_up_over_text_are_headings(read_word):
    body = p("１　趣旨") + p("この通知は、手順を示す。") + p("２　対象") + p("すべての部署とする。")
    blocks = read_word(body).blocks
    assert [b for b in blocks if isinstance(b, Heading)] == [
        Heading("１ 趣旨", level=1, number="1"),
        Heading("２ 対象", level=1, number="2"),
    ]


def test_a_plain_list_is_no_series_of_headings(read_word):
    body = p("手順は次のとおり。") + p("1. 開く") + p("2. 書く") + p("3. 閉じる") + p("以上")
    assert not any(isinstance(block, Heading) for block in read_word(body).blocks)


def test_a_table_takes_its_caption_number_header_and_notes(read_word):
    body = (
        p("本文")
        + p("表 ５－１　項目一覧")
        + plain_table(("項目", "説明"), ("名称", "施設の名称"), ("住所", "所在地"))
        + p("※ 住所は任意。")
        + p("続き")
    )
    assert read_word(body).blocks == (
        Paragraph("本文"),
        Table(
            rows=("名称 | 施設の名称", "住所 | 所在地"),
            header=("項目 | 説明",),
            caption="表 ５－１　項目一覧",
            notes=("※ 住所は任意。",),
            number="5-1",
        ),
        Paragraph("続き"),
    )


def test_a_caption_behind_a_table_and_a_caption_between_tables(read_word):
    one, two = plain_table(("甲", "1"), ("乙", "2")), plain_table(("丙", "3"), ("丁", "4"))
    behind = read_word(one + p("Table 2.1: Values")).blocks
    assert [(t.caption, t.number) for t in behind if isinstance(t, Table)] == [("Table 2.1: Values", "2.1")]
    between = read_word(one + p("表2 次の表") + two).blocks
    assert [t.caption for t in between if isinstance(t, Table)] == ["", "表2 次の表"]


def test_sentences_and_figure_captions_are_no_table_captions(read_word):
    body = p("表1のとおりとする。") + plain_table(("甲", "1"), ("乙", "2"))
    assert read_word(body).blocks[1].caption == ""
    figure = p("図1 構成", "cap") + plain_table(("甲", "1"), ("乙", "2"))
    assert read_word(figure, {"styles": STYLES}).blocks[1].caption == ""


def test_merged_cells_stand_once(read_word):
    body = table(
        [cell("種類", '<w:vMerge w:val="restart"/>'), cell("内容", '<w:gridSpan w:val="2"/>')],
        [cell("", "<w:vMerge/>"), cell("名称"), cell("説明")],
        [cell("本人", '<w:vMerge w:val="restart"/>'), cell("被災者"), cell("災害に遭った人")],
        [cell("", "<w:vMerge/>"), cell("障害者"), cell("手帳を持つ人")],
        [cell("家族"), cell("配偶者"), cell("婚姻した人")],
    )
    assert read_word(body).blocks == (
        Table(
            header=("種類 | 内容", "| 名称 | 説明"),
            rows=("本人 | 被災者 | 災害に遭った人\n| 障害者 | 手帳を持つ人", "家族 | 配偶者 | 婚姻した人"),
        ),
    )


def test_a_merged_label_is_said_again_where_its_rows_are_too_long_for_one_piece(read_word):
    long = "長" * 200
    rows = [[cell("本人", '<w:vMerge w:val="restart"/>'), cell(f"壱{long}")]]
    rows += [[cell("", "<w:vMerge/>"), cell(f"{n}{long}")] for n in "弐参"]
    (block,) = read_word(table(*rows)).blocks
    assert block.rows == (f"本人 | 壱{long}\n| 弐{long}", f"本人 | 参{long}")


def test_marked_header_rows_win(read_word):
    rows = "".join(
        f"<w:tr><w:trPr>{'<w:tblHeader/>' if n < 2 else ''}</w:trPr>{cell(f'行{n}')}{cell(f'値{n}')}</w:tr>"
        for n in range(4)
    )
    (block,) = read_word(f"<w:tbl>{rows}</w:tbl>").blocks
    assert block.header == ("行0 | 値0", "行1 | 値1")
    assert block.rows == ("行2 | 値2", "行3 | 値3")


def test_labels_down_the_first_column_are_no_header_row(read_word):
    shaded = '<w:shd w:val="clear" w:fill="D9D9D9"/>'
    body = table(
        *[[cell(label, shaded), cell(value)] for label, value in (("名称", "氏"), ("型", "文字"), ("桁", "二十"))]
    )
    (block,) = read_word(body).blocks
    assert block.header == ()
    assert block.rows == ("名称 | 氏", "型 | 文字", "桁 | 二十")


def test_a_nested_table_stays_in_its_row(read_word):
    inner = plain_table(("甲", "乙"), ("丙", "丁"))
    body = table([cell("欄A"), cell("欄B")], [cell("x"), cell(p("前") + inner + p("後"))], [cell("y"), cell("z")])
    (block,) = read_word(body).blocks
    assert block.rows == ("x | 前\n甲 | 乙\n丙 | 丁\n後", "y | z")


def test_a_table_of_one_cell_only_frames_its_text(read_word):
    body = table([cell(p("総則", "1") + p("本文"))]) + p("細則", "1")
    assert read_word(body, {"styles": STYLES}).blocks == (
        Heading("総則", level=1),
        Paragraph("本文"),
        Heading("細則", level=1),
    )


def test_a_row_that_is_a_heading_opens_a_section_within_a_table(read_word):
    span = '<w:gridSpan w:val="2"/>'
    body = p("総則", "1") + table(
        [cell("項目"), cell("説明")],
        [cell("甲"), cell("一")],
        [cell(p("区分", "2"), span)],
        [cell("乙"), cell("二")],
    )
    assert read_word(body, {"styles": STYLES}).blocks == (
        Heading("総則", level=1),
        Table(rows=("項目 | 説明", "甲 | 一")),
        Heading("区分", level=2),
        Table(rows=("乙 | 二",)),
    )


def test_rows_and_cells_in_content_controls_are_read(read_word):
    row = f"<w:tr><w:sdt><w:sdtContent>{cell('甲')}</w:sdtContent></w:sdt>{cell('乙')}</w:tr>"
    body = f"<w:tbl><w:sdt><w:sdtContent>{row}</w:sdtContent></w:sdt></w:tbl>"
    assert read_word(body).blocks == (Table(rows=("甲 | 乙",)),)


def test_a_number_that_comes_back_is_completed_by_the_section_above(read_word):
    body = p("3 書式", "1") + p("3.2 表", "2") + p("2) 注記", "named") + p("第5条 特則", "named") + p("3.3 図", "2")
    numbers = [b.number for b in read_word(body, {"styles": STYLES}).blocks if isinstance(b, Heading)]
    assert numbers == ["3", "3.2", "3.2-2", "第5条", "3.3"]
