"""Writing files so that they are there after a crash, whole or not at all."""

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_MANY = 100
"""From so many files in one folder on, they are flushed side by side."""
_FLUSHERS = 8


def flush_folder(folder: Path) -> None:
    """Make the entries of a folder durable (a renamed file is not until its folder is flushed)."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def flush_file(path: Path) -> None:
    """Make a file's content durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def flush_tree(folder: Path) -> None:
    """Make every file and folder below (and including) a folder durable, innermost first."""
    for root, _, files in os.walk(folder, topdown=False):
        paths = [Path(root, name) for name in files]
        if len(paths) < _MANY:
            for path in paths:
                flush_file(path)
        else:
            # Flushes that wait at the same time share one commit of the file system's journal.
            with ThreadPoolExecutor(_FLUSHERS) as pool:
                for done in [pool.submit(flush_file, path) for path in paths]:
                    done.result()
        flush_folder(Path(root))


def replace_file(path: Path, text: str) -> None:
    """Replace a file's content in one step: write beside it, flush, rename, flush the folder."""
    beside = path.with_name(f".{path.name}.new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    flush_folder(path.parent)


def write_files(files: Iterable[tuple[Path, str]]) -> None:
    """Write new files; the caller flushes the tree."""
    for path, text in files:
        path.write_text(text, encoding="utf-8")
