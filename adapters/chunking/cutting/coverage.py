"""Account for every character of a document: in a chunk, in a heading path, or listed as left out."""

from collections.abc import Iterator
from dataclasses import dataclass

from ....domain.blocks import Anchor, ExtractedDocument, Table
from ....domain.chunks import ChunkedDocument
from .flow import Flow, Span

_SHORTEST_PART = 6
"""A shorter part of a block's text counts as found only at the end of a chunk, or when it is all that is left."""
_END = "\0"


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a document's text is accounted for; white space does not count.

    Attributes:
        total: Characters in the blocks and omissions.
        chunked: Of these, in contents and heading paths.
        omitted: Of these, in omissions.
        missing: Texts that are nowhere, in document order.
        places: Where the blocks of these stand, or the rows of tables.
    """

    total: int
    chunked: int
    omitted: int
    missing: tuple[str, ...]
    places: tuple[Anchor, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing


def coverage(document: ExtractedDocument, chunked: ChunkedDocument) -> Coverage:
    """Return what became of the document's text.

    Works on texts alone, so that it holds for any chunker's result: a paragraph or table row is looked up as a
    whole, then in the longest parts that some chunk has (a paragraph cut at its sentences).
    """
    flow = Flow(document)
    contents = "\0".join(_squeeze(chunk.content) for chunk in chunked.chunks)
    paths = "\0".join(dict.fromkeys(_squeeze(heading) for chunk in chunked.chunks for heading in chunk.headings))
    haystack = f"{contents}\0{paths}"
    missing: list[str] = []
    places: list[Anchor] = []
    found = 0
    place = 0
    for (start, end), anchor in _pieces(flow):
        text = _squeeze(flow.text[start:end])
        while text:
            length, place = _longest(text, haystack, place)
            if length == 0:
                missing.append(text)
                places.append(anchor)
                break
            found += length
            text = text[length:]
    omitted = sum(len(_squeeze(omission.text)) for omission in chunked.omissions)
    return Coverage(found + sum(map(len, missing)) + omitted, found, omitted, tuple(missing), tuple(places))


def _pieces(flow: Flow) -> Iterator[tuple[Span, Anchor]]:
    """Yield the spans of all blocks, those of tables row by row, and where they stand."""
    for index, block in enumerate(flow.blocks):
        parts = flow.tables.get(index)
        if parts is None or not isinstance(block, Table):
            yield flow.spans[index], block.anchor
            continue
        for span in (parts.caption, parts.header):
            if span:
                yield span, block.anchor
        placed = len(block.row_anchors) == len(block.rows)
        for span, number in zip(parts.rows, parts.row_numbers, strict=True):
            yield span, block.row_anchors[number] if placed else block.anchor
        if parts.notes:
            yield parts.notes, block.anchor


def _longest(text: str, haystack: str, place: int) -> tuple[int, int]:
    """Return the length of the longest start of `text` that is in the haystack, and where it was found."""
    at = _find(haystack, text, place)
    if at >= 0:
        return len(text), at
    low, high = 0, len(text)
    best = place
    while low + 1 < high:
        middle = (low + high) // 2
        at = _find(haystack, text[:middle], place)
        if at >= 0:
            low, best = middle, at
        else:
            high = middle
    if low >= _SHORTEST_PART:
        return low, best
    for length in range(low, 0, -1):
        at = _find(haystack, text[:length] + _END, place)
        if at >= 0:
            return length, at
    return 0, place


def _find(haystack: str, needle: str, place: int) -> int:
    at = haystack.find(needle, place)
    return at if at >= 0 else haystack.find(needle)


def _squeeze(text: str) -> str:
    return "".join(text.split())
