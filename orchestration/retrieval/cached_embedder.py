"""An embedder that remembers queries, in levels: this process, then what processes share."""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...ports.embedder import Embedder
from ...ports.vector_cache import QueryVectorCache, query_key
from ...ports.vectors import Matrix, Vector

MODEL = "model"
"""Where a vector comes from that no cache held."""


@dataclass(frozen=True, slots=True)
class EmbeddedQueries:
    """Vectors of queries, and where each came from.

    Attributes:
        matrix: One row per query, (n, dimension).
        sources: Name of the cache level, or `model`, per query.
        faults: What is wrong with a level, by its name.
    """

    matrix: Matrix
    sources: tuple[str, ...]
    faults: Mapping[str, str] = field(default_factory=dict)


class CachedEmbedder(Embedder):
    """The embedder of a version behind its caches. Passages go to the model; queries are looked up first.

    A level that misses is filled from the one behind it. A level that fails is passed over: the search is as without
    it, and `EmbeddedQueries.faults` says so.

    Args:
        inner: The model.
        levels: Caches, the nearest first; none makes this a plain pass-through.
        variant: What else decides the vectors beside the model's name: adapter, options.
    """

    def __init__(self, inner: Embedder, levels: Sequence[QueryVectorCache], *, variant: str = "") -> None:
        self._inner = inner
        self._variant = variant
        self._levels = tuple(levels)
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._known_dimension = 0

    @property
    def name(self) -> str:
        """Full name of the model."""
        return self._inner.name

    @property
    def dimension(self) -> int:
        """Length of its vectors; may load the model."""
        return self._inner.dimension

    @property
    def max_tokens(self) -> int:
        """Longest text that the model reads whole, in tokens."""
        return self._inner.max_tokens

    @property
    def inner(self) -> Embedder:
        """The model without caches."""
        return self._inner

    @property
    def counts(self) -> Mapping[str, int]:
        """How many queries each level and the model answered, since this object was made."""
        with self._lock:
            return dict(self._counts)

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text, by the model."""
        return self._inner.embed_passages(texts)

    def embed_query(self, text: str) -> Vector:
        """Return the query's vector."""
        vector: Vector = self.traced([text]).matrix[0]
        return vector

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Return one row per query; the model is called once, for those that no level holds."""
        return self.traced(texts).matrix

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of a text."""
        return self._inner.count_tokens(text)

    def warm_up(self) -> None:
        """Load the model."""
        self._inner.warm_up()

    def traced(self, texts: Sequence[str], dimension: int = 0) -> EmbeddedQueries:
        """Return vectors and where they came from.

        Args:
            texts: Queries.
            dimension: Length of the version's vectors, so that a hit needs no model; 0 asks the model.
        """
        if not texts:
            return EmbeddedQueries(self._inner.embed_queries(texts), ())
        if not self._levels:
            return EmbeddedQueries(self._inner.embed_queries(texts), (MODEL,) * len(texts))
        self._known_dimension = dimension or self._known_dimension or self._inner.dimension
        model = f"{self._inner.name} {self._variant}".strip()
        keys = {text: query_key(model, text) for text in dict.fromkeys(texts)}
        found: dict[str, tuple[Vector, str]] = {}
        for depth, level in enumerate(self._levels):
            missing = [text for text in keys if text not in found]
            vectors = level.get([keys[text] for text in missing], self._known_dimension) if missing else []
            hits = {text: vector for text, vector in zip(missing, vectors, strict=True) if vector is not None}
            found |= {text: (vector, level.name) for text, vector in hits.items()}
            for nearer in self._levels[:depth] if hits else ():
                nearer.put({keys[text]: vector for text, vector in hits.items()})
        missing = [text for text in keys if text not in found]
        if missing:
            rows = dict(zip(missing, self._inner.embed_queries(missing), strict=True))
            found |= {text: (row, MODEL) for text, row in rows.items()}
            for level in self._levels:
                level.put({keys[text]: row for text, row in rows.items()})
        sources = tuple(found[text][1] for text in texts)
        with self._lock:
            self._counts.update(sources)
        faults = {level.name: level.fault for level in self._levels if level.fault}
        return EmbeddedQueries(np.stack([found[text][0] for text in texts]), sources, faults)
