"""From chunks to evidence: order, boosts, duplicates, relevance."""

import pytest
from kisoku.domain.chunks import content_hash
from kisoku.domain.evidence import Scale, scale_of, similarity
from kisoku.domain.evidence_ranking import BoostWeights, rank_evidence, relevance
from kisoku.domain.query import Entity, TransformedQuery
from kisoku.domain.search import ScoredChunk
from kisoku.domain.terms import TermFinder

SCALE = Scale(low=0.2, high=0.6)
NONE = BoostWeights(0, 0, 0)


def chunk(rank, content, score, *, doc="規則.docx", headings=("見出し",), vector=0.5, lexical=1.0):
    return ScoredChunk(
        chunk_id=f"rules-write_v1_{rank:03d}",
        doc_id=doc,
        doc_type="word",
        content=content,
        headings=headings,
        source_uri=f"{doc}#{rank}",
        position=rank,
        token_count=1,
        category="write",
        content_hash=content_hash(content, headings),
        rank=rank,
        score=score,
        fused=score,
        vector=vector,
        lexical=lexical,
    )


def ranked(chunks, understood=None, *, domains=None, weights=NONE):
    finders = {name: TermFinder(terms) for name, terms in (domains or {}).items()}
    return rank_evidence(chunks, understood, domains=finders, scale=SCALE, weights=weights)


def query(text="q", **fields):
    return TransformedQuery(original=text, rewritten=text, method="rules", **fields)


def test_scores_are_normalised_and_keep_the_engine_order():
    candidates, trace = ranked([chunk(1, "一", 3.0), chunk(2, "二", 1.0), chunk(3, "三", -1.0)])
    assert [c.score for c in candidates] == [1.0, 0.5, 0.0]
    assert [(t.engine_rank, t.rank) for t in trace] == [(1, 1), (2, 2), (3, 3)]


def test_what_was_not_reranked_does_not_overtake():
    candidates, _ = ranked([chunk(1, "一", 0.9), chunk(2, "二", 0.1), chunk(3, "三", 0.7)])
    assert [c.chunk.rank for c in candidates] == [1, 2, 3]


def test_equal_scores_are_all_the_best():
    assert [c.score for c in ranked([chunk(1, "一", 2.0), chunk(2, "二", 2.0)])[0]] == [1.0, 1.0]


def test_an_identifier_of_the_query_lifts_the_rule_that_names_it():
    understood = query(entities=(Entity(text="TB001", kind="identifier"), Entity(text="F001", kind="identifier")))
    chunks = [chunk(1, "表の規則", 1.0), chunk(2, "ＴＢ００１ の規則", 0.98), chunk(3, "終わり", 0.0)]
    candidates, trace = ranked(chunks, understood, weights=BoostWeights(0, 0, 0.1))
    assert [c.chunk.rank for c in candidates] == [2, 1, 3]
    (boost,) = trace[0].boosts
    # One of two names: half of the weight.
    assert (boost.kind, boost.matched, boost.value) == ("entity", ("TB001",), 0.05)
    assert trace[0].engine_rank == 2


def test_keywords_lift_by_the_share_that_is_held():
    understood = query(keywords=("主キー", "命名", "桁数"))
    candidates, _ = ranked([chunk(1, "主キーの命名", 1.0)], understood, weights=BoostWeights(0, 0.3, 0))
    assert candidates[0].boosts[0].value == pytest.approx(0.2)
    assert candidates[0].score == 1.0


def test_a_domain_lifts_when_query_and_document_share_it():
    domains = {"DB": ["テーブル"], "画面": ["画面"]}
    chunks = [chunk(1, "い", 1.0, headings=("画面の規則",)), chunk(2, "ろ", 0.99, headings=("テーブルの規則",))]
    chunks.append(chunk(3, "は", 0.0))
    candidates, _ = ranked(chunks, query(domains=("DB",)), domains=domains, weights=BoostWeights(0.05, 0, 0))
    assert [c.chunk.rank for c in candidates] == [2, 1, 3]
    assert [c.domain for c in candidates] == ["DB", "画面", "write"]


def test_the_same_text_in_two_documents_is_one_piece_of_evidence():
    chunks = [chunk(1, "同じ規則", 1.0, doc="甲.docx"), chunk(2, "同じ規則", 0.9, doc="乙.docx"), chunk(3, "別", 0.0)]
    candidates, trace = ranked(chunks)
    assert [[s.document for s in c.sources] for c in candidates] == [["甲.docx", "乙.docx"], ["規則.docx"]]
    assert [t.dropped for t in trace] == ["", "duplicate", ""]


def test_what_neither_meaning_nor_words_tie_to_the_query_is_no_evidence():
    far = chunk(1, "クラス名はパスカルケースとする", 1.0, vector=0.1)
    near = chunk(2, "パスタという語は使わない", 0.5, vector=0.1)
    unknown = chunk(3, "ベクトルのない規則", 0.1, vector=None)
    candidates, trace = ranked([far, near, unknown], query(keywords=("パスタ",)))
    assert [c.chunk.rank for c in candidates] == [2, 3]
    assert trace[0].dropped == "unrelated"


def test_nothing_gives_nothing():
    assert ranked([]) == ([], ())
    assert relevance([], None) == "none"


@pytest.mark.parametrize(("cosine", "level"), [(0.55, "high"), (0.40, "medium"), (0.25, "low")])
def test_relevance_follows_the_best_similarity(cosine, level):
    # On the scale 0.2 to 0.6 these are 0.875, 0.5 and 0.125.
    candidates, _ = ranked([chunk(1, "一", 1.0, vector=0.2), chunk(2, "二", 0.5, vector=cosine)])
    assert relevance(candidates, None) == level


def test_without_cosines_keywords_say_how_relevant():
    understood = query(keywords=("主キー", "命名"))
    whole, _ = ranked([chunk(1, "主キーの命名", 1.0, vector=None)], understood)
    part, _ = ranked([chunk(1, "主キーの型", 1.0, vector=None)], understood)
    assert (relevance(whole, understood), relevance(part, understood)) == ("medium", "low")


@pytest.mark.parametrize(("cosine", "expected"), [(0.2, 0.0), (0.4, 0.5), (0.6, 1.0), (-1.0, 0.0), (1.0, 1.0)])
def test_a_cosine_on_a_scale(cosine, expected):
    assert similarity(cosine, SCALE) == expected


def test_an_unknown_model_has_a_scale():
    assert 0 < similarity(0.5, scale_of("somebody/model")) < 1
