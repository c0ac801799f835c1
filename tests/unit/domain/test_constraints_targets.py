"""Whether two rules are about one thing: kinds, topics without a predicate word, cases, exceptions by approval.

Each pair stands alone. A side is written `document | heading | text`; ` / ` begins a new line.
"""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.constraints.facets import apart, find_facets
from kisoku.domain.constraints.targets import are_contrasted, topic_text

LEXICON = load_lexicon()


def _side(key: str, side: str) -> RuleText:
    document, heading, text = (part.strip() for part in side.split(" | ", 2))
    return RuleText(key=key, document=document, headings=(heading,), text=text.replace(" / ", "\n"))


PAIRS = {
    "the same reports": (
        True,
        "帳票規約.docx | 金額 | 経営報告の金額は千円単位で表示する。",
        "出力標準.docx | 金額 | 経営報告の金額は円単位で表示する。",
    ),
    "different reports": (
        False,
        "帳票規約.docx | 金額 | 経営報告の金額は千円単位で表示する。",
        "出力標準.docx | 金額 | 売上明細の金額は円単位で表示する。",
    ),
    "a cover by two names of a document": (
        True,
        "様式集.docx | 表紙 | 設計書の表紙にはロゴを左上に付ける。",
        "体裁基準.docx | 表紙 | 仕様書の表紙にはロゴを付けない。",
    ),
    "systems of which both titles speak": (
        False,
        "受発注システム運用方針.docx | ログ | ログは30日間保管する。",
        "給与システム手引.docx | ログ | ログは90日間保管する。",
    ),
    "a system beside a standard for all": (
        True,
        "受発注システム手引.docx | ログ | ログは30日間保管する。",
        "運用基準.docx | ログ | ログは90日間保管する。",
    ),
    "headings and buttons": (
        False,
        "Text_Rules.docx | Titles | Section headings take sentence case.",
        "Screen_Rules.docx | Actions | Button labels take title case.",
    ),
    "headings twice": (
        True,
        "Text_Rules.docx | Titles | Section headings take sentence case.",
        "Authors_Handbook.docx | Titles | Section headings take title case.",
    ),
    "columns with a content of their own": (
        False,
        "Data_Security.docx | Customers | Columns that hold personal data are encrypted.",
        "Table_Standard.docx | Stock | Price columns are stored unencrypted.",
    ),
    "columns of all kinds": (
        True,
        "Data_Security.docx | Storage | Price columns are encrypted.",
        "Table_Standard.docx | Storage | Price columns are stored unencrypted.",
    ),
    "an exception by approval, and the approval": (
        False,
        "持出し規程.docx | 媒体 | 部長の許可を得た場合を除き、USBメモリを使用してはならない。",
        "移設計画.docx | 搬送 | データは、部長の許可(申請12号)に基づき、USBメモリで運ぶ。",
    ),
    "an exception by approval, and nobody's approval": (
        True,
        "持出し規程.docx | 媒体 | 部長の許可を得た場合を除き、USBメモリを使用してはならない。",
        "移設計画.docx | 搬送 | データはUSBメモリで運ぶ。",
    ),
    "a licence with consent": (
        False,
        "组件准则.docx | 许可 | 不得使用GPL许可的开源组件，经法务同意的除外。",
        "绘图模块说明.docx | 组件 | 绘图组件采用GPL许可，已于5月取得法务同意。",
    ),
    "a licence without consent": (
        True,
        "组件准则.docx | 许可 | 不得使用GPL许可的开源组件，经法务同意的除外。",
        "绘图模块说明.docx | 组件 | 绘图组件采用GPL许可。",
    ),
    "a warehouse and a transactional database": (
        False,
        "数据仓库手册.docx | 约束 | 数仓各层表不建外键。",
        "交易库规范.docx | 约束 | 交易库的主从表之间必须建外键。",
    ),
    "one database": (
        True,
        "建模手册.docx | 约束 | 交易库的主从表之间不建外键。",
        "交易库规范.docx | 约束 | 交易库的主从表之间必须建外键。",
    ),
    "numbers no longer in use": (
        False,
        "编号准则.docx | 废止 | 作废的编号不再使用。",
        "需求模板.docx | 需求 | 需求用编号标识。",
    ),
    "levels that are the values": (
        True,
        "模板说明.docx | 目录 | 目录显示到三级标题。",
        "编写要求.docx | 目录 | 目录只列至二级标题。",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_pair(name: str) -> None:
    conflict, a, b = PAIRS[name]
    for one, two in ((a, b), (b, a)):
        assert bool(detect_conflicts([_side("a", one), _side("b", two)], LEXICON)) is conflict


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("制度自发布之日起生效", "制度"),
        ("目录显示到三级标题", "目录"),
        ("周末不发布", "周末不发布"),
        ("自动任务应记录日志", "自动任务"),
        ("图片须标注来源", "图片"),
    ],
)
def test_topic_of_a_chinese_clause(text: str, topic: str) -> None:
    assert topic_text(text, "zh") == topic


@pytest.mark.parametrize(
    ("one", "two", "contrasted"),
    [
        ("完了の通知", "エラー通知", True),
        ("完了の通知", "完了通知", False),
        ("作業用テーブル", "取引テーブルの行", True),
        ("各テーブル", "取引テーブル", False),
        ("1桁の月日", "年月日", False),
        ("項目内の改行", "値の中の改行", False),
    ],
)
def test_kinds_behind_a_particle(one: str, two: str, contrasted: bool) -> None:
    assert are_contrasted(one, two, one, two, "ja") is contrasted
    assert are_contrasted(two, one, two, one, "ja") is contrasted


def test_what_words_mean_tells_whether_they_are_kinds() -> None:
    def alike(one: str, two: str) -> bool:
        return {one, two} == {"設計書", "仕様書"}

    assert are_contrasted("設計書の表紙", "見積書の表紙", "設計書の表紙", "見積書の表紙", "ja", alike=alike)
    assert not are_contrasted("設計書の表紙", "仕様書の表紙", "設計書の表紙", "仕様書の表紙", "ja", alike, alike)


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("社内の非公開リポジトリ", "公開リポジトリ", True),
        ("一套环境", "测试环境", False),
        ("専用環境", "本番環境", False),
        ("受発注システム", "給与システム", True),
        ("情報システム", "給与システム", False),
        ("系统测试", "核心系统", False),
        ("前后端", "采集端", False),
    ],
)
def test_cases(one: str, two: str, expected: bool) -> None:
    language = "zh" if any(mark in one + two for mark in "环统端") and "システム" not in one + two else "ja"
    facets = [find_facets(text, language, LEXICON) for text in (one, two)]
    assert apart(facets[0], facets[1], frozenset()) is expected
