"""The progress bar of a build: documents, chunks, embedding speed, time left."""

import contextlib
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import (
    Progress as Bar,
)

from ...orchestration.building.progress import Progress
from .messages import tr
from .output import counted, error_console

_LABELS = {
    "parse": "reading",
    "embed": "embedding",
    "sentences": "sentences",
    "words": "words",
    "index": "indexing",
    "publish": "publishing",
}


class BuildBar:
    """Shows a build on standard error, so that standard output stays clean for `--json`."""

    def __init__(self, *, enabled: bool = True) -> None:
        self._bar = Bar(
            SpinnerColumn(),
            TextColumn("{task.description:<10}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[info]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=error_console(),
            disable=not enabled,
        )
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """Show how far the build is."""
        if progress.total == 0:
            return
        task = self._tasks.get(progress.stage)
        if task is None:
            task = self._bar.add_task(tr(_LABELS[progress.stage]), total=progress.total, info="")
            self._tasks[progress.stage] = task
        self._bar.update(task, completed=progress.done, total=progress.total, info=self._info(progress, task))

    def _info(self, progress: Progress, task: TaskID) -> str:
        if progress.stage == "parse":
            return counted(progress.chunks, "chunk")
        if progress.stage in {"embed", "sentences", "words"}:
            elapsed = self._bar.tasks[task].elapsed or 0.0
            speed = progress.characters / elapsed if elapsed > 0 else 0.0
            return tr("{speed} characters/s", speed=f"{speed:,.0f}")
        return ""


@contextlib.contextmanager
def steps(label: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar for work of which `done` and `total` are told; nothing when standard error is no terminal."""
    bar = Bar(
        SpinnerColumn(),
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=error_console(),
        disable=not error_console().is_terminal,
    )
    with bar:
        task = bar.add_task(tr(label), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
