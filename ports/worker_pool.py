"""Port: running one task per document where a hostile document can do no harm."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from ..domain.errors import DocumentError

A_contra = TypeVar("A_contra", contravariant=True)
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


@dataclass(frozen=True, slots=True)
class TaskOutcome(Generic[R_co]):
    """What became of one document.

    Attributes:
        name: As given with the item.
        result: What the task returned; None when there is an error.
        error: Why the document has no result.
        seconds: Wall-clock time of the task.
    """

    name: str
    result: R_co | None = None
    error: DocumentError | None = None
    seconds: float = 0.0


class WorkerPool(Protocol):
    """Runs a task for each document under limits of memory and time.

    Contract:

    - The task is a top-level function and its argument picklable, since it may run in another process.
    - Outcomes come as they finish, one per item, in any order.
    - A task that raises `DocumentError` gives that error. One that raises anything else, runs out of memory
      or time, or dies, gives a fitting `DocumentError` for its document; the others go on.
    - Leaving the iteration early, also by an exception, leaves no process behind.
    """

    def run(self, task: Callable[[A_contra], R], items: Iterable[tuple[str, A_contra]]) -> Iterator[TaskOutcome[R]]:
        """Run `task(argument)` for each (document name, argument)."""
        ...
