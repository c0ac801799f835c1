"""The vectors used last, in this process."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

import numpy as np

from ...ports.vector_cache import QueryVectorCache
from ...ports.vectors import Vector


class MemoryVectorCache(QueryVectorCache):
    """Least recently used vectors.

    Args:
        entries: Most vectors held; 1,024 of 512 dimensions take 2 MB.
    """

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._held: OrderedDict[str, Vector] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Short stable name."""
        return "memory"

    def get(self, keys: Sequence[str], dimension: int) -> list[Vector | None]:
        """Return one vector per key and mark them as used."""
        found: list[Vector | None] = []
        with self._lock:
            for key in keys:
                vector = self._held.get(key)
                if vector is not None and vector.shape == (dimension,):
                    self._held.move_to_end(key)
                    found.append(vector)
                else:
                    found.append(None)
        return found

    def put(self, vectors: Mapping[str, Vector]) -> None:
        """Keep copies, and let go of the vectors unused for longest; one that is not finite is not kept."""
        with self._lock:
            for key, vector in vectors.items():
                if not np.isfinite(vector).all():
                    continue
                # A row of a batch would keep the whole batch alive.
                kept = np.array(vector, dtype=np.float32)
                kept.setflags(write=False)
                self._held[key] = kept
                self._held.move_to_end(key)
            while len(self._held) > self._entries:
                self._held.popitem(last=False)

    def close(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._held.clear()
