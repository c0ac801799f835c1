"""Pairs of rules about printed forms and exported files: which contradict each other.

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
        "帳票レイアウト規約.docx | 小計 | 小計は得意先ごとに出す。",
        "帳票設計標準.docx | 集計 | 小計はページごとに印字する。",
    ),
    (
        "ja",
        True,
        "帳票レイアウト規約.docx | 総合計 | 総合計は最終ページの末尾に印字する。",
        "帳票設計標準.docx | 合計 | 総合計は先頭ページの明細の前に置く。",
    ),
    (
        "ja",
        True,
        "帳票レイアウト規約.docx | ページ番号 | ページ番号は得意先ごとに1から振り直す。",
        "帳票設計標準.docx | 頁番号 | ページ番号は帳票全体の通し番号とする。",
    ),
    (
        "ja",
        True,
        "帳票レイアウト規約.docx | 桁あふれ | 印字領域に収まらない文字列は切り捨てる。",
        "帳票設計標準.docx | 文字項目 | 長い文字列は文字を縮小して枠内に収める。",
    ),
    (
        "ja",
        True,
        "物流ラベル仕様.docx | バーコード | 商品ラベルのバーコードはCODE39とする。",
        "バーコード標準.xlsx | 種別 | 対象: 商品ラベル | 種類: CODE128",
    ),
    (
        "ja",
        True,
        "請求書様式.docx | 社印 | 請求書の社印は画像で印字する。",
        "押印規程.docx | 第5条 | 請求書には印刷後に社印を手で押す。",
    ),
    (
        "ja",
        True,
        "帳票レイアウト規約.docx | 宛名 | 法人宛ての宛名には「御中」を付ける。",
        "請求書様式.docx | 宛先 | 会社名の後ろには「様」を印字する。",
    ),
    (
        "ja",
        True,
        "帳票運用.docx | 用紙 | 納品書は専用のプレ印刷用紙に印字する。",
        "帳票設計標準.docx | 用紙 | 納品書は白紙のコピー用紙に罫線ごと印刷する。",
    ),
    (
        "ja",
        True,
        "請求書様式.docx | 消費税 | 消費税の端数処理は請求書単位で1回行う。",
        "税計算仕様.xlsx | 端数 | 項目: 消費税 | 端数処理: 明細行ごと",
    ),
    (
        "ja",
        True,
        "CSV出力仕様.docx | 0件 | 対象が0件のときは見出し行だけのファイルを出力する。",
        "ファイル出力標準.xlsx | 0件時 | 項目: 対象なし | 動作: ファイルを作成しない",
    ),
    (
        "ja",
        True,
        "CSV出力仕様.docx | 改行 | 項目内の改行は半角スペースに置き換える。",
        "ファイル出力標準.xlsx | 改行 | 項目: 値の中の改行 | 処理: そのまま出力し、全体を二重引用符で囲む",
    ),
    (
        "zh",
        True,
        "报表设计规范.docx | 金额 | 金额为零时打印“0.00”。",
        "打印格式标准.xlsx | 数字 | 项目: 金额为0 | 显示: 留空",
    ),
    (
        "zh",
        True,
        "报表设计规范.docx | 表头 | 表头在每页重复打印。",
        "打印格式标准.xlsx | 分页 | 项目: 表头 | 打印: 仅首页",
    ),
    (
        "zh",
        True,
        "报表设计规范.docx | 合计 | 合计行放在表格首行。",
        "打印格式标准.xlsx | 合计 | 项目: 合计行 | 位置: 表格末行",
    ),
    (
        "en",
        True,
        "Report_Standard.docx | Column headings | Repeat column headings on every page.",
        "Layout_Guide.xlsx | Headings | Element: Column headings | Printed: first page only",
    ),
    (
        "ja",
        False,
        "帳票設計標準.docx | 金額欄 | 金額が0のときは何も印字しない。",
        "帳票レイアウト規約.docx | 数量 | 数量が0の場合は「0」を印字する。",
    ),
    (
        "ja",
        False,
        "帳票レイアウト規約.docx | 小計 | 小計は得意先ごとに出す。",
        "帳票設計標準.docx | 集計 | 総合計は帳票の最後に1回だけ印字する。",
    ),
    (
        "ja",
        False,
        "帳票レイアウト規約.docx | 桁あふれ | 印字領域に収まらない文字列は切り捨てる。",
        "帳票設計標準.docx | 金額 | 金額が桁あふれしたときは「*」で埋める。",
    ),
    (
        "ja",
        False,
        "帳票設計標準.docx | 出力日時 | 出力日時は右上に印字する。",
        "帳票レイアウト規約.docx | ページ番号 | ページ番号は下中央に置く。",
    ),
    (
        "ja",
        False,
        "CSV出力仕様.docx | 文字コード | CSVはBOM付きのUTF-8で出力する。",
        "固定長連携仕様.docx | 文字コード | 固定長の連携ファイルはShift_JISとする。",
    ),
    (
        "ja",
        False,
        "帳票運用.docx | 印刷 | 月次帳票は両面で印刷する。",
        "帳票運用2.docx | 伝票 | 伝票は片面に印字する。",
    ),
    (
        "ja",
        False,
        "請求書様式.docx | 消費税 | 消費税の端数は切り捨てる。",
        "請求書様式2.docx | 単価 | 単価の端数は四捨五入する。",
    ),
    (
        "ja",
        False,
        "帳票レイアウト規約.docx | 明細行数 | 1ページの明細は30行とする。",
        "画面設計標準.docx | 一覧 | 一覧は1ページ20行とする。",
    ),
    (
        "zh",
        False,
        "标签规范.docx | 条码 | 箱标签采用QR码。",
        "标签规范2.docx | 托盘 | 托盘标签采用Code 128条码。",
    ),
    (
        "en",
        False,
        "Export_Spec.docx | Header | CSV exports start with a header row.",
        "Export_Spec2.docx | Footer | Fixed-length files have no trailer record.",
    ),
    (
        "ja",
        True,
        "出力帳票基準.docx | 長い名称 | 得意先名が枠に入らないときは、入りきらない分を切り落として印字する。",
        "帳票作成指針.docx | 文字あふれ | 枠からあふれる得意先名は2段に折り返す。",
    ),
    (
        "ja",
        True,
        "帳票作成指針.docx | 同一値 | 直前の行と同じ得意先名は2行目以降の印字を省く。",
        "出力帳票基準.docx | 明細 | 得意先名は同じ値が続く場合も全ての行に印字する。",
    ),
    (
        "ja",
        True,
        "発送作業手順.docx | 封筒 | 請求書は窓付き封筒で送る。",
        "郵送物取扱基準.docx | 封筒 | 請求書の送付には窓のない封筒を使い、宛名ラベルを貼る。",
    ),
    (
        "ja",
        True,
        "CSV連携基準.docx | 値なし | 値がない項目は何も出力せず、区切りだけを置く。",
        "ファイル出力規約.xlsx | NULL | 項目: 値のない項目 | 出力: 「NULL」という文字列",
    ),
    (
        "ja",
        True,
        "帳票作成指針.docx | 金額単位 | 経営報告の金額は千円単位で印字する。",
        "出力帳票基準.docx | 経営報告 | 経営報告の金額の単位は百万円とする。",
    ),
    (
        "zh",
        True,
        "票据规范.docx | 补打 | 补打的单据须加注“补打”字样。",
        "打印标准.docx | 重新打印 | 重新打印的单据与原件完全一致，不加任何标记。",
    ),
    (
        "en",
        True,
        "Invoice_Rules.docx | Seal | The company seal is printed as an image.",
        "Stamp_Policy.docx | Invoices | Invoices are stamped by hand with the company seal.",
    ),
    (
        "ja",
        False,
        "出力帳票基準.docx | 長い名称 | 得意先名が枠に入らないときは末尾を切り捨てる。",
        "帳票作成指針.docx | 備考 | 備考は枠に収まらないとき2行に折り返す。",
    ),
    (
        "ja",
        False,
        "帳票作成指針.docx | 金額単位 | 経営報告の金額は千円単位とする。",
        "帳票作成指針2.docx | 明細表 | 売上明細の金額は円単位とする。",
    ),
    (
        "ja",
        False,
        "帳票作成指針.docx | 繰越 | 元帳には前頁繰越の行を印字する。",
        "出力帳票基準.docx | 繰越 | 請求書には前回請求額を印字する。",
    ),
    (
        "ja",
        False,
        "帳票運用手順.docx | 控え | 控えには「控」と印字する。",
        "帳票運用手順2.docx | 正本 | 正本には「控」の表示を付けない。",
    ),
    (
        "zh",
        False,
        "报表规范.docx | 超长 | 客户名称超出单元格时缩小字体打印。",
        "打印标准.docx | 备注 | 备注过长时自动换行。",
    ),
    (
        "en",
        False,
        "Print_Layout.docx | Long names | Customer names that do not fit are wrapped.",
        "Report_Rules.docx | Remarks | Remarks that are too long are cut off.",
    ),
)


def _text(key: str, side: str) -> RuleText:
    document, heading, text = side.split(" | ", 2)
    return RuleText(key=key, document=document, headings=(heading,), text=text)


@pytest.mark.parametrize(("_language", "conflict", "a", "b"), PAIRS)
def test_pair(_language: str, conflict: bool, a: str, b: str) -> None:
    groups = detect_conflicts((_text("a", a), _text("b", b)), load_lexicon())
    assert bool(groups) is conflict, [group.explanation for group in groups]


@pytest.mark.parametrize(("_language", "conflict", "a", "b"), PAIRS)
def test_order_does_not_matter(_language: str, conflict: bool, a: str, b: str) -> None:
    assert bool(detect_conflicts((_text("b", b), _text("a", a)), load_lexicon())) is conflict
