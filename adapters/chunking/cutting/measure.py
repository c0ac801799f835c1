"""Lengths in tokens of parts of one document.

The tokenizer is what cutting costs (a pure-Python one reads some 100,000 characters a second), and most questions
are only whether something is over a limit. So each line is counted once, sums of lines answer all that is not near
a limit, and what they say is verified by a count of the assembled text. Tokenizers that part words at white space,
as SentencePiece ones do, make the sums exact.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from ....domain.chunks import ChunkingOptions
from ....ports.chunker import TokenCounter
from .flow import Flow, Span
from .split import Limit

_REMEMBERED = 50_000
_LONGEST_REMEMBERED = 120
_LINE_BREAK = re.compile("\n")


class Measure:
    """Counts tokens of spans by the version's tokenizer and knows the limits.

    Attributes:
        flow: The extracted text.
        options: The limits.
        limit: A piece of at most `options.max_tokens` tokens.
    """

    def __init__(self, flow: Flow, options: ChunkingOptions, count: TokenCounter) -> None:
        self.flow = flow
        self.options = options
        self._counter = count
        # What a text costs beyond its lines, each line reckoned with the break behind it.
        self._marks = 2 * count("a") - count("a\na")
        self._remembered = _memory(count)
        self._counted: dict[str, int] = {}
        self._lines = [0, *(match.end() for match in _LINE_BREAK.finditer(flow.text))]
        self._line_tokens: dict[int, int] = {}
        self.limit = self.at_most(options.max_tokens)

    def count(self, text: str) -> int:
        """Return the number of tokens of a text; asked again it costs nothing."""
        short = len(text) <= _LONGEST_REMEMBERED
        known = self._remembered if short else self._counted
        found = known.get(text)
        if found is None:
            if short and len(known) >= _REMEMBERED:
                known.clear()
            found = known[text] = self._counter(text)
        return found

    def tokens(self, spans: Sequence[Span]) -> int:
        """Return the number of tokens of the content that the spans make."""
        return self.count(self.flow.content(spans)) if spans else 0

    def size(self, spans: Sequence[Span]) -> int:
        """Return about the number of tokens, on the right side of both limits.

        A sum of lines is taken to be off by at most one token a line break; what it leaves open is counted. What
        may well become a chunk as it is will be counted in the end anyway.
        """
        if not spans:
            return 0
        merged = self.flow.merged(spans)
        if sum(end - start for start, end in merged) <= self.options.max_tokens:
            return self.tokens(merged)
        breaks = sum(self._line_at(end) - self._line_at(start) + 1 for start, end in merged)
        about = self._marks + sum(self._about(start, end) for start, end in merged)
        limits = (self.options.min_tokens, self.options.max_tokens)
        if any(abs(about - limit) <= breaks for limit in limits):
            return self.tokens(merged)
        return round(about)

    def at_most(self, tokens: int, prefix: Sequence[Span] = ()) -> Limit:
        """Return the limit of so many tokens for a piece, spans that are put before it included."""
        # Rounded up, so that a limit of no tokens (an overlap of zero) is a limit too.
        most = max(tokens, 0.5)
        before = self.flow.content(prefix)
        before = f"{before}\n" if before else ""
        marks = self._marks + sum(self._about(start, end) for start, end in self.flow.merged(prefix))

        def about(start: int, end: int) -> float:
            return (marks + self._about(start, end)) / most

        def reach(start: int, stop: int) -> int:
            return self._reach(start, stop, most - marks)

        return Limit(lambda text: self.count(before + text) / most, max(tokens, 1), about, reach)

    def with_prefix(self, spans: Sequence[Span]) -> Limit:
        """Return the upper limit for a piece that gets the spans put before it."""
        return self.at_most(self.options.max_tokens, spans) if spans else self.limit

    def least_chars(self, span: Span) -> int:
        """Return about how many characters of the span make `options.min_tokens` tokens."""
        end = min(span[1], span[0] + 2000)
        per_char = max(self._marks + self._about(span[0], end), 1) / max(end - span[0], 1)
        return min(round(self.options.min_tokens / per_char), max((span[1] - span[0]) // 3, 1))

    def _about(self, start: int, end: int) -> float:
        """Return about the tokens of a part of the text without end marks; of a line's part by its length."""
        total = 0.0
        line = self._line_at(start)
        while start < end:
            first, last = self._line_span(line)
            stop = min(end, last)
            if stop > start:
                whole = stop - start == last - first
                total += self._of_line(line) * (1.0 if whole else (stop - start) / (last - first))
            line += 1
            start = last + 1
        return total

    def _reach(self, start: int, stop: int, tokens: float) -> int:
        """Return about how far a piece of so many tokens reaches from `start`, at most to `stop`."""
        line = self._line_at(start)
        left = tokens
        while start < stop:
            first, last = self._line_span(line)
            if last > start:
                needed = self._of_line(line) * (last - start) / (last - first)
                if needed > left:
                    return min(start + max(int((last - start) * max(left, 0) / needed), 1), stop)
                left -= needed
            line += 1
            start = last + 1
        return stop

    def _line_at(self, position: int) -> int:
        return bisect_right(self._lines, position) - 1

    def _line_span(self, line: int) -> Span:
        last = self._lines[line + 1] - 1 if line + 1 < len(self._lines) else len(self.flow.text)
        return self._lines[line], last

    def _of_line(self, line: int) -> int:
        """Return the tokens of a line without end marks; counted once."""
        found = self._line_tokens.get(line)
        if found is None:
            first, last = self._line_span(line)
            text = self.flow.text[first:last].strip()
            found = self._line_tokens[line] = self.count(text) - self._marks if text else 0
        return found


@lru_cache(maxsize=4)
def _memory(count: TokenCounter) -> dict[str, int]:
    """Return what is known of a tokenizer's counts of short texts; documents of one kind repeat their lines."""
    del count
    return {}
