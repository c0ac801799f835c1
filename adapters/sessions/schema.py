"""Bringing a session database to the schema of this kisoku, by one process at a time."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError, OperationalError, ProgrammingError

from ...domain.errors import SessionError
from .tables import REVISION, VERSION_TABLE, metadata, schema_metadata, schema_version

SchemaState = Literal["none", "unnumbered", "older", "current"]
"""No table of kisoku's; tables from before schemas were numbered; an older number; this one."""

_SCRIPTS: Final = Path(__file__).parent / "migrations"
_LOCK_NUMBER: Final = 0x6B69736F6B75
"""Names the lock on a PostgreSQL server: the letters of kisoku."""
_WITH_LOCK: Final = frozenset({"sqlite", "postgresql"})
_ATTEMPTS: Final = 5


def schema_state(connection: Connection) -> tuple[SchemaState, str]:
    """Return in what state a database is, and the number of its schema ("" when it has none).

    On a current database this is one short query; nothing of alembic is imported.

    Raises:
        SessionError: A newer kisoku made it, or tables with our names are somebody else's.
    """
    number = _number(connection)
    if number == REVISION:
        return "current", number
    if not number:
        return ("unnumbered" if _has_first_tables(connection) else "none"), ""
    if number.isdecimal() and number < REVISION:
        return "older", number
    raise SessionError(
        f"The session database has schema {number}; this kisoku knows schemas up to {REVISION}.",
        hint="Use the newer kisoku that made it, or another database: sessions.url.",
    )


def bring_up_to_date(engine: Engine) -> None:
    """Make the tables, or migrate them, under a lock; a process that comes second finds the work done.

    A new database gets its tables at once. One of an older kisoku is taken through the migrations; should one fail,
    nothing of it stays.

    Raises:
        SessionError: As for `schema_state`.
        SQLAlchemyError: The database refuses.
    """
    attempts = 1 if engine.dialect.name in _WITH_LOCK else _ATTEMPTS
    for left in reversed(range(attempts)):
        try:
            with _exclusive(engine) as connection:
                state, _ = schema_state(connection)
                if state == "none":
                    _create(connection)
                elif state != "current":
                    _migrate(connection)
        except (OperationalError, ProgrammingError, IntegrityError):
            # Without a lock somebody else may have made the same table at this moment.
            if not left:
                raise
        else:
            return


def _number(connection: Connection) -> str:
    try:
        with _savepoint(connection):
            return str(connection.execute(sa.select(schema_version.c.version_num)).scalar() or "")
    except (OperationalError, ProgrammingError):
        # No such table; or the database cannot be read at all, which the next question then says.
        if sa.inspect(connection).has_table(VERSION_TABLE):
            raise
        return ""


def _savepoint(connection: Connection) -> contextlib.AbstractContextManager[Any]:
    """PostgreSQL refuses everything after an error, unless it happens behind a savepoint."""
    return connection.begin_nested() if connection.dialect.name == "postgresql" else contextlib.nullcontext()


def _has_first_tables(connection: Connection) -> bool:
    """Tell kisoku's tables from those of somebody who calls his `sessions` too."""
    inspector = sa.inspect(connection)
    present = set(inspector.get_table_names()) & {"sessions", "conflicts", "decisions", "tool_invocations"}
    for name in sorted(present):
        columns = {column["name"] for column in inspector.get_columns(name)}
        ours = {"sessions": {"session_id", "version"}, "tool_invocations": {"trace_id", "chunk_ids"}}
        if not ours.get(name, {"conflict_id", "session_id", "body"}) <= columns:
            raise SessionError(
                f"The session database has a table {name} that is not kisoku's.",
                hint="Give kisoku a database or a schema of its own: sessions.url.",
            )
    return bool(present)


def _create(connection: Connection) -> None:
    metadata.create_all(connection)
    schema_metadata.create_all(connection)
    connection.execute(sa.insert(schema_version).values(version_num=REVISION))


def _migrate(connection: Connection) -> None:
    """Take a database through the migrations; alembic is imported only here."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes |= {"connection": connection, "metadata": metadata, "version_table": VERSION_TABLE}
    command.upgrade(config, "head")


@contextlib.contextmanager
def _exclusive(engine: Engine) -> Iterator[Connection]:
    """One transaction around everything, that only one process has at a time."""
    if engine.dialect.name == "sqlite":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            # The driver begins transactions by itself, but neither before DDL nor at once.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection
            connection.exec_driver_sql("COMMIT")
        return
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK_NUMBER)))
        yield connection
