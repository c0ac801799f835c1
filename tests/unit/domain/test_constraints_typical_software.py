"""Everyday choices of software standards: wordings of one topic conflict just when their values differ."""

from itertools import combinations

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts

# Topic, value, wording. Any two wordings of a topic are compared, also of two languages.
_WORDINGS = [
    ("message place", "field", "エラーメッセージは該当項目の直下に表示する。"),
    ("message place", "field", "错误信息显示在对应输入框下方。"),
    ("message place", "top", "Error messages are collected in a banner at the top of the page."),
    ("message place", "top", "エラーメッセージは画面上部にまとめて表示する。"),
    ("button order", "ok first", "OKボタンを左、キャンセルボタンを右に配置すること。"),
    ("button order", "ok first", "按钮顺序: 确定、取消 | 默认: 确定"),
    ("button order", "cancel first", "The confirm button is placed right, Cancel left."),
    ("button order", "cancel first", "ダイアログのボタンは左から「キャンセル」「OK」の順に並べる。"),
    ("no hits", "message", "検索して1件もヒットしないときは、データがない旨のメッセージを出す。"),
    ("no hits", "message", "Zero hits: show a message | Too many: first 200"),
    ("no hits", "bare list", "検索結果が0件のときは、ヘッダだけを表示する。"),
    ("no hits", "bare list", "查询结果为空时只显示表头。"),
    ("path words", "hyphens", "パスの単語はハイフンで区切る。"),
    ("path words", "hyphens", "URL路径中的单词用连字符连接。"),
    ("path words", "underscores", "Words in paths are separated by underscores."),
    ("path words", "underscores", "URLのパスはスネークケースとする。"),
    ("transactions", "service", "トランザクション境界はサービス層に置く。"),
    ("transactions", "service", "事务边界设在服务层。"),
    ("transactions", "controller", "Transactions are opened and committed by controllers."),
    ("transactions", "controller", "トランザクションの開始と終了はControllerで行う。"),
    ("transactions", "dao", "事务控制: DAO层 | 异常: 统一处理"),
    ("version of an API", "path", "版本号写在路径开头，如 /v1/orders。"),
    ("version of an API", "path", "バージョンはパスの先頭（/v1）で示す。"),
    ("version of an API", "header", "Paths carry no version; clients send it in the Accept header."),
    ("version of an API", "header", "APIのバージョンはリクエストヘッダで指定する。"),
    ("nulls", "no", "列はNULLを許可しない。値がないときは既定値を入れる。"),
    ("nulls", "no", "允许NULL: 否 | 默认值: 必须"),
    ("nulls", "yes", "Columns accept null values."),
    ("nulls", "yes", "カラムはNULL可とする。"),
    ("double submission", "button", "送信後はボタンを押せなくして二度押しを防止する。"),
    ("double submission", "button", "以按钮置灰的方式防止重复提交。"),
    ("double submission", "token", "Double submission is prevented by a one-time token."),
    ("double submission", "token", "二重送信はワンタイムトークンで防ぐ。"),
    ("imports", "one by one", "import须逐个写明类名。"),
    ("imports", "one by one", "import文はクラス単位で書く。"),
    ("imports", "wildcard", "Imports are written per package with *."),
    ("imports", "wildcard", "importは「*」を使ってパッケージ単位でまとめる。"),
    ("compression", "zip", "送信するファイルはZIPで圧縮する。"),
    ("compression", "zip", "传输文件须压缩为ZIP格式。"),
    ("compression", "none", "Transferred files are not compressed."),
    ("compression", "none", "ファイルは無圧縮のまま連携する。"),
]
_PAIRS = [(a, b) for a, b in combinations(_WORDINGS, 2) if a[0] == b[0]]


def _rules(*texts: str) -> tuple[RuleText, ...]:
    names = ("システム設計標準.docx", "Implementation handbook.xlsx")
    return tuple(RuleText(key=name, document=name, text=text) for name, text in zip(names, texts, strict=True))


@pytest.mark.parametrize(("a", "b"), [(a[2], b[2]) for a, b in _PAIRS if a[1] != b[1]])
def test_other_values_conflict_in_whatever_words(a: str, b: str) -> None:
    assert detect_conflicts(_rules(a, b), load_lexicon())


@pytest.mark.parametrize(("a", "b"), [(a[2], b[2]) for a, b in _PAIRS if a[1] == b[1]])
def test_the_same_value_in_other_words_is_no_conflict(a: str, b: str) -> None:
    assert not detect_conflicts(_rules(a, b), load_lexicon())


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("消費税額は1円未満を切り捨てる。", "値引き後の単価は小数第3位を四捨五入する。"),
        ("プルダウンの選択肢はコードの昇順に並べる。", "検索結果の一覧は新しいものから順に並べる。"),
        ("定数はすべて大文字とし、単語はアンダースコアで区切る。", "定数名は UPPER_SNAKE_CASE で書く。"),
        ("入力エラーはWARNで出力する。", "入力エラーの内容は項目の下に表示する。"),
        ("ファイルは圧縮して保管する。", "ログの文字列は「*」で伏せ、圧縮しない。"),
    ],
)
def test_words_shared_by_other_topics_make_no_conflict(a: str, b: str) -> None:
    assert not detect_conflicts(_rules(a, b), load_lexicon())
