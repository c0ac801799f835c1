"""The contract of rerankers, as tests: subclass, override `reranker`, run pytest."""

import math

import pytest

from ..ports.reranker import RerankCandidate, Reranker

_QUERY = "画面IDはどのように付けますか"
_CANDIDATES = (
    RerankCandidate("c1", "画面一覧\n画面IDは「SCR」に3桁の連番を付ける。", "h1", lexical=7.5, vector=0.7, fused=0.03),
    RerankCandidate("c2", "テーブル一覧\nテーブル名は英小文字とする。", "h2", lexical=None, vector=0.4, fused=0.02),
    RerankCandidate("c3", "改版履歴\n改版のたびに日付を記入する。", "h3", lexical=1.5, vector=None, fused=0.01),
    RerankCandidate("c4", "Naming\nEvery table has a primary key. It is never reused.", "h4", fused=0.005),
)
_TOLERANCE = 1e-4


class RerankerContract:
    """Holds an adapter to the contract in the docstring of `Reranker`.

    A third party proves an adapter so::

        class TestMyReranker(RerankerContract):
            @pytest.fixture(scope="class")
            @classmethod
            def reranker(cls) -> Reranker:
                return MyReranker(RerankerOptions())
    """

    @pytest.fixture(scope="class")
    @classmethod
    def reranker(cls) -> Reranker:
        """The adapter under test, fresh from its constructor."""
        raise NotImplementedError("override the fixture `reranker`")

    def test_is_a_reranker_with_a_name(self, reranker: Reranker) -> None:
        assert isinstance(reranker, Reranker)
        assert reranker.name.strip() == reranker.name != ""

    def test_no_candidates_give_no_scores(self, reranker: Reranker) -> None:
        assert reranker.rerank(_QUERY, []) == []

    def test_every_candidate_has_one_finite_score(self, reranker: Reranker) -> None:
        scores = reranker.rerank(_QUERY, _CANDIDATES)
        assert len(scores) == len(_CANDIDATES)
        assert all(type(score) is float and math.isfinite(score) for score in scores)

    def test_one_candidate_has_a_score(self, reranker: Reranker) -> None:
        (score,) = reranker.rerank(_QUERY, _CANDIDATES[:1])
        assert math.isfinite(score)

    @pytest.mark.parametrize("order", [(3, 2, 1, 0), (2, 0, 3, 1)])
    def test_the_order_given_changes_no_score(self, reranker: Reranker, order: tuple[int, ...]) -> None:
        scores = reranker.rerank(_QUERY, _CANDIDATES)
        shuffled = reranker.rerank(_QUERY, [_CANDIDATES[place] for place in order])
        assert shuffled == pytest.approx([scores[place] for place in order], abs=_TOLERANCE)

    def test_equal_candidates_have_equal_scores(self, reranker: Reranker) -> None:
        first = RerankCandidate("a", "日付は西暦で書く。", "h", lexical=2.0, vector=0.5, fused=0.1)
        second = RerankCandidate("b", "日付は西暦で書く。", "h", lexical=2.0, vector=0.5, fused=0.1)
        scores = reranker.rerank("日付の書き方", [first, second, *_CANDIDATES])
        assert scores[0] == pytest.approx(scores[1], abs=_TOLERANCE)

    @pytest.mark.parametrize(
        "text",
        ["", " \n　", "\x00", "\ud800", "規則を守る。" * 300],
        ids=["empty", "white", "nul", "lone surrogate", "very long"],
    )
    def test_any_text_has_a_finite_score(self, reranker: Reranker, text: str) -> None:
        scores = reranker.rerank(_QUERY, [RerankCandidate("x", text), *_CANDIDATES])
        assert all(math.isfinite(score) for score in scores)

    def test_a_second_call_says_the_same(self, reranker: Reranker) -> None:
        assert reranker.rerank(_QUERY, _CANDIDATES) == pytest.approx(
            reranker.rerank(_QUERY, _CANDIDATES), abs=_TOLERANCE
        )
