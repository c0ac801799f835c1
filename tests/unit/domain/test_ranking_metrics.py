"""Measures of ranked lists, against values worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kisoku.domain.ranking_metrics import dcg, ndcg, percentile, recall, reciprocal_rank

GRADES = {"a": 3.0, "b": 2.0, "c": 1.0, "z": 0.0}


def test_dcg_by_hand():
    # 3/log2(2) + 2/log2(3) + 1/log2(4) = 3 + 1.26186 + 0.5
    assert dcg([3, 2, 1]) == pytest.approx(4.76186, abs=1e-5)


def test_ndcg_by_hand():
    # b first, a third: 2 + 3/2 = 3.5 of 4.76186
    assert ndcg(["b", "x", "a"], GRADES) == pytest.approx(3.5 / 4.76186, abs=1e-5)
    assert ndcg(["a", "b", "c"], GRADES) == 1.0
    assert ndcg(["x", "y"], GRADES) == 0.0
    assert ndcg([], GRADES) == 0.0
    assert ndcg(["a"], {}) == 0.0
    assert ndcg(["a"], {"a": 0.0}) == 0.0


def test_ndcg_cuts_both_lists():
    relevance = {str(n): 1.0 for n in range(20)}
    assert ndcg([str(n) for n in range(10)], relevance, k=10) == 1.0
    assert ndcg(["x"] * 1 + ["0"], {"0": 1.0}, k=1) == 0.0


def test_a_document_that_comes_twice_counts_once():
    # Two chunks of one document: the second is no second find.
    assert ndcg(["a", "a", "a"], {"a": 1.0, "b": 1.0}) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_recall_and_reciprocal_rank_by_hand():
    assert recall(["x", "a", "c"], GRADES, 2) == pytest.approx(1 / 3)
    assert recall(["a", "b", "c"], GRADES, 10) == 1.0
    assert recall(["a"], {}, 10) == 0.0
    assert reciprocal_rank(["x", "y", "b"], GRADES) == pytest.approx(1 / 3)
    assert reciprocal_rank(["z", "a"], GRADES) == 0.5
    assert reciprocal_rank(["x", "a"], GRADES, k=1) == 0.0


@pytest.mark.parametrize(
    ("share", "expected"),
    [(0.0, 1.0), (0.5, 2.5), (1.0, 4.0), (0.25, 1.75)],
    ids=["least", "median", "most", "quarter"],
)
def test_percentile_interpolates(share, expected):
    assert percentile([4, 1, 3, 2], share) == expected


def test_percentile_of_few():
    assert percentile([], 0.5) == 0.0
    assert percentile([7.0], 0.99) == 7.0


@given(
    st.lists(st.sampled_from("abcdef"), max_size=12),
    st.dictionaries(st.sampled_from("abcdef"), st.integers(-1, 3).map(float), max_size=6),
)
def test_every_measure_lies_between_zero_and_one(ranked, relevance):
    for value in (ndcg(ranked, relevance), recall(ranked, relevance, 10), reciprocal_rank(ranked, relevance)):
        assert 0.0 <= value <= 1.0 + 1e-12
