"""A search in a real Arize Phoenix, read back through Phoenix's own client.

Phoenix is large and no dependency of kisoku: `make phoenix` installs it into an environment of its own. The test finds
it there, on PATH, or where KISOKU_TEST_PHOENIX names the command.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[2]
QUERY = "表のヘッダー行の書式"
PATIENCE_SECONDS = 180
READ = """
import json, sys, time
from phoenix.client import Client

client = Client(base_url=sys.argv[1])
for _ in range(60):
    spans = client.spans.get_spans(project_identifier="kisoku", limit=1000)
    if {s["context"]["trace_id"] for s in spans if s["name"] == "kisoku.search"} >= set(sys.argv[2:]):
        break
    time.sleep(1)
print(json.dumps([dict(span) for span in spans], default=str))
"""


def phoenix_command() -> Path | None:
    named = os.environ.get("KISOKU_TEST_PHOENIX") or shutil.which("phoenix")
    for candidate in (named, ROOT / ".phoenix" / "bin" / "phoenix"):
        if candidate and Path(candidate).is_file():
            return Path(candidate)
    return None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def phoenix(tmp_path_factory):
    """Address of a Phoenix that runs for this module."""
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    command = phoenix_command()
    if command is None:
        pytest.skip("no phoenix command: run `make phoenix`, or set KISOKU_TEST_PHOENIX")
    folder, port = tmp_path_factory.mktemp("phoenix"), free_port()
    address = f"http://127.0.0.1:{port}"
    environment = {name: v for name, v in os.environ.items() if not name.startswith(("KISOKU_", "OTEL_", "PYTHONPATH"))}
    environment |= {
        "PHOENIX_WORKING_DIR": str(folder),
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(free_port()),
        "PHOENIX_TELEMETRY_ENABLED": "false",
    }
    with (folder / "log.txt").open("wb") as log:
        server = subprocess.Popen([command, "serve"], cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        wait_for(address, server, folder / "log.txt")
        yield address, command.parent / "python"
    finally:
        server.terminate()
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def wait_for(address, server, log):
    ends = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < ends:
        if server.poll() is not None:
            pytest.fail(f"phoenix ended with {server.returncode}: {log.read_text(errors='replace')[-2000:]}")
        try:
            if httpx.get(f"{address}/v1/projects", timeout=5, trust_env=False).is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.5)
    pytest.fail(f"phoenix did not answer within {PATIENCE_SECONDS} s: {log.read_text(errors='replace')[-2000:]}")


def kisoku(*arguments, **variables):
    environment = {name: v for name, v in os.environ.items() if not name.startswith(("KISOKU_", "OTEL_"))}
    environment |= {"KISOKU_LANGUAGE": "en", "PYTHONUTF8": "1", "NO_PROXY": "127.0.0.1"} | variables
    done = subprocess.run(
        [sys.executable, "-P", "-m", "kisoku", *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def seen(phoenix, tmp_path_factory, rules_template):
    """Two searches, one of them in a damaged handbook, and the spans that Phoenix has of them."""
    address, python = phoenix
    sound = tmp_path_factory.mktemp("phoenix-handbook") / "sound"
    kisoku("build", rules_template, "--root", sound)
    damaged = Path(shutil.copytree(sound, sound.with_name("damaged")))
    shutil.rmtree(damaged / "keyword")
    export = {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": f"{address}/v1/traces"}
    ask = ("search", QUERY, "--agent", "writer", "--json")
    good = json.loads(kisoku(*ask, "--top-k", 2, "--session", "s1", "--root", sound, **export))
    bad = json.loads(kisoku(*ask, "--root", damaged, **export))
    environment = {name: v for name, v in os.environ.items() if name != "PYTHONPATH"} | {"NO_PROXY": "127.0.0.1"}
    told = subprocess.run(
        [python, "-c", READ, address, good["trace_id"], bad["trace_id"]],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    spans = json.loads(told.stdout)

    def of(result):
        return {s["name"]: s for s in spans if s["context"]["trace_id"] == result["trace_id"]}

    return good, of(good), bad, of(bad)


def documents(attributes, prefix):
    """Return the documents of a span as Phoenix gives them, flat or nested."""
    found = []
    for number in range(100):
        head = f"{prefix}.{number}.document"
        if f"{head}.id" not in attributes:
            break
        found.append({key: attributes.get(f"{head}.{key}") for key in ("id", "content", "score", "metadata")})
    return found


def test_phoenix_shows_the_stages_below_the_search(seen):
    good, spans, _, _ = seen
    root = spans["kisoku.search"]
    assert root["parent_id"] in {None, ""}
    assert root["span_kind"] == "RETRIEVER"
    assert set(spans) == {"kisoku.search", *(f"kisoku.{stage['stage']}" for stage in good["trace"])}
    assert {s["parent_id"] for name, s in spans.items() if name != "kisoku.search"} == {root["context"]["span_id"]}


def test_phoenix_shows_what_the_retriever_found(seen):
    good, spans, _, _ = seen
    attributes = spans["kisoku.search"]["attributes"]
    shown = documents(attributes, "retrieval.documents")
    assert [d["id"] for d in shown] == [chunk["chunk_id"] for chunk in good["chunks"]]
    assert [d["content"] for d in shown] == [chunk["content"] for chunk in good["chunks"]]
    assert [d["score"] for d in shown] == pytest.approx([chunk["score"] for chunk in good["chunks"]])
    assert attributes["input.value"] == QUERY
    assert attributes["session.id"] == "s1"


def test_phoenix_shows_what_the_reranker_got_and_gave(seen):
    good, spans, _, _ = seen
    span = spans["kisoku.rerank"]
    assert span["span_kind"] == "RERANKER"
    stage = next(s for s in good["trace"] if s["stage"] == "rerank")
    attributes = span["attributes"]
    assert attributes["reranker.query"] == QUERY
    assert attributes["reranker.model_name"] == stage["details"]["model"]
    given = documents(attributes, "reranker.input_documents")
    returned = documents(attributes, "reranker.output_documents")
    assert len(given) == len(returned) == stage["details"]["candidates"] > 2
    assert [d["id"] for d in returned][:2] == [chunk["chunk_id"] for chunk in good["chunks"]]


def test_phoenix_shows_the_embedding(seen):
    _, spans, _, _ = seen
    assert spans["kisoku.query"]["span_kind"] == "EMBEDDING"
    assert spans["kisoku.query"]["attributes"]["embedding.model_name"] == "use-multilingual-v3"
    assert spans["kisoku.query"]["attributes"]["embedding.embeddings.0.embedding.text"] == QUERY


def test_phoenix_shows_conflicts(seen):
    good, spans, _, _ = seen
    ids = [conflict["conflict_id"] for conflict in good["conflicts"]]
    assert ids
    assert list(spans["kisoku.search"]["attributes"]["kisoku.conflicts"]) == ids


def test_phoenix_shows_a_degradation(seen):
    _, _, bad, spans = seen
    assert "keyword_unavailable" in [notice["code"] for notice in bad["notices"]]
    assert "keyword_unavailable" in spans["kisoku.search"]["attributes"]["kisoku.notices"]
    assert spans["kisoku.channels"]["status_code"] == "ERROR"
    assert "keyword unavailable" in spans["kisoku.channels"]["attributes"]["kisoku.degraded"]
