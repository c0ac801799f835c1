"""Questions and their answers make rules."""

import pytest
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints.answers import with_question
from kisoku.domain.constraints.splitting import split_rules
from kisoku.domain.constraints.text import language_of


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("表紙は必要ですか。", "いいえ。", "表紙は不要とする。"),
        ("セルを結合してもよいですか。", "いいえ、しないでください。", "セルを結合してはならない。"),
        ("セルを結合してもよいですか。", "はい。", "セルを結合してよい。"),
        ("需要封面吗?", "不需要。", "无需封面"),
        ("可以合并单元格吗?", "不可以。", "不得合并单元格"),
        ("is a cover page required?", "no.", "a cover page is not required"),
        ("may we merge cells?", "no, never.", "you must not merge cells"),
        ("どこに保存しますか。", "共有フォルダです。", ""),
    ],
)
def test_yes_and_no_are_told_with_their_question(question: str, answer: str, said: str) -> None:
    assert with_question(question, answer, language_of(question)) == said


@pytest.mark.parametrize("text", ["Q: 表紙は必要ですか。\nA: いいえ。", "質問: 表紙は必要ですか。 | 回答: いいえ"])
def test_lines_and_rows_of_questions_are_read(text: str) -> None:
    rules = split_rules(RuleText(key="a", document="よくある質問.docx", text=text))
    assert [rule.text for rule in rules] == ["表紙は不要とする。"]
