"""Work that is not waited for longer than agreed."""

import threading
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


def within(milliseconds: int, work: Callable[[], _T], name: str) -> _T | None:
    """Return the work's result, None when it is late; a late thread ends on its own and is not waited for.

    Args:
        milliseconds: How long is waited.
        work: Does not return None.
        name: Of the thread.

    Raises:
        BaseException: Whatever the work raised.
    """
    done: list[_T] = []
    failed: list[BaseException] = []

    def target() -> None:
        try:
            done.append(work())
        except BaseException as error:  # noqa: BLE001  # handed to the caller below
            failed.append(error)

    thread = threading.Thread(target=target, name=name, daemon=True)
    thread.start()
    thread.join(milliseconds / 1000)
    if failed:
        raise failed[0]
    return done[0] if done else None
