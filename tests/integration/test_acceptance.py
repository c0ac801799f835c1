"""The acceptance set of the sample rules (requirements, rag-layer §2.3), with the settings a new user gets."""

import json
import re
import unicodedata
from pathlib import Path

import pytest
from kisoku.config.loading import load_settings
from kisoku.orchestration.bootstrap import Kisoku
from kisoku.orchestration.building.collect import collect_documents

SAMPLE = Path(__file__).parents[2] / "examples" / "sample-rules"
QUERIES = [json.loads(line) for line in (SAMPLE / "acceptance.jsonl").read_text(encoding="utf-8").splitlines()]
MISSED: dict[str, str] = {
    "a-17": "「書き換えられた」 stands for 更新 and 「守り方」 for 排他制御: no word is shared",
}
"""Queries whose rule is not among the first five, with the reason; one that begins to be found fails its test."""
WORSENED: dict[str, str] = {}
"""Queries whose rule the reranker puts lower than fusion had it."""


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    overrides = {"root": tmp_path_factory.mktemp("sample") / "handbook", "build.workers": 0}
    with Kisoku(load_settings(environment={}, overrides=overrides).settings) as app:
        collected = collect_documents(SAMPLE / "rules")
        app.manager.build(collected.files, collected.categories)
        yield app


def squeeze(text: str) -> str:
    return re.sub(r"[\s|]+", "", unicodedata.normalize("NFKC", text))


def rank(chunks, query) -> int | None:
    """Rank of the first chunk that holds one of the right rules, None when there is none."""
    for place, chunk in enumerate(chunks, start=1):
        text = squeeze(chunk.content)
        if any(chunk.doc_id == g["doc"] and all(squeeze(t) in text for t in g["all_of"]) for g in query["gold"]):
            return place
    return None


def search(app, query, **options):
    return app.service.search(session_id=None, query=query["query"], agent=query["agent"], record=False, **options)


@pytest.mark.parametrize("query", QUERIES, ids=lambda q: q["id"])
def test_the_right_rule_is_among_the_first_five(app, query):
    found = rank(search(app, query, top_k=5).chunks, query)
    if query["id"] in MISSED:
        assert found is None, f"{query['id']} is found now: take it off the list ({MISSED[query['id']]})"
    else:
        assert found is not None, query["query"]


@pytest.mark.parametrize("query", [q for q in QUERIES if q["kind"] in {"mixed", "katakana"}], ids=lambda q: q["id"])
def test_mixed_and_katakana_queries_never_come_back_empty(app, query):
    for agent in ("writer", "impact", "qa"):
        result = app.service.search(session_id=None, query=query["query"], agent=agent, record=False)
        assert result.chunks


@pytest.mark.parametrize("query", QUERIES, ids=lambda q: q["id"])
def test_reranking_never_worsens_the_rank_of_the_right_rule(app, query):
    state = search(app, query, top_k=10)
    reranked = rank(state.chunks, query)
    by_fusion = rank(sorted(state.chunks, key=lambda c: (-c.fused, c.chunk_id)), query)
    if query["id"] in WORSENED:
        assert reranked > by_fusion, f"{query['id']} is not worsened any more: take it off the list"
    elif by_fusion is not None:
        assert reranked is not None
        assert reranked <= by_fusion, f"{query['query']}: {by_fusion} before, {reranked} after"
