"""What watching costs a search: nobody watches, the default without an endpoint, spans with all documents.

    python -P benchmarks/telemetry.py [--runs 300]

Builds the sample rules with the bundled model, searches once, and shows that search to the watchers again and again, so
that only they are measured. Spans go to a provider in this process that drops them: an exporter works in a thread of
its own.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from kisoku.config.loading import load_settings
from kisoku.domain.ranking_metrics import percentile
from kisoku.domain.search import SearchRequest, SearchResult
from kisoku.orchestration.bootstrap import Kisoku
from kisoku.orchestration.building.collect import collect_documents
from kisoku.orchestration.retrieval.state import Step
from kisoku.orchestration.watching import Watching
from opentelemetry import trace
from opentelemetry.sdk.trace import SpanLimits, TracerProvider

RULES = Path(__file__).parents[1] / "examples" / "sample-rules" / "rules"
Seen = tuple[SearchResult, Sequence[Step]]


def one_search(root: Path) -> tuple[Kisoku, Seen]:
    app = Kisoku(load_settings(overrides={"root": root, "language": "en", "logging.slow_ms": 0}).settings)
    found = collect_documents(RULES, app.settings.partitions)
    app.manager.build(found.files, found.categories)
    app.service.search(session_id=None, query="表のヘッダー行の書式", agent="qa")
    result = app.service.search(session_id=None, query="表のヘッダー行の書式", agent="qa")
    request = SearchRequest(query=result.query, agent="qa", categories=result.categories, top_k=len(result.chunks))
    state = app.engine.run(app.versions.get(result.version), request)
    return app, (result.model_copy(update={"trace": state.trace}), state.steps)


def measure(name: str, watching: Watching, seen: Seen, runs: int) -> None:
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        with watching.of("search", None) as watched:
            watched.found(*seen)
        times.append((time.perf_counter() - began) * 1000)
    print(f"{name:<28} p50 {percentile(times, 0.5):.4f} ms   p95 {percentile(times, 0.95):.4f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        app, seen = one_search(Path(folder) / "handbook")
        with app:
            measure("nobody watches", Watching((), app.new_id), seen, runs)
            measure("default, no endpoint", app.watching, seen, runs)
            limits = SpanLimits(max_span_attributes=2000)
            trace.set_tracer_provider(TracerProvider(span_limits=limits, shutdown_on_exit=False))
            measure("spans with all documents", app.watching, seen, runs)


if __name__ == "__main__":
    main()
