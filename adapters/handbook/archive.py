"""Versions as single files: a zip of which one entry lists every other one with size and SHA-256.

The layout below a handbook's folder is kept (`manifests/v3.json`, `chunks/v3/…`), so a file can be looked into with any
zip tool.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...domain.errors import HandbookCorruptError, HandbookError, HandbookSchemaError
from ...domain.manifest import SCHEMA_VERSION, ActivePointer, Manifest
from ...domain.names import version_number
from ...ports.handbook_store import HandbookStore
from .durable import flush_folder
from .filesystem import FilesystemHandbookStore

INDEX_NAME: Final = "kisoku-version.json"
FORMAT: Final = 1
_BLOCK: Final = 1 << 20
_MOST_INDEX_BYTES: Final = 64 << 20
_MOST_FILES: Final = 1_000_000
_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""No entry tells when it was written: the same version gives the same bytes."""
_PART: Final = re.compile(r"[\w-][\w .()-]{0,200}")


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    size: Annotated[int, Field(ge=0)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Index(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["kisoku-version"] = "kisoku-version"
    format: int = FORMAT
    schema_version: int = SCHEMA_VERSION
    tool_version: str
    version: str
    files: dict[str, _Entry]


class ZipVersionArchive:
    """Exports and imports with `zipfile`."""

    def write(self, target: Path, manifest: Manifest, files: Iterable[tuple[str, Path]]) -> int:
        """Write a version; the file appears when it is complete and durable."""
        beside = target.with_name(f".{target.name}.new")
        try:
            with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as package:
                # Checksums are of what went in: searches write rows of no meaning into Chroma's database meanwhile.
                index = _Index(
                    tool_version=manifest.tool_version,
                    version=manifest.version,
                    files={place: _add(package, place, path) for place, path in files},
                )
                package.writestr(_info(INDEX_NAME), index.model_dump_json(indent=1))
            with beside.open("rb+") as file:
                os.fsync(file.fileno())
            beside.replace(target)
            flush_folder(target.parent)
        except OSError as error:
            raise HandbookError(
                f"The file {target} cannot be written: {error.strerror or error}.",
                hint="Check the folder, free space and permissions.",
            ) from error
        finally:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
        return target.stat().st_size

    @contextlib.contextmanager
    def opened(self, source: Path) -> Iterator[tuple[HandbookStore, str]]:
        """Unpack into a folder of its own, each entry verified while it is written."""
        with tempfile.TemporaryDirectory(prefix="kisoku-import-") as scratch:
            version = _unpack(source, Path(scratch))
            yield FilesystemHandbookStore(Path(scratch)), version


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def _add(package: zipfile.ZipFile, place: str, path: Path) -> _Entry:
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as file, package.open(_info(place), "w", force_zip64=True) as target:
        while block := file.read(_BLOCK):
            digest.update(block)
            size += len(block)
            target.write(block)
    return _Entry(size=size, sha256=digest.hexdigest())


def _unpack(source: Path, folder: Path) -> str:
    try:
        with zipfile.ZipFile(source) as package:
            index = _index(source, package)
            _require_space(source, folder, index)
            names = package.namelist()
            if len(names) != len(set(names)) or set(names) != {INDEX_NAME, *index.files}:
                raise HandbookCorruptError(f"{source} holds other files than it lists.", hint="Export it again.")
            for place, entry in index.files.items():
                _extract(package, place, entry, folder / _checked_place(source, place, index.version))
    except FileNotFoundError:
        raise HandbookError(f"{source} does not exist.") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise HandbookCorruptError(
            f"{source} is damaged, truncated, or no export of kisoku: {error}.", hint="Export or copy it again."
        ) from error
    except OSError as error:
        raise HandbookError(f"{source} cannot be read or unpacked: {error.strerror or error}.") from error
    pointer = ActivePointer(version=index.version, previous=None, last=version_number(index.version))
    (folder / "active.json").write_text(pointer.model_dump_json(), encoding="utf-8")
    return index.version


def _index(source: Path, package: zipfile.ZipFile) -> _Index:
    try:
        info = package.getinfo(INDEX_NAME)
    except KeyError:
        raise HandbookCorruptError(f"{source} is no export of kisoku.", hint="Name a file of kisoku export.") from None
    if info.file_size > _MOST_INDEX_BYTES:
        raise HandbookCorruptError(f"The list of files in {source} is too long.")
    with package.open(info) as file:
        raw = file.read(_MOST_INDEX_BYTES + 1)
    try:
        content = json.loads(raw)
        known = (content["format"], content["schema_version"]) == (FORMAT, SCHEMA_VERSION)
        found = f"{content['format']}/{content['schema_version']}"
        index = _Index.model_validate(content) if known else None
        if index is not None:
            version_number(index.version)
    except (ValidationError, ValueError, KeyError, TypeError, HandbookError) as error:
        raise HandbookCorruptError(f"The list of files in {source} is damaged.", hint="Export it again.") from error
    if index is None:
        raise HandbookSchemaError(
            f"{source} has format {found}; this kisoku reads {FORMAT}/{SCHEMA_VERSION}.",
            hint="Import it with the version of kisoku that wrote it, or export it again with this one.",
        )
    return index


def _require_space(source: Path, folder: Path, index: _Index) -> None:
    needed, free = sum(entry.size for entry in index.files.values()), shutil.disk_usage(folder).free
    if len(index.files) > _MOST_FILES or needed > free:
        raise HandbookError(
            f"{source} unpacks to {len(index.files):,} files and {needed / 1e6:,.0f} MB; {free / 1e6:,.0f} MB are free."
        )


def _checked_place(source: Path, place: str, version: str) -> PurePosixPath:
    """Return where an entry goes: the manifest, or a file below a part of this version; all else is refused."""
    parts = place.split("/")
    below = tuple(f"{part}/{version}/" for part in ("chroma", "keyword", "sentences", "chunks"))
    allowed = place == f"manifests/{version}.json" or place.startswith(below)
    if not allowed or not all(_PART.fullmatch(part) for part in parts):
        raise HandbookCorruptError(f"{source} holds a file at a place that no version has: {place[:100]!a}.")
    return PurePosixPath(place)


def _extract(package: zipfile.ZipFile, place: str, entry: _Entry, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    digest, left = hashlib.sha256(), entry.size
    with package.open(place) as file, target.open("xb") as out:
        while left >= 0 and (block := file.read(_BLOCK)):
            left -= len(block)
            digest.update(block)
            out.write(block)
    if left != 0 or digest.hexdigest() != entry.sha256:
        raise HandbookCorruptError(f"The file {place} in the export is damaged.", hint="Export or copy it again.")
