"""Lengths in tokens of parts of one document."""

from collections.abc import Sequence

from ....domain.chunks import ChunkingOptions
from ....ports.chunker import TokenCounter
from .flow import Flow, Span
from .split import Limit


class Measure:
    """Counts tokens of spans by the version's tokenizer and knows the limits.

    Attributes:
        flow: The extracted text.
        options: The limits.
        count: The tokenizer.
        limit: A piece of at most `options.max_tokens` tokens.
    """

    def __init__(self, flow: Flow, options: ChunkingOptions, count: TokenCounter) -> None:
        self.flow = flow
        self.options = options
        self.count = count
        self.limit = self.at_most(options.max_tokens)

    def tokens(self, spans: Sequence[Span]) -> int:
        """Return the number of tokens of the content that the spans make."""
        return self.count(self.flow.content(spans)) if spans else 0

    def at_most(self, tokens: int, prefix: str = "") -> Limit:
        """Return the limit of so many tokens for a piece, a text that is put before it included."""
        # Rounded up, so that a limit of no tokens (an overlap of zero) is a limit too.
        most = max(tokens, 0.5)
        return Limit(lambda text: self.count(prefix + text) / most, max(tokens, 1))

    def with_prefix(self, spans: Sequence[Span]) -> Limit:
        """Return the upper limit for a piece that gets the spans put before it."""
        prefix = self.flow.content(spans)
        return self.at_most(self.options.max_tokens, f"{prefix}\n") if prefix else self.limit

    def least_chars(self, span: Span) -> int:
        """Return about how many characters of the span make `options.min_tokens` tokens."""
        sample = self.flow.text[span[0] : min(span[1], span[0] + 2000)]
        per_char = max(self.count(sample), 1) / max(len(sample), 1)
        return min(round(self.options.min_tokens / per_char), max((span[1] - span[0]) // 3, 1))
