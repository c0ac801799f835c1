"""Chunks: source URIs, hashes, options."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kisoku.domain.chunks import ChunkDraft, ChunkingOptions, Locator, RuleChunk, as_category, content_hash
from kisoku.domain.errors import RetrievalError
from pydantic import ValidationError


@pytest.mark.parametrize(
    ("locator", "uri"),
    [
        (Locator(heading="3.2"), "記入規則.docx#見出し!3.2"),
        (Locator(heading="3.2", table="5.1"), "記入規則.docx#表!5.1"),
        (Locator(sheet="画面一覧", cells="B5:H19"), "記入規則.docx#画面一覧!B5:H19"),
        (Locator(sheet="画面一覧"), "記入規則.docx#画面一覧"),
        (Locator(slides=(3, 4)), "記入規則.docx#slide!3-4"),
        (Locator(slides=(3, 3)), "記入規則.docx#slide!3"),
        (Locator(heading="3.2", pages=(7, 9)), "記入規則.docx#page!7-9"),
        (Locator(pages=(7, 7)), "記入規則.docx#page!7"),
        (Locator(), "記入規則.docx"),
    ],
)
def test_source_uris_of_the_requirements(locator, uri):
    assert locator.uri("記入規則.docx") == uri


def test_hash_depends_on_heading_path_and_content():
    same = content_hash("本文", ("1", "2"))
    assert same == content_hash("本文", ("1", "2"))
    assert len(same) == 64
    others = {content_hash("本文", ("1",)), content_hash("本文2", ("1", "2")), content_hash("本文", ("12",))}
    assert len(others | {same}) == 4


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_has_a_hash(text, headings):
    assert len(content_hash(text, tuple(headings))) == 64


def test_search_text_is_the_title_the_path_and_the_content():
    chunk = RuleChunk(
        chunk_id="rules-write_v1_001", doc_id="記入規則.docx", doc_type="word",
        content="本文", headings=("1 章", "1.1 節"),
        source_uri="a", position=0, token_count=1, category="write", content_hash="x",
    )  # fmt: skip
    assert chunk.text == "1 章\n1.1 節\n本文"
    assert chunk.search_text == "記入規則\n1 章\n1.1 節\n本文"
    assert chunk.search_hash != chunk.model_copy(update={"doc_id": "別の規則.docx"}).search_hash


def test_drafts_are_never_empty():
    with pytest.raises(ValidationError):
        ChunkDraft(content="")


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"overlap": 1000}, "overlap"),
        ({"min_tokens": 512}, "min_tokens"),
        ({"child_chars": 2000}, "child_chars"),
        ({"overlap_tokens": 600}, "overlap_tokens"),
        ({"max_tokens": 1}, "max_tokens"),
        ({"strategy": "magic"}, "strategy"),
    ],
)
def test_options_that_cannot_work_are_refused_by_name(values, named):
    with pytest.raises(ValidationError, match=named):
        ChunkingOptions(**values)


def test_categories():
    assert as_category("ref") == "ref"
    with pytest.raises(RetrievalError, match="write, design, ref"):
        as_category("Write")
