"""Regions to rule blocks: full header labels, `label: value` rows, forms, captions and notes."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ....domain.blocks import Anchor, Table
from .frames import Line, Region
from .grid import Area, Cell

NOTE = re.compile(r"\s*(?:[(（\[]?※|＊|\*\d|注[)）:：\d]|[(（]注|【注|Notes?\s*[:：])", re.IGNORECASE)
PATH = " > "
FIELD = " / "
# A row longer than this, or with values of several lines, is written one field a line.
_ROW_CHARS = 320
_VALUE_LINES = 2
# Labels merged over several rows are written once; in tables longer than one chunk they come with every row.
_LONG_TABLE_CHARS = 700
_MAX_HEADER_LINES = 5
_MAX_LABEL_CHARS = 60
_BAND_SHARE = 0.6
_TILED = 0.8
_TITLE_LINES = 2
_LABEL_CHARS = 8
_LABELS_OUTWEIGH = 2.5
_FORM_SHARE = 0.6
_RUNNING = re.compile(r"\d{1,4}")
_BRACKETS = re.compile(r"[()（）\[\]［］:：\s]+")


@dataclass(slots=True)
class RuleBlock:
    """A table or form with what is needed to find the label of any of its cells.

    Attributes:
        table: The block as text.
        area: Cells it covers.
        label_at: Full label for a cell (row, column), "" when there is none.
        empty: What says nothing in a form that is not filled in: running numbers of empty rows, lone brackets.
    """

    table: Table
    area: Area
    label_at: Callable[[int, int], str]
    empty: tuple[tuple[str, Area], ...] = ()


@dataclass(slots=True)
class _Draft:
    area: Area
    caption: list[str] = field(default_factory=list)
    rows: list[tuple[str, Area]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    header: tuple[str, ...] = ()
    empty: list[tuple[str, Area]] = field(default_factory=list)
    label_at: Callable[[int, int], str] = field(default=lambda _row, _column: "")


def read_region(region: Region, sheet: str) -> list[RuleBlock]:
    """Return the rule blocks of a region, top to bottom.

    Args:
        region: Lines of boxes.
        sheet: Name of the worksheet, for anchors.
    """
    drafts = _RegionReader(region).read()
    return [_block(draft, sheet) for draft in drafts]


def _block(draft: _Draft, sheet: str) -> RuleBlock:
    rows = [(text, area) for text, area in draft.rows if text.strip()]
    table = Table(
        rows=tuple(text for text, _ in rows),
        header=draft.header,
        caption="\n".join(draft.caption),
        notes=tuple(draft.notes),
        row_anchors=tuple(Anchor(sheet=sheet, cells=area.a1) for _, area in rows),
        anchor=Anchor(sheet=sheet, cells=draft.area.a1),
    )
    return RuleBlock(table, draft.area, draft.label_at, tuple(draft.empty))


class _RegionReader:
    def __init__(self, region: Region) -> None:
        self._region = region
        self._lines = region.lines
        self._width = region.area.right - region.area.left + 1

    def read(self) -> list[_Draft]:
        drafts: list[_Draft] = []
        position = 0
        bands: list[Line] = []
        while position < len(self._lines):
            line = self._lines[position]
            if self._is_note(line) and drafts and not bands:
                drafts[-1].notes.extend(box.text for box in line.boxes)
                drafts[-1].area = drafts[-1].area.union(_area(line))
                position += 1
            elif self._is_band(position):
                bands.append(line)
                position += 1
            else:
                draft, position = self._segment(position)
                self._title(draft, bands)
                bands = []
                drafts.append(draft)
        if bands:
            draft = _Draft(_area(bands[0]))
            for line in bands:
                draft.rows.append((" ".join(box.text for box in line.boxes), _area(line)))
                draft.area = draft.area.union(_area(line))
            drafts.append(draft)
        return drafts

    @staticmethod
    def _title(draft: _Draft, bands: list[Line]) -> None:
        boxes = [box for line in bands for box in line.boxes]
        if not boxes:
            return
        draft.caption.extend(" ".join(box.text for box in line.boxes) for line in bands)
        inner = draft.label_at

        def label_at(row: int, column: int) -> str:
            own = next((box.text for box in boxes if box.area.holds(row, column)), None)
            return inner(row, column) if own is None else own

        draft.label_at = label_at
        for line in bands:
            draft.area = draft.area.union(_area(line))

    @staticmethod
    def _is_note(line: Line) -> bool:
        return len(line.boxes) == 1 and not line.spanning and bool(NOTE.match(line.boxes[0].text))

    def _is_band(self, position: int) -> bool:
        """A line with one box over the table's width, above lines with more: the title of what follows."""
        line = self._lines[position]
        if len(line.boxes) != 1 or line.spanning or position + 1 >= len(self._lines):
            return False
        box, following = line.boxes[0], self._lines[position + 1]
        if len(box.text) > 2 * _MAX_LABEL_CHARS or box.area.bottom > line.bottom:
            return False
        wide = _columns(box) >= _BAND_SHARE * self._width
        stands_out = box.style.filled or box.style.bold
        if len(following.boxes) == 1:
            # Bands may be stacked (part, then section); a label above its value is no band.
            return (
                wide
                and stands_out
                and self._is_band(position + 1)
                and following.boxes[0].style.filled == box.style.filled
            )
        if not self._region.framed and position == 0:
            return True
        return (wide and stands_out) or (wide and self._filled(following))

    @staticmethod
    def _filled(line: Line) -> bool:
        return all(box.style.filled for box in line.boxes)

    def _segment(self, position: int) -> tuple[_Draft, int]:
        line = self._lines[position]
        if self._is_form(line) or (self._filled(line) and len(line.boxes) == 1 and not self._heads(position)):
            return self._form(position)
        header_end = self._header_end(position)
        if header_end > position:
            return self._table(position, header_end)
        return self._plain(position)

    def _heads(self, position: int) -> bool:
        """A single filled box heads a column of plain single boxes."""
        box = self._lines[position].boxes[0]
        below = [line for line in self._lines[position + 1 : position + 4]]
        return len(below) > 1 and all(
            len(line.boxes) == 1
            and not line.boxes[0].style.filled
            and line.boxes[0].area.left == box.area.left
            and line.boxes[0].area.right == box.area.right
            for line in below
        )

    def _is_form(self, line: Line) -> bool:
        """Filled labels with plain values, or room for them, beside them."""
        boxes = sorted((*line.boxes, *line.spanning), key=lambda box: box.area.left)
        if not boxes[0].style.filled:
            return False
        if any(not box.style.filled for box in line.boxes):
            return True
        if self._region.framed and sum(_columns(box) for box in boxes) < _FORM_SHARE * self._width:
            return True
        return len(boxes) > 1 and any(left.area.right + 1 < right.area.left for left, right in pairwise(boxes))

    def _header_end(self, start: int) -> int:
        """Return the position behind the header lines that begin at `start`, `start` itself when there are none."""
        first = self._lines[start]
        fills = {box.style.fill for box in first.boxes}
        if not self._filled(first):
            return self._plain_header_end(start)
        if start + 1 == len(self._lines):
            return start + 1
        end, deepest = start + 1, max(box.area.bottom for box in first.boxes)
        while end < len(self._lines) and end - start < _MAX_HEADER_LINES:
            line = self._lines[end]
            reached = line.top <= deepest
            same = self._filled(line) and {box.style.fill for box in line.boxes} <= fills
            # A deeper header line divides the one above; the same columns again are a filled data row.
            if not reached and not (same and len(line.boxes) > len(self._lines[end - 1].boxes)):
                break
            if reached and not self._filled(line) and not line.spanning:
                break
            if reached:
                fills |= {box.style.fill for box in line.boxes}
            deepest = max(deepest, *(box.area.bottom for box in line.boxes)) if reached else deepest
            end += 1
        return end

    def _plain_header_end(self, start: int) -> int:
        first = self._lines[start]
        rest = self._lines[start + 1 :]
        boxes = [*first.boxes, *first.spanning]
        if len(boxes) < 2 or not rest or any(len(box.text) > _MAX_LABEL_CHARS for box in boxes):  # noqa: PLR2004
            return start
        if sum(map(_columns, boxes)) < _TILED * self._width:
            # Labels here and there over a drawn form or picture are no column heads.
            return start
        end = start + 1 + _divides(first, rest[0])
        body = self._lines[end : end + 12]
        if not body or len({box.text for box in boxes}) < len(boxes):
            return start
        values = [box for line in body for box in line.boxes]
        bold = all(box.style.bold for box in boxes) and not all(box.style.bold for box in values)
        typed = all(box.is_text for box in first.boxes) and any(not box.is_text for box in values)
        wide = len(boxes) >= max(len(line.boxes) + len(line.spanning) for line in body)
        merged = end - start > 1
        ruled = self._region.framed and all(box.is_text for box in boxes) and len(body) > 1
        return end if (bold or typed or ruled or merged) and (wide or merged) else start

    def _table(self, start: int, end: int) -> tuple[_Draft, int]:
        header = _Header(self._lines[start:end])
        draft = _Draft(_area(self._lines[start]), label_at=header.label)
        for line in self._lines[start:end]:
            draft.area = draft.area.union(_area(line))
        head = self._lines[start]
        stop = end
        while stop < len(self._lines) and self._continues(stop, head, header):
            stop += 1
        body = self._lines[end:stop]
        rows = _Rows(header, draft, body)
        for line in body:
            if self._is_note(line):
                draft.notes.append(line.boxes[0].text)
            else:
                rows.add(line)
            draft.area = draft.area.union(_area(line))
        rows.finish()
        return draft, stop

    def _continues(self, position: int, head: Line, header: "_Header") -> bool:
        """Tell whether a line is still a row of the table."""
        line = self._lines[position]
        if self._is_note(line):
            return True
        fills = {box.style.fill for box in head.boxes}
        if self._filled(line) and {box.style.fill for box in line.boxes} <= fills and fills != {""}:
            # A second header, or a title bar in the header's colour.
            return False
        if self._is_band(position) and (line.boxes[0].style.filled or line.boxes[0].style.bold):
            # A bar between rows of the same columns groups them; else it is the title of what follows.
            following = self._lines[position + 1]
            lefts = [box.area.left for box in following.boxes]
            return len(header.lefts) > 1 and not self._filled(following) and set(lefts) <= header.lefts
        if self._is_form(line):
            return all(box.area.left in header.lefts for box in line.boxes) and len(header.lefts) > 1
        return True

    def _form(self, start: int) -> tuple[_Draft, int]:
        draft = _Draft(_area(self._lines[start]))
        labels: list[tuple[Area, str]] = []
        position = start
        while position < len(self._lines):
            line = self._lines[position]
            single_label = self._filled(line) and len(line.boxes) == 1 and not line.spanning
            if position > start and not (self._is_form(line) or single_label):
                break
            if position > start and self._is_band(position):
                break
            value: list[Line] = []
            position += 1
            if single_label:
                while position < len(self._lines) and self._is_value(position):
                    value.append(self._lines[position])
                    position += 1
            pairs = _form_pairs(line, labels, draft)
            area = _area(line)
            for extra in value:
                label, text = pairs[-1] if pairs else ("", "")
                pairs[-1:] = [(label, "\n".join(filter(None, (text, joined(extra.boxes)))))]
                area = area.union(_area(extra))
                labels.append((_area(extra), pairs[-1][0]))
            draft.rows.append((write_row(pairs), area))
            draft.area = draft.area.union(area)
        draft.label_at = _form_label(labels)
        return draft, position

    def _is_value(self, position: int) -> bool:
        line = self._lines[position]
        return not any(box.style.filled for box in (*line.boxes, *line.spanning)) and not self._is_band(position)

    def _plain(self, start: int) -> tuple[_Draft, int]:
        draft = _Draft(_area(self._lines[start]))
        position = start
        while position < len(self._lines):
            line = self._lines[position]
            if 0 < position - start <= _TITLE_LINES and self._bold_header(position):
                draft.rows, draft.caption = [], [text for text, _ in draft.rows]
                break
            if position > start and (
                self._is_band(position) or self._is_form(line) or (self._filled(line) and len(line.boxes) > 1)
            ):
                break
            draft.rows.append((_plain_row(line, draft), _area(line)))
            draft.area = draft.area.union(_area(line))
            position += 1
        if draft.caption:
            table, position = self._table(position, self._plain_header_end(position))
            table.caption = draft.caption
            table.area = table.area.union(draft.area)
            return table, position
        return draft, position

    def _bold_header(self, position: int) -> bool:
        boxes = self._lines[position].boxes
        return all(box.style.bold for box in boxes) and self._plain_header_end(position) > position


class _Rows:
    """Writes the data rows of a table."""

    def __init__(self, header: "_Header", draft: _Draft, body: Sequence[Line]) -> None:
        values = [len(box.text) for line in body for box in line.boxes]
        size = sum(values) + _LABEL_CHARS * len(values)
        labels = sum(map(len, header.labels)) * max(1, len(values)) / max(1, len(header.labels))
        self._header = header
        self._draft = draft
        self._repeat = size > _LONG_TABLE_CHARS
        # Where labels outweigh values (years over percentages), a part that fields share is said once a row.
        self._compact = labels > _LABELS_OUTWEIGH * sum(values)
        self._used: set[str] = set()
        self._groups: list[Cell] = []

    def add(self, line: Line) -> None:
        """Write a line as a row, with the labels it needs to be understood alone."""
        boxes = [box for box in line.boxes if box.area.top > self._header.bottom and not _bracket(box, self._draft)]
        if not boxes:
            return
        area = _area(line)
        first = boxes[0]
        alone = len(boxes) == 1 and len(self._header.labels) > 2  # noqa: PLR2004  # a row has three fields and more
        if alone and not line.spanning and first.area.left == self._header.area.left and _RUNNING.fullmatch(first.text):
            self._draft.empty.append((first.text, area))
            self._used.add(self._header.label(self._header.bottom, first.area.left))
            return
        self._groups = [group for group in self._groups if group.area.left < first.area.left]
        if self._repeat:
            spanning = [box for box in line.spanning if box.area.top > self._header.bottom]
            boxes += [box for box in (*spanning, *self._groups) if len(box.text) <= _MAX_LABEL_CHARS]
        pairs = self._header.pairs(boxes)
        if alone and _columns(first) >= _BAND_SHARE * self._header.width:
            # A bar over all columns: no value of the column in which it happens to begin.
            pairs = [("", first.text)]
        self._used.update(label for label, _ in pairs)
        if self._compact:
            pairs = _compact(pairs)
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


def _compact(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Leave out the upper parts of a label where the field before has the same."""
    out: list[tuple[str, str]] = []
    above: list[str] = []
    for label, value in pairs:
        *parts, own = label.split(PATH)
        out.append((own if parts and parts == above else label, value))
        above = parts
    return out


def _bracket(box: Cell, draft: _Draft) -> bool:
    """Set a lone bracket or colon aside: the frame of a field that was left empty."""
    if not _BRACKETS.fullmatch(box.text):
        return False
    draft.empty.append((box.text, box.area))
    return True


class _Header:
    """Column labels from header lines, merged cells included."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
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


def joined(boxes: Iterable[Cell]) -> str:
    """Return the text of several boxes as it is read: rows from top to bottom."""
    rows: dict[int, list[str]] = {}
    for box in sorted(boxes, key=lambda box: (box.area.top, box.area.left)):
        rows.setdefault(box.area.top, []).append(box.text)
    return "\n".join(" ".join(texts) for texts in rows.values())


def _form_pairs(line: Line, labels: list[tuple[Area, str]], draft: _Draft) -> list[tuple[str, str]]:
    """Read filled boxes as labels and the plain boxes right of them as their values.

    Labels side by side are a path ("連絡先 > 電話"); a label followed by an empty cell has an empty value.
    """
    boxes = sorted((*line.boxes, *line.spanning), key=lambda box: (box.area.left, box.area.top))
    boxes = [box for box in boxes if not (_BRACKETS.fullmatch(box.text) and _bracket(box, draft))]
    fields: list[tuple[str, list[Cell]]] = []
    path: list[Cell] = []
    valued = False
    for box in boxes:
        if box.style.filled:
            beside = bool(path) and path[-1].area.right + 1 == box.area.left
            if path and not valued and not beside and path[-1] in line.boxes:
                fields.append((_path_text(path), []))
            if valued or not beside:
                path, valued = [], False
            path.append(box)
            labels.append((box.area, _path_text(path)))
            continue
        text = _path_text(path)
        labels.append((box.area, text))
        if box in line.boxes:
            if fields and valued and fields[-1][0] == text:
                fields[-1][1].append(box)
            else:
                fields.append((text, [box]))
        valued = True
    if not valued and any(box in line.boxes for box in path):
        fields.append((_path_text(path), []))
    return [(label, joined(values)) for label, values in fields]


def _columns(box: Cell) -> int:
    return box.area.right - box.area.left + 1


def _divides(upper: Line, lower: Line) -> bool:
    """Tell whether the boxes of a line lie two or more under wide boxes of the line above."""
    wide = [box.area for box in upper.boxes if box.area.right > box.area.left]
    return len(lower.boxes) > 1 and all(
        any(area.left <= box.area.left and box.area.right <= area.right for area in wide) for box in lower.boxes
    )


def _path_text(path: list[Cell]) -> str:
    return PATH.join(flat(box.text) for box in path)


def _form_label(labels: list[tuple[Area, str]]) -> Callable[[int, int], str]:
    def label_at(row: int, column: int) -> str:
        exact = next((text for area, text in reversed(labels) if area.holds(row, column)), None)
        if exact is not None:
            return exact
        left = [(area.right, text) for area, text in labels if area.top <= row <= area.bottom and area.right < column]
        if left:
            return max(left)[1]
        above = [
            (area.bottom, text) for area, text in labels if area.left <= column <= area.right and area.bottom < row
        ]
        return max(above)[1] if above else ""

    return label_at


def flat(text: str) -> str:
    """Return a label on one line; a line break inside a Japanese word is no space."""
    parts = [part.strip() for part in text.split("\n") if part.strip()]
    out = parts[0] if parts else ""
    for part in parts[1:]:
        out += (" " if out[-1].isascii() and part[0].isascii() else "") + part
    return out


def write_row(pairs: list[tuple[str, str]]) -> str:
    """Write a row: on one line while it is short, else one field a line."""
    fields = list(_fields(pairs))
    several = any(text.count("\n") >= _VALUE_LINES for text in fields)
    if several or sum(map(len, fields)) > _ROW_CHARS:
        return "\n".join(fields)
    return FIELD.join(" ".join(text.split("\n")) for text in fields)


def _plain_row(line: Line, draft: _Draft) -> str:
    boxes = [box for box in line.boxes if not _bracket(box, draft)]
    if len({box.area.top for box in boxes}) == 1:
        return write_row([("", box.text) for box in boxes])
    return joined(boxes)


def _fields(pairs: list[tuple[str, str]]) -> Iterator[str]:
    for name, value in pairs:
        label = name.rstrip(":： ")
        if label and value:
            yield f"{label}: {value}"
        elif label or value:
            yield f"{label}:" if label else value


def _area(line: Line) -> Area:
    area = line.boxes[0].area
    for box in line.boxes:
        area = area.union(box.area)
    return Area(line.top, area.left, line.bottom, area.right)
