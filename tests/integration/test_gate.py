"""The gate of the hybrid pipeline, over a real handbook with the bundled model."""

import json

import pytest
from kisoku.domain.notices import notice

PROFILE = """
model: counting-use
models:
  - weights:
      sentence: {mean: 0.5, scale: 0.1, weight: -1.0}
      coverage: {mean: 0.4, scale: 0.2, weight: -1.0}
      unknown_names: {mean: 0.0, scale: 0.1, weight: 1.0}
      open_quantity: {mean: 0.0, scale: 0.3, weight: 1.5}
    intercept: -1.0
    threshold: 0.6
  - weights:
      coverage: {mean: 0.4, scale: 0.2, weight: -1.0}
      unknown_names: {mean: 0.0, scale: 0.1, weight: 1.0}
    intercept: -1.0
    threshold: 0.7
"""


@pytest.fixture
def gated(built, open_app, tmp_path):
    """The handbook with a profile of the test's own, judged in spite of its size."""
    path = tmp_path / "profile.yaml"
    path.write_text(PROFILE, encoding="utf-8")

    def open_(**gates):
        return open_app(built, gates={"least_chunks": 0, "profile": path} | gates)

    return open_


def ask(app, query, agent="impact", **more):
    return app.service.search(session_id=None, query=query, agent=agent, record=False, **more)


def verdict(result):
    return next(stage for stage in result.trace if stage.stage == "answerability").details


def test_what_the_handbook_does_not_mention_is_refused_with_a_reason(gated):
    result = ask(gated(), "Kafkaのトピックのパーティション数")
    assert result.refused
    assert result.gate == "low_relevance"
    assert result.chunks == ()
    assert result.withheld
    told = next(n for n in result.notices if n.code == "low_relevance")
    assert told.text == notice("low_relevance", "en").text
    details = verdict(result)
    assert details["measured"]["unknown_names"] > 0
    assert details["probability"] >= details["threshold"]
    assert "withheld" not in result.model_dump()
    assert "withheld" not in json.loads(result.model_dump_json())


def test_what_it_answers_is_kept(gated):
    app = gated()
    for query, agent in (("パスワードの文字数", "impact"), ("表のヘッダー行の書き方", "writer"), ("一文の長さ", "qa")):
        result = ask(app, query, agent)
        assert not result.refused, query
        assert result.chunks
        assert verdict(result)["passed"] is True


def test_a_number_that_is_asked_for_and_given_counts_as_an_answer(gated):
    app = gated()
    given = verdict(ask(app, "パスワードは何文字以上か"))
    missing = verdict(ask(app, "パスワードは何回間違えたら止まるか"))
    # Everything but the question's own words stands around the number that answers.
    assert given["measured"]["open_quantity"] < 0.5
    assert missing["measured"]["open_quantity"] == 1.0
    assert missing["probability"] > given["probability"]


def test_a_query_in_another_language_is_not_blamed_for_other_words(gated):
    details = verdict(ask(gated(), "How many characters must a password have?"))
    assert details["measured"]["coverage"] is None


@pytest.fixture
def meaning(rules, open_app, build, tmp_path):
    """A handbook that keeps the vectors of its words, judged in spite of its size."""
    kept = {"embedding": {"adapter": "counting", "sentences": True}, "rerank": {"adapter": "sentence"}}
    app = open_app(tmp_path / "kept", **kept, gates={"least_chunks": 0})
    build(app, rules)
    return app


def test_a_word_of_like_meaning_covers_in_part(meaning):
    measured = verdict(ask(meaning, "暗証番号の文字数"))["measured"]
    assert measured["coverage"] < measured["related_coverage"] < 1
    whole = verdict(ask(meaning, "F001 パスワード"))["measured"]  # identifiers of the caller do not count
    assert whole["coverage"] == whole["related_coverage"] == 1.0


def test_a_number_beside_words_of_another_language_is_found_by_their_meaning(meaning):
    given = verdict(ask(meaning, "How many characters must a password have?"))["measured"]
    missing = verdict(ask(meaning, "How many times may a password be mistyped?"))["measured"]
    assert given["coverage"] is None
    assert 0 < given["open_quantity"] < missing["open_quantity"] == 1.0


def test_without_the_model_words_alone_decide(gated, broken_embedder):
    broken_embedder["query"] = RuntimeError("gone")
    details = verdict(ask(gated(), "Kafkaのテーブル名"))
    assert "sentence" not in details["measured"]
    assert details["by"] == ["coverage", "unknown_names"]
    assert details["threshold"] == 0.7


def test_the_threshold_can_be_set_and_the_gate_switched_off(gated):
    query = "Kafkaのトピックのパーティション数"
    assert not ask(gated(threshold=0.999), query).refused
    off = ask(gated(enabled=False), query)
    assert not off.refused
    assert verdict(off) == {"skipped": "off"}


def test_a_small_handbook_refuses_nothing(built, open_app):
    result = ask(open_app(built), "Kafkaのトピックのパーティション数")
    assert not result.refused
    assert result.chunks
    assert "too small" in verdict(result)["skipped"]


def test_a_refusal_is_recorded_with_its_gate(gated):
    app = gated()
    result = app.service.search(session_id="s1", query="Kafkaのトピックのパーティション数", agent="impact")
    stored = app.sessions.invocation(result.trace_id)
    assert stored.refused
    assert stored.gate == "low_relevance"
    assert stored.chunk_ids == ()
