"""Port: vectors of queries that were embedded before."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from .vectors import Vector


def query_key(model: str, text: str) -> str:
    """Return the key of a query: sha256 over the model's full name and the text, 64 hex digits."""
    return hashlib.sha256(f"{model}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()


class QueryVectorCache(ABC):
    """One level of the cache of query embeddings.

    Contract (kept by `kisoku.testing.QueryVectorCacheContract`):

    - Nothing here raises: a cache that is gone, slow or damaged misses, and `fault` says why.
    - What comes back is what was put, bit for bit, float32, read-only; a value of another dimension, or one that is no
      finite vector, is a miss.
    - Safe for several threads.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Short stable name for traces and metrics."""

    @property
    def fault(self) -> str:
        """Why the last call did not work, "" when it did; holds no secrets."""
        return ""

    @abstractmethod
    def get(self, keys: Sequence[str], dimension: int) -> list[Vector | None]:
        """Return one vector per key, None where there is none."""

    @abstractmethod
    def put(self, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors by key."""

    @abstractmethod
    def close(self) -> None:
        """Release connections; the cache is not used after that."""
