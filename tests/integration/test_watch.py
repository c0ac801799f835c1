"""`kisoku watch` and Ctrl-C, with real processes and real signals."""

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
from kisoku.domain.errors import BuildError, HandbookLockedError
from kisoku.orchestration.building.collect import Collected
from kisoku.orchestration.building.progress import BuildReport
from kisoku.orchestration.building.watching import rebuild_on_changes

QUICK = ["--set", "embedding.model=use-multilingual-v3", "--set", "build.workers=1"]
LIMIT = 90.0


class Process:
    """A running kisoku whose lines of output can be waited for."""

    def __init__(self, *arguments: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "kisoku", *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self._lines.put(line)

    def record(self) -> dict:
        return json.loads(self._lines.get(timeout=LIMIT))

    def interrupt(self) -> None:
        # To the whole group, as a terminal does.
        os.killpg(self.process.pid, signal.SIGINT)

    def end(self) -> tuple[int, str]:
        error = self.process.stderr.read()
        code = self.process.wait(LIMIT)
        self._reader.join(LIMIT)
        self.process.stdout.close()
        self.process.stderr.close()
        return code, error

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.end()


@pytest.fixture
def start():
    running = []

    def start_(*arguments: object) -> Process:
        running.append(Process(*arguments))
        return running[-1]

    yield start_
    for process in running:
        if process.process.poll() is None:
            process.kill()


def leftovers(root):
    known = {"active.json", "manifests", "chroma", "keyword", "sentences", "chunks", "sessions.db", ".write.lock"}
    return sorted(p.name for p in root.iterdir() if p.name not in known and not p.name.startswith("sessions.db"))


def test_watch_rebuilds_when_edits_have_settled(rules, tmp_path, start):
    root = tmp_path / "handbook"
    watch = start("watch", rules, "--root", root, "--settle", "0.4", "--json", *QUICK)
    first = watch.record()
    assert (first["event"], first["version"], first["changes"]) == ("built", "v1", [])
    # A file that arrives in pieces, a lock file of an editor, and a handbook that lies elsewhere.
    path = rules / "design" / "命名規則.md"
    (rules / "design" / "~$命名規則.docx").write_bytes(b"lock")
    with path.open("w", encoding="utf-8") as file:
        for piece in ("# 命名規則\n\n## 列名\n\n", "列名はスネークケースで", "付ける。\n"):
            file.write(piece)
            file.flush()
            time.sleep(0.1)
    second = watch.record()
    assert (second["event"], second["version"], second["changes"]) == ("built", "v2", ["design/命名規則.md"])
    assert second["build"]["chunks"]["embedded"] == 1
    # A half-written workbook: the version stays, and the rest of the file is picked up.
    book = rules / "write" / "図表規則.xlsx"
    whole = book.read_bytes()
    book.write_bytes(whole[: len(whole) // 2])
    third = watch.record()
    assert (third["event"], third["version"], third["error"]["code"]) == ("failed", "v2", "build-failed")
    assert [f["name"] for f in third["failures"]] == ["図表規則.xlsx"]
    book.write_bytes(whole)
    fourth = watch.record()
    assert (fourth["event"], fourth["version"]) == ("unchanged", "v2")
    (rules / "write" / "図表規則.xlsx").unlink()
    fifth = watch.record()
    assert (fifth["event"], fifth["version"], fifth["build"]["deleted"]) == ("built", "v3", ["図表規則.xlsx"])
    watch.interrupt()
    assert watch.record() == {"event": "stopped", "version": "v3"}
    assert watch.end() == (0, "")
    assert leftovers(root) == []


def test_watch_stops_on_a_service_managers_signal_and_polls_when_asked(rules, start):
    # The handbook lies in the watched folder, and its own files start nothing.
    root = rules / "handbook"
    watch = start("watch", rules, "--root", root, "--settle", "0.3", "--poll", *QUICK)
    deadline = time.monotonic() + LIMIT
    while not (root / "active.json").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(3)
    watch.process.terminate()
    code, error = watch.end()
    assert (code, error) == (0, "")
    assert sorted(p.name for p in (root / "manifests").iterdir()) == ["v1.json"]


def test_watch_of_a_folder_that_is_not_there(tmp_path, start):
    code, error = start("watch", tmp_path / "no", "--root", tmp_path / "h").end()
    assert code == 1
    assert "is no folder" in error


def collected():
    return Collected((), {})


def test_the_last_version_stays_whatever_happens():
    outcomes = [
        BuildReport("v1", None, "m", "r"),
        BuildError("1 of 2 documents cannot be read: a.docx."),
        OSError(2, "No such file or directory"),
        BuildReport(None, "v1", "m", "r"),
    ]
    called = []

    def build(_):
        called.append(None)
        outcome = outcomes[len(called) - 1]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    batches = [{"b", "a"}, set(), {"a"}, set(), {"c"}]
    results = list(rebuild_on_changes(batches, collected, build, iter(range(100)).__next__))
    assert [(r.event, r.changes) for r in results] == [
        ("built", ()), ("failed", ("a", "b")), ("failed", ("a",)), ("unchanged", ("c",)),
    ]  # fmt: skip
    assert {r.seconds for r in results} == {1}


def test_while_another_process_writes_the_build_is_repeated_without_a_change():
    outcomes = iter([HandbookLockedError("written by process 7"), HandbookLockedError("again"), None])

    def build(_):
        if error := next(outcomes):
            raise error
        return BuildReport("v1", None, "m", "r")

    results = rebuild_on_changes([set(), set(), set(), set()], collected, build)
    assert [r.event for r in results] == ["failed", "failed", "built"]


STOPPED_IN = """
import os, signal, sys, time
from kisoku.adapters.cli import main
from kisoku.adapters.cli.progress import BuildBar
phase, call = sys.argv.pop(1), BuildBar.__call__

def stop_there(self, progress):
    call(self, progress)
    if progress.stage == phase and (phase != "publish" or progress.done == int(os.environ.get("DONE", "0"))):
        os.killpg(os.getpgid(0), signal.SIGINT)
        time.sleep(5)

BuildBar.__call__ = stop_there
main.run()
"""


def stopped_in(phase, root, rules, **environment):
    return subprocess.run(
        [sys.executable, "-P", "-c", STOPPED_IN, phase, "build", str(rules), "--root", str(root), *QUICK],
        capture_output=True, text=True, timeout=LIMIT, check=False, start_new_session=True,
        env=os.environ | environment,
    )  # fmt: skip


@pytest.mark.parametrize("phase", ["parse", "embed", "index", "publish"])
def test_ctrl_c_in_a_build_leaves_nothing_behind_and_says_so(phase, built, rules, tmp_path):
    root = tmp_path / "fresh"
    done = stopped_in(phase, root, rules)
    assert done.returncode == 130, done.stderr
    assert "Nothing of the new version is left; there is no version yet." in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert [p.name for p in root.rglob("*") if p.is_file() and p.name != ".write.lock"] == []
    # Beside a version that is there.
    (rules / "design" / "命名規則.md").write_text("# 命名規則\n\n列名はスネークケースで付ける。\n", encoding="utf-8")
    before = {p for p in built.rglob("*") if p.name != ".write.lock"}
    done = stopped_in(phase, built, rules)
    assert done.returncode == 130, done.stderr
    assert "Nothing of the new version is left; v1 stays active." in " ".join(done.stderr.split())
    assert {p for p in built.rglob("*") if p.name != ".write.lock" and p.is_file()} == {
        p for p in before if p.is_file()
    }
    assert not (built / "staging").exists()


def test_ctrl_c_right_after_publishing_says_that_the_version_is_there(rules, tmp_path):
    root = tmp_path / "fresh"
    done = stopped_in("publish", root, rules, DONE="1")
    assert done.returncode == 130
    assert "Stopped after v1 was published; it is active and complete." in " ".join(done.stderr.split())
    assert json.loads((root / "active.json").read_text())["version"] == "v1"
    assert leftovers(root) == []
    shutil.rmtree(root)
