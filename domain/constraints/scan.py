"""Contradictions in a whole handbook: every chunk against every other, by way of an index.

Comparing every constraint with every other would take hours. Two constraints can only clash when they are about one
property and name at least one thing in common, so each chunk is read once and meets only the earlier chunks that an
index finds under its properties and words.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ..conflicts import ConflictGroup, RuleText
from .agreement import Similarity
from .comparison import block_of
from .detect import DEFAULT_MIN_CONFIDENCE, clashes_between
from .extraction import extract
from .grouping import Clash, group
from .lexicon import Lexicon
from .statements import ChunkConstraints, Statement

# Least weight of shared content from which two clauses are compared as demand and ban.
_SHARED = 1.0
_Keys = set[tuple[str, str]]


@dataclass(slots=True)
class _Index:
    """Chunks read so far, by property and word of their constraints, and by word of their clauses."""

    by_property: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    by_word: dict[bool, dict[str, list[int]]] = field(default_factory=lambda: {True: {}, False: {}})

    def add(self, position: int, chunk: ChunkConstraints) -> None:
        for key in _keys(chunk):
            self.by_property.setdefault(key, []).append(position)
        for negative in (True, False):
            words = {item for s in chunk.statements if _is_negative(s) is negative for item in s.content}
            for word in words:
                self.by_word[negative].setdefault(word, []).append(position)

    def candidates(self, chunk: ChunkConstraints) -> list[int]:
        """Return the positions of earlier chunks that may contradict this one, ascending."""
        found = {position for key in _keys(chunk) for position in self.by_property.get(key, ())}
        for statement in chunk.statements:
            if not statement.prescribes:
                continue
            shared: Counter[int] = Counter()
            places = self.by_word[not _is_negative(statement)]
            for item, weight in statement.content.items():
                for position in places.get(item, ()):
                    shared[position] += weight  # type: ignore[assignment]  # weights are fractions
            found.update(position for position, weight in shared.items() if weight >= _SHARED)
        return sorted(found)


def scan_conflicts(
    texts: Sequence[RuleText],
    lexicon: Lexicon,
    *,
    min_confidence: float = DEFAULT_MIN_CONFIDENCE,
    similarity: Similarity | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[ConflictGroup, ...]:
    """Return the groups of rules of a whole handbook that cannot all be obeyed, the surest first.

    Args:
        texts: All chunks, of all documents.
        lexicon: Words, value sets and units.
        min_confidence: Clashes below this confidence, 0 to 1, are dropped.
        similarity: Optional meaning-based similarity of two clauses, 0 to 1.
        on_progress: Called with the number of chunks done and of all chunks, after each chunk.
    """
    return group(
        list(_clashes(texts, lexicon, min_confidence, similarity, on_progress or (lambda _done, _total: None))),
        by_rule=True,
    )


def _clashes(
    texts: Sequence[RuleText],
    lexicon: Lexicon,
    minimum: float,
    similarity: Similarity | None,
    on_progress: Callable[[int, int], None],
) -> Iterator[Clash]:
    chunks: list[ChunkConstraints] = []
    index = _Index()
    for position, text in enumerate(texts):
        chunk = extract(text, lexicon)
        for other in index.candidates(chunk):
            yield from clashes_between(other, chunks[other], position, chunk, lexicon, minimum, similarity)
        chunks.append(chunk)
        index.add(position, chunk)
        on_progress(position + 1, len(texts))


def _keys(chunk: ChunkConstraints) -> _Keys:
    return {
        (block, item)
        for constraint in chunk.constraints
        for block in (block_of(constraint.claim),)
        for item in constraint.statement.content
    }


def _is_negative(statement: Statement) -> bool:
    return statement.denied or statement.duty == "optional"
