"""Understanding queries by a dictionary and patterns."""

import pytest
from kisoku.adapters.query.rules import RuleQuery
from kisoku.domain.errors import ConfigError
from kisoku.domain.query import QueryDictionary
from kisoku.ports.query_transformer import QueryTransformerOptions

DICTIONARY = QueryDictionary.model_validate(
    {
        "synonyms": [["主キー", "プライマリキー", "primary key", "主键"], ["画面", "screen"]],
        "widen": [{"from": ["DB"], "to": ["データベース"]}],
        "stop_words": [["方法", "場合"], ["what", "is", "the"], ["什么", "是"]],
        "requests": [["を教えてください", "について教えて"], ["please tell me"]],
        "domains": {
            "データ": {"terms": ["主キー", "テーブル"], "weight": 1.5, "category": "design"},
            "表示": {"terms": ["画面"], "category": "write"},
        },
    }
)


def understand(query, **options):
    max_added = options.pop("max_added", 12)
    return RuleQuery(QueryTransformerOptions(DICTIONARY, max_added=max_added, options=options)).transform(query)


def kinds(query):
    return [(e.kind, e.text) for e in understand(query).entities]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("F001 と ＴＢ００１ の関係", [("identifier", "F001"), ("identifier", "ＴＢ００１")]),
        ("IF-010とWA10201", [("identifier", "IF-010"), ("identifier", "WA10201")]),
        ("「見出し」と『表題』", [("quoted", "見出し"), ("quoted", "表題")]),
        ('the "header row" rule', [("quoted", "header row")]),
        ("【必須】の印", [("bracketed", "必須")]),
        (
            "user_session と createdAt と UserName",
            [("name", "user_session"), ("name", "createdAt"), ("name", "UserName")],
        ),
        ("「F001」", [("quoted", "F001")]),
        ("XML と API と Word", []),
        ("3.4 章の「」", []),
    ],
)
def test_entities(query, expected):
    assert kinds(query) == expected


def test_synonyms_cross_languages_and_leave_out_what_the_query_says():
    understood = understand("主キー (primary key) の命名")
    assert [(s.term, s.added) for s in understood.synonyms] == [("主キー", ("プライマリキー", "主键"))]
    assert understand("Naming of a Primary Key").expansion == ("主キー", "プライマリキー", "主键")


def test_one_way_additions_go_one_way():
    assert understand("DBの設計").expansion == ("データベース",)
    assert understand("データベースの設計").expansion == ()


@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_additions_are_bounded_over_all_terms(most):
    assert len(understand("主キーと画面", max_added=most).expansion) == most


def test_phrases_that_only_ask_are_cut_out_of_what_is_searched():
    understood = understand("主キーの命名を教えてください")
    assert (understood.original, understood.rewritten) == ("主キーの命名を教えてください", "主キーの命名")
    assert understand("Please tell me about keys").rewritten == "about keys"
    assert understand("を教えてください").rewritten == "を教えてください"
    assert understand("主キーの命名を教えてください", rewrite=False).rewritten == "主キーの命名を教えてください"


def test_stop_words_are_told_and_are_no_keywords():
    understood = understand("What is the primary key")
    assert understood.stop_words == ("what", "is", "the")
    assert understood.keywords == ("primary key", "primary", "key")
    assert understand("主键命名规则是什么").stop_words == ("是", "什么")


def test_domains_give_weights_and_agree_on_a_category_or_give_none():
    understood = understand("テーブルの主キー")
    assert understood.domains == ("データ",)
    assert understood.topic_weights == {"データ": 1.5}
    assert understood.category == "design"
    both = understand("画面とテーブル")
    assert both.domains == ("データ", "表示")
    assert both.category is None
    assert understand("用語").category is None
    assert understand("テーブルの主キー", category_filter=False).category is None


def test_an_unknown_option_is_refused():
    with pytest.raises(ConfigError, match="no option 'rewrites'"):
        understand("x", rewrites=True)
