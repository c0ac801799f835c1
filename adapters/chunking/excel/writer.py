"""One worksheet to blocks: events in reading order, then headings, paragraphs, rule blocks, instructions."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....domain.blocks import Anchor, Block, Heading, Omission, Paragraph, Table
from .boilerplate import SheetText
from .fields import flat, is_note
from .frames import Region
from .grid import Area, Cell, Place, column_letters
from .outline import Follower, Levels, TextLine, is_heading, numbered, paragraphs
from .shapes import Shape
from .tables import RuleBlock, read_region

INSTRUCTION = "（記入要領）"
_CAPTION_CHARS = 60
_CAPTION_GAP = 3
_NOTE_GAP = 2
# Instructions of one form section are kept together up to here: few enough to be found by any one of them.
_COMMENT_CHARS = 420
_LABEL_CHARS = 80
_EMPTY_FORM_CHARS = 240
_LEAD_CHARS = 160
_LEAD_GAP = 2


@dataclass(slots=True)
class SheetContent:
    """What is read of one worksheet.

    Attributes:
        text: Visible cells, in regions and outside.
        comments: Cell comments by place.
        shapes: Shapes with text, in reading order.
    """

    text: SheetText
    comments: dict[Place, str]
    shapes: list[Shape]


@dataclass(slots=True)
class _Event:
    """Something at a place on the sheet: a text line, a region, a shape, or a comment outside of them."""

    area: Area
    line: TextLine | None = None
    region: Region | None = None
    shape: Shape | None = None
    comment: Place | None = None


class SheetWriter:
    """Writes one worksheet.

    Args:
        content: The worksheet.
        seen: Instructions already written (label, text); templates repeat them on every sheet.
    """

    def __init__(self, content: SheetContent, seen: set[tuple[str, str]]) -> None:
        self._content = content
        self._name = content.text.name
        self._seen = seen
        self._comments = dict(content.comments)
        self._levels = Levels()
        self._blocks: list[Block] = []
        self._lead: tuple[Table, Area] | None = None
        self.omissions: list[Omission] = []

    def write(self, *, boilerplate: bool, banner_regions: list[Region], banner_cells: set[Place]) -> list[Block]:
        """Return the sheet's blocks, none when it has no content; `omissions` then says what was left out.

        Args:
            boilerplate: The whole sheet is boilerplate, instructions and shapes with sentences apart.
            banner_regions: Regions that other sheets repeat.
            banner_cells: Cells outside of regions that other sheets repeat.
        """
        text = self._content.text
        self._blocks.append(Heading(self._name, 1, container=True, anchor=Anchor(sheet=self._name)))
        free = {place: cell for place, cell in text.free.items() if place not in banner_cells}
        regions = [region for region in text.regions if region not in banner_regions]
        dropped = [text.free[place] for place in sorted(banner_cells)]
        skipped = banner_regions
        if boilerplate:
            dropped, skipped, free, regions = list(text.cells.values()), list(text.regions), {}, []
        else:
            dropped += [box for region in banner_regions for line in region.lines for box in line.boxes]
        for cell in dropped:
            self.omissions.append(Omission(cell.text, "boilerplate", self._anchor(cell.area)))
        shapes = self._kept_shapes(boilerplate=boilerplate)
        # Instructions on what is left out otherwise are rules all the same.
        for region in skipped:
            for block in read_region(region, self._name):
                self._write_comments(block)
        self._write_events(self._events(free, regions, shapes))
        self._write_rest()
        if len(self._blocks) == 1:
            return []
        return self._blocks

    def _anchor(self, area: Area) -> Anchor:
        return Anchor(sheet=self._name, cells=area.a1)

    def _kept_shapes(self, *, boilerplate: bool) -> list[Shape]:
        kept: list[Shape] = []
        drawn: set[tuple[str, Area]] = set()
        for shape in self._content.shapes:
            if (shape.text, shape.area) in drawn:
                self.omissions.append(Omission(shape.text, "duplicate", self._anchor(shape.area)))
            elif boilerplate and "。" not in shape.text:
                self.omissions.append(Omission(shape.text, "boilerplate", self._anchor(shape.area)))
            else:
                drawn.add((shape.text, shape.area))
                kept.append(shape)
        return kept

    def _events(self, free: dict[Place, Cell], regions: list[Region], shapes: list[Shape]) -> list[_Event]:
        events = [
            _Event(Area(line.row, line.column, line.bottom, line.last_column), line=line) for line in self._lines(free)
        ]
        events += [_Event(region.area, region=region) for region in regions]
        events += [
            _Event(Area(*place, *place), comment=place)
            for place in self._comments
            if not any(region.area.holds(*place) for region in regions)
            and not any(event.line is not None and _beside(event.area, place) for event in events)
        ]
        # A shape over a table is read after the table.
        for shape in shapes:
            row = max(
                (r.area.bottom for r in regions if r.area.top <= shape.area.top <= r.area.bottom),
                default=shape.area.top,
            )
            events.append(_Event(Area(row, 16_385, row, 16_385), shape=shape))
        events.sort(
            key=lambda event: (
                event.area
                if event.region is None
                else Area(event.area.top, event.area.left, event.area.top, event.area.left)
            )
        )
        return events

    def _lines(self, free: dict[Place, Cell]) -> Iterator[TextLine]:
        rows: dict[int, list[Cell]] = {}
        for place in sorted(free):
            rows.setdefault(place[0], []).append(free[place])
        sizes = sorted(cell.style.size for cell in free.values())
        usual = sizes[len(sizes) // 2] if sizes else 0
        for row, cells in rows.items():
            yield TextLine(
                row=row,
                bottom=max(cell.area.bottom for cell in cells),
                column=cells[0].area.left,
                last_column=max(cell.area.right for cell in cells),
                text=" ".join(cell.text.rstrip() for cell in cells),
                emphasis=cells[0].style.bold or cells[0].style.size > usual + 0.5,
            )

    def _write_events(self, events: list[_Event]) -> None:
        pending: list[TextLine] = []
        last_table: int | None = None
        last_bottom = 0
        for index, event in enumerate(events):
            if event.line is not None:
                if last_table is not None and not pending and self._is_table_note(event.line, last_bottom):
                    self._add_note(last_table, event.line)
                    last_bottom = event.line.bottom
                    continue
                follower = next(
                    (_follower(e) for e in events[index + 1 :] if e.shape is None or e.area.top > event.area.bottom),
                    None,
                )
                if is_heading(event.line, follower, pending[-1] if pending else None):
                    self._flush(pending)
                    self._write_heading(event.line)
                else:
                    pending.append(event.line)
                last_table = None
            elif event.region is not None:
                caption = self._caption(pending, event.region)
                self._flush(pending)
                last_table = self._write_region(event.region, caption)
                last_bottom = event.region.area.bottom
            elif event.comment is not None:
                if event.comment in self._comments:
                    self._flush(pending)
                    self._write_orphans(event.comment)
            elif event.shape is not None:
                self._flush(pending)
                self._blocks.append(Paragraph(event.shape.text, anchor=self._anchor(event.shape.area)))
        self._flush(pending)

    def _write_heading(self, line: TextLine) -> None:
        found = numbered(line.text)
        level = self._levels.open(line.column, found) if found is not None else 2
        number = found.number.strip("()[]") if found is not None and found.kind != "mark" else ""
        area = Area(line.row, line.column, line.bottom, line.last_column)
        self._blocks.append(Heading(flat(line.text), level, number, anchor=self._anchor(area)))
        self._comments_of_text(area, line.text)

    def _flush(self, pending: list[TextLine]) -> None:
        for line in paragraphs(pending):
            area = Area(line.row, line.column, line.bottom, line.last_column)
            self._blocks.append(Paragraph(line.text.rstrip(), anchor=self._anchor(area)))
            self._comments_of_text(area, line.text)
        pending.clear()

    def _caption(self, pending: list[TextLine], region: Region) -> TextLine | None:
        """Take the line right above a table as its title when it reads like one."""
        if not pending:
            return None
        last = pending[-1]
        text = last.text.strip()
        near = 0 < region.area.top - last.bottom <= _CAPTION_GAP
        above = len(pending) < 2 or pending[-2].bottom + 1 < last.row  # noqa: PLR2004  # a lone line
        if near and above and len(text) <= _CAPTION_CHARS and text[-1] not in "。．、" and not is_note(text):
            return pending.pop()
        return None

    def _is_table_note(self, line: TextLine, bottom: int) -> bool:
        return line.row - bottom <= _NOTE_GAP and is_note(line.text)

    def _add_note(self, index: int, line: TextLine) -> None:
        table = self._blocks[index]
        if isinstance(table, Table):
            self._blocks[index] = replace(table, notes=(*table.notes, line.text.strip()))

    def _write_region(self, region: Region, caption: TextLine | None) -> int | None:
        last: int | None = None
        for position, block in enumerate(read_region(region, self._name)):
            table = block.table
            if position == 0 and caption is not None:
                table = replace(table, caption="\n".join(filter(None, (caption.text.strip(), table.caption))))
            for text, area in block.empty:
                self.omissions.append(Omission(text, "empty-label", self._anchor(area)))
            entries = self._block_comments(block)
            if entries and not table.notes and sum(map(len, table.rows)) < _EMPTY_FORM_CHARS:
                # An empty form is its labels and instructions together.
                place = block.area
                self._emit_comments([*((row, place) for row in table.rows), *entries], table.caption)
                last = None
                continue
            if table.rows or table.caption:
                last = self._append_table(block, table)
            self._emit_comments(entries)
        return last

    def _append_table(self, block: RuleBlock, table: Table) -> int:
        """Append a table and return its index; a short form right above it says what it is about."""
        lead = self._lead
        if lead is not None and not block.form and self._blocks[-1] is lead[0]:
            form, area = lead
            near = 0 < block.area.top - area.bottom <= _LEAD_GAP and area.left <= block.area.right
            if near and block.area.left <= area.right:
                self._blocks.pop()
                caption = "\n".join(filter(None, (form.caption, *form.rows, table.caption)))
                table = replace(table, caption=caption, anchor=self._anchor(area.union(block.area)))
        short = block.form and not table.notes and sum(map(len, table.rows)) <= _LEAD_CHARS
        self._lead = (table, block.area) if short else None
        self._blocks.append(table)
        return len(self._blocks) - 1

    def _write_comments(self, block: RuleBlock) -> None:
        self._emit_comments(self._block_comments(block))

    def _block_comments(self, block: RuleBlock) -> list[tuple[str, Area]]:
        inside = {place: text for place, text in self._comments.items() if block.area.holds(*place)}
        entries: list[tuple[str, Area]] = []
        for place, text in inside.items():
            label = block.label_at(*place)
            self._add_comment(entries, place, label, text)
        return entries

    def _comments_of_text(self, area: Area, label: str) -> None:
        """Write the comments on a line of text, or on the empty cells that it runs over."""
        regions = self._content.text.regions
        entries: list[tuple[str, Area]] = []
        for place, text in list(self._comments.items()):
            if _beside(area, place) and not any(region.area.holds(*place) for region in regions):
                own = self._content.text.cells.get(place)
                self._add_comment(entries, place, own.text if own else label, text)
        self._emit_comments(entries)

    def _write_orphans(self, first: Place) -> None:
        """Write the comments of a row of cells that stand in no block: their label is the nearest text."""
        entries: list[tuple[str, Area]] = []
        for place, text in list(self._comments.items()):
            if place[0] == first[0]:
                self._add_comment(entries, place, self._nearest_label(place), text)
        self._emit_comments(entries)

    def _write_rest(self) -> None:
        """Write what is left on a sheet that is boilerplate but for its comments."""
        for place in list(self._comments):
            if place in self._comments:
                self._write_orphans(place)

    def _nearest_label(self, place: Place) -> str:
        row, column = place
        cells = self._content.text.cells.values()
        own = next((cell for cell in cells if cell.area.holds(row, column)), None)
        if own is not None:
            return own.text
        left = [cell for cell in cells if cell.area.top <= row <= cell.area.bottom and cell.area.right < column]
        if left:
            return max(left, key=lambda cell: cell.area.right).text
        above = [cell for cell in cells if cell.area.left <= column <= cell.area.right and cell.area.bottom < row]
        return max(above, key=lambda cell: cell.area.bottom).text if above else ""

    def _add_comment(self, entries: list[tuple[str, Area]], place: Place, label: str, text: str) -> None:
        del self._comments[place]
        area = Area(*place, *place)
        label = flat(label)[:_LABEL_CHARS]
        if (label, text) in self._seen:
            self.omissions.append(Omission(text, "duplicate", self._anchor(area)))
            return
        self._seen.add((label, text))
        where = label or f"{column_letters(place[1])}{place[0]}"
        entries.append((f"{where}{INSTRUCTION}: {text}", area))

    def _emit_comments(self, entries: list[tuple[str, Area]], caption: str = "") -> None:
        for number, group in enumerate(_grouped(entries)):
            whole = group[0][1]
            for _, area in group:
                whole = whole.union(area)
            self._blocks.append(
                Table(
                    rows=tuple(text for text, _ in group),
                    caption=caption if number == 0 else "",
                    row_anchors=tuple(self._anchor(area) for _, area in group),
                    anchor=self._anchor(whole),
                )
            )


def _beside(area: Area, place: Place) -> bool:
    return area.top <= place[0] <= area.bottom and place[1] >= area.left


def _follower(event: _Event) -> Follower:
    if event.shape is not None:
        return Follower(event.area.top, event.shape.area.left, None)
    return Follower(event.area.top, event.area.left, event.line.text if event.line is not None else None)


def _grouped(entries: list[tuple[str, Area]]) -> Iterator[list[tuple[str, Area]]]:
    """Cut a form section's instructions into groups of about equal size, each instruction whole."""
    total = sum(len(text) for text, _ in entries)
    if not total:
        return
    pieces = max(1, round(total / _COMMENT_CHARS))
    group: list[tuple[str, Area]] = []
    for entry in entries:
        size = sum(len(text) for text, _ in group)
        if group and size + len(entry[0]) / 2 > total / pieces:
            yield group
            group = []
        group.append(entry)
    yield group
