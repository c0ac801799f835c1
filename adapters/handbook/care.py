"""Looking over the files of a handbook, and replacing single parts of a version."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from ...domain.chunks import Category, RuleChunk
from ...domain.errors import HandbookCorruptError, HandbookError
from ...domain.manifest import ActivePointer, Manifest
from ...domain.names import COLLECTIONS, chunk_id, version_name, version_number
from ...ports.handbook_care import HandbookCare, HandbookSurvey, RebuiltPart
from ...ports.handbook_store import StagedVersion
from .durable import flush_folder, flush_tree, replace_file
from .filesystem import PARTS, StagedFolder, is_version, read_model
from .lock import owner_of, writer_lock
from .sealed_json import sealed

_FOLDERS: Final[dict[RebuiltPart, str]] = {"vectors": "chroma", "keyword": "keyword", "sentences": "sentences"}


class FilesystemHandbookCare(HandbookCare):
    """Care for the handbook under one root folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def survey(self) -> HandbookSurvey:
        """Return what lies there."""
        pointer, fault = self._pointer()
        manifests = {path.stem for path in self._entries("manifests") if _is_manifest(path)}
        staged = {path.name for path in self._entries("staging")}
        if pointer is None:
            # As the store sees it: a manifest whose version is still staged was never published.
            published = manifests - staged
        else:
            published = {name for name in manifests if version_number(name) <= pointer.last}
        if pointer is not None and pointer.version not in published:
            fault = f"It names {pointer.version}, which has no manifest."
        if pointer is None and not published:
            fault = ""
        leftovers, foreign = self._strangers(published, readable=pointer is not None or not published)
        versions = tuple(version_name(number) for number in sorted(map(version_number, published)))
        return HandbookSurvey(pointer, fault, versions, tuple(leftovers), tuple(foreign), self._writer())

    def _pointer(self) -> tuple[ActivePointer | None, str]:
        try:
            return read_model(self._root / "active.json", ActivePointer), ""
        except HandbookCorruptError as error:
            return None, error.message

    def _strangers(self, published: set[str], *, readable: bool) -> tuple[list[str], list[str]]:
        leftovers, foreign = [path.as_posix() for path in self._half_written()], []
        for part in (*PARTS, "manifests"):
            for path in self._entries(part):
                name = path.stem if part == "manifests" else path.name
                ours = _is_manifest(path) if part == "manifests" else is_version(name)
                if ours and name not in published:
                    leftovers.append(path.as_posix())
                elif not ours and not path.name.endswith(".json.new"):
                    foreign.append(path.as_posix())
        leftovers += [path.as_posix() for path in self._entries("staging")]
        for version in published:
            foreign += [path.as_posix() for path in self._foreign_chunks(version)]
        # Without a pointer it cannot be told what was published, so nothing is called a leftover.
        return sorted(map(self._short, leftovers)) if readable else [], sorted(map(self._short, foreign))

    def _half_written(self) -> list[Path]:
        return [path for folder in (self._root, self._root / "manifests") for path in folder.glob(".*.json.new")]

    def _short(self, path: str) -> str:
        return Path(path).relative_to(self._root).as_posix()

    def _foreign_chunks(self, version: str) -> Iterator[Path]:
        for folder in self._entries(f"chunks/{version}"):
            if folder.name not in COLLECTIONS.values() or not folder.is_dir():
                yield folder
            else:
                yield from (path for path in folder.iterdir() if _number(path) is None)

    def _entries(self, part: str) -> list[Path]:
        folder = self._root / part
        return sorted(folder.iterdir()) if folder.is_dir() else []

    def _writer(self) -> str:
        path = self._root / ".write.lock"
        if not path.exists():
            return ""
        lock = FileLock(path, timeout=0)
        try:
            lock.acquire()
        except Timeout:
            return owner_of(self._root)
        except OSError:
            return ""  # a folder that may only be read has no writer of ours
        lock.release()
        return ""

    def manifest(self, version: str) -> Manifest:
        """Return a manifest without asking the pointer."""
        manifest = read_model(self._root / "manifests" / f"{version}.json", Manifest)
        if manifest.version != version:
            raise HandbookCorruptError(
                f"The manifest {version}.json is of {manifest.version}.", hint="Restore it from a copy."
            )
        return manifest

    def chunks(self, version: str, category: Category) -> Iterator[tuple[str, RuleChunk | HandbookCorruptError]]:
        """Go through the chunk files of a category, by number."""
        found = self._entries(f"chunks/{version}/{COLLECTIONS[category]}")
        numbered = sorted((number, path) for path in found if (number := _number(path)) is not None)
        for number, path in numbered:
            identifier = chunk_id(category, version, number)
            try:
                yield identifier, read_model(path, RuleChunk)
            except HandbookCorruptError as error:
                yield identifier, error

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the writer's lock without sweeping."""
        with writer_lock(self._root):
            yield

    def set_pointer(self, pointer: ActivePointer) -> None:
        """Replace the pointer; a damaged one is kept as `active.json.damaged`."""
        path = self._root / "active.json"
        try:
            if path.exists():
                shutil.copy2(path, path.with_name("active.json.damaged"))
            replace_file(path, sealed(pointer.model_dump_json(indent=1) + "\n"))
        except OSError as error:
            raise HandbookError(f"The file {path} cannot be written: {error.strerror or error}.") from error

    def begin(self, version: str) -> StagedVersion:
        """Return empty folders below `staging/`, which the next writer sweeps if this one dies."""
        folder = self._root / "staging" / f"repair-{version}"
        shutil.rmtree(folder, ignore_errors=True)
        return StagedFolder(folder, version)

    def replace(self, staged: StagedVersion, part: RebuiltPart) -> None:
        """Flush a part, move the old one out of the way, and rename the new one into place."""
        name, folder = _FOLDERS[part], self._folder(staged)
        flush_tree(folder / name)
        target = self._root / name / staged.version
        target.parent.mkdir(exist_ok=True)
        if target.exists():
            target.rename(folder / f"old-{name}")
        (folder / name).rename(target)
        flush_folder(target.parent)

    def end(self, staged: StagedVersion) -> None:
        """Throw away what `begin` made and what was replaced."""
        shutil.rmtree(self._folder(staged), ignore_errors=True)

    def _folder(self, staged: StagedVersion) -> Path:
        return self._root / "staging" / f"repair-{staged.version}"


def _is_manifest(path: Path) -> bool:
    return path.suffix == ".json" and is_version(path.stem)


def _number(path: Path) -> int | None:
    """Return 7 for `chunk_007.json`, None for what is no chunk file."""
    digits = path.stem.removeprefix("chunk_")
    is_chunk = path.name == f"chunk_{digits}.json" and digits.isascii() and digits.isdecimal()
    return int(digits) if is_chunk and path.is_file() else None
