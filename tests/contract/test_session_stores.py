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


RACER = """
import pathlib, sys, time
from datetime import UTC, datetime
from kisoku.adapters.sessions.sql import SqlSessionStore, sqlite_url
from kisoku.domain.errors import SessionError
path, version, start = pathlib.Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
import sqlalchemy
time.sleep(max(0, start - time.time()))
store = SqlSessionStore(sqlite_url(path))
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


def test_processes_that_race_for_sessions_agree(tmp_path):
    # All start at one moment on a database that does not exist yet, so that they also race for its tables.
    import time

    path, start = tmp_path / "s.db", str(time.time() + 3)
    racers = [
        subprocess.Popen(
            [sys.executable, "-P", "-c", RACER, str(path), f"v{n}", start],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for n in range(1, 5)
    ]
    won = []
    for racer in racers:
        out, err = racer.communicate(timeout=60)
        assert racer.returncode == 0, err
        won += [int(n) for n in out.strip().split(",") if n]
    # Every session went to exactly one of them.
    assert sorted(won) == list(range(40))


@pytest.mark.parametrize("url", ["nonsense", "mysql+nodriver://u:secret@h/db", "sqlite:////dev/null/s.db"])
def test_a_database_that_cannot_be_opened_is_a_typed_error_without_its_password(url):
    with pytest.raises(SessionError, match=r"cannot be opened|failed|cannot be created") as caught:
        SqlSessionStore(url).sessions()
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
    assert store.session("s1") is None
    with sqlite3.connect(path) as other:
        other.execute("DROP TABLE sessions")
    other.close()
    for use in (lambda: store.session("s1"), lambda: store.finish("s1", NOW), lambda: store.lock("s1", "v1", NOW)):
        with pytest.raises(SessionError, match="failed: no such table"):
            use()
    store.close()
