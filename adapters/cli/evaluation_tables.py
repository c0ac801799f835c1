"""Tables of an evaluation."""

from typing import TYPE_CHECKING

from .messages import tr
from .output import console, excerpt, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...orchestration.evaluation.comparison import Comparison
    from ...orchestration.evaluation.report import EvaluationReport, Measure

_SHOWN_MOVES = 10
_MEASURES: tuple["Measure", ...] = ("hit@1", "hit@5", "hit@10", "mrr", "ndcg@10")


def print_report(report: "EvaluationReport") -> None:
    """Print stages, groups, refusals and times."""
    if report.answerable:
        rows = table("", "stage", *(f"{m}#" for m in _MEASURES))
        for stage, values in report.stages().items():
            rows.add_row(stage, *(_number(values.get(m)) for m in _MEASURES))
        console().print(rows)
        for group, parts in report.groups().items():
            rows = table("", group, "n#", *(f"{m}#" for m in _MEASURES))
            for name, counted in parts.items():
                rows.add_row(name, f"{counted['n']:.0f}", *(_number(counted.get(m)) for m in _MEASURES))
            console().print(rows)
    refusals = report.refusals()
    gates = ", ".join(f"{gate} {count}" for gate, count in sorted(refusals.by_gate.items())) or tr("none")
    line = tr("refusals: {gates}", gates=gates)
    if any(record.answerable is not None for record in report.records):
        line += tr(
            "; precision {precision}, recall {recall}, answerable refused {wrong:.1%}",
            precision=_number(refusals.precision),
            recall=_number(refusals.recall),
            wrong=refusals.false_refusals,
        )
    if report.answerable:
        line += tr("; hit@5 with refused as missed {share:.3f}", share=report.effective_hit())
    console().print(line, soft_wrap=True)
    rows = table("", "ms", "p50#", "p95#")
    for stage, latency in report.latencies().items():
        rows.add_row(stage, f"{latency.p50:.1f}", f"{latency.p95:.1f}")
    console().print(rows)


def print_comparison(name: str, comparison: "Comparison", report: "EvaluationReport") -> None:
    """Print a comparison with a baseline: measures, p-values, queries that moved."""
    title = tr("against {name} ({count} queries)", name=name, count=comparison.queries)
    rows = table(title, "measure", "before#", "after#", "change#", "p#")
    for change in comparison.changes:
        rows.add_row(
            change.measure,
            f"{change.before:.4f}",
            f"{change.after:.4f}",
            f"{change.after - change.before:+.4f}",
            f"{change.p:.3f}",
        )
    before, after = comparison.effective_before, comparison.effective_after
    rows.add_row(
        tr("hit@5, refused missed"),
        f"{before:.4f}",
        f"{after:.4f}",
        f"{after - before:+.4f}",
        f"{comparison.effective_p:.3f}",
    )
    console().print(rows)
    texts = {record.id: record.query for record in report.records}
    for label, ids in (("better", comparison.better), ("worse", comparison.worse)):
        if ids:
            console().print(f"{tr(label)}: {len(ids)}")
        for identifier in ids[:_SHOWN_MOVES]:
            console().print(f"  {identifier}  {excerpt(texts.get(identifier, ''), 60)}")
        if len(ids) > _SHOWN_MOVES:
            console().print(tr("  … and {count} more", count=len(ids) - _SHOWN_MOVES))


def print_ablation(rows_of: "Sequence[tuple[str, EvaluationReport, Comparison | None]]") -> None:
    """Print what each switch is worth against the first row, which has none."""
    rows = table(
        "", "switch", "hit@5#", "change#", "p#", "mrr#", "p#", "ndcg@10#", "p#", "hit@5, refused missed#", "p#"
    )
    for name, report, comparison in rows_of:
        values = report.stages().get("final", {})
        p = {c.measure: f"{c.p:.3f}" for c in comparison.changes} if comparison else {}
        moved = {c.measure: f"{c.after - c.before:+.3f}" for c in comparison.changes} if comparison else {}
        rows.add_row(
            name,
            _number(values.get("hit@5")),
            moved.get("hit@5", ""),
            p.get("hit@5", ""),
            _number(values.get("mrr")),
            p.get("mrr", ""),
            _number(values.get("ndcg@10")),
            p.get("ndcg@10", ""),
            f"{report.effective_hit():.3f}",
            f"{comparison.effective_p:.3f}" if comparison else "",
        )
    console().print(rows)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
