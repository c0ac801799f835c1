"""Rerank by the best sentence of a candidate, mixed with what the channels said."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...domain.errors import ConfigError, ModelError
from ...domain.sentences import sentences
from ...ports.embedder import Embedder
from ...ports.reranker import RerankCandidate, Reranker, RerankerOptions
from ...ports.vectors import Matrix, Vector
from .vector_cache import VectorCache

_DEFAULTS: dict[str, float] = {
    "sentence_weight": 0.4,
    "lexical_weight": 0.2,
    "vector_weight": 0.0,
    "fused_weight": 0.4,
    "cache_mb": 64.0,
    "max_sentences": 64.0,
}
_MEGABYTE = 1 << 20


class SentenceSimilarityReranker(Reranker):
    """Compares the query with the sentences of every candidate, using the version's own embedder.

    A vector of a whole chunk is the average of its rules; the sentence that answers the question stands out only
    when it is compared alone, and a rule spread over two sentences when they are compared together. The score of a
    candidate is the greatest cosine of the query with one sentence or with the sum of two neighbours (the sum stands
    for a vector of both, and costs no inference).

    That cosine, the channels' scores and the fusion score are standardised within the candidate set, since BM25 and
    cosines live on different scales, and added with weights. A candidate that a channel did not return counts as that
    channel's worst of the set; a channel that returned nothing counts nothing.

    Args:
        options: `embedder` is the version's own. `options` may hold `sentence_weight`, `lexical_weight`,
            `vector_weight`, `fused_weight` (defaults from `benchmarks/embedding.py`), `cache_mb` for vectors of
            candidates seen before, and `max_sentences` read of one candidate.
    """

    def __init__(self, options: RerankerOptions | None = None) -> None:
        options = options or RerankerOptions()
        settings = dict(_DEFAULTS)
        for key in settings.keys() & options.options.keys():
            settings[key] = _number(key, options.options[key])
        self._weights = {signal: settings[f"{signal}_weight"] for signal in ("sentence", "lexical", "vector", "fused")}
        self._max_sentences = max(1, int(settings["max_sentences"]))
        self._embedder = options.embedder
        self._cache = VectorCache(int(settings["cache_mb"] * _MEGABYTE))

    @property
    def name(self) -> str:
        """The method and the embedder it uses."""
        return f"sentence:{self._embedder.name}" if self._embedder is not None else "sentence"

    def rerank(self, query: str, candidates: Sequence[RerankCandidate]) -> list[float]:
        """Return one score per candidate: a weighted sum of standard scores, comparable within this call only.

        Raises:
            ModelError: There is no embedder, or it cannot be used.
        """
        if not candidates:
            return []
        vector = self._required().embed_query(query)
        signals: dict[str, list[float | None]] = {
            "sentence": [best_similarity(vector, rows) for rows in self._sentence_vectors(candidates)],
            "lexical": [candidate.lexical for candidate in candidates],
            "vector": [candidate.vector for candidate in candidates],
            "fused": [candidate.fused for candidate in candidates],
        }
        scores = np.zeros(len(candidates))
        for signal, weight in self._weights.items():
            scores += weight * standardised(signals[signal])
        return [float(score) for score in scores]

    def warm_up(self) -> None:
        """Load the embedder's model."""
        self._required().warm_up()

    def _required(self) -> Embedder:
        if self._embedder is None:
            raise ModelError(
                "Sentences cannot be compared because the version's embedding model is not available.",
                hint="Install the model that the handbook was built with, or set rerank.model to none.",
            )
        return self._embedder

    def _sentence_vectors(self, candidates: Sequence[RerankCandidate]) -> list[Matrix]:
        keys = [candidate.content_hash or _digest(candidate.text) for candidate in candidates]
        found = {
            key: candidate.sentences[: self._max_sentences]
            for key, candidate in zip(keys, candidates, strict=True)
            if candidate.sentences is not None
        }
        if len(found) == len(set(keys)):
            return [found[key] for key in keys]
        for key in set(keys) - found.keys():
            if (rows := self._cache.get(key)) is not None:
                found[key] = rows
        missing = {key: candidate.text for key, candidate in zip(keys, candidates, strict=True) if key not in found}
        split = {key: sentences(text)[: self._max_sentences] for key, text in missing.items()}
        # One call for all: the model reads many short texts faster together than one by one.
        matrix = self._required().embed_passages([sentence for pieces in split.values() for sentence in pieces])
        start = 0
        for key, pieces in split.items():
            rows = matrix[start : start + len(pieces)].copy()  # a view would keep the whole batch alive in the cache
            start += len(pieces)
            self._cache.put(key, rows)
            found[key] = rows
        return [found[key] for key in keys]


def best_similarity(query: Vector, rows: Matrix) -> float | None:
    """Return the greatest cosine of the query with one row or the sum of two neighbouring rows.

    Args:
        query: Unit vector, (dimension,).
        rows: Unit vectors of sentences in order, (n, dimension).

    Returns:
        A number in [-1, 1]; None when there are no rows.
    """
    if not len(rows):
        return None
    best = float((rows @ query).max())
    if len(rows) > 1:
        pairs = rows[:-1] + rows[1:]
        lengths = np.maximum(np.linalg.norm(pairs, axis=1), 1e-9)  # opposite sentences sum to nothing
        best = max(best, float(((pairs @ query) / lengths).max()))
    return best


def standardised(values: Sequence[float | None]) -> NDArray[np.float64]:
    """Return z-scores, (n,); a missing value counts as the smallest one given, and equal values as 0."""
    known = [value for value in values if value is not None and np.isfinite(value)]
    if not known:
        return np.zeros(len(values))
    lowest = min(known)
    filled = np.array([value if value is not None and np.isfinite(value) else lowest for value in values])
    spread = filled.std()
    if spread < 1e-9:  # noqa: PLR2004  # rounding noise is no difference
        return np.zeros(len(values))
    scores: NDArray[np.float64] = (filled - filled.mean()) / spread
    return scores


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _number(key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value) or value < 0:
        raise ConfigError(f"The reranker's {key} must be a number from 0 up, not {value!r}.")
    return float(value)
