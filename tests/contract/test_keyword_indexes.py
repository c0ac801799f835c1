import pytest
from kisoku.testing.keyword_index import IndexFactory, KeywordIndexContract


class TestBm25s(KeywordIndexContract):
    @pytest.fixture
    def factory(self) -> IndexFactory:
        from kisoku.adapters.keyword.bm25s_index import Bm25sIndex

        return Bm25sIndex


class TestRankBm25(KeywordIndexContract):
    @pytest.fixture
    def factory(self) -> IndexFactory:
        pytest.importorskip("rank_bm25", reason="the extra rank-bm25 is not installed")
        from kisoku.adapters.keyword.rank_bm25_index import RankBm25Index

        return RankBm25Index


class TestStatisticsByQuery(KeywordIndexContract):
    """The port's own way of counting, for adapters without a quicker one."""

    @pytest.fixture
    def factory(self) -> IndexFactory:
        from kisoku.adapters.keyword.bm25s_index import Bm25sIndex
        from kisoku.ports.keyword_index import KeywordIndex

        class Plain(Bm25sIndex):
            document_frequencies = KeywordIndex.document_frequencies
            occurrences = KeywordIndex.occurrences
            query_groups = KeywordIndex.query_groups
            vocabulary = KeywordIndex.vocabulary

        return Plain
