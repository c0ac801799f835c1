"""Contract tests of analyzers."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from ..ports.analyzer import Analyzer

AnalyzerMaker = Callable[[], Analyzer]


class AnalyzerContract:
    """Subclass it and override `make`; every sentence of the port's docstring is then tested.

    Attributes:
        WHOLE: Identifiers and numbers that must come out whole; () for an analyzer without words (n-grams).
    """

    WHOLE: tuple[str, ...] = ("f001", "3.2", "tb001", "utf-8", "snake_case", "2026", "1.10.3")
    TEXTS: tuple[str, ...] = (
        "画面設計書には項目F001とテーブルTB001を記載する。版は3.2、文字コードはUTF-8。",
        "接口设计书必须写明所有参数,版本为3.2。數據庫設計也一樣。",
        "Every LoginController validates user_id; see F001 in version 3.2.",
        "サーバーとサーバへ、ﾃﾞｰﾀﾍﾞｰｽ①と㈱と½を。",
        "画面設計",
        "한국어 Привет naïve ÅNGSTRÖM",
        "a\u3000b\tc\nd\r\n\x00e\ufeff",
        "👩‍💻 … 🎉 か゛",
    )

    @pytest.fixture
    def make(self) -> AnalyzerMaker:
        raise NotImplementedError("override the fixture `make`")

    def test_name_and_fingerprint_are_stable(self, make: AnalyzerMaker) -> None:
        first, second = make(), make()
        assert first.name
        assert first.fingerprint
        assert (first.name, first.fingerprint) == (second.name, second.fingerprint)

    def test_same_text_gives_same_terms(self, make: AnalyzerMaker) -> None:
        first, second = make(), make()
        for text in self.TEXTS:
            assert first.analyze(text) == first.analyze(text) == second.analyze(text)
            assert first.analyze_query(text) == second.analyze_query(text)

    def test_threads_get_the_terms_of_one(self, make: AnalyzerMaker) -> None:
        analyzer, texts = make(), [text * 3 for text in self.TEXTS] * 8
        alone = [(analyzer.analyze(text), analyzer.analyze_query(text)) for text in texts]
        with ThreadPoolExecutor(4) as pool:
            both = pool.map(lambda text: (analyzer.analyze(text), analyzer.analyze_query(text)), texts)
            assert list(both) == alone

    def test_no_term_is_empty_or_holds_white_space(self, make: AnalyzerMaker) -> None:
        analyzer = make()
        for text in self.TEXTS:
            terms = [*analyzer.analyze(text), *analyzer.analyze_query(text)]
            assert all(term and not any(character.isspace() for character in term) for term in terms)

    @pytest.mark.parametrize(
        "text", ["", " \t\n\u3000", "。、…!?()【】「」", "■◆※→〜・", "--- *** ___ |||", "🎉👍", "\x00\ufeff"]
    )
    def test_text_without_letters_gives_no_terms(self, make: AnalyzerMaker, text: str) -> None:
        analyzer = make()
        assert analyzer.analyze(text) == []
        assert analyzer.analyze_query(text) == []

    @pytest.mark.parametrize(
        ("text", "variant"),
        [
            ("F001 utf-8 3.2", "Ｆ００１　ＵＴＦ－８　３．２"),
            ("データベース設計", "ﾃﾞｰﾀﾍﾞｰｽ設計"),
            ("RULE", "rule"),
        ],
    )
    def test_width_and_case_are_folded_on_both_sides(self, make: AnalyzerMaker, text: str, variant: str) -> None:
        analyzer = make()
        assert analyzer.analyze(text) == analyzer.analyze(variant) != []
        assert analyzer.analyze_query(text) == analyzer.analyze_query(variant) != []

    def test_identifiers_and_numbers_stay_whole(self, make: AnalyzerMaker) -> None:
        analyzer = make()
        for term in self.WHOLE:
            for text in (f"項目{term.upper()}を記載する。", f"参数{term}必须写明。", f"See {term}, please.", term):
                assert term in analyzer.analyze(text), text
                assert term in analyzer.analyze_query(text), text

    def test_long_text_loses_nothing_at_the_end(self, make: AnalyzerMaker) -> None:
        analyzer = make()
        filler = "規則を記載する。" * 12_000
        ends = set(analyzer.analyze(filler + "\n終端はＸＹＺ９９。")) - set(analyzer.analyze(filler))
        assert ends & set(analyzer.analyze_query("xyz99"))
