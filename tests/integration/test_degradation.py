"""Parts that are gone or broken: the rest answers, and says so in the user's language."""

import shutil
import sqlite3
import threading
import time

import pytest
from kisoku.domain.errors import HandbookCorruptError, ModelError
from kisoku.plugins.manager import PluginManager
from kisoku.plugins.markers import hookimpl
from kisoku.ports.reranker import Reranker

LANGUAGES = ("ja", "zh", "en")


def search(app, query="表のヘッダー行の下線", **options):
    return app.service.search(session_id=None, query=query, agent="writer", **options)


def codes(result):
    return [n.code for n in result.notices]


def remove_keyword_indexes(root):
    shutil.rmtree(root / "keyword" / "v1")


@pytest.mark.parametrize("error", [ModelError("gone"), OSError("gone"), MemoryError("gone")])
def test_without_the_model_the_keywords_answer(built, open_app, broken_embedder, error):
    broken_embedder["query"] = error
    result = search(open_app(built))
    assert codes(result)[:1] == ["embedding_unavailable"]
    assert result.chunks
    assert all(c.vector is None for c in result.chunks)
    assert all(c.lexical or c.ngram for c in result.chunks)


def test_a_model_of_a_plugin_that_raises_anything_leaves_the_keywords(built, open_app, broken_embedder):
    broken_embedder["query"] = RuntimeError("CUDA gone")
    result = search(open_app(built))
    assert "embedding_unavailable" in codes(result)
    assert result.chunks


def test_a_model_whose_plugin_was_uninstalled_leaves_the_keywords(built, open_app):
    app = open_app(built, parts={"plugins": PluginManager(load_entry_points=False)})
    result = search(app)
    assert "embedding_unavailable" in codes(result)
    assert "no embedder named 'counting'" in result.notices[0].detail
    assert result.chunks


def test_without_the_keyword_index_the_vectors_answer(built, open_app):
    remove_keyword_indexes(built)
    result = search(open_app(built))
    assert codes(result) == ["keyword_unavailable"]
    assert result.chunks
    assert all(c.lexical is None and c.ngram is None for c in result.chunks)


def test_without_both_there_is_an_error(built, open_app, broken_embedder):
    remove_keyword_indexes(built)
    broken_embedder["query"] = ModelError("gone")
    with pytest.raises(HandbookCorruptError, match="Version v1 cannot be searched at all"):
        search(open_app(built))


@pytest.mark.parametrize("language", LANGUAGES)
def test_notices_are_in_the_language_of_the_user(built, open_app, broken_embedder, language):
    broken_embedder["query"] = ModelError("gone")
    result = search(open_app(built, language=language))
    words = {"ja": "意味検索が使えない", "zh": "语义检索暂不可用", "en": "Semantic search is unavailable"}
    assert words[language] in result.notices[0].text


def test_the_manifest_decides_the_model_and_not_the_settings(built, open_app):
    result = search(open_app(built, embedding={"adapter": "auto", "model": "multilingual-e5-small-q4"}))
    assert codes(result) == []
    (stage,) = [s for s in result.trace if s.stage == "query"]
    assert stage.details["vector"] == "counting-use"


class _Reranker(Reranker):
    def __init__(self, work):
        self._work = work

    @property
    def name(self):
        return "test-reranker"

    def rerank(self, query, candidates):
        return self._work(candidates)


@pytest.fixture
def reranked(built, rules, open_app, build):
    """Search a version whose reranker does the given work; also the fused order, for comparison."""

    def run(work, **rerank):
        plugins = PluginManager(load_entry_points=False)
        plugins.register(shared_counting(), "counting", ("kisoku-tests", "1"))

        class Plugin:
            @hookimpl
            def kisoku_rerankers(self):
                return {"mine": lambda options: _Reranker(work)}

        plugins.register(Plugin(), "mine", ("kisoku-tests", "1"))
        settings = {"adapter": "mine", "enabled": True} | rerank
        app = open_app(built, parts={"plugins": plugins}, rerank=settings)
        build(app, rules)
        plain = open_app(built, parts={"plugins": plugins}, rerank={"enabled": False})
        return search(app, top_k=3), search(plain, top_k=3)

    return run


def shared_counting():
    from kisoku.plugins.manager import shared_manager

    offer = shared_manager()._offers["kisoku_embedders"]["counting"]

    class Plugin:
        @hookimpl
        def kisoku_embedders(self):
            return {"counting": offer.factory}

    return Plugin()


def ids(result):
    return [c.chunk_id for c in result.chunks]


def test_a_reranker_orders(reranked):
    result, plain = reranked(lambda candidates: [float(n) for n in range(len(candidates))])
    assert codes(result) == []
    assert ids(result) != ids(plain)
    assert [c.rerank for c in result.chunks] == sorted((c.rerank for c in result.chunks), reverse=True)


def _raise(candidates):
    raise RuntimeError("no GPU")


@pytest.mark.parametrize(
    "work", [_raise, lambda candidates: [1.0], lambda candidates: "nonsense"], ids=["raises", "too few", "nonsense"]
)
def test_a_reranker_that_fails_leaves_the_fused_order(reranked, work):
    result, plain = reranked(work)
    assert codes(result) == ["rerank_failed"]
    assert ids(result) == ids(plain)
    assert all(c.rerank is None for c in result.chunks)


def test_a_reranker_that_hangs_is_not_waited_for(reranked):
    release = threading.Event()
    try:
        began = time.perf_counter()
        result, plain = reranked(lambda candidates: release.wait(60), deadline_ms=200)
        assert time.perf_counter() - began < 50
        assert codes(result) == ["rerank_deadline"]
        assert ids(result) == ids(plain)
    finally:
        release.set()


def test_a_detector_that_fails_takes_no_rule_away(built, open_app):
    def detector(rules):
        raise ValueError("odd text")

    result = search(open_app(built, parts={"detector": detector}))
    assert codes(result) == ["conflicts_unavailable"]
    assert result.chunks


def test_a_session_database_that_breaks_takes_no_result_away(built, open_app):
    app = open_app(built)
    assert codes(search(app)) == []
    with sqlite3.connect(built / "sessions.db") as other:
        other.execute("DROP TABLE tool_invocations")
    other.close()
    result = search(app)
    assert codes(result) == ["recording_failed"]
    assert "no such table" in result.notices[0].detail
    assert result.chunks
