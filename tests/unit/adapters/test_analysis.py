import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kisoku.adapters.analysis.auto import AutoAnalyzer
from kisoku.adapters.analysis.chinese import ChineseAnalyzer
from kisoku.adapters.analysis.english import EnglishAnalyzer
from kisoku.adapters.analysis.japanese import JapaneseAnalyzer
from kisoku.adapters.analysis.language import languages
from kisoku.adapters.analysis.ngram import BigramAnalyzer
from kisoku.domain.errors import ConfigError
from kisoku.ports.analyzer import AnalyzerOptions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("画面の項目を記載する", ("ja",)),
        ("接口规则", ("zh",)),
        ("検証図", ("ja",)),
        ("設計規則", ("ja", "zh")),
        ("Login F001 3.2", ()),
        ("", ()),
        ("本系统的名称是「の」网络服务平台，所有参数必须在接口设计书中写明，不得省略。", ("zh",)),
    ],
)
def test_language_by_characters(text: str, expected: tuple[str, ...]) -> None:
    assert languages(text) == expected


@pytest.mark.parametrize(
    ("left", "right"),
    [("サーバ", "サーバー"), ("附属", "付属"), ("ﾃﾞｰﾀ", "データ"), ("書き込み", "書込み"), ("ユーザ", "ユーザー")],
)
def test_japanese_spellings_are_one_term(left: str, right: str) -> None:
    analyzer = JapaneseAnalyzer()
    assert analyzer.analyze_query(left) == analyzer.analyze_query(right) != []


def test_japanese_particles_auxiliaries_and_symbols_are_dropped() -> None:
    assert JapaneseAnalyzer().analyze("画面を、表示しなければならない。") == ["画面", "表示"]


def test_compounds_are_split_where_they_are_stored_and_whole_where_they_are_asked_for() -> None:
    analyzer = JapaneseAnalyzer()
    assert analyzer.analyze("国家公務員") == ["国家公務員", "国家", "公務", "員"]
    assert analyzer.analyze_query("国家公務員") == ["国家公務員"]
    assert JapaneseAnalyzer(AnalyzerOptions({"split_mode": "A"})).analyze("国家公務員") == ["国家", "公務", "員"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("LoginController", {"logincontroller", "login", "controller"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("user_id", {"user_id", "user", "id"}),
        ("UTF-8", {"utf-8", "utf", "utf8"}),
        ("requirements", {"requirements", "requir"}),
        ("1,000", {"1000"}),
        ("C++", {"c++"}),
        ("F001", {"f001"}),
        ("3.2.1", {"3.2.1"}),
    ],
)
def test_terms_of_a_word(text: str, expected: set[str]) -> None:
    assert expected <= set(EnglishAnalyzer().analyze(text))


def test_identifiers_are_not_cut_at_digits() -> None:
    assert EnglishAnalyzer().analyze("TB001 3.2.1") == ["tb001", "3.2.1"]


def test_english_stop_words_are_dropped() -> None:
    assert EnglishAnalyzer().analyze("the name of it") == ["name"]


def test_chinese_words_and_bigrams() -> None:
    terms = ChineseAnalyzer().analyze("接口设计书的参数")
    assert {"接口", "设计", "参数", "口设", "计书"} <= set(terms)
    assert "的" not in terms


def test_chinese_script_is_left_alone() -> None:
    assert "數據" in ChineseAnalyzer().analyze("數據庫")


def test_auto_reads_mixed_text_in_one_pass() -> None:
    terms = AutoAnalyzer().analyze("画面のLoginControllerは、F001をUTF-8で出力する。")
    assert {"画面", "出力", "logincontroller", "login", "controller", "f001", "utf-8"} <= set(terms)


def test_auto_reads_a_query_in_han_alone_both_ways() -> None:
    terms = AutoAnalyzer().analyze_query("設計書作成規則")
    assert {"設計書", "作成"} <= set(terms)  # Sudachi
    assert {"書作", "計書"} <= set(terms)  # bigrams of the Chinese reading


def test_auto_reads_chinese_lines_inside_japanese_text_as_chinese() -> None:
    terms = AutoAnalyzer().analyze("接口参数必须写明\n画面の項目を記載する。")
    assert {"参数", "必须", "画面", "項目"} <= set(terms)


def test_query_and_text_of_another_spelling_meet() -> None:
    analyzer = AutoAnalyzer()
    assert set(analyzer.analyze("サーバーの名称は英字で始める。")) & set(analyzer.analyze_query("ｻｰﾊﾞ"))


def test_bigrams_by_runs() -> None:
    assert BigramAnalyzer().analyze("画面設計、A B1") == ["画面", "面設", "設計", "a", "b1"]


@pytest.mark.parametrize("make", [AutoAnalyzer, JapaneseAnalyzer, ChineseAnalyzer, EnglishAnalyzer])
def test_extra_stop_words_drop_terms_and_change_the_fingerprint(make: type) -> None:
    options = AnalyzerOptions({"stop_words": ["KISOKU"]})
    assert "kisoku" in make().analyze("kisoku login")
    assert "kisoku" not in make(options).analyze("kisoku login")
    assert make(options).fingerprint != make().fingerprint


@pytest.mark.parametrize("options", [{"splitmode": "A"}, {"split_mode": "D"}, {"stop_words": "の"}])
def test_wrong_options_are_configuration_errors(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        AutoAnalyzer(AnalyzerOptions(options))


@settings(deadline=None, max_examples=200)
@given(st.text(max_size=200))
def test_any_text_gives_clean_terms(text: str) -> None:
    for analyzer in (AutoAnalyzer(), BigramAnalyzer()):
        for term in (*analyzer.analyze(text), *analyzer.analyze_query(text)):
            assert term
            assert not any(character.isspace() for character in term)


def test_lone_surrogates_do_no_harm() -> None:
    assert "画面" in AutoAnalyzer().analyze("画面\ud800の設計")
