"""One writer at a time, and the name of the one who writes."""

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...domain.errors import HandbookError, HandbookLockedError


@contextmanager
def writer_lock(root: Path) -> Iterator[None]:
    """Hold the writer's lock of a handbook.

    The lock is the operating system's (flock): it ends with its owner, so that of a dead process is free at once.
    The owner's PID and host stand beside it only to be told to others.

    Raises:
        HandbookLockedError: Another process holds it.
        HandbookError: The folder takes no lock.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(root / ".write.lock", timeout=0)
    owner = root / ".write.owner"
    try:
        lock.acquire()
    except Timeout:
        raise HandbookLockedError(
            f"The handbook {root} is being written by {_owner(owner)}.",
            hint="Wait until that process has finished, or stop it.",
        ) from None
    except OSError as error:
        raise HandbookError(
            f"The handbook {root} cannot be locked: {error.strerror or error}.",
            hint="Check free space and permissions.",
        ) from error
    try:
        # A full disk hides the owner's name from others; the lock holds without it.
        with contextlib.suppress(OSError):
            owner.write_text(json.dumps({"pid": os.getpid(), "host": socket.gethostname()}), encoding="utf-8")
        yield
    finally:
        with contextlib.suppress(OSError):
            owner.unlink(missing_ok=True)
        lock.release()


def owner_of(root: Path) -> str:
    """Return who holds the lock of a handbook, as far as that is known."""
    return _owner(root / ".write.owner")


def _owner(path: Path) -> str:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return f"process {record['pid']} on {record['host']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
