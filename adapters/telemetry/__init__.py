"""Watchers of searches: OpenTelemetry traces and metrics, logs."""
