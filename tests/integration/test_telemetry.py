"""Traces, metrics and logs of real searches, through the OpenTelemetry SDK as a host would set it up."""

import json
import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from kisoku.adapters.telemetry import providers
from kisoku.adapters.telemetry.logs import SearchLog
from kisoku.domain.errors import ModelError
from kisoku.domain.search import SearchContext
from kisoku.plugins.manager import PluginManager
from kisoku.plugins.markers import hookimpl
from kisoku.ports.telemetry import RunningWatch, SearchWatcher
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

QUERY = "表のヘッダー行の書式"


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch):
    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(name)


def host(monkeypatch, **options):
    """Make a tracer provider the host's; return it and what it exported."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False, **options)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    return provider, exporter


@pytest.fixture
def spans(monkeypatch):
    """What the host's tracer provider, whose spans hold many attributes, exported."""
    return host(monkeypatch, span_limits=SpanLimits(max_span_attributes=2000))[1]


def by_name(exporter):
    return {span.name: span for span in exporter.get_finished_spans()}


def identity(span):
    return trace.format_trace_id(span.context.trace_id)


def search(app, query=QUERY, agent="writer", **options):
    return app.service.search(session_id=options.pop("session_id", None), query=query, agent=agent, **options)


def test_a_search_is_one_trace_with_a_span_for_every_stage(built, open_app, spans):
    result = search(open_app(built), session_id="s1")
    found = spans.get_finished_spans()
    root = by_name(spans)["kisoku.search"]
    assert root.parent is None
    assert identity(root) == result.trace_id
    children = [span for span in found if span is not root]
    assert [span.name for span in children] == [f"kisoku.{stage.stage}" for stage in result.trace]
    assert {span.parent.span_id for span in children} == {root.context.span_id}
    for span, stage in zip(children, result.trace, strict=True):
        assert root.start_time <= span.start_time <= span.end_time <= root.end_time
        assert (span.end_time - span.start_time) / 1e6 == pytest.approx(stage.milliseconds, abs=0.01)
    assert [span.start_time for span in children] == sorted(span.start_time for span in children)


def test_the_search_span_tells_what_was_found(built, open_app, spans):
    result = search(open_app(built), session_id="s1")
    told = by_name(spans)["kisoku.search"].attributes
    assert told["openinference.span.kind"] == "RETRIEVER"
    assert told["input.value"] == told["gen_ai.retrieval.query.text"] == QUERY
    assert told["gen_ai.operation.name"] == "retrieval"
    assert told["session.id"] == "s1"
    assert (told["kisoku.version"], told["kisoku.agent"], told["kisoku.refused"]) == ("v1", "writer", False)
    assert told["kisoku.conflicts"] == tuple(c.conflict_id for c in result.conflicts) != ()
    assert told["kisoku.cache.hit"] is False
    assert told["gen_ai.usage.input_tokens"] > 0
    for number, chunk in enumerate(result.chunks):
        head = f"retrieval.documents.{number}.document"
        assert told[f"{head}.id"] == chunk.chunk_id
        assert told[f"{head}.content"] == chunk.content
        assert told[f"{head}.score"] == pytest.approx(chunk.score)
        assert json.loads(told[f"{head}.metadata"])["source"] == chunk.source_uri
    assert f"retrieval.documents.{len(result.chunks)}.document.id" not in told
    assert [d["id"] for d in json.loads(told["gen_ai.retrieval.documents"])] == [c.chunk_id for c in result.chunks]


def test_embedding_and_reranker_spans_tell_what_models_got_and_gave(built, open_app, spans):
    search(open_app(built, retrieval={"top_k": 2}), context=SearchContext(chapter="機能一覧"))
    embedding = by_name(spans)["kisoku.query"].attributes
    assert embedding["openinference.span.kind"] == "EMBEDDING"
    assert embedding["embedding.model_name"] == "counting-use"
    assert embedding["embedding.embeddings.0.embedding.text"] == QUERY
    assert embedding["embedding.embeddings.1.embedding.text"] == "機能一覧"
    channels = by_name(spans)["kisoku.channels"].attributes
    first = [json.loads(channels[f"retrieval.documents.{n}.document.metadata"]) for n in range(3)]
    assert {entry["rank"] for entry in first} == {1}
    assert {entry["channel"] for entry in first} >= {"vector", "keyword"}


def test_the_reranker_span_holds_input_and_output(built, open_app, spans):
    app = open_app(built, retrieval={"top_k": 1}, rerank={"adapter": "sentence"})
    result = search(app)
    told = by_name(spans)["kisoku.rerank"].attributes
    stage = next(s for s in result.trace if s.stage == "rerank")
    assert told["openinference.span.kind"] == "RERANKER"
    if "skipped" in stage.details:
        pytest.skip(f"this version is not reranked: {stage.details}")
    assert told["reranker.query"] == QUERY
    assert told["reranker.model_name"] == stage.details["model"]
    given = [told[f"reranker.input_documents.{n}.document.id"] for n in range(stage.incoming)]
    returned = [told[f"reranker.output_documents.{n}.document.id"] for n in range(stage.outgoing)]
    assert sorted(given) == sorted(returned)
    scores = [told[f"reranker.output_documents.{n}.document.score"] for n in range(stage.outgoing)]
    assert scores == sorted(scores, reverse=True)
    assert returned[0] == result.chunks[0].chunk_id


def test_texts_stay_out_of_the_spans_where_that_is_set(built, open_app, spans):
    result = search(open_app(built, tracing={"content": False}))
    everything = [str(value) for span in spans.get_finished_spans() for value in span.attributes.values()]
    assert result.chunks
    assert [text for text in everything if result.chunks[0].content in text] == []
    assert result.chunks[0].chunk_id in " ".join(everything)


def test_spans_of_a_host_keep_within_its_limit_of_attributes(built, open_app, monkeypatch):
    _, exporter = host(monkeypatch)
    search(open_app(built), agent="qa", top_k=100)
    assert {
        span.name: span.dropped_attributes for span in exporter.get_finished_spans() if span.dropped_attributes
    } == {}
    assert "retrieval.documents.0.document.content" in by_name(exporter)["kisoku.search"].attributes


def test_under_a_span_of_the_host_each_search_has_its_own_id(built, open_app, monkeypatch):
    provider, exporter = host(monkeypatch)
    app = open_app(built)
    with provider.get_tracer("host").start_as_current_span("chapter") as chapter:
        first, second = search(app), search(app, "文末の書き方")
    roots = [span for span in exporter.get_finished_spans() if span.name == "kisoku.search"]
    assert [root.parent.span_id for root in roots] == [chapter.get_span_context().span_id] * 2
    trace_id = trace.format_trace_id(chapter.get_span_context().trace_id)
    expected = [f"{trace_id}-{trace.format_span_id(root.context.span_id)}" for root in roots]
    assert [first.trace_id, second.trace_id] == expected
    assert [r.trace_id for r in app.sessions.invocations_named(trace_id)] == expected[::-1]


def test_what_is_called_during_a_search_is_inside_its_span(built, open_app, spans):
    class Listener:
        @hookimpl
        def kisoku_after_search(self, result):
            with trace.get_tracer("host").start_as_current_span("listener"):
                pass

    plugins = PluginManager(load_entry_points=False)
    plugins.register(Listener(), "telemetry-listener")
    # The model of this handbook is unknown here: words alone answer.
    search(open_app(built, parts={"plugins": plugins}))
    found = by_name(spans)
    assert found["listener"].parent.span_id == found["kisoku.search"].context.span_id


def test_a_lookup_is_a_tool_with_its_search_inside(built, open_app, spans):
    result = open_app(built).lookup.lookup_knowledge(QUERY, "s1")
    found = by_name(spans)
    tool, inner = found["kisoku.lookup"], found["kisoku.search"]
    assert tool.parent is None
    assert inner.parent.span_id == tool.context.span_id
    assert identity(tool) == result.trace_id
    assert tool.attributes["openinference.span.kind"] == "TOOL"
    assert tool.attributes["kisoku.evidence_status"] == "evidence"
    assert tool.attributes["retrieval.documents.0.document.content"] == result.evidence_blocks[0].text
    assert [s.name for s in spans.get_finished_spans()].count("kisoku.conflicts") == 1
    assert found["kisoku.conflicts"].parent.span_id == tool.context.span_id


def test_many_searches_are_many_traces(built, open_app, spans):
    from kisoku.domain.search import SearchArguments

    results = open_app(built).service.search_many([SearchArguments(query=q, agent="qa") for q in (QUERY, "文末")])
    roots = [span for span in spans.get_finished_spans() if span.parent is None]
    assert [identity(root) for root in roots] == [result.trace_id for result in results]
    assert len({result.trace_id for result in results}) == 2


def test_degradation_is_told(built, open_app, spans, broken_embedder):
    broken_embedder["query"] = ModelError("the model is gone")
    result = search(open_app(built, cache={"query_embeddings": 0}))
    assert "embedding_unavailable" in [n.code for n in result.notices]
    found = by_name(spans)
    assert found["kisoku.query"].status.status_code is trace.StatusCode.ERROR
    assert "the model is gone" in found["kisoku.query"].attributes["kisoku.degraded"]
    assert found["kisoku.search"].attributes["kisoku.degradations"][0].startswith("embedding_unavailable: ")


def test_a_refusal_names_its_gate(built, open_app, spans):
    app = open_app(built, retrieval={"pipeline": "cascade", "cascade": {"vector_least": 1.01}})
    result = search(app)
    assert result.gate == "vector_low_score"
    told = by_name(spans)["kisoku.search"].attributes
    assert (told["kisoku.refused"], told["kisoku.gate"], told["kisoku.found"]) == (True, "vector_low_score", 0)


def test_the_cascade_shows_windows_to_the_reranker(built, open_app, spans):
    result = search(open_app(built, retrieval={"pipeline": "cascade"}), agent="qa")
    assert not result.refused
    assert [s.name for s in spans.get_finished_spans()][:-1] == [f"kisoku.{stage.stage}" for stage in result.trace]
    told = by_name(spans)["kisoku.rerank"].attributes
    assert told["reranker.input_documents.0.document.content"]


def test_an_error_ends_the_span(built, open_app, spans):
    app = open_app(built)
    shutil.rmtree(built / "keyword")
    shutil.rmtree(built / "chroma")
    with pytest.raises(Exception, match="cannot be searched at all"):
        search(app)
    root = by_name(spans)["kisoku.search"]
    assert root.status.status_code is trace.StatusCode.ERROR
    assert root.events[0].name == "exception"


def test_switched_off_means_no_spans(built, open_app, spans):
    result = search(open_app(built, tracing={"enabled": False}))
    assert len(result.trace_id) == 32
    assert spans.get_finished_spans() == ()


class Broken(SearchWatcher):
    """A watcher that fails at everything."""

    class Watch(RunningWatch):
        def done(self, seen):
            raise RuntimeError("done")

        def failed(self, error):
            raise RuntimeError("failed")

        def close(self):
            raise RuntimeError("close")

    def begin(self, operation, started):
        return self.Watch()

    def flush(self):
        raise RuntimeError("flush")


def test_a_watcher_that_fails_harms_no_search(built, open_app, caplog):
    from kisoku.orchestration.watching import Watching

    app = open_app(built)
    app.__dict__["watching"] = Watching([Broken()], app.new_id)
    with caplog.at_level(logging.ERROR, "kisoku.telemetry"):
        assert search(app).chunks
        app.watching.flush()
    assert [record.exc_info[1].args[0] for record in caplog.records] == ["done", "close", "flush"]


def points(reader):
    found = {}
    for resource in reader.get_metrics_data().resource_metrics:
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                for point in metric.data.data_points:
                    found[(metric.name, *sorted(point.attributes.items()))] = point
    return found


def test_metrics_count_searches(built, open_app, monkeypatch):
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader], shutdown_on_exit=False)
    monkeypatch.setattr(metrics._internal, "_METER_PROVIDER", provider)
    app = open_app(built, embedding={"adapter": "counting", "price_per_million_tokens": 2.0})
    results = [search(app), search(app)]
    found = points(reader)
    labels = (("kisoku.agent", "writer"), ("kisoku.outcome", "found"))
    assert found[("kisoku.searches", *labels)].value == 2
    assert found[("kisoku.search.duration", *labels)].count == 2
    assert found[("kisoku.search.stage.duration", ("kisoku.stage", "fusion"))].count == 2
    assert found[("kisoku.embedding.cache", ("kisoku.cache.hit", True))].value == 1
    assert found[("kisoku.embedding.cache", ("kisoku.cache.hit", False))].value == 1
    tokens = results[0].embedding_tokens
    assert (tokens > 0, results[1].embedding_tokens) == (True, 0)
    assert found[("kisoku.embedding.tokens",)].value == tokens
    assert found[("kisoku.embedding.cost",)].value == pytest.approx(tokens * 2 / 1_000_000)
    assert [r.cost for r in app.sessions.invocations()] == [0.0, pytest.approx(tokens * 2 / 1_000_000)]


@pytest.mark.parametrize(
    ("switch", "variables", "wanted"),
    [
        ("auto", {}, False),
        ("auto", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, True),
        ("auto", {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://x"}, True),
        ("auto", {"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://x"}, False),
        ("auto", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_TRACES_EXPORTER": "none"}, False),
        ("auto", {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "true"}, False),
        (True, {}, True),
        (True, {"OTEL_SDK_DISABLED": "true"}, False),
        (False, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, False),
    ],
)
def test_standard_variables_decide(switch, variables, wanted):
    assert providers.is_wanted("traces", switch, variables) is wanted


def command(root, *arguments, **variables):
    environment = {n: v for n, v in os.environ.items() if not n.startswith(("KISOKU_", "OTEL_"))}
    environment |= {"KISOKU_LANGUAGE": "en", "PYTHONUTF8": "1", "NO_PROXY": "127.0.0.1"} | variables
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "kisoku", *arguments, "--root", str(root)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done, time.monotonic() - began


@pytest.fixture(scope="module")
def on_disk(tmp_path_factory, rules_template):
    """A handbook of the bundled model, for commands in processes of their own."""
    root = tmp_path_factory.mktemp("telemetry") / "handbook"
    done, _ = command(root, "build", str(rules_template))
    assert done.returncode == 0, done.stderr
    return root


SEARCH = ("search", QUERY, "--agent", "writer", "--json")


def test_a_slow_search_is_logged_and_results_stay_clean(on_disk):
    done, _ = command(on_disk, *SEARCH, "--set", "logging.slow_ms=1", "--set", "logging.format=json")
    result = json.loads(done.stdout)
    (line,) = [json.loads(text) for text in done.stderr.splitlines() if text.startswith("{")]
    assert (line["event"], line["level"], line["logger"]) == ("slow search", "warning", "kisoku.search")
    assert line["trace_id"] == result["trace_id"]
    assert line["milliseconds"] > line["limit_ms"] == 10
    assert list(line["stages"]) == [stage["stage"] for stage in result["trace"]]


def test_logs_for_people_are_one_line(on_disk):
    told = ("--set", "logging.slow_ms=0", "--set", "logging.level=info")
    done, _ = command(on_disk, *SEARCH, *told)
    assert json.loads(done.stdout)["chunks"]
    (line,) = [text for text in done.stderr.splitlines() if "kisoku.search" in text]
    assert "search" in line
    assert f"trace_id={json.loads(done.stdout)['trace_id']}" in line


def test_a_host_with_log_handlers_gets_records_with_fields(built, open_app, caplog):
    with caplog.at_level(logging.INFO, "kisoku.search"):
        result = search(open_app(built))
    (record,) = [r for r in caplog.records if r.name == "kisoku.search"]
    assert record.kisoku["trace_id"] == result.trace_id
    assert result.trace_id in record.getMessage()


def test_the_first_search_of_a_process_may_take_longer():
    assert SearchLog(500).begin("search", 0.0) is not None
    assert SearchLog(500).begin("lookup", 0.0) is None


def test_a_missing_exporter_is_told(on_disk):
    try:
        import opentelemetry.exporter.otlp.proto.http  # noqa: F401
    except ImportError:
        done, _ = command(on_disk, *SEARCH, "--set", "tracing.enabled=true")
        assert done.returncode == 1
        assert "pip install 'kisoku[otel]'" in done.stderr
        done, _ = command(on_disk, *SEARCH, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
        assert done.returncode == 0
        assert "traces are not exported" in done.stderr
    else:
        done, _ = command(on_disk, *SEARCH, OTEL_EXPORTER_OTLP_ENDPOINT="http://x", OTEL_EXPORTER_OTLP_PROTOCOL="x")
        assert "The OTLP protocol 'x' is unknown" in done.stderr


class Collector(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if "gzip" in self.headers.get("Content-Encoding", ""):
            import gzip

            body = gzip.decompress(body)
        self.server.received.setdefault(self.path, []).append((dict(self.headers), body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


@pytest.fixture
def collector():
    server = HTTPServer(("127.0.0.1", 0), Collector)
    server.received = {}
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_spans_and_metrics_go_out_by_otlp(on_disk, collector):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    url = f"http://127.0.0.1:{collector.server_address[1]}"
    done, _ = command(
        on_disk, *SEARCH, OTEL_EXPORTER_OTLP_ENDPOINT=url, OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20secret"
    )
    result = json.loads(done.stdout)
    assert "secret" not in done.stderr
    headers, body = collector.received["/v1/traces"][0]
    assert headers["authorization"] == "Bearer secret"
    (resource,) = ExportTraceServiceRequest.FromString(body).resource_spans
    told = {a.key: a.value.string_value for a in resource.resource.attributes}
    assert (told["service.name"], told["openinference.project.name"]) == ("kisoku", "kisoku")
    exported = [span for scope in resource.scope_spans for span in scope.spans]
    assert {span.trace_id.hex() for span in exported} == {result["trace_id"]}
    assert len(exported) == 1 + len(result["trace"])
    (_, body) = collector.received["/v1/metrics"][0]
    (resource,) = ExportMetricsServiceRequest.FromString(body).resource_metrics
    names = {metric.name for scope in resource.scope_metrics for metric in scope.metrics}
    assert names >= {"kisoku.searches", "kisoku.search.duration", "kisoku.search.stage.duration"}


def test_an_exporter_that_is_down_changes_nothing_but_the_end(on_disk):
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    _, without = command(on_disk, *SEARCH)
    done, with_it = command(on_disk, *SEARCH, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
    assert done.returncode == 0
    assert json.loads(done.stdout)["chunks"]
    assert json.loads(done.stdout)["notices"] == []
    assert done.stderr.count("127.0.0.1") <= 4  # one line of the exporter of each signal
    assert with_it < 3 * without + 10


def test_nothing_of_it_is_loaded_before_it_is_needed():
    script = (
        "import sys, kisoku, kisoku.adapters.cli.main; from kisoku.orchestration.bootstrap import Kisoku; "
        "from kisoku.config.settings import Settings; Kisoku(Settings()).watching; "
        "print([m for m in sys.modules if m.startswith(('opentelemetry', 'structlog'))])"
    )
    environment = {n: v for n, v in os.environ.items() if not n.startswith("OTEL_")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_telemetry_of_chroma_stays_off(on_disk, tmp_path):
    script = (
        "import sys\nfrom kisoku import Kisoku, StorageAdapterFactory\nfrom opentelemetry import trace\n"
        f"with Kisoku.open(root={str(on_disk)!r}) as app:\n"
        f"    app.service.search(session_id=None, query={QUERY!r}, agent='writer')\n"
        # Reading does without Chroma's client; writing does not.
        f"section = {{'vector_store': {{'chroma': {{'persist_dir': {str(tmp_path / 'store')!r}}}}}}}\n"
        "store = StorageAdapterFactory.create(section)\n"
        "store.create_collection('rules')\n"
        "store.upsert('rules', ['a'], [[1.0, 0.0]], ['text'], [{}])\nstore.close()\n"
        "print('chromadb' in sys.modules, type(trace.get_tracer_provider()).__name__)"
    )
    environment = {n: v for n, v in os.environ.items() if not n.startswith("OTEL_")}
    environment |= {"CHROMA_OTEL_COLLECTION_ENDPOINT": "http://127.0.0.1:9", "CHROMA_OTEL_GRANULARITY": "all"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "True ProxyTracerProvider"


def test_a_host_that_sets_up_logging_later_gets_the_lines_alone(on_disk):
    script = (
        "import logging, sys\nfrom kisoku import Kisoku\n"
        f"with Kisoku.open(root={str(on_disk)!r}) as app:\n"
        f"    app.service.search(session_id=None, query={QUERY!r}, agent='writer')\n"
        "    logging.basicConfig(stream=sys.stdout, format='host %(message)s')\n"
        f"    app.service.search(session_id=None, query={QUERY!r}, agent='writer')"
    )
    environment = {n: v for n, v in os.environ.items() if not n.startswith("OTEL_")}
    environment |= {"KISOKU_LOGGING__SLOW_MS": "1", "KISOKU_LANGUAGE": "en"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stderr.count("slow search") == 1
    (line,) = [text for text in done.stdout.splitlines() if "slow search" in text]
    assert line.startswith("host slow search: ")
