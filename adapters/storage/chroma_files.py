"""How Chroma 1.5 lays out the folder of a closed store.

Read for what Chroma has no call for: a copy under other ids, and a pass over all vectors. Everything that is relied on
is checked; whatever looks different is an `UnknownLayoutError`, and the caller then asks Chroma itself.
"""

import pickle  # read with an unpickler that can make nothing but plain values
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

DATABASE: Final = "chroma.sqlite3"
GRAPH_INDEX: Final = "index_metadata.pickle"
GRAPH_HEADER: Final = "header.bin"
GRAPH_VECTORS: Final = "data_level0.bin"
GRAPH_FILES: Final = frozenset({GRAPH_INDEX, GRAPH_VECTORS, GRAPH_HEADER, "length.bin", "link_lists.bin"})
_GRAPH_KEYS: Final = frozenset({"id_to_label", "label_to_id", "id_to_seq_id", "total_elements_added"})
_COLUMNS: Final[Mapping[str, frozenset[str]]] = {
    "collections": frozenset({"id", "name", "config_json_str", "schema_str"}),
    "segments": frozenset({"id", "type", "scope", "collection"}),
    "embeddings": frozenset({"id", "segment_id", "embedding_id", "seq_id"}),
    "embeddings_queue": frozenset({"seq_id", "topic", "id"}),
    "max_seq_id": frozenset({"segment_id", "seq_id"}),
}


class UnknownLayoutError(Exception):
    """The store is not laid out as expected."""


UNREADABLE: Final = (
    sqlite3.Error,
    pickle.UnpicklingError,
    UnknownLayoutError,
    LookupError,
    ValueError,
    TypeError,
    EOFError,
)
"""What reading a store of another layout may raise."""


@dataclass(frozen=True, slots=True)
class Segments:
    """Where a collection's data are: its id, the folder of its graph, the id of its records."""

    collection: str
    graph: str
    records: str


@contextmanager
def connection(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open a database file, in SQLite's mode `ro`, `rw` or `rwc`, and close it."""
    opened = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True)
    try:
        yield opened
    finally:
        opened.close()


def require_layout(database: sqlite3.Connection) -> None:
    """Raise `UnknownLayoutError` unless every table has the columns that are used."""
    for table, columns in _COLUMNS.items():
        found = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
        if not columns <= found:
            raise UnknownLayoutError(table)


def segments_of(database: sqlite3.Connection, name: str) -> Segments:
    """Return where a collection's data are; all of them are in graph and records, none in the log alone."""
    found, pending = _found(database, name)
    if pending:
        raise UnknownLayoutError(f"{name}: {pending} records are not in the graph yet")
    return found


def is_pending(folder: Path, name: str) -> bool:
    """Return whether the log holds records of a collection that its graph on disk does not."""
    try:
        with connection(folder / DATABASE, "ro") as database:
            require_layout(database)
            return _found(database, name)[1] > 0
    except UNREADABLE:
        return False


def _found(database: sqlite3.Connection, name: str) -> tuple[Segments, int]:
    (collection,) = one_row(database, "SELECT id FROM collections WHERE name = ?", name)
    rows = database.execute("SELECT scope, id FROM segments WHERE collection = ?", (collection,)).fetchall()
    scopes = dict(rows)
    if len(rows) != len(scopes) or set(scopes) != {"VECTOR", "METADATA"}:
        raise UnknownLayoutError(name)
    (pending,) = one_row(
        database,
        "SELECT COUNT(*) FROM embeddings_queue WHERE topic LIKE '%/' || ? AND seq_id > "
        "(SELECT MIN(seq_id) FROM max_seq_id WHERE segment_id IN (?, ?))",
        collection,
        scopes["VECTOR"],
        scopes["METADATA"],
    )
    return Segments(collection, scopes["VECTOR"], scopes["METADATA"]), pending


def one_row(database: sqlite3.Connection, statement: str, *values: str) -> tuple[Any, ...]:
    """Return the first row of a query; `UnknownLayoutError` where there is none."""
    row: tuple[Any, ...] | None = database.execute(statement, values).fetchone()
    if row is None:
        raise UnknownLayoutError(statement)
    return row


def read_graph_index(folder: Path) -> dict[str, Any] | None:
    """Return the index of a graph: ids and the numbers ("labels") of their vectors; None where there is no graph."""
    if not (folder / GRAPH_INDEX).exists():
        return None
    if {path.name for path in folder.iterdir()} != GRAPH_FILES:
        raise UnknownLayoutError(folder.name)
    with (folder / GRAPH_INDEX).open("rb") as file:
        index = _PlainUnpickler(file).load()
    if not isinstance(index, dict) or not index.keys() >= _GRAPH_KEYS or index["id_to_seq_id"]:
        raise UnknownLayoutError(folder.name)
    labels: dict[str, int] = index["id_to_label"]
    if {label: identifier for identifier, label in labels.items()} != index["label_to_id"]:
        raise UnknownLayoutError(folder.name)
    return index


class _PlainUnpickler(pickle.Unpickler):
    """Makes dicts, texts and numbers only: a handbook may have come from somebody else."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name}")
