"""Workbooks made in the test, and what the reader makes of them."""

import io
import zipfile
from collections.abc import Callable

import pytest
from kisoku.adapters.chunking.excel.reader import read_document
from kisoku.domain.blocks import Block, ExtractedDocument, Heading, Paragraph, Table
from openpyxl import Workbook
from openpyxl.styles import Border, Font, PatternFill, Side

THIN = Side(style="thin")
BOX = Border(left=THIN, right=THIN, top=THIN, bottom=THIN)
GREY = PatternFill("solid", fgColor="FFCCCCCC")
BOLD = Font(bold=True)


def saved(book: Workbook) -> bytes:
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def patched(data: bytes, parts: dict[str, str | Callable[[str], str]]) -> bytes:
    """Replace, change or add parts of a package."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            change = parts.get(name)
            text = old.read(name)
            if change is not None:
                text = (change if isinstance(change, str) else change(text.decode())).encode()
            new.writestr(name, text)
        for name, change in parts.items():
            if name not in old.namelist():
                assert isinstance(change, str)
                new.writestr(name, change)
    return target.getvalue()


def outline(document: ExtractedDocument) -> list[str]:
    """Write the blocks one a line: headings with their level, tables row by row."""
    return [line for block in document.blocks for line in _lines(block)]


def _lines(block: Block) -> list[str]:
    match block:
        case Heading():
            return [f"{'#' * block.level} {block.text}"]
        case Paragraph():
            return [block.text]
        case Table():
            return [*([f"[{block.caption}]"] if block.caption else []), *block.header, *block.rows, *block.notes]


class Studio:
    """Makes cells look as in rule books, saves and reads."""

    box, grey, bold = BOX, GREY, BOLD
    saved = staticmethod(saved)
    patched = staticmethod(patched)

    @staticmethod
    def cell(sheet, place: str, value=None, *, label=False, framed=True, bold=False):
        """Fill a cell or a merged range, with a frame; a label has a grey background."""
        first = place.partition(":")[0]
        sheet[first] = value
        rows = sheet[place] if ":" in place else ((sheet[first],),)
        for row in rows:
            for cell in row:
                if framed:
                    cell.border = BOX
                if label:
                    cell.fill = GREY
                if bold:
                    cell.font = BOLD
        if ":" in place:
            sheet.merge_cells(place)

    @staticmethod
    def grid_paper(sheet, columns: int = 30) -> None:
        for number in range(1, columns + 1):
            sheet.column_dimensions[sheet.cell(1, number).column_letter].width = 3

    @staticmethod
    def document(book: Workbook | bytes, *, include_hidden: bool = False) -> ExtractedDocument:
        return read_document(book if isinstance(book, bytes) else saved(book), include_hidden=include_hidden)

    @classmethod
    def read(cls, book: Workbook | bytes, *, include_hidden: bool = False) -> list[str]:
        return outline(cls.document(book, include_hidden=include_hidden))


@pytest.fixture
def studio() -> type[Studio]:
    return Studio


@pytest.fixture
def book() -> Workbook:
    made = Workbook()
    made.active.title = "規則"
    return made
