"""Session databases of earlier and later kisoku, migrations by several processes at once, read-only databases."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from kisoku.adapters.sessions import schema, tables
from kisoku.adapters.sessions.sql import SqlSessionStore, sqlite_url
from kisoku.domain.errors import SessionError
from kisoku.testing.session_store import NOW

FIRST = """
CREATE TABLE sessions (
    session_id VARCHAR(200) NOT NULL, version VARCHAR(20) NOT NULL, created_at VARCHAR(40) NOT NULL,
    finished_at VARCHAR(40), PRIMARY KEY (session_id));
CREATE TABLE conflicts (
    number {serial} NOT NULL, conflict_id VARCHAR(80) NOT NULL, session_id VARCHAR(200) NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (number), UNIQUE (conflict_id));
CREATE INDEX ix_conflicts_session_id ON conflicts (session_id);
CREATE TABLE decisions (
    number {serial} NOT NULL, conflict_id VARCHAR(80) NOT NULL, session_id VARCHAR(200) NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (number), UNIQUE (conflict_id));
CREATE INDEX ix_decisions_session_id ON decisions (session_id);
CREATE TABLE tool_invocations (
    number {serial} NOT NULL, trace_id VARCHAR(64) NOT NULL, session_id VARCHAR(200), created_at VARCHAR(40) NOT NULL,
    version VARCHAR(20) NOT NULL, agent VARCHAR(20) NOT NULL, query TEXT NOT NULL, chunk_ids TEXT NOT NULL,
    refused BOOLEAN NOT NULL, milliseconds FLOAT NOT NULL, retrieval_details TEXT NOT NULL,
    PRIMARY KEY (number), UNIQUE (trace_id));
CREATE INDEX ix_tool_invocations_session_id ON tool_invocations (session_id);
INSERT INTO sessions VALUES ('old', 'v1', '2026-01-02T03:04:05+00:00', NULL);
INSERT INTO tool_invocations
    (trace_id, session_id, created_at, version, agent, query, chunk_ids, refused, milliseconds, retrieval_details)
    VALUES ('t0', 'old', '2026-01-02T03:04:05+00:00', 'v1', 'writer', 'q', '["rules-write_v1_001"]', {no}, 1.5, '{{}}');
"""
"""What the kisoku that did not number its schemas made, as its database showed it, with two rows."""


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """An empty database, on both."""
    return sqlite_url(tmp_path / "s.db") if request.param == "sqlite" else request.getfixturevalue("postgresql")


def run_sql(url: str, script: str) -> None:
    engine = sa.create_engine(url)
    sqlite = engine.dialect.name == "sqlite"
    serial = "INTEGER" if sqlite else "SERIAL"
    with engine.begin() as connection:
        for statement in script.format(serial=serial, no="0" if sqlite else "FALSE").split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    engine.dispose()


def shape(url: str) -> dict[str, object]:
    """Tables with columns, nullability, keys and indexes, as the database tells them."""
    engine = sa.create_engine(url)
    inspector = sa.inspect(engine)
    found = {
        name: (
            sorted((c["name"], str(c["type"]), c["nullable"]) for c in inspector.get_columns(name)),
            inspector.get_pk_constraint(name)["constrained_columns"],
            sorted((tuple(i["column_names"]), bool(i["unique"])) for i in inspector.get_indexes(name)),
            sorted(tuple(u["column_names"]) for u in inspector.get_unique_constraints(name)),
        )
        for name in inspector.get_table_names()
    }
    engine.dispose()
    return found


def number(url: str) -> list[str]:
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        found = list(connection.execute(sa.select(tables.schema_version.c.version_num)).scalars())
    engine.dispose()
    return found


def test_the_number_in_the_code_is_that_of_the_last_migration():
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_heads() == [tables.REVISION]
    assert [s.revision for s in scripts.walk_revisions()] == [f"{n:04d}" for n in range(int(tables.REVISION), 0, -1)]


def test_the_migrations_are_in_the_wheel():
    import tomllib

    root = Path(schema.__file__).parents[2]
    listed = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    folder = Path(schema.__file__).parent
    shipped = {p for pattern in listed["kisoku.adapters.sessions"] for p in folder.glob(pattern)}
    assert shipped == set((folder / "migrations").rglob("*.py"))


def test_a_migrated_database_is_the_same_as_a_new_one(url, tmp_path, request):
    run_sql(url, FIRST)
    old = SqlSessionStore(url)
    old.finish("none", NOW)
    old.close()
    assert number(url) == [tables.REVISION]
    if url.startswith("sqlite"):
        fresh = sqlite_url(tmp_path / "fresh.db")
    else:
        import psycopg

        fresh = f"{url}_fresh"
        with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{fresh.rpartition("/")[2]}"')
    new = SqlSessionStore(fresh)
    new.finish("none", NOW)
    new.close()
    assert shape(url) == shape(fresh)
    assert number(fresh) == [tables.REVISION]


def test_a_database_of_an_earlier_kisoku_is_taken_over_by_reading_it(url):
    run_sql(url, FIRST)
    store = SqlSessionStore(url)
    assert [s.session_id for s in store.sessions()] == ["old"]
    (search,) = store.invocations()
    assert (search.trace_id, search.refused, search.gate, search.categories) == ("t0", False, None, ())
    store.lock("new", "v2", NOW)
    store.close()
    again = SqlSessionStore(url)
    assert {s.session_id: s.version for s in again.sessions()} == {"old": "v1", "new": "v2"}
    again.close()


def test_what_a_process_killed_at_its_first_tables_left_is_completed(url):
    run_sql(url, FIRST.partition("CREATE TABLE decisions")[0])
    store = SqlSessionStore(url)
    store.lock("s", "v1", NOW)
    assert store.invocations() == []
    assert list(store.decisions("s")) == []
    store.close()


@pytest.mark.parametrize("newer", ["0099", "9"])
def test_a_newer_schema_is_refused_and_left_alone(url, newer):
    store = SqlSessionStore(url)
    store.lock("s", "v1", NOW)
    store.close()
    run_sql(url, f"UPDATE kisoku_schema SET version_num = '{newer}'")  # noqa: S608  # a number of this test's own
    for use in (lambda s: s.sessions(), lambda s: s.lock("t", "v1", NOW), lambda s: s.finish("s", NOW)):
        store = SqlSessionStore(url)
        with pytest.raises(SessionError, match=rf"has schema {newer}; this kisoku knows schemas up to .*sessions\.url"):
            use(store)
        store.close()
    assert number(url) == [newer]


def test_tables_of_somebody_else_are_left_alone(url):
    run_sql(url, "CREATE TABLE sessions (id INTEGER, cookie TEXT)")
    store = SqlSessionStore(url)
    with pytest.raises(SessionError, match="has a table sessions that is not kisoku's"):
        store.lock("s", "v1", NOW)
    store.close()
    assert set(shape(url)) == {"sessions"}


def test_the_alembic_of_the_host_is_not_touched(url):
    run_sql(
        url, "CREATE TABLE alembic_version (version_num VARCHAR(32));\nINSERT INTO alembic_version VALUES ('abc');\n"
    )
    store = SqlSessionStore(url)
    store.lock("s", "v1", NOW)
    store.close()
    assert number(url) == [tables.REVISION]
    assert "alembic_version" in shape(url)


def test_a_migration_that_fails_leaves_the_database_as_it_was(url):
    # The column of the second migration is there already, so adding it fails half-way.
    run_sql(url, FIRST + "ALTER TABLE tool_invocations ADD COLUMN cache_hit BOOLEAN;\n")
    before = shape(url)
    store = SqlSessionStore(url)
    with pytest.raises(SessionError, match="cache_hit"):
        store.sessions()
    store.close()
    assert shape(url) == before


MIGRANT = """
import sys
from kisoku.adapters.sessions.sql import SqlSessionStore
import alembic.command
store = SqlSessionStore(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
print([s.session_id for s in store.sessions()], store.invocations()[0].trace_id)
store.close()
"""


def test_processes_that_migrate_at_once_agree(url):
    run_sql(url, FIRST)
    migrants = [
        subprocess.Popen(
            [sys.executable, "-P", "-c", MIGRANT, url],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    ready = [migrant.stdout.readline() for migrant in migrants]
    for migrant in migrants:
        migrant.stdin.write("go\n")
        migrant.stdin.flush()
    ends = [migrant.communicate(timeout=60) for migrant in migrants]
    assert ready == ["ready\n"] * 3, ends
    assert ends == [("['old'] t0\n", "")] * 3
    assert number(url) == [tables.REVISION]


def test_a_current_database_is_opened_without_alembic(url):
    store = SqlSessionStore(url)
    store.lock("s", "v1", NOW)
    store.close()
    code = (
        "import sys\nfrom kisoku.adapters.sessions.sql import SqlSessionStore\n"
        "store = SqlSessionStore(sys.argv[1])\nassert store.session('s').version == 'v1'\n"
        "print('alembic' in sys.modules)\nstore.close()"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code, url], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_reading_where_no_database_is_makes_none(tmp_path):
    store = SqlSessionStore(sqlite_url(tmp_path / "folder" / "s.db"))
    assert store.sessions() == []
    assert list(tmp_path.iterdir()) == []
    store.close()


READER = """
import os, sys
from datetime import UTC, datetime
from kisoku.adapters.sessions.sql import SqlSessionStore
from kisoku.domain.errors import SessionError
import alembic.command, alembic.config, alembic.op, alembic.script, mako.template
import sqlite3, sqlalchemy.dialects.sqlite.pysqlite
if os.geteuid() == 0:
    os.setgid(65534); os.setuid(65534)
store = SqlSessionStore(sys.argv[1])
try:
    print([s.session_id for s in store.sessions()])
    store.lock("t", "v1", datetime.now(UTC))
except SessionError as error:
    print(error)
"""


@pytest.fixture
def read_only(tmp_path_factory):
    """Makes a folder with a database that a process without privileges can read and not write."""
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="kisoku-read-only-"))
    path = folder / "s.db"
    yield path, lambda: (path.chmod(0o444), folder.chmod(0o555))
    folder.chmod(0o755)
    shutil.rmtree(folder)


def read(path: Path) -> list[str]:
    command = [sys.executable, "-P", "-c", READER, sqlite_url(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
def test_a_database_that_is_read_only_can_be_read(read_only):
    path, protect = read_only
    store = SqlSessionStore(sqlite_url(path))
    store.lock("s", "v1", NOW)
    store.close()
    protect()
    found, error = read(path)
    assert found == "['s']"
    assert "check permissions" in error


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
def test_an_old_database_that_is_read_only_says_what_to_do(read_only):
    path, protect = read_only
    with sqlite3.connect(path) as connection:
        connection.executescript(FIRST.format(serial="INTEGER", no="0"))
    connection.close()
    protect()
    (error,) = read(path)
    assert "check permissions" in error


def test_a_database_that_another_process_is_migrating_is_waited_for(tmp_path):
    """To begin write-ahead logging needs the whole file, and SQLite does not always wait for that by itself."""
    path = tmp_path / "sessions.db"
    run_sql(sqlite_url(path), FIRST)
    holding = (
        "import sqlite3, sys, time\n"
        "connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('PRAGMA journal_mode=DELETE')\n"
        "connection.execute('BEGIN IMMEDIATE')\n"
        "connection.execute('CREATE TABLE theirs (a)')\n"
        "print('held', flush=True)\n"
        "time.sleep(1.5)\n"
        "connection.execute('COMMIT')\n"
    )
    holder = subprocess.Popen([sys.executable, "-c", holding, str(path)], stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"
    store = SqlSessionStore(sqlite_url(path))
    assert [s.session_id for s in store.sessions()] == ["old"]
    store.close()
    assert holder.wait(timeout=20) == 0
    holder.stdout.close()
