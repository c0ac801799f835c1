"""Embedding models over HTTP, against a real server on loopback that misbehaves."""

import math

import numpy as np
import pytest
from kisoku.adapters.embedding.ollama import OllamaEmbedder
from kisoku.adapters.embedding.openai_compatible import OpenAICompatibleEmbedder
from kisoku.domain.errors import ConfigError, ModelError, TransientModelError
from kisoku.ports.embedder import EmbedderOptions
from kisoku.testing.embedder import EmbedderContract
from kisoku.testing.model_server import Behaviour, ModelServer, model_servers

ADAPTERS = {"openai-compatible": OpenAICompatibleEmbedder, "ollama": OllamaEmbedder}
TEXTS = [f"規則{n}は必ず記載する。" for n in range(200)]


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


@pytest.fixture(params=ADAPTERS)
def make(request):
    """Make an adapter over servers; pauses are written down instead of slept."""

    def make_(*servers, batch_size=16, **options):
        pauses = []
        places = [{"base_url": s.url} for s in servers]
        settings = {"endpoints": places, "timeout_seconds": 0.4} | options
        wanted = EmbedderOptions(model="m1", batch_size=batch_size, options=settings)
        embedder = ADAPTERS[request.param](wanted, sleep=pauses.append)
        embedder.pauses = pauses
        return embedder

    return make_


def sizes(server):
    """Batch sizes asked for, the probe left out."""
    return [len(r.body["input"]) for r in server.requests][1:]


class Contract(EmbedderContract):
    adapter = ""

    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls):
        with ModelServer(dimension=16) as running:
            options = EmbedderOptions(model="m1", options={"base_url": running.url})
            yield ADAPTERS[cls.adapter](options)


class TestOpenAICompatibleContract(Contract):
    adapter = "openai-compatible"


class TestOllamaContract(Contract):
    adapter = "ollama"


def test_vectors_are_normalised_and_in_order(make, server):
    rows = make(server).embed_passages(TEXTS[:3])
    expected = np.array([server.vector(text) for text in TEXTS[:3]], dtype=np.float32) / 2
    assert rows.shape == (3, 8)
    np.testing.assert_allclose(rows, expected, atol=1e-6)


def test_batches_grow_to_sixty_four(make, server):
    make(server, batch_size=48).embed_passages(TEXTS + TEXTS)
    assert sizes(server) == [48, 52, 56, 60, 64, 64, 56]


def test_batches_are_halved_by_failures(make, server):
    embedder = make(server, batch_size=32)
    embedder.warm_up()
    server.requests.clear()
    server.next(Behaviour(status=503), Behaviour(status=503))
    embedder.embed_passages(TEXTS[:50])
    # 32 and 16 fail, then 8 grows by 4.
    assert [len(r.body["input"]) for r in server.requests] == [32, 16, 8, 12, 16, 14]
    assert len(embedder.pauses) == 2


def test_a_batch_is_never_smaller_than_four(make, server):
    embedder = make(server, batch_size=4, max_retries=3)
    embedder.warm_up()
    server.requests.clear()
    server.next(*[Behaviour(status=500)] * 3)
    embedder.embed_passages(TEXTS[:4])
    assert [len(r.body["input"]) for r in server.requests] == [4, 4, 4, 4]


def test_retry_after_is_honoured(make, server):
    embedder = make(server)
    server.next(Behaviour(status=429, headers={"retry-after": "3"}))
    embedder.embed_query("表")
    assert embedder.pauses == [3.0]


def test_prefixes_go_before_texts(make, server):
    embedder = make(server, query_prefix="query: ", passage_prefix="passage: ")
    embedder.embed_query("表")
    embedder.embed_passages(["図"])
    assert [r.body["input"] for r in server.requests][1:] == [["query: 表"], ["passage: 図"]]


def test_dimension_is_asked_for_once(make, server):
    embedder = make(server)
    assert (embedder.dimension, embedder.dimension) == (8, 8)
    assert len(server.requests) == 1


def test_counting_tokens_asks_nobody(make, server):
    assert make(server).count_tokens("表の見出し abc") == 5 + 2
    assert server.requests == []


def with_vectors(vectors):
    """A body that holds vectors for both adapters."""
    return {"data": [{"index": i, "embedding": v} for i, v in enumerate(vectors)], "embeddings": vectors}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (with_vectors([[1.0] * 8]), "1 vectors for 2 texts"),
        (with_vectors([[1.0] * 7] * 2), "of 7 numbers, not 8"),
        (with_vectors([[1.0] * 8, [1.0] * 7]), "several lengths"),
        (with_vectors([[1.0] * 8, [math.nan] * 8]), "not finite"),
        (with_vectors([[1.0] * 8, [0.0] * 8]), "zero"),
        (with_vectors([["a"] * 8] * 2), "no numbers"),
        (with_vectors([None, None]), "no lists of numbers|no numbers"),
        (with_vectors([]), "0 vectors"),
    ],
    ids=["short", "dimension", "ragged", "nan", "zero", "words", "null", "empty"],
)
def test_vectors_that_cannot_be_used_are_refused(make, server, body, told):
    embedder = make(server)
    embedder.warm_up()
    server.next(Behaviour(body=body))
    with pytest.raises(ModelError, match=told) as caught:
        embedder.embed_passages(TEXTS[:2])
    assert not isinstance(caught.value, TransientModelError)


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(status=500),
        Behaviour(seconds=1.5),
        Behaviour(cut=True),
        Behaviour(body='{"data": [{"embed'),
        Behaviour(body="<html></html>", headers={"content-type": "text/html"}),
        Behaviour(body={"data": None}),
        Behaviour(body=[1]),
    ],
    ids=["500", "slow", "cut", "garbage", "html", "none", "list"],
)
def test_what_may_pass_is_tried_again(make, server, behaviour):
    embedder = make(server)
    embedder.warm_up()
    server.next(behaviour)
    assert embedder.embed_passages(TEXTS[:2]).shape == (2, 8)
    assert len(embedder.pauses) == 1


def test_another_endpoint_of_the_same_model_takes_over(make):
    with model_servers(2) as (first, second):
        embedder = make(first, second, max_retries=1)
        before = embedder.embed_passages(TEXTS[:2])
        first.always(lambda _: Behaviour(status=503))
        np.testing.assert_allclose(embedder.embed_passages(TEXTS[:2]), before)
        assert [len(r.body["input"]) for r in second.requests] == [1, 2]


def test_an_endpoint_that_fails_in_the_middle_is_gone_on_from(make):
    with model_servers(2) as (first, second):
        embedder = make(first, second, batch_size=4, max_retries=0)
        embedder.warm_up()
        first.next(Behaviour(), Behaviour(status=503))
        rows = embedder.embed_passages(TEXTS[:10])
        expected = np.array([first.vector(text) for text in TEXTS[:10]], dtype=np.float32) / 2
        np.testing.assert_allclose(rows, expected, atol=1e-6)
        assert [t for r in second.requests[1:] for t in r.body["input"]] == TEXTS[4:10]


@pytest.mark.parametrize(
    ("other", "told"), [({"seed": "other"}, "another model"), ({"dimension": 9}, "of 9 numbers, not 8")]
)
def test_an_endpoint_of_another_model_is_refused(make, other, told):
    with ModelServer() as first, ModelServer(**other) as second:
        embedder = make(first, second, max_retries=0)
        embedder.warm_up()
        first.always(lambda _: Behaviour(status=401))
        with pytest.raises(ModelError, match=told):
            embedder.embed_passages(TEXTS[:2])
        assert [len(r.body["input"]) for r in second.requests] == [1]


def test_a_key_goes_into_the_header_and_nowhere_else(make, server, monkeypatch):
    monkeypatch.setenv("KISOKU_TEST_KEY", "sk-secret-42")
    embedder = make(server, endpoints=[{"base_url": server.url, "api_key_env": "KISOKU_TEST_KEY"}])
    embedder.warm_up()
    assert server.requests[0].headers["authorization"] == "Bearer sk-secret-42"
    server.next(Behaviour(status=401, body="key sk-secret-42 is unknown"))
    with pytest.raises(ModelError) as caught:
        embedder.embed_query("表")
    assert "sk-secret-42" not in str(caught.value)
    assert "KISOKU_TEST_KEY" in str(caught.value)


def test_a_model_is_required():
    with pytest.raises(ConfigError, match=r"embedding\.model"):
        OllamaEmbedder(EmbedderOptions())


def test_an_unknown_option_is_named(server):
    with pytest.raises(ConfigError, match="base_ulr"):
        OllamaEmbedder(EmbedderOptions(model="m", options={"base_ulr": server.url}))


def test_a_handbook_is_built_and_searched_over_http(server, open_app, build, rules, tmp_path):
    app = open_app(
        tmp_path / "handbook",
        embedding={"adapter": "ollama", "model": "m1", "options": {"endpoints": [{"base_url": server.url}]}},
    )
    report = build(app, rules)
    assert report.version == "v1"
    assert app.manager.get_version("v1").embedding.dimension == 8
    result = app.service.search(session_id=None, query="表のヘッダー行", agent="writer")
    assert "embedding_unavailable" not in [n.code for n in result.notices]
    assert any(c.vector is not None for c in result.chunks)
