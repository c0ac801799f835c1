"""The tools, without the protocol: what each does over an opened handbook."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...domain.chunks import CATEGORIES
from ...domain.errors import KisokuError
from ...domain.names import BUILTIN_VERSION
from ...domain.search import SearchContext
from .answers import (
    ConflictAnswer,
    ConflictsAnswer,
    DecisionAnswer,
    HealthAnswer,
    SearchAnswer,
    VersionAnswer,
    VersionsAnswer,
)

if TYPE_CHECKING:
    from ...domain.evidence import LookupResult
    from ...orchestration.bootstrap import Kisoku

_SESSIONS_KEPT = 64
_ANSWERS_KEPT = 128


@dataclass(frozen=True, slots=True)
class Question:
    """What an agent asks; equal questions have equal answers within a session.

    Attributes:
        query: What is asked.
        agent: writer, impact or qa.
        session_id: "" outside a session.
        category: None for what the agent reads.
        chapter: Title of the chapter, "" for none.
        elements: Ids of elements.
        top_k: How many rules, None for the setting.
    """

    query: str
    agent: str
    session_id: str = ""
    category: str | None = None
    chapter: str = ""
    elements: tuple[str, ...] = ()
    top_k: int | None = None

    @property
    def context(self) -> SearchContext:
        """What the agent is doing."""
        return SearchContext(chapter=self.chapter, elements=self.elements)


class SessionCache:
    """Answers to the same questions by session; a session's version never changes, so neither do its answers.

    What a decision changes is forgotten with `forget`. Thread-safe, least recently used sessions and answers go first.
    """

    def __init__(self, sessions: int = _SESSIONS_KEPT, answers: int = _ANSWERS_KEPT) -> None:
        self._sessions = sessions
        self._answers = answers
        self._held: OrderedDict[str, OrderedDict[Question, SearchAnswer]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, session: str, key: Question) -> SearchAnswer | None:
        """Return what was answered before."""
        with self._lock:
            return self._held.get(session, OrderedDict()).get(key)

    def put(self, session: str, key: Question, answer: SearchAnswer) -> None:
        """Keep an answer."""
        with self._lock:
            answers = self._held.setdefault(session, OrderedDict())
            answers[key] = answer
            self._held.move_to_end(session)
            while len(answers) > self._answers:
                answers.popitem(last=False)
            while len(self._held) > self._sessions:
                self._held.popitem(last=False)

    def forget(self, session: str) -> None:
        """Forget a session's answers."""
        with self._lock:
            self._held.pop(session, None)


class RuleTools:
    """What the tools do; every method may be called from several threads."""

    def __init__(self, app: "Kisoku") -> None:
        self._app = app
        self._cache = SessionCache()

    def search(self, question: Question) -> SearchAnswer:
        """Search; the same question in the same session is answered from memory while nothing was degraded."""
        session = question.session_id
        if session:
            known = self._cache.get(session, question)
            if known is not None:
                return known.model_copy(update={"cached": True})
        result = self._app.service.search(
            session_id=session or None,
            query=question.query,
            agent=question.agent,
            category=question.category,
            top_k=question.top_k,
            context=question.context,
        )
        answer = SearchAnswer.of(result)
        if session and not result.notices:
            self._cache.put(session, question, answer)
        return answer

    def lookup(self, question: Question) -> "LookupResult":
        """Look up evidence; what a session was given is not given again, so nothing is answered from memory."""
        return self._app.lookup.lookup_knowledge(
            question.query,
            question.session_id or None,
            agent=question.agent,
            category=question.category,
            context=question.context,
        )

    def versions(self) -> VersionsAnswer:
        """List the versions that can be read."""
        states = self._app.manager.version_states()
        return VersionsAnswer(versions=tuple(VersionAnswer.of(s.manifest) for s in states if s.manifest is not None))

    def pending(self, session_id: str) -> ConflictsAnswer:
        """List what waits for a decision."""
        groups = self._app.conflicts.get_pending_conflicts(session_id)
        return ConflictsAnswer(conflicts=tuple(ConflictAnswer.of(group) for group in groups))

    def resolve(self, conflict_id: str, decision: str, resolution_uri: str) -> DecisionAnswer:
        """Record a decision."""
        record = self._app.conflicts.resolve_conflict(conflict_id, decision, resolution_uri=resolution_uri)
        self._cache.forget(record.session_id)
        return DecisionAnswer(
            conflict_id=record.conflict_id,
            topic=record.topic,
            decision=record.user_decision,
            adopted=record.adopted,
            decided_at=record.decided_at,
        )

    def chunk(self, chunk_id: str) -> str:
        """Return a chunk as JSON text."""
        return self._app.handbook_store.chunk(chunk_id).model_dump_json(indent=2)

    def manifest(self, version: str) -> str:
        """Return a manifest as JSON text."""
        return self._app.handbook_store.manifest(version).model_dump_json(indent=2)

    def health(self) -> HealthAnswer:
        """Try every part that a search needs. Without a model keyword search goes on answering, which is `degraded`."""
        try:
            pointer = self._app.handbook_store.pointer()
        except KisokuError as error:
            return HealthAnswer(status="unavailable", version="", problems=(str(error),))
        if pointer is None:
            problem = "There is no handbook; built-in minimum rules answer. Build one: kisoku build DIR"
            return HealthAnswer(status="degraded", version=BUILTIN_VERSION, problems=(problem,))
        try:
            version = self._app.versions.get(pointer.version)
        except KisokuError as error:
            return HealthAnswer(status="unavailable", version=pointer.version, problems=(str(error),))
        vector = [_problem("meaning", version.vectors), _problem("meaning", lambda: version.embedder().warm_up())]
        present = [category for category in CATEGORIES if version.has(category)]
        keyword = [_problem("keyword", lambda c=c: version.keyword_index(c)) for c in present]  # type: ignore[misc]  # bound now
        sessions = [_problem("sessions", lambda: self._app.sessions.session(""))]
        problems = tuple(p for p in (*vector, *keyword, *sessions) if p)
        lost = any(vector) and any(keyword)
        status = "unavailable" if lost else "degraded" if problems else "ok"
        return HealthAnswer(status=status, version=pointer.version, problems=problems)


def _problem(part: str, attempt: Callable[[], object]) -> str:
    try:
        attempt()
    except Exception as error:  # noqa: BLE001  # whatever a store or a model raises is what is asked for
        cause = error.message if isinstance(error, KisokuError) else f"{type(error).__name__}: {error}"
        return f"{part}: {cause}"
    return ""
