"""Logs: one line a search for those who ask for it, a warning for a slow one; as text or JSON by structlog."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, Final, Literal, TextIO

from ...ports.telemetry import RUNNING, Operation, RunningWatch, SearchWatcher, WatchedSearch

LogFormat = Literal["console", "json"]
FIRST_FACTOR: Final = 10
"""The first search of a process loads models and indexes; it is slow when it takes so many times the limit."""
FIELDS: Final = "kisoku"
"""Attribute of a log record that holds the event's name and fields, for the handlers of a host."""
_ROOT: Final = "kisoku"
_LOG = logging.getLogger("kisoku.search")


class SearchLog(SearchWatcher):
    """Logs searches to `kisoku.search`: slow ones as warnings with their stages, all of them at level info.

    Args:
        slow_ms: A search that takes longer is slow; 0 calls none slow.
    """

    def __init__(self, slow_ms: int) -> None:
        self._watch = _SearchLine(slow_ms)

    def begin(self, operation: Operation, started: float) -> "RunningWatch | None":
        """Watch a search; what is around one is not logged again."""
        del started
        return self._watch if operation == "search" else None

    def flush(self) -> None:
        """Nothing waits."""


class _SearchLine(RunningWatch):
    def __init__(self, slow_ms: int) -> None:
        self._slow_ms = slow_ms

    def done(self, seen: WatchedSearch) -> None:
        limit = self._slow_ms * (FIRST_FACTOR if seen.first else 1)
        is_slow = 0 < limit < seen.milliseconds
        level = logging.WARNING if is_slow else logging.INFO
        if not _LOG.isEnabledFor(level):
            return
        result = seen.result
        fields: dict[str, Any] = {
            "event": "slow search" if is_slow else "search",
            "milliseconds": round(seen.milliseconds, 1),
            "trace_id": result.trace_id,
            "session_id": seen.session_id,
            "version": result.version,
            "agent": result.agent,
            "found": len(result.chunks),
            "refused": result.refused,
            "gate": result.gate,
            "notices": [n.code for n in result.notices],
            "conflicts": len(result.conflicts),
            "first_of_process": seen.first,
        }
        stages: dict[str, float] = {}
        for stage in result.trace:
            stages[stage.stage] = round(stages.get(stage.stage, 0.0) + stage.milliseconds, 1)
        if is_slow:
            fields |= {"limit_ms": limit, "stages": stages}
        # Told in the message too, for handlers that print nothing else.
        shown = ", ".join(f"{name} {ms:g}" for name, ms in stages.items()) if is_slow else ""
        text = f"{fields['event']}: {seen.milliseconds:.0f} ms, trace {result.trace_id}" + (
            f": {shown}" if shown else ""
        )
        _LOG.log(level, text, extra={FIELDS: fields})

    def failed(self, error: BaseException) -> None:
        if not isinstance(error, Exception):
            return  # the caller was stopped
        fields = {"event": "search failed", "error": type(error).__name__, "cause": str(error)}
        _LOG.info("search failed: %s: %s", type(error).__name__, error, extra={FIELDS: fields})

    def close(self) -> None:
        """Nothing to leave."""


class _Handler(logging.StreamHandler[TextIO]):
    """Writes to what standard error is at the moment, so that results on standard output stay clean."""

    def __init__(self, style: LogFormat) -> None:
        logging.Handler.__init__(self)
        self.style = style
        self.setFormatter(_StructuredFormatter(style))

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, unless the host has set up handlers by now, which get it anyway."""
        if not logging.getLogger().handlers:
            super().emit(record)

    @property
    def stream(self) -> TextIO:  # type: ignore[override]  # as logging's own handler of last resort does
        return sys.stderr


class _StructuredFormatter(logging.Formatter):
    """structlog's formatter, which is imported when the first line is written."""

    def __init__(self, style: LogFormat) -> None:
        super().__init__()
        self._chosen: LogFormat = style
        self._inner: logging.Formatter | None = None

    def format(self, record: logging.LogRecord) -> str:
        if self._inner is None:
            self._inner = _structlog_formatter(self._chosen)
        return self._inner.format(record)


def configure_logs(style: LogFormat, level: str) -> None:
    """Write what kisoku logs to standard error, unless the host has handlers of its own; those get it then.

    Args:
        style: console or json.
        level: debug, info, warning or error.
    """
    _configure(logging.getLogger(_ROOT), style, level)
    exporters = _configure(logging.getLogger("opentelemetry"), style, "warning")
    if exporters is not None and not exporters.filters:
        exporters.addFilter(_OnceEach())


def _configure(logger: logging.Logger, style: LogFormat, level: str) -> _Handler | None:
    """Return the handler of kisoku's that a logger has now, None where the host has its own."""
    mine = [handler for handler in logger.handlers if isinstance(handler, _Handler)]
    if len(logger.handlers) > len(mine) or (logging.getLogger().handlers and not mine):
        return None
    if not mine or mine[0].style != style:
        for handler in mine:
            logger.removeHandler(handler)
        mine = [_Handler(style)]
        logger.addHandler(mine[0])
    logger.setLevel(level.upper())
    return mine[0]


class _OnceEach(logging.Filter):
    """Lets the first line of each logger pass: an exporter that cannot reach its server says so at every attempt."""

    def __init__(self) -> None:
        super().__init__()
        self._told: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name in self._told:
            return False
        self._told.add(record.name)
        return True


def _structlog_formatter(style: LogFormat) -> logging.Formatter:
    import structlog

    shared: list[Any] = [
        _fields,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _running_search,
    ]
    last: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if style == "json":
        last += [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer(ensure_ascii=False)]
    else:
        colors = sys.stderr.isatty()
        plain = structlog.dev.plain_traceback
        last.append(
            structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain, pad_event_to=0, sort_keys=False)
        )
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=last)


def _fields(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Put the fields of a record in place of its sentence."""
    fields = getattr(event["_record"], FIELDS, None)
    if isinstance(fields, dict):
        event.update(fields)
    return event


def _running_search(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Say which search a line belongs to, whoever wrote it."""
    running = RUNNING.get()
    if running is not None:
        event.setdefault("trace_id", running.trace_id)
        if running.session_id is not None:
            event.setdefault("session_id", running.session_id)
    return event
