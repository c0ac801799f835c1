"""Sessions: one document generation, locked to one version for its whole life (requirements, rag-layer §5.4)."""

from collections.abc import Callable
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from ..domain.conflicts import DecisionRecord
from ..domain.errors import SessionError
from ..domain.names import BUILTIN_VERSION
from ..ports.handbook_store import HandbookStore
from ..ports.session_store import SessionStore


class SessionMetadata(BaseModel):
    """What goes into the finished document: the rule version used and every conflict decision."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    session_id: str
    rule_version: str
    created_at: str
    finished_at: str | None
    conflict_decisions: tuple[DecisionRecord, ...]


class SessionVersion:
    """Locks sessions to versions."""

    def __init__(self, handbook: HandbookStore, sessions: SessionStore, clock: Callable[[], datetime]) -> None:
        self._handbook = handbook
        self._sessions = sessions
        self._clock = clock

    def lock_version(self, session_id: str, version_id: str | None = None) -> str:
        """Lock a session; to the active version when none is named, to the built-in rules when there is no handbook.

        Locking again to the same version, or to none in particular, changes nothing.

        Returns:
            The version it is locked to.

        Raises:
            SessionError: The session is locked to another version, or its name is empty.
            UnknownVersionError: That version does not exist.
        """
        if not session_id.strip():
            raise SessionError("A session needs a name.")
        if version_id is None:
            known = self._sessions.session(session_id)
            if known is not None:
                return known.version
            pointer = self._handbook.pointer()
            version_id = pointer.version if pointer else BUILTIN_VERSION
        elif version_id != BUILTIN_VERSION:
            self._handbook.manifest(version_id)
        return self._sessions.lock(session_id, version_id, self._clock()).version

    def get_locked_version(self, session_id: str) -> str:
        """Return the version a session is locked to.

        Raises:
            SessionError: The session is unknown.
        """
        record = self._sessions.session(session_id)
        if record is None:
            raise SessionError(f"There is no session {session_id!r}.", hint="Lock one first: lock_version(session_id).")
        return record.version

    def finish(self, session_id: str) -> SessionMetadata:
        """Mark a session as finished and return its metadata."""
        self.get_locked_version(session_id)
        self._sessions.finish(session_id, self._clock())
        return self.session_metadata(session_id)

    def session_metadata(self, session_id: str) -> SessionMetadata:
        """Return the rule version used and every decision.

        Raises:
            SessionError: The session is unknown.
        """
        version = self.get_locked_version(session_id)
        record = self._sessions.session(session_id)
        return SessionMetadata(
            session_id=session_id,
            rule_version=version,
            created_at=record.created_at if record else "",
            finished_at=record.finished_at if record else None,
            conflict_decisions=tuple(self._sessions.decisions(session_id)),
        )
