"""Loading what a build will need while worker processes read its documents.

Opening the vector store and loading the embedding model take a second or two each, most of a rebuild after one edit.
The workers leave this process idle meanwhile.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence


@contextlib.contextmanager
def loading_ahead(loads: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Call functions one after the other in a thread; it has ended when the block is left.

    Args:
        loads: What fails here fails again where it is needed, and is told there.
    """

    def run() -> None:
        for load in loads:
            with contextlib.suppress(Exception):
                load()

    thread = threading.Thread(target=run, name="kisoku-load-ahead")
    thread.start()
    try:
        yield
    finally:
        thread.join()
