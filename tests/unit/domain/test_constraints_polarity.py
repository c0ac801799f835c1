"""Words that turn a thing off, and negations that ban less than they seem to."""

import pytest
from kisoku.domain.constraints.headed import existence_of_row
from kisoku.domain.constraints.modality import what_is_impossible
from kisoku.domain.constraints.switches import is_only_treated, off_words
from kisoku.domain.constraints.text import Language


@pytest.mark.parametrize(
    ("text", "language", "count"),
    [
        ("autocomplete is turned off", "en", 1),
        ("disabled buttons carry a tooltip", "en", 0),
        ("オートコンプリートは無効とする", "ja", 1),
        ("無効な値は受け付けない", "ja", 0),
        ("编辑页面关闭自动保存", "zh", 1),
        # Closing a ticket completes it and turns nothing off.
        ("缺陷关闭后复测", "zh", 0),
    ],
)
def test_words_that_turn_off(text: str, language: Language, count: int) -> None:
    assert len(off_words(text, language)) == count


@pytest.mark.parametrize(
    ("text", "word", "language", "treated"),
    [
        ("do not edit the page number", "page number", "en", True),
        ("the page number must not be edited", "page number", "en", True),
        ("do not print the page number", "page number", "en", False),
        ("不得修改页码", "页码", "zh", True),
        ("不得使用页码", "页码", "zh", False),
    ],
)
def test_what_is_done_with_a_thing(text: str, word: str, language: Language, treated: bool) -> None:
    start = text.index(word)
    assert is_only_treated(text, start, start + len(word), language) is treated


def test_nouns_that_nothing_can_be_done_with() -> None:
    assert what_is_impossible("メールへの添付は、暗号化してもできません") == "メールへの添付"
    assert what_is_impossible("この画面ではできません") == ""


@pytest.mark.parametrize(
    ("label", "text", "subject", "language", "said"),
    [
        ("要否", "要否: 不要", "水印", "zh", "无需水印"),
        ("used", "used: yes", "page number", "en", "page number must be present"),
        ("asterisks", "asterisks: none on the form", "form", "en", "do not use asterisks"),
        ("備考", "備考: なし", "透かし", "ja", ""),
        ("桁数", "桁数: 4", "透かし", "ja", ""),
    ],
)
def test_cells_of_existence(label: str, text: str, subject: str, language: Language, said: str) -> None:
    assert existence_of_row(label, text, subject, language) == said
