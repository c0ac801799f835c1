"""Manifests, the pointer, notices, minimum rules, search context."""

import json

import pytest
from kisoku.domain.manifest import ActivePointer, EmbeddingInfo, KeywordInfo, Manifest, SourceFile
from kisoku.domain.minimum_rules import minimum_rules
from kisoku.domain.names import split_chunk_id
from kisoku.domain.notices import LANGUAGES, NoticeCode, notice
from kisoku.domain.search import AGENT_CATEGORIES, SearchContext
from pydantic import ValidationError


def manifest(**changes):
    values = {
        "version": "v3", "created_at": "2026-01-01T00:00:00+00:00", "tool_version": "0.1", "source_files": (),
        "collections": {}, "embedding": EmbeddingInfo(adapter="use", model="m", dimension=512),
        "vector_store": "chroma",
        "keyword": KeywordInfo(adapter="bm25s", k1=1, b=0, analyzer="auto", analyzer_fingerprint="f"),
        "chunking": {}, "embedded": 0, "reused": 0, "dropped": 0,
    }  # fmt: skip
    return Manifest(**values | changes)


def test_active_is_never_stored():
    stored = manifest(active=True, active_previous="v2").stored()
    assert "active" not in stored
    assert "active_previous" not in stored
    assert Manifest.model_validate_json(json.dumps(stored)) == manifest()


def test_unknown_fields_are_refused():
    with pytest.raises(ValidationError):
        manifest(surprise=1)


@pytest.mark.parametrize(
    "changes", [{"hash": "md5:abc"}, {"hash": "sha256:" + "A" * 64}, {"built": "copied"}, {"type": "other"}]
)
def test_source_entries_are_checked(changes):
    values = {"name": "a", "hash": "sha256:" + "0" * 64, "type": "write", "built": "reuse_from_v2", "doc_type": "word",
              "chunk_count": 1, "chunker": "word 1"}  # fmt: skip
    SourceFile(**values)
    with pytest.raises(ValidationError):
        SourceFile(**values | changes)


def test_the_pointer_needs_the_highest_number():
    with pytest.raises(ValidationError):
        ActivePointer.model_validate({"version": "v1"})


def test_minimum_rules_are_chunks_of_v0():
    for category in ("write", "design"):
        rules = minimum_rules(category)
        assert rules
        for number, rule in enumerate(rules, start=1):
            assert split_chunk_id(rule.chunk_id) == (category, "v0", number)
            assert rule.category == category
    assert minimum_rules("ref") == ()


@pytest.mark.parametrize("code", NoticeCode.__args__)
def test_every_notice_has_a_sentence_in_every_language(code):
    texts = {notice(code, language).text for language in LANGUAGES}
    assert len(texts) == len(LANGUAGES)
    assert all(texts)


def test_agents_read_what_the_requirements_say():
    assert AGENT_CATEGORIES == {"writer": ("write",), "impact": ("design",), "qa": ("write", "design")}


def test_context_is_what_was_given_and_nothing_else():
    assert SearchContext().text() == ""
    context = SearchContext(chapter="機能一覧", elements=("F001", "F002"), paragraph="本文。")
    assert context.text() == "機能一覧\nF001 F002\n本文。"
