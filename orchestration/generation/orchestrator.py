"""Driving one document from its outline to its metadata; a killed process resumes where it was (spec: orchestrator)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from ...domain.conflicts import ConflictGroup, DecisionRecord
from ...domain.errors import SessionError
from ...domain.sessions import SessionMetadata
from ...plugins.lifecycle import Lifecycle
from ...ports.document_store import ChapterRecord, DocumentRecord
from ...ports.session_store import SessionStore
from ..conflicts import ConflictHandler
from ..sessions import SessionVersion
from .agents import AgentSet
from .chapter import ChapterWorker
from .observer import GenerationObserver
from .outline import Outline
from .rules import RuleLookup


class GenerationReport(BaseModel):
    """How far a document is.

    Attributes:
        document: The document.
        status: finished; blocked when chapters wait for decisions; failed when an agent failed, which a resume tries
            again; open when a process stopped in the middle.
        chapters: Its chapters in order.
        pending: Conflicts of the session that wait for a decision.
        metadata: Rule version and decisions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    document: DocumentRecord
    status: Literal["open", "blocked", "failed", "finished"]
    chapters: tuple[ChapterRecord, ...]
    pending: tuple[ConflictGroup, ...]
    metadata: SessionMetadata


@dataclass(frozen=True, slots=True)
class GenerationTools:
    """What the orchestrator needs from outside."""

    sessions: SessionStore
    locks: SessionVersion
    conflicts: ConflictHandler
    rules: RuleLookup
    lifecycle: Lifecycle
    clock: Callable[[], datetime]


class GenerationOrchestrator:
    """Writes the document of a session with three agents.

    Every chapter goes Writer, Impact, QA; while rules are broken it goes back to the Writer, at most `max_rounds`
    times. A chapter whose rules are in conflict waits, the others go on. The state is stored after each step, so `run`
    with the same outline, and `resume`, go on where a process stopped. One process at a time works on a session.

    Args:
        tools: What it works with.
        agents: Write, infer and check.
        max_rounds: How often the Writer may revise a chapter.
        observer: Is told what happens.
    """

    def __init__(
        self,
        tools: GenerationTools,
        agents: AgentSet,
        *,
        max_rounds: int = 2,
        observer: GenerationObserver | None = None,
    ) -> None:
        self._tools = tools
        self._agents = agents
        self._max_rounds = max_rounds
        self._observer = observer or GenerationObserver()
        self._worker = ChapterWorker(tools.rules, agents, tools.clock, self._observer)

    def run(self, outline: Outline, session_id: str, *, version: str | None = None) -> GenerationReport:
        """Write a document, or go on with it.

        Args:
            outline: What is to be written.
            session_id: The session; a new one is started and locked to a version.
            version: The version for a new session, None for the active one.

        Raises:
            SessionError: The session writes another document, is finished without one, or has another version.
            UnknownVersionError: That version does not exist.
            KisokuError: The handbook cannot be searched.
        """
        self._tools.locks.lock_version(session_id, version)
        if self._tools.sessions.document(session_id) is None:
            self._begin(outline, session_id)
        self._same(outline, session_id)
        return self.resume(session_id)

    def resume(self, session_id: str) -> GenerationReport:
        """Go on with the document of a session: decided conflicts free their chapters, failed ones are tried again.

        A session that is finished stays as it is.

        Raises:
            SessionError: The session has no document.
            KisokuError: The handbook cannot be searched.
        """
        document, chapters = self._document(session_id), self._tools.sessions.chapters(session_id)
        metadata = self._tools.locks.session_metadata(session_id)
        self._observer.began(document, tuple(chapters), metadata.rule_version)
        if metadata.finished_at is not None:
            return self.report(session_id)
        for chapter in chapters:
            if self._is_free(chapter):
                self._work(document, chapter)
        if all(c.status == "finished" for c in self._tools.sessions.chapters(session_id)):
            self._tools.locks.finish(session_id)
        return self.report(session_id)

    def report(self, session_id: str) -> GenerationReport:
        """Return how far the document of a session is.

        Raises:
            SessionError: The session has no document.
        """
        return generation_report(self._tools.sessions, self._tools.locks, self._tools.conflicts, session_id)

    def decide(self, conflict_id: str, decision: str) -> DecisionRecord:
        """Take a decision on a conflict, and note the chapter of the document in which it takes effect.

        Raises:
            ConflictError: As for `ConflictHandler.resolve_conflict`.
        """
        uri = ""
        group = self._tools.sessions.find_conflict(conflict_id)
        document = self._tools.sessions.document(group.session_id) if group else None
        if group is not None and document is not None:
            chapters = self._tools.sessions.chapters(group.session_id)
            number = next((c.number for c in chapters if c.title == group.chapter), None)
            uri = f"{document.title}#{number}" if number else ""
        return self._tools.conflicts.resolve_conflict(conflict_id, decision, resolution_uri=uri)

    def _begin(self, outline: Outline, session_id: str) -> None:
        session = self._tools.sessions.session(session_id)
        if session is not None and session.finished_at is not None:
            raise SessionError(f"Session {session_id!r} is finished.", hint="Start a new session for a new document.")
        if self._tools.sessions.chapters(session_id):
            raise SessionError(
                f"Session {session_id!r} has chapters of a host pipeline.", hint="Start a new session for a document."
            )
        document = DocumentRecord(
            session_id=session_id,
            title=outline.title,
            language=outline.language,
            agents=self._agents.name,
            max_rounds=self._max_rounds,
            created_at=self._tools.clock().isoformat(timespec="seconds"),
        )
        chapters = [
            ChapterRecord(session_id=session_id, number=number, task=chapter.task())
            for number, chapter in enumerate(outline.chapters, start=1)
        ]
        self._tools.sessions.add_document(document, chapters)

    def _same(self, outline: Outline, session_id: str) -> None:
        document = self._document(session_id)
        tasks = [c.task for c in self._tools.sessions.chapters(session_id)]
        if document.title != outline.title or tasks != [c.task() for c in outline.chapters]:
            raise SessionError(
                f"Session {session_id!r} writes {document.title!r} from another outline.",
                hint="Resume it without an outline, or start a new session.",
            )

    def _document(self, session_id: str) -> DocumentRecord:
        return _document(self._tools.sessions, session_id)

    def _is_free(self, chapter: ChapterRecord) -> bool:
        """Return whether there is something to do for a chapter, and nothing to wait for."""
        if chapter.status != "blocked":
            return chapter.status != "finished"
        pending = {g.conflict_id for g in self._tools.conflicts.get_pending_conflicts(chapter.session_id)}
        return not pending & set(chapter.blocking)

    def _work(self, document: DocumentRecord, before: ChapterRecord) -> None:
        chapter = before.model_copy(update={"status": "open", "blocking": (), "error": ""})
        self._save(chapter)
        if before.status == "waiting":
            self._tools.lifecycle.chapter_started(chapter.session_id, chapter.title)
        while chapter.status == "open":
            chapter = self._worker.step(document, chapter)
            self._save(chapter)
        if chapter.status == "finished":
            findings = (*chapter.remarks, *chapter.findings)
            self._tools.lifecycle.chapter_finished(chapter.session_id, chapter.title, chapter.draft, findings)

    def _save(self, chapter: ChapterRecord) -> None:
        self._tools.sessions.save_chapter(chapter)
        self._observer.changed(chapter)


def generation_report(
    sessions: SessionStore, locks: SessionVersion, conflicts: ConflictHandler, session_id: str
) -> GenerationReport:
    """Return how far the document of a session is.

    Raises:
        SessionError: The session is unknown or has no document.
    """
    document = _document(sessions, session_id)
    chapters = tuple(sessions.chapters(session_id))
    statuses = {c.status for c in chapters}
    metadata = locks.session_metadata(session_id)
    status: Literal["open", "blocked", "failed", "finished"] = "open"
    if metadata.finished_at is not None:
        status = "finished"
    elif statuses & {"waiting", "open"}:
        status = "open"
    elif "failed" in statuses:
        status = "failed"
    elif "blocked" in statuses:
        status = "blocked"
    return GenerationReport(
        document=document,
        status=status,
        chapters=chapters,
        pending=tuple(conflicts.get_pending_conflicts(session_id)),
        metadata=metadata,
    )


def _document(sessions: SessionStore, session_id: str) -> DocumentRecord:
    document = sessions.document(session_id)
    if document is None:
        raise SessionError(
            f"Session {session_id!r} has no document.", hint="Begin one: kisoku generate OUTLINE.yaml --session NAME"
        )
    return document
