"""Handbooks as folders (spec: handbook, on disk).

The layout::

    <root>/chroma/v3/                              vector store of one version
    <root>/keyword/v3/rules-write/                 keyword index
    <root>/sentences/v3/rules-write/               vectors of sentences
    <root>/chunks/v3/rules-write/chunk_001.json    every chunk
    <root>/manifests/v3.json                       immutable
    <root>/active.json                             the single commit point
    <root>/staging/v4/                             the version under construction
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from ...domain.chunks import Category, RuleChunk
from ...domain.errors import HandbookCorruptError, HandbookError, HandbookSchemaError, UnknownVersionError
from ...domain.manifest import SCHEMA_VERSION, ActivePointer, Manifest
from ...domain.names import COLLECTIONS, split_chunk_id, version_name, version_number
from ...ports.handbook_store import HandbookStore, StagedVersion
from .durable import flush_folder, flush_tree, replace_file, write_files
from .lock import writer_lock
from .sealed_json import sealed, unsealed
from .terms import read_terms, terms_file, write_terms

_M = TypeVar("_M", bound=BaseModel)
PARTS = ("chroma", "keyword", "sentences", "chunks")


def _chunk_file(number: int) -> str:
    return f"chunk_{number:03d}.json"


class StagedFolder(StagedVersion):
    """A version, or parts of one, under construction in a folder below `staging/`."""

    def __init__(self, folder: Path, version: str) -> None:
        self.folder = folder
        self._version = version
        for part in PARTS:
            (folder / part).mkdir(parents=True)

    @property
    def version(self) -> str:
        """Name of the version."""
        return self._version

    def vector_folder(self) -> Path:
        """Return the folder of its vector store."""
        return self.folder / "chroma"

    def keyword_folder(self, collection: str) -> Path:
        """Make and return the folder of one keyword index."""
        folder = self.folder / "keyword" / collection
        folder.mkdir()
        return folder

    def sentence_folder(self, collection: str) -> Path:
        """Make and return the folder of a collection's sentence vectors."""
        folder = self.folder / "sentences" / collection
        folder.mkdir()
        return folder

    def write_chunks(self, category: Category, chunks: Iterable[RuleChunk]) -> None:
        """Write one readable JSON file per chunk."""
        folder = self.folder / "chunks" / COLLECTIONS[category]
        folder.mkdir()
        write_files(
            (
                folder / _chunk_file(split_chunk_id(chunk.chunk_id)[2]),
                sealed(chunk.model_dump_json(indent=1) + "\n"),
            )
            for chunk in chunks
        )

    def write_terms(self, collection: str, fingerprint: str, terms: Mapping[str, Sequence[str]]) -> None:
        """Keep analysed terms beside the keyword index."""
        write_terms(terms_file(self.folder / "keyword", collection), fingerprint, terms)


class FilesystemHandbookStore(HandbookStore):
    """A handbook under one root folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def root(self) -> Path:
        """The handbook's folder; it need not exist."""
        return self._root

    @contextmanager
    def write_lock(self) -> Iterator[None]:
        """Hold the writer's lock; leftovers of dead writers are swept first."""
        try:
            self._root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise HandbookError(
                f"The handbook folder {self._root} cannot be created: {error.strerror}.", hint="Choose another --root."
            ) from error
        with writer_lock(self._root):
            try:
                self._sweep()
                yield
            except BrokenPipeError:
                raise  # of somebody who was told of progress
            except OSError as error:
                raise HandbookError(
                    f"The handbook {self._root} cannot be written: {error.strerror or error}.",
                    hint="Check free space and permissions; the next build sweeps what was begun.",
                ) from error

    def _sweep(self) -> None:
        """Remove whatever belongs to a version that was never committed.

        Manifests go first and staging last: a manifest without either active.json or its staging folder is taken for
        a handbook that lost its pointer.
        """
        committed = set(self.versions())
        for manifest in self._entries("manifests"):
            if is_version(manifest.stem) and manifest.stem not in committed:
                manifest.unlink()
        for part in PARTS:
            for folder in self._entries(part):
                if is_version(folder.name) and folder.name not in committed:
                    shutil.rmtree(folder)
        for folder in (self._root, self._root / "manifests"):
            for half_written in folder.glob(".*.json.new"):
                half_written.unlink()
        shutil.rmtree(self._root / "staging", ignore_errors=True)
        # Last, since it needs space that the deletions may have given back.
        pointer = self.pointer()
        if pointer is not None and pointer.previous is not None and pointer.previous not in committed:
            # On a disk that is still full nothing hangs on it: the next sweep tries again.
            with suppress(HandbookError):
                self._commit(pointer.model_copy(update={"previous": None}))

    def _entries(self, part: str) -> list[Path]:
        folder = self._root / part
        return sorted(folder.iterdir()) if folder.is_dir() else []

    def pointer(self) -> ActivePointer | None:
        """Return what is active."""
        path = self._root / "active.json"
        if not path.exists():
            self._refuse_lost_pointer(path)
            return None
        return read_model(path, ActivePointer)

    def _refuse_lost_pointer(self, path: Path) -> None:
        """Tell a handbook that was never published from one whose pointer somebody removed."""
        published = {p.stem for p in self._entries("manifests") if is_version(p.stem)}
        staged = {p.name for p in self._entries("staging")}
        # A first version that was committed meanwhile has its pointer by now.
        if published - staged and not path.exists():
            raise HandbookCorruptError(
                f"The file {path} is missing although there are versions ({', '.join(sorted(published))}).",
                hint='Restore it; it holds {"version": "v3", "previous": "v2", "last": 3}.',
            )

    def versions(self) -> list[str]:
        """Return all committed versions, oldest first."""
        pointer = self.pointer()
        if pointer is None:
            return []
        numbers = sorted(
            version_number(path.stem)
            for path in self._entries("manifests")
            if path.suffix == ".json" and is_version(path.stem)
        )
        return [version_name(number) for number in numbers if number <= pointer.last]

    def manifest(self, version: str) -> Manifest:
        """Return a committed manifest."""
        pointer = self._known(version)
        manifest = read_model(self._root / "manifests" / f"{version}.json", Manifest)
        active = pointer.version == version
        return manifest.model_copy(update={"active": active, "active_previous": pointer.previous if active else None})

    def _known(self, version: str) -> ActivePointer:
        pointer = self.pointer()
        known = self.versions()
        version_number(version)
        if pointer is None or version not in known:
            names = ", ".join(known) or "none"
            raise UnknownVersionError(f"The handbook has no version {version}.", hint=f"Versions: {names}.")
        return pointer

    def stage(self) -> StagedVersion:
        """Begin the next version."""
        pointer = self.pointer()
        version = version_name(1 + (pointer.last if pointer else 0))
        return StagedFolder(self._root / "staging" / version, version)

    def discard(self, staged: StagedVersion) -> None:
        """Throw a staged version away, also what a failed `publish` has put into place; a committed one is kept."""
        pointer = self.pointer()
        if pointer is None or version_number(staged.version) > pointer.last:
            (self._root / "manifests" / f"{staged.version}.json").unlink(missing_ok=True)
            for part in PARTS:
                shutil.rmtree(self._root / part / staged.version, ignore_errors=True)
        shutil.rmtree(self._root / "staging", ignore_errors=True)

    def publish(self, staged: StagedVersion, manifest: Manifest, *, activate: bool = True) -> None:
        """Flush, rename into place, then commit by replacing `active.json`."""
        source = self._root / "staging" / staged.version
        flush_tree(source)
        for part in PARTS:
            target = self._root / part
            target.mkdir(exist_ok=True)
            (source / part).rename(target / staged.version)
            flush_folder(target)
        manifests = self._root / "manifests"
        manifests.mkdir(exist_ok=True)
        replace_file(
            manifests / f"{staged.version}.json",
            sealed(json.dumps(manifest.stored(), ensure_ascii=False, indent=1) + "\n"),
        )
        pointer, last = self.pointer(), version_number(staged.version)
        if pointer is not None and not activate:
            self._commit(pointer.model_copy(update={"last": last}))
        else:
            previous = pointer.version if pointer else None
            self._commit(ActivePointer(version=staged.version, previous=previous, last=last))
        shutil.rmtree(source.parent, ignore_errors=True)

    def activate(self, version: str) -> None:
        """Point to another version; nothing is deleted."""
        pointer = self._known(version)
        if pointer.version != version:
            self._commit(ActivePointer(version=version, previous=pointer.version, last=pointer.last))

    def remove(self, version: str, *, still_unused: Callable[[], bool] = lambda: True) -> bool:
        """Delete a version: first its manifest leaves the list, in one step, then its files go."""
        pointer = self._known(version)
        if pointer.version == version:
            raise HandbookError(f"{version} is active.", hint="Roll back to another version first.")
        staging = self._root / "staging"
        manifest = self._root / "manifests" / f"{version}.json"
        try:
            staging.mkdir(exist_ok=True)
            hidden = staging / manifest.name
        except OSError:
            # Who deletes versions because the disk is full has no room for a folder: the sweep knows this name too.
            hidden = manifest.with_name(f".{manifest.name}.new")
        manifest.rename(hidden)
        if not still_unused():
            hidden.rename(manifest)
            flush_folder(manifest.parent)
            return False
        flush_folder(manifest.parent)
        for part in PARTS:
            folder = self._root / part / version
            if folder.exists() and staging.is_dir():
                # Out of the way at once: a reader finds all of a folder or nothing.
                folder.rename(staging / f"{version}-{part}")
                flush_folder(folder.parent)
            elif folder.exists():
                shutil.rmtree(folder)
        hidden.unlink()
        shutil.rmtree(staging, ignore_errors=True)
        if pointer.previous == version:
            self._commit(pointer.model_copy(update={"previous": None}))
        return True

    def size(self, version: str) -> int:
        """Return the bytes of a version's files."""
        return sum(path.stat().st_size for _, path in self.files(version))

    def files(self, version: str) -> list[tuple[str, Path]]:
        """Return every file of a version."""
        self._known(version)
        found = [self._root / "manifests" / f"{version}.json"]
        for part in PARTS:
            found.extend(path for path in (self._root / part / version).rglob("*") if path.is_file())
        return sorted((path.relative_to(self._root).as_posix(), path) for path in found)

    def _commit(self, pointer: ActivePointer) -> None:
        path = self._root / "active.json"
        try:
            flush_folder(self._root)
            replace_file(path, sealed(pointer.model_dump_json(indent=1) + "\n"))
        except OSError as error:
            raise HandbookError(
                f"The file {path} cannot be written: {error.strerror or error}.",
                hint="Check free space and permissions.",
            ) from error

    def vector_folder(self, version: str) -> Path:
        """Return `<root>/chroma/v3`."""
        return self._root / "chroma" / version

    def keyword_folder(self, version: str, collection: str) -> Path:
        """Return `<root>/keyword/v3/rules-write`."""
        return self._root / "keyword" / version / collection

    def sentence_folder(self, version: str, collection: str) -> Path:
        """Return `<root>/sentences/v3/rules-write`."""
        return self._root / "sentences" / version / collection

    def terms(self, version: str, collection: str, fingerprint: str) -> Mapping[str, Sequence[str]]:
        """Return the terms kept beside the keyword index."""
        return read_terms(terms_file(self._root / "keyword" / version, collection), fingerprint)

    def chunk(self, chunk_id: str) -> RuleChunk:
        """Return one chunk."""
        category, version, number = split_chunk_id(chunk_id)
        path = Path(self._root, "chunks", version, COLLECTIONS[category], _chunk_file(number))
        try:
            return read_model(path, RuleChunk)
        except HandbookCorruptError:
            # A version that was pruned under a reader is gone, not damaged.
            self._known(version)
            raise

    def chunks(self, version: str, category: Category) -> Sequence[RuleChunk]:
        """Return all chunks of a category."""
        folder = self._root / "chunks" / version / COLLECTIONS[category]
        files = folder.glob("chunk_*.json") if folder.is_dir() else ()
        found = [read_model(path, RuleChunk) for path in files]
        return sorted(found, key=lambda c: split_chunk_id(c.chunk_id)[2])


def is_version(name: str) -> bool:
    """Return whether a file or folder is called like a version."""
    try:
        return version_number(name) > 0
    except UnknownVersionError:
        return False


def read_model(path: Path, model: type[_M]) -> _M:
    """Return what a file of the handbook holds.

    Raises:
        HandbookCorruptError: It is missing, or not what was written.
        HandbookSchemaError: Another version of kisoku wrote it.
    """
    try:
        raw = unsealed(path.read_bytes())
    except FileNotFoundError:
        raise HandbookCorruptError(f"The file {path} is missing.", hint="Restore it, or build again.") from None
    except OSError as error:
        raise HandbookCorruptError(
            f"The file {path} cannot be read: {error}.", hint="Restore it from a copy."
        ) from error
    except ValueError as error:
        raise HandbookCorruptError(
            f"The file {path} is damaged: {error}.", hint="Restore it from a copy, or build again."
        ) from error
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        _refuse_other_schema(path, raw)
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise HandbookCorruptError(
            f"The file {path} is damaged: {place}: {first['msg']}.", hint="Restore it from a copy, or build again."
        ) from error


def _refuse_other_schema(path: Path, raw: bytes) -> None:
    try:
        schema = json.loads(raw).get("schema_version", SCHEMA_VERSION)
    except (ValueError, AttributeError):
        return
    if schema != SCHEMA_VERSION:
        raise HandbookSchemaError(
            f"The file {path} has schema {schema}; this kisoku reads schema {SCHEMA_VERSION}.",
            hint="Use the version of kisoku that wrote it, or build into another folder: --root.",
        )
