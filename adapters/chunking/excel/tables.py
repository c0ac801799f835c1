"""Regions to rule blocks: full header labels, `label: value` rows, forms, captions and notes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from ....domain.blocks import Anchor, Table
from .fields import is_bracket, joined, write_row
from .forms import form_label, form_pairs
from .frames import Line, Region
from .grid import Area
from .header import Header
from .rows import Draft, RowWriter, line_area, plain_row
from .segments import Segmenter

_TITLE_LINES = 2


@dataclass(slots=True)
class RuleBlock:
    """A table or form with what is needed to find the label of any of its cells.

    Attributes:
        table: The block as text.
        area: Cells it covers.
        label_at: Full label for a cell (row, column), "" when there is none.
        empty: What says nothing in a form that is not filled in: running numbers of empty rows, lone brackets.
        form: True for labels with values beside them, False for columns of values.
    """

    table: Table
    area: Area
    label_at: Callable[[int, int], str]
    empty: tuple[tuple[str, Area], ...] = ()
    form: bool = False


def read_region(region: Region, sheet: str) -> list[RuleBlock]:
    """Return the rule blocks of a region, top to bottom.

    Args:
        region: Lines of boxes.
        sheet: Name of the worksheet, for anchors.
    """
    kept = tuple(_without_brackets(line) for line in region.lines)
    drafts = _RegionReader(replace(region, lines=tuple(line for line in kept if line.boxes))).read()
    for box in (box for line in region.lines for box in line.boxes if is_bracket(box.text)):
        if drafts:
            drafts[0].empty.append((box.text, box.area))
    return [_block(draft, sheet) for draft in drafts]


def _block(draft: Draft, sheet: str) -> RuleBlock:
    rows = [(text, area) for text, area in draft.rows if text.strip()]
    table = Table(
        rows=tuple(text for text, _ in rows),
        header=draft.header,
        caption="\n".join(draft.caption),
        notes=tuple(draft.notes),
        row_anchors=tuple(Anchor(sheet=sheet, cells=area.a1) for _, area in rows),
        anchor=Anchor(sheet=sheet, cells=draft.area.a1),
    )
    return RuleBlock(table, draft.area, draft.label_at, tuple(draft.empty), draft.form)


def _without_brackets(line: Line) -> Line:
    """Set lone brackets and colons aside: the frame of a field that was left empty."""
    return replace(
        line,
        boxes=tuple(box for box in line.boxes if not is_bracket(box.text)),
        spanning=tuple(box for box in line.spanning if not is_bracket(box.text)),
    )


class _RegionReader:
    def __init__(self, region: Region) -> None:
        self._lines = region.lines
        self._is = Segmenter(region)

    def read(self) -> list[Draft]:
        drafts: list[Draft] = []
        position = 0
        bands: list[Line] = []
        while position < len(self._lines):
            line = self._lines[position]
            if self._is.note(line) and drafts and not bands:
                drafts[-1].notes.extend(box.text for box in line.boxes)
                drafts[-1].area = drafts[-1].area.union(line_area(line))
                position += 1
            elif self._is.band(position):
                bands.append(line)
                position += 1
            else:
                draft, position = self._segment(position)
                self._title(draft, bands)
                bands = []
                drafts.append(draft)
        if bands:
            draft = Draft(line_area(bands[0]))
            for line in bands:
                draft.rows.append((" ".join(box.text for box in line.boxes), line_area(line)))
                draft.area = draft.area.union(line_area(line))
            drafts.append(draft)
        return drafts

    @staticmethod
    def _title(draft: Draft, bands: list[Line]) -> None:
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
            draft.area = draft.area.union(line_area(line))

    def _segment(self, position: int) -> tuple[Draft, int]:
        line = self._lines[position]
        if self._is.form(line) or (self._is.filled(line) and len(line.boxes) == 1 and not self._is.heads(position)):
            return self._form(position)
        header_end = self._is.header_end(position)
        if header_end > position:
            return self._table(position, header_end)
        return self._plain(position)

    def _table(self, start: int, end: int) -> tuple[Draft, int]:
        header = Header(self._lines[start:end])
        draft = Draft(line_area(self._lines[start]), label_at=header.label)
        for line in self._lines[start:end]:
            draft.area = draft.area.union(line_area(line))
        head = self._lines[start]
        stop = end
        while stop < len(self._lines) and self._is.continues(stop, head, header):
            stop += 1
        body = self._lines[end:stop]
        rows = RowWriter(header, draft, body)
        for line in body:
            if self._is.note(line):
                draft.notes.append(line.boxes[0].text)
            else:
                rows.add(line)
            draft.area = draft.area.union(line_area(line))
        rows.finish()
        return draft, stop

    def _form(self, start: int) -> tuple[Draft, int]:
        draft = Draft(line_area(self._lines[start]))
        labels: list[tuple[Area, str]] = []
        position = start
        while position < len(self._lines):
            line = self._lines[position]
            single_label = self._is.filled(line) and len(line.boxes) == 1 and not line.spanning
            if position > start and not (self._is.form(line) or single_label):
                break
            if position > start and self._is.band(position):
                break
            value: list[Line] = []
            position += 1
            if single_label:
                while position < len(self._lines) and self._is.value(position):
                    value.append(self._lines[position])
                    position += 1
            pairs = form_pairs(line, labels)
            area = line_area(line)
            for extra in value:
                label, text = pairs[-1] if pairs else ("", "")
                pairs[-1:] = [(label, "\n".join(filter(None, (text, joined(extra.boxes)))))]
                area = area.union(line_area(extra))
                labels.append((line_area(extra), pairs[-1][0]))
            draft.rows.append((write_row(pairs), area))
            draft.area = draft.area.union(area)
        draft.label_at = form_label(labels)
        draft.form = True
        return draft, position

    def _plain(self, start: int) -> tuple[Draft, int]:
        draft = Draft(line_area(self._lines[start]))
        position = start
        while position < len(self._lines):
            line = self._lines[position]
            if 0 < position - start <= _TITLE_LINES and self._is.bold_header(position):
                draft.rows, draft.caption = [], [text for text, _ in draft.rows]
                break
            if position > start and (
                self._is.band(position) or self._is.form(line) or (self._is.filled(line) and len(line.boxes) > 1)
            ):
                break
            draft.rows.append((plain_row(line), line_area(line)))
            draft.area = draft.area.union(line_area(line))
            position += 1
        if draft.caption:
            table, position = self._table(position, self._is.plain_header_end(position))
            table.caption = draft.caption
            table.area = table.area.union(draft.area)
            return table, position
        return draft, position
