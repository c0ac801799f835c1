"""How rules are read: fractions, questions and answers, stray characters, double negation."""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints.double_negation import without_double_negation
from kisoku.domain.constraints.splitting import split_rules
from kisoku.domain.constraints.text import scan
from kisoku.domain.constraints.values import find_quantities

LEXICON = load_lexicon()


@pytest.mark.parametrize(
    ("text", "dimension", "amount"),
    [("千分之五", "percent", 0.5), ("3‰", "percent", 0.3), ("百分之十", "percent", 10.0), ("4.5:1", "proportion", 4.5)],
)
def test_fractions_and_proportions(text: str, dimension: str, amount: float) -> None:
    (found,) = find_quantities(text, LEXICON)
    assert (found.dimension, round(found.amount, 6)) == (dimension, amount)


def test_a_question_only_says_what_its_answer_is_about() -> None:
    text = "Q1. 主キーは何にしますか？\nA1. 連番とします。\n主キーの名前はIDとする。"
    side = RuleText(key="a", document="手引.docx", headings=("質問",), text=text)
    assert [(rule.text, rule.subject) for rule in split_rules(side)] == [
        ("連番とします。", "主キー"),
        ("主キーの名前はidとする。", ""),
    ]


def test_a_stray_character_beside_a_short_word_makes_another_word() -> None:
    index = LEXICON.index("ja")
    assert not any("tab-char" in hit.ids for hit in scan("スタブで代える", index))
    assert any("tab-char" in hit.ids for hit in scan("タブで下げる", index))


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("没有工单号的不得提交", "zh", "须有工单号方可提交"),
        (
            "a change without an approval must not be released.",
            "en",
            "a change must have approval",
        ),
    ],
)
def test_nothing_without_it_demands_it(text: str, language: str, said: str) -> None:
    assert without_double_negation(text, language) == said  # type: ignore[arg-type]  # a literal of the parametrisation
