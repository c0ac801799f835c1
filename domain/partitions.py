"""Partitions: named parts of a handbook that can be searched alone (requirements, two-stage-cascade)."""

import difflib
import fnmatch
import hashlib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from .errors import ConfigError, RetrievalError

COMMON: Final = ""
"""The partition of documents that belong to none; they hold for all and are searched along with any."""
_SHORTEST_MENTION = 2
"""A name of one character stands in nearly every sentence."""


def partition_name(name: str) -> str:
    """Return a partition's name in its one spelling.

    Raises:
        ConfigError: It is empty or holds control characters.
    """
    normal = " ".join(unicodedata.normalize("NFC", name).split())
    if not normal or any(unicodedata.category(c) in {"Cc", "Cs"} for c in normal):
        raise ConfigError(f"The partition name {name[:60]!a} is empty or holds control characters.")
    return normal


def partition_of(path: str, patterns: Mapping[str, Sequence[str]], *, folder: str = "") -> str:
    """Return the partition of a document.

    Args:
        path: Path relative to the folder of documents, with `/`, or the name alone.
        patterns: Glob patterns of paths or names by partition name; the first that fits counts.
        folder: Partition where no pattern fits.
    """
    name = path.rpartition("/")[2]
    for partition, globs in patterns.items():
        if any(fnmatch.fnmatchcase(path, glob) or fnmatch.fnmatchcase(name, glob) for glob in globs):
            return partition_name(partition)
    return partition_name(folder) if folder else COMMON


def known_partitions(wanted: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the partitions asked for, each once, as they are spelled in the handbook.

    Upper and lower case, full and half width do not matter.

    Raises:
        RetrievalError: One is unknown; the nearest is named.
    """
    by_key = {_key(name): name for name in known}
    found: dict[str, None] = {}
    for name in wanted:
        match = by_key.get(_key(name))
        if match is None:
            raise RetrievalError(f"There is no partition {name!r}.", hint=_hint(name, known, by_key))
        found[match] = None
    return tuple(found)


def _hint(name: str, known: Sequence[str], by_key: Mapping[str, str]) -> str:
    if not known:
        return "This version has no partitions; give documents some in handbook.yaml or the settings, and build again."
    near = difflib.get_close_matches(_key(name), by_key, n=1, cutoff=0.4)
    return f"Did you mean {by_key[near[0]]}?" if near else f"Partitions: {', '.join(known[:20])}."


def mentioned_partitions(text: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the partitions whose names stand in a text, in the order in which they stand there.

    A name inside a longer name that stands there too is not meant (京都 in 東京都 is, when 東京都 is no partition).
    """
    searched = _key(text)
    taken: list[tuple[int, int, str]] = []
    for name in sorted(known, key=lambda n: (-len(_key(n)), n)):
        key = _key(name)
        start = searched.find(key)
        while start >= 0 and len(key) >= _SHORTEST_MENTION:
            end = start + len(key)
            whole = not (_is_word(searched[start - 1 : start], key[0]) or _is_word(searched[end : end + 1], key[-1]))
            if whole and not any(begin < end and start < stop for begin, stop, _ in taken):
                taken.append((start, end, name))
            start = searched.find(key, start + 1)
    return tuple(dict.fromkeys(name for _, _, name in sorted(taken)))


def _is_word(beside: str, edge: str) -> bool:
    """Return whether a character goes on with an ASCII word or number ("line1" in "line12")."""
    return beside.isascii() and beside.isalnum() and edge.isascii() and edge.isalnum()


def partition_key(partition: str) -> str:
    """Return a short name for files, whatever characters the partition's name has."""
    return hashlib.sha256(partition.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _key(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
