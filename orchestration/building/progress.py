"""What a build tells while it runs, and when it is done."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from ...domain.errors import DocumentError

Stage = Literal["parse", "embed", "sentences", "words", "index", "publish"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build is.

    Attributes:
        stage: What it is doing.
        done: Documents parsed, chunks embedded, collections indexed.
        total: Of how many.
        chunks: Chunks known so far.
        characters: Characters embedded so far (stages embed, sentences and words).
        name: Document or collection just finished.
    """

    stage: Stage
    done: int
    total: int
    chunks: int = 0
    characters: int = 0
    name: str = ""


ProgressCallback = Callable[[Progress], None]


def no_progress(_: Progress) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class DocumentReport:
    """One document of a build: what became of it."""

    name: str
    category: str
    state: Literal["new", "changed", "unchanged", "rechunked"]
    chunks: int
    embedded: int


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did.

    Attributes:
        version: The new version, None when nothing changed.
        previous: The version that was active before.
        embedding_model: Model that embeds this version.
        embedding_reason: Why it was chosen.
        documents: Every document of the version.
        deleted: Documents that the previous version had and this one has not.
        failures: Documents that could not be read (with `on_error: skip`).
        skipped: Lock files and hidden files.
        embedded: Chunks embedded.
        reused: Chunks whose vectors were taken over.
        dropped: Chunks of the previous version that are gone.
        invalidated: Why unchanged documents were cut or embedded again, one sentence each.
        warnings: What else the user should know.
        seconds: Time by stage.
    """

    version: str | None
    previous: str | None
    embedding_model: str
    embedding_reason: str
    documents: tuple[DocumentReport, ...] = ()
    deleted: tuple[str, ...] = ()
    failures: tuple[DocumentError, ...] = ()
    skipped: tuple[DocumentError, ...] = ()
    embedded: int = 0
    reused: int = 0
    dropped: int = 0
    invalidated: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def chunks(self) -> int:
        """Chunks of the version."""
        return sum(d.chunks for d in self.documents)
