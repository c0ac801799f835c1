"""Every session store keeps the contract; two processes cannot lock one session to two versions."""

import subprocess
import sys

import pytest
from kisoku.adapters.sessions.sql import SqlSessionStore, sqlite_url
from kisoku.domain.errors import SessionError
from kisoku.testing.session_store import NOW, SessionStoreContract


class TestSqlite(SessionStoreContract):
    @pytest.fixture
    def reopen(self, tmp_path):
        opened = []

        def reopen():
            opened.append(SqlSessionStore(sqlite_url(tmp_path / "セッション　帳 #1?.db")))
            return opened[-1]

        yield reopen
        for store in opened:
            store.close()

    def test_the_file_is_where_it_was_asked_for(self, store, tmp_path):
        assert list(tmp_path.iterdir()) == []
        store.lock("s", "v1", NOW)
        assert "セッション　帳 #1?.db" in {p.name for p in tmp_path.iterdir()}


class TestPostgresql(SessionStoreContract):
    @pytest.fixture
    def reopen(self, postgresql):
        opened = []

        def reopen():
            opened.append(SqlSessionStore(postgresql))
            return opened[-1]

        yield reopen
        for store in opened:
            store.close()

    def test_a_server_that_restarts_costs_no_search(self, store, postgresql):
        import psycopg

        store.lock("s", "v1", NOW)
        with psycopg.connect(postgresql.replace("+psycopg", ""), autocommit=True) as other:
            # What a restart of the server does to the connections that a pool holds.
            other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        assert store.session("s").version == "v1"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """An empty database, on both."""
    return sqlite_url(tmp_path / "s.db") if request.param == "sqlite" else request.getfixturevalue("postgresql")


RACER = """
import sys
from datetime import UTC, datetime
from kisoku.adapters.sessions.sql import SqlSessionStore
from kisoku.domain.errors import SessionError
url, version = sys.argv[1:]
store = SqlSessionStore(url)
print("ready", flush=True)
sys.stdin.readline()
won = []
for n in range(40):
    try:
        store.lock(f"s{n}", version, datetime.now(UTC))
        won.append(n)
    except SessionError as error:
        assert "is locked to" in str(error), error
store.close()
print(",".join(map(str, won)))
"""


def test_processes_that_race_for_sessions_agree(url):
    # All start at one moment on a database that does not exist yet, so that they also race for its tables.
    racers = [
        subprocess.Popen(
            [sys.executable, "-P", "-c", RACER, url, f"v{n}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for n in range(1, 4)
    ]  # fmt: skip
    ready = [racer.stdout.readline() for racer in racers]
    for racer in racers:
        racer.stdin.write("go\n")
        racer.stdin.flush()
    ends = [racer.communicate(timeout=60) for racer in racers]
    assert ready == ["ready\n"] * 3, ends
    assert [error for _, error in ends] == [""] * 3
    won = [int(n) for out, _ in ends for n in out.strip().split(",") if n]
    # Every session went to exactly one of them.
    assert sorted(won) == list(range(40))


@pytest.mark.parametrize("url", ["nonsense", "mysql+nodriver://u:secret@h/db", "sqlite:////dev/null/s.db"])
def test_a_database_that_cannot_be_opened_is_a_typed_error_without_its_password(url):
    with pytest.raises(SessionError, match=r"cannot be opened|failed|cannot be created") as caught:
        SqlSessionStore(url).lock("s", "v1", NOW)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_damaged_database_is_a_typed_error(tmp_path):
    path = tmp_path / "s.db"
    path.write_bytes(b"no database at all" * 1000)
    with pytest.raises(SessionError, match="failed: file is not a database"):
        SqlSessionStore(sqlite_url(path)).sessions()


def test_a_database_that_breaks_while_it_is_open_is_a_typed_error(tmp_path):
    import sqlite3

    path = tmp_path / "s.db"
    store = SqlSessionStore(sqlite_url(path))
    store.finish("s1", NOW)
    with sqlite3.connect(path) as other:
        other.execute("DROP TABLE sessions")
    other.close()
    for use in (lambda: store.session("s1"), lambda: store.finish("s1", NOW), lambda: store.lock("s1", "v1", NOW)):
        with pytest.raises(SessionError, match="failed: no such table"):
            use()
    store.close()


def test_a_name_too_long_for_the_database_is_refused_by_both(url):
    store = SqlSessionStore(url)
    for name in ("x" * 201, "a\0b"):
        with pytest.raises(SessionError, match="at most 200 characters"):
            store.lock(name, "v1", NOW)
    store.close()


def test_a_server_that_is_not_there_is_a_typed_error_without_its_password():
    pytest.importorskip("psycopg")
    with pytest.raises(SessionError, match="failed: ") as caught:
        SqlSessionStore("postgresql+psycopg://u:secret@127.0.0.1:9/db").sessions()
    assert "secret" not in str(caught.value)


def test_sessions_by_url_serve_a_whole_handbook(url, built, open_app):
    app = open_app(built, sessions={"url": url})
    result = app.service.search(session_id="s", query="表のヘッダー行の書式 \0", agent="writer")
    (conflict,) = result.conflicts
    assert app.service.search(session_id="s", query="表", agent="qa").version == "v1"
    app.conflicts.resolve_conflict(conflict.conflict_id, "1")
    app.close()
    again = open_app(built, sessions={"url": url})
    assert [d.conflict_id for d in again.locks.finish("s").conflict_decisions] == [conflict.conflict_id]
    second, first = again.sessions.invocations("s")
    assert (first.trace_id, first.gate, first.categories) == (result.trace_id, "", ("write",))
    assert second.categories == ("write", "design")
    assert not (built / "sessions.db").exists()
