"""The cascade over parent and child chunks: what each step passes on, and that a refusal spends nothing further."""

import shutil

import pytest
from kisoku.config.settings import Settings
from kisoku.domain.notices import GATE_CODES
from kisoku.domain.search import SearchRequest
from kisoku.orchestration.bootstrap import Kisoku
from kisoku.orchestration.retrieval.stages.cascade_windows import joined

CHILD = {"parent_chars": 400, "parent_overlap": 0, "child_chars": 60, "child_overlap": 0, "min_tokens": 0}
OFF = {"enabled": False}
SENTENCE = {"adapter": "sentence", "deadline_ms": 60000}
CHUNKING = {"strategy": "parent_child", **CHILD}
TOPICS = ("表のヘッダー行", "図の表題", "画面の識別子", "テーブルの名前", "帳票の余白")


def paragraph(topic: str) -> str:
    return "".join(
        f"{topic}に関する規則その{n}では、{topic}を{n}番目の様式に従って必ず統一して記載すること。" for n in range(1, 7)
    )


@pytest.fixture(scope="module")
def cascade_rules(tmp_path_factory):
    """One Markdown document: five sections of about 300 characters."""
    folder = tmp_path_factory.mktemp("cascade-rules")
    (folder / "write").mkdir()
    text = "\n\n".join(f"# {topic}\n\n{paragraph(topic)}" for topic in TOPICS)
    (folder / "write" / "規則.md").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def built_cascade(tmp_path_factory, cascade_rules, build):
    """Root of a handbook cut into parents and children."""
    root = tmp_path_factory.mktemp("cascade-built") / "handbook"
    settings = {
        "root": root,
        "embedding": {"adapter": "counting"},
        "build": {"workers": 0},
        "chunking": CHUNKING,
        "rerank": SENTENCE,
    }
    with Kisoku(Settings.model_validate(settings)) as app:
        build(app, cascade_rules)
    return root


@pytest.fixture
def cascade(open_app, build, built_cascade, tmp_path):
    """Open a handbook of the cascade; keyword arguments are settings of `retrieval.cascade`."""

    def open_(rules=None, chunking=None, **values):
        root = tmp_path / "handbook"
        if rules is None and not root.exists():
            shutil.copytree(built_cascade, root)
        app = open_app(
            root,
            chunking=chunking or CHUNKING,
            rerank=SENTENCE,
            conflicts=OFF,
            retrieval={"pipeline": "cascade", "cascade": values},
        )
        if rules is not None:
            build(app, rules)
        return app

    return open_


def search(app, query, **options):
    return app.service.search(session_id=None, query=query, agent="writer", **options)


def steps(result):
    return [s.stage for s in result.trace if s.stage != "understanding"]


def stages(result):
    return {stage.stage: stage for stage in result.trace}


def test_parents_of_the_winners_come_back_each_once(cascade):
    result = search(cascade(vector_least=-1), "図の表題の様式")
    assert not result.refused
    assert steps(result) == [
        "scope",
        "recall",
        "vector",
        "windows",
        "rerank",
        "evidence",
        "cut",
    ]
    assert "図の表題" in result.chunks[0].content
    assert len({c.chunk_id for c in result.chunks}) == len(result.chunks)
    assert all(c.is_parent and c.matched for c in result.chunks)
    assert [c.score for c in result.chunks] == sorted((c.score for c in result.chunks), reverse=True)
    assert all(c.chunk_id.rpartition("_")[0] == "rules-write_v1" for c in result.chunks)


def test_each_step_passes_on_what_is_set(cascade):
    result = search(cascade(keyword_top_k=9, vector_top_k=6, windows=2, vector_least=-1), "規則の様式", top_k=2)
    found = stages(result)
    assert found["recall"].outgoing == 9
    assert (found["vector"].incoming, found["vector"].outgoing) == (9, 6)
    assert found["windows"].incoming == 6
    assert found["rerank"].outgoing == 2
    assert len(result.chunks) <= 2


def test_children_are_never_embedded_again(cascade, embed_calls):
    app = cascade(vector_least=-1)
    app.service.warm_up()
    embed_calls.clear()
    search(cascade(vector_least=-1), "図の表題の様式")
    children = {c.search_text for c in app.handbook_store.chunks("v1", "write") if not c.is_parent}
    assert children.isdisjoint(embed_calls.passages)
    assert embed_calls.queries[0] == "図の表題の様式"


def test_too_few_words_in_common_refuse_before_anything_is_embedded(cascade, embed_calls):
    app = cascade()
    embed_calls.clear()
    result = search(app, "zymurgy")
    assert (result.refused, result.gate, result.chunks) == (True, "bm25_low_recall", ())
    assert [n.code for n in result.notices] == ["bm25_low_recall"]
    assert steps(result) == ["scope", "recall"]
    assert (embed_calls.queries, embed_calls.passages) == ([], [])


def test_meaning_too_far_off_refuses_before_reranking(cascade, embed_calls):
    app = cascade(vector_least=0.999)
    embed_calls.clear()
    result = search(app, "図の表題の様式")
    assert (result.refused, result.gate) == (True, "vector_low_score")
    assert steps(result) == ["scope", "recall", "vector"]
    assert embed_calls.queries == ["図の表題の様式"]
    assert embed_calls.passages == []


def test_low_rerank_score_refuses_without_evidence(cascade):
    result = search(cascade(vector_least=-1, rerank_least=1000.0), "図の表題の様式")
    assert (result.refused, result.gate, result.chunks) == (True, "rerank_low_score", ())
    assert result.trace[-1].stage == "rerank"


def test_no_document_of_the_category_refuses_first(cascade, embed_calls):
    app = cascade()
    embed_calls.clear()
    result = search(app, "図の表題", category="design")
    assert (result.refused, result.gate) == (True, "no_docs_matched")
    assert steps(result) == ["scope"]
    assert embed_calls.queries == []


def test_the_gate_of_a_small_scope_asks_for_one(cascade, tmp_path):
    rules = tmp_path / "small"
    (rules / "write").mkdir(parents=True)
    (rules / "write" / "一.md").write_text("# 表題\n\n図の表題は20文字以内とする。", encoding="utf-8")
    result = search(cascade(rules, vector_least=-1), "図の表題")
    assert not result.refused
    assert stages(result)["recall"].details["least"] == 1


def test_a_handbook_without_parents_returns_the_chunks_themselves(cascade, cascade_rules):
    app = cascade(cascade_rules, {"strategy": "heading"}, vector_least=-1)
    result = search(app, "図の表題の様式")
    assert "図の表題" in result.chunks[0].content
    assert not any(c.is_parent or c.matched for c in result.chunks)
    assert stages(result)["windows"].details["without_parent"] == stages(result)["windows"].incoming


def test_windows_hold_two_neighbours_on_each_side(cascade):
    app = cascade(vector_least=-1)
    children = [c for c in app.handbook_store.chunks("v1", "write") if c.parent_id]
    family = [c for c in children if c.parent_id == children[0].parent_id]
    assert len(family) >= 6
    request = SearchRequest(query=family[2].content, agent="writer", categories=("write",), top_k=5)
    state = app.engine.run(app.versions.get("v1"), request)
    window = next(w for w in state.windows if w.chunk_id == family[2].chunk_id)
    assert window.text.endswith("".join(c.content for c in family[0:5]))
    assert family[5].content not in window.text


def test_overlap_of_neighbours_stands_once():
    text = "0123456789abcdefghij"

    class Piece:
        def __init__(self, start, end):
            self.start, self.end, self.content = start, end, text[start:end]

    assert joined([Piece(0, 8), Piece(5, 14), Piece(14, 20)]) == text
    assert joined([Piece(0, 4), Piece(6, 8)]) == "0123\n67"


def test_without_the_model_words_alone_answer(cascade, broken_embedder):
    app = cascade()
    broken_embedder["query"] = RuntimeError("no model")
    result = search(app, "図の表題の様式")
    assert [n.code for n in result.notices] == ["embedding_unavailable", "rerank_failed"]
    assert "図の表題" in result.chunks[0].content


def test_without_the_keyword_index_vectors_answer(cascade):
    app = cascade(vector_least=-1)
    shutil.rmtree(app.handbook_store.keyword_folder("v1", "rules-write"))
    result = search(app, "図の表題の様式")
    assert [n.code for n in result.notices] == ["keyword_unavailable"]
    assert "図の表題" in result.chunks[0].content


def test_reranking_switched_off_keeps_the_order_by_cosine(open_app, build, cascade_rules, tmp_path):
    app = open_app(
        tmp_path / "off",
        chunking=CHUNKING,
        rerank={"enabled": False},
        retrieval={"pipeline": "cascade", "cascade": {"vector_least": -1}},
    )
    build(app, cascade_rules)
    result = search(app, "図の表題の様式")
    assert all(c.rerank is None for c in result.chunks)
    assert [c.vector for c in result.chunks] == sorted((c.vector for c in result.chunks), reverse=True)


def test_gate_codes_are_those_of_the_requirements():
    assert GATE_CODES == ("no_docs_matched", "bm25_low_recall", "vector_low_score", "rerank_low_score")
    assert Settings().retrieval.cascade.model_dump() == {
        "keyword_top_k": 30,
        "keyword_least": 5,
        "vector_top_k": 15,
        "vector_least": None,
        "neighbours": 2,
        "windows": 5,
        "rerank_least": None,
    }


def test_metrics_of_an_answered_search(cascade):
    app = cascade(vector_least=-1)
    first, second = (search(app, "図の表題の様式").metrics for _ in range(2))
    chunks = app.handbook_store.chunks("v1", "write")
    assert (first.cache_hit, second.cache_hit) == (False, True)
    assert second.question == second.rewritten_query == "図の表題の様式"
    assert second.docs_matched == 1
    assert second.parent_count == sum(c.is_parent for c in chunks)
    assert second.child_count == sum(not c.is_parent for c in chunks)
    assert second.bm25_recall == second.bm25_candidates == 30
    assert second.vector_recall == second.vector_candidates == 15
    assert 0 < second.window_count <= 15
    assert second.rerank_candidates == second.window_count
    assert second.rerank_top_score >= second.rerank_lowest_score
    assert second.reranker_used.startswith("sentence")
    assert (second.score_gate_passed, second.answer_refused, second.error, second.gate_failed_at) == (
        True,
        False,
        "",
        "",
    )
    assert second.noise_removed == 0


def test_metrics_of_a_refused_search(cascade):
    metrics = search(cascade(vector_least=0.999), "図の表題の様式").metrics
    assert (metrics.answer_refused, metrics.score_gate_passed) == (True, False)
    assert (metrics.error, metrics.gate_failed_at) == ("vector_low_score", "vector")
    assert 0 < metrics.vector_top_score < 0.999
    assert (metrics.evidence_count, metrics.window_count, metrics.rerank_candidates) == (0, 0, 0)
    written = metrics.model_dump(mode="json")
    required = (
        "question rewritten_query cities_detected docs_matched bm25_candidates noise_removed vector_candidates "
        "rerank_top_score rerank_lowest_score rerank_candidates reranker_used score_gate_passed answer_refused error "
        "parent_count child_count bm25_recall vector_top_score vector_recall window_count evidence_count "
        "gate_failed_at cache_hit"
    )
    assert set(required.split()) <= set(written)


def test_kept_sentence_vectors_spare_the_reranker_the_model(open_app, build, cascade_rules, tmp_path, embed_calls):
    sections = {
        "embedding": {"adapter": "counting", "sentences": True},
        "chunking": CHUNKING,
        "rerank": SENTENCE,
        "conflicts": OFF,
        "retrieval": {"pipeline": "cascade", "cascade": {"vector_least": -1}},
    }
    app = open_app(tmp_path / "kept", **sections)
    build(app, cascade_rules)
    embed_calls.clear()
    result = search(app, "図の表題の様式")
    assert "図の表題" in result.chunks[0].content
    assert result.chunks[0].rerank is not None
    assert embed_calls.passages == []
