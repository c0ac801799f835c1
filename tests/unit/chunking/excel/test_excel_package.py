"""The package: strings, cell types, hidden parts, damaged and hostile files."""

import time

import pytest
from kisoku.adapters.chunking.excel.chunker import ExcelChunker
from kisoku.domain.chunks import ChunkingOptions
from kisoku.domain.errors import CorruptDocumentError
from kisoku.ports.chunker import SourceDocument
from openpyxl.styles import PatternFill

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def chunk(data: bytes):
    return ExcelChunker().chunk(SourceDocument("規則.xlsx", data), ChunkingOptions(), lambda text: len(text) // 2)


def sheet_of(cells: str) -> str:
    return f"<worksheet {MAIN}><sheetData>{cells}</sheetData></worksheet>"


def with_strings(studio, book, strings: str) -> bytes:
    """Let A1 be the first shared string."""
    relation = (
        '<Relationship Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" '
        'Target="sharedStrings.xml" Id="rId99"/></Relationships>'
    )
    return studio.patched(
        studio.saved(book),
        {
            "xl/worksheets/sheet1.xml": sheet_of('<row r="1"><c r="A1" t="s"><v>0</v></c></row>'),
            "xl/sharedStrings.xml": strings,
            "xl/_rels/workbook.xml.rels": lambda xml: xml.replace("</Relationships>", relation),
        },
    )


def test_phonetic_readings_are_no_text(studio, book) -> None:
    strings = (
        f'<sst {MAIN}><si><r><t>東京</t></r><r><rPr><b/></rPr><t xml:space="preserve"> 都</t></r>'
        "<rPh sb='0' eb='2'><t>トウキョウ</t></rPh></si></sst>"
    )
    assert studio.read(with_strings(studio, book, strings)) == [
        "# 規則",
        "東京 都",
    ]


def test_all_cell_types_are_shown_as_excel_shows_them(studio, book) -> None:
    book.active["A1"] = "x"
    cells = (
        '<row r="1"><c r="A1" t="inlineStr"><is><t>直接</t></is></c></row>'
        '<row r="3"><c r="A3" t="b"><v>1</v></c></row>'
        '<row r="5"><c r="A5" t="e"><v>#N/A</v></c></row>'
        '<row r="7"><c r="A7" t="str"><f>A1</f><v>数式_x000D_\nの結果</v></c></row>'
        '<row r="9"><c r="A9"><f>1+1</f><v>2</v></c></row>'
        '<row r="11"><c r="A11"><f>NOW()</f></c></row>'
    )
    data = studio.patched(studio.saved(book), {"xl/worksheets/sheet1.xml": sheet_of(cells)})
    assert studio.read(data) == ["# 規則", "直接", "TRUE", "#N/A", "数式\nの結果", "2"]


def test_cells_without_references_count_on(studio, book) -> None:
    book.active["A1"] = "x"
    cells = '<row><c t="inlineStr"><is><t>一</t></is></c></row><row/><row><c><v>3</v></c></row>'
    document = studio.document(studio.patched(studio.saved(book), {"xl/worksheets/sheet1.xml": sheet_of(cells)}))
    assert [block.anchor.cells for block in document.blocks[1:]] == ["A1", "A3"]


def test_strict_namespaces_read_the_same(studio, book) -> None:
    book.active["A1"] = "規則の本文。"

    def strict(xml: str) -> str:
        return xml.replace(
            "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://purl.oclc.org/ooxml/spreadsheetml/main"
        ).replace(
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            "http://purl.oclc.org/ooxml/officeDocument/relationships",
        )

    names = (
        "_rels/.rels",
        "xl/_rels/workbook.xml.rels",
        "xl/workbook.xml",
        "xl/worksheets/sheet1.xml",
    )
    data = studio.patched(studio.saved(book), dict.fromkeys(names, strict))
    assert studio.read(data) == ["# 規則", "規則の本文。"]


def test_what_is_hidden_is_reported_and_read_on_request(studio, book) -> None:
    sheet = book.active
    for row, text in enumerate(("見える", "隠れた行", "また見える"), start=1):
        sheet.cell(2 * row, 1, text)
    sheet.cell(2, 4, "隠れた列")
    sheet.row_dimensions[4].hidden = True
    sheet.column_dimensions["D"].hidden = True
    secret = book.create_sheet("裏")
    secret["A1"] = "隠れたシート"
    secret.sheet_state = "veryHidden"
    document = studio.document(book)
    assert studio.read(book) == ["# 規則", "見える", "また見える"]
    assert [(entry.text, entry.reason) for entry in document.omissions] == [
        ("隠れた列", "hidden"),
        ("隠れた行", "hidden"),
        ("隠れたシート", "hidden"),
    ]
    everything = studio.read(book, include_hidden=True)
    assert "隠れた行" in everything
    assert "隠れたシート" in everything


def test_a_merged_cell_that_shows_in_part_is_shown(studio, book) -> None:
    sheet = book.active
    sheet["A1"] = "結合された題名。"
    sheet.merge_cells("A1:C1")
    sheet.column_dimensions["A"].hidden = True
    assert studio.read(book) == ["# 規則", "結合された題名。"]


def test_a_million_formatted_empty_rows_cost_nothing(studio, book) -> None:
    book.active["A1"] = "x"
    empty = "".join(f'<row r="{row}"><c r="A{row}"/></row>' for row in range(2, 300_000))
    cells = (
        f'<row r="1"><c r="A1" t="inlineStr"><is><t>本文</t></is></c></row>{empty}'
        '<row r="1048576"><c r="XFD1048576" s="0"/></row>'
    )
    data = studio.patched(studio.saved(book), {"xl/worksheets/sheet1.xml": sheet_of(cells)})
    started = time.process_time()
    assert studio.read(data) == ["# 規則", "本文"]
    assert time.process_time() - started < 10


def test_a_frame_over_a_million_rows_is_cut_off_near_the_text(studio, book) -> None:
    sheet = book.active
    sheet["A1"], sheet["B1"] = "項目", "値"
    for row in range(1, 30_000):
        sheet.cell(row, 1).fill = PatternFill("solid", fgColor="FFEEEEEE")
    lines = studio.read(book)
    assert lines[0] == "# 規則"
    assert "項目" in "".join(lines)


@pytest.mark.parametrize(
    "part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml"]
)
def test_damaged_parts_are_a_corrupt_document(studio, book, part: str) -> None:
    data = with_strings(studio, book, f"<sst {MAIN}><si><t>本文</t></si></sst>")
    with pytest.raises(CorruptDocumentError) as caught:
        chunk(studio.patched(data, {part: "<worksheet><unclosed>"}))
    assert caught.value.category == "corrupt"
    assert part in str(caught.value)


def test_entities_are_refused(studio, book) -> None:
    bomb = f'<!DOCTYPE sst [<!ENTITY a "laugh"><!ENTITY b "&a;&a;&a;">]><sst {MAIN}><si><t>&b;</t></si></sst>'
    with pytest.raises(CorruptDocumentError, match="document type"):
        chunk(with_strings(studio, book, bomb))


def test_no_archive_and_no_workbook_are_corrupt(studio) -> None:
    import io
    import zipfile

    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("readme.txt", "hello")
    for data in (b"", b"PK\x03\x04broken", target.getvalue()):
        with pytest.raises(CorruptDocumentError):
            chunk(data)


def test_what_openpyxl_refuses_is_read(studio, book) -> None:
    """Invalid filters, names and extensions stop openpyxl; they hold no text."""
    book.active["A1"] = "本文"
    junk = (
        '<autoFilter ref="#REF!"><filterColumn colId="x"/></autoFilter>'
        '<extLst><ext uri="{bad}"><x14:none xmlns:x14="urn:x"/></ext></extLst>'
    )
    data = studio.patched(
        studio.saved(book),
        {
            "xl/worksheets/sheet1.xml": lambda xml: xml.replace("</sheetData>", f"</sheetData>{junk}"),
            "xl/workbook.xml": lambda xml: xml.replace(
                "</workbook>", '<definedNames><definedName name="_x">#REF!</definedName></definedNames></workbook>'
            ),
        },
    )
    assert studio.read(data) == ["# 規則", "本文"]
