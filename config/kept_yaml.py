"""The package's own YAML files, parsed once a machine: as JSON they are read ten times as fast.

A file of the user's is not kept: it may hold what should stand in one place alone.
"""

import contextlib
import hashlib
import json
import os
import tempfile
import zlib
from pathlib import Path
from typing import Any, Final

import yaml

from .safe_yaml import load_yaml
from .user_cache import user_cache

_FORMAT: Final = 1
_CHECKSUM: Final = 8
"""Hexadecimal digits of the CRC-32 before the JSON."""


def load_kept_yaml(text: str) -> Any:
    """Return the plain values of a YAML text, from the user's cache when it was parsed before.

    The name of an entry is the hash of the text, so that a changed file is parsed again. An entry that is damaged or
    cannot be written is done without.

    Raises:
        yaml.YAMLError: It is no valid YAML, or asks for an object.
    """
    folder = user_cache()
    if folder is None:
        return load_yaml(text)
    key = hashlib.sha256(f"{_FORMAT} {yaml.__version__}\n{text}".encode()).hexdigest()
    entry = folder / "yaml" / f"{key}.json"
    with contextlib.suppress(OSError, ValueError):
        return _checked(entry.read_bytes())
    values = load_yaml(text)
    with contextlib.suppress(OSError, ValueError, TypeError):
        data = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()
        # Keys that are no text, and dates, are not in JSON as they are in YAML.
        if json.loads(data) == values:
            _keep(entry, f"{zlib.crc32(data):0{_CHECKSUM}x}".encode() + data)
    return values


def _checked(kept: bytes) -> Any:
    data = kept[_CHECKSUM:]
    if int(kept[:_CHECKSUM], 16) != zlib.crc32(data):
        raise ValueError("damaged")
    return json.loads(data)


def _keep(entry: Path, data: bytes) -> None:
    entry.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, scratch = tempfile.mkstemp(dir=entry.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(scratch).replace(entry)
    except OSError:
        Path(scratch).unlink(missing_ok=True)
        raise
