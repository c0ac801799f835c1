"""Searches as OpenTelemetry traces: a span of the search, a child for each stage."""

from contextvars import Token
from typing import TYPE_CHECKING, Any, Final

from ...ports.telemetry import Operation, RunningWatch, SearchWatcher, WatchedSearch, WatchedStage
from .attributes import KIND, Detail, search_attributes, stage_attributes
from .providers import attribute_limit, flush, host_tracers, own_tracers

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer, TracerProvider

SCOPE: Final = "kisoku"
_NANO: Final = 1_000_000_000
_MILLI: Final = 1_000_000


class OtelTraces(SearchWatcher):
    """Makes a trace of every search; under the host's current span when there is one.

    The trace's id is the search's own `trace_id`. Under a span of the host, whose trace may hold many searches, it is
    the trace's id, a hyphen and the span's id.

    Args:
        exports: Spans go out by OTLP where the host has no tracer provider; else only a host's provider gets any.
        content: Texts of documents are in the spans.
        documents: Documents of one list in a span, at most.
        version: Of kisoku.
    """

    def __init__(self, *, exports: bool, content: bool = True, documents: int = 30, version: str = "") -> None:
        self._exports = exports
        self._content = content
        self._documents = documents
        self._version = version
        self._made: tuple[TracerProvider, Tracer, Detail] | None = None

    def begin(self, operation: Operation, started: float) -> "OtelTrace | None":
        """Open the span of a search."""
        provider = host_tracers() or (own_tracers() if self._exports else None)
        if provider is None:
            return None
        if self._made is None or self._made[0] is not provider:
            detail = Detail(self._content, self._documents, attribute_limit(provider))
            self._made = (provider, provider.get_tracer(SCOPE, self._version), detail)
        return OtelTrace(self._made[1], self._made[2], operation, started)

    def flush(self) -> None:
        """Send what is waiting; a host flushes its own provider."""
        if self._exports and self._made is not None and host_tracers() is None:
            flush(self._made[0])


class OtelTrace(RunningWatch):
    """One search as a trace; the caller's context is inside it until `close`."""

    def __init__(self, tracer: "Tracer", detail: Detail, operation: Operation, started: float) -> None:
        from opentelemetry import context, trace

        parent = trace.get_current_span().get_span_context()
        self._tracer = tracer
        self._detail = detail
        self._span: Span = tracer.start_span(
            f"kisoku.{operation}", start_time=round(started * _NANO), attributes={KIND: "CHAIN"}
        )
        self._inside: Context = trace.set_span_in_context(self._span)
        self._token: Token[Any] = context.attach(self._inside)
        own = self._span.get_span_context()
        self._id = trace.format_trace_id(own.trace_id) if own.is_valid else ""
        if parent.is_valid and own.is_valid:
            self._id = f"{self._id}-{trace.format_span_id(own.span_id)}"

    @property
    def trace_id(self) -> str:
        """Identity of the trace, "" when the provider makes none."""
        return self._id

    def done(self, seen: WatchedSearch) -> None:
        """Describe the search and make its stages."""
        from opentelemetry.trace import Status, StatusCode

        if not self._span.is_recording():
            return
        if seen.operation != "answer":
            for stage in _stages(seen, self._detail.documents):
                began = round(stage.started * _NANO)
                child = self._tracer.start_span(
                    f"kisoku.{stage.name}",
                    context=self._inside,
                    start_time=began or None,
                    attributes=stage_attributes(stage, self._detail, len(seen.result.chunks)),
                )
                if stage.degraded:
                    child.set_status(Status(StatusCode.ERROR, stage.degraded))
                child.end(began + round(stage.milliseconds * _MILLI) if began else None)
        self._span.set_attributes(search_attributes(seen, seen.result.trace_id, self._detail))
        self._span.set_status(Status(StatusCode.OK))

    def failed(self, error: BaseException) -> None:
        """Note the error."""
        from opentelemetry.trace import Status, StatusCode

        self._span.record_exception(error)
        self._span.set_status(Status(StatusCode.ERROR, f"{type(error).__name__}: {error}"))

    def close(self) -> None:
        """End the span and leave its context."""
        from opentelemetry import context

        context.detach(self._token)
        self._span.end()


def _stages(seen: WatchedSearch, most: int) -> list[WatchedStage]:
    """Return the stages to show; a lookup only has those that its search, with a span of its own, did not have."""
    return [stage for stage in seen.stages(most) if seen.operation == "search" or stage.name == "conflicts"]
