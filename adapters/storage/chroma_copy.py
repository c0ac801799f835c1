"""Copying a closed Chroma folder under other collection names and ids.

Chroma has no call for either: a collection can be renamed, a record's id cannot change, and writing records anew costs
a hundred times what copying their files does. So ids are changed where Chroma 1.5 keeps them: in the table `embeddings`
and in the graph's `index_metadata.pickle`. Everything that is relied on is checked first; whatever looks different
makes a collection count as not copyable, and it is written anew through Chroma itself.
"""

import json
import pickle  # only written here
import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from .chroma_files import (
    DATABASE,
    GRAPH_FILES,
    GRAPH_INDEX,
    UNREADABLE,
    Segments,
    UnknownLayoutError,
    connection,
    one_row,
    read_graph_index,
    require_layout,
    segments_of,
)

_MOST_DELETED: Final = 0.25
"""Deleted elements stay in the graph. From this share of it on it is built anew, or it would grow with every edit."""


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
    except UNREADABLE:
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
    with connection(source / DATABASE, "ro") as old, connection(target / DATABASE, "rwc") as new:
        old.backup(new)
    copied = set()
    with connection(target / DATABASE, "rw") as database:
        require_layout(database)
        for name, new_name in names.items():
            _require_settings(database, name, settings)
            segments = segments_of(database, name)
            graph = _renamed_graph(source / segments.graph, ids[name])
            if graph is None:
                continue
            _rename(database, segments, ids[name], new_name)
            folder = target / segments.graph
            folder.mkdir()
            for file in sorted(GRAPH_FILES - {GRAPH_INDEX}):
                shutil.copyfile(source / segments.graph / file, folder / file)
            (folder / GRAPH_INDEX).write_bytes(graph)
            copied.add(new_name)
        database.commit()
    if not copied:
        empty(target)
    return frozenset(copied)


def _require_settings(database: sqlite3.Connection, name: str, settings: Mapping[str, int]) -> None:
    (schema,) = one_row(database, "SELECT schema_str FROM collections WHERE name = ?", name)
    found = json.loads(schema)["keys"]["#embedding"]["float_list"]["vector_index"]["config"]["hnsw"]
    if any(found[key] != value for key, value in settings.items()):
        raise UnknownLayoutError(f"{name}: other settings of the graph")


def _rename(database: sqlite3.Connection, segments: Segments, ids: Mapping[str, str], name: str) -> None:
    if ids.keys() & set(ids.values()):
        raise UnknownLayoutError("ids would collide")
    database.executemany(
        "UPDATE embeddings SET embedding_id = ? WHERE segment_id = ? AND embedding_id = ?",
        [(new, segments.records, old) for old, new in ids.items()],
    )
    database.execute("UPDATE collections SET name = ? WHERE id = ?", (name, segments.collection))


def _renamed_graph(folder: Path, ids: Mapping[str, str]) -> bytes | None:
    """Return the graph's index with new ids, None where there is no graph or too much of it is deleted."""
    index = read_graph_index(folder)
    if index is None:
        return None
    labels: dict[str, int] = index["id_to_label"]
    if not ids.keys() <= labels.keys():
        raise UnknownLayoutError(folder.name)
    kept = len(ids)
    if kept < (1 - _MOST_DELETED) * index["total_elements_added"]:
        return None
    renamed = {ids.get(identifier, identifier): label for identifier, label in labels.items()}
    index["id_to_label"] = renamed
    index["label_to_id"] = {label: identifier for identifier, label in renamed.items()}
    return pickle.dumps(index, protocol=2)
