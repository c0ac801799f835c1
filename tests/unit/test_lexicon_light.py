"""Acts and general things of the lexicon: named by many rules, they tell little of what one is about."""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.constraints.content import content_of
from kisoku.domain.constraints.text import Language, scan


def _content(text: str, language: Language) -> dict[str, float]:
    lexicon = load_lexicon()
    return content_of(text, scan(text, lexicon.index(language)), (), lexicon, language)


def test_every_light_concept_has_words_and_is_no_value() -> None:
    lexicon = load_lexicon()
    worded = {name for words in lexicon.words.values() for name in words}
    assert lexicon.light_set <= worded
    assert lexicon.light_set.isdisjoint(lexicon.enum_of.keys() | lexicon.attributes.keys() | lexicon.flag_set)


@pytest.mark.parametrize(
    ("ja", "zh", "en"),
    [
        ("会議の招集", "会议的邀约", "invite them to the meeting"),
        ("変更の申請", "变更的申报", "apply for the change"),
        ("桁合わせ", "补位", "padding"),
        ("スタブ", "桩程序", "stub"),
    ],
)
def test_words_of_three_languages_name_one_thing(ja: str, zh: str, en: str) -> None:
    assert _content(ja, "ja").keys() & _content(zh, "zh").keys() & _content(en, "en").keys()


def test_an_act_weighs_less_than_a_thing() -> None:
    content = _content("議事録と招集", "ja")
    assert content["inviting"] < content["minutes"]


def test_a_ban_of_an_act_bans_it_for_one_thing_only() -> None:
    rules = (
        RuleText(key="a", document="手引A.docx", text="議事録は圧縮しない。"),
        RuleText(key="b", document="手引B.docx", text="画面遷移図は再起動の前に折り畳む。"),
    )
    assert not detect_conflicts(rules, load_lexicon())
