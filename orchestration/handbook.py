"""Building handbooks and choosing the active version (requirements, rag-layer §5 and §8.2)."""

from collections.abc import Mapping, Sequence

from ..domain.errors import NoHandbookError
from ..domain.manifest import Manifest
from ..domain.partitions import partition_of
from ..ports.handbook_store import HandbookStore
from .building.build import Build
from .building.documents import UploadedFile, resolve_documents
from .building.progress import BuildReport, ProgressCallback, no_progress
from .building.tools import BuildTools


class RuleHandbookManager:
    """Builds versions, lists them, and moves the pointer to the active one."""

    def __init__(self, store: HandbookStore, tools: BuildTools) -> None:
        self._store = store
        self._tools = tools

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
        with self._store.write_lock():
            report = Build(self._store, self._tools, documents, on_progress).run()
        # Outside the lock: a hook may take its time, and may build or roll back itself.
        if report.version is not None:
            self._tools.plugins.lifecycle.handbook_built(self._store.manifest(report.version))
        return report

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

    def rollback_to(self, version_id: str) -> None:
        """Make another version the active one; none is deleted, locked sessions keep theirs.

        Raises:
            UnknownVersionError: It does not exist.
            HandbookLockedError: Another process is writing.
        """
        self._store.manifest(version_id)
        with self._store.write_lock():
            self._store.activate(version_id)
