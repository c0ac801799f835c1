"""Where spans and metrics go: to the host's providers when it has any, else by OTLP as the OTEL_* variables say."""

import atexit
import functools
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from ...domain.errors import ConfigError

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.trace import TracerProvider

Switch = bool | Literal["auto"]
Signal = Literal["traces", "metrics"]
FLUSH_SECONDS: Final = 2.0
"""How long the end of a command waits for an exporter; what is not sent by then is lost."""
_MANY_ATTRIBUTES: Final = 2000
"""Attributes of one span: 30 documents in and out of a reranker are 240, twice OpenTelemetry's default limit."""
_LOG = logging.getLogger("kisoku.telemetry")


def is_wanted(signal: Signal, switch: Switch, environment: Mapping[str, str] | None = None) -> bool:
    """Return whether a signal is exported by kisoku itself.

    Args:
        signal: traces or metrics.
        switch: The setting; `auto` follows the standard variables.
        environment: Variables; None for the process's own.
    """
    variables = os.environ if environment is None else environment
    name = signal.upper()
    if variables.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    if switch != "auto":
        return switch
    if variables.get(f"OTEL_{name}_EXPORTER", "otlp").strip().lower() == "none":
        return False
    return any(variables.get(f"OTEL_EXPORTER_OTLP_{part}ENDPOINT", "").strip() for part in ("", f"{name}_"))


def exports(signal: Signal, switch: Switch) -> bool:
    """Return whether a signal is exported by kisoku itself, now that its exporter is known to be there.

    Raises:
        ConfigError: The setting is true, and the extra `otel` is not installed. With `auto` that is logged.
    """
    if not is_wanted(signal, switch):
        return False
    try:
        (own_tracers if signal == "traces" else own_meters)()
    except ConfigError as error:
        if switch != "auto":
            raise
        _LOG.warning("%s are not exported: %s", signal, error)
        return False
    return True


def host_tracers() -> "TracerProvider | None":
    """Return the tracer provider of the host, None when it has none; imports nothing that is not loaded."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None or not hasattr(trace, "get_tracer_provider"):
        return None
    provider: TracerProvider = trace.get_tracer_provider()
    return None if isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider) else provider


def host_meters() -> "MeterProvider | None":
    """Return the meter provider of the host, None when it has none; imports nothing that is not loaded."""
    metrics = sys.modules.get("opentelemetry.metrics")
    if metrics is None or not hasattr(metrics, "get_meter_provider"):
        return None
    provider: MeterProvider = metrics.get_meter_provider()
    own = type(provider).__name__
    return None if own in {"_ProxyMeterProvider", "NoOpMeterProvider"} else provider


@functools.lru_cache(maxsize=1)
def own_tracers() -> "TracerProvider":
    """Return the tracer provider of kisoku, one a process, which exports by OTLP. It is not made the global one.

    Raises:
        ConfigError: The extra `otel` is not installed.
    """
    exporter = _exporter("traces")
    from opentelemetry.sdk.environment_variables import OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT
    from opentelemetry.sdk.trace import SpanLimits, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    chosen = os.environ.get(OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT, "").strip()
    limits = SpanLimits() if chosen else SpanLimits(max_span_attributes=_MANY_ATTRIBUTES)
    provider = TracerProvider(resource=_resource(), span_limits=limits, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    _end_with_process()
    return provider


@functools.lru_cache(maxsize=1)
def own_meters() -> "MeterProvider":
    """Return the meter provider of kisoku, one a process, which exports by OTLP. It is not made the global one.

    Raises:
        ConfigError: The extra `otel` is not installed.
    """
    exporter = _exporter("metrics")
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader

    reader = PeriodicExportingMetricReader(exporter)
    provider = MeterProvider([reader], resource=_resource(), shutdown_on_exit=False)
    _end_with_process()
    return provider


def attribute_limit(provider: "TracerProvider") -> int | None:
    """Return how many attributes the spans of a provider hold; OpenTelemetry's default where it does not say."""
    limits = getattr(provider, "_span_limits", None)
    if limits is None:
        return 128
    limit: int | None = limits.max_span_attributes
    return limit


def flush(*providers: Any) -> None:
    """Send what is waiting, in `FLUSH_SECONDS` at most; a server out of reach is waited for once a process."""
    _bounded([provider.force_flush for provider in providers])


def _shut_down() -> None:
    made: list[Any] = [own() for own in (own_tracers, own_meters) if own.cache_info().currsize]
    _bounded([provider.shutdown for provider in made])


class _Server:
    """Whether an exporter could not send in time; then nobody waits for it again."""

    is_late = False


def _bounded(work: list[Callable[[], object]]) -> None:
    def run(one: Callable[[], object]) -> None:
        try:
            one()
        except Exception as error:  # noqa: BLE001  # whatever an exporter raises, the process goes on
            _LOG.debug("telemetry could not be sent: %s", error)

    if _Server.is_late:
        return
    ends = time.monotonic() + FLUSH_SECONDS
    threads = [threading.Thread(target=run, args=(one,), name="kisoku-telemetry", daemon=True) for one in work]
    try:
        for thread in threads:
            thread.start()
    except RuntimeError:  # the interpreter is ending and starts no thread any more
        return
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))
    _Server.is_late = any(thread.is_alive() for thread in threads)


@functools.lru_cache(maxsize=1)
def _end_with_process() -> None:
    atexit.register(_shut_down)


def _resource() -> "Resource":
    from opentelemetry.sdk.resources import Resource

    given = os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    named = "OTEL_SERVICE_NAME" in os.environ or "service.name=" in given
    attributes: dict[str, Any] = {} if named else {"service.name": "kisoku"}
    if "openinference.project.name=" not in given:
        attributes["openinference.project.name"] = os.environ.get("OTEL_SERVICE_NAME") or "kisoku"
    return Resource.create(attributes)


def _exporter(signal: Signal) -> Any:
    """Return an OTLP exporter by the protocol that the standard variables name, HTTP by default."""
    general = os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
    protocol = os.environ.get(f"OTEL_EXPORTER_OTLP_{signal.upper()}_PROTOCOL", general).strip().lower()
    try:
        if protocol == "grpc":
            from opentelemetry.exporter.otlp.proto.grpc import metric_exporter as grpc_metrics
            from opentelemetry.exporter.otlp.proto.grpc import trace_exporter as grpc_traces

            return grpc_traces.OTLPSpanExporter() if signal == "traces" else grpc_metrics.OTLPMetricExporter()
        if protocol == "http/protobuf":
            from opentelemetry.exporter.otlp.proto.http import metric_exporter, trace_exporter

            return trace_exporter.OTLPSpanExporter() if signal == "traces" else metric_exporter.OTLPMetricExporter()
    except ImportError as error:
        raise ConfigError(
            f"Exporting {signal} needs a package that is not installed: {error.name}.",
            hint="Run: pip install 'kisoku[otel]'.",
        ) from error
    raise ConfigError(
        f"The OTLP protocol {protocol!r} is unknown.", hint="OTEL_EXPORTER_OTLP_PROTOCOL: http/protobuf or grpc."
    )
