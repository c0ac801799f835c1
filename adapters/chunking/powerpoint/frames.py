"""What stands in a graphic frame: tables, SmartArt, charts."""

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from ....domain.blocks import Anchor, Paragraph, Table
from .opc import Package, q
from .text import Line, integer, lines, one_line

_CELL_SEPARATOR: Final = " | "
_MAX_CHART_ROWS: Final = 200
_DEEPEST_NODE: Final = 20


def frame_blocks(frame: etree._Element, package: Package, part: str, anchor: Anchor) -> list[Paragraph | Table]:
    """Return the blocks of a `p:graphicFrame` of the slide `part`; empty when it holds no text."""
    table = frame.find(f".//{q('a:tbl')}")
    if table is not None:
        block = _table(table, anchor)
        return [block] if block is not None else []
    targets = package.relationships(part)
    diagram = frame.find(f".//{q('dgm:relIds')}")
    if diagram is not None:
        target = targets.get(diagram.get(q("r:dm"), ""))
        root = package.xml(target.target) if target is not None else None
        return [] if root is None else [_paragraph(line, anchor) for line in diagram_lines(root)]
    for tag in ("c:chart", "cx:chart"):
        chart = frame.find(f".//{q(tag)}")
        if chart is not None:
            target = targets.get(chart.get(q("r:id"), ""))
            root = package.xml(target.target) if target is not None else None
            return [] if root is None else _chart(root, anchor)
    return []


def _paragraph(line: Line, anchor: Anchor) -> Paragraph:
    return Paragraph(line.shown(), "list" if line.level or line.bullet else "text", anchor)


# --- tables -----------------------------------------------------------------------------------------------


def _table(table: etree._Element, anchor: Anchor) -> Table | None:
    rows = [_row(row) for row in table.iterchildren(q("a:tr"))]
    properties = table.find(q("a:tblPr"))
    header_rows = 0
    if properties is not None and properties.get("firstRow") in ("1", "true") and len(rows) > 1:
        # A cell that is merged downwards from the first row makes the header as high as it is.
        first = next(table.iterchildren(q("a:tr")))
        spans = [integer(cell.get("rowSpan"), 1) for cell in first.iterchildren(q("a:tc"))]
        header_rows = max(spans) if spans and max(spans) < len(rows) else 1
    shown = [row for row in rows[header_rows:] if row]
    header = tuple(row for row in rows[:header_rows] if row)
    if not shown:
        shown, header = list(header), ()
    return Table(rows=tuple(shown), header=header, anchor=anchor) if shown else None


def _row(row: etree._Element) -> str:
    cells: list[str] = []
    for cell in row.iterchildren(q("a:tc")):
        if cell.get("hMerge") in ("1", "true"):
            continue
        body = cell.find(q("a:txBody"))
        merged = cell.get("vMerge") in ("1", "true")
        text = "" if body is None or merged else " ".join(one_line(line.shown()) for line in lines(body))
        cells.append(text)
    while cells and not cells[-1]:
        cells.pop()
    return _CELL_SEPARATOR.join(cells) if any(cells) else ""


# --- SmartArt ---------------------------------------------------------------------------------------------


def diagram_lines(root: etree._Element) -> list[Line]:
    """Return the text points of a SmartArt data model in the order and depth of its hierarchy."""
    points = {point.get("modelId", ""): point for point in root.iter(q("dgm:pt"))}
    children: dict[str, list[tuple[int, str]]] = {}
    for link in root.iter(q("dgm:cxn")):
        if link.get("type", "parOf") == "parOf":
            order = integer(link.get("srcOrd"))
            children.setdefault(link.get("srcId", ""), []).append((order, link.get("destId", "")))
    seen: set[str] = set()
    found: list[Line] = []

    def visit(identity: str, depth: int) -> None:
        if identity in seen or identity not in points or depth > _DEEPEST_NODE:
            return
        seen.add(identity)
        found.extend(_point_lines(points[identity], max(depth, 0)))
        for _, child in sorted(children.get(identity, []), key=lambda entry: entry[0]):
            visit(child, depth + 1)

    for identity, point in points.items():
        if point.get("type") == "doc":
            visit(identity, -1)
    for identity, point in points.items():
        # Points outside the hierarchy and texts on connectors; presentation points repeat what is known.
        if identity not in seen and point.get("type", "node") != "pres":
            found.extend(_point_lines(point, 0))
    return found


def _point_lines(point: etree._Element, depth: int) -> list[Line]:
    text = point.find(q("dgm:t"))
    if text is None:
        return []
    return [Line(line.text, line.level + depth, line.label, line.bullet) for line in lines(text)]


# --- charts -----------------------------------------------------------------------------------------------


def _chart(root: etree._Element, anchor: Anchor) -> list[Paragraph | Table]:
    title = " ".join(_rich_text(root.find(f".//{q('c:chart')}/{q('c:title')}")))
    series = list(root.iter(q("c:ser")))
    if not series:  # the newer chart types (sunburst, waterfall …) or an empty chart
        words = [*_rich_text(root), *(point.text or "" for point in root.iter(q("cx:pt")))]
        unique = dict.fromkeys(word.strip() for word in words if word.strip() and not _is_number(word))
        return [Paragraph(word, "text", anchor) for word in unique]
    names = [_first_text(one.find(q("c:tx"))) for one in series]
    categories: dict[int, str] = {}
    for one in series:
        for index, label in _categories(one):
            categories.setdefault(index, label)
    values = [_values(one) for one in series]
    rows = [
        _CELL_SEPARATOR.join([label, *(column.get(index, "") for column in values)]).rstrip(" |")
        for index, label in sorted(categories.items())[:_MAX_CHART_ROWS]
    ]
    axes = [" ".join(_rich_text(each)) for each in root.iter(q("c:title"))][1 if title else 0 :]
    header = _CELL_SEPARATOR.join(["", *names]).strip() if any(names) else ""
    shown = tuple(row for row in rows if row)
    if not shown:
        found = [title, *(name for name in names if name), *axes]
        return [Paragraph(text, "text", anchor) for text in found if text]
    notes = tuple(axis for axis in axes if axis)
    table = Table(shown, (header,) if header else (), caption=title, notes=notes, anchor=anchor)
    return [table]


def _rich_text(element: etree._Element | None) -> list[str]:
    if element is None:
        return []
    paragraphs = ("".join(t.text or "" for t in p.iter(q("a:t"))).strip() for p in element.iter(q("a:p")))
    found = [text for text in paragraphs if text]
    return found or [v.text.strip() for v in element.iter(q("c:v")) if v.text and v.text.strip()]


def _first_text(element: etree._Element | None) -> str:
    if element is None:
        return ""
    return one_line(" ".join(v.text.strip() for v in element.iter(q("c:v")) if v.text))


def _categories(series: etree._Element) -> Iterator[tuple[int, str]]:
    source = series.find(q("c:cat"))
    if source is None:
        source = series.find(q("c:xVal"))
    if source is None:
        return
    levels = [list(_points(level)) for level in source.iter(q("c:lvl"))]
    if not levels:
        yield from _points(source)
        return
    # Multi-level labels: the innermost level comes first; an outer label holds until the next one.
    outer = [sorted(level) for level in reversed(levels[1:])]
    for index, label in levels[0]:
        above = [next((text for at, text in reversed(level) if at <= index), "") for level in outer]
        yield index, " > ".join([*(text for text in above if text), label])


def _points(source: etree._Element) -> Iterator[tuple[int, str]]:
    for point in source.iter(q("c:pt")):
        value = point.find(q("c:v"))
        if value is not None and value.text:
            yield integer(point.get("idx")), one_line(value.text)


def _values(series: etree._Element) -> dict[int, str]:
    source = series.find(q("c:val"))
    if source is None:
        source = series.find(q("c:yVal"))
    if source is None:
        return {}
    code = source.findtext(f".//{q('c:formatCode')}", "General")
    return {index: shown_number(value, code) for index, value in _points(source)}


def shown_number(value: str, code: str) -> str:
    """Return a chart's cached number as its label shows it; percentages and fixed decimals are applied."""
    if not _is_number(value):
        return value
    number = float(value)
    fraction = re.search(r"\.([0#]+)", code)
    decimals = len(fraction[1]) if fraction else 0
    if "%" in code:
        return f"{number * 100:.{decimals}f}%"
    if code.startswith(("0", "#")):
        return f"{number:,.{decimals}f}" if "," in code else f"{number:.{decimals}f}"
    return f"{number:.10g}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
