"""Tables: the grid behind merged cells, header rows, and the lines that rows are written as."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ....domain.blocks import Heading, OmissionReason, Table
from .names import DEL, RPR, TC, TR, VAL, Element, P, W, integer, toggle, unwrapped, val
from .pieces import Piece

Walk = Callable[[Element], list[Piece]]
Omit = Callable[[str, OmissionReason], None]

_LONGEST_MERGED_BLOCK = 350
"""Characters of rows under one vertically merged cell that stay in one piece; about half a chunk."""
_LONG_ROW = 400
_LONGEST_LABEL = 40
_MOST_HEADER_ROWS = 3
_MANY_PIECES = 3
_SEPARATOR = " | "


@dataclass(slots=True)
class _Cell:
    """A cell of the grid; `above` is the top cell of the merged ones that it continues."""

    element: Element
    column: int
    span: int
    above: "_Cell | None" = None
    pieces: list[Piece] = field(default_factory=list)
    text: str = ""

    @property
    def origin(self) -> "_Cell":
        return self.above or self


@dataclass(slots=True)
class _Row:
    element: Element
    cells: list[_Cell]
    is_header: bool

    @property
    def continues(self) -> bool:
        return any(cell.above is not None for cell in self.cells)

    @property
    def filled(self) -> list[_Cell]:
        return [cell for cell in self.cells if cell.above is None and cell.text]


def read_table(table: Element, walk: Walk, omit: Omit) -> list[Piece]:
    """Return a table as one Table block, or as what stands in it when it only lays out text.

    Args:
        table: The w:tbl.
        walk: Reads the content of a cell.
        omit: Takes text that merging hides or that a tracked change took out.
    """
    rows = _grid(table, omit)
    for row in rows:
        for cell in row.cells:
            content = walk(cell.element)
            if cell.above is None:
                cell.pieces = content
                cell.text = _cell_text(content)
            else:  # Word shows nothing of a cell that continues a merged one
                omit(_cell_text(content), "hidden")
    rows = [row for row in rows if row.filled or row.continues]
    if _is_layout(rows):
        return [piece for row in rows for cell in row.cells for piece in cell.pieces]
    return list(_pieces(rows))


def _pieces(rows: list[_Row]) -> Iterator[Piece]:
    """Yield the table, cut where a row is a heading of its own."""
    run: list[_Row] = []
    first = True
    for row in rows:
        filled = row.filled
        if len(filled) == 1 and not row.continues and isinstance(filled[0].pieces[0].block, Heading):
            yield from _table(run, may_have_header=first)
            run, first = [], False
            yield from filled[0].pieces
        else:
            run.append(row)
    yield from _table(run, may_have_header=first)


def _table(rows: list[_Row], *, may_have_header: bool) -> Iterator[Piece]:
    if not any(row.filled for row in rows):
        return
    count = _header_rows(rows) if may_have_header or any(row.is_header for row in rows) else 0
    header = tuple(_line(row) for row in rows[:count])
    body = tuple(_lines(rows[count:]))
    yield Piece(Table(rows=body, header=header) if body else Table(rows=header))


def _grid(table: Element, omit: Omit) -> list[_Row]:
    rows: list[_Row] = []
    above: dict[int, _Cell] = {}
    for element in unwrapped(table):
        if element.tag != TR:
            continue
        properties = element.find(W + "trPr")
        if properties is not None and properties.find(DEL) is not None:
            omit(" ".join(text.text or "" for text in element.iter(W + "t", W + "delText")), "deleted")
            continue
        column = integer(val(properties, W + "gridBefore")) or 0
        cells: list[_Cell] = []
        current: dict[int, _Cell] = {}
        for child in unwrapped(element):
            if child.tag != TC:
                continue
            own = child.find(W + "tcPr")
            span = max(integer(val(own, W + "gridSpan")) or 1, 1)
            horizontal = None if own is None else own.find(W + "hMerge")
            if horizontal is not None and horizontal.get(VAL, "continue") == "continue" and cells:
                cells[-1].span += span
                column += span
                continue
            vertical = None if own is None else own.find(W + "vMerge")
            cell = _Cell(child, column, span)
            if vertical is not None:
                if vertical.get(VAL, "continue") != "restart":
                    neighbour = above.get(column)
                    cell.above = None if neighbour is None else neighbour.origin
                current[column] = cell
            cells.append(cell)
            column += span
        above = current
        is_header = bool(toggle(properties, W + "tblHeader"))
        rows.append(_Row(element, cells, is_header))
    return rows


def _cell_text(pieces: list[Piece]) -> str:
    lines: list[str] = []
    for piece in pieces:
        block = piece.block
        if isinstance(block, Table):
            lines += [line for line in (block.caption, *block.header, *block.rows) if line]
        else:
            lines.append(block.text.strip())
    return "\n".join(line for line in lines if line)


def _is_layout(rows: list[_Row]) -> bool:
    cells = [cell for row in rows for cell in row.cells]
    if len(cells) <= 1:
        return True
    if sum(1 for cell in cells if cell.text) == 1 and len(rows) == 1:
        return True
    if all(len(row.cells) == 1 for row in rows):
        return any(
            len(cell.pieces) > _MANY_PIECES or any(isinstance(p.block, Heading | Table) for p in cell.pieces)
            for cell in cells
        )
    return len(rows) == 1 and any(isinstance(p.block, Heading) for cell in cells for p in cell.pieces)


def _line(row: _Row, *, repeat_merged: bool = False) -> str:
    """Return a row as text; merged cells stand once, or again where `repeat_merged` begins a new piece."""
    texts: list[str] = []
    whole = sum(len(cell.text) for cell in row.cells)
    for cell in row.cells:
        shown = cell.origin.text if repeat_merged else cell.text
        has_table = any(isinstance(piece.block, Table) for piece in cell.pieces)
        if has_table or whole > _LONG_ROW:
            texts.append(shown)
        else:
            texts.append(" ".join(shown.split()))
    return _SEPARATOR.join(texts).rstrip(_SEPARATOR).strip()


def _lines(rows: list[_Row]) -> Iterator[str]:
    """Yield rows as lines; rows under one merged cell together, its text again where they are too many."""
    group: list[str] = []
    length = 0
    for row in rows:
        if group and (not row.continues or length > _LONGEST_MERGED_BLOCK):
            yield "\n".join(group)
            group, length = [], 0
        line = _line(row, repeat_merged=not group)
        if line.strip(_SEPARATOR):
            group.append(line)
            length += len(line)
    if group:
        yield "\n".join(group)


def _header_rows(rows: list[_Row]) -> int:
    """Return how many rows at the top are header rows: as marked, else as their look says."""
    marked = next((i for i, row in enumerate(rows) if not row.is_header), len(rows))
    if marked:
        return marked if marked < len(rows) else 0
    if len(rows) <= 1 or len(rows[0].filled) <= 1:
        return 0
    first_emphasised, second_emphasised = _emphasised(rows[0]), _emphasised(rows[1])
    count = 1
    while count < len(rows) and count < _MOST_HEADER_ROWS and rows[count].continues:
        count += 1
    if count >= len(rows) or (
        count > 1 and not all(c.above or len(c.text) <= _LONGEST_LABEL for c in rows[count - 1].cells)
    ):
        count = 1
    if all(first_emphasised):
        return count
    if any(second_emphasised):  # emphasised labels down the first column: no header row
        return 0
    labels = [cell.text for cell in rows[0].cells]
    is_header = (
        len(rows) > 2  # noqa: PLR2004  # two rows are more likely a pair than a header with one row
        and all(0 < len(label) <= _LONGEST_LABEL for label in labels)
        and len(set(labels)) == len(labels)
        and not any(char.isdigit() for label in labels for char in label)
    )
    return count if is_header else 0


def _emphasised(row: _Row) -> list[bool]:
    """Return, for each cell with text, whether it is shaded or bold."""
    return [_is_shaded(cell.element) or _is_bold(cell.element) for cell in row.filled]


def _is_shaded(cell: Element) -> bool:
    shading = cell.find(f"{W}tcPr/{W}shd")
    if shading is None:
        return False
    fill = shading.get(W + "fill", "auto").upper()
    return fill not in {"AUTO", "FFFFFF", ""} or shading.get(VAL, "clear") not in {"clear", "nil"}


def _is_bold(cell: Element) -> bool:
    runs = [run for paragraph in cell.iter(P) for run in paragraph.iter(W + "r") if run.find(W + "t") is not None]
    return bool(runs) and all(toggle(run.find(RPR), W + "b") for run in runs)
