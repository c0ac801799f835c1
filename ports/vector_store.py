"""Port: where vectors live (requirements, rag-layer §9.2)."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from .vectors import Matrix, Vector

MetadataValue = str | int | float | bool
Where = Mapping[str, MetadataValue | Sequence[MetadataValue]]
"""Conditions that must all hold: {"category": "write"} equals, {"doc_id": ["a.docx", "b.docx"]} one of."""


@dataclass(frozen=True, slots=True)
class VectorHit:
    """One neighbour: id, document text, metadata, and cosine similarity in [-1, 1], higher is nearer."""

    id: str
    document: str
    metadata: Mapping[str, MetadataValue]
    score: float


@dataclass(frozen=True, slots=True)
class VectorStoreOptions:
    """What a factory of vector stores gets.

    Attributes:
        path: Folder of one version; exists, belongs to the store alone, and may be renamed once it is closed.
        read_only: True when the version is published; the store must not change a byte of meaning.
        options: Adapter-specific settings from the configuration.
    """

    path: Path
    read_only: bool = False
    options: Mapping[str, object] = field(default_factory=dict)


class VectorStoreAdapter(ABC):
    """Vectors of one version, in named collections, searched by cosine similarity.

    Contract (kept by `kisoku.testing.VectorStoreContract`):

    - `upsert` replaces what has the same id; the four lists have one length, vectors one dimension per
      collection, else `ValueError`.
    - `query` returns at most `top_k` hits, best first, equal scores by id; an empty collection gives none.
    - A collection that does not exist raises `KeyError` with its name, everywhere.
    - After `close` the folder holds everything and can be renamed and opened again.
    - Damaged files raise `HandbookCorruptError`.

    Attributes:
        waits: Whether a search waits for another machine or process, so that the other channels get on meanwhile. False
            for a store that computes in this process: a thread of its own would only cost time.
    """

    waits: ClassVar[bool] = True

    @abstractmethod
    def create_collection(self, name: str) -> None:
        """Create an empty collection; one that exists is left as it is."""

    @abstractmethod
    def delete_collection(self, name: str) -> None:
        """Delete a collection with everything in it."""

    @abstractmethod
    def upsert(
        self,
        collection: str,
        ids: Sequence[str],
        embeddings: Matrix | Sequence[Sequence[float]],
        documents: Sequence[str],
        metadatas: Sequence[Mapping[str, MetadataValue]],
    ) -> None:
        """Insert or replace; `embeddings` is (n, dimension)."""

    @abstractmethod
    def query(
        self,
        collection: str,
        query_embedding: Vector | Sequence[float],
        top_k: int,
        where: Where | None = None,
    ) -> list[VectorHit]:
        """Return the nearest neighbours, best first."""

    def nearest(
        self,
        collection: str,
        query_embedding: Vector | Sequence[float],
        top_k: int,
        where: Where | None = None,
    ) -> list[tuple[str, float]]:
        """Return ids and cosines as `query` would; adapters that need time to fetch documents override it."""
        return [(hit.id, hit.score) for hit in self.query(collection, query_embedding, top_k, where)]

    @abstractmethod
    def count(self, collection: str) -> int:
        """Return how many vectors a collection holds."""

    @abstractmethod
    def collections(self) -> list[str]:
        """Return the names of all collections, sorted."""

    @abstractmethod
    def ids(self, collection: str) -> list[str]:
        """Return all ids of a collection, sorted."""

    @abstractmethod
    def vectors(self, collection: str, ids: Sequence[str]) -> Matrix:
        """Return the stored vectors, (len(ids), dimension), in the order of `ids`; `KeyError` for an unknown id."""

    def take_over(self, source: Path, names: Mapping[str, str], ids: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
        """Fill this store, which is still empty, from a closed one of the same kind, under other names and ids.

        Writing a collection anew costs much more than copying its files, and from one version of a handbook to the
        next hardly anything differs.

        Args:
            source: Folder of the other store; it is only read, and may be open for reading elsewhere.
            names: Name of the collection here, by its name there.
            ids: For each collection there, the id here by the id there; what is not named is left out.

        Returns:
            Collections (by their names here) that were taken over, with exactly the ids asked for. The others do not
            exist afterwards. An adapter that cannot copy, or does not trust what it finds, takes over none.
        """
        del source, names, ids
        return frozenset()

    @abstractmethod
    def close(self) -> None:
        """Flush and release every file; the store is unusable afterwards. Closing twice is fine."""
