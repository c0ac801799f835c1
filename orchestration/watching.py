"""Lets watchers see every search, and gives each search its identity."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from ..domain.search import SearchResult
from ..ports.telemetry import (
    RUNNING,
    Operation,
    RunningWatch,
    SearchIdentity,
    SearchWatcher,
    WatchedDocument,
    WatchedSearch,
)
from .retrieval.state import Step
from .watched_stages import watched_stages

_P = ParamSpec("_P")
_R = TypeVar("_R")
_LOG = logging.getLogger("kisoku.telemetry")


@dataclass(slots=True)
class Watched:
    """A search that is being watched.

    Attributes:
        trace_id: Its identity.
        operation: What is asked for.
        session_id: The session, None outside one.
        running: Those who watch it.
        first: Whether it is the first of this process.
        taken: A search within took the identity of the tool call around it.
    """

    trace_id: str
    operation: Operation
    session_id: str | None
    running: Sequence[RunningWatch]
    first: bool = False
    taken: bool = False
    began: float = field(default_factory=time.perf_counter)

    def found(
        self,
        result: SearchResult,
        steps: Sequence[Step] = (),
        *,
        documents: Sequence[WatchedDocument] | None = None,
        text: str = "",
        attributes: Mapping[str, str | int | float | bool] | None = None,
    ) -> None:
        """Show what was found.

        Args:
            result: The result as the caller gets it.
            steps: States around its stages.
            documents: What is given, where that is not what the search found.
            text: Answer or message.
            attributes: What else there is to tell.
        """
        if not self.running:
            return
        seen = WatchedSearch(
            operation=self.operation,
            result=result,
            session_id=self.session_id,
            milliseconds=(time.perf_counter() - self.began) * 1000,
            first=self.first,
            stages=lambda most: watched_stages(result, steps, most),
            documents=None if documents is None else tuple(documents),
            text=text,
            attributes=attributes or {},
        )
        for watch in self.running:
            _quietly(watch.done, seen)


_CURRENT: ContextVar[Watched | None] = ContextVar("kisoku_watched", default=None)


class Watching:
    """Tells watchers of every search.

    Args:
        watchers: Who watches; the first that has an identity for a search gives it.
        new_id: Makes identities where no watcher does.
    """

    def __init__(self, watchers: Sequence[SearchWatcher], new_id: Callable[[], str]) -> None:
        self._watchers = tuple(watchers)
        self._new_id = new_id
        self._searched = False

    @contextmanager
    def of(self, operation: Operation, session_id: str | None, started: float | None = None) -> Iterator[Watched]:
        """Watch what is done inside.

        The first search inside a lookup or an answer is its search and has its identity; any other, such as one that
        a plugin makes, has its own.

        Args:
            operation: What is asked for.
            session_id: The session, None outside one.
            started: When it began, Unix time in seconds; None for now.
        """
        around = _CURRENT.get()
        began = time.time() if started is None else started
        running: list[RunningWatch] = []
        try:
            for watcher in self._watchers:
                watch = _quietly(watcher.begin, operation, began)
                if watch is not None:
                    running.append(watch)
            if around is not None and around.operation != "search" and not around.taken:
                around.taken, identity = True, around.trace_id
            else:
                identity = next((watch.trace_id for watch in running if watch.trace_id), "") or self._new_id()
            watched = Watched(identity, operation, session_id, running, first=not self._searched)
            self._searched = self._searched or operation == "search"
            current = _CURRENT.set(watched)
            shown = RUNNING.set(SearchIdentity(identity, session_id))
            try:
                yield watched
            except BaseException as error:
                for watch in running:
                    _quietly(watch.failed, error)
                raise
            finally:
                RUNNING.reset(shown)
                _CURRENT.reset(current)
        finally:
            for watch in reversed(running):
                _quietly(watch.close)

    def flush(self) -> None:
        """Let watchers send what is waiting, in bounded time."""
        for watcher in self._watchers:
            _quietly(watcher.flush)


def _quietly(work: Callable[_P, _R], *arguments: _P.args, **named: _P.kwargs) -> _R | None:
    """Return what a watcher's work returns; what it raises is logged and goes no further."""
    try:
        return work(*arguments, **named)
    except Exception:  # noqa: BLE001  # a watcher's fault of any kind must not reach a search
        _LOG.exception("a watcher of searches failed")
        return None
