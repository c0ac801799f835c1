"""All rules against each other: what a rule author wants to know before publishing (spec: conflicts)."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from ..domain.chunks import CATEGORIES, Category
from ..domain.conflicts import ConflictGroup, RuleText
from ..domain.errors import BuildError, RetrievalError
from ..ports.handbook_store import HandbookStore
from .chunking import ChunkingTools, chunk_files
from .conflicts import conflict_id, rule_text

OnProgress = Callable[[int, int], None]
"""Called with chunks done and chunks in all."""
RULE_CATEGORIES: tuple[Category, ...] = ("write", "design")
"""What is compared when nothing else is asked: reference documents show how it was done once, they set no rules."""


class Scanner(Protocol):
    """Finds conflicts among many rule texts."""

    def __call__(self, texts: Sequence[RuleText], *, on_progress: OnProgress) -> Sequence[ConflictGroup]:
        """Return the groups, the surest first."""
        ...


class UnreadFile(BaseModel):
    """A file of a folder that was not read, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: str
    message: str


class ScanReport(BaseModel):
    """What a scan found.

    Attributes:
        scope: What was scanned: a version, or the folders and files given.
        documents: How many documents were compared.
        chunks: How many chunks.
        conflicts: Groups of rules that cannot all be obeyed, the surest first.
        unread: Files that could not be read.
        seconds: Time of the comparison.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    scope: str
    documents: int
    chunks: int
    conflicts: tuple[ConflictGroup, ...]
    unread: tuple[UnreadFile, ...] = ()
    seconds: float


@dataclass(frozen=True, slots=True)
class ConflictScan:
    """Scans a published version, or files that no handbook has yet."""

    handbook: HandbookStore
    chunking: ChunkingTools
    scanner: Scanner

    def version(
        self,
        version: str | None = None,
        *,
        categories: Sequence[Category] = RULE_CATEGORIES,
        on_progress: OnProgress = lambda _done, _total: None,
    ) -> ScanReport:
        """Compare all rules of a version, the active one when none is named.

        Raises:
            RetrievalError: There is no version yet.
            UnknownVersionError: That version does not exist.
        """
        if version is None:
            pointer = self.handbook.pointer()
            if pointer is None:
                raise RetrievalError(
                    "There is no handbook to scan.", hint="Build one (kisoku build DIR), or name a folder of documents."
                )
            version = pointer.version
        self.handbook.manifest(version)
        texts = [
            rule_text(chunk)
            for category in CATEGORIES
            if category in categories
            for chunk in self.handbook.chunks(version, category)
            if not chunk.is_parent
        ]
        return self._compare(version, texts, (), on_progress)

    def files(self, paths: Sequence[Path], *, on_progress: OnProgress = lambda _done, _total: None) -> ScanReport:
        """Compare all rules of files, and of every file below folders, without building a handbook.

        Raises:
            BuildError: A path does not exist, or no file could be read.
        """
        texts: list[RuleText] = []
        unread = []
        for file in chunk_files(paths, self.chunking):
            if file.error is not None:
                unread.append(UnreadFile(file=file.file, message=file.error.message))
            texts.extend(
                RuleText(
                    key=f"{file.file}#{number}",
                    document=file.file,
                    headings=draft.headings,
                    text=draft.content,
                    source_uri=draft.locator.uri(file.name),
                )
                for number, draft in enumerate(file.drafts, start=1)
                if not draft.is_parent
            )
        scope = ", ".join(path.as_posix() for path in paths)
        if not texts:
            raise BuildError(f"There is no rule to read in {scope}.", hint="Name a folder of Office or Markdown files.")
        return self._compare(scope, texts, tuple(unread), on_progress)

    def _compare(
        self, scope: str, texts: Sequence[RuleText], unread: tuple[UnreadFile, ...], on_progress: OnProgress
    ) -> ScanReport:
        began = time.perf_counter()
        groups = self.scanner(texts, on_progress=on_progress)
        return ScanReport(
            scope=scope,
            documents=len({text.document for text in texts}),
            chunks=len(texts),
            conflicts=tuple(g.model_copy(update={"conflict_id": conflict_id(g, "")}) for g in groups),
            unread=unread,
            seconds=time.perf_counter() - began,
        )
