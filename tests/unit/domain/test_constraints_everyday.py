"""Pairs about everyday choices: order, first focus, deletion, merging, marks, header rows, keys, language versions."""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts

PAIRS = [
    (True, "画面表示時のフォーカスは先頭の入力項目に置く。", "初期表示時はカーソルを登録ボタンに合わせる。"),
    (True, "打开页面时光标定位在第一个输入框。", "页面初始焦点置于查询按钮。"),
    (False, "画面表示時のフォーカスは先頭の入力項目に置く。", "初期表示時、カーソルは最初の入力欄にある。"),
    (True, "一覧は新しいものから順に表示する。", "一覧の初期表示順は登録日時の昇順とする。"),
    (True, "列表默认按创建时间倒序排列。", "列表默认最早的记录排在最前。"),
    (True, "The list shows the newest record at the top.", "The list is sorted by creation date in ascending order."),
    (False, "一覧は新しいものから順に表示する。", "一覧の初期表示順は登録日時の降順とする。"),
    (False, "議事録は会議の翌営業日までに配布する。", "議事録は会議後1営業日以内に配布する。"),
    (False, "ソースコードの1行は80文字以内とする。", "ソースコードの横幅は80桁までとする。"),
    (True, "業務データの削除は削除フラグを立てる方式とする。", "業務データを削除するときはDELETE文で行を消す。"),
    (True, "数据删除采用软删除。", "删除数据时从表中彻底移除记录。"),
    (False, "マスタの削除は論理的に行い、レコードは残す。", "マスタの削除は削除フラグで表す。"),
    (True, "SQLのSELECT句で「*」は使わない。", "全列を取得するときはSELECT * を用いてよい。"),
    (True, "查询语句中禁止使用select *。", "查询全部字段时可以用“*”代替字段名。"),
    (False, "SQLのSELECT句で「*」は使わない。", "SELECT文では取得する列名を明示する。"),
    (True, "マージはスカッシュマージとする。", "プルリクエストのマージではコミットをまとめず、マージコミットを作る。"),
    (True, "合并请求采用squash方式合并。", "合并时保留全部提交，使用merge commit。"),
    (False, "マージはスカッシュマージとする。", "マージ時はコミットを一つにまとめる。"),
    (True, "マージ済みのブランチは削除する。", "マージ後の作業ブランチは残しておく。"),
    (False, "マージ済みのブランチは削除する。", "マージ後のブランチは残さない。"),
    (True, "不具合票のクローズは起票者が行う。", "不具合票は開発担当者がクローズする。"),
    (True, "承認印は押印で行う。", "承認は電子印で行い、紙への押印は不要とする。"),
    (True, "Documents use British spelling.", 'Write "color" and "center", following American usage.'),
    (True, "Spelling follows Oxford English.", "Use US spelling throughout."),
    (True, "引用は「」で囲む。", "引用した語句は“ ”で囲む。"),
    (True, "句読点は「、。」を用いる。", "句読点には「，．」を使う。"),
    (True, "機械翻訳の使用を認める。", "翻訳に機械翻訳を使ってはならない。"),
    (True, "翻译时禁止使用机器翻译。", "允许先用机器翻译再由人工校对。"),
    (True, "時刻は24時間制で表記する。", "時刻は午前・午後を付けて書く。"),
    (True, "年は西暦で表記する。", "日付の年は元号で書く。"),
    (True, "CSVの1行目は項目名とする。", "CSVにはヘッダー行を含めない。"),
    (True, "主キーは業務上の意味を持たない連番とする。", "主キーには業務コードを用いる。"),
    (True, "Every table has a surrogate key.", "Primary keys are natural keys."),
    (True, "リソースIDはUUIDとする。", "リソースIDは連番とする。"),
    (True, "APIのバージョンはURLのパスに入れる。", "APIのバージョンはリクエストヘッダーで指定する。"),
    (True, "アクセストークンはHttpOnly属性のCookieに保存する。", "アクセストークンはlocalStorageに保存する。"),
    (True, "令牌存放在Cookie中。", "令牌保存到浏览器本地存储。"),
    (True, "電話番号は数字のみで入力する。", "電話番号はハイフン付きで入力する。"),
    (True, "电话号码只填数字。", "电话号码须带连字符。"),
    (True, "用紙サイズはA4とする。", "帳票の用紙はA3とする。"),
    (True, "打印纸张为A4。", "报表打印采用A3纸。"),
    (True, "マージは作成者が行う。", "マージはレビュアーが行う。"),
    (False, "一覧は部署コード順に並べる。", "一覧は部署コードの小さい順に表示する。"),
    (True, "顧客マスタの行は消さず、無効フラグを立てる。", "不要になった顧客マスタの行はDELETEで取り除く。"),
    (True, "用户注销后仅做标记删除。", "用户注销后应将其记录从表中物理清除。"),
    (False, "退会した顧客の行は論理削除する。", "退会した顧客の行には削除済みの印を付け、行は残す。"),
    (True, "取り込みが済んだ作業ブランチは当日中に消す。", "作業ブランチはマージ後も3か月残す。"),
    (True, "特性分支合入后即删除。", "特性分支合入后保留备查。"),
    (True, "导出的CSV第一行必须是字段名。", "导出的CSV不带字段名行。"),
    (True, "Exported CSV files have no column headings.", "The first line of an exported CSV holds the column names."),
    (False, "試作品には本規程を適用しない。", "本規程は試作品を適用対象外とする。"),
    (False, "英文文档采用英式拼写。", "英文文档统一使用英国英语。"),
    (False, "訳文と原文に相違がある場合は日本語版を優先する。", "英語版は参考訳とする。"),
    (False, "The API version is part of the path.", "API keys are sent in a request header."),
    (False, "マージはスカッシュマージとする。", "マージ後の作業ブランチは残しておく。"),
    (False, "主キーにはサロゲートキーを使う。", "主キーは業務上の意味を持たない連番とする。"),
    (False, "用紙サイズはA4とする。", "帳票はA4用紙に印刷する。"),
    (False, "Tokens are kept in an HttpOnly cookie.", "Tokens are saved in cookies."),
    (False, "CSVの1行目は項目名とする。", "CSVの先頭行に列名を出力する。"),
    (False, "列表默认最新的记录排在最前。", "列表默认按创建时间倒序排列。"),
    (False, "画面名は「」で囲む。", "画面名はかぎ括弧で示す。"),
]


@pytest.mark.parametrize(("conflict", "a", "b"), PAIRS)
def test_pair(conflict: bool, a: str, b: str) -> None:
    one, two = RuleText(key="a", document="1.docx", text=a), RuleText(key="b", document="2.docx", text=b)
    assert bool(detect_conflicts((one, two), load_lexicon())) is conflict
    assert bool(detect_conflicts((two, one), load_lexicon())) is conflict
