"""Features turned off, waived or banned without a plain "no", and negations that ban less than they seem to.

Each pair stands alone. A side is written `document | heading | text`; ` / ` begins a new line.
"""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.constraints.headed import existence_of_row
from kisoku.domain.constraints.modality import what_is_impossible
from kisoku.domain.constraints.switches import is_only_treated, off_words
from kisoku.domain.constraints.text import Language

LEXICON = load_lexicon()


def _side(key: str, side: str) -> RuleText:
    document, heading, text = (part.strip() for part in side.split(" | ", 2))
    return RuleText(key=key, document=document, headings=(heading,), text=text.replace(" / ", "\n"))


PAIRS = {
    "turned off": (
        True,
        "帳票作成要領.docx | マクロ | マクロはオフにする。",
        "集計表の作り方.docx | 自動化 | 帳票のマクロを必ず使用する。",
    ),
    "not turned off": (
        False,
        "帳票作成要領.docx | マクロ | マクロは無効にしない。",
        "集計表の作り方.docx | 自動化 | 帳票のマクロを使用する。",
    ),
    "switched off": (
        True,
        "Batch_Screens.docx | Deletion | The confirmation dialog is switched off for deletions.",
        "UI_Standard.docx | Deletion | A deletion must show a confirmation dialog.",
    ),
    "停用": (True, "报表规范.docx | 宏 | 停用宏功能。", "统计表指南.docx | 自动化 | 报表须使用宏。"),
    "停用 on both sides": (False, "报表规范.docx | 宏 | 停用宏功能。", "统计表指南.docx | 自动化 | 报表不得使用宏。"),
    "not required beside must": (
        True,
        "Draft_Rules.docx | History | The change history is not required.",
        "Doc_Control.docx | History | Every document must have a change history.",
    ),
    "not required beside a permission": (
        False,
        "作成要領.docx | 履歴 | 変更履歴は不要とする。",
        "記入の手引.docx | 履歴 | 設計書には変更履歴を付けてもよい。",
    ),
    "不需要 beside 必须": (
        True,
        "接口说明.docx | 查询 | 查询接口不需要幂等键。",
        "接口规范.docx | 幂等 | 查询接口必须带幂等键。",
    ),
    "a part is waived, not the whole": (
        False,
        "体裁.docx | 透かし | 透かしの濃度は任意とする。",
        "文書管理.docx | 保護 | 設計書には透かしを入れる。",
    ),
    "a cell says that the row's thing is not there": (
        True,
        "様式一覧.xlsx | 項目 | 項目: 透かし | 有無: なし",
        "文書管理.docx | 保護 | 設計書には透かしを入れる。",
    ),
    "a cell says that it is there": (
        False,
        "様式一覧.xlsx | 項目 | 項目: 透かし | 有無: あり",
        "文書管理.docx | 保護 | 設計書には透かしを入れる。",
    ),
    "a banned verb bans no object": (
        False,
        "実装規約.docx | 例外 | 例外を握りつぶさない。",
        "ログ設計.docx | 記録 | 例外は必ずログに記録する。",
    ),
    "the same verb is at odds": (
        True,
        "DB規約.docx | 主キー | 主キーを更新しない。",
        "訂正手順.docx | 誤登録 | 誤登録の場合は主キーを更新して訂正する。",
    ),
    "a thing not to be changed is there": (
        False,
        "実装規約.docx | 変数 | グローバル変数を直接書き換えない。",
        "命名規約.docx | 変数 | グローバル変数は接頭辞gを付ける。",
    ),
    "what only says when demands nothing": (
        False,
        "日志规范.docx | 异常 | 捕获异常后必须记录日志。",
        "编码规范.docx | 异常 | 不得捕获异常基类。",
    ),
    "a way of storing is banned": (
        False,
        "Security.docx | Passwords | Do not store passwords in plain text.",
        "Login.docx | Passwords | Passwords are stored as hashes.",
    ),
    "banned from a place": (
        False,
        "ログ設計.docx | 秘匿 | ログに個人情報を残さない。",
        "保護方針.docx | 保存 | 個人情報は暗号化して保存する。",
    ),
    "a place in which it is not queried": (
        False,
        "编码规范.docx | 循环 | 不得在循环中查询数据库。",
        "方式设计.docx | 连接 | 查询数据库须使用连接池。",
    ),
    "how it is done": (
        False,
        "印刷設定.docx | 用紙 | 帳票はA4で余白なしに印刷する。",
        "帳票標準.docx | 用紙 | 帳票はA4で印刷する。",
    ),
    "the value itself is not to be used": (
        True,
        "帳票標準.docx | 納品 | 帳票はPDFで出力しない。",
        "納品規程.docx | 納品 | 帳票はPDFで出力する。",
    ),
    "the negation is the value": (
        False,
        "权限设计.docx | 按钮 | 无权限的按钮不显示。",
        "界面规范.docx | 按钮 | 没有权限的按钮一律隐藏。",
    ),
    "a bare ban of a value": (
        True,
        "JS規約.docx | 字下げ | ・1行は100文字以内 / ・タブ文字は使わない",
        "エディタ設定.docx | 設定 | インデントはタブで入れる。",
    ),
    "another value": (
        False,
        "JS規約.docx | 字下げ | ・1行は100文字以内 / ・タブ文字は使わない",
        "エディタ設定.docx | 設定 | インデントは空白で入れる。",
    ),
    "nobody can": (
        True,
        "利用案内.docx | ログイン | 本番環境へのログインはできません。",
        "調査手順.docx | 障害 | 開発者は本番環境へログインして調査する。",
    ),
    "no right to approve alone": (
        True,
        "变更流程.docx | 审批 | 需求变更由委员会审批，项目经理无权单独批准。",
        "项目手册.docx | 变更 | 需求变更经项目经理批准后即可实施。",
    ),
    "written means demanded": (
        True,
        "文章規則.docx | 主語 | 主語は必ず書く。",
        "手順書の書き方.docx | 主語 | 手順書では主語を書かない。",
    ),
    "left to everybody": (
        True,
        "项目规程.docx | 汇报 | 项目组成员每周五下班前须提交周报。",
        "团队约定.docx | 沟通 | 有每日站会，项目组成员的周报写不写由个人决定。",
    ),
}


@pytest.mark.parametrize(("conflict", "a", "b"), PAIRS.values(), ids=PAIRS)
def test_pair(conflict: bool, a: str, b: str) -> None:
    for sides in ((a, b), (b, a)):
        found = detect_conflicts([_side(key, side) for key, side in zip("ab", sides, strict=True)], LEXICON)
        assert bool(found) is conflict, [group.attribute for group in found]


@pytest.mark.parametrize(
    ("text", "language", "count"),
    [
        ("autocomplete is turned off", "en", 1),
        ("disabled buttons carry a tooltip", "en", 0),
        ("オートコンプリートは無効とする", "ja", 1),
        ("無効な値は受け付けない", "ja", 0),
        ("编辑页面关闭自动保存", "zh", 1),
        ("缺陷关闭后复测", "zh", 1),
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
