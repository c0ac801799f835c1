"""Everyday choices about documents in many wordings: values of a topic exclude each other, equal ones agree."""

from itertools import combinations

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts

# Topic, value, heading, wording.
_WORDINGS = (
    ("orientation", "portrait", "2.1 版面", "設計書のページは縦長で作成し、横長のページは設けない。"),
    ("orientation", "portrait", "打印", "打印方向一律为竖向。"),
    ("orientation", "landscape", "版面", "設計書は横長のページで作成すること。"),
    ("orientation", "landscape", "Printing", "Turn the sheet sideways for all documents."),
    ("quotes", "corner", "引用符", "引用には“ ”を使わず、かぎかっこを用いる。"),
    ("quotes", "corner", "Quotation marks", "Quoted text is enclosed in corner brackets 「」."),
    ("quotes", "double", "引用の示し方", "引用箇所はダブルクォートで示す。"),
    ("quotes", "double", "标点", "引号: “ ”"),
    ("length-unit", "mm", "寸法", "寸法はmmで表す。"),
    ("length-unit", "mm", "Units", "All dimensions are in millimetres."),
    ("length-unit", "inch", "寸法", "ミリメートルは使わず、インチで書く。"),
    ("length-unit", "inch", "计量单位", "尺寸单位采用英寸。"),
    ("deleted-text", "struck", "見え消し", "削除部分は見え消しとする。"),
    ("deleted-text", "struck", "Changes", "Strike out deleted text; do not remove it."),
    ("deleted-text", "removed", "変更の示し方", "不要になった記述は文書から取り除き、取消線は用いない。"),
    ("deleted-text", "removed", "修订标识", "删除内容: 直接删除"),
    ("change-colour", "red", "改訂箇所", "直した文字の色は赤とする。"),
    ("change-colour", "red", "修订", "变更处标红。"),
    ("change-colour", "blue", "改版", "改訂した文字は青色とする。"),
    ("change-colour", "blue", "Revision marks", "Amended text is printed in blue."),
    ("appendix-numbering", "letters", "付録", "付録には A、B、C の符号を付ける。"),
    ("appendix-numbering", "letters", "Annex", "Annexes are identified by letters."),
    ("appendix-numbering", "digits", "付録", "付録には 1、2、3 の番号を付ける。"),
    ("appendix-numbering", "digits", "附录", "附录编号: 附录1、附录2"),
    ("cover-logo", "with", "表紙", "表紙には会社のロゴを入れる。"),
    ("cover-logo", "with", "Cover", "The company logo appears on the cover."),
    ("cover-logo", "without", "表紙", "表紙にロゴは入れない。"),
    ("cover-logo", "without", "Cover", "No logo is placed on the cover."),
    ("filename-date", "with", "文書ファイル名", "ファイル名の先頭に年月日を付ける。"),
    ("filename-date", "with", "文件命名", "文件名以日期开头。"),
    ("filename-date", "without", "文書ファイル名", "ファイル名には年月日を使わない。"),
    ("filename-date", "without", "File naming", "The file name contains no date."),
    ("reference-style", "numeric", "引用文献", "引用文献は番号順に引く。"),
    ("reference-style", "numeric", "Citations", "Citation style: numeric"),
    ("reference-style", "author-year", "引用文献", "引用文献は著者名と出版年で引く。"),
    ("reference-style", "author-year", "引用", "引用处标注作者和年份。"),
    ("heading-numbering", "numbered", "見出し", "見出し番号: あり"),
    ("heading-numbering", "numbered", "标题", "标题须加编号。"),
    ("heading-numbering", "unnumbered", "見出し", "見出しに番号は付けない。"),
    ("heading-numbering", "unnumbered", "标题", "各级标题不编号。"),
    ("page-number-position", "bottom-center", "4. 版面", "ページ番号は下中央とし、右下には入れない。"),
    ("page-number-position", "bottom-center", "Page numbers", "Page numbers are centred at the bottom of the page."),
    ("page-number-position", "bottom-right", "体裁", "項目: ページ番号 | 位置: 右下"),
    ("page-number-position", "bottom-right", "页码格式", "页码在页脚右端显示。"),
    ("original", "paper", "原本", "原本の形態: 紙"),
    ("original", "paper", "Master", "The master is kept on paper."),
    ("original", "electronic", "正本の扱い", "正本は電子ファイルとする。"),
    ("original", "electronic", "正本", "正本为电子文件。"),
    ("bullet-mark", "dot", "書式", "行頭文字: ・"),
    ("bullet-mark", "dot", "Lists", "Items start with a dot."),
    ("bullet-mark", "square", "書式", "行頭文字: ■"),
    ("bullet-mark", "square", "列项", "列项符号: ■"),
    ("source-beside", "both", "翻訳", "原文と訳文を左右に並べて載せる。"),
    ("source-beside", "both", "Translations", "The source text is shown beside the translation."),
    ("source-beside", "only-translation", "翻訳文書", "訳文に原文は併記しない。"),
    ("source-beside", "only-translation", "Translations", "The source text is not shown beside the translation."),
    ("paper", "a4", "版面", "文書はA4サイズで作成し、A3は用いない。"),
    ("paper", "a4", "Printing", "Sheets other than A4 are not accepted."),
    ("paper", "a3", "納品物", "印刷物の判型はA3とする。"),
    ("paper", "a3", "装订", "文件以A3纸打印装订。"),
    ("version-form", "integer", "版数", "版数は「第1版」「第2版」のように整数で表す。"),
    ("version-form", "integer", "Edition", "Editions are counted 1, 2, 3 without decimals."),
    ("version-form", "two-part", "版番号", "版番号はメジャー番号とマイナー番号の2つからなる（例: 2.1）。"),
    ("version-form", "two-part", "Edition", "The version is written as major.minor."),
)
_WITHIN = [(a, b) for a, b in combinations(_WORDINGS, 2) if a[0] == b[0]]


def _rule(key: str, document: str, wording: tuple[str, str, str, str]) -> RuleText:
    return RuleText(key=key, document=document, headings=(wording[2],), text=wording[3])


def _clash(a: tuple[str, str, str, str], b: tuple[str, str, str, str]) -> bool:
    rules = (_rule("a", "設計書記入規則.docx", a), _rule("b", "Style_Guide.docx", b))
    return bool(detect_conflicts(rules, load_lexicon()))


@pytest.mark.parametrize(("a", "b"), _WITHIN)
def test_other_values_exclude_each_other_and_equal_ones_agree(
    a: tuple[str, str, str, str], b: tuple[str, str, str, str]
) -> None:
    assert _clash(a, b) is (a[1] != b[1])


def test_choices_about_different_things_do_not_meet() -> None:
    found = [(a[3], b[3]) for a, b in combinations(_WORDINGS, 2) if a[0] != b[0] and _clash(a, b)]
    assert found == []
