"""What stands under one heading, as units that a person would quote: running text, a table with what belongs to it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ....domain.blocks import Paragraph, Table
from ....domain.chunks import ChunkKind
from .boundaries import is_lead_in
from .flow import Flow, Span
from .measure import Measure
from .split import split_span

_NOTE = re.compile(r"\s*(?:[※注＊*]|\(注|（注|備考|出典|資料|凡例|Note|Source)")
_LEAD_IN_TOKENS = 80


@dataclass(frozen=True, slots=True)
class Unit:
    """One future chunk.

    Attributes:
        spans: Parts of the extracted text, in the order in which they are put together.
        path: Block indices of the headings above it.
        kind: What the text is.
        tokens: Length of the content.
        group: Units with the same number are pieces of one whole that was too long.
    """

    spans: tuple[Span, ...]
    path: tuple[int, ...]
    kind: ChunkKind
    tokens: int
    group: int | None = None


@dataclass(slots=True)
class _Run:
    """Neighbouring blocks on their way to become a unit; `table` is the block index of its table.

    `tokens` may be an estimate, on the right side of both limits.
    """

    spans: list[Span]
    kinds: set[ChunkKind]
    tokens: int
    table: int | None = None
    lead: int = 0


def body_units(flow: Flow, body: Sequence[int], path: tuple[int, ...], measure: Measure) -> list[Unit]:
    """Return the units of one section's own blocks, in order, each within the limit.

    A lead-in line goes with its table; text or a table under the lower limit joins its neighbour.
    """
    runs = _join_short(_runs(flow, body, measure), measure)
    units: list[Unit] = []
    for run in runs:
        kind = _kind(flow, run)
        if run.tokens <= measure.options.max_tokens:
            tokens = measure.tokens(run.spans)
            if tokens <= measure.options.max_tokens:
                units.append(Unit(tuple(run.spans), path, kind, tokens))
                continue
        group = run.spans[0][0]
        pieces = _table_pieces(flow, run, measure) if run.table is not None else None
        if pieces is None:
            span = (run.spans[0][0], run.spans[-1][1])
            pieces = [(piece,) for piece in split_span(flow, span, measure.limit, least=measure.least_chars(span))]
        units += [Unit(piece, path, kind, measure.tokens(piece), group) for piece in pieces]
    return units


def _runs(flow: Flow, body: Sequence[int], measure: Measure) -> list[_Run]:
    """Group the blocks: neighbouring paragraphs together, each table with its lead-in line alone."""
    runs: list[_Run] = []
    for index in body:
        block = flow.blocks[index]
        span = flow.spans[index]
        if not isinstance(block, Table):
            kind: ChunkKind = block.kind if isinstance(block, Paragraph) else "text"
            last = runs[-1] if runs else None
            apart = last is None or last.table is not None
            if last is None or apart or (kind == "boilerplate") != (last.kinds == {"boilerplate"}):
                last = _Run([], set(), 0)
                runs.append(last)
            last.spans.append(span)
            last.kinds.add(kind)
        else:
            lead = _take_lead_in(flow, runs, measure)
            runs.append(_Run([*lead, span], {"table"}, 0, table=index, lead=len(lead)))
    runs = [run for run in runs if run.spans]
    for run in runs:
        run.tokens = measure.size(run.spans)
    return runs


def _take_lead_in(flow: Flow, runs: list[_Run], measure: Measure) -> list[Span]:
    if not runs or runs[-1].table is not None or runs[-1].kinds == {"boilerplate"}:
        return []
    span = runs[-1].spans[-1]
    if is_lead_in(flow.text[span[0] : span[1]]) and measure.tokens([span]) <= _LEAD_IN_TOKENS:
        runs[-1].spans.pop()
        return [span]
    return []


def _join_short(runs: list[_Run], measure: Measure) -> list[_Run]:
    """Join runs under the lower limit with a neighbour: text with a table, never a table with a captioned table."""
    position = 0
    while position < len(runs):
        run = runs[position]
        if run.tokens >= measure.options.min_tokens or run.kinds == {"boilerplate"}:
            position += 1
            continue
        after = runs[position + 1] if position + 1 < len(runs) else None
        before = runs[position - 1] if position else None
        note = run.table is None and _NOTE.match(measure.flow.content(run.spans)) is not None
        forward = run.table is None and not note
        order = ((after, position), (before, position - 1)) if forward else ((before, position - 1), (after, position))
        for neighbour, first in order:
            joined = neighbour and _joined(runs[first], runs[first + 1], measure)
            if joined:
                runs[first : first + 2] = [joined]
                position = max(first - 1, 0)
                break
        else:
            position += 1
    return runs


def _joined(first: _Run, second: _Run, measure: Measure) -> _Run | None:
    """Return the two as one, None when they must stay apart."""
    if "boilerplate" in first.kinds | second.kinds:
        return None
    both_tables = first.table is not None and second.table is not None
    if both_tables:
        tables = [measure.flow.blocks[run.table] for run in (first, second) if run.table is not None]
        short = max(first.tokens, second.tokens) < measure.options.min_tokens
        if not short or any(isinstance(table, Table) and table.caption for table in tables):
            return None
    if max(first.tokens, second.tokens) > measure.options.max_tokens:
        return None
    spans = [*first.spans, *second.spans]
    tokens = measure.size(spans)
    if tokens > measure.options.max_tokens:
        return None
    table = first.table if first.table is not None else second.table
    return _Run(spans, first.kinds | second.kinds, tokens, table=table)


def _kind(flow: Flow, run: _Run) -> ChunkKind:
    if run.table is not None:
        first, last = flow.spans[run.table]
        whole = sum(end - start for start, end in run.spans)
        return "table" if 2 * (last - first) >= whole else "text"
    return next(iter(run.kinds)) if len(run.kinds) == 1 else "text"


def _table_pieces(flow: Flow, run: _Run, measure: Measure) -> list[tuple[Span, ...]] | None:
    """Cut a table between rows, its header lines at the top of every piece; lead-in and caption on the first.

    Returns:
        Spans of each piece; None when the header is too long to be repeated.
    """
    if run.table is None:
        return None
    parts = flow.tables[run.table]
    limit = measure.options.max_tokens
    header = [parts.header] if parts.header else []
    top = [*run.spans[: run.lead], *([parts.caption] if parts.caption else [])]
    if not parts.rows or measure.tokens(header) > limit // 2 or measure.tokens([*top, *header]) > limit * 3 // 4:
        return None
    rows = (parts.rows[0][0], parts.rows[-1][1])
    room = measure.with_prefix(header)
    first_room = measure.with_prefix([*top, *header])
    head = next(split_span(flow, rows, first_room, rows=True))
    rest = split_span(flow, (head[1], rows[1]), room, rows=True)
    pieces = [(*top, *header, head), *((*header, span) for span in rest)]
    if parts.notes:
        with_notes = (*pieces[-1], parts.notes)
        if measure.tokens(with_notes) <= limit:
            pieces[-1] = with_notes
        else:
            pieces += [(span,) for span in split_span(flow, parts.notes, measure.limit)]
    return pieces
