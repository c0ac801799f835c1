"""Forms of identifiers, scales, status codes and page numbers; bounds told by what exceeds them."""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints.detect import detect_conflicts

# Document, heading and text of two rules, and whether they contradict each other.
_PAIRS = [
    ("Names.docx|Ids|Each requirement is numbered FR- followed by three digits.", "Trace.xlsx|Columns|Each requirement is numbered by section number, a dot, running number.", True),  # noqa: E501  # a case stays in one line
    ("命名.docx|編号|文书。文档编号由项目代号、类别码和三位流水号组成。", "配置.docx|标识|文档编号依次为年份4位、部门2位、序号4位。", True),  # noqa: E501  # a case stays in one line
    ("命名.docx|番号|文書番号は、部門、年度、連番の順とする。", "台帳.docx|番号|文書番号は、年度、部門、連番を組み合わせる。", False),  # noqa: E501  # a case stays in one line
    ("Git.docx|ブランチ|作業ブランチの名前は「topic/課題番号」とする。", "構成.docx|ブランチ|作業ブランチ名は日付8桁＋アンダースコア＋担当者とする。", True),  # noqa: E501  # a case stays in one line
    ("提交.docx|提交|提交说明以任务号开头。", "手册.docx|提交|提交说明第一个词为类型，后接冒号。", True),
    ("版.docx|版数|版数は「第1版」「第2版」のように整数で表す。", "履歴.docx|版の付け方|初版は1.0とする。", True),
    ("Paths.docx|Paths|Path segments are lower case, such as /stock-items.", "Urls.docx|Paths|Name path segments like this: /stockItems.", True),  # noqa: E501  # a case stays in one line
    ("Paths.docx|Paths|Path segments are lower case, such as /stock-items.", "Urls.docx|Paths|Name path segments like this: /delivery-notes.", False),  # noqa: E501  # a case stays in one line
    ("会員.docx|項目|電話番号は、区切りを入れず数字だけを続けて出す。", "UI.docx|表示|電話番号はハイフンで区切る。", True),  # noqa: E501  # a case stays in one line
    ("缺陷.docx|等级|缺陷等级分为致命、严重、一般三级。", "测试.docx|等级|缺陷按高、较高、中、较低、低五级划分。", True),  # noqa: E501  # a case stays in one line
    ("障害.docx|重要度|障害の重要度は3段階とする。", "課題.docx|優先度|課題の優先度は4段階とする。", False),
    ("REST.docx|Status codes|A POST that creates a record returns 201.", "Api.xlsx|Status codes|Operation: create | Success: 200 only", True),  # noqa: E501  # a case stays in one line
    ("REST.docx|Status codes|A POST that creates a record returns 201.", "Api.docx|Status codes|A record that is not found is answered with 404.", False),  # noqa: E501  # a case stays in one line
    ("体裁.docx|ページ|ページ番号はフッタの中央に入れる。", "様式.docx|ページ|ページ番号は右肩に置く。", True),
    ("監視.docx|ディスク|ディスクの空き容量が20%を下回ったら通知する。", "運用.docx|ディスク|ディスク使用率が80%を超えたら通知する。", False),  # noqa: E501  # a case stays in one line
    ("规范.docx|宽度|单行不超过100个字符。", "检查.xlsx|格式|检查项: 行宽 | 判定: 多于80个字符即退回", True),
    ("方針.docx|参照|親子関係のある表の間には外部キー制約を必ず定義する。", "性能.docx|DB|登録性能を確保するため外部キー制約は張らない。", True),  # noqa: E501  # a case stays in one line
    ("Style.docx|Terms|No acronym is used before its long form has been given.", "Guide.docx|Terms|Spell out an abbreviation the first time it appears.", False),  # noqa: E501  # a case stays in one line
]  # fmt: skip


def _text(key: str, rule: str) -> RuleText:
    document, heading, text = rule.split("|", 2)
    return RuleText(key=key, document=document, headings=(heading,), text=text)


@pytest.mark.parametrize(("a", "b", "conflict"), _PAIRS)
def test_forms_and_scales(a: str, b: str, conflict: bool) -> None:
    groups = detect_conflicts((_text("a", a), _text("b", b)), load_lexicon())
    assert bool(groups) is conflict, [group.explanation for group in groups]


@pytest.mark.parametrize(("a", "b", "conflict"), _PAIRS)
def test_sides_do_not_matter(a: str, b: str, conflict: bool) -> None:
    assert bool(detect_conflicts((_text("b", b), _text("a", a)), load_lexicon())) is conflict
