"""The part of a long text around what was looked for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .context import sentence_ends
from .terms import folded

ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A part of a text: its offsets, and the text with `…` where something was cut."""

    start: int
    end: int
    text: str


def snippet(text: str, terms: Iterable[str], size: int) -> Snippet:
    """Return the part of a text that holds most of the terms, from sentence to sentence.

    Args:
        text: The whole text.
        terms: What was looked for; width and case do not matter.
        size: Characters wanted. One sentence that is longer is cut inside, around its first term.

    Returns:
        The whole text when it is no longer than `size`; the first sentences when no term occurs.
    """
    if len(text) <= size:
        return Snippet(0, len(text), text)
    wanted = tuple(dict.fromkeys(folded(term) for term in terms if term.strip()))
    spans = _spans(text)
    hits = [{term for term in wanted if term in folded(text[start:end])} for start, end in spans]
    first, last = _densest(spans, hits, size)
    start, end = spans[first][0], spans[last][1]
    if end - start > size:
        start, end = _cut(text, start, end, wanted, size)
    body = text[start:end].strip()
    start = text.index(body, start) if body else start
    return _marked(text, start, start + len(body))


def _spans(text: str) -> list[tuple[int, int]]:
    """Return the sentences as offsets; none is only white space."""
    ends = [*sentence_ends(text), len(text)]
    spans: list[tuple[int, int]] = []
    start = 0
    for end in ends:
        if text[start:end].strip():
            spans.append((start, end))
            start = end
    return spans or [(0, len(text))]


def _densest(spans: Sequence[tuple[int, int]], hits: Sequence[set[str]], size: int) -> tuple[int, int]:
    """Return first and last sentence of the window with most different terms; of equal ones the first.

    A window holds what fits from its first sentence on, and then grows backwards, so that the hits stand with what
    leads up to them.
    """
    best, best_count = 0, -1
    for first in range(len(spans)):
        found: set[str] = set()
        last = first
        while last < len(spans) and (last == first or spans[last][1] - spans[first][0] <= size):
            found |= hits[last]
            last += 1
        # A window that begins with a sentence without hits is a worse copy of a later one.
        if len(found) > best_count and (hits[first] or first == 0):
            best, best_count = first, len(found)
    first = last = best
    while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= size:
        last += 1
    while first > 0 and spans[last][1] - spans[first - 1][0] <= size:
        first -= 1
    return first, last


def _cut(text: str, start: int, end: int, terms: Sequence[str], size: int) -> tuple[int, int]:
    """Return `size` characters of one sentence, around its first term."""
    # Folding may change lengths, so the place is that of the term as it stands, else the beginning.
    sentence = text[start:end].casefold()
    places = [place for term in terms if (place := sentence.find(term)) >= 0]
    begin = max(start, min(start + min(places, default=0) - size // 4, end - size))
    return begin, min(end, begin + size)


def _marked(text: str, start: int, end: int) -> Snippet:
    before = ELLIPSIS if text[:start].strip() else ""
    after = ELLIPSIS if text[end:].strip() else ""
    return Snippet(start, end, before + text[start:end] + after)
