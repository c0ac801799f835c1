"""Reading a published store through Chroma's compiled core, without the client around it.

`import chromadb` takes 0.4 s of CPU time: clients, servers, embedding functions, exporters of telemetry. A published
version is only read, which is four calls of the core that the client of a local store hands on. The core has no
documented interface of its own, so only releases for which the tests hold are read this way, any other through the
client.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

_CHECKED: Final = "1.5."
_TENANT: Final = ("default_tenant", "default_database")
_FILES_OF_AN_INDEX: Final = 5
"""Chroma holds as many graphs open as the process may open files for, five a graph (`chromadb.api.rust`)."""


class CoreCollection:
    """A collection; its methods take and return what those of Chroma's own `Collection` do."""

    def __init__(self, core: Any, found: Any) -> None:
        self._core = core
        self._id = str(found.id)
        self.name: str = found.name

    def count(self) -> int:
        """Return the number of entries."""
        return int(self._core.count(self._id, *_TENANT))

    def get(
        self,
        *,
        ids: Sequence[str] | None = None,
        include: Sequence[str],
        limit: int | None = None,
        offset: int = 0,
    ) -> dict[str, Any]:
        """Return entries by id, or a page of all of them."""
        wanted = None if ids is None else list(ids)
        found = self._core.get(self._id, wanted, None, limit, offset, None, list(include), *_TENANT)
        return {"ids": found.ids, "embeddings": found.embeddings}

    def query(
        self,
        *,
        query_embeddings: Sequence[Any],
        n_results: int,
        where: Mapping[str, Any] | None,
        include: Sequence[str],
    ) -> dict[str, Any]:
        """Return the nearest entries of each vector."""
        condition = json.dumps(where) if where else None
        vectors = list(query_embeddings)
        found = self._core.query(self._id, None, vectors, n_results, condition, None, list(include), *_TENANT)
        return {
            "ids": found.ids,
            "distances": found.distances,
            "documents": found.documents,
            "metadatas": found.metadatas,
        }


class CoreClient:
    """A store that is only read; the same names as those of Chroma's own client."""

    def __init__(self, core: Any) -> None:
        self._core: Any = core

    def get_max_batch_size(self) -> int:
        """Return how many entries one call may take."""
        return int(self._core.get_max_batch_size())

    def list_collections(self) -> list[CoreCollection]:
        """Return all collections."""
        return [CoreCollection(self._core, found) for found in self._core.list_collections(None, None, *_TENANT)]

    def get_collection(self, name: str, embedding_function: None = None) -> CoreCollection:
        """Return a collection; Chroma's `NotFoundError` when there is none of that name."""
        del embedding_function  # vectors are always given
        return CoreCollection(self._core, self._core.get_collection(name, *_TENANT))

    def close(self) -> None:
        """Release the files."""
        self._core = None


def open_core(folder: Path) -> CoreClient | None:
    """Open a store for reading; None where Chroma is of a release, or on a system, that this was not tried with."""
    try:
        if not version("chromadb").startswith(_CHECKED):
            return None
        import resource

        import chromadb_rust_bindings as bindings  # type: ignore[import-untyped]  # compiled, without stubs
    except (ImportError, PackageNotFoundError):
        return None
    path = str(folder.resolve())
    # As `chromadb.api.rust` does it, with the defaults of `chromadb.config.Settings`.
    database = bindings.SqliteDBConfig(
        hash_type=bindings.MigrationHash.MD5,
        migration_mode=bindings.MigrationMode.Apply,
        url=f"{path}/chroma.sqlite3",
    )
    core = bindings.Bindings(
        allow_reset=False,
        sqlite_db_config=database,
        persist_path=path,
        hnsw_cache_size=resource.getrlimit(resource.RLIMIT_NOFILE)[0] // _FILES_OF_AN_INDEX,
    )
    return CoreClient(core)
