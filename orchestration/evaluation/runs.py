"""Whole evaluations over one open version, and the same with one switch turned."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ...domain.search import SearchResult
from ..bootstrap import Kisoku
from ..building.progress import Progress, ProgressCallback
from .ablation import switches
from .beir import BeirSet, evaluate_beir
from .comparison import Comparison, compare
from .labels import LabelledQuery
from .records import retrieval_records
from .report import EvaluationReport
from .retrieval import run_queries

AblationRow = tuple[str, EvaluationReport, Comparison | None]
"""Name of the switch, what was found with it, and its comparison with the settings as they are."""
Evaluate = Callable[[Kisoku], EvaluationReport]


def retrieval_report(
    kisoku: Kisoku,
    version: str,
    source: Path,
    found: Sequence[tuple[LabelledQuery, SearchResult]],
    tell: Callable[[int], None] = lambda _: None,
) -> EvaluationReport:
    """Return the report of searches that the service made in a version."""
    opened = kisoku.versions.get(version)
    return EvaluationReport(
        kind="retrieval",
        source=source.name,
        model=opened.manifest.embedding.model,
        chunks=sum(info.chunk_count for info in opened.manifest.collections.values()),
        records=tuple(retrieval_records(opened, kisoku.engine, found, tell)),
    )


def retrieval_evaluation(
    version: str, source: Path, queries: Sequence[LabelledQuery], *, agent_context: bool
) -> Evaluate:
    """Return what searches labelled queries in a version and reports."""

    def evaluate(kisoku: Kisoku) -> EvaluationReport:
        found: list[tuple[LabelledQuery, SearchResult]] = []
        lines = run_queries(
            kisoku.service, list(queries), agent_context=agent_context, on_result=lambda q, r: found.append((q, r))
        )
        for _ in lines:
            pass
        return retrieval_report(kisoku, version, source, found)

    return evaluate


def beir_evaluation(version: str, source: Path, data: BeirSet, tell: ProgressCallback) -> Evaluate:
    """Return what runs a BEIR set in a version and reports."""
    return lambda kisoku: evaluate_beir(data, kisoku.versions.get(version), kisoku.engine, source.name, tell)


def ablation(
    kisoku: Kisoku, base: EvaluationReport, evaluate: Evaluate, tell: Callable[[int, int], None]
) -> Iterator[AblationRow]:
    """Yield the base and then one row for every switch that changes something.

    Args:
        kisoku: Over the handbook that was searched; its models are used again.
        base: What was found with its settings.
        evaluate: Runs the same queries.
        tell: Called with switches done and in all.
    """
    yield "as set", base, None
    todo = switches(kisoku.settings)
    for done, switch in enumerate(todo):
        tell(done, len(todo))
        with Kisoku(switch.settings, plugins=kisoku.plugins, models=kisoku.models) as other:
            report = evaluate(other)
        yield switch.name, report, compare(report, base)
    tell(len(todo), len(todo))


def no_progress(_: Progress) -> None:
    """Tell nobody."""
