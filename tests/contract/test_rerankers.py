"""Every reranker that needs no torch keeps the contract."""

import pytest
from kisoku.adapters.embedding.use import UseEmbedder
from kisoku.adapters.rerank.none import NoReranker
from kisoku.adapters.rerank.sentence import SentenceSimilarityReranker
from kisoku.ports.reranker import Reranker, RerankerOptions
from kisoku.testing.reranker import RerankerContract


class TestNone(RerankerContract):
    @pytest.fixture(scope="class")
    @classmethod
    def reranker(cls) -> Reranker:
        return NoReranker(RerankerOptions())


class TestSentence(RerankerContract):
    @pytest.fixture(scope="class")
    @classmethod
    def reranker(cls) -> Reranker:
        return SentenceSimilarityReranker(RerankerOptions(embedder=UseEmbedder()))


class TestSentenceWithoutCache(RerankerContract):
    @pytest.fixture(scope="class")
    @classmethod
    def reranker(cls) -> Reranker:
        return SentenceSimilarityReranker(RerankerOptions(embedder=UseEmbedder(), options={"cache_mb": 0}))
