"""Make the sample rules: Word, Excel and PowerPoint files from the plain texts in `source/`.

    python examples/sample-rules/generate.py [OUT]

Writes `rules/` (version 1) and `update/` (the one file whose change makes version 2) into OUT, by default next
to this script. The same sources give the same bytes: times inside the files are fixed.

Marks in the sources: `#` heading (a sheet, a slide), `!` caption, `|` table row, `-` bullet, `?` cell comment on
a column, `※` note, `@title` `@notes` `@hidden` for slides; the first line is the title.
"""

import argparse
import io
import re
import zipfile
from pathlib import Path
from typing import Any

from docx import Document
from docx.oxml.ns import qn
from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from pptx import Presentation
from pptx.util import Cm

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "source"
FIXED_TIME = "2026-04-01T00:00:00Z"
UPDATED = ("write/図表規則.xlsx", "全角 | 60 |", "全角 | 80 |")
"""File, old and new text: version 2 lets 機能概要 be longer."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the sample rules.")
    parser.add_argument("out", nargs="?", type=Path, default=HERE)
    out = parser.parse_args().out
    for source in sorted(SOURCE.rglob("*.md")):
        name = source.relative_to(SOURCE).as_posix()
        target = out / "rules" / (name.removesuffix(".md") if name.count(".") > 1 else name)
        _write(target, build(target.suffix, source.read_text(encoding="utf-8")))
    name, old, new = UPDATED
    text = (SOURCE / f"{name}.md").read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise SystemExit(f"{name}: {old!r} stands there {text.count(old)} times, not once")
    target = out / "update" / Path(name).name
    _write(target, build(target.suffix, text.replace(old, new)))


def build(suffix: str, text: str) -> bytes:
    """Return the bytes of the file that a source text describes."""
    if suffix == ".docx":
        return frozen(word(text))
    if suffix == ".xlsx":
        return frozen(excel(text))
    if suffix == ".pptx":
        return frozen(powerpoint(text))
    return text.encode("utf-8")


def word(text: str) -> bytes:
    title, *lines = text.splitlines()
    document = Document()
    normal = document.styles["Normal"]
    normal.font.name = "Yu Gothic"
    normal.element.rPr.rFonts.set(qn("w:eastAsia"), "Yu Gothic")
    document.core_properties.title = title
    document.core_properties.author = "kisoku"
    document.add_paragraph(title, style="Title")
    rows: list[list[str]] = []
    for line in [*lines, ""]:
        if line.startswith("|"):
            rows.append(cells(line))
            continue
        if rows:
            _word_table(document, rows)
            rows = []
        heading = re.match(r"(#+) (.*)", line)
        if heading:
            document.add_heading(heading[2], level=len(heading[1]))
        elif line.startswith("!"):
            document.add_paragraph(line[1:], style="Caption")
        elif line.startswith("- "):
            document.add_paragraph(line[2:], style="List Bullet")
        elif line:
            document.add_paragraph(line)
    return saved(document)


def _word_table(document: Any, rows: list[list[str]]) -> None:
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
    for row, values in zip(table.rows, rows, strict=True):
        for cell, value in zip(row.cells, values, strict=True):
            cell.text = value
    for cell in table.rows[0].cells:
        cell.paragraphs[0].runs[0].bold = True
    table.rows[0]._tr.get_or_add_trPr().append(  # noqa: SLF001  # python-docx has no call for it
        table.rows[0]._tr.makeelement(qn("w:tblHeader"), {})  # noqa: SLF001  # as above
    )


def excel(text: str) -> bytes:
    title, *lines = text.splitlines()
    book = Workbook()
    cover = book.active
    cover.title = "表紙"
    cover["B2"], cover["B4"], cover["B5"], cover["B6"] = title, "第1.0版", "2026/04/01", "設計標準グループ"
    history = book.create_sheet("変更履歴")
    for row in (("版数", "日付", "変更箇所", "変更理由"), ("第1.0版", "2026/04/01", "全体", "初版")):
        history.append(row)
    for block in re.split(r"^# ", "\n".join(lines), flags=re.MULTILINE)[1:]:
        name, *body = block.splitlines()
        _sheet(book.create_sheet(name), body)
    book.properties.title, book.properties.creator = title, "kisoku"
    return saved(book)


def _sheet(sheet: Any, lines: list[str]) -> None:
    rows = [cells(line) for line in lines if line.startswith("|")]
    sheet["A1"] = next(line[1:] for line in lines if line.startswith("!"))
    sheet["A1"].font = Font(bold=True, size=12)
    top, header = 3, rows[0]
    if any(">" in name for name in header):  # two header rows, groups merged over their columns
        _two_header_rows(sheet, top, header)
        first = top + 2
    else:
        for column, name in enumerate(header, 1):
            sheet.cell(top, column, name)
        first = top + 1
    for number, row in enumerate(rows[1:], first):
        for column, value in enumerate(row, 1):
            sheet.cell(number, column, int(value) if value.isdigit() else value)
    for note in (line for line in lines if line.startswith("※")):
        sheet.cell(first + len(rows), 1, note)
    labels = [name.split(">")[-1] for name in header]
    for mark in (line[2:] for line in lines if line.startswith("? ")):
        label, text = mark.split(": ", 1)
        comment = Comment(text, "kisoku")
        sheet.cell(first - 1, labels.index(label) + 1).comment = comment
    _dress(sheet, top, first, first + len(rows) - 2, len(header))


def _two_header_rows(sheet: Any, top: int, header: list[str]) -> None:
    for column, name in enumerate(header, 1):
        group, _, label = name.rpartition(">")
        sheet.cell(top, column, group or label)
        if group:
            sheet.cell(top + 1, column, label)
        else:
            sheet.merge_cells(start_row=top, end_row=top + 1, start_column=column, end_column=column)
    groups = [name.rpartition(">")[0] for name in header]
    for group in dict.fromkeys(filter(None, groups)):
        left, span = groups.index(group) + 1, groups.count(group)
        sheet.merge_cells(start_row=top, end_row=top, start_column=left, end_column=left + span - 1)


def _dress(sheet: Any, top: int, first: int, last: int, columns: int) -> None:
    line = Side(style="thin", color="808080")
    for number in range(top, last + 1):
        for column in range(1, columns + 1):
            cell = sheet.cell(number, column)
            cell.border = Border(left=line, right=line, top=line, bottom=line)
            cell.alignment = Alignment(vertical="top", wrap_text=True)
            if number < first:
                cell.font, cell.fill = Font(bold=True), PatternFill("solid", fgColor="D9D9D9")
    for column in range(1, columns + 1):
        longest = max(len(str(sheet.cell(number, column).value or "")) for number in range(top, last + 1))
        sheet.column_dimensions[get_column_letter(column)].width = min(max(8, 2 * longest + 2), 60)


def powerpoint(text: str) -> bytes:
    deck = Presentation()
    deck.core_properties.author = "kisoku"
    for block in re.split(r"^# ", text, flags=re.MULTILINE)[1:]:
        title, *lines = block.splitlines()
        _slide(deck, title, lines)
    deck.core_properties.title = deck.slides[0].shapes.title.text
    return saved(deck)


def _slide(deck: Any, title: str, lines: list[str]) -> None:
    subtitle = next((line[7:] for line in lines if line.startswith("@title ")), "")
    rows = [cells(line) for line in lines if line.startswith("|")]
    layout = 0 if subtitle else 5 if rows else 1
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    slide.shapes.title.text = title
    if subtitle:
        slide.placeholders[1].text = subtitle
    bullets = [re.match(r"( *)- (.*)", line) for line in lines]
    for number, bullet in enumerate(filter(None, bullets)):
        frame = slide.placeholders[1].text_frame
        paragraph = frame.paragraphs[0] if number == 0 else frame.add_paragraph()
        paragraph.text, paragraph.level = bullet[2], len(bullet[1]) // 2
    if rows:
        size = Cm(1.5), Cm(5), Cm(22), Cm(1.2 * len(rows))
        table = slide.shapes.add_table(len(rows), len(rows[0]), *size).table
        for row, values in zip(table.rows, rows, strict=True):
            for cell, value in zip(row.cells, values, strict=True):
                cell.text = value
    for line in lines:
        if line.startswith("@notes "):
            slide.notes_slide.notes_text_frame.text = line[7:]
        elif line == "@hidden":
            slide._element.set("show", "0")  # noqa: SLF001  # python-pptx has no call for it


def cells(line: str) -> list[str]:
    """Return the cells of a source table row."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def saved(document: Any) -> bytes:
    """Return what a document writes when it is saved."""
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def frozen(data: bytes) -> bytes:
    """Return the package with fixed times, so that equal sources give equal bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "docProps/core.xml":
                times = rb"(<dcterms:(created|modified)[^>]*>)[^<]*"
                content = re.sub(times, rb"\g<1>" + FIXED_TIME.encode(), content)
            entry = zipfile.ZipInfo(name, (2026, 4, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, content)
    return stream.getvalue()


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


if __name__ == "__main__":
    main()
