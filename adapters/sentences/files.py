"""Sentence vectors in flat files: a byte per number, memory-mapped, sealed."""

import hashlib
import json
import threading
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...domain.errors import HandbookCorruptError
from ...ports.sentence_store import SentenceBatch, SentenceStore, SentenceVectors
from ...ports.vectors import Matrix

_SEAL: Final = "seal.json"
_FORMAT: Final = 1
_CODES: Final = "codes.i8"
_SCALES: Final = "scales.f4"
_SENTENCES: Final = "sentences.b16"
_CHUNKS: Final = "chunks.b32"
_STARTS: Final = "starts.i8"
_PLACES: Final = "places.i4"
_DIGEST: Final = 16
_HASH: Final = 32
_LARGEST: Final = 127
_BLOCK: Final = 1 << 20
_ROWS_AT_ONCE: Final = 2048


class SentenceFiles(SentenceStore):
    """Writes and opens the files of one collection in one folder.

    ==============  =====================================================================================
    codes.i8        a row of int8 per distinct sentence
    scales.f4       what the row is multiplied with
    sentences.b16   the first 16 bytes of SHA-256 of the sentence, in the order of the rows
    chunks.b32      content hash of each distinct chunk
    starts.i8       where the chunk's entries in places.i4 begin; one more entry than chunks
    places.i4       numbers of the rows of its sentences, in order
    seal.json       shape, sizes and CRC-32 of all others; written last
    ==============  =====================================================================================

    A row is scaled so that its largest number is 127, and rounded: 513 bytes instead of 2,048, at a cosine of 0.9999
    with the original. A sentence that stands in many chunks (a heading) is kept once.
    """

    def write(
        self, folder: Path, dimension: int, batches: Iterable[SentenceBatch], chunks: Mapping[str, Sequence[str]]
    ) -> None:
        """Write a collection into an existing empty folder."""
        places: dict[str, int] = {}
        with (
            (folder / _CODES).open("wb") as codes,
            (folder / _SCALES).open("wb") as scales,
            (folder / _SENTENCES).open("wb") as digests,
        ):
            for sentences, matrix in batches:
                if matrix.shape != (len(sentences), dimension):
                    raise ValueError(f"{len(sentences)} sentences with an array of shape {matrix.shape}")
                rows, scale = _quantised(matrix)
                codes.write(rows.tobytes())
                scales.write(scale.tobytes())
                digests.write(b"".join(map(_digest, sentences)))
                for sentence in sentences:
                    places[sentence] = len(places)
        starts = np.zeros(len(chunks) + 1, dtype="<i8")
        np.cumsum([len(sentences) for sentences in chunks.values()], out=starts[1:])
        numbers = [places[sentence] for sentences in chunks.values() for sentence in sentences]
        (folder / _CHUNKS).write_bytes(b"".join(bytes.fromhex(key) for key in chunks))
        (folder / _STARTS).write_bytes(starts.tobytes())
        (folder / _PLACES).write_bytes(np.array(numbers, dtype="<i4").tobytes())
        _seal(folder, {"format": _FORMAT, "dimension": dimension, "rows": len(places), "chunks": len(chunks)})

    def open(self, folder: Path) -> SentenceVectors | None:
        """Open a collection; checks every byte (about 1 ms per MB)."""
        if not folder.is_dir():
            return None
        shape = _verified(folder)
        try:
            return _OpenSentences(folder, shape["dimension"], shape["rows"], shape["chunks"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise HandbookCorruptError(f"The sentence vectors in {folder} cannot be read: {error}.") from error


class _OpenSentences(SentenceVectors):
    def __init__(self, folder: Path, dimension: int, rows: int, chunks: int) -> None:
        self._codes = _mapped(folder / _CODES, np.dtype(np.int8), (rows, dimension))
        self._scales = _mapped(folder / _SCALES, np.dtype("<f4"), (rows,))
        self._starts = _mapped(folder / _STARTS, np.dtype("<i8"), (chunks + 1,))
        self._places = _mapped(folder / _PLACES, np.dtype("<i4"), (int(self._starts[-1]),))
        if len(self._places) and int(self._places.max()) >= rows:
            raise ValueError("it names sentences that are not there")
        keys = (folder / _CHUNKS).read_bytes()
        self._chunk_numbers = {keys[at : at + _HASH]: at // _HASH for at in range(0, len(keys), _HASH)}
        if len(keys) != chunks * _HASH:
            raise ValueError("the number of chunks does not agree")
        self._digest_file = folder / _SENTENCES
        self._rows = rows
        self._by_digest: dict[bytes, int] | None = None
        self._lock = threading.Lock()

    @property
    def chunk_count(self) -> int:
        return len(self._chunk_numbers)

    @property
    def sentence_count(self) -> int:
        return self._rows

    def of_chunks(self, content_hashes: Sequence[str]) -> list[Matrix | None]:
        numbers = [self._chunk_numbers.get(_key(content_hash)) for content_hash in content_hashes]
        parts = [
            np.asarray(self._places[self._starts[n] : self._starts[n + 1]]) if n is not None else None for n in numbers
        ]
        present = [part for part in parts if part is not None]
        if not present:
            return [None] * len(parts)
        # One gather for all: many small ones cost more than the arithmetic.
        matrix = self._gathered(np.concatenate(present))
        found: list[Matrix | None] = []
        at = 0
        for part in parts:
            found.append(None if part is None else matrix[at : at + len(part)])
            at += 0 if part is None else len(part)
        return found

    def rows(self, numbers: Sequence[int]) -> Matrix:
        return self._gathered(np.asarray(numbers, dtype=np.int64))

    def nearest(self, vectors: Matrix, count: int) -> list[list[tuple[int, float]]]:
        kept = min(count, self._rows)
        if kept <= 0 or not len(vectors):
            return [[] for _ in vectors]
        cosines = np.empty((len(vectors), self._rows), dtype=np.float32)
        # Blocks keep the unpacked rows in the cache, and the whole matrix out of memory.
        for start in range(0, self._rows, _ROWS_AT_ONCE):
            block = slice(start, start + _ROWS_AT_ONCE)
            cosines[:, block] = (vectors @ self._codes[block].astype(np.float32).T) * self._scales[block]
        numbers = np.argpartition(-cosines, kept - 1, axis=1)[:, :kept]
        found = []
        for row, candidates in zip(cosines, numbers, strict=True):
            ordered = sorted(candidates.tolist(), key=lambda number: (-row[number], number))
            found.append([(number, float(row[number])) for number in ordered])
        return found

    def known(self, sentences: Sequence[str]) -> list[bool]:
        numbers = self._sentence_numbers()
        return [_digest(sentence) in numbers for sentence in sentences]

    def of_sentences(self, sentences: Sequence[str]) -> Matrix:
        numbers = self._sentence_numbers()
        return self._gathered(np.array([numbers[_digest(sentence)] for sentence in sentences], dtype=np.int64))

    def _gathered(self, places: NDArray[np.integer]) -> Matrix:
        matrix: Matrix = self._codes[places].astype(np.float32)
        matrix *= self._scales[places][:, None]
        return matrix

    def _sentence_numbers(self) -> dict[bytes, int]:
        # Only a build asks by sentence; a search never pays for this table.
        with self._lock:
            if self._by_digest is None:
                data = self._digest_file.read_bytes()
                self._by_digest = {data[at : at + _DIGEST]: at // _DIGEST for at in range(0, len(data), _DIGEST)}
            return self._by_digest


def _quantised(matrix: Matrix) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    scale = np.abs(matrix).max(axis=1, initial=0.0) / _LARGEST
    scale = np.where(scale > 0, scale, 1.0).astype("<f4")
    return np.rint(matrix / scale[:, None]).astype(np.int8), scale


def _digest(sentence: str) -> bytes:
    return hashlib.sha256(sentence.encode("utf-8", "surrogatepass")).digest()[:_DIGEST]


def _key(content_hash: str) -> bytes:
    try:
        return bytes.fromhex(content_hash)
    except ValueError:
        return b""


def _mapped(path: Path, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    if path.stat().st_size != int(np.prod(shape)) * dtype.itemsize:
        raise ValueError(f"{path.name} has another size than its seal says")
    if 0 in shape:  # nothing cannot be mapped
        return np.zeros(shape, dtype)
    return np.memmap(path, dtype=dtype, mode="r", shape=shape)


def _seal(folder: Path, shape: Mapping[str, int]) -> None:
    files = {
        path.name: {"size": path.stat().st_size, "crc32": _checksum(path)}
        for path in sorted(folder.iterdir())
        if path.name != _SEAL
    }
    text = json.dumps({"shape": dict(shape), "files": files}, sort_keys=True)
    (folder / _SEAL).write_text(json.dumps({"crc32": zlib.crc32(text.encode()), "sealed": text}), encoding="utf-8")


def _verified(folder: Path) -> dict[str, int]:
    """Return the shape after comparing every file with the seal."""
    try:
        outer = json.loads((folder / _SEAL).read_text(encoding="utf-8"))
        if zlib.crc32(outer["sealed"].encode()) != outer["crc32"]:
            raise HandbookCorruptError(f"The seal of the sentence vectors in {folder} is damaged.")
        content = json.loads(outer["sealed"])
        shape: dict[str, int] = content["shape"]
        if shape["format"] != _FORMAT:
            raise HandbookCorruptError(f"The sentence vectors in {folder} have format {shape['format']}.")
        for name, entry in content["files"].items():
            path = folder / name
            if path.stat().st_size != entry["size"] or _checksum(path) != entry["crc32"]:
                raise HandbookCorruptError(
                    f"The file {path} is damaged.", hint="Build again; searches embed the sentences meanwhile."
                )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise HandbookCorruptError(f"The sentence vectors in {folder} cannot be read: {error}.") from error
    return shape


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as file:
        while data := file.read(_BLOCK):
            checksum = zlib.crc32(data, checksum)
    return checksum
