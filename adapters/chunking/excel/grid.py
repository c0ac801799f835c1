"""A worksheet as a sparse grid of displayed cells, merged regions once."""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from .formats import display_number, display_text
from .package import Element, Package, Workbook, child, children, flag, local, rich_text, unescape
from .styles import PLAIN, Style

MAX_COLUMN = 16_384
MAX_ROW = 1_048_576
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})", re.IGNORECASE)
# Formatted empty rows below the last text are kept up to here: a form's frame ends near its text, while a
# used range of a million formatted rows must not fill the memory.
_PENDING_CELLS = 20_000
_DEFAULT_WIDTH = 8.43
# Larger merged regions (whole columns) are not followed cell by cell.
LARGE_MERGE = 10_000
_MAX_MERGED = 3_000_000

Place = tuple[int, int]
"""Row and column, counted from 1."""


@lru_cache(maxsize=4096)
def column_letters(column: int) -> str:
    """Return the letters of a column, 1 is A."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


@lru_cache(maxsize=4096)
def _column_number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def parse_reference(reference: str) -> tuple[int, int] | None:
    """Return (row, column) of an A1 reference, None when it is none."""
    match = _REFERENCE.fullmatch(reference)
    return (int(match[2]), _column_number(match[1])) if match else None


@dataclass(frozen=True, slots=True, order=True)
class Area:
    """A rectangle of cells, ends included, counted from 1."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def a1(self) -> str:
        """The range in A1 notation; one cell alone has no colon."""
        first = f"{column_letters(self.left)}{self.top}"
        last = f"{column_letters(self.right)}{self.bottom}"
        return first if first == last else f"{first}:{last}"

    def union(self, other: "Area") -> "Area":
        """Return the smallest rectangle around both."""
        return Area(
            min(self.top, other.top),
            min(self.left, other.left),
            max(self.bottom, other.bottom),
            max(self.right, other.right),
        )

    def holds(self, row: int, column: int) -> bool:
        """Tell whether a cell lies inside."""
        return self.top <= row <= self.bottom and self.left <= column <= self.right


def parse_area(reference: str) -> Area | None:
    """Return the rectangle of an A1 range or single cell, None when it is none."""
    first, _, last = reference.partition(":")
    start, end = parse_reference(first), parse_reference(last or first)
    if start is None or end is None or start[0] > end[0] or start[1] > end[1]:
        return None
    return Area(*start, *end)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with text, or the top left cell of a merged region.

    Attributes:
        area: The cell, or the whole merged region.
        text: Displayed value, never empty.
        style: Its look.
        is_text: False for numbers, dates, booleans and errors.
    """

    area: Area
    text: str
    style: Style
    is_text: bool


@dataclass(slots=True)
class Grid:
    """A worksheet.

    Attributes:
        cells: Cells with text by (row, column) of their top left corner, in reading order.
        drawn: Look of cells that have a border or a fill, text or not.
        merges: Merged regions by their top left corner.
        hidden_rows: Rows that are not shown.
        hidden_columns: Columns that are not shown.
        widths: Column widths in characters where they differ from `default_width`.
        default_width: Width of all other columns, in characters.
        filters: Ranges with a filter; their first row is a header.
    """

    cells: dict[Place, Cell] = field(default_factory=dict)
    drawn: dict[Place, Style] = field(default_factory=dict)
    merges: dict[Place, Area] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    widths: list[tuple[int, int, float]] = field(default_factory=list)
    default_width: float = _DEFAULT_WIDTH
    filters: list[Area] = field(default_factory=list)

    def column_hidden(self, column: int) -> bool:
        """Tell whether a column is not shown."""
        return any(first <= column <= last for first, last in self.hidden_columns)

    def width(self, column: int) -> float:
        """Return a column's width in characters."""
        return next((w for first, last, w in self.widths if first <= column <= last), self.default_width)

    def is_hidden(self, area: Area) -> bool:
        """Tell whether no part of an area is shown."""
        rows = range(area.top, area.bottom + 1)
        if self.hidden_rows and all(row in self.hidden_rows for row in rows):
            return True
        columns = range(area.left, area.right + 1)
        return bool(self.hidden_columns) and all(self.column_hidden(column) for column in columns)


def read_grid(package: Package, part: str, workbook: Workbook, styles: tuple[Style, ...]) -> Grid:
    """Read a worksheet part.

    Args:
        package: The package.
        part: The worksheet part.
        workbook: Shared strings and the calendar.
        styles: Styles by cell format index.

    Raises:
        PackageError: The part is missing or not XML.
    """
    reader = _Reader(workbook, styles)
    for element in package.stream(part, "row", "mergeCell", "col", "sheetFormatPr", "autoFilter"):
        match local(element):
            case "row":
                reader.row(element)
            case "mergeCell":
                reader.merge(element)
            case "col":
                reader.column(element)
            case "autoFilter":
                reader.filter(element)
            case _:
                reader.format(element)
    return reader.finish()


class _Reader:
    def __init__(self, workbook: Workbook, styles: tuple[Style, ...]) -> None:
        self._workbook = workbook
        self._styles = styles
        self._grid = Grid()
        self._found: dict[Place, tuple[str, Style, bool]] = {}
        self._pending: dict[Place, Style] = {}
        self._row = 0
        self._merged = 0

    def format(self, element: Element) -> None:
        width = _number(element.get("defaultColWidth")) or _number(element.get("baseColWidth"))
        self._grid.default_width = width or _DEFAULT_WIDTH

    def column(self, element: Element) -> None:
        first, last = int(_number(element.get("min"))), int(_number(element.get("max")))
        width = _number(element.get("width"))
        if flag(element.get("hidden")) or (element.get("width") is not None and width == 0):
            self._grid.hidden_columns.append((first, last))
        elif element.get("width") is not None:
            self._grid.widths.append((first, last, width))

    def filter(self, element: Element) -> None:
        area = parse_area(element.get("ref") or "")
        if area is not None:
            self._grid.filters.append(area)

    def merge(self, element: Element) -> None:
        area = parse_area(element.get("ref") or "")
        if area is not None:
            self._merged += min((area.bottom - area.top + 1) * (area.right - area.left + 1), LARGE_MERGE)
            # Merged regions of a real sheet do not overlap, so they cannot cover more than this for long.
            if self._merged <= _MAX_MERGED:
                self._grid.merges[area.top, area.left] = area

    def row(self, element: Element) -> None:
        number = int(_number(element.get("r"))) or self._row + 1
        self._row = number
        if flag(element.get("hidden")) or element.get("ht") == "0":
            self._grid.hidden_rows.add(number)
        column = 0
        for cell in children(element, "c"):
            place = parse_reference(cell.get("r") or "")
            column = place[1] if place else column + 1
            self._cell(cell, (number, column))

    def _cell(self, cell: Element, place: tuple[int, int]) -> None:
        index = int(_number(cell.get("s")))
        style = self._styles[index] if 0 <= index < len(self._styles) else PLAIN
        text, is_text = self._value(cell, style) if len(cell) else ("", False)
        if style.drawn:
            self._pending[place] = style
        if text.strip():
            self._found[place] = (text, style, is_text)
            self._grid.drawn.update(self._pending)
            self._pending.clear()
        elif len(self._pending) > _PENDING_CELLS:
            self._pending = dict(list(self._pending.items())[: _PENDING_CELLS // 2])

    def _value(self, cell: Element, style: Style) -> tuple[str, bool]:  # noqa: PLR0911  # one return a cell type
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            inline = child(cell, "is")
            return (display_text(rich_text(inline), style.code) if inline is not None else "", True)
        value = child(cell, "v")
        raw = "" if value is None else value.text or ""
        if not raw:
            return "", False
        if kind == "s":
            index = int(_number(raw))
            strings = self._workbook.strings
            return (display_text(strings[index], style.code) if 0 <= index < len(strings) else "", True)
        if kind == "str":
            return display_text(unescape(raw), style.code), True
        if kind == "b":
            return ("TRUE" if flag(raw.strip()) else "FALSE"), False
        if kind in ("e", "d"):
            return raw, False
        try:
            number = float(raw)
        except ValueError:
            return raw, True
        if not math.isfinite(number):
            return raw, True
        return display_number(number, style.code, date1904=self._workbook.date1904), False

    def finish(self) -> Grid:
        grid = self._grid
        if self._found:
            # The frame below the last text row belongs to it as far as it is one block of rows.
            last = max(row for row, _ in self._found)
            grid.drawn.update({place: style for place, style in self._pending.items() if place[0] <= last + 50})
        places = sorted(self._found)
        covered = set(_covered(grid.merges, places))
        for place in places:
            if place in covered:
                continue
            text, style, is_text = self._found[place]
            area = grid.merges.get(place, Area(*place, *place))
            grid.cells[place] = Cell(area, text.strip("\n"), style, is_text)
        return grid


def _covered(merges: dict[Place, Area], places: list[Place]) -> Iterator[Place]:
    """Yield the places that lie under a merged region without being its top left corner.

    Args:
        merges: Merged regions by their top left corner.
        places: Places with text, sorted.
    """
    columns: dict[int, list[int]] = {}
    for row, column in places:
        columns.setdefault(row, []).append(column)
    rows = list(columns)
    for start, area in merges.items():
        for row in rows[bisect_left(rows, area.top) : bisect_right(rows, area.bottom)]:
            inside = columns[row]
            for column in inside[bisect_left(inside, area.left) : bisect_right(inside, area.right)]:
                if (row, column) != start:
                    yield row, column


def _number(value: str | None) -> float:
    try:
        number = float(value or 0)
    except ValueError:
        return 0.0
    return number if math.isfinite(number) else 0.0
