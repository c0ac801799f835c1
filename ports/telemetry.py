"""Port: those who watch searches, such as traces, metrics and logs."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal

from ..domain.search import SearchResult

Operation = Literal["search", "lookup", "answer"]
"""What is watched: one search, or a tool call around one."""
StageKind = Literal["chain", "embedding", "retriever", "reranker", "guardrail"]


@dataclass(frozen=True, slots=True)
class WatchedDocument:
    """A chunk as a stage saw it.

    Attributes:
        id: The chunk's id.
        score: The stage's own score for it, None where the stage does not score.
        content: Its text, "" where the stage worked without texts.
        metadata: Source, headings and the scores of other stages, JSON-ready.
    """

    id: str
    score: float | None
    content: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WatchedStage:
    """One stage of a search.

    Attributes:
        name: Name of the stage ("fusion").
        kind: What it does.
        started: When it began, Unix time in seconds.
        milliseconds: How long it took.
        incoming: Entries it got.
        outgoing: Entries it passed on.
        details: What it decided, JSON-ready.
        query: The query as this stage got it.
        model: The model it used, "" for none.
        texts: Texts that were embedded.
        given: What a reranker got, best first.
        returned: What it passed on, best first.
    """

    name: str
    kind: StageKind
    started: float
    milliseconds: float
    incoming: int
    outgoing: int
    details: Mapping[str, Any]
    query: str = ""
    model: str = ""
    texts: tuple[str, ...] = ()
    given: tuple[WatchedDocument, ...] = ()
    returned: tuple[WatchedDocument, ...] = ()

    @property
    def degraded(self) -> str:
        """What went wrong in it, "" when nothing did."""
        told = [str(self.details["degraded"])] if "degraded" in self.details else []
        told += [f"{key} {value}" for key, value in self.details.items() if str(value).startswith("unavailable")]
        return "; ".join(told)


@dataclass(frozen=True, slots=True)
class WatchedSearch:
    """A search that is done.

    Attributes:
        operation: What was asked for.
        result: What was found; for a lookup with the conflicts among what it gives.
        session_id: The session, None outside one.
        milliseconds: Time from the call to the answer, recording and plugins included.
        first: It is the first of this process, which loads models and indexes.
        stages: Makes the stages with at most so many documents of each list; only called by those who need them.
        documents: What a lookup gave, where that is not what the search found.
        text: The answer of a chat model or the message of a lookup, "" for none.
        attributes: What else there is to tell, by name.
    """

    operation: Operation
    result: SearchResult
    session_id: str | None
    milliseconds: float
    first: bool
    stages: Callable[[int], Sequence[WatchedStage]]
    documents: tuple[WatchedDocument, ...] | None = None
    text: str = ""
    attributes: Mapping[str, str | int | float | bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchIdentity:
    """The search that runs in this context, for logs."""

    trace_id: str
    session_id: str | None


RUNNING: ContextVar[SearchIdentity | None] = ContextVar("kisoku_running_search", default=None)
"""The search that this context is in, None outside one."""


class RunningWatch(ABC):
    """One search being watched."""

    @property
    def trace_id(self) -> str:
        """The identity that the search shall have, "" when this watcher does not mind."""
        return ""

    @abstractmethod
    def done(self, seen: WatchedSearch) -> None:
        """Hear what the search found."""

    @abstractmethod
    def failed(self, error: BaseException) -> None:
        """Hear that the search raised."""

    @abstractmethod
    def close(self) -> None:
        """Leave the search; called last, whatever happened."""


class SearchWatcher(ABC):
    """Watches searches.

    Contract:

    - Every search begins with `begin` and ends with `done` or `failed`, then `close`, all in the caller's thread and
      time: nothing here waits for a network or a disk.
    - What a watcher raises is logged and never reaches the search.
    - `begin` returns None for a search that it does not watch.
    """

    @abstractmethod
    def begin(self, operation: Operation, started: float) -> RunningWatch | None:
        """Start watching a search.

        Args:
            operation: What is asked for.
            started: When it began, Unix time in seconds.
        """

    @abstractmethod
    def flush(self) -> None:
        """Send what is waiting, in bounded time."""
