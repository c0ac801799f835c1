"""Finds framed regions (tables and forms) on a sheet and reads them as logical lines of boxes.

A box is what a person sees as one cell: a merged region, or the space between border lines on grid paper.
A logical line is what lies between two horizontal border lines; it may span several physical rows.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from .grid import LARGE_MERGE, Area, Cell, Grid, Place
from .styles import PLAIN, Style

_LARGE_AREA = 100_000
_SPARSE = 40


@dataclass(frozen=True, slots=True)
class Line:
    """One logical line of a region.

    Attributes:
        top: First sheet row.
        bottom: Last sheet row.
        boxes: Boxes that begin here, left to right.
        spanning: Boxes that began above and reach into this line.
    """

    top: int
    bottom: int
    boxes: tuple[Cell, ...]
    spanning: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Region:
    """A table or form: its area and its logical lines with text."""

    area: Area
    lines: tuple[Line, ...]
    framed: bool


def find_regions(grid: Grid, cells: dict[Place, Cell], *, loose: bool) -> tuple[list[Region], dict[Place, Cell]]:
    """Split a sheet's cells into regions and free text.

    Args:
        grid: Borders, fills and merges.
        cells: The visible cells with text.
        loose: Also take unframed blocks of neighbouring cells as tables (not on grid paper, where neighbouring
            cells are mostly running text).

    Returns:
        The regions in reading order, and the cells outside of them.
    """
    free = dict(cells)
    regions: list[Region] = []
    framed = _framed_areas(grid, cells)
    rows: dict[int, list[int]] = {}
    for row, column in cells:
        rows.setdefault(row, []).append(column)
    for frame in framed:
        area = _with_plain_rows(frame, framed, rows) if loose else frame
        inside = {
            (row, column): free[row, column]
            for row in range(area.top, area.bottom + 1)
            for column in rows.get(row, ())
            if area.left <= column <= area.right and (row, column) in free
        }
        region = _framed_region(grid, area, inside, ruled_to=frame.bottom)
        if _is_table(region):
            regions.append(region)
            for place in inside:
                del free[place]
    if loose:
        for block in _components(set(free), free, diagonal=True):
            inside = {place: free[place] for place in block}
            region = _loose_region(inside)
            if _is_table(region) and sum(len(line.boxes) > 1 for line in region.lines) > 1:
                regions.append(region)
                for place in inside:
                    del free[place]
    regions.sort(key=lambda region: region.area)
    return regions, free


def _is_table(region: Region) -> bool:
    boxes = sum(len(line.boxes) for line in region.lines)
    if boxes < 2:  # noqa: PLR2004  # a lone box is a line of text with a frame
        return False
    if any(len(line.boxes) > 1 or line.spanning for line in region.lines):
        return True
    # One box a line: a boxed text, unless labels stand out by their fill or a column of cells is ruled.
    filled = [line.boxes[0].style.filled for line in region.lines]
    return any(filled) or all(_boxed(line.boxes[0].style) for line in region.lines)


def _boxed(style: Style) -> bool:
    return style.top and style.bottom


def _framed_areas(grid: Grid, cells: dict[Place, Cell]) -> list[Area]:
    drawn = set(grid.drawn)
    for start, area in grid.merges.items():
        # A merged cell is drawn as a whole, however few of its cells carry the style.
        if start in grid.drawn and (area.bottom - area.top) * (area.right - area.left) < LARGE_MERGE:
            drawn.update((r, c) for r in range(area.top, area.bottom + 1) for c in range(area.left, area.right + 1))
    areas: list[Area] = []
    for component in _components(drawn, {}, diagonal=False):
        trimmed = _trim(grid, _bounds(component))
        if trimmed is not None and _is_filled_out(component, trimmed) and not _is_page_frame(component, trimmed):
            areas.append(trimmed)
    areas = [area for area in _merge_overlapping(areas) if any(area.holds(*place) for place in cells)]
    return sorted(areas)


def _components(places: set[Place], cells: dict[Place, Cell], *, diagonal: bool) -> list[set[Place]]:
    """Group places that touch; a merged cell counts with its whole area."""
    owner = {place: place for place in places}
    for place, cell in cells.items():
        area = cell.area
        if (area.bottom - area.top) * (area.right - area.left) < LARGE_MERGE:
            for row in range(area.top, area.bottom + 1):
                for column in range(area.left, area.right + 1):
                    owner[row, column] = place
    steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]
    if diagonal:
        steps += [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    todo, found = set(owner), []
    while todo:
        stack = [todo.pop()]
        component = {owner[stack[0]]}
        while stack:
            row, column = stack.pop()
            for down, right in steps:
                neighbour = (row + down, column + right)
                if neighbour in todo:
                    todo.remove(neighbour)
                    component.add(owner[neighbour])
                    stack.append(neighbour)
        found.append(component)
    return found


def _bounds(places: Iterable[Place]) -> Area:
    rows, columns = zip(*places, strict=True)
    return Area(min(rows), min(columns), max(rows), max(columns))


def _trim(grid: Grid, area: Area) -> Area | None:
    """Drop outer rows and columns that only carry the line of their neighbour (a bottom line drawn as top line)."""
    top, left, bottom, right = area.top, area.left, area.bottom, area.right
    columns, rows = range(left, right + 1), range(top, bottom + 1)

    def only(places: list[Place], side: str) -> bool:
        styles = [grid.drawn[place] for place in places if place in grid.drawn]
        return bool(styles) and all(_only_side(style, side) for style in styles)

    if bottom > top and only([(bottom, column) for column in columns], "top"):
        bottom -= 1
    if bottom > top and only([(top, column) for column in columns], "bottom"):
        top += 1
    if right > left and only([(row, right) for row in rows], "left"):
        right -= 1
    if right > left and only([(row, left) for row in rows], "right"):
        left += 1
    return Area(top, left, bottom, right) if top <= bottom and left <= right else None


def _only_side(style: Style, side: str) -> bool:
    sides = {name for name in ("left", "right", "top", "bottom") if getattr(style, name)}
    return sides == {side} and not style.filled


def _is_filled_out(component: set[Place], area: Area) -> bool:
    """Tell a table from lines that span a huge area with next to nothing in it."""
    size = (area.bottom - area.top + 1) * (area.right - area.left + 1)
    return size < _LARGE_AREA or size < _SPARSE * len(component)


def _is_page_frame(component: set[Place], area: Area) -> bool:
    """A frame around free space: text inside is read as text, tables inside as tables of their own."""
    if area.bottom - area.top < 2 or area.right - area.left < 2:  # noqa: PLR2004  # no inside
        return False
    edge = sum(row in (area.top, area.bottom) or column in (area.left, area.right) for row, column in component)
    return edge == len(component)


def _merge_overlapping(areas: list[Area]) -> list[Area]:
    merged: list[Area] = []
    for area in sorted(areas):
        current = area
        while True:
            hit = next((other for other in merged if _overlap(current, other)), None)
            if hit is None:
                break
            merged.remove(hit)
            current = current.union(hit)
        merged.append(current)
    return merged


def _overlap(one: Area, other: Area) -> bool:
    return one.top <= other.bottom and other.top <= one.bottom and one.left <= other.right and other.left <= one.right


def _loose_region(cells: dict[Place, Cell]) -> Region:
    area = _bounds([(cell.area.top, cell.area.left) for cell in cells.values()]).union(
        _bounds([(cell.area.bottom, cell.area.right) for cell in cells.values()])
    )
    rows = sorted({row for row, _ in cells})
    lines = [(row, row) for row in rows]
    return Region(area, _lines(lines, list(cells.values())), framed=False)


def _with_plain_rows(area: Area, others: list[Area], rows: dict[int, list[int]]) -> Area:
    """Add the rows right below a framed header whose own cells have no frame."""
    if area.left == area.right:
        return area
    bottom = end = area.bottom
    while True:
        count = sum(area.left <= column <= area.right for column in rows.get(end + 1, ()))
        blocked = any(other.holds(end + 1, column) for other in others for column in (area.left, area.right))
        if not count or blocked:
            return Area(area.top, area.left, bottom, area.right)
        end += 1
        # The last row must be one of several cells: a lone one below is a line of text.
        bottom = end if count > 1 else bottom


def _framed_region(grid: Grid, area: Area, cells: dict[Place, Cell], *, ruled_to: int) -> Region:
    ruler = _Ruler(grid, area, cells, ruled_to)
    boxes = [ruler.box(cell) for cell in cells.values()]
    return Region(area, _lines(ruler.line_rows(), boxes), framed=True)


def _lines(rows: list[tuple[int, int]], boxes: list[Cell]) -> tuple[Line, ...]:
    by_row: dict[int, list[Cell]] = {}
    for box in boxes:
        by_row.setdefault(box.area.top, []).append(box)
    lines: list[Line] = []
    open_boxes: list[Cell] = []
    for top, bottom in rows:
        open_boxes = [box for box in open_boxes if box.area.bottom >= top]
        own = [box for row in range(top, bottom + 1) for box in by_row.get(row, ())]
        if own:
            lines.append(Line(top, bottom, _left_to_right(own), _left_to_right(open_boxes)))
        open_boxes += [box for box in own if box.area.bottom > bottom]
    return tuple(lines)


def _left_to_right(boxes: list[Cell]) -> tuple[Cell, ...]:
    return tuple(sorted(boxes, key=lambda box: (box.area.left, box.area.top)))


class _Ruler:
    """Knows where the lines of a framed region run."""

    def __init__(self, grid: Grid, area: Area, cells: dict[Place, Cell], ruled_to: int) -> None:
        self._grid = grid
        self._area = area
        self._ruled_to = ruled_to
        self._columns = range(area.left, area.right + 1)
        self._merged = {
            (row, column): merge
            for merge in grid.merges.values()
            if _overlap(merge, area)
            for row in range(max(merge.top, area.top), min(merge.bottom, area.bottom) + 1)
            for column in range(max(merge.left, area.left), min(merge.right, area.right) + 1)
        }
        self._by_row: dict[int, list[int]] = {}
        for row, column in cells:
            self._by_row.setdefault(row, []).append(column)
        self._ruled_rows = {row for row in range(area.top, area.bottom) if self._ruled(row)}
        self._lines = self._line_rows()
        self._unruled_starts = {top for top, _ in self._lines if top - 1 not in self._ruled_rows}

    def _style(self, row: int, column: int) -> Style:
        return self._grid.drawn.get((row, column), PLAIN)

    def _line_below(self, row: int, column: int) -> bool:
        merge = self._merged.get((row, column))
        if merge is not None and merge.bottom > row:
            return False
        return self._style(row, column).bottom or self._style(row + 1, column).top

    def _ruled(self, row: int) -> bool:
        return any(self._line_below(row, column) for column in self._columns)

    def _line_right(self, row: int, column: int) -> bool:
        return self._style(row, column).right or self._style(row, column + 1).left

    def box(self, cell: Cell) -> Cell:
        """Return the cell with the area that its border lines give it."""
        area = cell.area
        right, bottom = area.right, area.bottom
        texts = self._by_row
        if area.left == area.right:
            row = area.top
            while (
                right < self._area.right
                and not self._line_right(row, right)
                and right + 1 not in texts.get(row, ())
                and (row, right + 1) not in self._merged
                and self._style(row, right + 1).fill == cell.style.fill
            ):
                right += 1
        columns = range(area.left, right + 1)
        while (
            self._ruled_rows
            and bottom < self._area.bottom
            and bottom + 1 not in self._unruled_starts
            and not any(self._line_below(bottom, column) for column in columns)
            and not any(column in columns for column in texts.get(bottom + 1, ()))
            and self._style(bottom + 1, area.left).fill == cell.style.fill
        ):
            bottom += 1
        return Cell(Area(area.top, area.left, bottom, right), cell.text, cell.style, cell.is_text)

    def line_rows(self) -> list[tuple[int, int]]:
        """Return (first, last) sheet row of every logical line."""
        return self._lines

    def _line_rows(self) -> list[tuple[int, int]]:
        groups: list[tuple[int, int]] = []
        for row in range(self._area.top, self._area.bottom + 1):
            if groups and not self._starts(row, groups[-1]):
                groups[-1] = (groups[-1][0], row)
            else:
                groups.append((row, row))
        return groups

    def _starts(self, row: int, group: tuple[int, int]) -> bool:
        if row - 1 in self._ruled_rows or not self._ruled_rows or row > self._ruled_to:
            return True
        here = self._by_row.get(row, [])
        above = [column for r in range(group[0], row) for column in self._by_row.get(r, [])]
        if not here or not above:
            return False
        if {self._fill(row, here)} != {
            self._fill(r, self._by_row[r]) for r in range(group[0], row) if r in self._by_row
        }:
            return True
        # A row that fills the first column again, and others with it, is a line of its own, ruled or not.
        return min(above) in here and len(here) > 1

    def _fill(self, row: int, columns: list[int]) -> bool:
        return all(self._style(row, column).filled for column in columns)
