"""How rules are read: verdicts in cells, questions and answers, times that are over, fractions, bans of a use.

Each pair stands alone. A side is written `document | heading | text`; ` / ` begins a new line.
"""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.constraints.double_negation import without_double_negation
from kisoku.domain.constraints.splitting import split_rules
from kisoku.domain.constraints.text import scan
from kisoku.domain.constraints.values import find_quantities

LEXICON = load_lexicon()


def _side(key: str, side: str) -> RuleText:
    document, heading, text = (part.strip() for part in side.split(" | ", 2))
    return RuleText(key=key, document=document, headings=(heading,), text=text.replace(" / ", "\n"))


PAIRS = {
    "a check whose verdict is a refusal bans what it describes": (
        True,
        "上线检查表.xlsx | DDL | 检查项: 建表语句里有外键 | 结论: 驳回",
        "建模要求.docx | 关系 | 主表与从表之间应建立外键。",
    ),
    "a check that is passed demands it": (
        False,
        "上线检查表.xlsx | DDL | 检查项: 建表语句里有外键 | 结论: 通过",
        "建模要求.docx | 关系 | 主表与从表之间应建立外键。",
    ),
    "what answers a question is ruled": (
        True,
        "窓口の手引.docx | よくある質問 | Q. 監査ログは何年保存しますか？ / A. 3年間保存します。",
        "ログ運用基準.docx | 保存 | 監査ログは7年間保存する。",
    ),
    "times after which something happens are values": (
        True,
        "操作仕様.docx | 時間切れ | 無操作のまま20分を過ぎたらセッションを破棄する。",
        "画面共通方式.docx | 時間切れ | 無操作が40分を超えるとセッションを破棄する。",
    ),
    "a fraction is a percentage": (
        True,
        "合同范本.docx | 违约金 | 逾期交付的违约金为每日合同总价的千分之二。",
        "合同要点.xlsx | 违约金 | 逾期交付的违约金为每日合同总价的0.5%。",
    ),
    "one fraction in two writings": (
        False,
        "合同范本.docx | 违约金 | 逾期交付的违约金为每日合同总价的千分之五。",
        "合同要点.xlsx | 违约金 | 逾期交付的违约金为每日合同总价的0.5%。",
    ),
    "what is refused without something needs it": (
        False,
        "代码约定.docx | TODO | TODO 后面必须跟工单号。",
        "Comment_Rules.docx | TODO | A TODO without a ticket number will not be merged.",
    ),
    "rules for sources in different languages do not meet": (
        False,
        "Java书写约定.docx | 缩进 | 缩进4个空格。",
        "Python书写约定.docx | 缩进 | 缩进2个空格。",
    ),
    "a clause without a topic goes on about the one before": (
        False,
        "ワーク表の約束.docx | 削除 | 作業用テーブルは物理削除してから使う。",
        "保管の約束.docx | 削除 | 取引テーブルの行は論理削除とし、物理削除しない。",
    ),
    "what something cannot do is no ban": (
        False,
        "ビルドの約束.docx | 区切り | 空白では動作しない。",
        "書式の約束.docx | 区切り | 演算子の前後に空白を1つ入れる。",
    ),
    "records that decide are no text that prevails": (
        True,
        "外包管理办法.docx | 周报 | 外包人员无需提交周报，以工时系统记录为准。",
        "周报制度.docx | 周报 | 项目组全体成员（含外包人员）每周五提交周报。",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_reading(name: str) -> None:
    conflict, one, two = PAIRS[name]
    for sides in ((one, two), (two, one)):
        found = detect_conflicts([_side(key, side) for key, side in zip("ab", sides, strict=True)], LEXICON)
        assert bool(found) is conflict, [group.attribute for group in found]


@pytest.mark.parametrize(
    ("text", "dimension", "amount"),
    [("千分之五", "percent", 0.5), ("3‰", "percent", 0.3), ("百分之十", "percent", 10.0), ("4.5:1", "proportion", 4.5)],
)
def test_fractions_and_proportions(text: str, dimension: str, amount: float) -> None:
    (found,) = find_quantities(text, LEXICON)
    assert (found.dimension, round(found.amount, 6)) == (dimension, amount)


def test_a_question_only_says_what_its_answer_is_about() -> None:
    side = _side("a", "手引.docx | 質問 | Q1. 主キーは何にしますか？ / A1. 連番とします。 / 主キーの名前はIDとする。")
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
