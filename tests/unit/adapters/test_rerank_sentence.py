"""Sentence similarity: splitting, signals, weights, cache."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kisoku.adapters.embedding.use import UseEmbedder
from kisoku.adapters.rerank.sentence import SentenceSimilarityReranker, best_similarity, standardised
from kisoku.adapters.rerank.vector_cache import VectorCache
from kisoku.domain.errors import ConfigError, ModelError
from kisoku.domain.sentences import sentences
from kisoku.ports.embedder import EmbedderOptions
from kisoku.ports.reranker import RerankCandidate, RerankerOptions
from kisoku.ports.vectors import Matrix

LONG = "本書の目的を述べる。用語を定義する。改版の履歴を残す。関連する資料を示す。帳票の余白は20mmとする。" * 2


class CountingEmbedder(UseEmbedder):
    """The real model, which remembers what it was asked to embed."""

    def __init__(self) -> None:
        super().__init__(EmbedderOptions())
        self.passages: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        self.passages.extend(texts)
        return super().embed_passages(texts)

    def embed_query(self, text: str) -> np.ndarray:
        return super().embed_passages([text])[0]


@pytest.fixture(scope="module")
def embedder() -> UseEmbedder:
    return UseEmbedder(EmbedderOptions())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("規則を守る。例外はない。", ["規則を守る。", "例外はない。"]),
        ("見出し\n本文だ", ["見出し", "本文だ"]),
        ("「はい。」と書く。次へ。", ["「はい。」と書く。", "次へ。"]),
        ("Use 3.2 here. Then stop.", ["Use 3.2 here.", "Then stop."]),
        ("本当か！？そうだ。", ["本当か！？", "そうだ。"]),
        (" \n　\n", []),
        ("", []),
    ],
)
def test_text_splits_at_sentence_ends_and_lines(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_a_line_without_ends_is_cut_into_windows() -> None:
    assert [len(piece) for piece in sentences("表" * 450)] == [200, 200, 50]


@given(st.text(alphabet="規則a1 .。！？」\n\t;\u2028", max_size=400))
def test_splitting_loses_nothing_but_white_space(text: str) -> None:
    pieces = sentences(text)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(piece == piece.strip() != "" and len(piece) <= 200 for piece in pieces)


def test_the_best_row_or_sum_of_neighbours_counts() -> None:
    query = np.array([1.0, 1.0], dtype=np.float32) / math.sqrt(2)
    rows = np.eye(2, dtype=np.float32)
    # Each row alone has cosine 0.707 with the query, both together point where it points.
    assert best_similarity(query, rows) == pytest.approx(1.0)
    assert best_similarity(query, rows[:1]) == pytest.approx(math.sqrt(0.5))
    assert best_similarity(query, np.stack([rows[0], -rows[0]])) == pytest.approx(math.sqrt(0.5))
    assert best_similarity(query, rows[:0]) is None


def test_standard_scores_have_mean_0_and_deviation_1() -> None:
    assert standardised([1.0, 2.0, 3.0]) == pytest.approx([-math.sqrt(1.5), 0.0, math.sqrt(1.5)])


def test_a_missing_score_is_the_smallest_of_the_set() -> None:
    assert standardised([5.0, None, 1.0]) == pytest.approx(standardised([5.0, 1.0, 1.0]))


@pytest.mark.parametrize("values", [[None, None], [2.0, 2.0], [0.1 + 0.2, 0.3], [float("nan"), None]])
def test_values_that_tell_nothing_apart_count_0(values: list[float | None]) -> None:
    assert list(standardised(values)) == [0.0, 0.0]


def test_one_sentence_in_a_long_text_wins_over_a_text_about_something_near(embedder: UseEmbedder) -> None:
    weights = {"sentence_weight": 1.0, "lexical_weight": 0.0, "fused_weight": 0.0}
    reranker = SentenceSimilarityReranker(RerankerOptions(embedder=embedder, options=weights))
    scores = reranker.rerank(
        "帳票の余白は何ミリですか", [RerankCandidate("a", LONG), RerankCandidate("b", "画面の文字は12ポイントとする。")]
    )
    assert scores[0] > scores[1]


def test_lexical_weight_alone_gives_the_lexical_order(embedder: UseEmbedder) -> None:
    weights = {"sentence_weight": 0.0, "lexical_weight": 1.0, "fused_weight": 0.0}
    reranker = SentenceSimilarityReranker(RerankerOptions(embedder=embedder, options=weights))
    candidates = [
        RerankCandidate("a", "甲", lexical=3.0),
        RerankCandidate("b", "乙", lexical=9.0),
        RerankCandidate("c", "丙"),
    ]
    a, b, c = reranker.rerank("乙", candidates)
    assert b > a == c  # c was not returned by the channel: as bad as its worst, and no worse


def test_channels_that_said_nothing_count_nothing(embedder: UseEmbedder) -> None:
    reranker = SentenceSimilarityReranker(RerankerOptions(embedder=embedder))
    candidates = [RerankCandidate("a", "画面の名前を書く。"), RerankCandidate("b", "表の名前を書く。")]
    first, second = reranker.rerank("画面の名前", candidates)
    assert first > second


def test_sentences_seen_before_are_not_embedded_again() -> None:
    embedder = CountingEmbedder()
    reranker = SentenceSimilarityReranker(RerankerOptions(embedder=embedder))
    candidate = RerankCandidate("a", "規則を守る。例外はない。", content_hash="h")
    reranker.rerank("規則", [candidate])
    reranker.rerank("例外", [candidate, RerankCandidate("b", "日付を書く。", content_hash="i")])
    assert embedder.passages == ["規則を守る。", "例外はない。", "日付を書く。"]


def test_candidates_without_a_hash_are_told_apart_by_their_text() -> None:
    embedder = CountingEmbedder()
    reranker = SentenceSimilarityReranker(RerankerOptions(embedder=embedder))
    reranker.rerank("規則", [RerankCandidate("a", "甲。"), RerankCandidate("b", "乙。"), RerankCandidate("c", "甲。")])
    assert embedder.passages == ["甲。", "乙。"]


def test_no_more_sentences_than_allowed_are_read() -> None:
    embedder = CountingEmbedder()
    options = RerankerOptions(embedder=embedder, options={"max_sentences": 2})
    SentenceSimilarityReranker(options).rerank("規則", [RerankCandidate("a", "一。二。三。四。")])
    assert embedder.passages == ["一。", "二。"]


def test_without_an_embedder_it_is_a_model_error() -> None:
    reranker = SentenceSimilarityReranker(RerankerOptions())
    assert reranker.name == "sentence"
    with pytest.raises(ModelError, match="embedding model is not available"):
        reranker.rerank("規則", [RerankCandidate("a", "規則")])


@pytest.mark.parametrize("value", [-1, "0.5", True, float("nan")])
def test_weights_are_numbers_from_0_up(value: object) -> None:
    with pytest.raises(ConfigError, match="lexical_weight"):
        SentenceSimilarityReranker(RerankerOptions(options={"lexical_weight": value}))


def test_the_cache_lets_go_of_what_was_unused_longest() -> None:
    row = np.zeros((1, 4), dtype=np.float32)  # 16 bytes
    cache = VectorCache(max_bytes=48)
    for key in "abc":
        cache.put(key, row)
    cache.get("a")
    cache.put("d", row)
    assert cache.size == 48
    assert [key for key in "abcd" if cache.get(key) is not None] == ["a", "c", "d"]


def test_the_cache_holds_nothing_over_its_bound() -> None:
    cache = VectorCache(max_bytes=10)
    cache.put("a", np.zeros((1, 4), dtype=np.float32))
    assert cache.get("a") is None
    assert cache.size == 0


def test_putting_a_key_again_counts_it_once() -> None:
    cache = VectorCache(max_bytes=100)
    for _ in range(3):
        cache.put("a", np.zeros((1, 4), dtype=np.float32))
    assert cache.size == 16
