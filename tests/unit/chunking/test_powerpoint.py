"""PowerPoint: what a deck becomes, each trap in a deck made here with python-pptx."""

import io
import zipfile

import pytest
from kisoku.adapters.chunking.powerpoint.chunker import PowerPointChunker
from kisoku.adapters.chunking.powerpoint.reader import read_powerpoint
from kisoku.domain.blocks import Heading, Paragraph, Table
from kisoku.domain.chunks import ChunkingOptions
from kisoku.domain.errors import CorruptDocumentError, EncryptedDocumentError, UnsupportedDocumentError
from kisoku.ports.chunker import SourceDocument
from lxml import etree
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Cm, Pt

TITLE_SLIDE, CONTENT, SECTION, TITLE_ONLY, BLANK = 0, 1, 2, 5, 6


def deck_bytes(deck) -> bytes:
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()


def read(deck, **options):
    data = deck if isinstance(deck, bytes) else deck_bytes(deck)
    return read_powerpoint(SourceDocument("方針.pptx", data), ChunkingOptions(**options))


def add(deck, layout=CONTENT, title="", *lines):
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    if lines:
        slide.placeholders[1].text = "\n".join(lines)
    return slide


def box(shapes, text, left, top, width=4.0, height=1.0, size=None):  # noqa: PLR0917  # text, then its rectangle in cm
    shape = shapes.add_textbox(Cm(left), Cm(top), Cm(width), Cm(height))
    shape.text_frame.text = text
    if size:
        shape.text_frame.paragraphs[0].runs[0].font.size = Pt(size)
    return shape


def body(document) -> list[str]:
    return [block.text for block in document.blocks if isinstance(block, Paragraph)]


def headings(document) -> list[tuple[str, int, bool]]:
    return [(b.text, b.level, b.container) for b in document.blocks if isinstance(b, Heading)]


def edited(data: bytes, part: str, change) -> bytes:
    """The package with one part changed; `change` gets bytes and returns bytes or None to drop the part."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = change(old.read(name)) if name == part else old.read(name)
            if content is not None:
                new.writestr(name, content)
    return stream.getvalue()


# --- titles and structure ---------------------------------------------------------------------------------


def test_title_is_a_heading_and_its_breaks_are_spaces():
    deck = Presentation()
    add(deck, CONTENT, "性能の\v目標", "3秒以内")
    document = read(deck)
    assert [text for text, *_ in headings(document)] == ["性能の 目標"]
    assert document.blocks[0].anchor.slide == 1
    assert body(document) == ["3秒以内"]


def test_title_comes_first_even_when_it_stands_below():
    deck = Presentation()
    slide = add(deck, TITLE_ONLY, "下にある題")
    slide.shapes.title.top, slide.shapes.title.left = Cm(15), Cm(1)
    slide.shapes.title.width, slide.shapes.title.height = Cm(20), Cm(2)
    box(slide.shapes, "本文", 1, 3)
    assert [type(block) for block in read(deck).blocks] == [Heading, Paragraph]


def test_large_text_on_top_is_the_title_of_a_slide_without_one():
    deck = Presentation()
    slide = add(deck, BLANK)
    box(slide.shapes, "本文の一行目である。", 1, 6, 15, size=18)
    box(slide.shapes, "見出しのつもり", 1, 1, 20, 2, size=32)
    document = read(deck)
    assert headings(document)[0][0] == "見出しのつもり"
    assert body(document) == ["本文の一行目である。"]


def test_slide_without_title_has_no_heading():
    deck = Presentation()
    slide = add(deck, BLANK)
    box(slide.shapes, "左", 1, 5)
    box(slide.shapes, "右", 12, 5)
    assert headings(read(deck)) == []


def test_section_slide_opens_the_path_of_the_slides_behind_it():
    deck = Presentation()
    add(deck, TITLE_SLIDE, "設計方針", "第1版")
    section = add(deck, SECTION, "具体的な取り組み")
    section.placeholders[1].element.getparent().remove(section.placeholders[1].element)
    add(deck, CONTENT, "体制", "責任者を置く。")
    document = read(deck)
    assert headings(document)[1:] == [("具体的な取り組み", 2, True), ("体制", 3, False)]
    assert document.title == "設計方針"


def test_title_only_slide_at_the_end_is_not_lost():
    deck = Presentation()
    add(deck, CONTENT, "方針", "守る。")
    add(deck, SECTION, "ご清聴ありがとうございました")
    assert headings(read(deck))[-1] == ("ご清聴ありがとうございました", 3, False)


def test_named_deck_sections_are_containers_and_default_names_are_not():
    deck = Presentation()
    for title in ("概要", "構成", "性能"):
        add(deck, CONTENT, title, f"{title}の本文")
    ids = [entry.get("id") for entry in deck.part._element.sldIdLst]
    p14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
    listed = "".join(
        f'<p14:section name="{name}" id="{{{n}}}"><p14:sldIdLst>'
        + "".join(f'<p14:sldId id="{i}"/>' for i in members)
        + "</p14:sldIdLst></p14:section>"
        for n, (name, members) in enumerate([("既定のセクション", ids[:1]), ("技術方針", ids[1:])])
    )
    extension = etree.fromstring(
        '<p:extLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main">'
        f'<p:ext uri="{{521415D9-36F7-43E2-AB2F-B90AF26B5E84}}"><p14:sectionLst xmlns:p14="{p14}">{listed}'
        "</p14:sectionLst></p:ext></p:extLst>"
    )
    deck.part._element.append(extension)
    assert headings(read(deck)) == [("概要", 3, False), ("技術方針", 1, True), ("構成", 3, False), ("性能", 3, False)]


# --- reading order ----------------------------------------------------------------------------------------


def placed(*boxes):
    deck = Presentation()
    slide = add(deck, BLANK)
    for text, left, top, width, height in boxes:
        box(slide.shapes, text, left, top, width, height)
    return body(read(deck))


def test_columns_are_read_one_by_one_under_a_spanning_lead():
    order = placed(
        ("右下", 13, 9, 9, 2), ("左下", 1, 9, 9, 2), ("右上", 13, 6, 9, 2), ("左上", 1, 6, 9, 2), ("前文", 1, 3, 22, 2)
    )
    assert order == ["前文", "左上", "左下", "右上", "右下"]


def test_labels_beside_texts_are_read_row_by_row():
    long = "この行の説明はラベルよりもずっと長い文である。"
    order = placed(
        ("範囲", 1, 6, 3, 1), (f"二、{long}", 8, 6, 14, 1), ("目的", 1, 4.8, 3, 1), (f"一、{long}", 8, 4.8, 14, 1)
    )
    assert order == ["目的", f"一、{long}", "範囲", f"二、{long}"]


def test_what_stands_on_a_panel_follows_it():
    order = placed(
        ("右パネル", 13, 4, 10, 10),
        ("左パネル", 1, 4, 10, 10),
        ("右の中", 14, 8, 4, 1),
        ("左の中", 2, 8, 4, 1),
    )
    assert order == ["左パネル", "左の中", "右パネル", "右の中"]


def test_slightly_uneven_tops_are_one_row():
    assert placed(("乙", 9, 5.0, 4, 1), ("甲", 1, 5.1, 4, 1), ("丙", 17, 4.9, 4, 1)) == ["甲", "乙", "丙"]


def test_groups_nested_and_scaled_are_read_where_they_are_shown():
    deck = Presentation()
    slide = add(deck, BLANK)
    group = slide.shapes.add_group_shape()
    inner = group.shapes.add_group_shape()
    box(inner.shapes, "群の下", 1, 12)
    box(inner.shapes, "群の上", 1, 1)
    box(slide.shapes, "間", 1, 4)
    # The group's content spans 12 cm but is shown in 3 cm below the other text.
    frame = group._element.grpSpPr.find("{http://schemas.openxmlformats.org/drawingml/2006/main}xfrm")
    frame.find("{*}off").set("y", str(int(Cm(10))))
    frame.find("{*}ext").set("cy", str(int(Cm(3))))
    assert body(read(deck)) == ["間", "群の上", "群の下"]


def test_placeholder_takes_its_place_from_the_layout():
    deck = Presentation()
    slide = add(deck, CONTENT, "題", "本文の枠")  # the layout puts the body at 4.4 cm
    box(slide.shapes, "枠の上", 1, 3.2, 20, 0.8)
    assert body(read(deck)) == ["枠の上", "本文の枠"]


# --- text -------------------------------------------------------------------------------------------------


def test_levels_are_indented_and_automatic_numbers_shown():
    deck = Presentation()
    slide = add(deck, CONTENT, "手順", "準備", "確認", "詳しく", "完了")
    paragraphs = slide.placeholders[1].text_frame.paragraphs
    paragraphs[2].level = 1
    for index in (0, 1, 3):
        number = paragraphs[index]._p.get_or_add_pPr()
        etree.SubElement(
            number, "{http://schemas.openxmlformats.org/drawingml/2006/main}buAutoNum", type="circleNumDbPlain"
        )
    assert body(read(deck)) == ["① 準備", "② 確認", "  詳しく", "③ 完了"]


def test_newer_form_of_alternate_content_is_read_once():
    deck = Presentation()
    slide = add(deck, BLANK)
    shape = box(slide.shapes, "新しい形", 1, 1)._element
    mc = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    both = etree.Element(f"{{{mc}}}AlternateContent")
    tree = shape.getparent()
    for tag in ("Choice", "Fallback"):
        branch = etree.SubElement(both, f"{{{mc}}}{tag}")
        branch.append(etree.fromstring(etree.tostring(shape)))
    tree.remove(shape)
    tree.append(both)
    assert body(read(deck)) == ["新しい形"]


def test_picture_descriptions_are_read_unless_they_are_file_names_or_generated():
    image = io.BytesIO(
        bytes.fromhex(
            "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
            "0000000c4944415408d763f8ffff3f0005fe02fea73581e40000000049454e44ae426082"
        )
    )
    deck = Presentation()
    slide = add(deck, BLANK)
    for description in (
        "受注から出荷までの流れを示す図",
        "screenshot_01.png",
        "グラフ が含まれている画像  自動的に生成された説明",
    ):
        image.seek(0)
        slide.shapes.add_picture(image, 0, 0)._element.nvPicPr.cNvPr.set("descr", description)
    assert body(read(deck)) == ["受注から出荷までの流れを示す図"]


# --- tables, SmartArt, charts -----------------------------------------------------------------------------


def test_table_has_header_and_merged_cells_once():
    deck = Presentation()
    slide = add(deck, TITLE_ONLY, "性能")
    table = slide.shapes.add_table(3, 3, Cm(1), Cm(4), Cm(20), Cm(5)).table
    for row, values in enumerate([("対象", "目標", "条件"), ("画面", "3秒", "平常時"), ("", "5秒", "繁忙時")]):
        for column, value in enumerate(values):
            table.cell(row, column).text = value
    table.cell(1, 0).merge(table.cell(2, 0))
    block = next(block for block in read(deck).blocks if isinstance(block, Table))
    assert block.header == ("対象 | 目標 | 条件",)
    assert block.rows == ("画面 | 3秒 | 平常時", " | 5秒 | 繁忙時")


def smartart_deck() -> bytes:
    dgm = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    r = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def point(identity, text):
        return f'<dgm:pt modelId="{identity}"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'

    links = [("doc", "one", 0), ("doc", "two", 1), ("one", "sub", 0)]
    model = (
        f'<dgm:dataModel xmlns:dgm="{dgm}" xmlns:a="{a}"><dgm:ptLst><dgm:pt modelId="doc" type="doc"/>'
        + point("two", "運用する")
        + point("sub", "責任者を決める")
        + point("one", "計画する")
        + '<dgm:pt modelId="pres" type="pres"><dgm:t><a:p><a:r><a:t>重複</a:t></a:r></a:p></dgm:t></dgm:pt>'
        + "</dgm:ptLst><dgm:cxnLst>"
        + "".join(
            f'<dgm:cxn modelId="c{n}" srcId="{s}" destId="{d}" srcOrd="{o}"/>' for n, (s, d, o) in enumerate(links)
        )
        + "</dgm:cxnLst></dgm:dataModel>"
    )
    frame = (
        '<p:graphicFrame xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
        f'xmlns:a="{a}" xmlns:r="{r}" xmlns:dgm="{dgm}"><p:nvGraphicFramePr><p:cNvPr id="9" name="d"/>'
        "<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>"
        '<p:xfrm><a:off x="0" y="2000000"/><a:ext cx="900000" cy="900000"/></p:xfrm><a:graphic>'
        f'<a:graphicData uri="{dgm}"><dgm:relIds r:dm="rId77"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    deck = Presentation()
    slide = add(deck, TITLE_ONLY, "進め方")
    slide.shapes._spTree.append(etree.fromstring(frame))
    data = edited(
        deck_bytes(deck),
        "ppt/slides/_rels/slide1.xml.rels",
        lambda rels: rels.replace(
            b"</Relationships>",
            f'<Relationship Id="rId77" Type="{r}/diagramData" Target="../diagrams/data1.xml"/>'.encode()
            + b"</Relationships>",
        ),
    )
    stream = io.BytesIO(data)
    with zipfile.ZipFile(stream, "a") as package:
        package.writestr("ppt/diagrams/data1.xml", model)
    return stream.getvalue()


def test_smartart_is_read_in_the_order_of_its_hierarchy():
    assert body(read(smartart_deck())) == ["計画する", "  責任者を決める", "運用する"]


def test_chart_gives_title_series_categories_and_shown_values():
    data = CategoryChartData(number_format="0%")
    data.categories = ["4月", "5月"]
    data.add_series("達成率", (0.5, 0.75))
    deck = Presentation()
    slide = add(deck, TITLE_ONLY, "実績")
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Cm(1), Cm(4), Cm(15), Cm(10), data).chart
    chart.chart_title.text_frame.text = "月ごとの達成率"
    block = next(block for block in read(deck).blocks if isinstance(block, Table))
    assert block.caption == "月ごとの達成率"
    assert block.header == ("| 達成率",)
    assert block.rows == ("4月 | 50%", "5月 | 75%")


# --- notes and what is left out ---------------------------------------------------------------------------


def test_notes_belong_to_their_slide():
    deck = Presentation()
    add(deck, CONTENT, "方針", "守る。").notes_slide.notes_text_frame.text = "例外は認めない。"
    notes = [block for block in read(deck).blocks if isinstance(block, Paragraph) and block.kind == "notes"]
    assert [(note.text, note.anchor.slide) for note in notes] == [("例外は認めない。", 1)]


def test_hidden_slides_are_reported_and_read_on_request():
    deck = Presentation()
    add(deck, CONTENT, "現行", "3秒以内")
    add(deck, CONTENT, "旧方針", "8秒以内")._element.set("show", "0")
    document = read(deck)
    assert body(document) == ["3秒以内"]
    assert [(o.text, o.reason, o.anchor.slide) for o in document.omissions] == [("旧方針\n8秒以内", "hidden", 2)]
    assert body(read(deck, include_hidden=True)) == ["3秒以内", "8秒以内"]


def test_invisible_shapes_are_reported_and_read_on_request():
    deck = Presentation()
    slide = add(deck, CONTENT, "現行", "3秒以内")
    box(slide.shapes, "消した文", 1, 15)._element.nvSpPr.cNvPr.set("hidden", "1")
    document = read(deck)
    assert body(document) == ["3秒以内"]
    assert [(o.text, o.reason) for o in document.omissions] == [("消した文", "hidden")]
    assert body(read(deck, include_hidden=True)) == ["3秒以内", "消した文"]


def test_slide_numbers_and_footers_are_boilerplate():
    deck = Presentation()
    slide = add(deck, CONTENT, "題", "本文")
    mark = box(slide.shapes, "7", 20, 17)._element
    run = mark.find(".//{*}r")
    run.tag = run.tag.replace("}r", "}fld")
    run.set("type", "slidenum")
    run.set("id", "{00000000-0000-0000-0000-000000000001}")
    document = read(deck)
    assert body(document) == ["本文"]
    assert [(o.text, o.reason) for o in document.omissions] == [("7", "boilerplate")]


def test_texts_repeated_on_every_slide_are_boilerplate():
    deck = Presentation()
    for number in range(1, 6):
        slide = add(deck, CONTENT, f"題{number}", f"本文{number}")
        box(slide.shapes, "社外秘", 20, 17)
        box(slide.shapes, f"{number} / 5 ページ", 1, 17)
    document = read(deck)
    assert body(document) == [f"本文{number}" for number in range(1, 6)]
    assert [o.text for o in document.omissions if o.reason == "boilerplate"].count("社外秘") == 5


def test_equal_texts_at_other_places_are_kept():
    deck = Presentation()
    for number in range(5):
        box(add(deck, CONTENT, f"題{number}", f"本文{number}").shapes, "重要", 1 + 3 * number, 15)
    assert body(read(deck)).count("重要") == 5


# --- packages ---------------------------------------------------------------------------------------------


def one_slide() -> bytes:
    deck = Presentation()
    add(deck, CONTENT, "題", "本文")
    return deck_bytes(deck)


@pytest.mark.parametrize("kind", ["template", "slideshow"])
def test_templates_and_shows_open(kind):
    data = edited(
        one_slide(),
        "[Content_Types].xml",
        lambda types: types.replace(b"presentation.main+xml", f"{kind}.main+xml".encode()),
    )
    assert body(read(data)) == ["本文"]


def test_strict_namespaces_are_read():
    data = one_slide()
    for part in ("ppt/presentation.xml", "ppt/slides/slide1.xml"):
        data = edited(
            data,
            part,
            lambda xml: xml.replace(
                b"http://schemas.openxmlformats.org/presentationml/2006/main",
                b"http://purl.oclc.org/ooxml/presentationml/main",
            ).replace(
                b"http://schemas.openxmlformats.org/drawingml/2006/main",
                b"http://purl.oclc.org/ooxml/drawingml/main",
            ),
        )
    assert body(read(data)) == ["本文"]


@pytest.mark.parametrize("value", ["NaN", "inf", "-99999999999999999999", "x", ""])
def test_senseless_numbers_do_not_stop_the_reader(value):
    def change(xml: bytes) -> bytes:
        xml = xml.replace(
            b"<a:p>",
            f'<a:p><a:pPr lvl="{value}"><a:buAutoNum type="romanUcPeriod" startAt="{value}"/></a:pPr>'.encode(),
        )
        xform = f'<a:xfrm><a:off x="{value}" y="{value}"/><a:ext cx="{value}" cy="{value}"/></a:xfrm>'
        return xml.replace(b"<p:spPr/>", f"<p:spPr>{xform}</p:spPr>".encode())

    assert body(read(edited(one_slide(), "ppt/slides/slide1.xml", change))) == ["I. 本文"]


def test_dangling_slide_is_reported_and_the_rest_read():
    deck = Presentation()
    add(deck, CONTENT, "一", "残る")
    add(deck, CONTENT, "二", "消える")
    document = read(edited(deck_bytes(deck), "ppt/slides/slide2.xml", lambda _: None))
    assert body(document) == ["残る"]
    assert [(o.reason, o.anchor.slide) for o in document.omissions] == [("unreadable", 2)]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"no package at all", id="text"),
        pytest.param(one_slide()[:9000], id="truncated"),
        pytest.param(edited(one_slide(), "ppt/presentation.xml", lambda _: None), id="no presentation"),
        pytest.param(edited(one_slide(), "ppt/slides/slide1.xml", lambda xml: xml[:-20]), id="broken slide"),
        pytest.param(
            edited(
                one_slide(),
                "ppt/slides/slide1.xml",
                lambda xml: xml.replace(b"<p:sld ", b'<!DOCTYPE p [<!ENTITY e "x">]><p:sld ', 1),
            ),
            id="entities",
        ),
    ],
)
def test_damaged_decks_are_corrupt(data):
    with pytest.raises(CorruptDocumentError) as caught:
        read(data)
    assert caught.value.document == "方針.pptx"


def test_ole_files_say_what_they_are():
    magic = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600
    with pytest.raises(UnsupportedDocumentError):
        read(magic)
    with pytest.raises(EncryptedDocumentError):
        read(magic + "EncryptedPackage".encode("utf-16-le"))


# --- chunks -----------------------------------------------------------------------------------------------


def test_chunks_name_their_slide_and_short_neighbours_share_one():
    deck = Presentation()
    long = "この方針は、受注管理システムのすべての画面とバッチに適用し、例外を認めない。"
    add(deck, CONTENT, "長い", long, long)
    add(deck, CONTENT, "短い一", "甲である。")
    add(deck, CONTENT, "短い二", "乙である。")
    document = SourceDocument("方針.pptx", deck_bytes(deck))
    chunks = PowerPointChunker().chunk(document, ChunkingOptions(), len).chunks
    assert [chunk.locator.uri("方針.pptx") for chunk in chunks] == ["方針.pptx#slide!1", "方針.pptx#slide!2-3"]
    assert [chunk.kind for chunk in chunks] == ["slide", "slide"]
    assert chunks[0].headings == ("長い",)
    assert all(text in chunks[1].content for text in ("甲である。", "短い二", "乙である。"))
