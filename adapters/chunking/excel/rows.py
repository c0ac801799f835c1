"""Data rows of a table as text."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .fields import FIELD, MAX_LABEL_CHARS, compact, joined, nested, write_row
from .frames import Line
from .grid import Area, Cell
from .header import Header, columns
from .segments import BAND_SHARE

# Labels merged over several rows are written once; in tables longer than one chunk they come with every row.
_LONG_TABLE_CHARS = 700
_LABEL_CHARS = 8
_LABELS_OUTWEIGH = 2.5
_MANY_COLUMNS = 6
_RUNNING = re.compile(r"\d{1,4}")


@dataclass(slots=True)
class Draft:
    """A rule block in the making; rows and texts come with their areas."""

    area: Area
    caption: list[str] = field(default_factory=list)
    rows: list[tuple[str, Area]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    header: tuple[str, ...] = ()
    empty: list[tuple[str, Area]] = field(default_factory=list)
    form: bool = False
    label_at: Callable[[int, int], str] = field(default=lambda _row, _column: "")


class RowWriter:
    """Writes the data rows of a table."""

    def __init__(self, header: Header, draft: Draft, body: Sequence[Line]) -> None:
        values = [len(box.text) for line in body for box in line.boxes]
        size = sum(values) + _LABEL_CHARS * len(values)
        labels = sum(map(len, header.labels)) * max(1, len(values)) / max(1, len(header.labels))
        self._header = header
        self._draft = draft
        self._repeat = size > _LONG_TABLE_CHARS
        # Where labels outweigh values (years over percentages), a part that fields share is said once a row.
        self._compact = len(header.labels) >= _MANY_COLUMNS and labels > _LABELS_OUTWEIGH * sum(values)
        self._used: set[str] = set()
        self._groups: list[Cell] = []

    def add(self, line: Line) -> None:
        """Write a line as a row, with the labels it needs to be understood alone."""
        boxes = [box for box in line.boxes if box.area.top > self._header.bottom]
        if not boxes:
            return
        area = line_area(line)
        first = boxes[0]
        alone = len(boxes) == 1 and len(self._header.lefts) > 2  # noqa: PLR2004  # a row has three fields and more
        if alone and not line.spanning and first.area.left == self._header.area.left and _RUNNING.fullmatch(first.text):
            self._draft.empty.append((first.text, area))
            self._used.add(self._header.label(self._header.bottom, first.area.left))
            return
        self._groups = [group for group in self._groups if group.area.left < first.area.left]
        if self._repeat:
            spanning = [box for box in line.spanning if box.area.top > self._header.bottom]
            boxes += [box for box in (*spanning, *self._groups) if len(box.text) <= MAX_LABEL_CHARS]
        pairs = self._header.pairs(boxes)
        if alone and columns(first) >= BAND_SHARE * self._header.width:
            # A bar over all columns: no value of the column in which it happens to begin.
            pairs = [("", first.text)]
        self._used.update(label for label, _ in pairs)
        pairs = compact(pairs) if self._compact else nested(pairs)
        self._draft.rows.append((write_row(pairs), area))
        if alone and not line.spanning:
            self._groups.append(first)

    def finish(self) -> None:
        """Write the labels of columns without a value, or the only label, once."""
        labels = self._header.labels
        if len(labels) == 1 and self._draft.rows:
            prefix = f"{labels[0]}: "
            self._draft.header = (labels[0],)
            self._draft.rows = [(text.removeprefix(prefix), area) for text, area in self._draft.rows]
            return
        unused = [label for label in labels if label not in self._used]
        if unused:
            self._draft.rows.insert(0, (FIELD.join(f"{label}:" for label in unused), self._header.area))


def plain_row(line: Line) -> str:
    """Write a line without labels."""
    if len({box.area.top for box in line.boxes}) == 1:
        return write_row([("", box.text) for box in line.boxes])
    return joined(line.boxes)


def line_area(line: Line) -> Area:
    """Return the cells that a line covers."""
    # Boxes stand from left to right.
    return Area(line.top, line.boxes[0].area.left, line.bottom, max(box.area.right for box in line.boxes))
