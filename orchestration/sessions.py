"""Sessions: one document generation, locked to one version for its whole life (requirements, rag-layer §5.4)."""

from collections.abc import Callable
from datetime import datetime

from ..domain.errors import SessionError
from ..domain.names import BUILTIN_VERSION
from ..domain.sessions import SessionMetadata
from ..plugins.lifecycle import Lifecycle, silent
from ..ports.handbook_store import HandbookStore
from ..ports.session_store import SessionStore


class SessionVersion:
    """Locks sessions to versions."""

    def __init__(
        self,
        handbook: HandbookStore,
        sessions: SessionStore,
        clock: Callable[[], datetime],
        lifecycle: Lifecycle | None = None,
    ) -> None:
        self._handbook = handbook
        self._sessions = sessions
        self._clock = clock
        self._lifecycle = lifecycle or silent()

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
        known = self._sessions.session(session_id)
        if version_id is None:
            if known is not None:
                return known.version
            pointer = self._handbook.pointer()
            version_id = pointer.version if pointer else BUILTIN_VERSION
        elif version_id != BUILTIN_VERSION:
            self._handbook.manifest(version_id)
        now = self._clock()
        record = self._sessions.lock(session_id, version_id, now)
        # Of two processes that lock one session at the same moment, the one whose time was stored made it.
        if known is None and record.created_at == now.isoformat():
            self._lifecycle.session_started(session_id)
            self._lifecycle.version_locked(session_id, record.version)
        return record.version

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
        """Mark a session as finished and return its metadata; one that is finished already stays as it is.

        Raises:
            SessionError: The session is unknown.
        """
        before = self.session_metadata(session_id)
        if before.finished_at is not None:
            return before
        self._sessions.finish(session_id, self._clock())
        metadata = self.session_metadata(session_id)
        self._lifecycle.document_finished(metadata)
        return metadata

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
