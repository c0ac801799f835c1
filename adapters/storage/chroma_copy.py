"""Copying a closed Chroma folder under other collection names and ids.

Chroma has no call for either: a collection can be renamed, a record's id cannot change, and writing records anew costs
a hundred times what copying their files does. So ids are changed where Chroma 1.5 keeps them: in the table `embeddings`
and in the graph's `index_metadata.pickle`. Everything that is relied on is checked first; whatever looks different
makes a collection count as not copyable, and it is written anew through Chroma itself.
"""

import contextlib
import json
import pickle  # read with an unpickler that can make nothing but plain values
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

DATABASE: Final = "chroma.sqlite3"
_GRAPH_INDEX: Final = "index_metadata.pickle"
_GRAPH_FILES: Final = frozenset({_GRAPH_INDEX, "data_level0.bin", "header.bin", "length.bin", "link_lists.bin"})
_GRAPH_KEYS: Final = frozenset({"id_to_label", "label_to_id", "id_to_seq_id", "total_elements_added"})
_COLUMNS: Final[Mapping[str, frozenset[str]]] = {
    "collections": frozenset({"id", "name", "config_json_str", "schema_str"}),
    "segments": frozenset({"id", "type", "scope", "collection"}),
    "embeddings": frozenset({"id", "segment_id", "embedding_id", "seq_id"}),
    "embeddings_queue": frozenset({"seq_id", "topic", "id"}),
    "max_seq_id": frozenset({"segment_id", "seq_id"}),
}
_MOST_DELETED: Final = 0.25
"""Deleted elements stay in the graph. From this share of it on it is built anew, or it would grow with every edit."""


@dataclass(frozen=True, slots=True)
class _Segments:
    collection: str
    graph: str
    records: str


class _NotCopyableError(Exception):
    """The store is not laid out as expected."""


def copy_collections(  # from where, to where, what, as what
    source: Path,
    target: Path,
    names: Mapping[str, str],
    ids: Mapping[str, Mapping[str, str]],
    graph: Mapping[str, int],
) -> frozenset[str]:
    """Copy a closed store into an empty folder and rename collections and ids in the copy.

    Ids that are not named keep their old ones, and collections that are not copied are there under their old names:
    the caller deletes both through Chroma.

    Args:
        source: The folder of a closed store; only read.
        target: An existing empty folder.
        names: New name by old name of each collection.
        ids: For each old collection name, new id by old id. No new id may be an old one.
        graph: Settings of HNSW that a collection must have been made with.

    Returns:
        New names of the collections that were copied; none when the folder is left as it was.
    """
    try:
        return _copy(source, target, names, ids, graph)
    except (sqlite3.Error, pickle.UnpicklingError, _NotCopyableError, LookupError, ValueError, TypeError, EOFError):
        empty(target)
        return frozenset()


def empty(folder: Path) -> None:
    """Remove everything in a folder."""
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _copy(  # as copy_collections
    source: Path,
    target: Path,
    names: Mapping[str, str],
    ids: Mapping[str, Mapping[str, str]],
    settings: Mapping[str, int],
) -> frozenset[str]:
    # The library's own copy: readers that open the source at the same moment write a row of Chroma's clock into it.
    with _connection(source / DATABASE, "ro") as old, _connection(target / DATABASE, "rwc") as new:
        old.backup(new)
    copied = set()
    with _connection(target / DATABASE, "rw") as database:
        _require_layout(database)
        for name, new_name in names.items():
            _require_settings(database, name, settings)
            segments = _segments(database, name)
            graph = _renamed_graph(source / segments.graph, ids[name])
            if graph is None:
                continue
            _rename(database, segments, ids[name], new_name)
            folder = target / segments.graph
            folder.mkdir()
            for file in sorted(_GRAPH_FILES - {_GRAPH_INDEX}):
                shutil.copyfile(source / segments.graph / file, folder / file)
            (folder / _GRAPH_INDEX).write_bytes(graph)
            copied.add(new_name)
        database.commit()
    if not copied:
        empty(target)
    return frozenset(copied)


@contextlib.contextmanager
def _connection(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True)
    try:
        yield connection
    finally:
        connection.close()


def _require_layout(database: sqlite3.Connection) -> None:
    for table, columns in _COLUMNS.items():
        found = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
        if not columns <= found:
            raise _NotCopyableError(table)


def _require_settings(database: sqlite3.Connection, name: str, settings: Mapping[str, int]) -> None:
    (schema,) = _one(database, "SELECT schema_str FROM collections WHERE name = ?", name)
    found = json.loads(schema)["keys"]["#embedding"]["float_list"]["vector_index"]["config"]["hnsw"]
    if any(found[key] != value for key, value in settings.items()):
        raise _NotCopyableError(f"{name}: other settings of the graph")


def _segments(database: sqlite3.Connection, name: str) -> _Segments:
    (collection,) = _one(database, "SELECT id FROM collections WHERE name = ?", name)
    rows = database.execute("SELECT scope, id FROM segments WHERE collection = ?", (collection,)).fetchall()
    scopes = dict(rows)
    if len(rows) != len(scopes) or set(scopes) != {"VECTOR", "METADATA"}:
        raise _NotCopyableError(name)
    (pending,) = _one(
        database,
        "SELECT COUNT(*) FROM embeddings_queue WHERE topic LIKE '%/' || ? AND seq_id > "
        "(SELECT MIN(seq_id) FROM max_seq_id WHERE segment_id IN (?, ?))",
        collection,
        scopes["VECTOR"],
        scopes["METADATA"],
    )
    if pending:
        raise _NotCopyableError(f"{name}: {pending} records are not in the graph yet")
    return _Segments(collection, scopes["VECTOR"], scopes["METADATA"])


def _one(database: sqlite3.Connection, statement: str, *values: str) -> tuple[Any, ...]:
    row: tuple[Any, ...] | None = database.execute(statement, values).fetchone()
    if row is None:
        raise _NotCopyableError(statement)
    return row


def _rename(database: sqlite3.Connection, segments: _Segments, ids: Mapping[str, str], name: str) -> None:
    if ids.keys() & set(ids.values()):
        raise _NotCopyableError("ids would collide")
    database.executemany(
        "UPDATE embeddings SET embedding_id = ? WHERE segment_id = ? AND embedding_id = ?",
        [(new, segments.records, old) for old, new in ids.items()],
    )
    database.execute("UPDATE collections SET name = ? WHERE id = ?", (name, segments.collection))


class _PlainUnpickler(pickle.Unpickler):
    """Makes dicts, texts and numbers only: a handbook may have come from somebody else."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name}")


def _renamed_graph(folder: Path, ids: Mapping[str, str]) -> bytes | None:
    """Return the graph's index with new ids, None where there is no graph or too much of it is deleted."""
    if not (folder / _GRAPH_INDEX).exists():
        return None
    if {path.name for path in folder.iterdir()} != _GRAPH_FILES:
        raise _NotCopyableError(folder.name)
    with (folder / _GRAPH_INDEX).open("rb") as file:
        index = _PlainUnpickler(file).load()
    if not isinstance(index, dict) or not index.keys() >= _GRAPH_KEYS or index["id_to_seq_id"]:
        raise _NotCopyableError(folder.name)
    labels: dict[str, int] = index["id_to_label"]
    if {label: identifier for identifier, label in labels.items()} != index["label_to_id"]:
        raise _NotCopyableError(folder.name)
    if not ids.keys() <= labels.keys():
        raise _NotCopyableError(folder.name)
    kept = len(ids)
    if kept < (1 - _MOST_DELETED) * index["total_elements_added"]:
        return None
    renamed = {ids.get(identifier, identifier): label for identifier, label in labels.items()}
    index["id_to_label"] = renamed
    index["label_to_id"] = {label: identifier for identifier, label in renamed.items()}
    return pickle.dumps(index, protocol=2)
