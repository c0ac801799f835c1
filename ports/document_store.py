"""Port: the state of documents that are being generated."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..domain.notices import Language, Notice
from .agents import ChapterTask, Finding

ChapterStatus = Literal["waiting", "open", "blocked", "failed", "finished"]
"""Not begun; being worked on; waits for decisions on conflicts; an agent failed, tried again on resume; done."""
ChapterStep = Literal["write", "infer", "check"]
"""What comes next: Writer, Impact, QA."""


class DocumentRecord(BaseModel):
    """A document that is being generated; there is at most one in a session.

    Attributes:
        session_id: Its session.
        title: Title of the document.
        language: Its language.
        agents: Name of the agents that write it.
        max_rounds: How often the Writer may revise a chapter after a check.
        created_at: ISO 8601, UTC.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    session_id: str
    title: str
    language: Language = "ja"
    agents: str = ""
    max_rounds: Annotated[int, Field(ge=0)] = 2
    created_at: str


class ChapterRecord(BaseModel):
    """A chapter and how far it is. It is stored after each step, so that work goes on where a process was killed.

    Attributes:
        session_id: Its session.
        number: Its place in the document, from 1.
        task: What is to be written.
        status: How far it is.
        step: What comes next while it is not finished.
        draft: The text as the Writer left it.
        remarks: What Impact said about this draft.
        findings: What QA said about it.
        rounds: How often it was checked.
        blocking: Ids of the conflicts that it waits for.
        rules: Sources of the rules that the Writer was given.
        notices: What searches had to tell, each code once.
        error: Why it failed, "" when it did not.
        updated_at: ISO 8601, UTC.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    session_id: str
    number: Annotated[int, Field(ge=1)]
    task: ChapterTask
    status: ChapterStatus = "waiting"
    step: ChapterStep = "write"
    draft: str = ""
    remarks: tuple[Finding, ...] = ()
    findings: tuple[Finding, ...] = ()
    rounds: Annotated[int, Field(ge=0)] = 0
    blocking: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    error: str = ""
    updated_at: str = ""

    @property
    def title(self) -> str:
        """Title of the chapter."""
        return self.task.title


class DocumentStore(ABC):
    """Documents and chapters by session; part of every `SessionStore`.

    Contract (kept by `kisoku.testing.SessionStoreContract`):

    - `add_document` stores a document with its chapters as one: after a kill either all of it is there or nothing.
    - What was written is there after the process dies.
    - Unknown sessions give None or empty results, never an exception.
    """

    @abstractmethod
    def add_document(self, document: DocumentRecord, chapters: Sequence[ChapterRecord]) -> None:
        """Store a new document with its chapters.

        Raises:
            SessionError: The session has a document already.
        """

    @abstractmethod
    def document(self, session_id: str) -> DocumentRecord | None:
        """Return the document of a session."""

    @abstractmethod
    def save_chapter(self, chapter: ChapterRecord) -> None:
        """Store a chapter; one with this number in this session is replaced."""

    @abstractmethod
    def chapters(self, session_id: str) -> Sequence[ChapterRecord]:
        """Return the chapters of a session by number."""
