"""Vectors in one numpy matrix per collection: exact search by one product, for small handbooks and for tests."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ...domain.errors import ConfigError, HandbookCorruptError
from ...ports.vector_store import MetadataValue, VectorHit, VectorStoreAdapter, VectorStoreOptions, Where
from ...ports.vectors import Matrix, Vector
from .records import checked_matrix, checked_name, checked_query, require_dimension
from .seal import break_seal, is_sealed, seal, verify

_INDEX_NAME: Final = "collections.json"


@dataclass(slots=True)
class _Collection:
    ids: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    metadatas: list[dict[str, MetadataValue]] = field(default_factory=list)
    matrix: Matrix = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))
    rows: dict[str, int] = field(default_factory=dict)
    lengths: NDArray[np.float32] | None = None


class MemoryVectorStore(VectorStoreAdapter):
    """Exact cosine search in memory. `close` writes `NNNN.npy` files and one JSON; opening maps the matrices.

    Until `close` nothing is on disk. Safe to use from several threads.

    Raises:
        ConfigError: Any option, since it has none.
        HandbookCorruptError: Files are damaged or missing.
    """

    waits: ClassVar[bool] = False

    def __init__(self, options: VectorStoreOptions) -> None:
        if options.options:
            raise ConfigError(f"Unknown options of the numpy store: {', '.join(sorted(options.options))}.")
        self._folder = options.path
        self._read_only = options.read_only
        self._lock = threading.RLock()
        self._closed = False
        self._dirty = not is_sealed(self._folder)
        self._collections: dict[str, _Collection] = {}
        if not self._dirty:
            verify(self._folder)
            self._collections = _read(self._folder)
        elif self._read_only or (self._folder / _INDEX_NAME).exists():
            raise HandbookCorruptError(f"{self._folder} holds no complete vector store.")

    def create_collection(self, name: str) -> None:
        """Create an empty collection; one that exists is left as it is."""
        checked_name(name)
        with self._lock:
            self._start_writing()
            self._collections.setdefault(name, _Collection())

    def delete_collection(self, name: str) -> None:
        """Delete a collection with everything in it."""
        with self._lock:
            self._get(name)
            self._start_writing()
            del self._collections[name]

    def upsert(
        self,
        collection: str,
        ids: Sequence[str],
        embeddings: Matrix | Sequence[Sequence[float]],
        documents: Sequence[str],
        metadatas: Sequence[Mapping[str, MetadataValue]],
    ) -> None:
        """Insert or replace; `embeddings` is (n, dimension)."""
        with self._lock:
            target = self._get(collection)
            matrix = checked_matrix(ids, embeddings, documents, metadatas)
            if not ids:
                return
            if target.ids:
                require_dimension(collection, target.matrix.shape[1], matrix.shape[1])
            self._start_writing()
            self._collections[collection] = _merged(target, ids, matrix, documents, metadatas)

    def query(
        self,
        collection: str,
        query_embedding: Vector | Sequence[float],
        top_k: int,
        where: Where | None = None,
    ) -> list[VectorHit]:
        """Return the nearest neighbours, best first."""
        with self._lock:
            target = self._get(collection)
            if target.lengths is None:
                target.lengths = _norms(target.matrix)
            lengths = target.lengths
        vector = checked_query(query_embedding)
        if top_k <= 0 or not target.ids:
            return []
        require_dimension(collection, target.matrix.shape[1], len(vector))
        length = float(np.linalg.norm(vector)) or 1.0
        scores = np.clip((target.matrix @ vector) / (lengths * length), -1.0, 1.0)
        rows = np.arange(len(scores)) if not where else _matching(target, where)
        if len(rows) > top_k:
            # Everything tied with the last place stays in, so that ids decide.
            last = np.partition(scores[rows], -top_k)[-top_k]
            rows = rows[scores[rows] >= last]
        hits = [
            VectorHit(target.ids[row], target.documents[row], target.metadatas[row], float(scores[row]))
            for row in rows.tolist()
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:top_k]

    def count(self, collection: str) -> int:
        """Return how many vectors a collection holds."""
        return len(self._get(collection).ids)

    def collections(self) -> list[str]:
        """Return the names of all collections, sorted."""
        self._require_open()
        return sorted(self._collections)

    def ids(self, collection: str) -> list[str]:
        """Return all ids of a collection, sorted."""
        return sorted(self._get(collection).ids)

    def vectors(self, collection: str, ids: Sequence[str]) -> Matrix:
        """Return the stored vectors, (len(ids), dimension), in the order of `ids`; `KeyError` for an unknown id."""
        target = self._get(collection)
        rows = [target.rows[identifier] for identifier in ids]
        return np.array(target.matrix[rows], dtype=np.float32)

    def close(self) -> None:
        """Flush and release every file; the store is unusable afterwards. Closing twice is fine."""
        with self._lock:
            if self._closed:
                return
            if self._dirty:
                _write(self._folder, self._collections)
                seal(self._folder)
            self._closed = True
            self._collections = {}

    def _require_open(self) -> None:
        if self._closed:
            raise RuntimeError("the vector store is closed")

    def _get(self, name: str) -> _Collection:
        self._require_open()
        return self._collections[name]

    def _start_writing(self) -> None:
        self._require_open()
        if self._read_only:
            raise PermissionError("the vector store was opened read-only")
        if not self._dirty:
            # The matrices are mapped from the files that `close` will replace.
            for target in self._collections.values():
                target.matrix = np.array(target.matrix)
            break_seal(self._folder)
            (self._folder / _INDEX_NAME).unlink()
            self._dirty = True


def _merged(
    old: _Collection,
    ids: Sequence[str],
    matrix: Matrix,
    documents: Sequence[str],
    metadatas: Sequence[Mapping[str, MetadataValue]],
) -> _Collection:
    """Return a new collection, so that a search that is under way keeps the old one whole."""
    new = _Collection(list(old.ids), list(old.documents), list(old.metadatas), rows=dict(old.rows))
    fresh = [position for position, identifier in enumerate(ids) if identifier not in old.rows]
    added = matrix[fresh]
    new.matrix = np.concatenate([old.matrix, added]) if old.ids else np.array(added)
    for position, (identifier, document, metadata) in enumerate(zip(ids, documents, metadatas, strict=True)):
        row = new.rows.get(identifier)
        if row is None:
            new.rows[identifier] = len(new.ids)
            new.ids.append(identifier)
            new.documents.append(document)
            new.metadatas.append(dict(metadata))
        else:
            new.documents[row], new.metadatas[row] = document, dict(metadata)
            new.matrix[row] = matrix[position]
    return new


def _norms(matrix: Matrix) -> NDArray[np.float32]:
    norms = np.linalg.norm(matrix, axis=1) if matrix.size else np.zeros(len(matrix))
    return np.where(norms == 0, 1.0, norms).astype(np.float32)


def _matching(target: _Collection, where: Where) -> NDArray[np.intp]:
    allowed = {
        key: {condition} if isinstance(condition, str | int | float) else set(condition)
        for key, condition in where.items()
    }
    rows = [
        row
        for row, metadata in enumerate(target.metadatas)
        if all(key in metadata and metadata[key] in values for key, values in allowed.items())
    ]
    return np.array(rows, dtype=np.intp)


def _write(folder: Path, collections: Mapping[str, _Collection]) -> None:
    for stale in folder.glob("*.npy"):
        stale.unlink()
    content = {}
    for number, (name, collection) in enumerate(sorted(collections.items()), start=1):
        np.save(folder / f"{number:04}.npy", collection.matrix, allow_pickle=False)
        content[name] = {
            "matrix": f"{number:04}.npy",
            "ids": collection.ids,
            "documents": collection.documents,
            "metadatas": collection.metadatas,
        }
    (folder / _INDEX_NAME).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def _read(folder: Path) -> dict[str, _Collection]:
    try:
        content = json.loads((folder / _INDEX_NAME).read_text(encoding="utf-8"))
        return {
            name: _Collection(
                ids=entry["ids"],
                documents=entry["documents"],
                metadatas=entry["metadatas"],
                matrix=_mapped(folder / entry["matrix"]),
                rows={identifier: row for row, identifier in enumerate(entry["ids"])},
            )
            for name, entry in content.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise HandbookCorruptError(f"The vector store in {folder} cannot be read: {error}") from error


def _mapped(path: Path) -> Matrix:
    matrix: Matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    # A map of an empty array is refused by some systems, and there is nothing to map.
    return matrix if matrix.size else np.array(matrix)
