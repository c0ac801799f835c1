"""Names: documents, versions, collections, chunk ids. One place resolves each."""

import re
import unicodedata

from .chunks import Category
from .errors import HandbookError, UnknownVersionError
from .partitions import partition_key

COLLECTIONS: dict[Category, str] = {"write": "rules-write", "design": "rules-design", "ref": "ref-docs"}
"""Collection name by category, without version (requirements, rag-layer §4.2)."""
BUILTIN_VERSION = "v0"
"""The built-in minimum rules, served where no handbook exists."""
_MAX_NAME_BYTES = 240
_VERSION = re.compile(r"v(0|[1-9][0-9]{0,8})")
_RESERVED = frozenset({"CON", "PRN", "AUX", "NUL", *(f"{p}{n}" for p in ("COM", "LPT") for n in range(1, 10))})


def document_name(name: str) -> str:
    """Return a document's name in its one spelling (NFC), or refuse it.

    A name is data and never becomes a path. Refused are separators, `.` and `..`, control characters, names that
    Windows reserves, and names over 240 bytes of UTF-8.

    Raises:
        HandbookError: The name is refused; the message says why.
    """
    normal = unicodedata.normalize("NFC", name)
    reason = ""
    if not normal.strip() or normal in {".", ".."}:
        reason = "is empty or a relative folder"
    elif any(c in normal for c in "/\\") or ":" in normal[:2]:
        reason = "holds a path separator or a drive letter"
    elif any(unicodedata.category(c) in {"Cc", "Cs"} for c in normal):
        reason = "holds control characters"
    elif normal.split(".")[0].rstrip().upper() in _RESERVED:
        reason = "is reserved by Windows"
    elif len(normal.encode()) > _MAX_NAME_BYTES:
        reason = f"is longer than {_MAX_NAME_BYTES} bytes"
    if reason:
        shown = ascii(name[:60])
        raise HandbookError(f"The document name {shown} {reason}.", hint="Rename the file and build again.")
    return normal


def version_number(version: str) -> int:
    """Return 3 for "v3".

    Raises:
        UnknownVersionError: It is no version name.
    """
    match = _VERSION.fullmatch(version)
    if match is None:
        raise UnknownVersionError(f"{version!r} is no version name.", hint="Versions are called v1, v2, and so on.")
    return int(match[1])


def version_name(number: int) -> str:
    """Return "v3" for 3."""
    return f"v{number}"


def collection_name(category: Category, version: str | None = None) -> str:
    """Return "rules-write", or "rules-write-v3" as the vector store knows it."""
    return COLLECTIONS[category] + (f"-{version}" if version else "")


def keyword_collection(category: Category, partition: str | None = None) -> str:
    """Return the name of a keyword index: "rules-write", or "rules-write.p-0123456789ab" for one partition of it."""
    return COLLECTIONS[category] + (f".p-{partition_key(partition)}" if partition is not None else "")


def chunk_id(category: Category, version: str, number: int) -> str:
    """Return "rules-write_v3_001"; numbers start at 1 and have at least three digits."""
    return f"{COLLECTIONS[category]}_{version}_{number:03d}"


def split_chunk_id(identifier: str) -> tuple[Category, str, int]:
    """Return category, version and number of a chunk id.

    Raises:
        HandbookError: It is no chunk id.
    """
    prefix, _, tail = identifier.partition("_")
    version, _, number = tail.partition("_")
    for category, name in COLLECTIONS.items():
        if name == prefix and _VERSION.fullmatch(version) and number.isascii() and number.isdecimal():
            return category, version, int(number)
    raise HandbookError(f"{identifier!r} is no chunk id.", hint="Chunk ids look like rules-write_v3_001.")
