"""Rebuilding whenever documents change, and keeping the last good version whatever happens to them."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from ...domain.errors import BuildError, HandbookLockedError, KisokuError
from .collect import Collected
from .progress import BuildReport


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What became of one batch of changes.

    Attributes:
        event: built; unchanged (the files say what the active version says); failed (the last version stays active).
        changes: Paths that changed, relative to the folder; none for the first build and for a repeated one.
        seconds: How long the build took.
        report: What the build did, None when it failed.
        skipped: Files that are no documents, with the reason.
        error: Why it failed.
    """

    event: Literal["built", "unchanged", "failed"]
    changes: tuple[str, ...]
    seconds: float
    report: BuildReport | None = None
    skipped: tuple[tuple[str, str], ...] = ()
    error: KisokuError | None = None


def rebuild_on_changes(
    batches: Iterable[Collection[str]],
    collect: Callable[[], Collected],
    build: Callable[[Collected], BuildReport],
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Rebuilt]:
    """Build once at the start and again after each batch of changes.

    A failed build is told and changes nothing: a half-written file fails, and is read again when the rest of it has
    come. While another process writes the handbook, the build is repeated with the next batch, empty or not.

    Args:
        batches: Paths that changed and have settled; an empty batch says that time has passed.
        collect: Reads which documents the folder holds now.
        build: Makes a version of them.
        clock: Seconds.

    Yields:
        One result a build.
    """
    result = _rebuilt((), collect, build, clock)
    yield result
    for batch in batches:
        if batch or isinstance(result.error, HandbookLockedError):
            result = _rebuilt(tuple(sorted(batch)), collect, build, clock)
            yield result


def _rebuilt(
    changes: tuple[str, ...],
    collect: Callable[[], Collected],
    build: Callable[[Collected], BuildReport],
    clock: Callable[[], float],
) -> Rebuilt:
    began = clock()
    try:
        collected = collect()
        report = build(collected)
    except OSError as error:
        # A file that was there when the folder was listed and is gone when it is looked at.
        failure = BuildError(f"The documents cannot be read: {error}.")
        return Rebuilt("failed", changes, clock() - began, error=failure)
    except KisokuError as error:
        return Rebuilt("failed", changes, clock() - began, error=error)
    event: Literal["built", "unchanged"] = "unchanged" if report.version is None else "built"
    return Rebuilt(event, changes, clock() - began, report, collected.skipped)
