"""BM25 with scores worked out at indexing time (bm25s, Lù 2024, arXiv:2407.03618), memory-mapped."""

import itertools
import logging
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import bm25s
import numpy as np
from numpy.typing import NDArray

from ...domain.errors import HandbookCorruptError
from ...ports.keyword_index import KeywordHit, KeywordIndex, KeywordIndexOptions, TermGroup
from .ranking import best_hits, checked_options, read_sealed, require_same_length, write_sealed

_IDS_NAME: Final = "ids.json"

# bm25s sets its logger to DEBUG at import and then reports every index that it builds.
logging.getLogger("bm25s").setLevel(logging.WARNING)


class Bm25sIndex(KeywordIndex):
    """The index of a collection as a sparse matrix of scores, term by text.

    A query adds up the columns of its terms. Scores are float64: in float32 texts that differ in the seventh digit
    would be ranked by chance. Queries only read, so several threads may ask at once; `build` and `load` are the
    caller's to serialise.

    Raises:
        ConfigError: k1 or b out of range, or an unknown option.
    """

    def __init__(self, options: KeywordIndexOptions | None = None) -> None:
        self._options = checked_options(options or KeywordIndexOptions())
        self._keep([], None)

    def _keep(self, ids: list[str], model: Any) -> None:
        self._ids, self._model = ids, model
        self._rows: dict[str, int] = {}
        self._numbers: dict[str, int] = {} if model is None else model.vocab_dict
        # Plain views: every slice of a `numpy.memmap` is one more, at ten times the cost of a slice.
        self._starts, self._texts, self._values = (
            np.asarray([] if model is None else model.scores[name]) for name in ("indptr", "indices", "data")
        )

    def build(self, ids: Sequence[str], terms: Sequence[Sequence[str]]) -> None:
        """Index texts given as terms; both sequences have one length, else `ValueError`."""
        require_same_length(ids, terms)
        # Numbers in order of appearance: the files are the same bytes in every process.
        numbered: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        numbers = [list(map(numbered.__getitem__, text)) for text in terms]
        vocabulary = dict(numbered)
        model = None
        if vocabulary:
            model = bm25s.BM25(
                k1=self._options.k1, b=self._options.b, method="lucene", dtype="float64", backend="numpy"
            )
            model.index((numbers, vocabulary), create_empty_token=False, show_progress=False)
        self._keep(list(ids), model)

    def save(self, folder: Path) -> None:
        """Write the index into an existing empty folder."""
        if self._model is not None:
            self._model.save(folder, show_progress=False)
        write_sealed(folder / _IDS_NAME, {"ids": self._ids, "empty": self._model is None})

    def load(self, folder: Path) -> None:
        """Open a saved index without rebuilding it; the scores stay on disk until they are read."""
        content = read_sealed(folder / _IDS_NAME)
        try:
            ids, empty = [str(identifier) for identifier in content["ids"]], bool(content["empty"])
            model = None if empty else bm25s.BM25.load(folder, mmap=True, load_corpus=False, show_progress=False)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise HandbookCorruptError(f"The keyword index in {folder} cannot be read: {error}") from error
        if model is not None and model.scores["num_docs"] != len(ids):
            raise HandbookCorruptError(f"The keyword index in {folder} has {len(ids)} ids for other texts.")
        self._keep(ids, model)

    def query(self, terms: Sequence[str], top_k: int) -> list[KeywordHit]:
        """Return at most `top_k` matches, best first. A term that occurs twice in the query counts twice."""
        parts = [self._part(term) for term in terms if term in self._numbers]
        if not parts:
            return []
        scores = np.zeros(len(self._ids))
        for part in parts:
            scores[self._texts[part]] += self._values[part]
        return best_hits(scores, self._ids, top_k)

    def query_groups(self, groups: Sequence[TermGroup], top_k: int) -> list[KeywordHit]:
        """Return at most `top_k` matches for terms with alternatives, best first."""
        scores = np.zeros(len(self._ids))
        best = np.zeros(len(self._ids))
        for group in groups:
            touched = []
            for term, weight in group:
                if term not in self._numbers:
                    continue
                part = self._part(term)
                rows = self._texts[part]
                best[rows] = np.maximum(best[rows], weight * self._values[part])
                touched.append(rows)
            # Columns are short: adding and clearing only what was touched keeps the cost at their length. What stands
            # in several of them is 0 after the first.
            for rows in touched:
                scores[rows] += best[rows]
                best[rows] = 0.0
        return best_hits(scores, self._ids, top_k)

    def vocabulary(self) -> list[str]:
        """Return every distinct term by its number."""
        return sorted(self._numbers, key=self._numbers.__getitem__)

    def count(self) -> int:
        """Return how many texts are indexed."""
        return len(self._ids)

    def ids(self) -> list[str]:
        """Return the ids of all texts, in the order of indexing."""
        return list(self._ids)

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        """Return in how many texts each term occurs: the length of its column."""
        return [len(self._column(term)) for term in terms]

    def occurrences(self, terms: Sequence[str], ids: Sequence[str]) -> list[frozenset[str]]:
        """Return for each text which of the terms occur in it."""
        if not self._rows:
            self._rows = {identifier: row for row, identifier in enumerate(self._ids)}
        rows = np.array([self._rows.get(identifier, -1) for identifier in ids], dtype=np.int64)
        known = [term for term in dict.fromkeys(terms) if term in self._numbers]
        numbers = np.array([self._numbers[term] for term in known], dtype=np.int64)
        holds = _among(self._texts, self._starts[numbers], self._starts[numbers + 1], rows).T.tolist()
        return [frozenset(itertools.compress(known, column)) for column in holds]

    def _column(self, term: str) -> NDArray[np.int64]:
        """Return the rows of the texts that hold a term."""
        if term not in self._numbers:
            return np.empty(0, dtype=np.int64)
        rows: NDArray[np.int64] = self._texts[self._part(term)]
        return rows

    def _part(self, term: str) -> slice:
        """Return where the column of a known term lies."""
        number = self._numbers[term]
        return slice(int(self._starts[number]), int(self._starts[number + 1]))


def _among(
    values: NDArray[np.integer[Any]],
    starts: NDArray[np.integer[Any]],
    ends: NDArray[np.integer[Any]],
    wanted: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Return which wanted values stand in each column of ascending values, (columns, wanted).

    Bisects all columns at once: hundreds of words are asked for together, and a call of numpy for each costs more than
    its search. bm25s keeps columns ascending.
    """
    low = np.repeat(starts.astype(np.int64)[:, None], len(wanted), axis=1)
    if not low.size:
        return np.zeros(low.shape, dtype=np.bool_)
    last = ends.astype(np.int64)[:, None] - 1  # no column of a term is empty
    high = np.repeat(last, len(wanted), axis=1)
    for _ in range(int((high - low).max()).bit_length()):
        middle = (low + high) >> 1
        before = values[middle] < wanted
        low = np.where(before, np.minimum(middle + 1, high), low)
        high = np.where(before, high, middle)
    found: NDArray[np.bool_] = values[low] == wanted
    return found
