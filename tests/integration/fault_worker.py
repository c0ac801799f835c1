"""Writers that die, or whose disk fails, at the n-th step; run as a program, one fork a job (see test_fault_sweep.py).

Reads jobs as JSON from standard input, writes one JSON result a line. A job runs in a fork that ends there; what it
left is looked at in another fork, which was never in the first. The parent opens no store that starts threads.
"""

import builtins
import errno
import io
import itertools
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import conftest
import numpy as np
from kisoku.adapters.handbook.care import FilesystemHandbookCare
from kisoku.domain.errors import KisokuError
from kisoku.orchestration.bootstrap import Kisoku
from kisoku.plugins.manager import shared_manager
from kisoku.plugins.markers import hookimpl
from kisoku.ports.embedder import Embedder
from kisoku.ports.vectors import Matrix, Vector

QUERY = "表のヘッダー行は太字とし、列名はスネークケースで付ける"
EDITED = "# 命名規則\n\n## 列名\n\n列名はスネークケースで付け、三十文字を超えない。\n"
KILLED = 9


class TinyEmbedder(Embedder):
    """Counts of character bigrams, folded into 32 numbers: deterministic, and costs nothing."""

    @property
    def name(self) -> str:
        return "tiny"

    @property
    def dimension(self) -> int:
        return 32

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        rows = np.zeros((len(texts), 32), np.float32)
        for number, text in enumerate(texts):
            for first, second in itertools.pairwise(text):
                rows[number, (ord(first) * 31 + ord(second)) % 32] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)

    def embed_query(self, text: str) -> Vector:
        return self.embed_passages([text])[0]

    def count_tokens(self, text: str) -> int:
        return len(text)


class TinyPlugin:
    """Registers it."""

    @hookimpl
    def kisoku_embedders(self):
        return {"tiny": lambda options: TinyEmbedder()}


shared_manager().register(TinyPlugin(), "test-tiny", ("kisoku-tests", "1"))


class Faults:
    """Counts every call by which this process changes a disk, and fails at one of them."""

    def __init__(self) -> None:
        self.steps = 0
        self.at = 0
        self.mode = ""
        self.happened = False

    def arm(self, mode: str, at: int) -> None:
        self.mode, self.at = mode, at
        for name in ("fsync", "rename", "replace", "mkdir", "unlink", "rmdir", "sendfile", "ftruncate", "link"):
            setattr(os, name, self._counted(getattr(os, name), takes_space=name in {"mkdir", "sendfile", "link"}))
        os.open = self._opening(os.open)
        real = io.open

        def open_(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):  # noqa: PLR0917  # as the real one
            if isinstance(file, int) or not set(mode) & set("wxa+"):
                return real(file, mode, buffering, encoding, errors, newline, closefd, opener)
            self.step(takes_space=True)
            raw = FaultyFile(self, file, mode)
            if buffering == 0:
                return raw
            buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            return buffered if "b" in mode else io.TextIOWrapper(buffered, encoding, errors, newline)

        io.open = builtins.open = open_

    def step(self, *, takes_space: bool, half: Callable[[], object] = lambda: None) -> None:
        """Called before every step takes effect."""
        self.steps += 1
        due = self.steps == self.at
        if self.mode == "ENOSPC":
            # A full disk stays full, but renames and deletions go on.
            due = takes_space and self.at and self.steps >= self.at
        if not due:
            return
        self.happened = True
        if self.mode == "kill":
            half()
            os._exit(KILLED)
        if self.mode == "ENOSPC":
            half()
        if self.mode in {"ENOSPC", "EIO"}:
            number = getattr(errno, self.mode)
            raise OSError(number, os.strerror(number))

    def _counted(self, function, *, takes_space: bool):
        def run(*arguments, **options):
            self.step(takes_space=takes_space)
            return function(*arguments, **options)

        return run

    def _opening(self, function):
        def run(path, flags, *arguments, **options):
            if flags & os.O_CREAT:
                self.step(takes_space=True)
            return function(path, flags, *arguments, **options)

        return run


class FaultyFile(io.FileIO):
    """A file whose writes are steps; mode `lost` is a disk that says yes and keeps half."""

    def __init__(self, faults: Faults, path, mode: str) -> None:
        super().__init__(path, mode.replace("b", "").replace("t", ""))
        self._faults = faults
        self._lost = False

    def write(self, data) -> int:
        data = bytes(data)
        self._faults.step(takes_space=True, half=lambda: io.FileIO.write(self, data[: len(data) // 2]))
        if self._faults.mode == "lost" and self._faults.steps >= self._faults.at and self._faults.at:
            if not self._lost and not self._faults.happened:
                io.FileIO.write(self, data[: len(data) // 2])
                self._lost = self._faults.happened = True
                return len(data)
            if self._lost:
                return len(data)
        return io.FileIO.write(self, data)


def open_app(job: dict) -> Kisoku:
    embedder = {"adapter": job.get("embedder", "tiny")}
    store = {"adapter": job.get("store", "numpy")}
    # On a busy machine searches are slow, and standard error is for faults.
    quiet = {"slow_ms": 0}
    return Kisoku(conftest.quick_settings(Path(job["root"]), embedding=embedder, vector_store=store, logging=quiet))


def act(app: Kisoku, job: dict) -> None:
    folder, action = Path(job["folder"]), job["action"]
    if action in {"build", "first"}:
        conftest.build_folder(app, folder / ("edited" if action == "build" else "rules"))
    elif action == "reindex":
        app.manager.reindex("命名規則.md", EDITED.encode())
    elif action == "rollback":
        app.manager.rollback_to("v1")
    elif action == "prune":
        app.manager.prune(1)
    elif action == "import":
        app.manager.import_version(folder / "v2.kisoku", activate=True)
    elif action == "repair":
        app.doctor.repair()


def state(app: Kisoku) -> dict:
    """Everything that a reader can see: what is active, which versions there are, what each answers."""
    pointer = app.handbook_store.pointer()
    names = [m.version for m in app.manager.list_versions()]
    answers = {}
    for version in names or [None]:
        found = app.service.search(session_id=None, query=QUERY, agent="qa", top_k=30, version=version, record=False)
        answers[found.version] = [[c.chunk_id, c.content] for c in found.chunks]
        assert not [n for n in found.notices if n.code != "no_rule_constraints"], (version, found.notices)
    return {"active": pointer.version if pointer else None, "versions": names, "answers": answers}


def check(job: dict) -> dict:
    """Look at what a fork left, as a process that knows nothing of it, then let the next writer work."""
    found: dict = {}
    root = Path(job["root"])
    with open_app(job) as app:
        if job["action"] != "repair":
            found["state"] = state(app)
            report = app.doctor.examine(app.doctor.all_versions())
            found["faults"] = [f.message for f in report.findings if f.check not in {"leftovers", "writer"}]
    with open_app(job) as app:
        act(app, job)
        found["next"] = state(app)
        report = app.doctor.examine(app.doctor.all_versions())
        found["left"] = [f.message for f in report.findings]
        survey = FilesystemHandbookCare(root).survey()
        found["left"] += [*survey.leftovers, *survey.foreign]
    return found


def look(job: dict) -> dict:
    """Search once; tell the answer and its notices, or the error."""
    with open_app(job) as app:
        try:
            found = app.service.search(session_id=None, query=QUERY, agent="qa", top_k=30, record=False)
        except KisokuError as error:
            return {"error": type(error).__name__, "message": str(error)}
        result = {"version": found.version, "chunks": [[c.chunk_id, c.content, c.source_uri] for c in found.chunks]}
        return result | {"notices": [n.code for n in found.notices]}


def flipped(job: dict) -> dict:
    """Look at a version one bit of which is another, and go back to the last good one."""
    result = look(job)
    try:
        with open_app(job) as app:
            app.manager.rollback_to("v1")
            result["before"] = state_of(app, "v1")
    except KisokuError as error:
        result["before"] = f"{type(error).__name__}: {error}"
    return result


def state_of(app: Kisoku, version: str) -> list:
    found = app.service.search(session_id=None, query=QUERY, agent="qa", top_k=30, version=version, record=False)
    return [[c.chunk_id, c.content] for c in found.chunks]


def fail(job: dict) -> dict:
    """Run an action on a disk that fails; tell what the caller got, and what the same process then sees."""
    faults = Faults()
    found: dict = {}
    with open_app(job) as app:
        faults.arm(job["mode"], job["at"])
        try:
            act(app, job)
            found["outcome"] = "done"
        except KisokuError as error:
            found["outcome"] = type(error).__name__
            found["message"] = str(error)
        except Exception:  # noqa: BLE001  # whatever escapes is what the test looks for
            found["outcome"] = "bug"
            found["message"] = traceback.format_exc()
        found["steps"] = faults.steps
        found["happened"] = faults.happened
    return found


def killed(job: dict) -> dict:
    """Run an action that dies at a step; `at` 0 lets it live and tells how many steps it took."""
    faults = Faults()
    with open_app(job) as app:
        faults.arm("kill", job["at"])
        act(app, job)
    return {"steps": faults.steps}


def prepare(job: dict) -> dict:
    """Make the handbooks that jobs begin with, and tell what they look like before and after each action."""
    folder = Path(job["folder"])
    one, two, four = (dict(job, root=str(folder / name)) for name in ("one", "two", "four"))
    with open_app(one) as app:
        conftest.build_folder(app, folder / "rules")
    shutil.copytree(one["root"], two["root"])
    with open_app(two) as app:
        conftest.build_folder(app, folder / "edited")
        app.manager.export_version("v2", folder / "v2.kisoku")
    shutil.copytree(two["root"], four["root"])
    with open_app(four) as app:
        conftest.build_folder(app, folder / "rules")
        conftest.build_folder(app, folder / "edited")
        app.locks.lock_version("open", "v2")
    shutil.copytree(two["root"], folder / "broken")
    shutil.rmtree(folder / "broken" / "keyword" / "v2" / "rules-write")
    (folder / "broken" / "chroma" / "v2" / "seal.json").unlink()
    (folder / "empty").mkdir()
    return {}


def seen(job: dict) -> dict:
    with open_app(job) as app:
        return state(app)


WORK = {
    "killed": killed,
    "fail": fail,
    "check": check,
    "look": look,
    "flipped": flipped,
    "prepare": prepare,
    "seen": seen,
}


def forked(work: Callable[[dict], dict], job: dict, kill_after: float = 0) -> dict:
    """Run work in a fork and return its result with the exit code."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            result, code = work(job), 0
        except BaseException:  # noqa: BLE001  # a fork must not go on as its parent
            result, code = {"traceback": traceback.format_exc()}, 1
        data = json.dumps(result, ensure_ascii=False).encode("utf-8", "backslashreplace")
        while data:
            data = data[os.write(writing, data) :]
        os._exit(code)
    os.close(writing)
    if kill_after:
        time.sleep(kill_after)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(reading, "rb") as file:
        data = file.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return (json.loads(data) if data else {}) | {"code": code}


def flip(path: Path, place: int) -> None:
    with path.open("r+b") as file:
        file.seek(place // 8)
        byte = file.read(1)[0]
        file.seek(place // 8)
        file.write(bytes([byte ^ 1 << place % 8]))


def run(job: dict, scratch: Path) -> dict:
    """Run one job on a copy of its handbook, look at what is left, and throw the copy away."""
    root = scratch / "root"
    job = job | {"root": str(root)}
    if job["template"] != "empty":
        shutil.copytree(Path(job["folder"]) / job["template"], root)
    try:
        if "flip" in job:
            flip(root / job["flip"], job["place"])
        result = forked(WORK[job["work"]], job, job.get("kill_after", 0))
        if job.get("check"):
            result["after"] = forked(WORK[job["check"]], job)
        return result
    finally:
        for name in scratch.iterdir():
            shutil.rmtree(name)


def warm_up(jobs: list[dict]) -> None:
    """Import everything and load dictionaries once, without a store that starts threads of its own."""
    folder = Path(jobs[0]["folder"])
    with tempfile.TemporaryDirectory() as root, open_app({"root": root}) as app:
        conftest.build_folder(app, folder / "rules")
        state(app)
        app.doctor.examine()
    if any(job.get("embedder") == "counting" for job in jobs):
        conftest._use().embed_query("x")
    if any(job.get("store") == "chroma" for job in jobs):
        import chromadb  # noqa: F401  # imported here, once, and opened in the forks only


def main() -> None:
    jobs = json.load(sys.stdin)
    shm = Path("/dev/shm")  # noqa: S108  # memory is quicker than a disk, where there is enough
    in_memory = shm.is_dir() and os.access(shm, os.W_OK) and shutil.disk_usage(shm).free > 200_000_000
    with tempfile.TemporaryDirectory(dir=shm if in_memory else None, prefix="kisoku-faults-") as scratch:
        os.environ["TMPDIR"] = tempfile.tempdir = scratch
        warm_up(jobs)
        for job in jobs:
            result = forked(prepare, job) if job["work"] == "prepare" else run(job, Path(scratch))
            sys.stdout.write(json.dumps(result) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
