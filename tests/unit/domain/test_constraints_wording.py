"""Pairs of rules about the language of documents: which contradict each other.

Each pair stands alone. A side is written `document | heading | text`.
"""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts

PAIRS: tuple[tuple[str, bool, str, str], ...] = (
    (
        "ja",
        True,
        "用字用語集.docx | 送り仮名 | 複合名詞の送り仮名は省く（受付、取消、引渡し）。",
        "文書表記ルール.docx | 送りがな | 複合語の名詞でも送り仮名は省略せず、「受け付け」「取り消し」のように送る。",
    ),
    (
        "ja",
        True,
        "用字用語集.docx | 接続詞 | 接続詞の「及び」「又は」は漢字で書く。",
        "文書表記ルール.docx | かな書き | 接続詞は「および」「または」のようにひらがなで書くこと。",
    ),
    (
        "ja",
        True,
        "表記統一ルール.xlsx | 記号 | 項目: 範囲 | 表記: 「～」を用いる",
        "文書スタイルガイド.docx | 範囲の表し方 | 数値の範囲はハイフンで表す（例: 1-5）。",
    ),
    (
        "ja",
        True,
        "表記統一ルール.xlsx | 時刻 | 時刻は「9:30」のようにコロンで区切って書く。",
        "文書表記ルール.docx | 日時 | 時刻は「9時30分」と書く。コロンは使わない。",
    ),
    (
        "ja",
        True,
        "表記統一ルール.xlsx | 単位 | 百分率は「%」の記号で表す。",
        "執筆要領.docx | 数の書き方 | 百分率は記号でなく「パーセント」と片仮名で書く。",
    ),
    (
        "ja",
        True,
        "用字用語集.docx | 外来語 | 2語以上からなるカタカナ語は中黒で区切る（データ・ベース）。",
        "文書表記ルール.docx | カタカナ語 | 複合カタカナ語の語間には何も入れず続けて書く。",
    ),
    (
        "ja",
        True,
        "技術文書スタイル.docx | 略語 | 略語は初出時に「略語（正式名称）」の順で書く。",
        "設計書記述要領.docx | 略号 | 初めて出る略語は正式名称を先に書き、その後ろに略語を括弧で添える。",
    ),
    (
        "ja",
        True,
        "対外文書の書き方.docx | 自社の呼び方 | 自社は「弊社」と書く。",
        "提案書作成要領.docx | 用語 | 自社を指す語は「当社」に統一し、「弊社」は用いない。",
    ),
    (
        "zh",
        True,
        "用户手册编写指南.docx | 人称 | 称呼用户时使用“您”。",
        "界面文案规范.docx | 称呼 | 文案中对用户统一称“你”。",
    ),
    (
        "zh",
        True,
        "文字规范.docx | 字形 | 文档统一使用简体字。",
        "港澳项目文档要求.docx | 语言 | 文档须使用繁体字编写。",
    ),
    (
        "zh",
        True,
        "文字规范.docx | 标点 | 引用文件名时用书名号。",
        "编写指南.docx | 引用 | 文件名称用双引号括起来。",
    ),
    (
        "zh",
        True,
        "编写指南.docx | 语态 | 操作说明使用主动语态。",
        "文字规范.docx | 句式 | 操作步骤一律用被动句描述。",
    ),
    (
        "en",
        True,
        "Style guide.docx | Numbers | Spell out numbers below ten.",
        "Editing rules.docx | Numerals | Write all numbers as numerals.",
    ),
    (
        "en",
        True,
        "Inclusive language.docx | Pronouns | Use the singular they for a person of unknown gender.",
        'Legal drafting.docx | Pronouns | Use "he or she" for a person of unknown gender.',
    ),
    (
        "en",
        True,
        "Author's kit.docx | List items | List items are full sentences.",
        "House layout.docx | List items | Write list items as fragments.",
    ),
    (
        "mixed",
        True,
        "文章作成ガイド.docx | 文の長さ | 一文は50文字以内とする。",
        "海外拠点文档规范.docx | 句子 | 每句不超过80字。",
    ),
    (
        "mixed",
        True,
        "表記ガイド.docx | 和欧混植 | 日本語と英単語の間には空白を入れない。",
        "Localisation_Style.docx | Spacing | Put a space between Japanese text and English words.",
    ),
    (
        "ja",
        False,
        "用字用語集.docx | 送り仮名 | 送り仮名は内閣告示「送り仮名の付け方」による。",
        "文書表記ルール.docx | 送りがな | 動詞の送り仮名は省略しない。",
    ),
    (
        "ja",
        False,
        "表記統一ルール.xlsx | 記号 | 数値の範囲は「～」を用いる。",
        "ファイル命名規則.docx | 区切り | ファイル名の区切りにはハイフンを用いる。",
    ),
    (
        "ja",
        False,
        "表記統一ルール.xlsx | 時刻 | 時刻は「9:30」のようにコロンで区切る。",
        "画面標準.docx | 所要時間 | 所要時間は「2時間30分」のように書く。",
    ),
    (
        "ja",
        False,
        "対外文書の書き方.docx | 自社の呼び方 | 社外文書では自社を「弊社」と書く。",
        "社内文書要領.docx | 呼称 | 社内文書では「当社」とする。",
    ),
    (
        "ja",
        False,
        "表記統一ルール.xlsx | 文字 | 設計書では半角カナを使わない。",
        "連携ファイル仕様.xlsx | 口座名義 | 口座名義は半角カナで出力する。",
    ),
    (
        "ja",
        False,
        "議事録作成要領.docx | 日付 | 会議の日付には曜日を併記する。",
        "文書表記ルール.docx | 日付 | 日付は西暦で書く。",
    ),
    (
        "ja",
        False,
        "文章作成ガイド.docx | 否定 | 二重否定は使わない。",
        "文章作成ガイド.docx | 肯定 | 否定文より肯定文で書く。",
    ),
    (
        "zh",
        False,
        "用户手册编写指南.docx | 人称 | 用户手册中称用户为“您”。",
        "设计文档规范.docx | 人称 | 设计文档中用第三人称。",
    ),
    (
        "zh",
        False,
        "文字规范.docx | 标点 | 书名用书名号。",
        "编写指南.docx | 引用 | 界面按钮名称用双引号。",
    ),
    (
        "zh",
        False,
        "需求编写指南.docx | 用词 | 不得使用模糊用语。",
        "需求编写指南.docx | 量化 | 性能指标应给出具体数值。",
    ),
    (
        "en",
        False,
        "Style guide.docx | Tone | Do not use contractions.",
        'Style guide.docx | Abbreviations | Abbreviations such as "e.g." are fine.',
    ),
    (
        "en",
        False,
        "Style guide.docx | Numbers | Spell out numbers below ten.",
        "Editing rules.docx | Numerals | Numbers from ten up are written as numerals.",
    ),
)


def _rule(key: str, side: str) -> RuleText:
    document, heading, text = side.split(" | ", 2)
    return RuleText(key=key, document=document, headings=(heading,), text=text)


@pytest.mark.parametrize(("language", "conflict", "a", "b"), PAIRS)
@pytest.mark.parametrize("swapped", [False, True])
def test_pair(language: str, conflict: bool, a: str, b: str, swapped: bool) -> None:
    first, second = (b, a) if swapped else (a, b)
    found = detect_conflicts([_rule("a", first), _rule("b", second)], load_lexicon())
    assert bool(found) is conflict, (language, [(group.attribute, group.confidence) for group in found])
