"""Telling plugins what happens, one by one, so that no plugin harms the work it is told about."""

import inspect
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pluggy import HookImpl

from ..domain.conflicts import ConflictGroup, DecisionRecord
from ..domain.manifest import Manifest
from ..domain.search import SearchRequest, SearchResult
from ..domain.sessions import SessionMetadata
from ..ports.agents import Finding

LIFECYCLE_HOOKS: Final = (
    "kisoku_handbook_built",
    "kisoku_session_started",
    "kisoku_version_locked",
    "kisoku_before_search",
    "kisoku_after_search",
    "kisoku_conflicts_found",
    "kisoku_conflict_resolved",
    "kisoku_chapter_started",
    "kisoku_chapter_finished",
    "kisoku_document_finished",
)
SLOW_SECONDS: Final = 1.0
"""A hook runs in the caller's thread; one that keeps it waiting longer is reported."""
_LONGEST_QUERY: Final = 10_000
_LOG = logging.getLogger("kisoku.plugins")


@dataclass(frozen=True, slots=True)
class Listener:
    """A plugin's implementation of a lifecycle hook: name of the plugin, the function, the arguments that it takes."""

    plugin: str
    function: Callable[..., object]
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PluginFailure:
    """What went wrong in a plugin: its name, the hook ("" when it did not even load), the cause in one line."""

    plugin: str
    hook: str
    cause: str


@dataclass(frozen=True, slots=True)
class HeardQuery:
    """What plugins made of a query.

    Attributes:
        query: The query to search with.
        changed_by: Plugins that changed it, in order.
        failures: What went wrong in others.
        milliseconds: How long they took.
    """

    query: str
    changed_by: tuple[str, ...] = ()
    failures: tuple[PluginFailure, ...] = ()
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """Calls the lifecycle hooks of all plugins; each failure is reported and logged, none reaches the caller.

    While a plugin is in a hook, what it causes itself in the same thread is not told to anybody, so that a hook may
    search without hearing of its own search.

    Attributes:
        listeners: Returns the implementations of a hook, in the order in which they are called.
        report: Is told each failure.
        timer: Seconds, for finding slow hooks.
    """

    listeners: Callable[[str], Sequence[Listener]]
    report: Callable[[PluginFailure], None]
    timer: Callable[[], float] = time.perf_counter
    _inside: threading.local = field(default_factory=threading.local)

    def handbook_built(self, manifest: Manifest) -> None:
        """Tell that a version was published."""
        self._tell("kisoku_handbook_built", {"manifest": manifest})

    def session_started(self, session_id: str) -> None:
        """Tell that a session came into being."""
        self._tell("kisoku_session_started", {"session_id": session_id})

    def version_locked(self, session_id: str, version: str) -> None:
        """Tell which version a session is locked to."""
        self._tell("kisoku_version_locked", {"session_id": session_id, "version": version})

    def before_search(self, request: SearchRequest) -> HeardQuery:
        """Let each plugin in turn change the query."""
        query = request.query
        changed_by: list[str] = []
        failures: list[PluginFailure] = []
        hook = "kisoku_before_search"
        audience = self._audience(hook)
        if not audience:
            return HeardQuery(query)
        began = self.timer()
        for listener in audience:
            answer, failure = self._call(hook, listener, {"query": query, "request": request})
            if failure is None and answer is not None:
                problem = _wrong_query(answer)
                failure = self._failed(hook, listener, problem) if problem else None
            if failure is not None:
                failures.append(failure)
            elif isinstance(answer, str) and answer.strip() != query:
                query = answer.strip()
                changed_by.append(listener.plugin)
        return HeardQuery(query, tuple(changed_by), tuple(failures), (self.timer() - began) * 1000)

    def after_search(self, result: SearchResult, session_id: str | None) -> tuple[PluginFailure, ...]:
        """Tell what a search found; return what went wrong, for the notices of the result."""
        return self._tell("kisoku_after_search", {"result": result, "session_id": session_id})

    def conflicts_found(self, session_id: str | None, chapter: str, conflicts: Sequence[ConflictGroup]) -> None:
        """Tell of new conflicts; of none nobody is told."""
        if conflicts:
            event = {"session_id": session_id, "chapter": chapter, "conflicts": tuple(conflicts)}
            self._tell("kisoku_conflicts_found", event)

    def conflict_resolved(self, decision: DecisionRecord) -> None:
        """Tell what a person decided."""
        self._tell("kisoku_conflict_resolved", {"decision": decision})

    def chapter_started(self, session_id: str, chapter: str) -> None:
        """Tell that work on a chapter begins."""
        self._tell("kisoku_chapter_started", {"session_id": session_id, "chapter": chapter})

    def chapter_finished(self, session_id: str, chapter: str, draft: str, findings: Sequence[Finding]) -> None:
        """Tell that a chapter is done."""
        event = {"session_id": session_id, "chapter": chapter, "draft": draft, "findings": tuple(findings)}
        self._tell("kisoku_chapter_finished", event)

    def document_finished(self, metadata: SessionMetadata) -> None:
        """Tell that a document is done."""
        self._tell("kisoku_document_finished", {"metadata": metadata})

    def _tell(self, hook: str, event: Mapping[str, object]) -> tuple[PluginFailure, ...]:
        failures = []
        for listener in self._audience(hook):
            answer, failure = self._call(hook, listener, event)
            if failure is None and answer is not None:
                failure = self._failed(hook, listener, f"returned {type(answer).__name__}; this hook returns nothing")
            if failure is not None:
                failures.append(failure)
        return tuple(failures)

    def _audience(self, hook: str) -> Sequence[Listener]:
        return () if getattr(self._inside, "hook", "") else self.listeners(hook)

    def _call(self, hook: str, listener: Listener, event: Mapping[str, object]) -> tuple[object, PluginFailure | None]:
        self._inside.hook = hook
        began = self.timer()
        try:
            answer = listener.function(**{name: event[name] for name in listener.arguments})
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a plugin raises, the work goes on
            return None, self._failed(hook, listener, one_line(error))
        finally:
            self._inside.hook = ""
            if self.timer() - began > SLOW_SECONDS:
                # Told once and without the time it took, which differs with every call.
                self._failed(hook, listener, f"is slow: it kept its caller waiting over {SLOW_SECONDS:g} s")
        if inspect.iscoroutine(answer):
            answer.close()
            return None, self._failed(hook, listener, "returned a coroutine; hooks are called synchronously")
        return answer, None

    def _failed(self, hook: str, listener: Listener, cause: str) -> PluginFailure:
        failure = PluginFailure(listener.plugin, hook, cause)
        self.report(failure)
        _LOG.warning("plugin %s: %s: %s", failure.plugin, failure.hook, failure.cause)
        return failure


def silent() -> Lifecycle:
    """Return a lifecycle that nobody listens to."""
    return Lifecycle(lambda _: (), lambda _: None)


def one_line(error: BaseException, most: int = 400) -> str:
    """Return type and message of an error in one line, at most so many characters of the message."""
    # pluggy says only in the last lines which argument does not fit.
    text = "; ".join(line.strip() for line in str(error).splitlines() if line.strip())
    return f"{type(error).__name__}: {text[:most]}".rstrip(": ")


def _wrong_query(answer: object) -> str:
    """Return what is wrong with a query that a plugin returned, "" when nothing is."""
    if not isinstance(answer, str):
        return f"returned {type(answer).__name__} instead of a query or None"
    if not answer.strip():
        return "returned an empty query"
    if len(answer) > _LONGEST_QUERY:
        return f"returned a query of {len(answer)} characters; at most {_LONGEST_QUERY} are searched"
    try:
        answer.encode()
    except UnicodeEncodeError:
        return "returned a query that is no valid text"
    return ""


def listener_of(implementation: HookImpl) -> Listener:
    """Return a listener for an implementation that pluggy found."""
    return Listener(implementation.plugin_name, implementation.function, tuple(implementation.argnames))


def wrong_listener(implementation: HookImpl) -> str:
    """Return why an implementation cannot be called one by one, "" when it can."""
    if implementation.hookwrapper or implementation.wrapper:
        return "is a hook wrapper; lifecycle hooks are called one by one, so there is nothing to wrap"
    function = implementation.function
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        return "is async; lifecycle hooks are called synchronously"
    return ""
