"""Column labels from header lines."""

from collections.abc import Iterable

from .fields import PATH, flat, joined
from .frames import Line
from .grid import Cell


class Header:
    """Column labels from header lines, merged cells included."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        self._paths: dict[tuple[int, int], str] = {}
        self._boxes = [box for line in lines for box in line.boxes]
        self._boxes.sort(key=lambda box: (box.area.top, box.area.left))
        self.bottom = max(line.bottom for line in lines)
        self.area = self._boxes[0].area
        for box in self._boxes:
            self.area = self.area.union(box.area)
        self.width = self.area.right - self.area.left + 1
        leaves = [box for box in self._boxes if not self._has_below(box)]
        self.lefts = {box.area.left for box in self._boxes}
        self.labels = list(dict.fromkeys(self._path(box.area.left, box.area.bottom) for box in leaves))

    def _has_below(self, box: Cell) -> bool:
        return any(
            other.area.top > box.area.top and other.area.left <= box.area.right and box.area.left <= other.area.right
            for other in self._boxes
        )

    def _path(self, column: int, down_to: int) -> str:
        known = self._paths.get((column, down_to))
        if known is None:
            known = self._paths[column, down_to] = self._find_path(column, down_to)
        return known

    def _find_path(self, column: int, down_to: int) -> str:
        over = [b for b in self._boxes if b.area.left <= column <= b.area.right and b.area.top <= down_to]
        return PATH.join(dict.fromkeys(flat(box.text) for box in over))

    def label(self, row: int, column: int) -> str:
        """Return the full label of a cell's column, down to the cell itself inside the header."""
        return self._path(column, row)

    def pairs(self, boxes: Iterable[Cell]) -> list[tuple[str, str]]:
        """Give each value its label; values under one label are one field."""
        fields: dict[str, list[Cell]] = {}
        for box in sorted(boxes, key=lambda box: (box.area.left, box.area.top)):
            fields.setdefault(self._path(box.area.left, self.bottom), []).append(box)
        return [(label, joined(values)) for label, values in fields.items()]


def divides(upper: Line, lower: Line) -> bool:
    """Tell whether the boxes of a line lie two or more under wide boxes of the line above."""
    wide = [box.area for box in upper.boxes if box.area.right > box.area.left]
    return len(lower.boxes) > 1 and all(
        any(area.left <= box.area.left and box.area.right <= area.right for area in wide) for box in lower.boxes
    )


def columns(box: Cell) -> int:
    """Return how many columns a box covers."""
    return box.area.right - box.area.left + 1
