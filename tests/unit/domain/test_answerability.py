"""Measurements of whether a handbook answers, and the model that weighs them."""

import math

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.answerability.model import GateModel, GateProfile, GateWeight
from kisoku.domain.answerability.quantities import AskedQuantity, asked_quantities, holds_quantity, may_ask
from kisoku.domain.answerability.terms import (
    coverage,
    is_foreign,
    own_words,
    rarity,
    related_coverage,
    unknown_names,
)

JAPANESE = ["表のヘッダー行は太字とする。", "パスワードは12文字以上とする。"]


def test_rarity_is_the_idf_of_lucene():
    assert rarity(10, 0) == pytest.approx(math.log(1 + 10.5 / 0.5))
    assert rarity(10, 10) == pytest.approx(math.log(1 + 0.5 / 10.5))
    assert rarity(10, 2) > rarity(10, 5) > 0


def test_coverage_is_the_weight_of_the_best_text():
    weights = {"表": 1.0, "下線": 3.0}
    assert coverage(weights, [frozenset({"表"}), frozenset({"下線"})]) == 0.75
    assert coverage(weights, []) == 0.0
    assert coverage({}, [frozenset()]) == 0.0
    assert coverage(weights, [frozenset({"表", "太字"})]) == 0.25  # words that were not asked for


def test_identifiers_of_the_caller_are_no_words_of_the_handbook():
    assert own_words({"f001": 8.0, "if-010": 8.0, "画面": 1.0, "2020": 3.0}) == {"画面": 1.0, "2020": 3.0}
    assert own_words({"f001": 8.0}) == {"f001": 8.0}  # nothing else to go by


def test_a_word_of_like_meaning_counts_its_squared_cosine():
    weights = {"合言葉": 3.0, "長さ": 1.0}
    related = {"合言葉": {"パスワード": 0.8, "暗証": 0.6}, "長さ": {}}
    near = frozenset({"パスワード", "暗証", "長さ"})
    assert related_coverage(weights, related, [near]) == pytest.approx((3 * 0.64 + 1) / 4)
    assert related_coverage(weights, related, [frozenset({"暗証"})]) == pytest.approx(3 * 0.36 / 4)
    assert related_coverage(weights, related, [frozenset({"合言葉"}), near]) == 0.75
    assert related_coverage(weights, {}, [frozenset({"長さ"})]) == 0.25
    assert related_coverage(weights, related, []) == 0.0
    assert related_coverage({}, related, [near]) == 0.0


@pytest.mark.parametrize(
    ("query", "foreign"),
    [
        ("表の書き方", False),
        ("画面設計書 項目一覧", False),
        ("How are table headers written?", True),
        ("表格的标题应该怎么写", True),
    ],
)
def test_a_query_in_another_language_shares_no_words(query, foreign):
    assert is_foreign(query, JAPANESE) is foreign
    assert is_foreign(query, []) is False


def test_chinese_handbooks_find_japanese_foreign_and_chinese_not():
    texts = ["表格的标题用粗体。", "密码至少12位。"]
    assert is_foreign("表の書き方を教えて", texts)
    assert not is_foreign("密码的长度", texts)


@pytest.mark.parametrize(
    ("query", "terms", "known", "share"),
    [
        ("Oracleの表領域", {"oracle": 2.0, "表領域": 8.0}, {"表領域"}, 0.2),
        ("ダークモードの配色", {"ダーク": 5.0, "配色": 5.0}, {"配色"}, 0.3),  # no more than that counts
        ("F001の画面", {"f001": 5.0, "画面": 1.0}, {"画面"}, 0.0),  # an id of the caller's own design
        ("議事録の配布", {"議事録": 5.0, "配布": 5.0}, set(), 0.0),  # an unknown word, but no name
        ("naming of topics", {"naming": 5.0, "topics": 5.0}, set(), 0.0),
        ("naming of Kafka topics", {"naming": 8.0, "kafka": 2.0}, {"naming"}, 0.2),
    ],
)
def test_names_that_the_handbook_never_mentions(query, terms, known, share):
    assert unknown_names(query, terms, frozenset(known), foreign=False) == pytest.approx(share)


def test_in_a_foreign_query_latin_names_are_all_that_can_be_compared():
    terms = {"kafka": 1.0, "主题": 9.0}
    assert unknown_names("Kafka的主题", terms, frozenset(), foreign=True) == 0.3
    assert unknown_names("Kafka的主题", terms, frozenset({"kafka"}), foreign=True) == 0.0
    assert unknown_names("Kafka topics", {"kafka": 1.0}, frozenset(), foreign=True) == 0.0


@pytest.mark.parametrize(
    ("query", "units"),
    [
        ("パスワードは何回間違えたら止まる?", ["回"]),
        ("議事録は何日後までに配るか", ["日"]),
        ("発行した鍵は何か月で失効するか", ["か月"]),
        ("一度に何メガバイトまで送れるか", ["メガバイト"]),
        ("至少要写几个月", ["个月"]),
        ("How many pages may a report have?", ["pages"]),
        ("施行は何年か", []),  # a date
        ("何度でも現れてよい項目", []),
        ("何を書くか", []),
        ("何という文言か", []),
    ],
)
def test_questions_for_a_number(query, units):
    assert [asked.unit for asked in asked_quantities(query, load_lexicon())] == units


@pytest.mark.parametrize(
    ("query", "dimension"),
    [
        ("索引はいくつまで張ってよい", ""),
        ("評価は星いくつか。", ""),
        ("過期时间应设为多少", ""),
        ("How often must it be renewed?", ""),
        ("どのくらいの期間保存するか", "duration"),
        ("日志要保存多久", "duration"),
        ("How long must it be kept?", "duration"),
        ("How long may a file name be?", "char"),
        ("値をいくつか並べる", None),  # some
        ("いくつも並べる", None),
        ("多少の違いを認めるか", None),  # somewhat
        ("何を書くか", None),
    ],
)
def test_questions_for_a_number_without_a_unit(query, dimension):
    asked = asked_quantities(query, load_lexicon())
    if dimension is None:
        assert asked == ()
    else:
        assert may_ask(query)
        assert [quantity.unit for quantity in asked] == [""]
        assert dimension in (asked[0].dimensions or ("",))


@pytest.mark.parametrize(
    ("dimensions", "text", "holds"),
    [
        ((), "3つまで", True),
        ((), "二つまで", True),
        ((), "at most two indexes", True),
        ((), "数を決める", False),
        ((), "someone decides", False),
        (("duration",), "90日間保存する", True),
        (("duration",), "12文字まで", False),
        (("duration",), "2024年4月1日に改訂した", False),
    ],
)
def test_a_text_holds_a_number_of_the_dimensions_asked_for(dimensions, text, holds):
    assert holds_quantity(text, AskedQuantity("", dimensions), load_lexicon()) is holds


@pytest.mark.parametrize(
    ("query", "may"),
    [
        ("表の書き方", False),
        ("何文字まで", True),
        ("How many pages?", True),
        ("how a page looks", False),
        ("多久", True),
    ],
)
def test_most_queries_ask_for_no_number(query, may):
    assert may_ask(query) is may


@pytest.mark.parametrize(
    ("unit", "text", "holds"),
    [
        ("回", "3回間違えたら止める", True),
        ("回", "三回まで", True),
        ("回", "回数を記録する", False),
        ("か月", "90日で失効する", True),  # days and months are near
        ("か月", "3秒以内に返す", False),
        ("か月", "2024年4月1日に改訂した", False),
        ("メガバイト", "10MBまで", True),
        ("桁", "5桁の番号", True),
        ("桁", "桁を区切る", False),
    ],
)
def test_a_text_holds_a_number_of_the_kind_asked_for(unit, text, holds):
    assert holds_quantity(text, AskedQuantity(unit), load_lexicon()) is holds


def test_the_model_is_a_logistic_regression():
    model = GateModel(weights={"vector": GateWeight(mean=0.4, scale=0.1, weight=-1.0)}, intercept=-2.0, threshold=0.5)
    assert model.probability({"vector": 0.4}) == pytest.approx(1 / (1 + math.e**2))
    assert model.probability({"vector": 0.1}) == pytest.approx(1 / (1 + math.e**-1))
    assert model.probability({"vector": None}) == pytest.approx(1 / (1 + math.e**2))
    assert model.probability({"coverage": 0.3}) is None
    assert model.probability({"vector": -1e9}) == pytest.approx(1.0)


def test_the_first_model_that_can_be_measured_decides():
    best = GateModel(weights={"sentence": GateWeight(mean=0, scale=1, weight=-1)}, intercept=0, threshold=0.6)
    words = GateModel(weights={"coverage": GateWeight(mean=0, scale=1, weight=-1)}, intercept=0, threshold=0.7)
    profile = GateProfile(model="m", models=(best, words))
    assert profile.judge({"sentence": 0.0, "coverage": 0.0}) == (best, 0.5)
    assert profile.judge({"coverage": 0.0}) == (words, 0.5)
    assert profile.judge({}) is None
