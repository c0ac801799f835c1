"""Port: keyword search over analysed texts."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class KeywordHit:
    """One match: id, BM25 score above 0 (unbounded, comparable within one query and index only)."""

    id: str
    score: float


TermGroup = Sequence[tuple[str, float]]
"""A term that is asked for and terms that may stand in its place, each with a weight above 0."""


@dataclass(frozen=True, slots=True)
class KeywordIndexOptions:
    """BM25 parameters (Robertson and Zaragoza 2009) and adapter-specific settings.

    Attributes:
        k1: Saturation of term frequency.
        b: Strength of length normalisation, 0 to 1.
        options: Adapter-specific settings from the configuration.
    """

    k1: float = 1.5
    b: float = 0.75
    options: Mapping[str, object] = field(default_factory=dict)


class KeywordIndex(ABC):
    """An index over one collection.

    Contract (kept by `kisoku.testing.KeywordIndexContract`):

    - `build` replaces the content; `save` then `load` gives an index with the same answers.
    - Only texts that share a term with the query are returned, best first, equal scores by id.
    - Scores follow BM25 with the idf of Lucene, log(1 + (N - n + 0.5) / (n + 0.5)), so that all adapters rank alike.
    - An empty index and a query without known terms return nothing.
    - `load` of missing or damaged files raises `HandbookCorruptError`.
    - `query_groups` counts of each group the best term alone, and `vocabulary` is the same after loading.
    - `document_frequencies` and `occurrences` agree with what `query` finds for each term alone.
    """

    @abstractmethod
    def build(self, ids: Sequence[str], terms: Sequence[Sequence[str]]) -> None:
        """Index texts given as terms; both sequences have one length."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the index into an existing empty folder."""

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Open a saved index without rebuilding it."""

    @abstractmethod
    def query(self, terms: Sequence[str], top_k: int) -> list[KeywordHit]:
        """Return at most `top_k` matches, best first. A term that occurs twice in the query counts twice."""

    @abstractmethod
    def count(self) -> int:
        """Return how many texts are indexed."""

    def vocabulary(self) -> list[str]:
        """Return every distinct term, in an order that loading keeps; empty when the adapter does not tell."""
        return []

    def query_groups(self, groups: Sequence[TermGroup], top_k: int) -> list[KeywordHit]:
        """Return at most `top_k` matches for terms with alternatives, best first.

        A text gets for each group the greatest of weight times BM25 score over the group's terms, and the sum over
        groups. Groups of one term with weight 1 answer as `query` does. Adapters override this plain way with a
        quicker one.
        """
        totals: dict[str, float] = {}
        for group in groups:
            best: dict[str, float] = {}
            for term, weight in group:
                for hit in self.query([term], self.count()):
                    best[hit.id] = max(best.get(hit.id, 0.0), weight * hit.score)
            for identifier, score in best.items():
                totals[identifier] = totals.get(identifier, 0.0) + score
        # Rounded as adapters round, so that equal sums are equal whatever the order of their addends.
        hits = [KeywordHit(identifier, round(score, 9)) for identifier, score in totals.items() if score > 0]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[: max(0, top_k)]

    def ids(self) -> list[str] | None:
        """Return the ids of all texts; None from an adapter that does not say."""
        return None

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return in how many texts each term occurs; adapters override this plain way with a quicker one."""
        return [len(self.query([term], self.count())) for term in terms]

    def occurrences(self, terms: Sequence[str], ids: Sequence[str]) -> list[frozenset[str]]:
        """Return for each text which of the terms occur in it; an unknown id holds none.

        Adapters override this plain way with a quicker one.
        """
        holding = {term: {hit.id for hit in self.query([term], self.count())} for term in dict.fromkeys(terms)}
        return [frozenset(term for term, found in holding.items() if identifier in found) for identifier in ids]
