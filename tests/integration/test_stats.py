"""`kisoku stats` and `kisoku trace` over searches that were made."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def searched(counted, built):
    """A handbook with a search, a lookup and a search of another agent; the traces of the three."""
    root = ("--root", built)
    _, out, _ = counted("search", "表のヘッダー行の書式", "--agent", "writer", "--session", "s1", "--json", *root)
    first = json.loads(out)
    _, out, _ = counted("lookup", "図の表題", "--agent", "qa", "--session", "s1", "--json", *root)
    second = json.loads(out)
    _, out, _ = counted("search", "パスワードの長さ", "--agent", "impact", "--json", *root)
    return root, first, second, json.loads(out)


def test_stats_in_numbers(counted, searched):
    root, *_ = searched
    code, out, err = counted("stats", "--json", *root)
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert report["total"]["searches"] == 3
    assert report["hit_rate"] == 1.0
    assert report["refusal_rate"] == 0.0
    assert {agent: usage["searches"] for agent, usage in report["by_agent"].items()} == {
        "impact": 1,
        "qa": 1,
        "writer": 1,
    }
    assert {tool: usage["searches"] for tool, usage in report["by_tool"].items()} == {
        "lookup_knowledge": 1,
        "search_rules": 2,
    }
    assert report["embedding_tokens"] > 0
    assert report["cache_asked"] == 3
    assert {stage["stage"] for stage in report["stages"]} >= {"query", "channels", "fusion", "rerank"}
    assert len(report["slowest"]) == 3


def test_stats_for_people(counted, searched):
    root, first, *_ = searched
    code, out, _ = counted("stats", "--slowest", "3", *root)
    assert code == 0
    assert "3 searches in 1 sessions" in out
    for word in ("writer", "impact", "lookup_knowledge", "channels", first["trace_id"]):
        assert word in out


def test_stats_of_a_time_and_a_session(counted, searched):
    root, *_ = searched
    assert json.loads(counted("stats", "--since", "1h", "--json", *root)[1])["total"]["searches"] == 3
    assert json.loads(counted("stats", "--since", "2100-01-01", "--json", *root)[1])["total"]["searches"] == 0
    assert json.loads(counted("stats", "--session", "s1", "--json", *root)[1])["total"]["searches"] == 2
    code, out, _ = counted("stats", "--since", "2100-01-01", *root)
    assert (code, out.strip()) == (0, "No search was recorded in this time.")
    code, _, err = counted("stats", "--since", "yesterday", *root)
    assert code == 1
    assert "'yesterday' is no time" in err


def test_stats_of_nothing_makes_nothing(counted, tmp_path):
    code, out, _ = counted("stats", "--root", tmp_path / "nowhere")
    assert (code, out.strip()) == (0, "No search was recorded in this time.")
    assert not (tmp_path / "nowhere").exists()


def test_a_trace_is_a_tree_with_results_and_conflicts(counted, searched):
    root, first, *_ = searched
    code, out, _ = counted("trace", first["trace_id"], *root)
    assert code == 0
    for stage in first["trace"]:
        assert f"── {stage['stage']}" in out
    assert first["chunks"][0]["source_uri"] in out
    assert f"conflict {first['conflicts'][0]['conflict_id']}" in out
    assert "session s1" in out


def test_a_trace_of_a_lookup_shows_its_evidence(counted, searched):
    root, _, second, _ = searched
    code, out, _ = counted("trace", second["trace_id"], *root)
    assert code == 0
    assert "lookup_knowledge" in out
    assert " ".join(second["evidence_blocks"][0]["text"].split())[:12] in out


def test_the_beginning_of_an_id_is_enough(counted, searched):
    root, first, *_ = searched
    _, out, _ = counted("trace", first["trace_id"][:12], "--json", *root)
    assert json.loads(out)["trace_id"] == first["trace_id"]
    # Underscore and per cent are no wildcards.
    for wrong in ("_" * 12, "%", ""):
        assert counted("trace", wrong, *root)[0] == 1


def test_the_newest_searches_of_a_session(counted, searched):
    root, first, second, third = searched
    _, out, _ = counted("trace", "--json", *root)
    assert [r["trace_id"] for r in json.loads(out)] == [third["trace_id"], second["trace_id"], first["trace_id"]]
    _, out, _ = counted("trace", "--session", "s1", "--limit", "1", "--json", *root)
    assert [r["trace_id"] for r in json.loads(out)] == [second["trace_id"]]


def test_a_refusal_is_told(counted, built):
    root = ("--root", built)
    cascade = ("--set", "retrieval.pipeline=cascade", "--set", "retrieval.cascade.vector_least=1.01")
    _, out, _ = counted("search", "表の書式", "--agent", "writer", "--json", *cascade, *root)
    refused = json.loads(out)
    _, out, _ = counted("trace", refused["trace_id"], *root)
    assert "refused by the gate vector_low_score" in out
    assert json.loads(counted("stats", "--json", *root)[1])["gates"] == {"vector_low_score": 1}
    assert "vector_low_score" in counted("trace", *root)[1]


def test_a_second_attempt_is_told(counted, built, tmp_path):
    root = ("--root", built)
    mine = tmp_path / "mine.yaml"
    # Sends passwords to the writing rules, but the rule stands in the design rules.
    mine.write_text("domains:\n  書式: {terms: [パスワード], category: write}\n", encoding="utf-8")
    understood = ("--set", f"query.dictionaries=[{mine}]", "--set", "query.bundled_dictionary=false")
    _, out, _ = counted(
        "search",
        "パスワードの長さ",
        "--agent",
        "qa",
        "--json",
        *understood,
        "--set",
        "query.reference_threshold=1.0",
        *root,
    )
    found = json.loads(out)
    assert found["fallback_reason"] == "filtered_vector_low_quality"
    _, out, _ = counted("trace", found["trace_id"], *root)
    assert "fallback: filtered_vector_low_quality" in out
    assert out.index("── FILTERED_VECTOR") < out.index("UNFILTERED_VECTOR_RETRY")
    assert json.loads(counted("stats", "--json", *root)[1])["fallbacks"] == {"filtered_vector_low_quality": 1}


def test_the_shell_completes_trace_ids(searched):
    (_, root), first, *_ = searched
    asked = {"_KISOKU_COMPLETE": "complete_bash", "COMP_WORDS": f"kisoku trace --root {root} ", "COMP_CWORD": "4"}
    command = Path(sys.executable).with_name("kisoku")
    done = subprocess.run([command], env=os.environ | asked, capture_output=True, text=True, check=False)
    assert first["trace_id"] in done.stdout.split()
