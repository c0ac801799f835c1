"""Sessions in a relational database through SQLAlchemy Core: SQLite by default, others by URL."""

import contextlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ...domain.conflicts import ConflictGroup, DecisionRecord
from ...domain.errors import SessionError
from ...ports.session_store import GivenEvidence, InvocationRecord, SessionRecord, SessionStore
from . import tables
from .documents import SqlDocuments
from .feedback import SqlFeedback
from .schema import SchemaState, bring_up_to_date, schema_state

_BUSY_SECONDS = 10
_POLL_SECONDS = 0.02
_LONGEST_NAME = 200
_ROWS = 500


def sqlite_url(path: Path) -> str:
    """Return the URL of a SQLite file."""
    return sa.engine.URL.create("sqlite", database=str(path)).render_as_string()


class SqlSessionStore(SqlDocuments, SqlFeedback, SessionStore):
    """Sessions behind a SQLAlchemy URL. Nothing is created or connected before the first use.

    Raises:
        SessionError: The URL is malformed, or no driver for it is installed.
    """

    def __init__(self, url: str) -> None:
        self._opening = threading.Lock()
        self._is_current = False
        try:
            self._engine: Engine = sa.create_engine(url, pool_pre_ping=not url.startswith("sqlite"))
            if self._engine.dialect.name == "sqlite":
                sa.event.listen(self._engine, "do_connect", _open_read_only)
                sa.event.listen(self._engine, "connect", _tune_sqlite)
        except (SQLAlchemyError, ImportError) as error:
            raise SessionError(f"The session database {_shown(url)} cannot be opened: {_cause(error)}.") from error

    def _prepare(self, *, writing: bool) -> bool:
        """Bring the schema up to date where that is needed; return whether there is anything to read."""
        with self._opening:
            if self._is_current:
                return True
            state = self._state()
            if state == "none" and not writing:
                return False
            if state != "current":
                self._create_folder()
                bring_up_to_date(self._engine)
            self._is_current = True
            return True

    def _state(self) -> SchemaState:
        file = self._file()
        if file is not None and not file.exists():
            return "none"
        with self._engine.connect() as connection:
            return schema_state(connection)[0]

    def _file(self) -> Path | None:
        """Return the file of a SQLite database; None for a server and for one in memory."""
        path = self._engine.url.database
        return Path(path) if self._engine.dialect.name == "sqlite" and path and path != ":memory:" else None

    def _create_folder(self) -> None:
        file = self._file()
        if file is None:
            return
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SessionError(
                f"The handbook folder {file.parent} cannot be created: {error.strerror or error}.",
                hint="Choose another --root.",
            ) from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._translated():
            self._prepare(writing=True)
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
            cause = _cause(error)
            hint = "It can be read but not written: check permissions, or sessions.url." if "readonly" in cause else ""
            raise SessionError(f"The session database {url} failed: {cause}.", hint=hint) from error

    def lock(self, session_id: str, version: str, now: datetime) -> SessionRecord:
        """Lock a session; the primary key decides between two processes."""
        if len(session_id) > _LONGEST_NAME or "\0" in session_id:
            raise SessionError(f"A session's name has at most {_LONGEST_NAME} characters, and no NUL among them.")
        row = {"session_id": session_id, "version": version, "created_at": now.isoformat()}
        with contextlib.suppress(IntegrityError), self._writing() as connection:
            connection.execute(sa.insert(tables.sessions).values(row))
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
        rows = self._rows(sa.select(tables.sessions).where(tables.sessions.c.session_id == session_id))
        return SessionRecord(**rows[0]) if rows else None

    def sessions(self) -> Sequence[SessionRecord]:
        """Return all sessions."""
        query = sa.select(tables.sessions).order_by(tables.sessions.c.created_at, tables.sessions.c.session_id)
        return [SessionRecord(**row) for row in self._rows(query)]

    def finish(self, session_id: str, now: datetime) -> None:
        """Mark a session as finished."""
        open_one = (tables.sessions.c.session_id == session_id) & tables.sessions.c.finished_at.is_(None)
        with self._writing() as connection:
            connection.execute(sa.update(tables.sessions).where(open_one).values(finished_at=now.isoformat()))

    def add_conflict(self, conflict: ConflictGroup) -> None:
        """Store a conflict once."""
        row = {
            "conflict_id": conflict.conflict_id,
            "session_id": conflict.session_id,
            "body": conflict.model_dump_json(exclude={"status"}),
        }
        # The unique id decides between two processes that meet the same conflict.
        with contextlib.suppress(IntegrityError), self._writing() as connection:
            connection.execute(sa.insert(tables.conflicts).values(row))

    def conflicts(self, session_id: str) -> Sequence[ConflictGroup]:
        """Return the conflicts of a session with their status."""
        return self._conflict_groups(tables.conflicts.c.session_id == session_id)

    def find_conflict(self, conflict_id: str) -> ConflictGroup | None:
        """Return a conflict."""
        found = self._conflict_groups(tables.conflicts.c.conflict_id == conflict_id)
        return found[0] if found else None

    def _conflict_groups(self, where: sa.ColumnElement[bool]) -> list[ConflictGroup]:
        decided = sa.select(tables.decisions.c.conflict_id).where(
            tables.decisions.c.conflict_id == tables.conflicts.c.conflict_id
        )
        query = (
            sa.select(tables.conflicts.c.body, decided.exists().label("decided"))
            .where(where)
            .order_by(tables.conflicts.c.number)
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
            connection.execute(
                sa.delete(tables.decisions).where(tables.decisions.c.conflict_id == decision.conflict_id)
            )
            connection.execute(
                sa.insert(tables.decisions).values(
                    conflict_id=decision.conflict_id,
                    session_id=decision.session_id,
                    body=decision.model_dump_json(),
                )
            )

    def decisions(self, session_id: str) -> Sequence[DecisionRecord]:
        """Return the decisions of a session."""
        query = sa.select(tables.decisions.c.body).where(tables.decisions.c.session_id == session_id)
        rows = self._rows(query.order_by(tables.decisions.c.number))
        return [DecisionRecord.model_validate_json(row["body"]) for row in rows]

    def add_invocation(self, record: InvocationRecord) -> None:
        """Store a search."""
        row = record.model_dump() | {
            # PostgreSQL takes no NUL in a text.
            "query": record.query.replace("\0", "\N{REPLACEMENT CHARACTER}"),
            "chunk_ids": json.dumps(record.chunk_ids),
            "categories": ",".join(record.categories),
        }
        with self._writing() as connection:
            connection.execute(sa.insert(tables.invocations).values(row))

    def invocation(self, trace_id: str) -> InvocationRecord | None:
        """Return a search."""
        rows = self._rows(sa.select(tables.invocations).where(tables.invocations.c.trace_id == trace_id))
        return _invocation(rows[0]) if rows else None

    def invocations(self, session_id: str | None = None, limit: int = 100) -> Sequence[InvocationRecord]:
        """Return the newest searches."""
        query = sa.select(tables.invocations).order_by(tables.invocations.c.number.desc()).limit(limit)
        if session_id is not None:
            query = query.where(tables.invocations.c.session_id == session_id)
        return [_invocation(row) for row in self._rows(query)]

    def each_invocation(self, since: str = "", session_id: str | None = None) -> Iterator[InvocationRecord]:
        """Yield searches, oldest first, read in pieces."""
        with self._translated():
            if not self._prepare(writing=False):
                return
        table = tables.invocations
        query = sa.select(table).where(table.c.created_at >= since).order_by(table.c.number)
        if session_id is not None:
            query = query.where(table.c.session_id == session_id)
        with self._translated(), self._engine.connect() as connection:
            for row in connection.execution_options(yield_per=_ROWS).execute(query).mappings():
                yield _invocation(dict(row))

    def invocations_named(self, start: str, limit: int = 20) -> Sequence[InvocationRecord]:
        """Return the newest searches whose trace id begins like this."""
        table = tables.invocations
        query = sa.select(table).where(table.c.trace_id.startswith(start, autoescape=True))
        return [_invocation(row) for row in self._rows(query.order_by(table.c.number.desc()).limit(limit))]

    def give_evidence(self, passages: Sequence[GivenEvidence]) -> Sequence[bool]:
        """Note passages as given; the unique passage decides between two processes."""
        mine: list[bool] = []
        for passage in passages:
            row = passage.model_dump(exclude={"start", "end"})
            row |= {"start_offset": passage.start, "end_offset": passage.end}
            try:
                with self._writing() as connection:
                    connection.execute(sa.insert(tables.given_evidence).values(row))
            except IntegrityError:
                mine.append(False)
            else:
                mine.append(True)
        return mine

    def given_evidence(self, session_id: str) -> Sequence[GivenEvidence]:
        """Return what was given in a session."""
        table = tables.given_evidence
        query = sa.select(
            table.c.session_id,
            table.c.content_hash,
            table.c.start_offset.label("start"),
            table.c.end_offset.label("end"),
            table.c.domain,
            table.c.trace_id,
            table.c.given_at,
        )
        rows = self._rows(query.where(table.c.session_id == session_id).order_by(table.c.number))
        return [GivenEvidence(**row) for row in rows]

    def check(self) -> Sequence[str]:
        """Let SQLite look through its file; a server does that itself."""
        with self._translated():
            if self._engine.dialect.name != "sqlite" or not self._prepare(writing=False):
                return ()
            with self._engine.connect() as connection:
                found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA quick_check(5)")]
        return () if found == ["ok"] else found

    def close(self) -> None:
        """Release all connections."""
        self._engine.dispose()

    def _rows(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        with self._translated():
            if not self._prepare(writing=False):
                return []
        with self._translated(), self._engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]


def _open_read_only(_dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]) -> None:
    """Open what this process may not write in a way that needs no file beside it, unless somebody is writing."""
    path = Path(arguments[0]) if arguments else Path()
    if not path.is_file() or (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return
    if not path.with_name(f"{path.name}-wal").exists():
        arguments[0] = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
        options["uri"] = True


def _tune_sqlite(connection: Any, _record: object) -> None:
    """Write-ahead logging lets readers go on while somebody writes; a busy database is waited for."""
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_BUSY_SECONDS * 1000}")
    until = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            # To begin it SQLite needs the whole file, and refuses at once while another process writes.
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(_POLL_SECONDS)
        else:
            break
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
    lists = {
        "chunk_ids": tuple(json.loads(row["chunk_ids"])),
        "categories": tuple(filter(None, (row["categories"] or "").split(","))),
    }
    return InvocationRecord(**values | lists)
