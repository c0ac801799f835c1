"""Which words may stand for a word of the query, and for how much."""

import pytest
from kisoku.domain.related_terms import comparable_terms, term_collection, term_group


def test_numbers_and_identifiers_stand_for_nothing_else():
    assert comparable_terms(["画面", "f001", "2020", "utf-8", "index"]) == ["画面", "index"]


def test_a_term_counts_whole_and_an_alternative_its_cosine_to_the_power():
    group = term_group("表", [("帳票", 0.8, 2.0), ("表", 1.0, 2.0)], 2.0, least=0.5, power=2.0)
    assert group == [("表", 1.0), ("帳票", pytest.approx(0.64))]


def test_a_rare_alternative_counts_no_more_than_the_common_word_asked_for():
    group = term_group("表", [("罫線", 0.5, 4.0), ("図", 0.5, 1.0)], 2.0, least=0.5, power=1.0)
    assert group[1:] == [("罫線", pytest.approx(0.5 * 2 / 4)), ("図", pytest.approx(0.5))]


def test_distant_words_are_left_out():
    assert term_group("表", [("予算", 0.49, 1.0)], 1.0, least=0.5, power=2.0) == [("表", 1.0)]


def test_words_of_a_category_have_a_collection_of_their_own():
    assert term_collection("write") == "rules-write.terms"
