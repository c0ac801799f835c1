import pytest
from kisoku.testing.analyzer import AnalyzerContract, AnalyzerMaker


class TestAuto(AnalyzerContract):
    @pytest.fixture
    def make(self) -> AnalyzerMaker:
        from kisoku.adapters.analysis.auto import AutoAnalyzer

        return AutoAnalyzer


class TestJapanese(AnalyzerContract):
    @pytest.fixture
    def make(self) -> AnalyzerMaker:
        from kisoku.adapters.analysis.japanese import JapaneseAnalyzer

        return JapaneseAnalyzer


class TestChinese(AnalyzerContract):
    @pytest.fixture
    def make(self) -> AnalyzerMaker:
        from kisoku.adapters.analysis.chinese import ChineseAnalyzer

        return ChineseAnalyzer


class TestEnglish(AnalyzerContract):
    @pytest.fixture
    def make(self) -> AnalyzerMaker:
        from kisoku.adapters.analysis.english import EnglishAnalyzer

        return EnglishAnalyzer


class TestBigram(AnalyzerContract):
    WHOLE = ()

    @pytest.fixture
    def make(self) -> AnalyzerMaker:
        from kisoku.adapters.analysis.ngram import BigramAnalyzer

        return BigramAnalyzer
