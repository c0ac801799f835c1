"""How close two clauses are in meaning, by an embedding model (`conflicts.similarity: embedding`)."""

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from ..ports.embedder import Embedder
from ..ports.vectors import Vector

_KEPT = 20_000
_FLOOR = 0.5
"""Cosines up to here say nothing, since sentences of one field are never far apart; from here to 1 closeness grows."""


@dataclass(slots=True)
class EmbeddingSimilarity:
    """Cosine of two clauses, stretched to 0 to 1; each clause is embedded once.

    A model that cannot be used makes every pair 0, which is what the detector assumes without a model; `failure` then
    says why.
    """

    embedder: Embedder
    failure: str = ""
    _vectors: "OrderedDict[str, Vector]" = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, a: str, b: str) -> float:
        """Return the closeness of two clauses, 0 to 1."""
        if self.failure:
            return 0.0
        try:
            cosine = float(self._vector(a) @ self._vector(b))
        except Exception as error:  # noqa: BLE001  # any fault of a model leaves the words to decide
            self.failure = f"{type(error).__name__}: {error}"
            return 0.0
        return min(1.0, max(0.0, (cosine - _FLOOR) / (1 - _FLOOR)))

    def _vector(self, text: str) -> Vector:
        with self._lock:
            found = self._vectors.get(text)
            if found is not None:
                self._vectors.move_to_end(text)
                return found
        vector: Vector = self.embedder.embed_passages([text])[0]
        with self._lock:
            self._vectors[text] = vector
            while len(self._vectors) > _KEPT:
                self._vectors.popitem(last=False)
        return vector
