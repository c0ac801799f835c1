"""The account of a chunked document: coverage, and the outline with the chunks of each section."""

from bisect import bisect_left
from collections.abc import Sequence

from ....domain.accounting import Account, Gap, OutlineEntry
from ....domain.blocks import ExtractedDocument, Heading
from ....domain.chunks import ChunkDraft, ChunkedDocument
from .coverage import coverage
from .flow import Flow, Span

_MOST_GAPS = 200
_LONGEST_GAP = 2000


def account(document: ExtractedDocument, chunked: ChunkedDocument) -> Account:
    """Return what became of a document's text; of gaps the first ones, each its beginning."""
    covered = coverage(document, chunked)
    gaps = tuple(
        Gap(text[:_LONGEST_GAP], len(text), anchor)
        for text, anchor in zip(covered.missing[:_MOST_GAPS], covered.places, strict=False)
    )
    outline = _outline(Flow(document), chunked.chunks)
    return Account(covered.total, covered.chunked, covered.omitted, gaps, outline)


def _outline(flow: Flow, chunks: Sequence[ChunkDraft]) -> tuple[OutlineEntry, ...]:
    headings = [(index, block) for index, block in enumerate(flow.blocks) if isinstance(block, Heading)]
    at = [flow.spans[index][0] for index, _ in headings]
    spans = _spans(flow, chunks)
    starts = [start for start, _ in spans]
    reached: list[int] = []
    for _, end in spans:
        reached.append(max(end, reached[-1] if reached else 0))
    counted = [not chunk.is_parent for chunk in chunks]
    entries: list[OutlineEntry] = []
    for number, (_, heading) in enumerate(headings):
        begin = at[number]
        following = (at[n] for n in range(number + 1, len(headings)) if headings[n][1].level <= heading.level)
        end = next(following, len(flow.text) + 1)
        first = bisect_left(starts, begin)
        # A chunk that begins before the heading may reach over it.
        inside = first > 0 and reached[first - 1] > begin
        earliest = next((n for n in range(first) if reached[n] > begin), first) if inside else first
        last = bisect_left(starts, end)
        within = sum(counted[n] and spans[n][1] > begin for n in range(earliest, last))
        text = " ".join(heading.text.split())
        entries.append(OutlineEntry(text, heading.level, within, first, inside, heading.container, heading.anchor))
    return tuple(entries)


def _spans(flow: Flow, chunks: Sequence[ChunkDraft]) -> list[Span]:
    """Return where each chunk stands in the extracted text, in an order that never goes back.

    A chunk that is no contiguous part of it, a table's piece under the repeated header, is where its last line is.
    """
    result: list[Span] = []
    reached = begun = 0
    for chunk in chunks:
        start, end = chunk.start, chunk.end
        if start < 0:
            line = chunk.content.rsplit("\n", 1)[-1]
            found = flow.text.find(line, reached)
            start, end = (found, found + len(line)) if found >= 0 else (reached, reached)
        begun = max(begun, start)
        result.append((begun, max(end, begun)))
        reached = max(reached, end) if not chunk.is_parent else reached
    return result
