"""Port: sessions, version locks, conflicts, decisions, invocation records."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from ..domain.conflicts import ConflictGroup, DecisionRecord
from .document_store import DocumentStore

_ALL = 2**31 - 1


class SessionRecord(BaseModel):
    """A session: one document generation, locked to one version for its whole life.

    Attributes:
        session_id: Its name.
        version: The version it is locked to.
        created_at: ISO 8601, UTC.
        finished_at: ISO 8601, UTC; None while it is open.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    session_id: str
    version: str
    created_at: str
    finished_at: str | None = None


class InvocationRecord(BaseModel):
    """A search that was made.

    Attributes:
        trace_id: Identity of the trace.
        session_id: The session, None outside one.
        created_at: ISO 8601, UTC.
        version: Version that answered.
        agent: Who asked.
        query: The query as given.
        chunk_ids: What was returned, best first.
        refused: A gate refused.
        milliseconds: How long it took.
        retrieval_details: Stages, notices and conflicts, as JSON text.
        gate: The gate that refused, "" when none did; None when it was not recorded.
        categories: Categories that were searched.
        cache_hit: Whether the answer came from a cache; None when there is none.
        embedding_tokens: Tokens that the embedding model was given; None when nobody counted.
        cost: What the models charged, in the currency of the prices set; None when nobody counted.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    trace_id: str
    session_id: str | None
    created_at: str
    version: str
    agent: str
    query: str
    chunk_ids: tuple[str, ...]
    refused: bool
    milliseconds: float
    retrieval_details: str
    gate: str | None = None
    categories: tuple[str, ...] = ()
    cache_hit: bool | None = None
    embedding_tokens: int | None = None
    cost: float | None = None


class GivenEvidence(BaseModel):
    """A passage that was given in a session.

    Attributes:
        session_id: The session.
        content_hash: Of the chunk it is part of.
        start: Offset in the chunk.
        end: Offset behind it.
        domain: Domain of rules it belongs to.
        trace_id: The lookup that gave it.
        given_at: ISO 8601, UTC.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    session_id: str
    content_hash: str
    start: int
    end: int
    domain: str
    trace_id: str
    given_at: str

    def covers(self, content_hash: str, start: int, end: int) -> bool:
        """Return whether a passage is part of this one."""
        return self.content_hash == content_hash and self.start <= start and end <= self.end


class SessionStore(DocumentStore):
    """A relational database of sessions.

    Contract (kept by `kisoku.testing.SessionStoreContract`):

    - `lock` is atomic: of two processes that lock one session to different versions, one gets `SessionError`.
      Locking again to the same version changes nothing.
    - What was written is there after the process dies.
    - Reading makes nothing: where no database is, everything is empty.
    - A store of an earlier kisoku is taken over with all that is in it; one of a later kisoku is refused with
      `SessionError`.
    - Unknown sessions and conflicts give None or empty results, never an exception.
    """

    @abstractmethod
    def lock(self, session_id: str, version: str, now: datetime) -> SessionRecord:
        """Lock a session to a version and return its record.

        Raises:
            SessionError: It is locked to another version already.
        """

    @abstractmethod
    def session(self, session_id: str) -> SessionRecord | None:
        """Return a session."""

    @abstractmethod
    def sessions(self) -> Sequence[SessionRecord]:
        """Return all sessions, oldest first."""

    @abstractmethod
    def finish(self, session_id: str, now: datetime) -> None:
        """Mark a session as finished; one that is finished or unknown is left as it is."""

    @abstractmethod
    def add_conflict(self, conflict: ConflictGroup) -> None:
        """Store a conflict met in a session; one with the same id in the same session is left as it is."""

    @abstractmethod
    def conflicts(self, session_id: str) -> Sequence[ConflictGroup]:
        """Return the conflicts of a session, oldest first, with their status."""

    @abstractmethod
    def find_conflict(self, conflict_id: str) -> ConflictGroup | None:
        """Return a conflict by its id."""

    @abstractmethod
    def add_decision(self, decision: DecisionRecord) -> None:
        """Store a decision and mark its conflict as decided; a later decision on the same conflict replaces it."""

    @abstractmethod
    def decisions(self, session_id: str) -> Sequence[DecisionRecord]:
        """Return the decisions of a session, oldest first."""

    @abstractmethod
    def add_invocation(self, record: InvocationRecord) -> None:
        """Store a search."""

    @abstractmethod
    def invocation(self, trace_id: str) -> InvocationRecord | None:
        """Return a search."""

    @abstractmethod
    def invocations(self, session_id: str | None = None, limit: int = 100) -> Sequence[InvocationRecord]:
        """Return the newest searches, newest first; of one session when named."""

    def each_invocation(self, since: str = "", session_id: str | None = None) -> Iterator[InvocationRecord]:
        """Yield all searches from a moment on, oldest first, without holding them all at once where that can be helped.

        Args:
            since: ISO 8601 in UTC; "" for the beginning.
            session_id: Of this session only.
        """
        for record in reversed(self.invocations(session_id, limit=_ALL)):
            if record.created_at >= since:
                yield record

    def invocations_named(self, start: str, limit: int = 20) -> Sequence[InvocationRecord]:
        """Return the newest searches whose trace id begins like this, newest first."""
        return [r for r in self.invocations(limit=_ALL) if r.trace_id.startswith(start)][:limit]

    @abstractmethod
    def give_evidence(self, passages: Sequence[GivenEvidence]) -> Sequence[bool]:
        """Note passages as given; say for each whether this call is the one that gives it.

        The same passage is given once a session, whichever of two processes comes first.
        """

    @abstractmethod
    def given_evidence(self, session_id: str) -> Sequence[GivenEvidence]:
        """Return what was given in a session, oldest first."""

    def check(self) -> Sequence[str]:
        """Return what is damaged, nothing when all is well or the database sees to that itself."""
        return ()

    @abstractmethod
    def close(self) -> None:
        """Release the database."""
