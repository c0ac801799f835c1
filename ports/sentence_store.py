"""Port: vectors of the sentences of a version's chunks, made when it is built."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .vectors import Matrix

SentenceBatch = tuple[Sequence[str], Matrix]
"""Distinct sentences and their unit vectors, (n, dimension)."""


class SentenceVectors(ABC):
    """Sentence vectors of one collection, open for reading; safe for several threads."""

    @property
    @abstractmethod
    def chunk_count(self) -> int:
        """How many distinct chunks it knows."""

    @property
    @abstractmethod
    def sentence_count(self) -> int:
        """How many distinct sentences it keeps a vector of."""

    @abstractmethod
    def of_chunks(self, content_hashes: Sequence[str]) -> list[Matrix | None]:
        """Return the vectors of each chunk's sentences in order, (n, dimension); None for a chunk it does not know."""

    @abstractmethod
    def rows(self, numbers: Sequence[int]) -> Matrix:
        """Return vectors by their numbers, which count in the order of writing, (n, dimension)."""

    @abstractmethod
    def nearest(self, vectors: Matrix, count: int) -> list[list[tuple[int, float]]]:
        """Return for each unit vector the numbers and cosines of the nearest rows, best first, at most `count`."""

    @abstractmethod
    def known(self, sentences: Sequence[str]) -> list[bool]:
        """Return which sentences it keeps a vector of."""

    @abstractmethod
    def of_sentences(self, sentences: Sequence[str]) -> Matrix:
        """Return the vectors of sentences, all known, (n, dimension).

        Raises:
            KeyError: One is not known.
        """


class SentenceStore(ABC):
    """Reads and writes the sentence vectors of a collection.

    Contract (kept by `tests/contract/test_sentence_store.py`):

    - What was written is read back within a cosine of 0.999, and reading then writing again changes nothing more.
    - A folder or collection without sentence vectors is None, damaged files raise `HandbookCorruptError`.
    - Writing needs the memory of one batch of vectors, not of all.
    """

    @abstractmethod
    def write(
        self, folder: Path, dimension: int, batches: Iterable[SentenceBatch], chunks: Mapping[str, Sequence[str]]
    ) -> None:
        """Write a collection into an existing empty folder.

        Args:
            folder: Of this collection alone.
            dimension: Length of a vector.
            batches: Every distinct sentence of `chunks` once, and any others; consumed as it is written.
            chunks: Sentences in order, by content hash of the chunk.
        """

    @abstractmethod
    def open(self, folder: Path) -> SentenceVectors | None:
        """Open a collection, None when there is none.

        Raises:
            HandbookCorruptError: Its files are damaged.
        """
