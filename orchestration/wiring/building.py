"""Reading documents and building versions."""

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version as distribution_version
from typing import TYPE_CHECKING, Any, TypeVar

from ...config.settings import Settings
from ...ports.worker_pool import TaskOutcome, WorkerPool
from .parts import Parts, weights_of_model

if TYPE_CHECKING:
    from ..building.parsing import ChunkerRoutes, Inspect
    from ..building.tools import BuildTools
    from ..chunking import ChunkingTools
    from ..doctor.doctor import HandbookDoctor
    from ..handbook import RuleHandbookManager

_A = TypeVar("_A")
_R = TypeVar("_R")
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class _SubprocessPool:
    """The parse pool of the chunking adapters behind its port."""

    settings: Settings

    def run(self, task: Callable[[_A], _R], items: Iterable[tuple[str, _A]]) -> Iterator[TaskOutcome[_R]]:
        from ...adapters.chunking.pool import ParsePool

        pool = ParsePool(task, workers=self.settings.build.workers, limits=limits_of(self.settings))
        return pool.run(items)


def limits_of(settings: Settings) -> Any:
    """Return the limits of parsing one file."""
    from ...adapters.chunking.guard import ParseLimits

    build = settings.build
    return ParseLimits(
        max_file_bytes=build.max_file_mb * _MEGABYTE,
        max_inflated_bytes=build.max_inflated_mb * _MEGABYTE,
        memory_bytes=build.document_memory_mb * _MEGABYTE,
        seconds=build.document_seconds,
    )


class BuildingParts(Parts):
    """Builds, versions, repair."""

    @cached_property
    def inspect(self) -> "Inspect":
        """The check before parsing."""
        from ...adapters.chunking.guard import inspect

        return functools.partial(inspect, limits=limits_of(self.settings))

    @cached_property
    def pool(self) -> WorkerPool:
        """Worker processes for parsing."""
        return self._pool or _SubprocessPool(self.settings)

    @cached_property
    def routes(self) -> "ChunkerRoutes":
        """Which chunker reads what."""
        from ..building.parsing import ChunkerRoutes

        return ChunkerRoutes(self.plugins)

    @cached_property
    def chunking_tools(self) -> "ChunkingTools":
        """What cutting files without a handbook needs."""
        from ...adapters.chunking.cutting.accounting import account
        from ..chunking import ChunkingTools

        return ChunkingTools(
            self.settings, self.routes, self.models, self.pool, self.inspect, weights_of_model, account
        )

    @cached_property
    def build_tools(self) -> "BuildTools":
        """What a build needs."""
        from ..building.tools import BuildTools

        return BuildTools(
            plugins=self.plugins,
            settings=self.settings,
            models=self.models,
            pool=self.pool,
            inspect=self.inspect,
            weights_present=weights_of_model,
            clock=self.clock,
            tool_version=distribution_version("kisoku"),
            sentences=self.sentence_store,
            archives=self.archives,
        )

    @cached_property
    def manager(self) -> "RuleHandbookManager":
        """Builds and versions."""
        from ..handbook import RuleHandbookManager

        def locked() -> set[str]:
            return {record.version for record in self.sessions.sessions() if record.finished_at is None}

        return RuleHandbookManager(self.handbook_store, self.build_tools, locked)

    @cached_property
    def doctor(self) -> "HandbookDoctor":
        """Looks the handbook over and repairs it."""
        from ...adapters.handbook.care import FilesystemHandbookCare
        from ..doctor.doctor import HandbookDoctor

        care = FilesystemHandbookCare(self.settings.root)
        return HandbookDoctor(care, self.handbook_store, self.build_tools, self.sessions)
