"""Keyword indexes of partitions: loaded when they are needed, the least recently used dropped."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from ...ports.keyword_index import KeywordIndex


class IndexCache:
    """Keeps the indexes that were used last. Thread-safe; two threads that want one index load it once.

    Args:
        load: Opens the index in a folder.
        kept: How many stay.
    """

    def __init__(self, load: Callable[[Path], KeywordIndex], kept: int) -> None:
        self._load = load
        self._kept = kept
        self._lock = threading.Lock()
        self._indexes: OrderedDict[Path, KeywordIndex] = OrderedDict()

    def __contains__(self, folder: Path) -> bool:
        return folder in self._indexes

    def __len__(self) -> int:
        return len(self._indexes)

    def get(self, folder: Path) -> KeywordIndex:
        """Return an index.

        Raises:
            HandbookCorruptError: Its files are missing or damaged.
        """
        with self._lock:
            index = self._indexes.get(folder)
            if index is None:
                index = self._load(folder)
                self._indexes[folder] = index
            self._indexes.move_to_end(folder)
            while len(self._indexes) > self._kept:
                self._indexes.popitem(last=False)
            return index
