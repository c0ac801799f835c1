"""Searches as OpenTelemetry metrics: counts, latencies by stage, cache hits, refusals, tokens and cost."""

from typing import TYPE_CHECKING, Any, Final

from ...ports.telemetry import Operation, RunningWatch, SearchWatcher, WatchedSearch
from .attributes import cache_hit
from .providers import flush, host_meters, own_meters

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter, MeterProvider

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Borders of the histograms, in seconds: a stage takes about a millisecond, a search with a large model seconds."""


class _Instruments:
    """What is counted. Names and units follow OpenTelemetry's conventions (seconds, `{thing}`)."""

    def __init__(self, meter: "Meter") -> None:
        def histogram(name: str, text: str) -> Any:
            return meter.create_histogram(
                name, unit="s", description=text, explicit_bucket_boundaries_advisory=list(_SECONDS)
            )

        self.searches = meter.create_counter("kisoku.searches", "{search}", "Searches, by outcome and agent.")
        self.refusals = meter.create_counter("kisoku.search.refusals", "{search}", "Searches that a gate refused.")
        self.errors = meter.create_counter("kisoku.search.errors", "{search}", "Searches that raised, by error.")
        self.notices = meter.create_counter("kisoku.search.notices", "{notice}", "Notices, by code.")
        self.conflicts = meter.create_counter("kisoku.search.conflicts", "{conflict}", "Conflicts among results.")
        self.cache = meter.create_counter("kisoku.embedding.cache", "{query}", "Query vectors, by where they were.")
        self.tokens = meter.create_counter("kisoku.embedding.tokens", "{token}", "Tokens of embedded queries.")
        self.cost = meter.create_counter("kisoku.embedding.cost", "1", "What they cost, in the currency of the price.")
        self.duration = histogram("kisoku.search.duration", "Time from the call to the answer.")
        self.stage = histogram("kisoku.search.stage.duration", "Time of one stage.")


class OtelMetrics(SearchWatcher):
    """Counts searches.

    Args:
        exports: Metrics go out by OTLP where the host has no meter provider; else only a host's provider gets any.
        price: Of a million tokens of the embedding model.
        version: Of kisoku.
    """

    def __init__(self, *, exports: bool, price: float = 0.0, version: str = "") -> None:
        self._exports = exports
        self._price = price
        self._version = version
        self._made: tuple[MeterProvider, _Instruments] | None = None

    def begin(self, operation: Operation, started: float) -> "OtelCount | None":
        """Watch a search; tool calls around searches are not counted again."""
        del started
        if operation != "search":
            return None
        provider = host_meters() or (own_meters() if self._exports else None)
        if provider is None:
            return None
        if self._made is None or self._made[0] is not provider:
            self._made = (provider, _Instruments(provider.get_meter("kisoku", self._version)))
        return OtelCount(self._made[1], self._price)

    def flush(self) -> None:
        """Send what is waiting; a host flushes its own provider."""
        if self._exports and self._made is not None and host_meters() is None:
            flush(self._made[0])


class OtelCount(RunningWatch):
    """One search to be counted."""

    def __init__(self, instruments: _Instruments, price: float) -> None:
        self._to = instruments
        self._price = price

    def done(self, seen: WatchedSearch) -> None:
        """Count."""
        to, result = self._to, seen.result
        outcome = "refused" if result.refused else "found" if result.chunks else "empty"
        labels = {"kisoku.agent": result.agent, "kisoku.outcome": outcome}
        to.searches.add(1, labels)
        to.duration.record(seen.milliseconds / 1000, labels)
        if result.refused:
            to.refusals.add(1, {"kisoku.gate": result.gate})
        for stage in result.trace:
            to.stage.record(stage.milliseconds / 1000, {"kisoku.stage": stage.stage})
        for notice in result.notices:
            to.notices.add(1, {"kisoku.notice": notice.code})
        if result.conflicts:
            to.conflicts.add(len(result.conflicts), {"kisoku.agent": result.agent})
        cached = cache_hit(seen)
        if cached is not None:
            to.cache.add(1, {"kisoku.cache.hit": cached})
        tokens = result.embedding_tokens
        if tokens:
            to.tokens.add(tokens)
            if self._price:
                to.cost.add(tokens * self._price / 1_000_000)

    def failed(self, error: BaseException) -> None:
        """Count the error."""
        self._to.errors.add(1, {"error.type": type(error).__name__})

    def close(self) -> None:
        """Nothing to leave."""
