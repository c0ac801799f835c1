"""Terms of a query with the words of the handbook that mean nearly the same."""

import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

import numpy as np

from ...config.settings import RelatedSettings
from ...domain.related_terms import comparable_terms, term_group
from ...ports.embedder import Embedder
from ...ports.keyword_index import KeywordIndex, TermGroup
from ...ports.sentence_store import SentenceVectors
from ...ports.vectors import Matrix

_REMEMBERED: Final = 4096
_NEIGHBOURS: Final = 32
"""Looked for and remembered of each term, whatever is asked for: finding few costs as much."""

_Neighbours = Sequence[tuple[int, float]]


class RelatedTerms:
    """The words of one collection with their vectors. Thread-safe; remembers what it was asked.

    Args:
        index: Keyword index of the whole collection.
        vectors: Of its comparable terms, in its order.
        embedder: The version's own; asked only for terms that the collection does not have.
    """

    def __init__(self, index: KeywordIndex, vectors: SentenceVectors, embedder: Embedder) -> None:
        self._index = index
        self._vectors = vectors
        self._embedder = embedder
        self._terms = comparable_terms(index.vocabulary())
        self._numbers = {term: number for number, term in enumerate(self._terms)}
        self._nearest: OrderedDict[str, _Neighbours] = OrderedDict()
        self._groups: OrderedDict[tuple[str, RelatedSettings], TermGroup] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def fits(self) -> bool:
        """Whether the vectors are of this index's terms."""
        return len(self._terms) == self._vectors.sentence_count

    def groups(self, terms: Sequence[str], settings: RelatedSettings) -> list[TermGroup]:
        """Return each term with its alternatives, in the order given.

        Raises:
            ModelError: A term is new and the model cannot be used.
        """
        with self._lock:
            known = {term: self._groups[term, settings] for term in terms if (term, settings) in self._groups}
        new = [term for term in dict.fromkeys(terms) if term not in known]
        if new:
            found = dict(zip(new, self._new_groups(new, settings), strict=True))
            known.update(found)
            with self._lock:
                self._groups.update({(term, settings): group for term, group in found.items()})
                while len(self._groups) > _REMEMBERED:
                    self._groups.popitem(last=False)
        return [known[term] for term in terms]

    def near(self, terms: Sequence[str], count: int, least: float) -> dict[str, dict[str, float]]:
        """Return for each term the collection's nearest other words with their cosines, nearest first.

        Args:
            terms: Any; those with digits have no neighbours.
            count: Most for each.
            least: Smallest cosine.

        Raises:
            ModelError: A term is new and the model cannot be used.
        """
        nearest = self._nearest_of(terms, count + 1)
        found: dict[str, dict[str, float]] = {}
        for term in terms:
            others = [(self._terms[number], cosine) for number, cosine in nearest.get(term, ()) if cosine >= least]
            found[term] = dict([other for other in others if other[0] != term][:count])
        return found

    def _nearest_of(self, terms: Sequence[str], count: int) -> dict[str, _Neighbours]:
        """Return the numbers and cosines of each comparable term's nearest words, the term itself among them."""
        asked = comparable_terms(list(dict.fromkeys(terms)))
        if count > _NEIGHBOURS:
            return dict(zip(asked, self._vectors.nearest(self._vectors_of(asked), count), strict=True))
        with self._lock:
            known = {term: self._nearest[term] for term in asked if term in self._nearest}
        new = [term for term in asked if term not in known]
        if new:
            found = dict(zip(new, self._vectors.nearest(self._vectors_of(new), _NEIGHBOURS), strict=True))
            known.update(found)
            with self._lock:
                self._nearest.update(found)
                while len(self._nearest) > _REMEMBERED:
                    self._nearest.popitem(last=False)
        return {term: neighbours[:count] for term, neighbours in known.items()}

    def _new_groups(self, terms: Sequence[str], settings: RelatedSettings) -> list[TermGroup]:
        nearest = self._nearest_of(terms, settings.terms)
        others = {self._terms[number] for found in nearest.values() for number, _ in found}
        names = list(dict.fromkeys([*terms, *others]))
        size = self._index.count()
        rarity = {
            term: math.log(1 + (size - count + 0.5) / (count + 0.5))
            for term, count in zip(names, self._index.document_frequencies(names), strict=True)
        }
        return [
            term_group(
                term,
                [(self._terms[n], cosine, rarity[self._terms[n]]) for n, cosine in nearest.get(term, ())],
                rarity[term],
                least=settings.least,
                power=settings.power,
            )
            for term in terms
        ]

    def _vectors_of(self, terms: Sequence[str]) -> Matrix:
        numbers = [self._numbers.get(term, -1) for term in terms]
        new = [term for term, number in zip(terms, numbers, strict=True) if number < 0]
        matrix = np.empty((len(terms), self._embedder.dimension), dtype=np.float32)
        places = np.array(numbers, dtype=np.int64)
        if len(new) < len(terms):
            matrix[places >= 0] = self._vectors.rows(places[places >= 0].tolist())
        if new:
            matrix[places < 0] = self._embedder.embed_passages(new)
        return matrix
