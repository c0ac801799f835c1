"""Analysed terms of a version, kept so that the next build analyses only texts it has not met.

One file per collection, `<root>/keyword/v3/rules-write.terms`: a first line of JSON with the analyzer's fingerprint and
the CRC-32 of the rest, then one line per text: its hash and its terms, separated by blanks (terms hold no white space).
It is a copy of what can be made again, so whatever is wrong with it makes it count as empty.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

_SUFFIX = ".terms"


def terms_file(keyword_folder: Path, collection: str) -> Path:
    """Return where the terms of a collection lie beside its keyword index."""
    return keyword_folder / f"{collection}{_SUFFIX}"


def write_terms(path: Path, fingerprint: str, terms: Mapping[str, Sequence[str]]) -> None:
    """Write terms by the hash of their text; a text whose terms break the analyzer's contract is left out."""
    lines = []
    for text_hash, found in terms.items():
        line = " ".join((text_hash, *found))
        # White space in a term, or an empty one, gives another number of parts.
        if len(line.split()) == len(found) + 1:
            lines.append(line)
    body = "\n".join(lines).encode("utf-8", "surrogatepass")
    head = json.dumps({"fingerprint": fingerprint, "crc32": zlib.crc32(body)}, ensure_ascii=False)
    path.write_bytes(head.encode() + b"\n" + body)


def read_terms(path: Path, fingerprint: str) -> dict[str, list[str]]:
    """Return terms by hash; nothing when the file is missing, damaged or made by another analyzer."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        header = json.loads(head)
        if header["fingerprint"] != fingerprint or header["crc32"] != zlib.crc32(body):
            return {}
        lines = body.decode("utf-8", "surrogatepass").split("\n")
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    found: dict[str, list[str]] = {}
    for line in lines:
        text_hash, *terms = line.split(" ")
        if text_hash:
            found[text_hash] = terms
    return found
