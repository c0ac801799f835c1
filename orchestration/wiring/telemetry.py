"""Who watches searches, as the settings say."""

from collections.abc import Callable
from importlib.metadata import version as distribution_version

from ...config.settings import Settings
from ...ports.telemetry import SearchWatcher
from ..watching import Watching


def watching_of(settings: Settings, new_id: Callable[[], str]) -> Watching:
    """Return what tells the watchers of every search; nothing of OpenTelemetry or structlog is imported for it.

    Raises:
        ConfigError: `tracing.enabled` or `metrics.enabled` is true and the extra `otel` is not installed.
    """
    from ...adapters.telemetry import providers
    from ...adapters.telemetry.logs import SearchLog, configure_logs
    from ...adapters.telemetry.metrics import OtelMetrics
    from ...adapters.telemetry.traces import OtelTraces

    logs, tracing, metrics = settings.logging, settings.tracing, settings.metrics
    configure_logs(logs.format, logs.level)
    version = distribution_version("kisoku")
    watchers: list[SearchWatcher] = []
    if tracing.enabled is not False:
        exports = providers.exports("traces", tracing.enabled)
        watchers.append(
            OtelTraces(exports=exports, content=tracing.content, documents=tracing.documents, version=version)
        )
    if metrics.enabled is not False:
        exports = providers.exports("metrics", metrics.enabled)
        price = settings.embedding.price_per_million_tokens
        watchers.append(OtelMetrics(exports=exports, price=price, version=version))
    watchers.append(SearchLog(logs.slow_ms))
    return Watching(watchers, new_id)
