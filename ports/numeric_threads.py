"""One numeric thread while a search computes."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np  # noqa: F401  # only libraries that are loaded are found
from threadpoolctl import ThreadpoolController

_lock = threading.Lock()
_inside = 0
_limiter: Any = None


@contextmanager
def one_numeric_thread() -> Iterator[None]:
    """Keep BLAS to one thread, for every thread of the process, until the last caller leaves.

    The products of a search take microseconds. BLAS would wake a thread per core for each and let it spin while it
    waits: on a machine with other work one product then takes hundreds of milliseconds instead of ten.
    """
    global _inside, _limiter  # noqa: PLW0603  # BLAS has one number of threads for the process
    with _lock:
        _inside += 1
        if _inside == 1:
            _limiter = _controller().limit(limits=1, user_api="blas")
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limiter.restore_original_limits()
                _limiter = None


@lru_cache(maxsize=1)
def _controller() -> Any:
    return ThreadpoolController()
