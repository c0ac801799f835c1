"""Proposals of synonyms."""

import pytest
from kisoku.domain.feedback import ExpectedRule, Miss, propose_synonyms
from pydantic import ValidationError


def misses(*pairs: tuple[str, str]) -> list[Miss]:
    return [Miss(frozenset(asked.split()), frozenset(written.split())) for asked, written in pairs]


def test_words_that_keep_meeting_are_proposed():
    found = propose_synonyms(
        misses(("一覧 並び", "ソート 規則"), ("並び 帳票", "ソート 出力"), ("色", "配色 規則")), lambda _: 1.0
    )
    assert [(p.asked, p.written, p.misses, p.strength) for p in found] == [("並び", "ソート", 2, 1.0)]


def test_a_word_of_both_sides_needs_no_synonym():
    assert propose_synonyms(misses(("画面 並び", "画面 ソート")) * 2, lambda _: 1.0)[0].asked == "並び"


def test_rarer_words_win_and_the_number_is_limited():
    rare = {"ソート": 5.0}
    found = propose_synonyms(misses(("並び", "ソート する")) * 2, lambda term: rare.get(term, 1.0))
    assert [(p.asked, p.written) for p in found] == [("並び", "ソート")]
    assert len(propose_synonyms(misses(("一 二 三", "四")) * 2, lambda _: 1.0, most=2)) == 2
    assert propose_synonyms(misses(("並び", "ソート")), lambda _: 1.0) == []
    assert len(propose_synonyms(misses(("並び", "ソート")), lambda _: 1.0, least=1)) == 1


def test_a_rule_is_named_by_chunk_or_by_document_and_text():
    assert ExpectedRule(chunk_id="rules-write_v1_001").doc == ""
    assert ExpectedRule(doc="a.docx", contains=("x",)).chunk_id == ""
    for wrong in ({}, {"doc": "a.docx"}, {"contains": ("x",)}, {"doc": "a.docx", "contains": ("",)}):
        with pytest.raises(ValidationError):
            ExpectedRule(**wrong)
