"""The evidence tool: what is given, once a session, and what is recorded."""

import json
import subprocess
import sys

import pytest
from kisoku.domain.errors import RetrievalError, SessionError
from kisoku.domain.search import SearchContext

QUERY = "表のヘッダー行の書式"


@pytest.fixture
def app(built, open_app):
    return open_app(built)


def details(app, result):
    return json.loads(app.sessions.invocation(result.trace_id).retrieval_details)


def test_evidence_has_everything_an_agent_needs(app):
    result = app.lookup.lookup_knowledge(QUERY, "s1")
    assert result.found
    assert result.evidence_status == "evidence"
    best = result.evidence_blocks[0]
    assert "太字" in best.text
    assert best.sources[0].document in {"記入規則.docx", "図表規則.xlsx"}
    assert [b.rank for b in result.evidence_blocks] == list(range(1, len(result.evidence_blocks) + 1))
    scores = [b.score for b in result.evidence_blocks]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert result.relevance_level == "medium"  # on the scale for models that were never measured
    assert result.version == "v1"
    assert "v1" in result.message


def test_the_pack_holds_the_blocks_fenced_within_the_budget(app):
    result = app.lookup.lookup_knowledge(QUERY, budget=400)
    pack = result.context_pack
    assert len(pack.text) == pack.characters <= pack.budget == 400
    assert list(pack.chunk_ids) == [b.sources[0].chunk_id for b in result.evidence_blocks]
    for block in result.evidence_blocks:
        assert block.text in pack.text
        assert block.sources[0].source_uri in pack.text
    assert pack.text.count("```") == 2 * len(result.evidence_blocks)


def test_a_budget_for_less_says_so_and_what_was_left_out_may_come_later(app):
    first = app.lookup.lookup_knowledge(QUERY, "s1", agent="writer", budget=230)
    assert first.completeness_hint == "partial"
    assert first.context_pack.left_out > 0
    second = app.lookup.lookup_knowledge(QUERY, "s1", agent="writer")
    assert second.found
    assert second.completeness_hint == "already_given"
    given = {b.content_hash for b in first.evidence_blocks}
    assert given.isdisjoint(b.content_hash for b in second.evidence_blocks)


def test_a_budget_for_nothing_gives_nothing(app):
    result = app.lookup.lookup_knowledge(QUERY, "s1", budget=10)
    assert (result.found, result.context_pack.text, result.completeness_hint) == (False, "", "partial")
    assert app.lookup.lookup_knowledge(QUERY, "s1").completeness_hint == "complete"


def test_what_was_given_in_a_session_is_not_consumable_again(app):
    first = app.lookup.lookup_knowledge(QUERY, "s1")
    again = app.lookup.lookup_knowledge(QUERY, "s1")
    assert again.found is False
    assert again.evidence_status == "already_given"
    assert again.evidence_blocks == ()
    assert again.context_pack.text == ""
    assert again.relevance_level == first.relevance_level == "medium"
    assert again.retrieval_trace.attempts
    assert again.retrieved_domains_this_session == first.retrieved_domains_this_session != ()
    assert "earlier in this session" in again.message
    assert app.lookup.lookup_knowledge(QUERY, "s2").found, "another session has its own memory"
    assert app.lookup.lookup_knowledge(QUERY).found, "outside a session nothing is remembered"


def test_the_memory_of_a_session_survives_the_process(built, app):
    script = (
        "import sys\nfrom pathlib import Path\nfrom kisoku import Kisoku\n"
        "from kisoku.config.loading import load_settings\n"
        "overrides = {'root': Path(sys.argv[1]), 'embedding.adapter': 'use'}\n"
        "with Kisoku(load_settings(overrides=overrides).settings) as app:\n"
        "    print(app.lookup.lookup_knowledge(sys.argv[2], 's1').evidence_status)\n"
    )
    # The other process has no counting embedder: keywords answer, and still nothing is given twice.
    assert app.lookup.lookup_knowledge(QUERY, "s1", blocks=20).found
    done = subprocess.run(
        [sys.executable, "-c", script, str(built), QUERY], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == "already_given"


def test_nonsense_is_no_evidence(app):
    result = app.lookup.lookup_knowledge("猫にパスタを食べさせる", "s1")
    assert result.found is False
    assert result.evidence_status == "no_evidence"
    assert result.evidence_blocks == ()
    assert result.context_pack.text == ""
    assert result.message


@pytest.mark.parametrize("language", ["ja", "zh", "en"])
def test_messages_speak_the_language_that_is_set(built, open_app, language):
    app = open_app(built, language=language)
    found, again = (app.lookup.lookup_knowledge(QUERY, "s").message for _ in range(2))
    words = {"ja": ("根拠を", "提示済み"), "zh": ("条依据", "已提供"), "en": ("Evidence from", "given earlier")}[
        language
    ]
    assert words[0] in found
    assert words[1] in again


def test_an_identifier_is_a_reason_that_the_trace_shows(app):
    result = app.lookup.lookup_knowledge("IF001 が止まったとき", agent="impact")
    ranking = result.rerank_trace.ranking
    assert any(b.kind == "entity" and b.matched == ("IF001",) for entry in ranking for b in entry.boosts)
    assert result.retrieval_trace.query_transform.entities[0].text == "IF001"
    assert result.evidence_blocks[0].sources[0].document == "設計方針.pptx"


def test_every_lookup_is_recorded_with_what_explains_it(app):
    result = app.lookup.lookup_knowledge(QUERY, "s1")
    record = app.sessions.invocation(result.trace_id)
    assert record.session_id == "s1"
    assert record.query == QUERY
    assert record.chunk_ids == result.context_pack.chunk_ids
    stored = details(app, result)
    assert stored["tool"] == "lookup_knowledge"
    assert stored["query_transform"]["original"] == QUERY
    assert stored["retrieval_trace"]["selected_attempt"] == "UNFILTERED_VECTOR"
    assert stored["retrieval_trace"]["fallback_reason"] is None
    assert len(stored["retrieval_trace"]["attempts"]) == 1
    assert [b["content_hash"] for b in stored["evidence_blocks"]] == [b.content_hash for b in result.evidence_blocks]
    assert stored["context_pack_summary"]["characters"] == result.context_pack.characters
    assert stored["rerank_trace"]["ranking"]
    again = app.lookup.lookup_knowledge(QUERY, "s1")
    assert details(app, again)["evidence_status"] == "already_given"
    assert details(app, again)["evidence_blocks"] == []


def test_conflicts_among_what_is_given_are_told(app):
    result = app.lookup.lookup_knowledge(QUERY, "s1", agent="writer", context=SearchContext(chapter="機能一覧"))
    assert result.conflicts
    assert {c.conflict_id for c in app.conflicts.get_pending_conflicts("s1")} == {
        c.conflict_id for c in result.conflicts
    }


def test_rules_that_are_only_looked_at_stop_nobody(app):
    result = app.lookup.lookup_knowledge(QUERY, "s1", agent="writer", blocks=1)
    assert len(result.evidence_blocks) == 1
    assert app.conflicts.get_pending_conflicts("s1") == []


def test_without_a_handbook_the_minimum_rules_are_the_evidence(tmp_path, open_app):
    result = open_app(tmp_path / "none").lookup.lookup_knowledge("表の書き方", agent="writer")
    assert result.version == "v0"
    assert "no_rule_constraints" in {n.code for n in result.notices}
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("options", [{"blocks": 0}, {"blocks": 101}, {"budget": 0}, {"agent": "nobody"}])
def test_wrong_arguments_are_refused(app, options):
    with pytest.raises(RetrievalError):
        app.lookup.lookup_knowledge(QUERY, **options)


def test_a_database_that_fails_takes_no_evidence_away(app, monkeypatch):
    def fail(*_):
        raise SessionError("disk full")

    app.lookup.lookup_knowledge("文末の書き方", "s1")
    for method in ("given_evidence", "give_evidence", "add_invocation"):
        monkeypatch.setattr(app.sessions, method, fail)
    result = app.lookup.lookup_knowledge(QUERY, "s1")
    assert result.found
    assert [n.code for n in result.notices].count("recording_failed") == 1


def test_a_long_chunk_is_given_as_the_part_around_the_hit(tmp_path, open_app, build):
    folder = tmp_path / "rules" / "write"
    folder.mkdir(parents=True)
    filler = "".join(f"文書の体裁に関する一般的な説明その{n}である。" for n in range(12))
    text = f"# 規則\n\n## 長い節\n\n{filler}索引の名前は「IX_」で始める。{filler}\n"
    (folder / "長い規則.md").write_text(text, encoding="utf-8")
    app = open_app(tmp_path / "handbook", lookup={"snippet_characters": 120})
    build(app, tmp_path / "rules")
    block = app.lookup.lookup_knowledge("索引の名前の始まり", agent="writer").evidence_blocks[0]
    assert "索引の名前は「IX_」で始める。" in block.text
    assert len(block.text) <= 122
    assert block.text.startswith("…")
    assert block.text.rstrip("…").endswith("。")


def test_the_tool_can_be_called_from_the_command_line(built):
    command = [sys.executable, "-m", "kisoku", "lookup", QUERY, "--session", "s", "--root", str(built), "--lang", "en"]
    first = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=120, check=True)
    assert json.loads(first.stdout)["found"] is True
    second = subprocess.run([*command, "--trace"], capture_output=True, text=True, timeout=120, check=True)
    assert "given earlier in this session" in second.stdout
    assert "UNFILTERED_VECTOR" in second.stdout
