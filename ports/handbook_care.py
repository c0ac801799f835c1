"""Port: looking over a handbook's files, and putting single parts of a version right."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

from ..domain.chunks import Category, RuleChunk
from ..domain.errors import HandbookCorruptError
from ..domain.manifest import ActivePointer, Manifest
from .handbook_store import StagedVersion

RebuiltPart = Literal["vectors", "keyword", "sentences"]
"""Parts of a version that can be made again from its chunks."""


@dataclass(frozen=True, slots=True)
class HandbookSurvey:
    """What lies in a handbook, whatever state it is in.

    Attributes:
        pointer: What is active; None when nothing is, or the pointer cannot be read.
        pointer_fault: Why the pointer cannot be followed, "" when it can or nothing was ever published.
        versions: Published versions, oldest first; with a lost pointer, those that have a manifest.
        leftovers: Files and folders of versions that were never published or are being deleted.
        foreign: Files and folders that are not kisoku's.
        writer: Who is writing at this moment, "" for nobody; leftovers are then work under way.
    """

    pointer: ActivePointer | None
    pointer_fault: str
    versions: tuple[str, ...]
    leftovers: tuple[str, ...]
    foreign: tuple[str, ...]
    writer: str


class HandbookCare(ABC):
    """Looks and repairs where `HandbookStore` would raise.

    Contract:

    - Looking changes nothing and needs no lock.
    - A part is replaced in one step; a process that dies in between leaves it old, new or missing, and a later repair
      carries on.
    - What is foreign is never touched.
    """

    @abstractmethod
    def survey(self) -> HandbookSurvey:
        """Return what lies there."""

    @abstractmethod
    def manifest(self, version: str) -> Manifest:
        """Return a manifest without asking the pointer.

        Raises:
            HandbookCorruptError: It is missing or damaged.
            HandbookSchemaError: Another version of kisoku wrote it.
        """

    @abstractmethod
    def chunks(self, version: str, category: Category) -> Iterator[tuple[str, RuleChunk | HandbookCorruptError]]:
        """Go through the chunk files of a category: the id that a file's name gives, and the chunk or its fault."""

    @abstractmethod
    def lock(self) -> AbstractContextManager[None]:
        """Hold the writer's lock without sweeping, which needs a pointer.

        Raises:
            HandbookLockedError: Another process holds it.
        """

    @abstractmethod
    def set_pointer(self, pointer: ActivePointer) -> None:
        """Replace the pointer; a damaged one is kept beside it under another name. Needs the lock."""

    @abstractmethod
    def begin(self, version: str) -> StagedVersion:
        """Return empty folders in which parts of a published version are made again. Needs the lock."""

    @abstractmethod
    def replace(self, staged: StagedVersion, part: RebuiltPart) -> None:
        """Flush a part and put it into the place of the version's own. Needs the lock."""

    @abstractmethod
    def end(self, staged: StagedVersion) -> None:
        """Throw away what `begin` made and what was replaced."""
