"""Port: versions of a handbook on durable storage."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from ..domain.chunks import Category, RuleChunk
from ..domain.errors import HandbookError
from ..domain.manifest import ActivePointer, Manifest


class StagedVersion(ABC):
    """A version under construction; invisible until it is published."""

    @property
    @abstractmethod
    def version(self) -> str:
        """Name it will have ("v3")."""

    @abstractmethod
    def vector_folder(self) -> Path:
        """Return the existing, empty folder of its vector store."""

    @abstractmethod
    def keyword_folder(self, collection: str) -> Path:
        """Return the existing, empty folder of one keyword index ("rules-write", "rules-write.bigram")."""

    def sentence_folder(self, collection: str) -> Path | None:
        """Return the existing, empty folder of a collection's sentence vectors; None when the store keeps none."""
        del collection
        return None

    @abstractmethod
    def write_chunks(self, category: Category, chunks: Iterable[RuleChunk]) -> None:
        """Write one readable JSON file per chunk."""

    def write_terms(  # noqa: B027  # optional: a store that keeps no terms has them analysed again
        self, collection: str, fingerprint: str, terms: Mapping[str, Sequence[str]]
    ) -> None:
        """Keep the analysed terms of a collection, by hash of the text, for the next build.

        Args:
            collection: "rules-write".
            fingerprint: Of the analyzer that made them.
            terms: Terms by hash of the analysed text.
        """


class HandbookStore(ABC):
    """Keeps published versions, which never change, and one pointer to the active one.

    Contract:

    - `publish` and `activate` have one commit point: whenever the process dies, the state is exactly old or new.
    - One writer at a time: `write_lock` fails at once with `HandbookLockedError`, which names the owner; the lock of
      a dead owner is taken over.
    - Readers need no lock and never wait.
    - Damaged files raise `HandbookCorruptError` that names the file.
    """

    @abstractmethod
    def write_lock(self) -> AbstractContextManager[None]:
        """Hold the writer's lock; on entry, sweep what dead writers left behind."""

    @abstractmethod
    def pointer(self) -> ActivePointer | None:
        """Return what is active, None when nothing was ever published."""

    @abstractmethod
    def versions(self) -> list[str]:
        """Return the names of all published versions, oldest first."""

    @abstractmethod
    def manifest(self, version: str) -> Manifest:
        """Return a manifest, with `active` and `active_previous` filled in.

        Raises:
            UnknownVersionError: It does not exist.
        """

    @abstractmethod
    def stage(self) -> StagedVersion:
        """Begin the next version; needs the lock."""

    @abstractmethod
    def discard(self, staged: StagedVersion) -> None:
        """Throw a staged version away."""

    @abstractmethod
    def publish(self, staged: StagedVersion, manifest: Manifest, *, activate: bool = True) -> None:
        """Make a staged version durable and, unless told otherwise, active; needs the lock.

        The first version of a handbook becomes active in any case.
        """

    @abstractmethod
    def activate(self, version: str) -> None:
        """Point to another published version; needs the lock.

        Raises:
            UnknownVersionError: It does not exist.
        """

    def remove(self, version: str, *, still_unused: Callable[[], bool] = lambda: True) -> bool:
        """Delete a published version that is not active; needs the lock.

        Killed at any moment, the version is either listed and complete, or not listed; what is left of its files is
        swept by the next writer. Readers that have it open keep what they opened.

        Args:
            version: The version.
            still_unused: Asked once more after the version has left the list and before anything is deleted; when it
                says no, the version comes back.

        Returns:
            Whether it was deleted.

        Raises:
            UnknownVersionError: It does not exist.
            HandbookError: It is the active one, or this store deletes nothing.
        """
        del still_unused
        raise HandbookError(f"{type(self).__name__} cannot delete {version}.")

    def size(self, version: str) -> int:
        """Return how many bytes the files of a published version take; 0 where that is not known."""
        del version
        return 0

    def files(self, version: str) -> Iterable[tuple[str, Path]]:
        """Return every file of a published version with its place below the handbook's folder, sorted by place.

        Raises:
            UnknownVersionError: It does not exist.
            HandbookError: This store keeps no files.
        """
        raise HandbookError(f"{type(self).__name__} has no files of {version}.")

    @abstractmethod
    def vector_folder(self, version: str) -> Path:
        """Return the folder of a published version's vector store."""

    @abstractmethod
    def keyword_folder(self, version: str, collection: str) -> Path:
        """Return the folder of one of its keyword indexes."""

    def sentence_folder(self, version: str, collection: str) -> Path | None:
        """Return the folder of a collection's sentence vectors, which need not exist; None when there are none."""
        del version, collection
        return None

    def terms(self, version: str, collection: str, fingerprint: str) -> Mapping[str, Sequence[str]]:
        """Return what `write_terms` kept under the same fingerprint; empty when there is nothing, or it is damaged."""
        del version, collection, fingerprint
        return {}

    @abstractmethod
    def chunk(self, chunk_id: str) -> RuleChunk:
        """Return one chunk; `UnknownVersionError` or `HandbookCorruptError` when it is not there."""

    @abstractmethod
    def chunks(self, version: str, category: Category) -> Sequence[RuleChunk]:
        """Return all chunks of a category, in the order of their numbers."""
