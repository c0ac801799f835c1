"""`kisoku eval`."""

import contextlib
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import calibrate
from .messages import tr
from .options import Config, Json, Lang, Profile, Set, open_app

if TYPE_CHECKING:
    from ...orchestration.bootstrap import Kisoku
    from ...orchestration.evaluation.comparison import Comparison
    from ...orchestration.evaluation.report import EvaluationReport
    from ...orchestration.evaluation.runs import AblationRow, Evaluate
    from .evaluation_handbook import EvaluatedHandbook

app = typer.Typer(help="Measure on labelled sets.", no_args_is_help=True)
app.command("calibrate")(calibrate.calibrate)

Save = Annotated[Path | None, typer.Option("--save", help="Write the results query by query, as a baseline for later.")]
Baseline = Annotated[Path | None, typer.Option("--baseline", help="Compare with a file of --save, by paired tests.")]
Ablate = Annotated[
    bool, typer.Option("--ablate", help="Run again with one part turned off at a time, and tell what each is worth.")
]


def require_writable(path: Path) -> None:
    """Refuse a file that cannot be written before the work is done rather than after.

    Raises:
        ConfigError: Its folder does not exist, or it is a folder itself.
    """
    from ...domain.errors import ConfigError

    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror or error}.") from error


@app.command("retrieval")
def retrieval(  # typer's way: one parameter an option
    queries: Annotated[
        Path, typer.Option("--queries", help="JSON lines: id, query, agent, category; gold to be scored.")
    ],
    docs: Annotated[Path | None, typer.Option("--docs", help="Folder of documents, as for kisoku build.")] = None,
    root: Annotated[
        Path | None, typer.Option("--root", help="Search the handbook of this folder instead of building one.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Run to write: id, chunks, refused, latency_ms a line.")
    ] = None,
    chunks_out: Annotated[Path | None, typer.Option("--chunks-out", help="Write every chunk here too.")] = None,
    metrics: Annotated[
        Path | None, typer.Option("--metrics", help="Write what each search did in numbers here, a line each.")
    ] = None,
    agent_context: Annotated[
        bool, typer.Option("--agent-context", help="Pass the `context` that a query's line carries.")
    ] = False,
    save: Save = None,
    baseline: Baseline = None,
    ablate: Ablate = False,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Run labelled queries over a folder of documents, or over a handbook, and score what is found."""
    from ...domain.ranking_metrics import percentile
    from ...domain.search import SearchResult
    from ...orchestration.evaluation.comparison import compare
    from ...orchestration.evaluation.labels import LabelledQuery
    from ...orchestration.evaluation.lines import json_line, read_lines
    from ...orchestration.evaluation.metrics import metrics_file, summed_up
    from ...orchestration.evaluation.report import load_report, save_report
    from ...orchestration.evaluation.retrieval import run_queries
    from ...orchestration.evaluation.runs import retrieval_evaluation, retrieval_report
    from .evaluation_handbook import SettingOptions, evaluated_handbook
    from .evaluation_tables import print_report
    from .output import console, print_json
    from .progress import steps

    labelled = list(read_lines(queries, LabelledQuery))
    before = load_report(baseline) if baseline else None
    for path in (p for p in (out, chunks_out, metrics, save) if p):
        require_writable(path)
    with evaluated_handbook(docs, root, SettingOptions(config, profile, set_, lang), quiet=json) as handbook:
        kisoku, version = handbook.app, handbook.manifest.version
        if chunks_out is not None:
            _write_chunks(chunks_out, handbook)
        times: list[float] = []
        found: list[tuple[LabelledQuery, SearchResult]] = []
        with (
            out.open("w", encoding="utf-8") if out else contextlib.nullcontext() as file,
            metrics_file(metrics) as measured,
            steps("searching") as bar,
        ):

            def keep(query: LabelledQuery, result: SearchResult) -> None:
                found.append((query, result))
                measured.add(query, result)

            for retrieved in run_queries(
                kisoku.service,
                labelled,
                agent_context=agent_context,
                on_query=lambda done: bar(done, len(labelled)),
                on_result=keep,
            ):
                if file is not None:
                    file.write(json_line(retrieved.model_dump(mode="json")))
                times.append(retrieved.latency_ms)
        scored = retrieval_report(kisoku, version, queries, found)
        comparison = compare(scored, before) if before else None
        evaluate = retrieval_evaluation(version, queries, labelled, agent_context=agent_context)
        rows = _ablation(kisoku, scored, evaluate) if ablate else []
        report = handbook.report
        summary = {
            "documents": len(report.documents if report else handbook.manifest.source_files),
            "failures": [e.document for e in report.failures] if report else [],
            "chunks": report.chunks if report else scored.chunks,
            "embedding_model": scored.model,
            "build_seconds": round(handbook.build_seconds, 2),
            "queries": len(labelled),
            "p50_ms": round(percentile(times, 0.5), 2),
            "p95_ms": round(percentile(times, 0.95), 2),
            "out": str(out) if out else None,
            **summed_up(measured.collected).model_dump(mode="json"),
        }
    if save:
        save_report(scored, save)
    if json:
        print_json(
            summary
            | {"evaluation": scored.summary()}
            | ({"comparison": comparison.model_dump(mode="json")} if comparison else {})
            | ({"ablation": _rows_as_json(rows)} if ablate else {})
        )
        return
    print_report(scored)
    _print_more(baseline, comparison, scored, rows)
    said = tr(
        "{documents} documents, {chunks} chunks with {model} in {seconds:.1f} s;"
        " {queries} queries, p50 {p50} ms, p95 {p95} ms.",
        documents=summary["documents"],
        chunks=summary["chunks"],
        model=summary["embedding_model"],
        seconds=handbook.build_seconds,
        queries=len(labelled),
        p50=summary["p50_ms"],
        p95=summary["p95_ms"],
    )
    console().print(said + (tr(" Run: {path}", path=out) if out else ""), soft_wrap=True)


def _write_chunks(path: Path, handbook: "EvaluatedHandbook") -> None:
    """Write every chunk that can be found, a line each."""
    from ...orchestration.evaluation.lines import json_line

    with path.open("w", encoding="utf-8") as file:
        for category in handbook.manifest.categories:
            for chunk in handbook.app.handbook_store.chunks(handbook.manifest.version, category):
                if not chunk.is_parent:
                    line = {"doc_id": chunk.doc_id, "content": chunk.content, "headings": list(chunk.headings)}
                    file.write(json_line(line | {"source_uri": chunk.source_uri}))


def _ablation(kisoku: "Kisoku", scored: "EvaluationReport", evaluate: "Evaluate") -> "list[AblationRow]":
    """Run the queries once for every switch."""
    from ...orchestration.evaluation.runs import ablation
    from .progress import steps

    with steps("switches") as bar:
        return list(ablation(kisoku, scored, evaluate, bar))


def _print_more(
    baseline: Path | None,
    comparison: "Comparison | None",
    scored: "EvaluationReport",
    rows: "Sequence[AblationRow]",
) -> None:
    """Print the comparison and the ablation, where there are any."""
    from .evaluation_tables import print_ablation, print_comparison

    if comparison is not None and baseline is not None:
        print_comparison(baseline.name, comparison, scored)
    if rows:
        print_ablation(rows)


def _rows_as_json(rows: "Sequence[AblationRow]") -> list[dict[str, object]]:
    return [
        {
            "switch": name,
            "final": report.stages().get("final", {}),
            "effective_hit@5": report.effective_hit(),
            "refusals": report.refusals().model_dump(mode="json"),
            "comparison": comparison.model_dump(mode="json") if comparison else None,
        }
        for name, report, comparison in rows
    ]


@app.command("beir")
def beir(
    folder: Annotated[Path, typer.Argument(help="Folder with corpus.jsonl, queries.jsonl and qrels.")],
    save: Save = None,
    baseline: Baseline = None,
    ablate: Ablate = False,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Run a set in BEIR layout: nDCG@10, recall@10 and MRR@10 of every stage."""
    from ...orchestration.evaluation.beir import beir_report, index_passages, load_beir
    from ...orchestration.evaluation.comparison import compare
    from ...orchestration.evaluation.report import load_report, save_report
    from ...orchestration.evaluation.runs import beir_evaluation, no_progress
    from .output import console, print_json, table
    from .progress import BuildBar

    data = load_beir(folder)
    before = load_report(baseline) if baseline else None
    if save:
        require_writable(save)
    with (
        tempfile.TemporaryDirectory(prefix="kisoku-eval-") as scratch,
        open_app(Path(scratch) / "handbook", config, profile, set_, lang) as kisoku,
    ):
        began = time.perf_counter()
        with BuildBar(enabled=not json) as bar:
            manifest = index_passages(data, kisoku.handbook_store, kisoku.build_tools, bar)
        built = time.perf_counter() - began
        evaluate = beir_evaluation(manifest.version, folder, data, no_progress)
        scored = evaluate(kisoku)
        rows = _ablation(kisoku, scored, evaluate) if ablate else []
    report = replace(beir_report(scored), build_seconds=built)
    comparison = compare(scored, before) if before else None
    if save:
        save_report(scored, save)
    if json:
        print_json(
            asdict(report)
            | ({"comparison": comparison.model_dump(mode="json")} if comparison else {})
            | ({"ablation": _rows_as_json(rows)} if ablate else {})
        )
        return
    lines = table("", "stage", "nDCG@10#", "recall@10#", "MRR@10#")
    for stage in report.stages:
        lines.add_row(stage.stage, f"{stage.ndcg_10:.4f}", f"{stage.recall_10:.4f}", f"{stage.mrr_10:.4f}")
    console().print(lines)
    _print_more(baseline, comparison, scored, rows)
    said = tr(
        "{passages} passages, {queries} queries, {model}: built in {seconds:.1f} s,"
        " search p50 {p50:.1f} ms, p95 {p95:.1f} ms; {refused} would be refused.",
        passages=report.passages,
        queries=report.queries,
        model=report.model,
        seconds=report.build_seconds,
        p50=report.p50_ms,
        p95=report.p95_ms,
        refused=report.refused,
    )
    console().print(said, soft_wrap=True)


@app.command("conflicts")
def conflicts(
    kind: Annotated[str, typer.Argument(help="pairs or sets.")],
    source: Annotated[Path, typer.Argument(help="JSON lines of the set.")],
    out: Annotated[Path, typer.Option("--out", help="Predictions to write, a line each.")],
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Find conflicts in labelled pairs or sets and write the predictions."""
    from ...config.lexicon import load_lexicon
    from ...domain.errors import ConfigError
    from ...orchestration.evaluation.conflicts import predict_pairs, predict_sets
    from ...orchestration.evaluation.lines import json_line
    from .options import load
    from .output import console, print_json

    require_writable(out)
    if kind not in {"pairs", "sets"}:
        raise ConfigError(f"There is nothing called {kind!r} to evaluate.", hint="Say pairs or sets.")
    settings = load(None, config, profile, set_, lang).settings.conflicts
    lexicon = load_lexicon(settings.lexicon)
    predict = predict_pairs if kind == "pairs" else predict_sets
    count = 0
    with out.open("w", encoding="utf-8") as file:
        for prediction in predict(source, lexicon, min_confidence=settings.min_confidence):
            file.write(json_line(prediction.model_dump(mode="json")))
            count += 1
    if json:
        print_json({"kind": kind, "lines": count, "out": str(out)})
    else:
        console().print(tr("{count} {kind} predicted: {path}", count=count, kind=kind, path=out))
