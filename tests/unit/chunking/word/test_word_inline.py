"""Text of paragraphs as displayed."""

import pytest
from kisoku.adapters.chunking.word.fields import equation_text
from kisoku.domain.blocks import Heading, Paragraph, Table
from kisoku.domain.chunks import ChunkingOptions


def p(*content, properties=""):
    return f"<w:p><w:pPr>{properties}</w:pPr>{''.join(content)}</w:p>"


def r(text, properties=""):
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def field(code, result, *, end=True):
    last = '<w:r><w:fldChar w:fldCharType="end"/></w:r>' if end else ""
    return (
        f'<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>{code}</w:instrText></w:r>'
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{result}{last}'
    )


def texts(document):
    return [block.text for block in document.blocks]


def omitted(document, reason):
    return [omission.text for omission in document.omissions if omission.reason == reason]


def test_tabs_breaks_and_hyphens(read_word):
    body = p("<w:r><w:t>甲</w:t><w:tab/><w:t>乙</w:t><w:br/><w:t>丙</w:t><w:noBreakHyphen/><w:t>1</w:t></w:r>")
    assert texts(read_word(body)) == ["甲\t乙\n丙-1"]


def test_page_breaks_are_no_text(read_word):
    assert texts(read_word(p('<w:r><w:t>甲</w:t><w:br w:type="page"/><w:t>乙</w:t></w:r>'))) == ["甲乙"]


@pytest.mark.parametrize(
    ("font", "char", "shown"),
    [("Wingdings", "F0E0", "→"), ("Wingdings", "F0FE", "☑"), ("Symbol", "F0B3", "≥"), ("Arial", "2605", "★")],
)
def test_symbols(read_word, font, char, shown):
    assert texts(read_word(p(f'<w:r><w:sym w:font="{font}" w:char="{char}"/></w:r>'))) == [shown]


def test_field_results_are_text_and_codes_are_not(read_word):
    document = read_word(p(r("版は"), field('DOCPROPERTY "版"', r("1.2")), r("である。")))
    assert texts(document) == ["版は1.2である。"]
    assert omitted(document, "field-code") == ['DOCPROPERTY "版"']


def test_a_field_within_the_code_of_another_is_no_text(read_word):
    inner = field("PAGE", r("7"))
    body = p(
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r>',
        inner,
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r>',
        r("結果"),
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
    )
    assert texts(read_word(body)) == ["結果"]


def test_a_field_that_never_ends_swallows_nothing(read_word):
    broken = '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>'
    assert texts(read_word(p(r("前"), broken) + p(r("後")))) == ["前", "後"]


@pytest.mark.parametrize(("checked", "shown"), [("1", "☑"), ("0", "☐")])
def test_legacy_check_boxes(read_word, checked, shown):
    body = p(
        f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="{checked}"/></w:checkBox>'
        "</w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r>"
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>',
        r(" 確認済み"),
    )
    assert texts(read_word(body)) == [f"{shown} 確認済み"]


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (r"EQ \o\ac(○,3)", "③"),
        (r"EQ \o\ac(○,印)", "印"),
        (r'EQ \* jc2 \* "Font:ＭＳ 明朝" \* hps10 \o\ad(\s\up 9(きそく),規則)', "規則"),
        (r"eq \f(1,2)", "1/2"),
    ],
)
def test_equation_fields(code, shown):
    assert equation_text(code) == shown


def test_tracked_insertions_are_in_and_deletions_out(read_word):
    body = p(
        r("上限は"),
        '<w:del w:id="1"><w:r><w:delText>50</w:delText></w:r></w:del>',
        '<w:ins w:id="2">' + r("57") + "</w:ins>",
        '<w:moveFrom w:id="3">' + r("移動元") + "</w:moveFrom>",
        r("Byte。"),
    )
    document = read_word(body)
    assert texts(document) == ["上限は57Byte。"]
    assert omitted(document, "deleted") == ["50移動元"]


def test_a_deleted_paragraph_end_joins_the_next_paragraph(read_word):
    body = p(r("前半"), properties='<w:rPr><w:del w:id="1"/></w:rPr>') + p(r("後半"))
    assert texts(read_word(body)) == ["前半後半"]


def test_text_whose_paragraph_end_was_deleted_is_not_lost_at_the_end(read_word):
    assert texts(read_word(p(r("甲")) + p(r("残り"), properties='<w:rPr><w:del w:id="1"/></w:rPr>'))) == ["甲", "残り"]


def test_hidden_text_is_left_out_and_reported(read_word):
    body = p(r("表"), r("裏", "<w:vanish/>"), r("面", '<w:vanish w:val="0"/>'))
    document = read_word(body)
    assert texts(document) == ["表面"]
    assert omitted(document, "hidden") == ["裏"]
    assert texts(read_word(body, options=ChunkingOptions(include_hidden=True))) == ["表裏面"]


def test_ruby_keeps_the_base(read_word):
    ruby = f"<w:r><w:ruby><w:rt>{r('きそく')}</w:rt><w:rubyBase>{r('規則')}</w:rubyBase></w:ruby></w:r>"
    document = read_word(p(ruby, r("を守る")))
    assert texts(document) == ["規則を守る"]
    assert omitted(document, "duplicate") == ["きそく"]


def test_content_controls_and_links_are_text(read_word):
    body = p(
        "<w:sdt><w:sdtPr><w14:checkbox/></w:sdtPr><w:sdtContent>" + r("☒") + "</w:sdtContent></w:sdt>",
        r(" "),
        '<w:hyperlink r:id="rId9">' + r("基準") + "</w:hyperlink>",
    )
    assert texts(read_word(body)) == ["☒ 基準"]


def test_block_content_controls_are_read_in_place(read_word):
    body = p(r("甲")) + f"<w:sdt><w:sdtContent>{p(r('乙'))}</w:sdtContent></w:sdt>" + p(r("丙"))
    assert texts(read_word(body)) == ["甲", "乙", "丙"]


def test_a_text_box_is_read_once(read_word):
    inner = f"<w:txbxContent>{p(r('箱の中'))}</w:txbxContent>"
    body = p(
        r("本文"),
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:anchor><a:graphic><a:graphicData><wps:wsp>"
        f"<wps:txbx>{inner}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict><v:shape><v:textbox>{inner}</v:textbox></v:shape></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>",
    )
    assert texts(read_word(body)) == ["本文", "箱の中"]


def test_a_choice_without_text_gives_way_to_its_fallback(read_word):
    body = p(
        "<w:r><mc:AlternateContent><mc:Choice Requires='wpx'><w:drawing/></mc:Choice><mc:Fallback><w:pict><v:shape>"
        f"<v:textbox><w:txbxContent>{p(r('箱'))}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r>"
    )
    assert texts(read_word(body)) == ["箱"]


def test_formulas_are_linear_text(read_word):
    body = p(
        r("式: "),
        "<m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
        "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"
        "<m:rad><m:deg/><m:e><m:r><m:t>y</m:t></m:r></m:e></m:rad></m:oMath>",
    )
    assert texts(read_word(body)) == ["式: (a+b)/2x^2√(y)"]


def test_smart_art_text_stands_at_its_place(read_word):
    data = (
        '<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
        'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>計画'
        "</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>実行</a:t></a:r></a:p></dgm:t></dgm:pt>"
        "</dgm:ptLst></dgm:dataModel>"
    )
    body = p(r("図"), '<w:r><w:drawing><dgm:relIds r:dm="rId1"/></w:drawing></w:r>') + p(r("後"))
    assert texts(read_word(body, {"diagramData": data})) == ["図", "計画", "実行", "後"]


FOOTNOTES = {
    "footnotes": '<w:footnote w:type="separator" w:id="-1"><w:p/></w:footnote>'
    f'<w:footnote w:id="2">{p(r("定義は別紙。"))}</w:footnote>'
}
REFERENCE = '<w:r><w:footnoteReference w:id="2"/></w:r>'


def test_a_footnote_stands_with_its_paragraph(read_word):
    document = read_word(p(r("規則"), REFERENCE, r("に従う。")) + p(r("次")), FOOTNOTES)
    assert texts(document) == ["規則に従う。\n（注1）定義は別紙。", "次"]


def test_in_a_long_paragraph_a_footnote_stands_behind_its_sentence(read_word):
    long = "あ" * 600 + "。"
    document = read_word(p(r("規則"), REFERENCE, r("に従う。" + long)), FOOTNOTES)
    assert texts(document) == [f"規則に従う。（注1）定義は別紙。{long}"]


def test_a_footnote_of_a_heading_is_no_part_of_it(read_word):
    document = read_word(p(r("総則"), REFERENCE, properties='<w:outlineLvl w:val="0"/>'), FOOTNOTES)
    assert document.blocks == (Heading("総則", level=1), Paragraph("（注1）定義は別紙。"))


def test_comments_are_optional(read_word):
    body = p(r("期限は3日。"), '<w:r><w:commentReference w:id="5"/></w:r>')
    parts = {"comments": f'<w:comment w:id="5">{p(r("要確認"))}</w:comment>'}
    document = read_word(body, parts)
    assert texts(document) == ["期限は3日。"]
    assert omitted(document, "comment") == ["要確認"]
    wanted = read_word(body, parts, ChunkingOptions(include_comments=True))
    assert wanted.blocks[-1] == Paragraph("コメント: 要確認", kind="notes")
    assert omitted(wanted, "comment") == []


def test_page_headers_and_footers_are_boilerplate(read_word):
    document = read_word(p(r("本文")), {"header": p(r("社外秘")), "footer": p(r("1 / 9"))})
    assert texts(document) == ["本文"]
    assert omitted(document, "boilerplate") == ["社外秘", "1 / 9"]


def test_a_table_of_contents_is_boilerplate_with_its_title(read_word):
    contents = (
        p(r("目　次"))
        + p(field('TOC \\o "1-3"', r("1 総則 ") + field("PAGEREF x", r("3")), end=False))
        + p(r("2 細則 5"))
        + p('<w:r><w:fldChar w:fldCharType="end"/></w:r>', r("本文"))
    )
    document = read_word(contents)
    assert texts(document) == ["本文"]
    assert omitted(document, "boilerplate") == ["目　次", "1 総則 3", "2 細則 5"]


def test_contents_in_a_control_or_by_style_are_boilerplate(read_word):
    styles = '<w:style w:type="paragraph" w:styleId="x1"><w:name w:val="toc 1"/></w:style>'
    body = (
        "<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val='Table of Contents'/></w:docPartObj></w:sdtPr>"
        f"<w:sdtContent>{p(r('Contents'))}{p(r('1 総則'))}</w:sdtContent></w:sdt>"
        + p(r("2 細則"), properties='<w:pStyle w:val="x1"/>')
        + p(r("本文"))
    )
    document = read_word(body, {"styles": styles})
    assert texts(document) == ["本文"]
    assert omitted(document, "boilerplate") == ["Contents", "1 総則", "2 細則"]


def test_a_deleted_table_row_is_reported(read_word):
    def row(text, properties=""):
        return f"<w:tr><w:trPr>{properties}</w:trPr><w:tc>{p(r(text))}</w:tc><w:tc>{p(r('値'))}</w:tc></w:tr>"

    deleted = row("乙", '<w:del w:id="1"/>')
    document = read_word(f"<w:tbl>{row('甲')}{deleted}</w:tbl>")
    assert document.blocks == (Table(rows=("甲 | 値",)),)
    assert omitted(document, "deleted") == ["乙 値"]
