import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kisoku.adapters.analysis.auto import AutoAnalyzer
from kisoku.adapters.keyword.bm25s_index import Bm25sIndex
from kisoku.domain.errors import ConfigError
from kisoku.ports.keyword_index import KeywordIndexOptions

pytest.importorskip("rank_bm25", reason="the extra rank-bm25 is not installed")
from kisoku.adapters.keyword.rank_bm25_index import RankBm25Index  # after the check for the extra

RULES = (
    "画面設計書には項目の一覧を記載しなければならない。",
    "項目名は全角30文字以内とする。",
    "帳票の出力順は項目F001の昇順とする。",
    "サーバーの名称は英字で始める。",
    "例外が発生したときはログに記録し、利用者には汎用の文言だけを示す。",
    "データベースの列名はsnake_caseで書く。",
    "The login screen locks the account after five failures.",
    "接口设计书必须写明所有参数。",
)


def assert_same(texts: Sequence[Sequence[str]], queries: Sequence[Sequence[str]], options: KeywordIndexOptions) -> None:
    ids = [f"rules-write_v1_{row:03}" for row in range(len(texts))]
    fast, reference = Bm25sIndex(options), RankBm25Index(options)
    fast.build(ids, texts)
    reference.build(ids, texts)
    for query in queries:
        for top_k in (3, 50):
            found, expected = fast.query(query, top_k), reference.query(query, top_k)
            assert [hit.id for hit in found] == [hit.id for hit in expected]
            assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], rel=1e-4)


TERMS = st.sampled_from(["画面", "設計", "規則", "f001", "3.2", "の", "版", "login"])


@settings(deadline=None, max_examples=150)
@given(
    texts=st.lists(st.lists(TERMS, max_size=12), max_size=15),
    queries=st.lists(st.lists(TERMS, max_size=6), min_size=1, max_size=4),
    k1=st.sampled_from([0.0, 0.9, 1.5, 3.0]),
    b=st.sampled_from([0.0, 0.4, 0.75, 1.0]),
)
def test_both_adapters_rank_alike(texts: list[list[str]], queries: list[list[str]], k1: float, b: float) -> None:
    assert_same(texts, queries, KeywordIndexOptions(k1=k1, b=b))


def test_both_adapters_rank_japanese_alike() -> None:
    analyzer = AutoAnalyzer()
    queries = [analyzer.analyze_query(text) for text in (*RULES, "項目の文字数", "サーバの名前", "参数", "account")]
    assert_same([analyzer.analyze(text) for text in RULES], queries, KeywordIndexOptions())


def test_both_adapters_rank_a_zipf_corpus_alike() -> None:
    random = np.random.default_rng(2)
    texts = [
        [f"w{word}" for word in random.zipf(1.3, size=size) if word < 5000] for size in random.integers(0, 90, 800)
    ]
    queries = [[f"w{word}" for word in random.zipf(1.3, size=6)] for _ in range(60)]
    assert_same(texts, queries, KeywordIndexOptions())


def test_a_score_worked_out_by_hand() -> None:
    index = Bm25sIndex(KeywordIndexOptions(k1=1.5, b=0.75))
    index.build(["a", "b"], [["x", "x", "y"], ["y"]])
    # One of two texts has x, twice; it is 3 terms long, the average is 2.
    expected = math.log(1 + 1.5 / 1.5) * 2 / (2 + 1.5 * (0.25 + 0.75 * 3 / 2))
    assert index.query(["x"], 1)[0].score == pytest.approx(expected)


def test_the_shorter_of_two_long_texts_is_first() -> None:
    index = Bm25sIndex()
    index.build(["a", "b"], [["x"] + ["y"] * 3001, ["x"] + ["y"] * 3000])
    first, second = index.query(["x"], 2)
    assert (first.id, second.id) == ("b", "a")
    assert first.score > second.score


@pytest.mark.parametrize("make", [Bm25sIndex, RankBm25Index])
@pytest.mark.parametrize(
    "options",
    [
        KeywordIndexOptions(k1=-1),
        KeywordIndexOptions(b=1.5),
        KeywordIndexOptions(options={"stemming": True}),
    ],
)
def test_wrong_parameters_are_configuration_errors(make: type, options: KeywordIndexOptions) -> None:
    with pytest.raises(ConfigError):
        make(options)


@given(
    texts=st.lists(st.lists(TERMS, max_size=6), min_size=1, max_size=30),
    terms=st.lists(TERMS, max_size=12),
    wanted=st.lists(st.integers(0, 35), max_size=8),
)
@settings(max_examples=80, deadline=None)
def test_occurrences_of_many_terms_are_those_of_each(texts, terms, wanted):
    index = Bm25sIndex()
    index.build([str(row) for row in range(len(texts))], texts)
    found = index.occurrences(terms, [str(row) for row in wanted])
    assert found == [frozenset(terms) & frozenset(texts[row] if row < len(texts) else ()) for row in wanted]
