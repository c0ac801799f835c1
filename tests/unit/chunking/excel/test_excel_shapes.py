"""Text of drawings, which openpyxl does not keep: made from raw XML."""

from kisoku.domain.blocks import Paragraph

XDR = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"


def body(*paragraphs: str) -> str:
    lines = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in paragraphs)
    return f"<xdr:txBody><a:bodyPr/>{lines}</xdr:txBody>"


def shape(*paragraphs: str, place: str = "", hidden: bool = False) -> str:
    name = f'<xdr:nvSpPr><xdr:cNvPr id="2" name="s" hidden="{int(hidden)}"/></xdr:nvSpPr>'
    return f"<xdr:sp>{name}<xdr:spPr>{place}</xdr:spPr>{body(*paragraphs)}</xdr:sp>"


def anchor(content: str, row: int, column: int, height: int = 2, width: int = 3) -> str:
    """Rows and columns count from 0 here."""
    return (
        f"<xdr:twoCellAnchor><xdr:from><xdr:col>{column}</xdr:col><xdr:row>{row}</xdr:row></xdr:from>"
        f"<xdr:to><xdr:col>{column + width}</xdr:col><xdr:row>{row + height}</xdr:row></xdr:to>"
        f"{content}<xdr:clientData/></xdr:twoCellAnchor>"
    )


def drawn(studio, book, *anchors: str, **parts: str) -> bytes:
    drawing = f'<xdr:wsDr xmlns:xdr="{XDR}" xmlns:a="{A}" xmlns:r="{REL}" xmlns:mc="{MC}">{"".join(anchors)}</xdr:wsDr>'
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Type="{REL}/drawing" Target="../drawings/drawing1.xml" Id="rId1"/></Relationships>'
    )
    return studio.patched(
        studio.saved(book),
        {
            "xl/drawings/drawing1.xml": drawing,
            "xl/worksheets/_rels/sheet1.xml.rels": relations,
            **{name.replace("__", "/").replace("_DOT_", "."): text for name, text in parts.items()},
        },
    )


def test_a_sheet_with_nothing_but_a_text_box(studio, book) -> None:
    assert studio.read(drawn(studio, book, anchor(shape("一行目", "二行目"), 0, 0))) == ["# 規則", "一行目\n二行目"]


def test_shapes_stand_in_the_section_of_their_anchor(studio, book) -> None:
    sheet = book.active
    studio.grid_paper(sheet)
    sheet["B2"], sheet["C3"], sheet["B20"], sheet["C21"] = "1. 画面", "画面の例を示す。", "2. 帳票", "帳票の例を示す。"
    data = drawn(studio, book, anchor(shape("帳票の注意"), 24, 5), anchor(shape("画面の注意"), 8, 5))
    assert studio.read(data) == [
        "# 規則", "## 1. 画面", "画面の例を示す。", "画面の注意", "## 2. 帳票", "帳票の例を示す。", "帳票の注意",
    ]  # fmt: skip


def test_reading_order_is_top_to_bottom_then_left_to_right(studio, book) -> None:
    data = drawn(studio, book, anchor(shape("三"), 9, 0), anchor(shape("二"), 2, 9), anchor(shape("一"), 2, 0))
    assert studio.read(data) == ["# 規則", "一", "二", "三"]


def test_parts_of_a_group_are_read_where_they_lie_in_it(studio, book) -> None:
    def at(x: int, y: int) -> str:
        return f'<a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="100" cy="100"/></a:xfrm>'

    group = (
        '<xdr:grpSp><xdr:nvGrpSpPr/><xdr:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/>'
        '<a:chOff x="1000" y="1000"/><a:chExt cx="1000" cy="1000"/></a:xfrm></xdr:grpSpPr>'
        + shape("下", place=at(1000, 1900)) + shape("上", place=at(1500, 1000)) + "</xdr:grpSp>"
    )  # fmt: skip
    document = studio.document(drawn(studio, book, anchor(group, 10, 2, height=10, width=10)))
    found = [(block.text, block.anchor.cells) for block in document.blocks if isinstance(block, Paragraph)]
    assert found == [("上", "H11:I12"), ("下", "C20:D21")]


def test_choice_and_fallback_are_one_shape(studio, book) -> None:
    content = (
        f'<mc:AlternateContent><mc:Choice Requires="a14">{shape("一度だけ")}</mc:Choice>'
        f"<mc:Fallback>{shape('一度だけ')}</mc:Fallback></mc:AlternateContent>"
    )
    assert studio.read(drawn(studio, book, anchor(content, 1, 1))) == ["# 規則", "一度だけ"]


def test_connectors_carry_labels(studio, book) -> None:
    connector = f"<xdr:cxnSp><xdr:nvCxnSpPr/><xdr:spPr/>{body('はい')}</xdr:cxnSp>"
    assert studio.read(drawn(studio, book, anchor(connector, 1, 1))) == ["# 規則", "はい"]


def test_a_shape_over_a_table_is_read_after_it(studio, book) -> None:
    sheet = book.active
    for row, values in enumerate((("項目", "桁数"), ("氏名", 20), ("年齢", 3)), start=1):
        for column, value in enumerate(values, start=1):
            studio.cell(sheet, sheet.cell(row, column).coordinate, value, label=row == 1)
    data = drawn(studio, book, anchor(shape("記入例である。"), 1, 4))
    assert studio.read(data) == ["# 規則", "項目: 氏名 / 桁数: 20", "項目: 年齢 / 桁数: 3", "記入例である。"]


def test_copies_on_the_same_place_and_hidden_shapes_are_reported(studio, book) -> None:
    data = drawn(
        studio,
        book,
        anchor(shape("有り"), 3, 3),
        anchor(shape("有り"), 3, 3),
        anchor(shape("下書き", hidden=True), 6, 3),
    )
    assert studio.read(data) == ["# 規則", "有り"]
    reasons = {(entry.text, entry.reason) for entry in studio.document(data).omissions}
    assert reasons == {("有り", "duplicate"), ("下書き", "hidden")}
    assert "下書き" in studio.read(data, include_hidden=True)


def test_smart_art_is_read_from_its_data_part(studio, book) -> None:
    frame = (
        f'<xdr:graphicFrame><a:graphic><a:graphicData uri="{DGM}">'
        f'<dgm:relIds xmlns:dgm="{DGM}" r:dm="rId5"/></a:graphicData></a:graphic></xdr:graphicFrame>'
    )
    points = "".join(
        f'<dgm:pt modelId="{n}" type="{kind}"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for n, (kind, text) in enumerate((("doc", "根"), ("node", "計画"), ("parTrans", "矢印"), ("node", "実行")))
    )
    model = f'<dgm:dataModel xmlns:dgm="{DGM}" xmlns:a="{A}"><dgm:ptLst>{points}</dgm:ptLst></dgm:dataModel>'
    data = drawn(
        studio,
        book,
        anchor(frame, 1, 1),
        xl__diagrams__data1_DOT_xml=model,
        xl__drawings___rels__drawing1_DOT_xml_DOT_rels=(
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Type="{REL}/diagramData" Target="../diagrams/data1.xml" Id="rId5"/></Relationships>'
        ),
    )
    assert studio.read(data) == ["# 規則", "計画\n実行"]


def test_a_damaged_drawing_does_not_lose_the_cells(studio, book) -> None:
    book.active["A1"] = "本文"
    data = studio.patched(
        drawn(studio, book, anchor(shape("図"), 1, 1)), {"xl/drawings/drawing1.xml": "<xdr:wsDr><broken"}
    )
    assert studio.read(data) == ["# 規則", "本文"]


def test_captions_of_old_form_controls(studio, book) -> None:
    vml = (
        '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel">'
        '<v:shape><v:textbox><div><font>個人<br>利用</font></div></v:textbox><x:ClientData ObjectType="Checkbox">'
        "<x:Anchor>2, 0, 4, 0, 5, 0, 6, 0</x:Anchor></x:ClientData></v:shape>"
        '<v:shape><v:textbox><div>注記</div></v:textbox><x:ClientData ObjectType="Note"/></v:shape></xml>'
    )
    relations = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Type="{REL}/vmlDrawing" Target="../drawings/vml1.vml" Id="rId1"/></Relationships>'
    )
    data = studio.patched(
        studio.saved(book), {"xl/drawings/vml1.vml": vml, "xl/worksheets/_rels/sheet1.xml.rels": relations}
    )
    (found,) = [block for block in studio.document(data).blocks if isinstance(block, Paragraph)]
    assert (found.text.replace(" ", ""), found.anchor.cells) == ("個人利用", "C5:F7")
