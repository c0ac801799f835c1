"""Visual reading order: recursive cuts between rows and columns (after the X-Y cut of Nagy and Seth, 1984)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

_OVERLAP_TOLERANCE: Final = 0.15
"""Part of a box's side that may overlap its neighbour without keeping a cut from passing between them."""
_CONTAINED: Final = 0.85
"""Part of a box's area that must lie in another for it to count as standing on top of that one."""
_LABEL_CHARS: Final = 14
_TEXT_TO_LABEL: Final = 2
_DEEPEST: Final = 40
_MOST_NESTED: Final = 300
"""Things on a slide up to which each is compared with all others."""


@dataclass(frozen=True, slots=True)
class Box:
    """Rectangle on the slide, in EMU, origin at the top left."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        """Area in square EMU."""
        return max(self.right - self.left, 1.0) * max(self.bottom - self.top, 1.0)

    def within(self, other: "Box") -> bool:
        """Return whether this box stands on `other`."""
        width = min(self.right, other.right) - max(self.left, other.left)
        if width <= 0:
            return False
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return height > 0 and width * height >= _CONTAINED * self.area


def union(boxes: Sequence[Box]) -> Box:
    """Return the smallest box around all of `boxes` (at least one)."""
    return Box(
        min(b.left for b in boxes),
        min(b.top for b in boxes),
        max(b.right for b in boxes),
        max(b.bottom for b in boxes),
    )


@dataclass(frozen=True, slots=True)
class Placed:
    """A thing to be ordered: its box, its number in the input, the length of its text in characters."""

    box: Box
    index: int
    chars: int


T = TypeVar("T")


def in_reading_order(things: Sequence[T], box: Callable[[T], Box], chars: Callable[[T], int]) -> list[T]:
    """Return things as a person reads them: rows from the top, each from the left, columns one by one.

    What stands on a larger thing follows it directly. A column of short labels beside a column of texts is read
    row by row.
    """
    placed = [Placed(box(each), number, chars(each)) for number, each in enumerate(things)]
    if len(placed) > _MOST_NESTED:
        return [things[each.index] for each in _cut(placed, 0)]
    return [things[each.index] for each in _nested(placed, 0)]


def _nested(placed: Sequence[Placed], depth: int) -> list[Placed]:
    owners: dict[int, Placed] = {}
    by_area = sorted(placed, key=lambda each: (each.box.area, each.index))
    for place, each in enumerate(by_area):
        area = each.box.area
        for other in by_area[place + 1 :]:  # the smallest that it stands on
            if each.box.within(other.box) and other.box.area > area:
                owners[each.index] = other
                break
    ordered: list[Placed] = []
    for root in _cut([each for each in placed if each.index not in owners], depth):
        ordered += _with_members(root, placed, owners, depth)
    return ordered


def _with_members(owner: Placed, placed: Sequence[Placed], owners: dict[int, Placed], depth: int) -> list[Placed]:
    members = [each for each in placed if owners.get(each.index) is owner]
    ordered = [owner]
    for member in _cut(members, depth):
        ordered += _with_members(member, placed, owners, depth)
    return ordered


def _cut(placed: Sequence[Placed], depth: int) -> list[Placed]:
    if len(placed) <= 1 or depth > _DEEPEST:
        return sorted(placed, key=_row_key)
    rows, row_gap = _split(placed, _down)
    columns, column_gap = _split(placed, _across)
    if len(rows) == 1 and len(columns) == 1:
        return _by_lines(placed)
    if len(columns) == 1:
        parts = _bands(rows)
    elif len(rows) == 1 or (column_gap > row_gap and not _labels_and_texts(columns, rows)):
        parts = columns
    else:
        parts = rows
    ordered: list[Placed] = []
    for part in parts:
        ordered += _cut(part, depth + 1)
    return ordered


def _bands(rows: Sequence[list[Placed]]) -> list[list[Placed]]:
    """Put neighbouring rows together between which columns run through; a row across all columns ends them."""
    bands: list[list[Placed]] = []
    running = False
    for row in rows:
        joined = [*bands[-1], *row] if running else []
        if joined and len(_split(joined, _across)[0]) > 1:
            bands[-1] = joined
        else:
            bands.append(list(row))
            running = len(_split(row, _across)[0]) > 1
    return bands


def _across(box: Box) -> tuple[float, float]:
    return box.left, box.right


def _down(box: Box) -> tuple[float, float]:
    return box.top, box.bottom


def _split(placed: Sequence[Placed], side: Callable[[Box], tuple[float, float]]) -> tuple[list[list[Placed]], float]:
    """Return the parts between which a straight cut passes, and the widest gap."""
    shrunk = []
    for each in placed:
        low, high = side(each.box)
        margin = (high - low) * _OVERLAP_TOLERANCE
        shrunk.append((low + margin, high - margin, low, high, each))
    shrunk.sort(key=lambda entry: (entry[0], entry[4].index))
    parts: list[list[Placed]] = []
    reach = edge = float("-inf")
    widest = float("-inf")
    for low, high, real_low, real_high, each in shrunk:
        if not parts or low >= reach:
            if parts:
                widest = max(widest, real_low - edge)
            parts.append([])
        parts[-1].append(each)
        reach, edge = max(reach, high), max(edge, real_high)
    return parts, widest


def _labels_and_texts(columns: Sequence[Sequence[Placed]], rows: Sequence[Sequence[Placed]]) -> bool:
    """Return whether the first column holds one short label for each row, and the rest says much more."""
    first = columns[0]
    labels = sum(each.chars for each in first)
    texts = sum(each.chars for column in columns[1:] for each in column)
    short = all(each.chars <= _LABEL_CHARS for each in first)
    return len(first) == len(rows) > 1 and short and texts > _TEXT_TO_LABEL * labels


def _by_lines(placed: Sequence[Placed]) -> list[Placed]:
    """Order overlapping things: what shares half its height with the line's first thing is on that line."""
    rest = sorted(placed, key=_row_key)
    ordered: list[Placed] = []
    while rest:
        first = rest[0].box
        line = [each for each in rest if _shared_height(each.box, first)]
        ordered += sorted(line, key=lambda each: (each.box.left, each.box.top, each.index))
        rest = [each for each in rest if each not in line]
    return ordered


def _shared_height(box: Box, other: Box) -> bool:
    shared = min(box.bottom, other.bottom) - max(box.top, other.top)
    smaller = max(min(box.bottom - box.top, other.bottom - other.top), 1.0)
    return box == other or shared >= smaller / 2


def _row_key(each: Placed) -> tuple[float, float, int]:
    return each.box.top, each.box.left, each.index
