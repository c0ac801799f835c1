"""Vectors in ChromaDB, one folder per version."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

import numpy as np

from ...domain.errors import ConfigError, HandbookCorruptError
from ...ports.vector_store import MetadataValue, VectorHit, VectorStoreAdapter, VectorStoreOptions, Where
from ...ports.vectors import Matrix, Vector
from .chroma_copy import copy_collections, empty
from .chroma_core import open_core
from .chroma_errors import started, translated
from .chroma_files import DATABASE, is_pending
from .chroma_scan import ScannedVectors, scanned_vectors
from .chroma_where import chroma_where, never_holds
from .records import checked_matrix, checked_name, checked_query
from .seal import break_seal, is_sealed, seal, verify

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

_HNSW: Final[Mapping[str, int]] = {"max_neighbors": 32, "ef_construction": 200, "ef_search": 200}
"""Malkov and Yashunin 2018. On 10,000 clustered vectors of 384 dimensions recall@10 is 1.00 at 3 ms a query, on
uniformly random ones, the worst case there is, 0.94."""
_SYNC_THRESHOLD: Final = 2
"""Write the HNSW graph after every call. By default Chroma leaves up to 1,000 vectors in its log, and every process
that opens the store builds that part of the graph again (0.5 s for 900 vectors)."""
_SCANNED: Final = 8_000_000
"""Numbers (vectors times dimension) up to which a pass over all of them is quicker than Chroma's graph."""
_READ_BATCH: Final = 5000
_TIE_MARGIN: Final = 8


# Chroma registers a system before it has started it and counts its users afterwards: two threads that open one path
# at once, or one that opens while another closes, get a system that is not there yet, or not any more.
_OPENING = threading.RLock()
_left_to_close: "list[Client]" = []
_opener = 0
"""The thread that opens a store just now. The garbage collector may close another store in the midst of it, in the same
thread: that one's client waits until the store is open."""


class ChromaAdapter(VectorStoreAdapter):
    """Collections of a `chromadb.PersistentClient`, cosine space, vectors always given, never computed by Chroma.

    Options (`VectorStoreOptions.options`): `max_neighbors`, `ef_construction` and `ef_search` of HNSW, which hold for
    collections created from then on; published ones of moderate size are searched without it (`chroma_scan`). Large
    calls of `upsert` are cheaper than many small ones, since each call ends with the graph on disk.

    Safe to use from several threads; a published folder may be open in several processes.

    Raises:
        ConfigError: An option is unknown or no positive number.
        HandbookCorruptError: Files are damaged or missing, or a published store was never closed.
    """

    waits: ClassVar[bool] = False  # Chroma holds Python's lock while it searches

    def __init__(self, options: VectorStoreOptions) -> None:
        self._folder = options.path
        self._read_only = options.read_only
        self._hnsw = _hnsw_settings(options.options)
        self._dirty = False
        self._closed = False
        self._collections: dict[str, Collection] = {}
        self._counts: dict[str, int] = {}
        self._scans: dict[str, ScannedVectors | None] = {}
        self._lock = threading.RLock()
        if is_sealed(self._folder):
            verify(self._folder)
        elif self._read_only:
            raise HandbookCorruptError(f"{self._folder} holds no complete vector store.")
        else:
            # A folder without a seal belongs to a writer that has not closed it, so its content is still to come.
            self._dirty = True
        self._client_or_none: Client | None = None
        self._batch = _READ_BATCH
        # An empty folder waits for the first use: a copy of another store may come into it. So does a published store,
        # which most searches read without Chroma.
        if not self._read_only and (self._folder / DATABASE).exists():
            self._open()

    def create_collection(self, name: str) -> None:
        """Create an empty collection; one that exists is left as it is."""
        checked_name(name)
        with self._writing():
            self._collections[name] = self._client.get_or_create_collection(
                name,
                embedding_function=None,
                configuration={
                    "hnsw": cast("Any", {"space": "cosine", "sync_threshold": _SYNC_THRESHOLD, **self._hnsw})
                },
            )

    def delete_collection(self, name: str) -> None:
        """Delete a collection with everything in it."""
        self._collection(name)
        with self._writing():
            self._client.delete_collection(name)
            self._collections.pop(name, None)

    def upsert(
        self,
        collection: str,
        ids: Sequence[str],
        embeddings: Matrix | Sequence[Sequence[float]],
        documents: Sequence[str],
        metadatas: Sequence[Mapping[str, MetadataValue]],
    ) -> None:
        """Insert or replace; `embeddings` is (n, dimension)."""
        target = self._collection(collection)
        matrix = checked_matrix(ids, embeddings, documents, metadatas)
        if not ids:
            return
        with self._writing():
            for start in range(0, len(ids), self._batch):
                part = slice(start, start + self._batch)
                part_ids = list(ids[part])
                # Chroma would merge the new metadata into the old.
                if known := target.get(ids=part_ids, include=[])["ids"]:
                    target.delete(ids=known)
                target.upsert(
                    ids=part_ids,
                    embeddings=cast("Any", matrix[part]),
                    documents=list(documents[part]),
                    metadatas=cast("Any", [dict(metadata) or None for metadata in metadatas[part]]),
                )

    def query(
        self,
        collection: str,
        query_embedding: Vector | Sequence[float],
        top_k: int,
        where: Where | None = None,
    ) -> list[VectorHit]:
        """Return the nearest neighbours, best first."""
        return self._search(collection, query_embedding, top_k, where, texts=True)

    def nearest(
        self,
        collection: str,
        query_embedding: Vector | Sequence[float],
        top_k: int,
        where: Where | None = None,
    ) -> list[tuple[str, float]]:
        """Return ids and cosines alone: of 100 hits Chroma fetches documents and metadata for 7 of 10 ms.

        In a published collection of moderate size every vector is compared: the answer is exact, and quicker than from
        the graph (`chroma_scan`).
        """
        scanned = None if where is not None else self._scan(collection)
        if scanned is not None:
            return scanned.nearest(collection, checked_query(query_embedding), top_k)
        hits = self._search(collection, query_embedding, top_k, where, texts=False)
        return [(hit.id, hit.score) for hit in hits]

    def _search(
        self,
        collection: str,
        query_embedding: Vector | Sequence[float],
        top_k: int,
        where: Where | None,
        *,
        texts: bool,
    ) -> list[VectorHit]:
        target = self._collection(collection)
        vector = checked_query(query_embedding)
        total = self._total(collection, target)
        if top_k <= 0 or total == 0 or never_holds(where):
            return []
        wanted = min(total, top_k + _TIE_MARGIN)
        while True:
            hits = self._nearest(target, vector, wanted, where, texts=texts)
            # Equal scores across the cut: fetch on until the last tie is in, or the ids could not decide.
            if len(hits) < wanted or wanted == total or hits[top_k - 1].score > hits[-1].score:
                return hits[:top_k]
            wanted = min(total, wanted * 2)

    def _scan(self, name: str) -> ScannedVectors | None:
        if not self._read_only:
            return None
        with self._lock:
            if self._closed:
                raise RuntimeError("the vector store is closed")
            if name not in self._scans:
                # SQLite's locks are the process's: closing its file lets go of those of a store that is being opened.
                with _one_opens():
                    self._scans[name] = scanned_vectors(self._folder, name, _SCANNED)
            return self._scans[name]

    def count(self, collection: str) -> int:
        """Return how many vectors a collection holds."""
        target = self._collection(collection)
        with translated():
            return int(target.count())

    def collections(self) -> list[str]:
        """Return the names of all collections, sorted."""
        with translated():
            return sorted(str(collection.name) for collection in self._client.list_collections())

    def ids(self, collection: str) -> list[str]:
        """Return all ids of a collection, sorted."""
        target = self._collection(collection)
        found: list[str] = []
        with translated():
            while part := target.get(include=[], limit=self._batch, offset=len(found))["ids"]:
                found.extend(part)
        return sorted(found)

    def vectors(self, collection: str, ids: Sequence[str]) -> Matrix:
        """Return the stored vectors, (len(ids), dimension), in the order of `ids`; `KeyError` for an unknown id."""
        target = self._collection(collection)
        rows: dict[str, Vector] = {}
        distinct = list(dict.fromkeys(ids))
        for start in range(0, len(distinct), self._batch):
            with translated():
                found = target.get(ids=distinct[start : start + self._batch], include=["embeddings"])
            embeddings = cast("Matrix", found["embeddings"])
            rows.update(zip(found["ids"], embeddings, strict=True))
        if not ids:
            return np.zeros((0, self._dimension(target)), dtype=np.float32)
        return np.asarray([rows[identifier] for identifier in ids], dtype=np.float32)

    def take_over(self, source: Path, names: Mapping[str, str], ids: Mapping[str, Mapping[str, str]]) -> frozenset[str]:
        """Copy a closed store's files and change names and ids in the copy; `chroma_copy` says how.

        Raises:
            HandbookCorruptError: The other store is damaged.
        """
        if self._read_only or self._client_or_none is not None or not ids:
            return frozenset()
        verify(source)
        with self._writing():
            copied = copy_collections(source, self._folder, names, ids, self._hnsw)
        if not copied:
            return copied
        wanted = {names[name]: sorted(new.values()) for name, new in ids.items() if names[name] in copied}
        try:
            if self._settled(wanted):
                return copied
        except (HandbookCorruptError, KeyError, ValueError):
            pass  # not as expected: written anew below
        self._release()
        empty(self._folder)
        return frozenset()

    def _settled(self, wanted: Mapping[str, list[str]]) -> bool:
        """Delete what a copy has too much, and return whether the rest is what it should be, also to Chroma."""
        for name in self.collections():
            if name not in wanted:
                self.delete_collection(name)
        for name, expected in wanted.items():
            target = self._collection(name)
            if left := sorted(set(self.ids(name)) - set(expected)):
                with self._writing():
                    target.delete(ids=left)
            if self.ids(name) != expected:
                return False
            # The graph knows the new ids: a vector asked for by its id finds that id.
            probe = expected[len(expected) // 2]
            vector = self.vectors(name, [probe])[0]
            if not any(
                hit.id == probe for hit in self._nearest(target, vector, min(len(expected), 50), None, texts=False)
            ):
                return False
        return True

    def close(self) -> None:
        """Flush and release every file; the store is unusable afterwards. Closing twice is fine."""
        with self._lock:
            if self._closed:
                return
            if self._dirty:
                _ = self._client  # also a store that nothing was written to has its files
                self._empty_log()
            self._release()
            self._closed = True
            if self._dirty:
                seal(self._folder)

    def _empty_log(self) -> None:
        """Have Chroma write the graphs to their end: a single record at the end of all stays in its log otherwise."""
        for name in self.collections():
            if is_pending(self._folder, name):
                target = self._collection(name)
                with translated():
                    first = target.get(limit=1, include=["metadatas"])
                    if first["metadatas"] and first["metadatas"][0]:
                        target.update(ids=first["ids"], metadatas=first["metadatas"])

    def _release(self) -> None:
        self._collections.clear()
        self._scans.clear()
        if self._client_or_none is not None:
            _close(self._client_or_none)
            self._client_or_none = None

    @property
    def _client(self) -> "Client":
        client = self._client_or_none
        return self._opened() if client is None else client

    def _opened(self) -> "Client":
        with self._lock:
            if self._closed:
                raise RuntimeError("the vector store is closed")
            # Another thread may have opened it while this one waited.
            return self._open() if self._client_or_none is None else self._client_or_none

    def _open(self) -> "Client":
        with _one_opens(), translated(), started():
            core = open_core(self._folder) if self._read_only else None
            client = cast("Client", core) if core is not None else _client_of(self._folder)
            self._batch = min(_READ_BATCH, client.get_max_batch_size())
        self._client_or_none = client
        return client

    def _collection(self, name: str) -> "Collection":
        client = self._client
        known = self._collections.get(name)
        if known is not None:
            return known
        try:
            checked_name(name)
            with translated():
                found = client.get_collection(name, embedding_function=None)
        except (KeyError, ValueError):
            raise KeyError(name) from None
        with self._lock:
            return self._collections.setdefault(name, found)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        if self._read_only:
            raise PermissionError("the vector store was opened read-only")
        with self._lock, translated():
            if not self._dirty:
                break_seal(self._folder)
                self._dirty = True
            yield

    def _dimension(self, target: "Collection") -> int:
        with translated():
            first = target.get(limit=1, include=["embeddings"])
        embeddings = cast("Matrix", first["embeddings"])
        return int(embeddings.shape[1]) if len(first["ids"]) else 0

    def _total(self, name: str, target: "Collection") -> int:
        # What is published does not change, and counting takes a millisecond.
        known = self._counts.get(name) if self._read_only else None
        if known is None:
            with translated():
                known = self._counts[name] = int(target.count())
        return known

    @staticmethod
    def _nearest(
        target: "Collection", vector: Vector, wanted: int, where: Where | None, *, texts: bool
    ) -> list[VectorHit]:
        with translated():
            answer = target.query(
                query_embeddings=[cast("Any", vector)],
                n_results=wanted,
                where=chroma_where(where),
                include=["documents", "metadatas", "distances"] if texts else ["distances"],
            )
        ids, distances = answer["ids"], answer["distances"] or [[]]
        nothing: Any = [[None] * len(ids[0])]
        columns: tuple[Any, ...] = (ids, answer["documents"] or nothing, answer["metadatas"] or nothing, distances)
        hits = [
            VectorHit(identifier, document or "", cast("Any", metadata) or {}, 1.0 - float(distance))
            for identifier, document, metadata, distance in zip(*(column[0] for column in columns), strict=True)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))


def _client_of(folder: Path) -> "Client":
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False, chroma_otel_collection_endpoint="")
    # The annotation names the wider protocol, which lacks `close`.
    return cast("Client", chromadb.PersistentClient(path=str(folder.resolve()), settings=settings))


def _hnsw_settings(options: Mapping[str, object]) -> dict[str, int]:
    settings = dict(_HNSW)
    for name, value in options.items():
        if name not in settings:
            raise ConfigError(f"Unknown option of the Chroma store: {name}. Known: {', '.join(sorted(settings))}.")
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise ConfigError(f"Option {name} of the Chroma store must be a positive whole number, not {value!r}.")
        settings[name] = value
    return settings


@contextmanager
def _one_opens() -> Iterator[None]:
    """Let one thread open a store at a time, and close what was left to close meanwhile."""
    global _opener  # noqa: PLW0603  # one for the process, as Chroma's systems are
    with _OPENING:
        before, _opener = _opener, threading.get_ident()
        try:
            yield
        finally:
            while _left_to_close and not before:
                with translated():
                    _left_to_close.pop().close()
            _opener = before


def _close(client: "Client") -> None:
    """Close a client. Chroma keeps one system per path for the whole process; closing its last client stops it."""
    if _opener == threading.get_ident():
        _left_to_close.append(client)
        return
    with _OPENING, translated():
        client.close()
