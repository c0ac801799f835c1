"""Fusion of ranked lists."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kisoku.domain.fusion import Ranked, reciprocal_rank_fusion, weighted_fusion

ids = st.sampled_from([f"c{n}" for n in range(8)])
channel = st.lists(st.tuples(ids, st.floats(-50, 50)), unique_by=lambda e: e[0], max_size=8).map(
    lambda entries: [Ranked(i, s) for i, s in sorted(entries, key=lambda e: -e[1])]
)
channels = st.dictionaries(st.sampled_from(["vector", "keyword", "ngram", "other"]), channel, max_size=4)


def test_worked_example_of_the_requirements():
    # rag-layer §6.2: second by meaning, fifth by keywords: 1/62 + 1/65.
    vector = [Ranked(i, 0.0) for i in ("a", "x", "b")]
    keyword = [Ranked(i, 0.0) for i in ("d", "e", "f", "g", "x")]
    fused = {e.id: e.score for e in reciprocal_rank_fusion({"vector": vector, "keyword": keyword})}
    assert fused["x"] == pytest.approx(0.016129032 + 0.015384615, abs=1e-8)
    assert max(fused, key=lambda i: fused[i]) == "x"


def test_weights_scale_a_channel():
    fused = reciprocal_rank_fusion({"vector": [Ranked("a", 1)], "keyword": [Ranked("b", 1)]}, weights={"keyword": 0.5})
    assert [(e.id, pytest.approx(e.score)) for e in fused] == [("a", 1 / 61), ("b", 0.5 / 61)]


def test_equal_scores_are_ordered_by_id():
    fused = reciprocal_rank_fusion({"vector": [Ranked("b", 1)], "keyword": [Ranked("a", 1)]})
    assert [e.id for e in fused] == ["a", "b"]


def test_no_channels_give_nothing():
    assert reciprocal_rank_fusion({}) == []
    assert weighted_fusion({}) == []


@pytest.mark.parametrize("fuse", [reciprocal_rank_fusion, weighted_fusion])
@given(lists=channels, order=st.randoms(use_true_random=False))
def test_order_of_channels_decides_nothing(fuse, lists, order):
    names = list(lists)
    order.shuffle(names)
    assert fuse({n: lists[n] for n in names}) == fuse(lists)


@pytest.mark.parametrize("fuse", [reciprocal_rank_fusion, weighted_fusion])
@given(lists=channels)
def test_a_channel_without_results_adds_nothing(fuse, lists):
    assert fuse(lists | {"missing": []}) == fuse({n: e for n, e in lists.items() if n != "missing"})


@pytest.mark.parametrize("fuse", [reciprocal_rank_fusion, weighted_fusion])
@given(lists=channels)
def test_every_id_comes_once_best_first(fuse, lists):
    fused = fuse(lists)
    assert {e.id for e in fused} == {e.id for entries in lists.values() for e in entries}
    assert len({e.id for e in fused}) == len(fused)
    assert all(math.isfinite(e.score) for e in fused)
    assert fused == sorted(fused, key=lambda e: (-e.score, e.id))


@given(lists=channels, better=channel)
def test_a_better_rank_never_lowers_the_score(lists, better):
    if len(better) < 2:
        return
    last = better[-1].id
    moved = [better[-1], *better[:-1]]
    score = {e.id: e.score for e in reciprocal_rank_fusion(lists | {"k": better})}[last]
    assert {e.id: e.score for e in reciprocal_rank_fusion(lists | {"k": moved})}[last] >= score


def test_weighted_by_hand():
    # Scores 3, 2, 1: mean 2, deviation sqrt(2/3); z = ±1.2247. b is missing in the second list: its lowest z.
    fused = weighted_fusion(
        {"vector": [Ranked("a", 3), Ranked("b", 2), Ranked("c", 1)], "keyword": [Ranked("c", 9), Ranked("a", 5)]},
        weights={"vector": 1.0, "keyword": 0.5},
    )
    z = 1 / math.sqrt(2 / 3)
    assert [e.id for e in fused] == ["a", "b", "c"]
    assert [e.score for e in fused] == pytest.approx([z - 0.5, 0 - 0.5, -z + 0.5])


def test_equal_scores_in_a_channel_say_nothing():
    fused = weighted_fusion({"vector": [Ranked("a", 2), Ranked("b", 2)], "keyword": [Ranked("b", 3), Ranked("a", 1)]})
    assert [(e.id, e.score) for e in fused] == [("b", 1.0), ("a", -1.0)]
