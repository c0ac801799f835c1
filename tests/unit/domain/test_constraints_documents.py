# ruff: noqa: E501 - a pair stands in one line
"""Pairs of rules about the layout of documents, workbooks, slides and drawings: which contradict each other.

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
        "図表作成要領.docx | 図 | 貼り付けた図には0.5ptの枠線を付ける。",
        "ドキュメント標準.docx | 5.2 図版 | 図の周囲は枠で囲まないこと。",
    ),
    (
        "ja",
        True,
        "Word作成ガイド.docx | 画像の挿入 | 画像の文字列の折り返しは「行内」にする。",
        "設計書体裁規則.docx | 図の貼付け | 図は前面に配置し、本文とは独立して動かせるようにしておく。",
    ),
    (
        "ja",
        True,
        "Word設計書テンプレート説明.docx | 表 | 表の幅は本文の幅いっぱいに合わせる。",
        "体裁チェックリスト.xlsx | 表 | 確認項目: 表の横幅 | 基準: 文字列の幅に自動調整されていること",
    ),
    (
        "ja",
        True,
        "表作成規則.docx | 改ページ | 表の行の途中で改ページしてはならない。",
        "Word設計書テンプレート説明.docx | 表のプロパティ | 行: 行の途中で改ページする | 設定: オン",
    ),
    (
        "ja",
        True,
        "文書書式標準.docx | 段落 | 段落後の間隔は6ptとする。",
        "ドキュメント作成ガイド.docx | 本文 | 段落の後ろは12pt空ける。",
    ),
    (
        "ja",
        True,
        "設計書記述要領.docx | 段落 | 段落の先頭は1字下げる。",
        "技術文書スタイル.docx | 本文 | 段落の書き出しは字下げをしない。",
    ),
    (
        "ja",
        True,
        "Word作成ガイド.docx | 見出し | 章番号はアウトライン機能で自動的に振る。",
        "設計書テンプレートの使い方.pptx | 見出しの番号 | 見出しの番号は手で入力してください。自動の番号機能は使いません。",
    ),
    (
        "ja",
        True,
        "設計書標準.docx | 目次 | 目次には第3階層までの見出しを載せる。",
        "ドキュメント作成要領.docx | 3. 目次 | 目次は2階層とする。",
    ),
    (
        "zh",
        True,
        "图表编制要求.docx | 插图 | 图片的环绕方式设为嵌入型。",
        "Word模板说明.docx | 图片 | 图片一律采用四周型环绕。",
    ),
    (
        "zh",
        True,
        "图表编制要求.docx | 表 | 表格不得跨页断行。",
        "文档模板参数.xlsx | 表格 | 项目: 允许跨页断行 | 取值: 是",
    ),
    (
        "zh",
        True,
        "文档排版规范.docx | 页码 | 页码从正文第一页开始编排。",
        "模板使用说明.docx | 页码 | 页码从封面起计算。",
    ),
    (
        "zh",
        True,
        "图表编制要求.docx | 表 | 表格采用三线表。",
        "技术报告格式.docx | 表格 | 表格须画全框线。",
    ),
    (
        "en",
        True,
        "Figure guide.docx | Captions | Separate the figure number and the title with a colon.",
        "Document template notes.docx | Captions | A full stop separates the figure number from the title.",
    ),
    (
        "en",
        True,
        "Style guide.docx | Tables | A table row must not break across pages.",
        "Word template notes.docx | Table properties | Allow rows to break across pages.",
    ),
    (
        "en",
        True,
        "Writing handbook.docx | Notes | Use footnotes at the bottom of the page.",
        "Style guide.docx | Notes | Notes are collected as endnotes at the end of the chapter.",
    ),
    (
        "mixed",
        True,
        "図表作成要領.docx | 図 | 図は枠線で囲む。",
        "Figure_Guide.docx | Frames | Figures carry no frame.",
    ),
    (
        "mixed",
        True,
        "設計書標準.docx | 目次 | 目次には第2階層まで載せる。",
        "Global_Doc_Template.docx | TOC | The table of contents shows four heading levels.",
    ),
    (
        "ja",
        False,
        "図表作成要領.docx | 図 | 図には枠線を付ける。",
        "ドキュメント標準.docx | 表 | 表の外側に枠は付けない。",
    ),
    (
        "ja",
        False,
        "文書書式標準.docx | 段落 | 段落前の間隔は6ptとする。",
        "文書書式標準.docx | 見出し | 見出しの前は12pt空ける。",
    ),
    (
        "ja",
        False,
        "設計書記述要領.docx | 段落 | 本文の段落の先頭は1字下げる。",
        "表作成規則.docx | セル | 表のセル内の文は字下げしない。",
    ),
    (
        "ja",
        False,
        "ドキュメント標準.docx | フッター | ページ番号は「現在頁／総頁」の形で示す。",
        "設計書テンプレート説明.docx | フッター | フッターには総ページ数も入れる（例: 3/25）。",
    ),
    (
        "ja",
        False,
        "設計書標準.docx | 目次 | 目次には第3階層までの見出しを載せる。",
        "設計書標準.docx | 見出し | 見出しは5階層まで使用できる。",
    ),
    (
        "ja",
        False,
        "技術文書スタイル.docx | 注 | 注は脚注として入れる。",
        "技術文書スタイル.docx | 参考文献 | 参考文献は巻末にまとめる。",
    ),
    (
        "ja",
        False,
        "プレゼン資料作成基準.docx | 効果 | スライドのアニメーションは使用しない。",
        "画面設計ガイド.docx | 遷移 | 画面遷移にはアニメーションを付ける。",
    ),
    (
        "zh",
        False,
        "图表编制要求.docx | 表 | 表格采用三线表。",
        "图表编制要求.docx | 图 | 流程图加外框。",
    ),
    (
        "zh",
        False,
        "文档编排标准.docx | 章 | 每章另起一页。",
        "文档编排标准.docx | 节 | 节与节之间接排。",
    ),
    (
        "zh",
        False,
        "图片处理要求.docx | 边框 | 界面截图应加边框。",
        "图片处理要求.docx | 标志 | 公司标志不加边框。",
    ),
    (
        "en",
        False,
        "Style guide.docx | Body text | Body text is justified.",
        "Style guide.docx | Tables | Text in table cells is aligned left.",
    ),
    (
        "en",
        False,
        "Writing handbook.docx | Notes | Use footnotes for explanations.",
        "Writing handbook.docx | References | List references at the end of the document.",
    ),
    (
        "mixed",
        False,
        "文書書式標準.docx | 本文 | 本文は両端揃えとする。",
        "Layout_Guide.docx | Body text | Body text is fully justified.",
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
