"""From units to the drafts that a chunker returns."""

from collections.abc import Sequence

from ....domain.blocks import Table
from ....domain.chunks import ChunkDraft, ChunkKind, Locator
from .flow import Flow, Span, union_of_cells
from .sections import heading_locator, heading_texts


def draft(
    flow: Flow,
    spans: Sequence[Span],
    path: tuple[int, ...],
    kind: ChunkKind,
    tokens: int,
    *,
    parent: int | None = None,
    is_parent: bool = False,
) -> ChunkDraft:
    """Return the draft of the chunk that the spans make."""
    merged = flow.merged(spans)
    start, end = merged[0] if len(merged) == 1 else (-1, -1)
    return ChunkDraft(
        content=flow.content(spans),
        headings=heading_texts(flow, path),
        kind=kind,
        locator=locator(flow, spans, path, kind),
        token_count=tokens,
        start=start,
        end=end,
        parent=parent,
        is_parent=is_parent,
    )


def locator(flow: Flow, spans: Sequence[Span], path: tuple[int, ...], kind: ChunkKind) -> Locator:
    """Return where the spans stand: slides or pages, the sheet's cells around all of them, table and heading number."""
    anchors = flow.anchors(spans)
    slides = [anchor.slide for anchor in anchors if anchor.slide is not None]
    pages = [anchor.page for anchor in anchors if anchor.page is not None]
    sheet = next((anchor.sheet for anchor in anchors if anchor.sheet is not None), None)
    cells = union_of_cells(anchor.cells for anchor in anchors if anchor.cells and anchor.sheet == sheet)
    return Locator(
        heading=heading_locator(flow, path),
        table=_table_number(flow, spans) if kind == "table" else None,
        sheet=sheet,
        cells=cells,
        slides=(min(slides), max(slides)) if slides else None,
        pages=(min(pages), max(pages)) if pages else None,
    )


def _table_number(flow: Flow, spans: Sequence[Span]) -> str | None:
    blocks = (flow.blocks[index] for index in flow.overlapping(spans))
    return next((block.number for block in blocks if isinstance(block, Table) and block.number), None)
