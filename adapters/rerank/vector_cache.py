"""Sentence vectors of candidates seen before, bounded by bytes."""

import threading
from collections import OrderedDict

from ...ports.vectors import Matrix


class VectorCache:
    """Least recently used matrices by key; safe for several threads.

    Args:
        max_bytes: Sum of the sizes of all matrices held; 0 holds nothing.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._held: OrderedDict[str, Matrix] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """Bytes held."""
        return self._bytes

    def get(self, key: str) -> Matrix | None:
        """Return the matrix and mark it as used; None when it is not held."""
        with self._lock:
            matrix = self._held.get(key)
            if matrix is not None:
                self._held.move_to_end(key)
            return matrix

    def put(self, key: str, matrix: Matrix) -> None:
        """Hold a matrix, and let go of the ones unused for longest; one over the bound is not held at all."""
        if matrix.nbytes > self._max_bytes:
            return
        with self._lock:
            old = self._held.pop(key, None)
            self._bytes += matrix.nbytes - (old.nbytes if old is not None else 0)
            self._held[key] = matrix
            while self._bytes > self._max_bytes:
                _, oldest = self._held.popitem(last=False)
                self._bytes -= oldest.nbytes
