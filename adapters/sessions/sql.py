"""Sessions in a relational database through SQLAlchemy Core: SQLite by default, others by URL."""

import contextlib
import json
import threading
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError, SQLAlchemyError

from ...domain.conflicts import ConflictGroup, DecisionRecord
from ...domain.errors import SessionError
from ...ports.session_store import InvocationRecord, SessionRecord, SessionStore

_BUSY_SECONDS = 10
_ATTEMPTS = 20
_metadata = sa.MetaData()
_sessions = sa.Table(
    "sessions",
    _metadata,
    sa.Column("session_id", sa.String(200), primary_key=True),
    sa.Column("version", sa.String(20), nullable=False),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("finished_at", sa.String(40)),
)
_conflicts = sa.Table(
    "conflicts",
    _metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("conflict_id", sa.String(80), nullable=False, unique=True),
    sa.Column("session_id", sa.String(200), nullable=False, index=True),
    sa.Column("body", sa.Text, nullable=False),
)
_decisions = sa.Table(
    "decisions",
    _metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("conflict_id", sa.String(80), nullable=False, unique=True),
    sa.Column("session_id", sa.String(200), nullable=False, index=True),
    sa.Column("body", sa.Text, nullable=False),
)
_invocations = sa.Table(
    "tool_invocations",
    _metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("trace_id", sa.String(64), nullable=False, unique=True),
    sa.Column("session_id", sa.String(200), index=True),
    sa.Column("created_at", sa.String(40), nullable=False),
    sa.Column("version", sa.String(20), nullable=False),
    sa.Column("agent", sa.String(20), nullable=False),
    sa.Column("query", sa.Text, nullable=False),
    sa.Column("chunk_ids", sa.Text, nullable=False),
    sa.Column("refused", sa.Boolean, nullable=False),
    sa.Column("milliseconds", sa.Float, nullable=False),
    sa.Column("retrieval_details", sa.Text, nullable=False),
)


def sqlite_url(path: Path) -> str:
    """Return the URL of a SQLite file."""
    return sa.engine.URL.create("sqlite", database=str(path)).render_as_string()


class SqlSessionStore(SessionStore):
    """Sessions behind a SQLAlchemy URL. Nothing is created or connected before the first use.

    Raises:
        SessionError: The URL is malformed, or no driver for it is installed.
    """

    def __init__(self, url: str) -> None:
        self._opening = threading.Lock()
        self._is_open = False
        try:
            self._engine: Engine = sa.create_engine(url)
            if self._engine.dialect.name == "sqlite":
                sa.event.listen(self._engine, "connect", _tune_sqlite)
        except (SQLAlchemyError, ImportError) as error:
            raise SessionError(f"The session database {_shown(url)} cannot be opened: {_cause(error)}.") from error

    def _create_tables(self) -> None:
        """Create what is missing; another process may be creating the same tables at this moment."""
        with self._opening:
            if not self._is_open:
                self._create_folder()
                self._create_missing()
                self._is_open = True

    def _create_folder(self) -> None:
        path = self._engine.url.database
        if self._engine.dialect.name == "sqlite" and path and path != ":memory:":
            folder = Path(path).parent
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise SessionError(
                    f"The handbook folder {folder} cannot be created: {error.strerror or error}.",
                    hint="Choose another --root.",
                ) from error

    def _create_missing(self) -> None:
        for _ in range(_ATTEMPTS):
            try:
                _metadata.create_all(self._engine)
            except (OperationalError, ProgrammingError) as error:
                if "already exists" not in str(error):
                    raise
            else:
                return

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._translated():
            self._create_tables()
        with self._translated(), self._engine.begin() as connection:
            yield connection

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError:
            raise
        except SQLAlchemyError as error:
            url = self._engine.url.render_as_string(hide_password=True)
            raise SessionError(f"The session database {url} failed: {_cause(error)}.") from error

    def lock(self, session_id: str, version: str, now: datetime) -> SessionRecord:
        """Lock a session; the primary key decides between two processes."""
        row = {"session_id": session_id, "version": version, "created_at": now.isoformat()}
        with contextlib.suppress(IntegrityError), self._writing() as connection:
            connection.execute(sa.insert(_sessions).values(row))
        record = self.session(session_id)
        if record is None:  # pragma: no cover  # deleted between the two statements by somebody's hand
            raise SessionError(f"Session {session_id!r} disappeared while it was being locked.")
        if record.version != version:
            raise SessionError(
                f"Session {session_id!r} is locked to {record.version} and cannot change to {version}.",
                hint="A session keeps one version for its whole life; start a new session.",
            )
        return record

    def session(self, session_id: str) -> SessionRecord | None:
        """Return a session."""
        rows = self._rows(sa.select(_sessions).where(_sessions.c.session_id == session_id))
        return SessionRecord(**rows[0]) if rows else None

    def sessions(self) -> Sequence[SessionRecord]:
        """Return all sessions."""
        query = sa.select(_sessions).order_by(_sessions.c.created_at, _sessions.c.session_id)
        return [SessionRecord(**row) for row in self._rows(query)]

    def finish(self, session_id: str, now: datetime) -> None:
        """Mark a session as finished."""
        open_one = (_sessions.c.session_id == session_id) & _sessions.c.finished_at.is_(None)
        with self._writing() as connection:
            connection.execute(sa.update(_sessions).where(open_one).values(finished_at=now.isoformat()))

    def add_conflict(self, conflict: ConflictGroup) -> None:
        """Store a conflict once."""
        row = {
            "conflict_id": conflict.conflict_id,
            "session_id": conflict.session_id,
            "body": conflict.model_dump_json(exclude={"status"}),
        }
        # The unique id decides between two processes that meet the same conflict.
        with contextlib.suppress(IntegrityError), self._writing() as connection:
            connection.execute(sa.insert(_conflicts).values(row))

    def conflicts(self, session_id: str) -> Sequence[ConflictGroup]:
        """Return the conflicts of a session with their status."""
        return self._conflict_groups(_conflicts.c.session_id == session_id)

    def find_conflict(self, conflict_id: str) -> ConflictGroup | None:
        """Return a conflict."""
        found = self._conflict_groups(_conflicts.c.conflict_id == conflict_id)
        return found[0] if found else None

    def _conflict_groups(self, where: sa.ColumnElement[bool]) -> list[ConflictGroup]:
        decided = sa.select(_decisions.c.conflict_id).where(_decisions.c.conflict_id == _conflicts.c.conflict_id)
        query = (
            sa.select(_conflicts.c.body, decided.exists().label("decided")).where(where).order_by(_conflicts.c.number)
        )
        return [
            ConflictGroup.model_validate_json(row["body"]).model_copy(
                update={"status": "decided" if row["decided"] else "pending"}
            )
            for row in self._rows(query)
        ]

    def add_decision(self, decision: DecisionRecord) -> None:
        """Store a decision; a later one replaces it."""
        with self._writing() as connection:
            connection.execute(sa.delete(_decisions).where(_decisions.c.conflict_id == decision.conflict_id))
            connection.execute(
                sa.insert(_decisions).values(
                    conflict_id=decision.conflict_id,
                    session_id=decision.session_id,
                    body=decision.model_dump_json(),
                )
            )

    def decisions(self, session_id: str) -> Sequence[DecisionRecord]:
        """Return the decisions of a session."""
        query = sa.select(_decisions.c.body).where(_decisions.c.session_id == session_id)
        rows = self._rows(query.order_by(_decisions.c.number))
        return [DecisionRecord.model_validate_json(row["body"]) for row in rows]

    def add_invocation(self, record: InvocationRecord) -> None:
        """Store a search."""
        row = record.model_dump() | {"chunk_ids": json.dumps(record.chunk_ids)}
        with self._writing() as connection:
            connection.execute(sa.insert(_invocations).values(row))

    def invocation(self, trace_id: str) -> InvocationRecord | None:
        """Return a search."""
        rows = self._rows(sa.select(_invocations).where(_invocations.c.trace_id == trace_id))
        return _invocation(rows[0]) if rows else None

    def invocations(self, session_id: str | None = None, limit: int = 100) -> Sequence[InvocationRecord]:
        """Return the newest searches."""
        query = sa.select(_invocations).order_by(_invocations.c.number.desc()).limit(limit)
        if session_id is not None:
            query = query.where(_invocations.c.session_id == session_id)
        return [_invocation(row) for row in self._rows(query)]

    def close(self) -> None:
        """Release all connections."""
        self._engine.dispose()

    def _rows(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        with self._translated():
            self._create_tables()
        with self._translated(), self._engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]


def _tune_sqlite(connection: Any, _record: object) -> None:
    """Write-ahead logging lets readers go on while somebody writes; a busy database is waited for."""
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.close()


def _shown(url: str) -> str:
    try:
        return sa.engine.make_url(url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        # It cannot be parsed, so it cannot be told where a password in it stands.
        return "that sessions.url names"


def _cause(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).splitlines()[0]


def _invocation(row: dict[str, Any]) -> InvocationRecord:
    values = {key: value for key, value in row.items() if key != "number"}
    return InvocationRecord(**values | {"chunk_ids": tuple(json.loads(row["chunk_ids"]))})
