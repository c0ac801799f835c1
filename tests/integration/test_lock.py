"""One writer at a time, named; readers never wait."""

import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from kisoku.domain.errors import HandbookLockedError

HOLDER = """
import pathlib, sys, time
from kisoku.adapters.handbook.filesystem import FilesystemHandbookStore
with FilesystemHandbookStore(pathlib.Path(sys.argv[1])).write_lock():
    print("held", flush=True)
    time.sleep(120)
"""


@pytest.fixture
def holder(built):
    """Another process that is writing the handbook."""
    process = subprocess.Popen([sys.executable, "-P", "-c", HOLDER, str(built)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_second_writer_fails_at_once_and_names_the_first(built, rules, open_app, build, holder):
    app = open_app(built)
    for write in (lambda: build(app, rules), lambda: app.manager.rollback_to("v1")):
        with pytest.raises(HandbookLockedError, match=f"process {holder.pid} on {socket.gethostname()}"):
            write()


def test_readers_do_not_wait_for_a_writer(built, open_app, holder):
    app = open_app(built)
    assert app.service.search(session_id="s", query="表のヘッダー行", agent="writer").chunks
    assert app.locks.get_locked_version("s") == "v1"


def test_the_lock_of_a_killed_process_is_taken_over(built, rules, open_app, build, holder):
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    (rules / "design" / "命名規則.md").write_text(
        "# 命名規則\n\n列名は英小文字で付け、略語を使わない。\n", encoding="utf-8"
    )
    assert build(open_app(built), rules).version == "v2"


def test_two_writers_in_one_process(built, open_app):
    first, second = open_app(built).handbook_store, open_app(built).handbook_store
    with first.write_lock(), pytest.raises(HandbookLockedError, match=f"process {os.getpid()}"), second.write_lock():
        pass
    with second.write_lock():
        pass


def test_the_lock_is_free_after_an_error(built, open_app):
    store = open_app(built).handbook_store
    with pytest.raises(RuntimeError), store.write_lock():
        raise RuntimeError
    with store.write_lock():
        pass
    assert not (built / ".write.owner").exists()


def test_searches_during_a_build_see_the_old_version_or_the_new(built, rules, open_app, build):
    reader, writer = open_app(built), open_app(built)
    seen, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            result = reader.service.search(session_id=None, query="表のヘッダー行の下線", agent="writer", record=False)
            seen.append((result.version, bool(result.chunks), result.notices))

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for number in range(3):
            (rules / "design" / "命名規則.md").write_text(
                f"# 命名規則\n\n規則 {number}: 列名は英小文字で付け、略語を使わない。\n", encoding="utf-8"
            )
            build(writer, rules)
    finally:
        stop.set()
        thread.join()
    assert {version for version, _, _ in seen} <= {"v1", "v2", "v3", "v4"}
    assert all(found and not notices for _, found, notices in seen)
    assert [v for v, _, _ in seen] == sorted(v for v, _, _ in seen)


def test_a_build_in_another_process_while_this_one_reads(built, rules, open_app, tmp_path):
    reader = open_app(built)
    (rules / "design" / "命名規則.md").write_text(
        "# 命名規則\n\n列名は英小文字で付け、略語を使わない。\n", encoding="utf-8"
    )
    code = (
        "import pathlib, sys; sys.path.insert(0, sys.argv[3]); import conftest\n"
        "from kisoku.orchestration.bootstrap import Kisoku\n"
        "with Kisoku(conftest.quick_settings(pathlib.Path(sys.argv[1]))) as app:\n"
        "    print(conftest.build_folder(app, pathlib.Path(sys.argv[2])).version)\n"
    )
    tests = Path(__file__).parents[1]
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code, str(built), str(rules), str(tests)], stdout=subprocess.PIPE, text=True
    )
    seen = set()
    while process.poll() is None:
        result = reader.service.search(session_id=None, query="表のヘッダー行", agent="writer", record=False)
        assert result.chunks
        assert result.notices == ()
        seen.add(result.version)
    assert process.communicate()[0] == "v2\n"
    assert seen <= {"v1", "v2"}
    assert reader.service.search(session_id=None, query="表", agent="writer", record=False).version == "v2"
