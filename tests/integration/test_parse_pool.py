"""The parse pool with real processes: hostile documents end as their own error and nothing else ends."""

import operator
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from kisoku.adapters.chunking.guard import ParseLimits
from kisoku.adapters.chunking.pool import ParsePool
from kisoku.domain.errors import CorruptDocumentError, DocumentTooLargeError, KisokuError
from kisoku.ports.worker_pool import TaskOutcome

# A task must be importable in a fresh interpreter: `eval` is, and turns any expression into a "document".
LIMITS = ParseLimits(memory_bytes=300_000_000, seconds=5.0)


def by_name(outcomes: list[TaskOutcome[object]]) -> dict[str, TaskOutcome[object]]:
    return {outcome.name: outcome for outcome in outcomes}


def children() -> list[psutil.Process]:
    """Return the workers of pools that are still there; servers of other tests in this process are none."""
    return [child for child in psutil.Process().children(recursive=True) if child.name().startswith("python")]


def test_every_document_has_an_outcome_and_workers_are_reused() -> None:
    pool: ParsePool[str, object] = ParsePool(eval, workers=2, limits=LIMITS)
    items = [(f"{n}.docx", f"({n} * {n}, __import__('os').getpid())") for n in range(20)]
    outcomes = by_name(list(pool.run(items)))
    assert {name: outcome.result[0] for name, outcome in outcomes.items()} == {f"{n}.docx": n * n for n in range(20)}
    assert 1 <= len({outcome.result[1] for outcome in outcomes.values()}) <= 2
    assert children() == []


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS is enforced on Linux only")
def test_a_document_that_eats_memory_is_too_large_and_the_others_are_read() -> None:
    pool: ParsePool[str, object] = ParsePool(eval, workers=1, limits=LIMITS)
    outcomes = by_name(list(pool.run([("a", "1"), ("bomb", "len(bytearray(2 * 10**9))"), ("b", "2")])))
    assert outcomes["a"].result == 1
    assert outcomes["b"].result == 2
    error = outcomes["bomb"].error
    assert isinstance(error, DocumentTooLargeError)
    assert "memory" in error.message


def test_a_document_that_hangs_is_too_large() -> None:
    limits = ParseLimits(seconds=0.5)
    pool: ParsePool[str, object] = ParsePool(eval, workers=1, limits=limits)
    began = time.monotonic()
    outcomes = by_name(list(pool.run([("slow", "__import__('time').sleep(60)"), ("b", "2")])))
    assert isinstance(outcomes["slow"].error, DocumentTooLargeError)
    assert "0.5 seconds" in outcomes["slow"].error.message
    assert outcomes["b"].result == 2
    assert time.monotonic() - began < 20


@pytest.mark.parametrize("how", ["SIGKILL", "SIGSEGV"])
def test_a_document_that_kills_its_worker_harms_no_other(how: str) -> None:
    pool: ParsePool[str, object] = ParsePool(eval, workers=2, limits=LIMITS)
    kill = f"__import__('os').kill(__import__('os').getpid(), {int(getattr(signal, how))})"
    items = [("a", "1"), ("killer", kill), *((f"n{n}", str(n)) for n in range(6))]
    outcomes = by_name(list(pool.run(items)))
    assert isinstance(outcomes["killer"].error, DocumentTooLargeError)
    assert [outcomes[f"n{n}"].result for n in range(6)] == list(range(6))


@pytest.mark.parametrize("workers", [0, 1])
def test_an_unexpected_exception_is_that_documents_error(workers: int) -> None:
    pool: ParsePool[str, object] = ParsePool(eval, workers=workers, limits=LIMITS)
    outcomes = by_name(list(pool.run([("a", "1"), ("bad", "{}['x']")])))
    assert outcomes["a"].result == 1
    assert isinstance(outcomes["bad"].error, CorruptDocumentError)
    assert outcomes["bad"].error.document == "bad"
    assert "KeyError" in outcomes["bad"].error.message


def test_a_result_that_cannot_be_sent_is_that_documents_error() -> None:
    pool: ParsePool[str, object] = ParsePool(eval, workers=1, limits=LIMITS)
    outcomes = by_name(list(pool.run([("lambda", "lambda: 1"), ("b", "2")])))
    assert isinstance(outcomes["lambda"].error, CorruptDocumentError)
    assert outcomes["b"].result == 2


def test_what_a_parser_prints_does_not_get_among_the_answers() -> None:
    pool: ParsePool[str, object] = ParsePool(eval, workers=1, limits=LIMITS)
    items = [(str(n), f"(print('noise'), __import__('os').write(1, b'noise'), {n})[2]") for n in range(3)]
    assert sorted(outcome.result for outcome in pool.run(items)) == [0, 1, 2]


def test_the_initializer_runs_once_a_worker_and_its_failure_is_reported() -> None:
    # setattr(sys, "kisoku_probe", 7) in the worker, read back by the task.
    pool: ParsePool[str, object] = ParsePool(
        eval, workers=1, limits=LIMITS, initializer=exec, initargs=("import sys; sys.kisoku_probe = 7",)
    )
    assert [o.result for o in pool.run([("a", "__import__('sys').kisoku_probe")])] == [7]
    broken: ParsePool[str, object] = ParsePool(eval, workers=1, initializer=exec, initargs=("1 / 0",))
    with pytest.raises(KisokuError, match="ZeroDivisionError"):
        list(broken.run([("a", "1")]))
    assert children() == []


def test_stopping_early_leaves_no_process() -> None:
    pool: ParsePool[str, object] = ParsePool(eval, workers=2, limits=LIMITS)
    outcomes = pool.run([("a", "1"), *((f"s{n}", "__import__('time').sleep(60)") for n in range(4))])
    assert next(iter(outcomes)).result == 1
    outcomes.close()
    assert children() == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_leaves_no_process() -> None:
    script = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "from kisoku.adapters.chunking.pool import ParsePool\n"
        "pool = ParsePool(eval, workers=2)\n"
        "for o in pool.run([('a', '1'), ('b', '__import__(\"time\").sleep(60)')]): print(o.result, flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        workers = psutil.Process(process.pid).children()
        assert workers
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=20)
    assert psutil.wait_procs(workers, timeout=10)[1] == []


def test_items_are_drawn_only_as_they_are_needed() -> None:
    drawn: list[int] = []

    def items():
        for n in range(100):
            drawn.append(n)
            yield str(n), n

    pool: ParsePool[int, int] = ParsePool(operator.neg, workers=1, limits=LIMITS)
    outcomes = pool.run(items())
    assert next(outcomes).result == 0
    assert len(drawn) <= 3
    outcomes.close()
