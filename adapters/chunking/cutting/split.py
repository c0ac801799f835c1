"""Cut one span of the extracted text into pieces within a limit."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .boundaries import BLOCK, CLAUSE, LINE, NEVER, RELUCTANT, SENTENCE, WORD
from .flow import Flow, Span

_TRIES = 6
_FULL_ENOUGH = 0.99
_TRUSTED = 0.02
"""An estimate that is off by more of the limit is not used."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a piece may be.

    Attributes:
        fill: How full the limit is with a text: 1.0 at the limit, about proportional to the text's length.
        guess: Characters that are likely to fit, where the search for the longest piece begins.
        about: How full the limit is with the text between two positions, estimated; exact at best at line ends.
        reach: From a start and a stop, the position up to which the text fits by that estimate.
    """

    fill: Callable[[str], float]
    guess: int
    about: Callable[[int, int], float] | None = None
    reach: Callable[[int, int], int] | None = None

    def fits(self, text: str) -> bool:
        """Return whether the text is within the limit."""
        return self.fill(text) <= 1.0


def split_span(flow: Flow, span: Span, limit: Limit, *, least: int = 0, rows: bool = False) -> Iterator[Span]:
    """Cut a span into pieces that fit: between blocks where possible, then lines, sentences, clauses, words.

    Args:
        flow: The extracted text.
        span: What to cut.
        limit: How long a piece may be.
        least: Characters under which a piece is avoided if a lower-ranked cut avoids it.
        rows: True for table rows: every possible cut between rows comes first, however short the piece.

    Yields:
        Pieces in order, without surrounding white space. A piece is over the limit only when it is
        indivisible (one quotation, one number).
    """
    start, stop = flow.trimmed(span)
    while start < stop:
        end = _estimated_cut(flow, start, stop, limit, least=least, rows=rows)
        if end is None:
            end = furthest(flow, start, stop, limit)
            if end < stop:
                end = _choose(flow, start, end, stop, least=least, rows=rows)
        piece = flow.trimmed((start, end))
        if piece[0] < piece[1]:
            yield piece
        start = end


def windows(flow: Flow, span: Span, limit: Limit, overlap: Limit) -> Iterator[Span]:
    """Yield pieces that fit and share text with the one before, as far as the overlap allows.

    Args:
        flow: The extracted text.
        span: What to cut.
        limit: How long a piece may be.
        overlap: How long the shared text may be.
    """
    start, stop = flow.trimmed(span)
    reached = start
    while start < stop:
        end = furthest(flow, start, stop, limit)
        if end < stop:
            least = max((end - start) // 2, reached - start + 1)
            end = _choose(flow, start, end, stop, least=least, rows=False)
        if end <= reached:
            # Nothing new fits behind the shared text: go on without it.
            start = reached
            continue
        yield flow.trimmed((start, end))
        reached = end
        if end < stop:
            start = _step_back(flow, start, end, overlap)
        else:
            return


def furthest(flow: Flow, start: int, stop: int, limit: Limit) -> int:
    """Return the furthest position at or before `stop` up to which the text still fits; at least one character."""

    def fill(length: int) -> float:
        return limit.fill(flow.text[start : start + length].rstrip())

    guess = limit.reach(start, stop) - start if limit.reach else limit.guess
    return start + max(_longest(fill, guess, stop - start), 1)


def _estimated_cut(flow: Flow, start: int, stop: int, limit: Limit, *, least: int, rows: bool) -> int | None:
    """Return the cut between lines that the estimate finds, verified by one count; None when it finds none."""
    if limit.reach is None or limit.about is None:
        return None
    end = limit.reach(start, stop)
    if end < stop:
        end = _choose(flow, start, end, stop, least=least, rows=rows)
        if flow.text[end - 1] != "\n":
            # Inside a line the estimate goes by characters, too rough to choose a sentence end by.
            return None
    full = limit.fill(flow.text[start:end].strip())
    return end if full <= 1.0 and abs(full - limit.about(start, end)) <= _TRUSTED else None


def _choose(flow: Flow, start: int, end: int, stop: int, *, least: int, rows: bool) -> int:
    """Return the best cut in (start, end], or the first possible one behind it when there is none."""
    marks = flow.ranks(start, min(end + 1, stop))
    if rows:
        at = marks.rfind(bytes([BLOCK]), start + 1, end + 1)
        if at > start:
            return at
    # First without a piece or a rest that is too short, then as it comes.
    latest = min(end, stop - least)
    for first, last in ((start + max(least, 1), latest), (start + 1, end)):
        for rank in range(BLOCK, WORD - 1, -1):
            at = marks.rfind(bytes([rank]), first, last + 1) if first <= last else -1
            if at > start:
                return at
    at = marks.rfind(bytes([RELUCTANT]), start + 1, end + 1)
    return at if at > start else _next_cut(flow, start, end, stop)


def _next_cut(flow: Flow, start: int, end: int, stop: int) -> int:
    while end < stop:
        ahead = min(end + 1024, stop)
        marks = flow.ranks(start, ahead)
        for at in range(end, ahead):
            if marks[at] != NEVER:
                return at
        end = ahead
    return stop


def _step_back(flow: Flow, start: int, end: int, overlap: Limit) -> int:
    """Return where the next window begins: the earliest good cut whose text up to `end` fits the overlap."""
    marks = flow.ranks(start, end)

    def fill(length: int) -> float:
        return overlap.fill(flow.text[end - length : end].strip())

    low = end - _longest(fill, overlap.guess, end - start - 1)
    half = (low + end) // 2
    for rank, last in ((BLOCK, half), (LINE, half), (SENTENCE, half), (CLAUSE, end), (WORD, end)):
        at = marks.find(bytes([rank]), low, last)
        if at > start:
            return at
    return end


def _longest(fill: Callable[[int], float], guess: int, most: int) -> int:
    """Return the greatest length up to `most` that fills no more than 1.0, or one a hundredth below it; from 0.

    The tokenizer is what costs, so the next try is where the last one says the limit is; halving only comes in
    when that does not converge.
    """
    low, high = 0, most + 1
    length = min(max(guess, 1), most)
    tries = 0
    while low + 1 + low // 100 < high:
        full = fill(length)
        if full > 1.0:
            high = length
        else:
            low = length
            if full > _FULL_ENOUGH:
                break
        tries += 1
        if tries < _TRIES:
            likely = min(int(length / full), 4 * length) if full > 0 else 4 * length
        else:
            likely = (low + high) // 2 if high <= most else 2 * length
        length = max(low + 1, min(likely, high - 1))
    return low
