"""Query embeddings: once for each text, from caches where there are some, without them when those fail."""

from collections.abc import Sequence

import numpy as np
import pytest
from kisoku.adapters.cache.memory import MemoryVectorCache
from kisoku.adapters.embedding.use import UseEmbedder
from kisoku.domain.errors import RetrievalError, UnknownVersionError
from kisoku.domain.search import SearchArguments, SearchContext
from kisoku.orchestration.retrieval.cached_embedder import CachedEmbedder
from kisoku.plugins.manager import PluginManager
from kisoku.plugins.markers import hookimpl
from kisoku.ports.embedder import Embedder
from kisoku.ports.vector_cache import QueryVectorCache
from kisoku.ports.vectors import Matrix, Vector
from kisoku.testing.embedder import EmbedderContract


class Batching(Embedder):
    """The bundled model; writes down every call for queries."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self.calls: list[tuple[str, ...]] = []

    @property
    def name(self) -> str:
        return "counting-use"

    @property
    def dimension(self) -> int:
        return self._model.dimension

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        return self._model.embed_passages(texts)

    def embed_query(self, text: str) -> Vector:
        return self.embed_queries([text])[0]

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        self.calls.append(tuple(texts))
        return self._model.embed_queries(texts)

    def count_tokens(self, text: str) -> int:
        return self._model.count_tokens(text)


@pytest.fixture(scope="module")
def model():
    return UseEmbedder()


@pytest.fixture
def batching(model):
    return Batching(model)


@pytest.fixture
def plugins(batching):
    class Plugin:
        @hookimpl
        def kisoku_embedders(self):
            return {"counting": lambda _: batching}

    manager = PluginManager(load_entry_points=False)
    manager.register(Plugin(), "batching")
    return manager


@pytest.fixture
def app(built, open_app, plugins):
    return open_app(built, parts={"plugins": plugins})


def ask(query, **options):
    return SearchArguments(query=query, agent=options.pop("agent", "writer"), **options)


def source(result):
    return next(s.details.get("embedded") for s in result.trace if s.stage == "query")


class TestCached(EmbedderContract):
    @pytest.fixture(scope="class")
    @classmethod
    def embedder(cls):
        return CachedEmbedder(UseEmbedder(), [MemoryVectorCache(100)])


def test_a_search_embeds_its_query_once_although_the_reranker_needs_it_too(app, batching):
    app.service.search(session_id=None, query="表の書き方", agent="writer", top_k=1)
    assert [text for call in batching.calls for text in call].count("表の書き方") == 1


def test_query_and_context_go_in_one_call_and_a_second_search_needs_none(app, batching):
    context = SearchContext(chapter="機能一覧")
    first = app.service.search(session_id=None, query="表の書き方", agent="writer", context=context)
    assert batching.calls == [("表の書き方", "機能一覧")]
    again = app.service.search(session_id=None, query="表の書き方", agent="writer", context=context)
    assert len(batching.calls) == 1
    assert source(first) == {"query": "model", "context": "model"}
    assert source(again) == {"query": "memory", "context": "memory"}
    assert [c.score for c in again.chunks] == [c.score for c in first.chunks]
    assert app.sessions.invocation(first.trace_id).cache_hit is False
    assert app.sessions.invocation(again.trace_id).cache_hit is True


def test_many_searches_embed_all_texts_that_differ_in_one_call(app, batching):
    context = SearchContext(chapter="機能一覧")
    requests = [
        ask("表の書き方", context=context),
        ask("図の表題", context=context),
        ask("表の書き方", agent="qa"),
        ask("文末の書き方"),
    ]
    results = app.service.search_many(requests)
    assert batching.calls == [("表の書き方", "図の表題", "文末の書き方", "機能一覧")]
    assert [r.query for r in results] == [r.query for r in requests]
    assert [r.agent for r in results] == ["writer", "writer", "qa", "writer"]
    alone = [
        app.service.search(session_id=None, **r.model_dump(exclude={"session_id", "context"}), context=r.context)
        for r in requests
    ]
    assert [[c.chunk_id for c in r.chunks] for r in results] == [[c.chunk_id for c in r.chunks] for r in alone]


def test_many_searches_embed_once_without_a_cache_too(built, open_app, plugins, batching):
    app = open_app(built, parts={"plugins": plugins}, cache={"query_embeddings": 0}, rerank={"enabled": False})
    app.service.search_many([ask("表"), ask("図"), ask("表")])
    assert batching.calls == [("表", "図")]
    app.service.search(session_id=None, query="表", agent="writer")
    assert len(batching.calls) == 2


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (ask(" "), "Entry 2 of search_many: The query is empty"),
        (ask("x", agent="wirter"), "Entry 2 of search_many: There is no agent 'wirter'"),
        (ask("x", category="zzz"), "Entry 2"),
        (ask("x", top_k=0), "Entry 2"),
        ({"query": "x", "agent": "writer"}, "Entry 2 of search_many is a dict"),
    ],
)
def test_a_wrong_entry_is_found_before_anything_is_searched(app, batching, entry, told):
    with pytest.raises(RetrievalError) as caught:
        app.service.search_many([ask("表"), entry])
    assert told in str(caught.value)
    assert batching.calls == []
    assert app.sessions.invocations() == []


def test_an_unknown_version_is_found_before_anything_is_searched(app, batching):
    with pytest.raises(UnknownVersionError):
        app.service.search_many([ask("表"), ask("図", version="v9")])
    assert batching.calls == []


def test_no_searches_give_no_results(app):
    assert app.service.search_many([]) == []


def test_many_searches_degrade_when_the_model_is_gone(built, open_app, broken_embedder):
    broken_embedder["query"] = RuntimeError("weights gone")
    results = open_app(built).service.search_many([ask("表のヘッダー行"), ask("図の表題")])
    assert all({n.code for n in r.notices} >= {"embedding_unavailable"} and r.chunks for r in results)


class Broken(QueryVectorCache):
    """A cache whose server is gone."""

    @property
    def name(self) -> str:
        return "far"

    @property
    def fault(self) -> str:
        return "ConnectionError"

    def get(self, keys, dimension):
        return [None] * len(keys)

    def put(self, vectors) -> None:
        pass

    def close(self) -> None:
        pass


def test_a_nearer_level_is_filled_from_the_one_behind(model):
    near, far, inner = MemoryVectorCache(10), MemoryVectorCache(10), Batching(model)
    CachedEmbedder(inner, [far]).embed_query("表")
    embedder = CachedEmbedder(inner, [near, far])
    assert embedder.traced(["表", "図", "表"]).sources == ("memory", "model", "memory")
    assert inner.calls == [("表",), ("図",)]
    assert CachedEmbedder(inner, [near]).traced(["表"]).sources == ("memory",)
    assert embedder.counts == {"memory": 2, "model": 1}


def test_the_same_model_with_other_options_has_other_keys(model):
    cache = MemoryVectorCache(10)
    CachedEmbedder(Batching(model), [cache], variant='use{"dimensions": 256}').embed_query("表")
    assert CachedEmbedder(Batching(model), [cache], variant="use").traced(["表"]).sources == ("model",)
    assert CachedEmbedder(Batching(model), [cache], variant="use").traced(["表"]).sources == ("memory",)


def test_a_hit_needs_no_model(model):
    class Unloadable(Batching):
        @property
        def dimension(self) -> int:
            raise AssertionError("the model was loaded")

    cache = MemoryVectorCache(10)
    expected = CachedEmbedder(Batching(model), [cache]).embed_query("表")
    found = CachedEmbedder(Unloadable(model), [cache]).traced(["表"], dimension=512).matrix
    assert np.array_equal(found[0], expected)


def test_a_level_that_fails_is_passed_over_and_told(model):
    inner = Batching(model)
    traced = CachedEmbedder(inner, [MemoryVectorCache(10), Broken()]).traced(["表"])
    assert traced.faults == {"far": "ConnectionError"}
    assert np.array_equal(traced.matrix[0], inner.embed_query("表"))


def test_redis_that_is_gone_changes_no_result_and_shows_in_the_trace(built, open_app):
    pytest.importorskip("redis", reason="the redis extra is not installed")
    app = open_app(built, cache={"redis_url": "redis://127.0.0.1:9/0"})
    result = app.service.search(session_id=None, query="表のヘッダー行", agent="writer")
    plain = open_app(built).service.search(session_id=None, query="表のヘッダー行", agent="writer")
    assert [c.chunk_id for c in result.chunks] == [c.chunk_id for c in plain.chunks]
    assert result.notices == plain.notices
    query = next(s for s in result.trace if s.stage == "query")
    assert query.details["cache_faults"] == {"redis": "ConnectionError"}
