"""`kisoku eval`."""

import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from .options import Config, Json, Lang, Profile, Set, open_app

app = typer.Typer(help="Measure on labelled sets.", no_args_is_help=True)


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
    docs: Annotated[Path, typer.Option("--docs", help="Folder of documents, as for kisoku build.")],
    queries: Annotated[Path, typer.Option("--queries", help="JSON lines: id, query, agent, category.")],
    out: Annotated[Path, typer.Option("--out", help="Run to write: id, chunks, refused, latency_ms a line.")],
    chunks_out: Annotated[Path | None, typer.Option("--chunks-out", help="Write every chunk here too.")] = None,
    metrics: Annotated[
        Path | None, typer.Option("--metrics", help="Write what each search did in numbers here, a line each.")
    ] = None,
    agent_context: Annotated[
        bool, typer.Option("--agent-context", help="Pass the `context` that a query's line carries.")
    ] = False,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Build a throw-away handbook from a folder and run labelled queries over it."""
    from ...domain.ranking_metrics import percentile
    from ...orchestration.evaluation.lines import json_line, read_lines
    from ...orchestration.evaluation.metrics import metrics_file, summed_up
    from ...orchestration.evaluation.retrieval import LabelledQuery, build_from_folder, run_queries
    from .output import console, print_json, warn
    from .progress import BuildBar

    labelled = list(read_lines(queries, LabelledQuery))
    for path in (p for p in (out, chunks_out, metrics) if p):
        require_writable(path)
    assignments = ["build.on_error=skip", *(set_ or ())]
    with (
        tempfile.TemporaryDirectory(prefix="kisoku-eval-") as scratch,
        open_app(Path(scratch) / "handbook", config, profile, assignments, lang) as kisoku,
    ):
        began = time.perf_counter()
        with BuildBar(enabled=not json) as bar:
            report = build_from_folder(kisoku.manager, docs, bar, kisoku.settings.partitions)
        built = time.perf_counter() - began
        for failure in report.failures:
            warn(f"left out {failure.document}: {failure.category}: {failure}")
        if chunks_out is not None and report.version is not None:
            manifest = kisoku.manager.get_version(report.version)
            with chunks_out.open("w", encoding="utf-8") as file:
                for category in manifest.categories:
                    for chunk in kisoku.handbook_store.chunks(report.version, category):
                        if not chunk.is_parent:
                            line = {"doc_id": chunk.doc_id, "content": chunk.content, "headings": list(chunk.headings)}
                            file.write(json_line(line | {"source_uri": chunk.source_uri}))
        times = []
        with out.open("w", encoding="utf-8") as file, metrics_file(metrics) as measured:
            for retrieved in run_queries(
                kisoku.service, labelled, agent_context=agent_context, on_result=measured.add
            ):
                file.write(json_line(retrieved.model_dump(mode="json")))
                times.append(retrieved.latency_ms)
        summary = {
            "documents": len(report.documents),
            "failures": [e.document for e in report.failures],
            "chunks": report.chunks,
            "embedding_model": report.embedding_model,
            "build_seconds": round(built, 2),
            "queries": len(labelled),
            "p50_ms": round(percentile(times, 0.5), 2),
            "p95_ms": round(percentile(times, 0.95), 2),
            "out": str(out),
            **summed_up(measured.collected).model_dump(mode="json"),
        }
    if json:
        print_json(summary)
    else:
        console().print(
            f"{summary['documents']} documents, {summary['chunks']} chunks with {summary['embedding_model']}"
            f" in {built:.1f} s; {len(labelled)} queries, p50 {summary['p50_ms']} ms, p95 {summary['p95_ms']} ms."
            f" Run: {out}",
            soft_wrap=True,
        )


@app.command("beir")
def beir(
    folder: Annotated[Path, typer.Argument(help="Folder with corpus.jsonl, queries.jsonl and qrels.")],
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Run a set in BEIR layout: nDCG@10, recall@10 and MRR@10 of every stage."""
    from ...orchestration.evaluation.beir import index_passages, load_beir, run_beir
    from .output import console, print_json, table
    from .progress import BuildBar

    data = load_beir(folder)
    with (
        tempfile.TemporaryDirectory(prefix="kisoku-eval-") as scratch,
        open_app(Path(scratch) / "handbook", config, profile, set_, lang) as kisoku,
        BuildBar(enabled=not json) as bar,
    ):
        began = time.perf_counter()
        manifest = index_passages(data, kisoku.handbook_store, kisoku.build_tools, bar)
        built = time.perf_counter() - began
        report = run_beir(data, kisoku.versions.get(manifest.version), kisoku.engine, lambda _: None)
        report = replace(report, build_seconds=built)
    if json:
        print_json(asdict(report))
        return
    rows = table("", "stage", "nDCG@10#", "recall@10#", "MRR@10#")
    for stage in report.stages:
        rows.add_row(stage.stage, f"{stage.ndcg_10:.4f}", f"{stage.recall_10:.4f}", f"{stage.mrr_10:.4f}")
    console().print(rows)
    console().print(
        f"{report.passages} passages, {report.queries} queries, {report.model}: built in {report.build_seconds:.1f} s,"
        f" search p50 {report.p50_ms:.1f} ms, p95 {report.p95_ms:.1f} ms.",
        soft_wrap=True,
    )


@app.command("conflicts")
def conflicts(
    kind: Annotated[str, typer.Argument(help="pairs or sets.")],
    source: Annotated[Path, typer.Argument(help="JSON lines of the set.")],
    out: Annotated[Path, typer.Option("--out", help="Predictions to write, a line each.")],
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
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
    settings = load(None, config, profile, set_, None).settings.conflicts
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
        console().print(f"{count} {kind} predicted: {out}")
