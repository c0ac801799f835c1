"""For a pipeline that keeps its own loop: it says what happens, kisoku answers, plugins hear of it."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ..domain.errors import SessionError
from ..domain.notices import Language
from ..domain.search import Agent, SearchContext, SearchResult
from ..domain.sessions import SessionMetadata
from ..plugins.lifecycle import Lifecycle
from ..ports.agents import ChapterTask, Finding
from ..ports.document_store import ChapterRecord
from ..ports.session_store import SessionStore
from .generation.rules import Lookup, RuleLookup
from .service import RagService
from .sessions import SessionVersion


@dataclass(frozen=True, slots=True)
class Host:
    """The calls of a host pipeline, in the order in which it makes them; only `session_started` must come first.

    What it tells is kept with the session, so that `kisoku session show` knows the chapters.

    Attributes:
        service: Searches.
        locks: Sessions and versions.
        sessions: Keeps chapters.
        rules: Looks several topics up at once.
        lifecycle: Hears of everything.
        clock: Time of changes.
        language: Of the words around rules in a prompt, where the call says nothing.
    """

    service: RagService
    locks: SessionVersion
    sessions: SessionStore
    rules: RuleLookup
    lifecycle: Lifecycle
    clock: Callable[[], datetime]
    language: Language
    _numbering: threading.Lock = field(default_factory=threading.Lock)

    def session_started(self, session_id: str, *, version: str | None = None) -> str:
        """Begin a document: its session is locked to a version for its whole life.

        Args:
            session_id: A name of the host's choice; one that is known already goes on.
            version: None for the active one.

        Returns:
            The version.

        Raises:
            SessionError: The session is locked to another version, or its name is empty.
            UnknownVersionError: That version does not exist.
        """
        return self.locks.lock_version(session_id, version)

    def search(
        self,
        session_id: str,
        query: str,
        *,
        agent: Agent,
        context: SearchContext | None = None,
        category: str | None = None,
        top_k: int | None = None,
    ) -> SearchResult:
        """Search the rules for one of the host's agents, as `RagService.search` does.

        Raises:
            SessionError: The session was never started.
            RetrievalError: Agent or category is unknown, or the query is empty.
        """
        self.locks.get_locked_version(session_id)
        return self.service.search(
            session_id=session_id, query=query, agent=agent, context=context, category=category, top_k=top_k
        )

    def rules_for(
        self,
        session_id: str,
        chapter: str,
        topics: Sequence[str],
        *,
        agent: Agent = "writer",
        context: SearchContext | None = None,
        language: Language | None = None,
    ) -> Lookup:
        """Return the rules of several topics as prompt text, with the conflicts among them that nobody decided yet.

        While `pending` names any, the chapter should wait: decide them with `ConflictHandler.resolve_conflict` and ask
        again. `pack.text` says which rules were adopted and which overruled.

        Raises:
            SessionError: The session was never started.
            RetrievalError: A topic is empty.
        """
        self.locks.get_locked_version(session_id)
        about = (context or SearchContext()).model_copy(update={"chapter": chapter})
        return self.rules.find(session_id, agent, topics, about, language or self.language)

    def chapter_started(self, session_id: str, chapter: str) -> None:
        """Say that work on a chapter begins; saying it again changes nothing.

        Raises:
            SessionError: The session was never started, or is finished.
        """
        self._open(session_id)
        with self._numbering:
            record, is_new = self._chapter(session_id, chapter)
            if is_new:
                self._save(record.model_copy(update={"status": "open"}))
        if is_new:
            self.lifecycle.chapter_started(session_id, chapter)

    def chapter_finished(
        self, session_id: str, chapter: str, draft: str = "", findings: Sequence[Finding] = ()
    ) -> None:
        """Say that a chapter is done; saying it again stores a revision.

        Args:
            session_id: The session.
            chapter: Its title.
            draft: Its text; may be left out.
            findings: What is left to say about it.

        Raises:
            SessionError: The session was never started, or is finished.
        """
        self._open(session_id)
        text = draft.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")
        with self._numbering:
            record, _ = self._chapter(session_id, chapter)
            done = {"status": "finished", "draft": text, "findings": tuple(findings), "rounds": record.rounds + 1}
            self._save(record.model_copy(update=done))
        self.lifecycle.chapter_finished(session_id, chapter, text, findings)

    def document_finished(self, session_id: str) -> SessionMetadata:
        """Say that the document is done.

        Returns:
            What belongs into the document's metadata: the rule version and every decision.

        Raises:
            SessionError: The session was never started.
        """
        return self.locks.finish(session_id)

    def _open(self, session_id: str) -> None:
        if self.locks.session_metadata(session_id).finished_at is not None:
            raise SessionError(f"Session {session_id!r} is finished.", hint="Start a new session for a new document.")

    def _chapter(self, session_id: str, title: str) -> tuple[ChapterRecord, bool]:
        """Return the chapter of that title, and whether it is a new one."""
        if not title.strip():
            raise SessionError("A chapter needs a title.")
        known = self.sessions.chapters(session_id)
        found = next((c for c in known if c.title == title), None)
        if found is not None:
            return found, False
        number = max((c.number for c in known), default=0) + 1
        return ChapterRecord(session_id=session_id, number=number, task=ChapterTask(title)), True

    def _save(self, record: ChapterRecord) -> None:
        self.sessions.save_chapter(record.model_copy(update={"updated_at": self.clock().isoformat(timespec="seconds")}))
