"""A seal over the files of a closed store: damage is found before a library reads the damaged bytes.

Libraries trust their files: Chroma's HNSW reader ends the whole process on a truncated file, and a flipped bit in a
memory-mapped matrix gives wrong neighbours without a word. So `close` writes sizes and CRC-32 of every file, and
opening compares them (about 1 ms per MB).
"""

import json
import sqlite3
import zlib
from pathlib import Path
from typing import Final

from ...domain.errors import HandbookCorruptError, HandbookError

SEAL_NAME: Final = "seal.json"
_BLOCK: Final = 1 << 20
_SQLITE: Final = "chroma.sqlite3"
_SQLITE_HEADER: Final = b"SQLite format 3\x00"
_GRAPH_INDEX: Final = "index_metadata.pickle"
"""Chroma writes the graph of a collection from its second vector on. Before, its folder holds uninitialised memory that
every opening writes anew, and the vector is read from the database."""
_CLOCK_TABLE: Final = "acquire_write"
"""Chroma adds a row to this table at every opening, readers included; nothing depends on what it holds."""


def seal(folder: Path) -> None:
    """Write the seal of every file in a folder.

    Args:
        folder: A closed store.

    Raises:
        HandbookError: The database cannot be brought into its final form, as on a full disk.
    """
    files: dict[str, dict[str, int]] = {}
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SEAL_NAME)
    for path in paths:
        if path.parent != folder and not (path.parent / _GRAPH_INDEX).exists():
            continue
        entry: dict[str, int] = {}
        if path.name == _SQLITE:
            entry["page_size"], entry["volatile_page"] = _volatile_page(path)
        entry["size"] = path.stat().st_size
        entry["crc32"] = _checksum(path, entry)
        files[path.relative_to(folder).as_posix()] = entry
    text = json.dumps({"crc32": _text_checksum(files), "files": files}, indent=1)
    (folder / SEAL_NAME).write_text(text, encoding="utf-8")


def is_sealed(folder: Path) -> bool:
    """Return whether a folder was closed after it was last written."""
    return (folder / SEAL_NAME).is_file()


def break_seal(folder: Path) -> None:
    """Remove the seal before the first change, so that a store killed while it is written is not taken for whole."""
    (folder / SEAL_NAME).unlink(missing_ok=True)


def verify(folder: Path) -> None:
    """Compare every file with the seal.

    Raises:
        HandbookCorruptError: A file is missing or differs, or the seal itself cannot be read.
    """
    for name, entry in _read(folder).items():
        path = folder / name
        try:
            # Chroma may append a page to its database for the rows that openings leave behind.
            size = path.stat().st_size
            whole = size >= entry["size"] if path.name == _SQLITE else size == entry["size"]
            intact = whole and _checksum(path, entry) == entry["crc32"]
        except OSError as error:
            raise HandbookCorruptError(f"The vector store's file {name} cannot be read: {error}.") from error
        if not intact:
            raise HandbookCorruptError(
                f"The vector store's file {name} is damaged.", hint="Roll back to another version, or build again."
            )


def _read(folder: Path) -> dict[str, dict[str, int]]:
    try:
        content = json.loads((folder / SEAL_NAME).read_text(encoding="utf-8"))
        files: dict[str, dict[str, int]] = content["files"]
        intact = content["crc32"] == _text_checksum(files)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise HandbookCorruptError(f"The vector store in {folder} has no readable seal.") from error
    if not intact:
        raise HandbookCorruptError(f"The seal of the vector store in {folder} is damaged.")
    return files


def _text_checksum(files: dict[str, dict[str, int]]) -> int:
    return zlib.crc32(json.dumps(files, sort_keys=True).encode())


def _checksum(path: Path, entry: dict[str, int]) -> int:
    """Return the CRC-32 of the sealed length; of a database without its first page and Chroma's clock."""
    page = entry.get("page_size", 0)
    skipped = {0, entry.get("volatile_page", 1) - 1} if page else set()
    block = page * max(1, _BLOCK // page) if page else _BLOCK
    checksum, left, number = 0, entry["size"], 0
    with path.open("rb") as file:
        while left > 0 and (data := file.read(min(block, left))):
            left -= len(data)
            if page:
                if number == 0 and not data.startswith(_SQLITE_HEADER):
                    return -1
                data = _without(data, page, number, skipped)
                number += block // page
            checksum = zlib.crc32(data, checksum)
    return checksum


def _without(data: bytes, page: int, first: int, skipped: set[int]) -> bytes:
    inside = [number - first for number in skipped if first <= number < first + len(data) // page]
    if not inside:
        return data
    kept = bytearray(data)
    for number in inside:
        kept[number * page : (number + 1) * page] = bytes(page)
    return bytes(kept)


def _volatile_page(path: Path) -> tuple[int, int]:
    connection = sqlite3.connect(path)
    try:
        # Free pages could be used for the clock's rows and would then look like damage.
        if connection.execute("PRAGMA freelist_count").fetchone()[0]:
            connection.execute("VACUUM")
        page_size: int = connection.execute("PRAGMA page_size").fetchone()[0]
        row = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (_CLOCK_TABLE,)).fetchone()
    except sqlite3.Error as error:
        raise HandbookError(
            f"The vector store cannot be written: {error}.", hint="Check free space and permissions, and build again."
        ) from error
    finally:
        connection.close()
    return page_size, row[0] if row else 1
