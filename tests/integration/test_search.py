"""Searching: what is asked, what comes back, what is recorded."""

import json

import pytest
from kisoku.domain.errors import RetrievalError, UnknownVersionError
from kisoku.domain.search import SearchArguments, SearchContext

STAGES = [
    "understanding",
    "scope",
    "query",
    "channels",
    "fusion",
    "candidates",
    "topics",
    "rerank",
    "cut",
    "answerability",
    "conflicts",
]


@pytest.fixture
def app(built, open_app):
    return open_app(built)


def search(app, query="表のヘッダー行の書式", agent="writer", **options):
    return app.service.search(session_id=options.pop("session_id", None), query=query, agent=agent, **options)


@pytest.mark.parametrize(
    ("query", "agent", "document", "text"),
    [
        ("文末の書き方", "writer", "記入規則.docx", "である調"),
        ("図の題名は何文字まで", "writer", "図表規則.xlsx", "20文字以内"),
        ("倉庫との連携が止まったとき", "impact", "設計方針.pptx", "IF001"),
        ("パスワードの長さ", "impact", "命名規則.md", "12文字以上"),
        ("画面IDの付け方", "qa", "記入規則.docx", "SCR"),
    ],
)
def test_the_right_rule_comes_first(app, query, agent, document, text):
    best = search(app, query, agent).chunks[0]
    assert best.doc_id == document
    assert text in best.content


@pytest.mark.parametrize(
    ("agent", "options", "categories"),
    [
        ("writer", {}, ("write",)),
        ("impact", {}, ("design",)),
        ("qa", {}, ("write", "design")),
        ("impact", {"context": SearchContext(redesign=True)}, ("design", "ref")),
        ("writer", {"category": "ref"}, ("ref",)),
        ("impact", {"category": "write", "context": SearchContext(redesign=True)}, ("write",)),
        ("Writer ", {}, ("write",)),
    ],
)
def test_an_agent_reads_its_categories(app, agent, options, categories):
    result = search(app, "規則の書き方と設計", agent, **options)
    assert result.categories == categories
    assert {c.category for c in result.chunks} == set(categories)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"agent": "wirter"}, "no agent 'wirter'. Did you mean writer?"),
        ({"agent": "zzz"}, "Agents: writer, impact, qa."),
        ({"agent": ""}, "no agent ''"),
        ({"category": "rules"}, "no category 'rules'. Categories: write, design, ref."),
        ({"query": ""}, "The query is empty."),
        ({"query": " 　\n"}, "The query is empty."),
        ({"top_k": 0}, "top_k is 0"),
        ({"top_k": 101}, "top_k is 101"),
    ],
)
def test_what_cannot_be_searched_is_told(app, options, told):
    with pytest.raises(RetrievalError) as caught:
        search(app, **options)
    assert told in str(caught.value)


@pytest.mark.parametrize("version", ["v7", "latest"])
def test_an_unknown_version(app, version):
    with pytest.raises(UnknownVersionError):
        search(app, version=version)


def test_chunks_are_ranked_and_scored(app):
    result = search(app, top_k=3)
    assert [c.rank for c in result.chunks] == [1, 2, 3]
    assert len({c.chunk_id for c in result.chunks}) == 3
    assert all(-1 <= c.vector <= 1.0001 for c in result.chunks if c.vector is not None)
    assert all(c.lexical > 0 for c in result.chunks if c.lexical is not None)
    for chunk in result.chunks:
        assert app.handbook_store.chunk(chunk.chunk_id).content == chunk.content


@pytest.mark.parametrize(
    ("chapter", "expected"), [("1 概要", 3), ("5 DB設計", 4), ("6 データベース", 4), ("画面一覧", 4), ("", 4)]
)
def test_top_k_follows_the_chapter(app, chapter, expected):
    # The tiny handbook has four writing chunks; 3 is below, 5 and 8 are above.
    total = sum(1 for _ in app.handbook_store.chunks("v1", "write"))
    result = search(app, context=SearchContext(chapter=chapter))
    wanted = {"1 概要": 3, "5 DB設計": 8, "6 データベース": 8}.get(chapter, 5)
    assert len(result.chunks) == min(wanted, total)
    assert expected in {3, 4}


def test_an_explicit_top_k_wins_over_the_chapter(app):
    assert len(search(app, top_k=2, context=SearchContext(chapter="概要")).chunks) == 2


def test_context_widens_recall_and_the_query_still_leads(built, open_app):
    context = SearchContext(chapter="図の描き方", intent="フローチャート")
    plain = search(open_app(built), "文末の書き方")
    widened = search(open_app(built), "文末の書き方", context=context)
    assert widened.chunks[0].chunk_id == plain.chunks[0].chunk_id
    (channels,) = [s for s in widened.trace if s.stage == "channels"]
    assert any(name.startswith("context:") for name in channels.details)
    off = search(open_app(built, retrieval={"context_weight": 0}), "文末の書き方", context=context)
    assert [c.chunk_id for c in off.chunks] == [c.chunk_id for c in plain.chunks]
    (channels,) = [s for s in off.trace if s.stage == "channels"]
    assert not any(name.startswith("context:") for name in channels.details)


def test_the_trace_has_every_stage_with_its_numbers(app):
    result = search(app)
    assert [s.stage for s in result.trace] == STAGES
    assert all(s.milliseconds >= 0 for s in result.trace)
    stages = {s.stage: s for s in result.trace}
    assert set(stages["channels"].details) >= {"vector", "keyword"}
    assert stages["cut"].outgoing == len(result.chunks)
    assert stages["conflicts"].outgoing == len(result.conflicts)
    json.dumps([s.model_dump(mode="json") for s in result.trace])


def test_conflicts_among_the_rules_found_are_attached(app):
    (conflict,) = search(app, "表のヘッダー行の下線").conflicts
    assert {m.document for m in conflict.members} == {"記入規則.docx", "図表規則.xlsx"}
    assert conflict.conflict_id.startswith("c-")
    assert search(app, "文末の書き方", top_k=1).conflicts == ()


def test_conflict_detection_can_be_switched_off(built, open_app):
    result = search(open_app(built, conflicts={"enabled": False}))
    assert result.conflicts == ()
    assert "conflicts" not in [s.stage for s in result.trace]


def test_every_search_is_recorded(app):
    result = search(app, session_id="s")
    record = app.sessions.invocation(result.trace_id)
    assert (record.session_id, record.version, record.agent) == ("s", "v1", "writer")
    assert record.query == "表のヘッダー行の書式"
    assert record.chunk_ids == tuple(c.chunk_id for c in result.chunks)
    details = json.loads(record.retrieval_details)
    assert [s["stage"] for s in details["stages"]] == STAGES
    assert [c["chunk_id"] for c in details["chunks"]] == list(record.chunk_ids)
    assert details["conflicts"] == [c.conflict_id for c in result.conflicts]


def test_a_search_may_go_unrecorded(app):
    result = search(app, record=False)
    assert app.sessions.invocation(result.trace_id) is None


def test_several_topics_at_once(app):
    queries = ("文末の書き方", "図の題名")
    results = app.service.search_many([SearchArguments(query=q, agent="writer") for q in queries])
    assert [r.query for r in results] == list(queries)
    assert [r.chunks[0].doc_id for r in results] == ["記入規則.docx", "図表規則.xlsx"]


@pytest.mark.parametrize(
    "query",
    ["\udcff\udcfe表", "'; DROP TABLE x;--", "表" * 3000, "😀", "。、！", "\x00表", "a\u202eb", "1", "{}[]()*?\\"],
    ids=["surrogates", "sql", "long", "emoji", "punctuation", "nul", "bidi", "digit", "signs"],
)
def test_any_query_has_an_answer(app, query):
    result = search(app, query, session_id="s")
    assert result.version == "v1"
    assert app.sessions.invocation(result.trace_id) is not None


@pytest.mark.parametrize("query", ["レイアウト", "フローチャート", "table header の書式", "screen ID", "テーブル name"])
def test_katakana_and_mixed_queries_never_come_back_empty(app, query):
    for agent in ("writer", "impact", "qa"):
        assert search(app, query, agent).chunks
