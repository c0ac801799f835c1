"""Queries that are understood: expansion, filter with fallback, topic weights, models that fail."""

import json
import threading

import pytest
from kisoku.domain.errors import ConfigError, TransientModelError
from kisoku.ports.chat_model import ChatReply

DICTIONARY = """
synonyms:
- [題名, 表題]
domains:
  書式: {terms: [パスワード], category: write}
  命名: {terms: [テーブル名], category: design, weight: 3}
"""


@pytest.fixture
def dictionary(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(DICTIONARY, encoding="utf-8")
    return path


@pytest.fixture
def app(built, open_app, dictionary):
    return open_app(built, query={"dictionaries": [str(dictionary)], "bundled_dictionary": False})


def search(app, query, agent="qa", **options):
    return app.service.search(session_id=None, query=query, agent=agent, **options)


def stage(result, name):
    return next(s for s in result.trace if s.stage == name)


def test_the_trace_shows_what_was_understood(app):
    result = search(app, "F001 の図の題名")
    details = stage(result, "understanding").details
    assert details["original"] == details["rewritten"] == "F001 の図の題名"
    assert details["entities"] == [{"text": "F001", "kind": "identifier"}]
    assert details["synonyms"] == [{"term": "題名", "added": ["表題"]}]
    assert stage(result, "channels").details["expansion:keyword"] >= 1
    weights = stage(result, "fusion").details["weights"]
    assert weights["expansion:keyword"] == pytest.approx(0.7 * weights["keyword"])


def test_a_synonym_finds_what_the_word_does_not(built, open_app, dictionary):
    query = {"dictionaries": [str(dictionary)], "bundled_dictionary": False}
    words_alone = {"vector": {"enabled": False}, "ngram": {"enabled": False}}
    with_it = search(open_app(built, query=query, retrieval=words_alone), "題名", "writer")
    without = search(open_app(built, query={"mode": "off"}, retrieval=words_alone), "題名", "writer")
    assert with_it.chunks[0].doc_id == "図表規則.xlsx"
    assert without.chunks == ()
    assert without.query_transform is None
    assert "understanding" not in [s.stage for s in without.trace]


def test_a_weight_of_nothing_adds_nothing(built, open_app):
    result = search(open_app(built, retrieval={"expansion_weight": 0}), "主キー")
    assert "expansion:keyword" not in stage(result, "channels").details


def test_a_domain_narrows_the_search_to_its_category(app):
    result = search(app, "テーブル名の付け方")
    assert [a.name for a in result.attempts] == ["FILTERED_VECTOR"]
    assert result.categories == ("design",)
    assert result.fallback_reason is None
    assert {c.category for c in result.chunks} == {"design"}


def test_a_narrowed_search_of_low_quality_is_tried_again_without_the_filter(app):
    # The dictionary sends passwords to the writing rules, but the rule stands in the design rules.
    result = search(app, "パスワードの長さ")
    assert [a.name for a in result.attempts] == ["FILTERED_VECTOR", "UNFILTERED_VECTOR_RETRY"]
    assert result.fallback_reason == "filtered_vector_low_quality"
    assert result.attempts[0].categories == ("write",)
    assert result.attempts[0].similarity < 0.3
    assert result.categories == ("write", "design")
    assert result.chunks[0].doc_id == "命名規則.md"
    fallback = stage(result, "fallback")
    assert fallback.details["reason"] == "filtered_vector_low_quality"
    assert [s.stage for s in result.trace].count("channels") == 2


def test_a_narrowed_search_that_finds_nothing_is_tried_again(built, open_app, dictionary):
    app = open_app(
        built,
        query={"dictionaries": [str(dictionary)], "bundled_dictionary": False},
        retrieval={"vector": {"enabled": False}, "ngram": {"enabled": False}},
    )
    result = search(app, "パスワード")
    assert result.fallback_reason == "filtered_vector_no_evidence"
    assert [(a.name, a.found > 0) for a in result.attempts] == [
        ("FILTERED_VECTOR", False),
        ("UNFILTERED_VECTOR_RETRY", True),
    ]
    assert app.lookup.lookup_knowledge("パスワード").retrieval_trace.fallback_reason == "filtered_vector_no_evidence"


def test_a_category_that_the_caller_names_is_not_left(app):
    result = search(app, "パスワードの長さ", category="write")
    assert [a.name for a in result.attempts] == ["UNFILTERED_VECTOR"]
    assert result.categories == ("write",)


def test_a_category_that_the_agent_may_not_read_is_not_searched(app):
    assert search(app, "テーブル名の付け方", agent="writer").categories == ("write",)


def test_topic_weights_lift_documents_of_the_domain(app):
    result = search(app, "テーブル名の付け方", top_k=2)
    moved = stage(result, "topics").details["moved"]
    assert stage(result, "topics").details["weights"] == {"命名": 3.0}
    assert all(entry["after"] > entry["before"] for entry in moved.values())
    assert moved


class Chat:
    """A chat model that answers, raises or hangs."""

    name = "chat"

    def __init__(self, answer):
        self.answer = answer
        self.calls = 0

    def complete(self, messages, *, max_tokens=1024):
        self.calls += 1
        if isinstance(self.answer, Exception):
            raise self.answer
        if isinstance(self.answer, threading.Event):
            self.answer.wait(20)
        return ChatReply(str(self.answer), self.name)


def with_chat(built, open_app, answer, **query):
    chat = Chat(answer)
    return open_app(built, query={"mode": "llm"} | query, parts={"chat_model": chat}), chat


def test_a_model_rewrites_the_query_and_adds_words(built, open_app):
    answer = json.dumps({"rewritten": "図の表題の文字数", "keywords": ["図の表題", "20文字"]}, ensure_ascii=False)
    app, chat = with_chat(built, open_app, answer)
    result = search(app, "絵の名前は何字まで?", "writer")
    assert result.query == "絵の名前は何字まで?"
    assert result.query_transform.rewritten == "図の表題の文字数"
    assert result.query_transform.added == ("図の表題", "20文字")
    assert "20文字以内" in result.chunks[0].content
    assert chat.calls == 1
    assert result.notices == ()


@pytest.mark.parametrize(
    "answer", [TransientModelError("busy"), RuntimeError("bug"), "no JSON"], ids=["transient", "bug", "words"]
)
def test_a_model_that_fails_leaves_the_rules_with_a_notice(built, open_app, answer):
    app, _ = with_chat(built, open_app, answer)
    result = search(app, "主キーの命名")
    assert [n.code for n in result.notices] == ["query_model_unavailable"]
    assert result.query_transform.method == "rules"
    assert result.chunks
    assert stage(result, "understanding").details["degraded"]


def test_a_model_that_hangs_is_not_waited_for(built, open_app):
    event = threading.Event()
    app, _ = with_chat(built, open_app, event, timeout_ms=50)
    result = search(app, "主キーの命名")
    event.set()
    assert [n.code for n in result.notices] == ["query_model_unavailable"]
    assert "50 ms" in result.notices[0].detail


def test_a_model_that_nobody_configured_is_an_error_with_a_hint(built, open_app):
    with pytest.raises(ConfigError, match=r"chat model.*query\.mode to rules"):
        search(open_app(built, query={"mode": "llm"}), "主キー")


def test_an_unknown_way_is_an_error_that_names_the_nearest(built, open_app):
    with pytest.raises(ConfigError, match="Did you mean 'rules'"):
        search(open_app(built, query={"mode": "rule"}), "主キー")
