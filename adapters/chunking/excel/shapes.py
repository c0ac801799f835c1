"""Text of shapes: DrawingML shapes, groups, connectors, SmartArt, chart titles, VML controls.

openpyxl drops all of it; in rule books it holds call-outs, filling instructions and whole flow charts.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from .grid import MAX_COLUMN, MAX_ROW, Area
from .package import Element, Package, PackageError, child, children, flag, local, relation_id, unescape

_ANCHORS = ("twoCellAnchor", "oneCellAnchor", "absoluteAnchor")
_HIDDEN_TYPES = {"pres", "parTrans", "sibTrans", "doc"}


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape with text.

    Attributes:
        text: Its paragraphs, one a line.
        area: The cells it covers.
        hidden: Switched off in the selection pane.
    """

    text: str
    area: Area
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where a shape or group lies, in rows and columns (fractions of a cell allowed)."""

    top: float
    left: float
    bottom: float
    right: float

    def area(self) -> Area:
        top, left = _cell_number(self.top, MAX_ROW), _cell_number(self.left, MAX_COLUMN)
        bottom, right = _cell_number(self.bottom, MAX_ROW), _cell_number(self.right, MAX_COLUMN)
        return Area(top, left, max(top, bottom), max(left, right))

    def inside(self, x: float, y: float, width: float, height: float) -> "_Frame":
        """Return the frame of a part, given as shares of this one."""
        rows, columns = self.bottom - self.top, self.right - self.left
        return _Frame(
            self.top + y * rows,
            self.left + x * columns,
            self.top + (y + height) * rows,
            self.left + (x + width) * columns,
        )


def _cell_number(offset: float, most: int) -> int:
    return min(max(int(offset), 0), most - 1) + 1 if math.isfinite(offset) else 1


def read_shapes(package: Package, sheet_part: str) -> list[Shape]:
    """Return the shapes with text on a sheet, in reading order (top to bottom, left to right).

    A damaged drawing is passed over: the cells are worth more than the refusal of the whole file.
    """
    found: list[Shape] = []
    for part in package.related(sheet_part, "drawing"):
        try:
            root = package.tree(part)
        except PackageError:
            continue
        drawing = _Drawing(package, part)
        for anchor in children(root, *_ANCHORS):
            frame = _anchor_frame(anchor)
            for node in anchor:
                found.extend(drawing.shapes(node, frame))
    found.sort(key=lambda shape: (shape.area.top, shape.area.left))
    return found


def _anchor_frame(anchor: Element) -> _Frame:
    start, end = child(anchor, "from"), child(anchor, "to")
    if start is None:
        return _Frame(0, 0, 0, 0)
    top, left = _place(start)
    bottom, right = _place(end) if end is not None else (top, left)
    return _Frame(top, left, max(top, bottom), max(left, right))


def _place(marker: Element) -> tuple[float, float]:
    return _value(child(marker, "row")), _value(child(marker, "col"))


def _value(element: Element | None) -> float:
    try:
        return float((element.text if element is not None else None) or 0)
    except ValueError:
        return 0.0


class _Drawing:
    def __init__(self, package: Package, part: str) -> None:
        self._package = package
        self._part = part

    def shapes(self, node: Element, frame: _Frame) -> Iterator[Shape]:
        match local(node):
            case "sp" | "cxnSp":
                body = child(node, "txBody")
                text = "" if body is None else body_text(body)
                if text:
                    yield Shape(text, frame.area(), _is_hidden(node))
            case "grpSp":
                yield from self._group(node, frame)
            case "AlternateContent":
                # Choice and Fallback draw the same thing twice.
                branch = child(node, "Choice")
                branch = child(node, "Fallback") if branch is None else branch
                for inner in () if branch is None else branch:
                    yield from self.shapes(inner, frame)
            case "graphicFrame":
                text = "\n".join(self._graphic(node))
                if text:
                    yield Shape(text, frame.area())

    def _group(self, group: Element, frame: _Frame) -> Iterator[Shape]:
        origin = _transform(child(group, "grpSpPr"), "chOff", "chExt")
        placed: list[Shape] = []
        for node in group:
            inner = frame
            own = _transform(child(node, "grpSpPr" if local(node) == "grpSp" else "spPr"), "off", "ext")
            if origin is not None and own is not None and origin[2] and origin[3]:
                x, y, width, height = own
                inner = frame.inside(
                    (x - origin[0]) / origin[2],
                    (y - origin[1]) / origin[3],
                    width / origin[2],
                    height / origin[3],
                )
            placed.extend(self.shapes(node, inner))
        yield from sorted(placed, key=lambda shape: (shape.area.top, shape.area.left))

    def _graphic(self, frame: Element) -> Iterator[str]:
        relations = self._package.relationships(self._part)
        for node in frame.iter():
            if local(node) not in ("relIds", "chart"):
                continue
            target = relations.get(relation_id(node, "dm") or relation_id(node))
            if target is None or target.target not in self._package:
                continue
            try:
                root = self._package.tree(target.target)
            except PackageError:
                continue
            yield from _smart_art(root) if local(node) == "relIds" else _chart_titles(root)


def _is_hidden(node: Element) -> bool:
    names = next(children(node, "nvSpPr", "nvCxnSpPr"), None)
    properties = child(names, "cNvPr")
    return properties is not None and flag(properties.get("hidden"))


def _transform(properties: Element | None, offset: str, extent: str) -> tuple[float, float, float, float] | None:
    matrix = child(properties, "xfrm")
    place, size = child(matrix, offset), child(matrix, extent)
    if place is None or size is None:
        return None
    try:
        return (
            float(place.get("x") or 0),
            float(place.get("y") or 0),
            float(size.get("cx") or 0),
            float(size.get("cy") or 0),
        )
    except ValueError:
        return None


def body_text(body: Element) -> str:
    """Return the paragraphs of a DrawingML text body, one a line, outer blank lines removed."""
    lines: list[str] = []
    for paragraph in children(body, "p"):
        parts: list[str] = []
        for run in paragraph:
            name = local(run)
            if name in ("r", "fld"):
                parts.extend(text.text or "" for text in children(run, "t"))
            elif name == "br":
                parts.append("\n")
        lines.append(unescape("".join(parts)).rstrip())
    return "\n".join(lines).strip("\n") if any(line.strip() for line in lines) else ""


def _smart_art(data: Element) -> Iterator[str]:
    for point in data.iter():
        if local(point) == "pt" and point.get("type", "node") not in _HIDDEN_TYPES:
            body = child(point, "t")
            text = "" if body is None else body_text(body)
            if text:
                yield text


def _chart_titles(chart: Element) -> Iterator[str]:
    for title in chart.iter():
        if local(title) == "title":
            for rich in title.iter():
                if local(rich) == "rich":
                    text = body_text(rich)
                    if text:
                        yield text


def read_controls(package: Package, sheet_part: str) -> list[Shape]:
    """Return the captions of old form controls and text boxes (VML), cell notes excluded."""
    found: list[Shape] = []
    for part in package.related(sheet_part, "vmlDrawing"):
        try:
            root = package.tree(part, lenient=True)
        except PackageError:
            continue
        for node in root.iter():
            data = child(node, "ClientData") if local(node) in ("shape", "rect") else None
            box = child(node, "textbox")
            if data is None or box is None or data.get("ObjectType") == "Note":
                continue
            text = unescape(" ".join(" ".join(str(piece) for piece in box.itertext()).split()))
            if text:
                found.append(Shape(text, _vml_area(child(data, "Anchor"))))
    return found


def _vml_area(anchor: Element | None) -> Area:
    # left column, offset, top row, offset, right column, offset, bottom row, offset
    numbers = [
        int(part)
        for part in ((anchor.text if anchor is not None else None) or "").split(",")
        if part.strip().isdecimal()
    ]
    if len(numbers) != 8:  # noqa: PLR2004  # four corners with offsets
        return Area(1, 1, 1, 1)
    return Area(numbers[2] + 1, numbers[0] + 1, max(numbers[2], numbers[6]) + 1, max(numbers[0], numbers[4]) + 1)
