"""The reference: rank_bm25, plain and slow, which every other keyword index must agree with."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from rank_bm25 import BM25Okapi

from ...domain.errors import HandbookCorruptError
from ...ports.keyword_index import KeywordHit, KeywordIndex, KeywordIndexOptions
from .ranking import best_hits, checked_options, read_sealed, require_same_length, write_sealed

_TERMS_NAME: Final = "terms.json"


class _LuceneBm25(BM25Okapi):  # type: ignore[misc]  # rank_bm25 ships no types
    """BM25Okapi with the idf of Lucene, which is never negative, and without the constant factor k1 + 1.

    The factor is divided out of the idf, since rank_bm25 has it in the numerator of the term frequency; Lucene
    dropped it (LUCENE-8563), as it changes no order.
    """

    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        for term, texts in nd.items():
            idf = math.log(1 + (self.corpus_size - texts + 0.5) / (texts + 0.5))
            self.idf[term] = idf / (self.k1 + 1)


class RankBm25Index(KeywordIndex):
    """BM25 worked out at query time; `load` builds the index again from the stored terms.

    Needs the extra `rank-bm25`.

    Raises:
        ConfigError: k1 or b out of range, or an unknown option.
    """

    def __init__(self, options: KeywordIndexOptions | None = None) -> None:
        self._options = checked_options(options or KeywordIndexOptions())
        self._ids: list[str] = []
        self._terms: list[list[str]] = []
        self._model: Any = None

    def build(self, ids: Sequence[str], terms: Sequence[Sequence[str]]) -> None:
        """Index texts given as terms; both sequences have one length, else `ValueError`."""
        require_same_length(ids, terms)
        self._ids, self._terms = list(ids), [list(text) for text in terms]
        self._model = _LuceneBm25(self._terms, k1=self._options.k1, b=self._options.b) if any(self._terms) else None

    def save(self, folder: Path) -> None:
        """Write the index into an existing empty folder."""
        content = {"ids": self._ids, "terms": self._terms, "k1": self._options.k1, "b": self._options.b}
        write_sealed(folder / _TERMS_NAME, content)

    def load(self, folder: Path) -> None:
        """Open a saved index, with the parameters that it was built with."""
        content = read_sealed(folder / _TERMS_NAME)
        try:
            self._options = replace(self._options, k1=content["k1"], b=content["b"])
            self.build(content["ids"], content["terms"])
        except (ValueError, KeyError, TypeError) as error:
            raise HandbookCorruptError(f"The keyword index in {folder} cannot be read: {error}") from error

    def query(self, terms: Sequence[str], top_k: int) -> list[KeywordHit]:
        """Return at most `top_k` matches, best first. A term that occurs twice in the query counts twice."""
        if self._model is None:
            return []
        scores = np.zeros(len(self._ids))
        # 0 / 0 for a text without the term when k1 is 0, or b is 1 and the text is empty: it adds nothing.
        with np.errstate(invalid="ignore"):
            for term in terms:
                scores += np.nan_to_num(self._model.get_scores([term]))
        return best_hits(scores, self._ids, top_k)

    def vocabulary(self) -> list[str]:
        """Return every distinct term in order of appearance."""
        return list(dict.fromkeys(term for text in self._terms for term in text))

    def count(self) -> int:
        """Return how many texts are indexed."""
        return len(self._ids)

    def ids(self) -> list[str]:
        """Return the ids of all texts, in the order of indexing."""
        return list(self._ids)

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return in how many texts each term occurs."""
        return [sum(term in text for text in self._bags()) for term in terms]

    def occurrences(self, terms: Sequence[str], ids: Sequence[str]) -> list[frozenset[str]]:
        """Return for each text which of the terms occur in it."""
        bags = dict(zip(self._ids, self._bags(), strict=True))
        return [frozenset(terms).intersection(bags.get(identifier, ())) for identifier in ids]

    def _bags(self) -> list[dict[str, int]]:
        return self._model.doc_freqs if self._model is not None else [{} for _ in self._ids]
