"""What an evaluation found, query by query, and its sums; this is what `--save` writes and `--baseline` reads."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from ...domain.errors import ConfigError
from ...domain.ranking_metrics import percentile

Measure = Literal["hit@1", "hit@5", "hit@10", "mrr", "ndcg@10", "recall@10"]
MEASURES: tuple[Measure, ...] = ("hit@1", "hit@5", "hit@10", "mrr", "ndcg@10", "recall@10")
FINAL = "final"
GROUPS = ("style", "agent", "lang")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class QueryRecord(_Part):
    """One query.

    Attributes:
        id: Its name.
        query: What was asked.
        answerable: The set has an answer; None when nobody labelled it.
        refused: A gate refused; the scores are of what it would have returned.
        gate: Which gate.
        scores: By stage (each channel, fusion, final) and measure; empty unless answerable.
        groups: What it is counted under: style, agent, lang.
        milliseconds: Time of the whole search.
        stages: Time by stage.
        cache_hit: Its vector and indexes were in memory.
    """

    id: str
    query: str
    answerable: bool | None
    refused: bool
    gate: str = ""
    scores: dict[str, dict[Measure, float]] = {}
    groups: dict[str, str] = {}
    milliseconds: float = 0.0
    stages: dict[str, float] = {}
    cache_hit: bool = False

    def value(self, measure: Measure, stage: str = FINAL) -> float:
        """Return a measure; 0 when the stage returned nothing."""
        return self.scores.get(stage, {}).get(measure, 0.0)


class Refusals(_Part):
    """What the gates did.

    Attributes:
        precision: Share of refusals that are right, None without refusals of labelled queries.
        recall: Share of unanswerable queries that were refused, None without such queries.
        false_refusals: Share of answerable queries that were refused.
        by_gate: Refusals by gate.
    """

    precision: float | None
    recall: float | None
    false_refusals: float
    by_gate: dict[str, int]


class Latency(_Part):
    """Milliseconds: median and 95th percentile."""

    p50: float
    p95: float


class EvaluationReport(_Part):
    """A whole run.

    Attributes:
        kind: retrieval or beir.
        source: Name of the query file or set.
        model: Embedding model.
        chunks: How many were searched.
        records: Query by query.
    """

    kind: Literal["retrieval", "beir"]
    source: str
    model: str
    chunks: int
    records: tuple[QueryRecord, ...]

    @property
    def answerable(self) -> list[QueryRecord]:
        """Queries that have an answer."""
        return [r for r in self.records if r.answerable]

    def stages(self) -> dict[str, dict[Measure, float]]:
        """Return the means of every stage's list over the answerable queries."""
        records = self.answerable
        names = dict.fromkeys(stage for record in records for stage in record.scores)
        return {stage: means(records, stage) for stage in names}

    def groups(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return the means of the final list by group, `n` queries each."""
        found: dict[str, dict[str, dict[str, float]]] = {}
        for group in GROUPS:
            parts: dict[str, list[QueryRecord]] = defaultdict(list)
            for record in self.answerable:
                if record.groups.get(group):
                    parts[record.groups[group]].append(record)
            if parts:
                found[group] = {name: _counted_means(part) for name, part in sorted(parts.items())}
        return found

    def effective_hit(self) -> float:
        """Return hit@5 where a refused answerable query counts as missed."""
        records = self.answerable
        return sum(r.value("hit@5") for r in records if not r.refused) / max(1, len(records))

    def refusals(self) -> Refusals:
        """Return what the gates did."""
        labelled = [r for r in self.records if r.answerable is not None]
        refused = [r for r in labelled if r.refused]
        unanswerable = [r for r in labelled if not r.answerable]
        right = sum(not r.answerable for r in refused)
        return Refusals(
            precision=right / len(refused) if refused else None,
            recall=right / len(unanswerable) if unanswerable else None,
            false_refusals=(len(refused) - right) / max(1, len(labelled) - len(unanswerable)),
            by_gate=dict(Counter(r.gate for r in self.records if r.refused)),
        )

    def latencies(self) -> dict[str, Latency]:
        """Return the time of every stage and of the whole search, `total`."""
        times: dict[str, list[float]] = defaultdict(list)
        for record in self.records:
            for stage, milliseconds in record.stages.items():
                times[stage].append(milliseconds)
            times["total"].append(record.milliseconds)
        return {
            stage: Latency(p50=round(percentile(values, 0.5), 3), p95=round(percentile(values, 0.95), 3))
            for stage, values in times.items()
        }

    def summary(self) -> dict[str, object]:
        """Return all sums, JSON-ready."""
        return {
            "labelled": sum(r.answerable is not None for r in self.records),
            "answerable": len(self.answerable),
            "stages": self.stages(),
            "effective_hit@5": self.effective_hit(),
            "refusals": self.refusals().model_dump(mode="json"),
            "groups": self.groups(),
            "latency_ms": {stage: t.model_dump(mode="json") for stage, t in self.latencies().items()},
            "cache_hit_rate": sum(r.cache_hit for r in self.records) / max(1, len(self.records)),
        }


def means(records: Sequence[QueryRecord], stage: str) -> dict[Measure, float]:
    """Return the mean of each measure of a stage over queries."""
    used = [m for m in MEASURES if any(m in record.scores.get(stage, {}) for record in records)]
    return {measure: sum(r.value(measure, stage) for r in records) / len(records) for measure in used}


def _counted_means(records: Sequence[QueryRecord]) -> dict[str, float]:
    found: dict[str, float] = {"n": float(len(records))}
    found.update({str(measure): value for measure, value in means(records, FINAL).items()})
    return found


def save_report(report: EvaluationReport, path: Path) -> None:
    """Write a report.

    Raises:
        ConfigError: The file cannot be written.
    """
    try:
        path.write_text(report.model_dump_json(indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror or error}.") from error


def load_report(path: Path) -> EvaluationReport:
    """Read a report that `save_report` wrote.

    Raises:
        ConfigError: The file cannot be read or is no report.
    """
    try:
        return EvaluationReport.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        cause = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"{path} cannot be read: {cause}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the top"
        raise ConfigError(
            f"{path} is no report of an evaluation: {place}: {first['msg']}.", hint="--save writes one."
        ) from error


def shared_records(report: EvaluationReport, baseline: EvaluationReport) -> Iterable[tuple[QueryRecord, QueryRecord]]:
    """Yield the answerable queries that both have, the new one first."""
    before: Mapping[str, QueryRecord] = {r.id: r for r in baseline.answerable}
    for record in report.answerable:
        if record.id in before:
            yield record, before[record.id]
