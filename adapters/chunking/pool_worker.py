"""The worker side of the parse pool: read a job, run the task within the limits, answer."""

import os
import pickle
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from ...domain.errors import CorruptDocumentError, DocumentError, DocumentTooLargeError, KisokuError

_LENGTH_BYTES = 8
_GRACE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Setup:
    """First message to a worker: what it shall do and within which limits."""

    task: Callable[[Any], object]
    initializer: Callable[..., object] | None
    initargs: tuple[object, ...]
    memory_bytes: int
    seconds: float

    def initialize(self) -> None:
        """Call the initializer, if there is one."""
        if self.initializer is not None:
            self.initializer(*self.initargs)


@dataclass(frozen=True, slots=True)
class Job:
    """One document."""

    name: str
    argument: object


@dataclass(frozen=True, slots=True)
class Answer:
    """A job's result or error; `spent` asks for a new process, since this one ran out of memory."""

    result: object = None
    error: DocumentError | None = None
    spent: bool = False


def send(stream: IO[bytes] | None, message: object) -> None:
    """Write one message.

    Raises:
        OSError: The other side is gone.
    """
    if stream is None:
        raise EOFError
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(len(data).to_bytes(_LENGTH_BYTES, "big"))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes] | None) -> Any:
    """Read one message.

    Raises:
        EOFError: The other side is gone.
    """
    if stream is None:
        raise EOFError
    head = stream.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        raise EOFError
    length = int.from_bytes(head, "big")
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)  # noqa: S301  # both ends are this program


def as_document_error(name: str, error: BaseException) -> DocumentError:
    """Return what a parser raised as the document's error."""
    if isinstance(error, DocumentError):
        return error
    if isinstance(error, MemoryError):
        return DocumentTooLargeError(
            name,
            f"{name} needs more memory to parse than the limit.",
            hint="Split the document, or raise the limit in the settings.",
        )
    if isinstance(error, KisokuError):
        return CorruptDocumentError(name, f"{name} cannot be read: {error.message}", hint=error.hint)
    if isinstance(error, RecursionError):
        return CorruptDocumentError(name, f"{name} is nested too deeply to be read.")
    return CorruptDocumentError(name, f"{name} cannot be read: {type(error).__name__}: {error}")


def serve() -> None:
    """Answer jobs from standard input until it ends."""
    # Ctrl-C is the parent's to handle: it ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source = sys.stdin.buffer
    target = os.fdopen(os.dup(1), "wb")
    # What a library prints must not get among the answers.
    os.dup2(2, 1)
    try:
        setup: Setup = receive(source)
        setup.initialize()
        limit_memory(setup.memory_bytes)
    except EOFError:
        return
    except Exception as error:  # noqa: BLE001  # the parent reports it
        message = error.message if isinstance(error, KisokuError) else f"{type(error).__name__}: {error}"
        send(target, Answer(error=DocumentError("", message)))
        return
    send(target, Answer())
    while True:
        try:
            job: Job = receive(source)
        except EOFError:
            return
        _answer(target, setup, job)


def _answer(target: IO[bytes], setup: Setup, job: Job) -> None:
    # Should the parent be gone, nobody else ends a parser that hangs.
    _alarm(setup.seconds + _GRACE_SECONDS)
    try:
        send(target, Answer(setup.task(job.argument)))
    except BrokenPipeError:
        raise SystemExit(0) from None
    except Exception as error:  # noqa: BLE001  # whatever a parser raises is that document's failure
        spent = isinstance(error, MemoryError)
        failure = as_document_error(job.name, error)
        del error
        send(target, Answer(error=failure, spent=spent))
    finally:
        _alarm(0)


def _alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def limit_memory(memory_bytes: int) -> None:
    """Allow this process `memory_bytes` of address space beyond what it has now; no effect where unsupported."""
    if memory_bytes == 0:
        return
    try:
        import resource

        import psutil
    except ImportError:
        return
    present = psutil.Process().memory_info().vms
    try:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = present + memory_bytes
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    except (OSError, ValueError):
        # macOS has the constant but refuses to set it.
        return
