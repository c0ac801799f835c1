"""Building handbooks and choosing the active version (requirements, rag-layer §5 and §8.2)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from ..domain.errors import HandbookError, NoHandbookError
from ..domain.manifest import Manifest
from ..domain.names import document_name
from ..domain.partitions import partition_of
from ..ports.handbook_store import HandbookStore
from .building.build import Build
from .building.documents import UploadedFile, resolve_documents
from .building.progress import BuildReport, ProgressCallback, no_progress
from .building.single import SingleChange, removed, replaced
from .building.tools import BuildTools
from .pruning import PruneReport, prune
from .transfer import ExportReport, ImportReport, export_version, import_version
from .version_diff import VersionContent, VersionDiff, VersionState, diff_versions, version_state


class RuleHandbookManager:
    """Builds versions, lists them, and moves the pointer to the active one."""

    def __init__(
        self, store: HandbookStore, tools: BuildTools, locked: Callable[[], Collection[str]] = frozenset
    ) -> None:
        """Create the manager; nothing is read yet.

        Args:
            store: Versions.
            tools: What builds need.
            locked: Gives the versions that open sessions are locked to; pruning keeps them.
        """
        self._store = store
        self._tools = tools
        self._locked = locked
        self._paths: dict[str, Path] = {}

    def build_handbook(
        self,
        files: Sequence[UploadedFile],
        categories: Mapping[str, str],
        *,
        partitions: Mapping[str, str] | None = None,
        on_progress: ProgressCallback = no_progress,
    ) -> str | None:
        """Build a new version from the whole set of documents.

        Args:
            files: Every document of the handbook; one that is left out is deleted from the new version.
            categories: write, design or ref for each document name.
            partitions: A partition for document names that belong to one; None for what `partitions.patterns` says.
            on_progress: Called as the build goes on.

        Returns:
            The new version's name, None when nothing changed.

        Raises:
            BuildError: Documents failed and `build.on_error` is `fail`; `failures` lists every one.
            HandbookLockedError: Another process is building.
            HandbookError: A document's name or category is wrong.
            ModelError: The embedding model cannot be loaded.
        """
        return self.build(files, categories, partitions=partitions, on_progress=on_progress).version

    def build(
        self,
        files: Sequence[UploadedFile],
        categories: Mapping[str, str],
        *,
        partitions: Mapping[str, str] | None = None,
        on_progress: ProgressCallback = no_progress,
    ) -> BuildReport:
        """Do what `build_handbook` does, and report it in full."""
        if partitions is None:
            patterns = self._tools.settings.partitions.patterns
            partitions = {file.name: partition_of(file.name, patterns) for file in files}
        documents = resolve_documents(files, categories, partitions)
        self._paths = {document_name(file.name): file.path for file in files if file.path is not None}
        with self._store.write_lock():
            report = Build(self._store, self._tools, documents, on_progress).run()
        return self._announced(report)

    def _announced(self, report: BuildReport) -> BuildReport:
        # Outside the lock: a hook may take its time, and may build or roll back itself.
        if report.version is not None:
            self._tools.plugins.lifecycle.handbook_built(self._store.manifest(report.version))
        return report

    def reindex(
        self,
        name: str,
        source: bytes | Path | None = None,
        *,
        category: str | None = None,
        partition: str | None = None,
        on_progress: ProgressCallback = no_progress,
    ) -> BuildReport:
        """Make a new version in which one document alone is changed or added; the others are not even looked at.

        Args:
            name: The document's name.
            source: Its bytes, or the file that holds them; None for the file it was last built from by this manager.
            category: write, design or ref; None for the one it has already.
            partition: None for the one it has already.
            on_progress: Called as the build goes on.

        Returns:
            What was done; its `version` is None when the document is what it was.

        Raises:
            NoHandbookError: Nothing was ever built.
            BuildError: The document cannot be read and `build.on_error` is `fail`.
            HandbookError: A new document has no category, there is no source, or settings changed so that other
                documents would have to be read again.
            HandbookLockedError: Another process is building.
        """
        name = document_name(name)
        path = source if isinstance(source, Path) else self._paths.get(name) if source is None else None
        data = source if isinstance(source, bytes) else None
        if data is None and path is None:
            raise HandbookError(f"There is no file to read {name!r} from.", hint="Name one: --from FILE")
        file = UploadedFile(name, data, path)
        return self._change(lambda manifest: replaced(manifest, file, category, partition), on_progress)

    def remove_document(self, name: str, *, on_progress: ProgressCallback = no_progress) -> BuildReport:
        """Make a new version without one document; older versions still have it.

        Raises:
            NoHandbookError: Nothing was ever built.
            HandbookError: The active version has no such document, or settings changed so that others would have to
                be read again.
            BuildError: It is the only one.
            HandbookLockedError: Another process is building.
        """
        return self._change(lambda manifest: removed(manifest, name), on_progress)

    def _change(self, change: Callable[[Manifest], SingleChange], on_progress: ProgressCallback) -> BuildReport:
        with self._store.write_lock():
            single = change(self._store.manifest(self.get_latest_version()))
            report = Build(self._store, self._tools, single.documents, on_progress, single.failures).run()
        return self._announced(report)

    def get_latest_version(self) -> str:
        """Return the active version.

        Raises:
            NoHandbookError: Nothing was ever built.
        """
        pointer = self._store.pointer()
        if pointer is None:
            raise NoHandbookError("There is no handbook yet.", hint="Build one with: kisoku build DIR")
        return pointer.version

    def get_version(self, version_id: str) -> Manifest:
        """Return a version's manifest.

        Raises:
            UnknownVersionError: It does not exist.
        """
        return self._store.manifest(version_id)

    def list_versions(self) -> list[Manifest]:
        """Return all versions, oldest first."""
        return [self._store.manifest(version) for version in self._store.versions()]

    def version_states(self) -> list[VersionState]:
        """Return all versions, oldest first, also those whose manifest cannot be read."""
        pointer = self._store.pointer()
        return [version_state(self._store, version, pointer) for version in self._store.versions()]

    def diff(self, before: str, after: str) -> VersionDiff:
        """Compare two versions: documents and chunks added, removed, changed.

        Raises:
            UnknownVersionError: One of them does not exist.
            HandbookCorruptError: Files of one of them are missing or damaged.
        """
        return diff_versions(*(self._content(version) for version in (before, after)))

    def _content(self, version: str) -> VersionContent:
        manifest = self._store.manifest(version)
        chunks = [c for category in manifest.categories for c in self._store.chunks(version, category)]
        return VersionContent(manifest, tuple(chunks))

    def prune(self, keep: int, *, dry_run: bool = False) -> PruneReport:
        """Delete all versions but the newest, the active one, and those that open sessions are locked to.

        Args:
            keep: How many of the newest versions stay, at least 1.
            dry_run: Only tell what would go.

        Raises:
            NoHandbookError: There is no version.
            HandbookError: `keep` is below 1.
            HandbookLockedError: Another process is writing.
        """
        if dry_run:
            return prune(self._store, keep, self._locked, dry_run=True)
        with self._store.write_lock():
            return prune(self._store, keep, self._locked, dry_run=False)

    def export_version(self, version: str, target: Path) -> ExportReport:
        """Write a version into one file, complete and with checksums.

        Raises:
            UnknownVersionError: It does not exist.
            HandbookCorruptError: Files of it are missing or damaged.
            HandbookError: The file cannot be written.
        """
        return export_version(self._store, self._tools, version, target)

    def import_version(
        self, source: Path, *, activate: bool = False, on_progress: ProgressCallback = no_progress
    ) -> ImportReport:
        """Add a version from a file under the next number; nothing is visible before all of it was verified.

        Args:
            source: A file that `export_version` wrote.
            activate: Make it the active version. The first version of a handbook becomes active in any case.
            on_progress: Called as the import goes on.

        Raises:
            HandbookCorruptError: The file is damaged, truncated, or no export.
            HandbookSchemaError: Another version of kisoku wrote it.
            HandbookLockedError: Another process is writing.
        """
        with self._store.write_lock():
            return import_version(self._store, self._tools, source, activate=activate, tell=on_progress)

    def rollback_to(self, version_id: str) -> None:
        """Make another version the active one; none is deleted, locked sessions keep theirs.

        Raises:
            UnknownVersionError: It does not exist.
            HandbookLockedError: Another process is writing.
        """
        self._store.manifest(version_id)
        with self._store.write_lock():
            self._store.activate(version_id)
