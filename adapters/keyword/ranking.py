"""What all keyword indexes share: one order of hits, one sealed file of ids."""

import json
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...domain.errors import ConfigError, HandbookCorruptError
from ...ports.keyword_index import KeywordHit, KeywordIndexOptions

_DECIMALS: Final = 9
"""Sums of the same addends in another order differ in the 15th digit; rounding makes equal what is equal."""
_TIED: Final = 2 * 10**-_DECIMALS
_SAMPLE: Final = 32
_BLOCK: Final = 1 << 20


def best_hits(scores: NDArray[np.float64], ids: Sequence[str], top_k: int) -> list[KeywordHit]:
    """Return the best matches: scores above 0, best first, equal ones by id.

    Args:
        scores: One BM25 score per text, 0 where no term is shared.
        ids: The texts' ids, in the same order.
        top_k: At most so many hits.
    """
    if top_k <= 0:
        return []
    # Everything that rounding may tie with the last place stays in, so that ids decide and not the partition.
    last = _last_place(scores, top_k)
    matches = np.flatnonzero(scores >= last - _TIED) if last > _TIED else np.flatnonzero(scores > 0)
    rounded = np.round(scores[matches], _DECIMALS)
    if not rounded.all():
        rounded = np.where(rounded == 0, scores[matches], rounded)
    # Pairs compare without a call of Python's, which many ties make worth it.
    ordered = sorted(zip((-rounded).tolist(), (ids[match] for match in matches.tolist()), strict=True))
    return [KeywordHit(identifier, -score) for score, identifier in ordered[:top_k]]


def _last_place(scores: NDArray[np.float64], top_k: int) -> float:
    """Return the score at place `top_k`, 0 when no more texts than that match."""
    # The same place among every tenth text or so is never above it, and leaves few scores to look for it in.
    sample = scores[:: max(1, len(scores) // (_SAMPLE * top_k))]
    least = np.partition(sample, -top_k)[-top_k] if len(sample) > top_k else 0.0
    upper = scores[scores >= least] if least > 0 else scores[scores > 0]
    return float(np.partition(upper, -top_k)[-top_k]) if len(upper) > top_k else float(least)


def checked_options(options: KeywordIndexOptions) -> KeywordIndexOptions:
    """Return the options; `ConfigError` when a BM25 parameter is out of range or an option is unknown."""
    if options.k1 < 0 or not 0 <= options.b <= 1:
        raise ConfigError(f"BM25 needs k1 >= 0 and 0 <= b <= 1, not k1={options.k1}, b={options.b}.")
    if options.options:
        raise ConfigError(f"Unknown options of the keyword index: {', '.join(sorted(options.options))}.")
    return options


def require_same_length(ids: Sequence[str], terms: Sequence[Sequence[str]]) -> None:
    """Raise `ValueError` unless there is one id for each text, each once."""
    if len(ids) != len(terms):
        raise ValueError(f"{len(ids)} ids for {len(terms)} texts")
    if len(set(ids)) != len(ids):
        raise ValueError("ids repeat")


def write_sealed(path: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON object with sizes and checksums of the other files in its folder, and of itself."""
    files = {
        other.name: [other.stat().st_size, _file_checksum(other)]
        for other in sorted(path.parent.iterdir())
        if other.is_file() and other != path
    }
    body = {**content, "files": files}
    path.write_text(json.dumps({"crc32": _body_checksum(body), **body}, ensure_ascii=False), encoding="utf-8")


def read_sealed(path: Path) -> dict[str, Any]:
    """Return what `write_sealed` wrote.

    Raises:
        HandbookCorruptError: A file of the index is missing or differs from what was written.
    """
    try:
        body: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        intact = body.pop("crc32") == _body_checksum(body)
        files: dict[str, list[int]] = body.pop("files") if intact else {}
        damaged = [name for name, seal in files.items() if _differs(path.parent / name, seal)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise HandbookCorruptError(f"The keyword index in {path.parent} cannot be read: {error}") from error
    if not intact or damaged:
        raise HandbookCorruptError(
            f"Files of the keyword index in {path.parent} are damaged: {', '.join(damaged) or path.name}.",
            hint="Roll back to another version, or build again.",
        )
    return body


def _differs(path: Path, seal: list[int]) -> bool:
    return path.stat().st_size != seal[0] or _file_checksum(path) != seal[1]


def _body_checksum(body: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(body, ensure_ascii=False, sort_keys=True).encode())


def _file_checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while data := file.read(_BLOCK):
            checksum = zlib.crc32(data, checksum)
    return checksum
