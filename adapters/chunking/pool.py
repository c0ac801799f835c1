"""Parse documents in worker processes, so that a hostile file harms nothing but itself.

Each worker has a memory limit and each document a time limit. A worker that is killed, crashes or runs out of
either ends as an error of that one document; a new worker takes its place. Workers are fresh interpreters, not
forks and not `multiprocessing` children: nothing of the caller's main script is imported again.

The memory limit is RLIMIT_AS. Where the system has none (Windows) or does not enforce it (macOS), the time limit
and the checks before parsing remain.
"""

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar, cast

from ...domain.errors import DocumentError, DocumentTooLargeError, KisokuError
from ...ports.worker_pool import TaskOutcome
from .guard import ParseLimits
from .pool_worker import Job, Setup, as_document_error, receive, send

A = TypeVar("A")
R = TypeVar("R")

_STARTUP_SECONDS = 120.0
"""A worker may load a tokenizer before its first document."""
_POLL_SECONDS = 1.0


class ParsePool(Generic[A, R]):
    """Runs one task over many documents in reusable worker processes.

    Args:
        task: A picklable callable, importable by its module's name (no lambda, nothing of `__main__`).
        workers: Number of processes; None for one a core; 0 runs everything in this process, without limits
            of memory and time.
        limits: Memory and time of one document.
        initializer: Called once in each worker before its first document, to load what all documents need.
        initargs: Its arguments.
    """

    def __init__(
        self,
        task: Callable[[A], R],
        *,
        workers: int | None = None,
        limits: ParseLimits | None = None,
        initializer: Callable[..., object] | None = None,
        initargs: tuple[object, ...] = (),
    ) -> None:
        limits = limits or ParseLimits()
        self._workers = _cores() if workers is None else workers
        self._setup = Setup(task, initializer, initargs, limits.memory_bytes, limits.seconds)

    def run(self, items: Iterable[tuple[str, A]]) -> Iterator[TaskOutcome[R]]:
        """Yield one outcome an item, in the order in which they finish.

        Items are drawn as workers become free. When the caller stops early (or presses Ctrl-C), all workers are
        ended before this returns.

        Raises:
            KisokuError: A worker cannot start: the task cannot be imported, the initializer failed.
        """
        if self._workers == 0:
            yield from self._in_process(items)
            return
        crew = _Crew[A, R](self._setup, self._workers)
        try:
            yield from crew.run(items)
        finally:
            crew.stop()

    def _in_process(self, items: Iterable[tuple[str, A]]) -> Iterator[TaskOutcome[R]]:
        self._setup.initialize()
        for name, argument in items:
            began = time.monotonic()
            try:
                result = cast("R", self._setup.task(argument))
            except Exception as error:  # noqa: BLE001  # whatever a parser raises is that document's failure
                failure = as_document_error(name, error)
                yield TaskOutcome(name, error=failure, seconds=time.monotonic() - began)
            else:
                yield TaskOutcome(name, result, seconds=time.monotonic() - began)


class _Crew(Generic[A, R]):
    """The workers of one run: a thread drives each process, so that waiting works alike on every system."""

    def __init__(self, setup: Setup, size: int) -> None:
        self._setup = setup
        self._size = size
        self._inbox: queue.SimpleQueue[tuple[str, A] | None] = queue.SimpleQueue()
        self._outbox: queue.SimpleQueue[TaskOutcome[R] | KisokuError] = queue.SimpleQueue()
        self._workers: list[_Worker] = []
        self._threads: list[threading.Thread] = []

    def run(self, items: Iterable[tuple[str, A]]) -> Iterator[TaskOutcome[R]]:
        pending = 0
        source = iter(items)
        exhausted = False
        while True:
            # One document waits for each worker, no more: they may be large.
            while not exhausted and pending < 2 * self._size:
                item = next(source, None)
                if item is None:
                    exhausted = True
                    break
                self._inbox.put(item)
                pending += 1
                if len(self._threads) < min(self._size, pending):
                    self._hire()
            if pending == 0:
                return
            outcome = self._next()
            if isinstance(outcome, KisokuError):
                raise outcome
            pending -= 1
            yield outcome

    def stop(self) -> None:
        """End all processes and threads."""
        for worker in self._workers:
            worker.retire()
        for _ in self._threads:
            self._inbox.put(None)
        for thread in self._threads:
            thread.join()

    def _next(self) -> TaskOutcome[R] | KisokuError:
        while True:
            # With a timeout, so that Ctrl-C is noticed on systems where waiting cannot be interrupted.
            with contextlib.suppress(queue.Empty):
                return self._outbox.get(timeout=_POLL_SECONDS)

    def _hire(self) -> None:
        worker = _Worker(self._setup)
        thread = threading.Thread(target=self._drive, args=(worker,), name="kisoku-parse", daemon=True)
        self._workers.append(worker)
        self._threads.append(thread)
        thread.start()

    def _drive(self, worker: "_Worker") -> None:
        try:
            while not worker.retired and (item := self._inbox.get()) is not None:
                name, argument = item
                began = time.monotonic()
                result, error = worker.parse(name, argument)
                self._outbox.put(TaskOutcome(name, cast("R", result), error, time.monotonic() - began))
        except KisokuError as error:
            self._outbox.put(error)
        except Exception as error:  # noqa: BLE001  # a thread that dies silently would leave the caller waiting
            self._outbox.put(KisokuError(f"A parse worker failed: {type(error).__name__}: {error}"))
        finally:
            worker.close()


class _Worker:
    """One worker process, started when it is needed and again after it died."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self.retired = False

    def parse(self, name: str, argument: object) -> tuple[object, DocumentError | None]:
        """Return the task's result or the document's error."""
        process = self._process or self._start()
        overdue = threading.Event()
        timer = threading.Timer(self._setup.seconds, self._end_overdue, args=(process, overdue))
        timer.daemon = True
        timer.start()
        try:
            send(process.stdin, Job(name, argument))
            answer = receive(process.stdout)
        except (EOFError, OSError):
            process.kill()
            process.wait()
            self.close()
            return None, self._death(name, process.returncode, overdue=overdue.is_set())
        finally:
            timer.cancel()
        if answer.spent:
            # Its memory is in pieces after it ran out once.
            self.close()
        return answer.result, answer.error

    def retire(self) -> None:
        """End the process from another thread; no new one is started."""
        with self._lock:
            self.retired = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """End the process if it runs."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()

    def _start(self) -> subprocess.Popen[bytes]:
        module = f"{__package__}.pool_worker"
        code = f"import sys; sys.path[:] = {sys.path!r}; from {module} import serve; serve()"
        with self._lock:
            if self.retired:
                raise KisokuError("The parse pool was stopped.")
            process = subprocess.Popen(  # noqa: S603  # this interpreter, with an argument made here
                [sys.executable, "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # One thread each: there is a process a core already.
                env={"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **os.environ},
            )
            self._process = process
        timer = threading.Timer(_STARTUP_SECONDS, process.kill)
        timer.daemon = True
        timer.start()
        try:
            send(process.stdin, self._setup)
            answer = receive(process.stdout)
        except (EOFError, OSError) as error:
            raise KisokuError(
                "A parse worker ended before it was ready.", hint="The worker's own message is above."
            ) from error
        finally:
            timer.cancel()
        if answer.error is not None:
            raise KisokuError(f"A parse worker cannot start: {answer.error.message}")
        return process

    @staticmethod
    def _end_overdue(process: subprocess.Popen[bytes], overdue: threading.Event) -> None:
        overdue.set()
        process.kill()

    def _death(self, name: str, code: int, *, overdue: bool) -> DocumentError:
        if overdue:
            why = f"took longer than {self._setup.seconds:g} seconds to parse"
        else:
            why = f"ended the process that parsed it (exit code {code}), most likely out of memory"
        return DocumentTooLargeError(
            name, f"{name} {why}.", hint="Split the document, or raise the limit in the settings."
        )


def _cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(len(os.sched_getaffinity(0)), 1)
    return os.cpu_count() or 1
