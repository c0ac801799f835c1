"""Metrics of many searches: written a line each, and summed up (requirements, two-stage-cascade, evaluation)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pydantic import BaseModel, ConfigDict

from ...domain.metrics import RetrievalMetrics
from ...domain.search import SearchResult
from .labels import LabelledQuery
from .lines import json_line


class MetricsSummary(BaseModel):
    """What a run did on the whole.

    Attributes:
        refused: Searches that a gate refused, by its code.
        vector_top_score_mean: Mean of the best cosines, of searches that have one.
        cache_hit_rate: Share of searches whose keyword indexes were in memory already.
        milliseconds: Mean time by step.
    """

    model_config = ConfigDict(frozen=True)

    refused: dict[str, int]
    vector_top_score_mean: float
    cache_hit_rate: float
    milliseconds: dict[str, float]


class MetricsFile:
    """Collects the metrics of searches, and writes them when there is a file."""

    def __init__(self, file: IO[str] | None) -> None:
        self._file = file
        self.collected: list[RetrievalMetrics] = []

    def add(self, query: LabelledQuery, result: SearchResult) -> None:
        """Add a search."""
        metrics = result.metrics
        self.collected.append(metrics)
        if self._file is not None:
            self._file.write(json_line({"id": query.id} | metrics.model_dump(mode="json")))


@contextmanager
def metrics_file(path: Path | None) -> Iterator[MetricsFile]:
    """Open a file of metrics; without a path they are only collected."""
    if path is None:
        yield MetricsFile(None)
        return
    with path.open("w", encoding="utf-8") as file:
        yield MetricsFile(file)


def summed_up(collected: Sequence[RetrievalMetrics]) -> MetricsSummary:
    """Return the summary of a run."""
    count = max(1, len(collected))
    cosines = [m.vector_top_score for m in collected if m.vector_top_score]
    times: dict[str, list[float]] = {}
    for metrics in collected:
        for stage, milliseconds in metrics.milliseconds.items():
            times.setdefault(stage, []).append(milliseconds)
    return MetricsSummary(
        refused=dict(Counter(m.error for m in collected if m.answer_refused)),
        vector_top_score_mean=round(sum(cosines) / max(1, len(cosines)), 4),
        cache_hit_rate=round(sum(m.cache_hit for m in collected) / count, 4),
        milliseconds={stage: round(sum(values) / len(values), 3) for stage, values in times.items()},
    )
