"""Compares two runs over the same queries, with paired tests."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from ...domain.errors import ConfigError
from ...domain.significance import mcnemar_exact, paired_randomisation
from .report import FINAL, EvaluationReport, Measure, QueryRecord, shared_records

COMPARED: tuple[Measure, ...] = ("hit@1", "hit@5", "hit@10", "mrr", "ndcg@10")
_HITS: frozenset[Measure] = frozenset({"hit@1", "hit@5", "hit@10"})


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MeasureChange(_Part):
    """One measure before and after.

    Attributes:
        measure: Its name.
        before: Mean of the baseline.
        after: Mean of this run.
        p: Two-sided p-value: McNemar's exact test for hits, the paired randomisation test for the others.
    """

    measure: Measure
    before: float
    after: float
    p: float


class Comparison(_Part):
    """A run against a baseline.

    Attributes:
        queries: Answerable queries that both have.
        changes: By measure, of the final list.
        better: Ids whose reciprocal rank rose, the greatest change first.
        worse: Ids whose reciprocal rank fell, the greatest change first.
        effective_before: hit@5 of the baseline with refused queries as misses.
        effective_after: The same of this run.
        effective_p: McNemar's exact test of the two.
    """

    queries: int
    changes: tuple[MeasureChange, ...]
    better: tuple[str, ...]
    worse: tuple[str, ...]
    effective_before: float
    effective_after: float
    effective_p: float


def compare(report: EvaluationReport, baseline: EvaluationReport) -> Comparison:
    """Compare the final lists of two runs.

    Raises:
        ConfigError: They share no answerable query.
    """
    pairs = list(shared_records(report, baseline))
    if not pairs:
        raise ConfigError(
            f"This run and the baseline ({baseline.source}) share no labelled query.",
            hint="A baseline must have been made from the same query file.",
        )
    moves = sorted(((new.value("mrr") - old.value("mrr"), new.id) for new, old in pairs), key=lambda m: (-m[0], m[1]))
    before, after = [_effective(old) for _, old in pairs], [_effective(new) for new, _ in pairs]
    return Comparison(
        queries=len(pairs),
        changes=tuple(change(measure, pairs) for measure in COMPARED if _known(measure, pairs)),
        better=tuple(identifier for move, identifier in moves if move > 0),
        worse=tuple(identifier for move, identifier in sorted(moves) if move < 0),
        effective_before=sum(before) / len(pairs),
        effective_after=sum(after) / len(pairs),
        effective_p=_mcnemar(before, after),
    )


def change(measure: Measure, pairs: Sequence[tuple[QueryRecord, QueryRecord]], stage: str = FINAL) -> MeasureChange:
    """Return how a measure of a stage changed; the new record stands first in each pair."""
    after = [new.value(measure, stage) for new, _ in pairs]
    before = [old.value(measure, stage) for _, old in pairs]
    p = (
        _mcnemar(before, after)
        if measure in _HITS
        else paired_randomisation([a - b for a, b in zip(after, before, strict=True)])
    )
    return MeasureChange(measure=measure, before=sum(before) / len(pairs), after=sum(after) / len(pairs), p=p)


def _mcnemar(before: Sequence[float], after: Sequence[float]) -> float:
    pairs = list(zip(before, after, strict=True))
    return mcnemar_exact(sum(a > b for b, a in pairs), sum(a < b for b, a in pairs))


def _effective(record: QueryRecord) -> float:
    return 0.0 if record.refused else record.value("hit@5")


def _known(measure: Measure, pairs: Sequence[tuple[QueryRecord, QueryRecord]]) -> bool:
    return any(measure in record.scores.get(FINAL, {}) for pair in pairs for record in pair)
