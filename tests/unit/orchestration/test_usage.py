"""Figures of recorded searches, worked out by hand."""

import json
from datetime import UTC, datetime

import pytest
from kisoku.domain.errors import ConfigError
from kisoku.orchestration.usage import moment_of, usage_of
from kisoku.ports.session_store import InvocationRecord

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def record(number, *, day="2026-11-29", milliseconds=10.0, found=1, details=None, **columns):
    given = {"stages": [{"stage": "query", "milliseconds": milliseconds}]} | (details or {})
    values = {
        "trace_id": f"t{number}",
        "session_id": None,
        "created_at": f"{day}T10:00:00.000+00:00",
        "version": "v1",
        "agent": "writer",
        "query": f"question {number}",
        "chunk_ids": tuple(f"c{n}" for n in range(found)),
        "refused": False,
        "milliseconds": milliseconds,
        "retrieval_details": json.dumps(given),
    }
    return InvocationRecord(**values | columns)


def test_hits_refusals_and_rates():
    report = usage_of(
        [
            record(1),
            record(2, found=0),
            record(3, found=0, refused=True, gate="low_relevance"),
            record(4, found=2, agent="qa", session_id="s1"),
        ]
    )
    assert (report.total.searches, report.total.hits, report.total.refused) == (4, 2, 1)
    assert (report.total.hit_rate, report.total.refusal_rate) == (0.5, 0.25)
    assert report.gates == {"low_relevance": 1}
    assert report.sessions == 1
    assert report.by_agent["qa"].hit_rate == 1.0
    assert report.by_agent["writer"].searches == 3


def test_days_in_order():
    report = usage_of([record(1, day="2026-11-30"), record(2, day="2026-11-28"), record(3, day="2026-11-30", found=0)])
    assert {day: (u.searches, u.hits) for day, u in report.by_day.items()} == {
        "2026-11-28": (1, 1),
        "2026-11-30": (2, 1),
    }
    assert list(report.by_day) == ["2026-11-28", "2026-11-30"]


def test_latency_of_stages_adds_up_two_attempts():
    details = {
        "stages": [
            {"stage": "query", "milliseconds": 1.0},
            {"stage": "rerank", "milliseconds": 3.0},
            {"stage": "query", "milliseconds": 2.0},
        ],
        "retrieval_trace": {"fallback_reason": "filtered_vector_no_evidence"},
    }
    report = usage_of([record(1, details=details), record(2, milliseconds=6.0)])
    query, rerank = report.stages
    assert (query.stage, query.runs, query.p50_ms, query.p95_ms, query.share) == ("query", 2, 4.5, 5.85, 0.75)
    assert (rerank.stage, rerank.runs, rerank.share) == ("rerank", 1, 0.25)
    assert report.fallbacks == {"filtered_vector_no_evidence": 1}


def test_the_slowest_come_first_and_are_few():
    report = usage_of([record(n, milliseconds=ms) for n, ms in enumerate([5, 50, 20, 50, 1])], slowest=3)
    assert [(s.trace_id, s.milliseconds) for s in report.slowest] == [("t1", 50), ("t3", 50), ("t2", 20)]
    assert report.slowest[0].stages == {"query": 50}
    assert usage_of([record(1)], slowest=0).slowest == ()


def test_caches_tokens_cost_notices_conflicts():
    rerank = {"notices": [{"code": "rerank_deadline"}, {"code": "keyword_unavailable"}], "conflicts": ["c-1"]}
    report = usage_of(
        [
            record(1, cache_hit=True, embedding_tokens=0, cost=0.0),
            record(2, cache_hit=False, embedding_tokens=12, cost=0.5, details=rerank),
            record(3, cache_hit=False, embedding_tokens=8, cost=0.25, details={"notices": rerank["notices"][:1]}),
            record(4),
        ]
    )
    assert (report.cache_hits, report.cache_asked) == (1, 3)
    assert report.cache_hit_rate == pytest.approx(1 / 3)
    assert (report.embedding_tokens, report.cost) == (20, 0.75)
    assert report.notices == {"rerank_deadline": 2, "keyword_unavailable": 1}
    assert report.conflicts == 1


def test_nothing_recorded_is_nothing_known():
    report = usage_of([])
    assert report.total.hit_rate is report.cache_hit_rate is report.embedding_tokens is report.cost is None
    assert report.by_day == {}


def test_details_in_another_form_do_not_stop_the_count():
    assert usage_of([record(1, retrieval_details="nonsense"), record(2, retrieval_details="[]")]).total.searches == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("24h", "2026-11-29T12:00:00+00:00"),
        ("7d", "2026-11-23T12:00:00+00:00"),
        (" 2W ", "2026-11-16T12:00:00+00:00"),
        ("2026-11-01", "2026-11-01T00:00:00+00:00"),
        ("2026-11-01T09:00:00+09:00", "2026-11-01T00:00:00+00:00"),
    ],
)
def test_moments(text, expected):
    assert moment_of(text, NOW).isoformat() == expected


@pytest.mark.parametrize("text", ["yesterday", "7", "d", "2026-13-01"])
def test_what_is_no_time_is_told(text):
    with pytest.raises(ConfigError, match="is no time"):
        moment_of(text, NOW)
