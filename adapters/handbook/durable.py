"""Writing files so that they are there after a crash, whole or not at all."""

import os
from collections.abc import Iterable
from pathlib import Path


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
        for name in files:
            flush_file(Path(root, name))
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
