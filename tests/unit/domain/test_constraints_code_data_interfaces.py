# ruff: noqa: E501 - a pair stands in one line
"""Pairs of rules about source code, databases and interfaces: which contradict each other.

Each pair stands alone. A side is written `document > heading > text`.
"""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts

PAIRS: tuple[tuple[bool, str, str], ...] = (
    (
        True,
        "Javaコーディング規約.docx > 依存性注入 > 依存性の注入はコンストラクタインジェクションで行う。",
        "実装ガイドライン.docx > Spring > Beanの注入には、フィールドに @Autowired を付けるフィールドインジェクションを用いる。",
    ),
    (
        True,
        "Javaコーディング規約.docx > メソッド > returnはメソッドの末尾に1か所だけ置く。",
        "実装ガイドライン.docx > ガード節 > 引数が不正なら先頭で早期リターンし、ネストを深くしない。",
    ),
    (
        True,
        "Javaコーディング規約.docx > 例外 > リソースの解放はfinally節で行う。",
        "実装ガイドライン.docx > ストリーム > ファイルなどのクローズは try-with-resources に任せること。",
    ),
    (
        True,
        "Javaコーディング規約.docx > 日付 > 日付・時刻はjava.timeのクラスで扱う。",
        "実装ガイドライン.docx > 日付処理 > 日付の加減算はjava.util.Calendarで統一する。",
    ),
    (
        True,
        "Javaコーディング規約.docx > 命名 > 真偽値の変数名は is や has で始める。",
        "実装ガイドライン.docx > 変数名 > boolean型の変数は末尾に Flg を付ける。",
    ),
    (
        True,
        "Java编码规范.docx > 语句 > if、for 语句即使只有一行也必须加大括号。",
        "代码走查表.xlsx > 格式 > 只有一条语句的 if 不写大括号",
    ),
    (
        True,
        "Java编码规范.docx > 方法 > 每个方法只允许有一个出口。",
        "开发手册.docx > 可读性 > 参数不合法时应尽早返回，避免嵌套。",
    ),
    (
        True,
        "Coding_Standard.docx > JavaScript > End every statement with a semicolon.",
        "Frontend_Guide.docx > Layout > Semicolons at the end of statements are omitted.",
    ),
    (
        False,
        "Javaコーディング規約.docx > 依存性注入 > 依存性の注入はコンストラクタインジェクションで行う。",
        "実装ガイドライン.docx > Spring > 循環参照となる注入は設計を見直す。",
    ),
    (
        False,
        "Javaコーディング規約.docx > null > 引数のnullチェックは公開メソッドの先頭で行う。",
        "実装ガイドライン.docx > 戻り値 > 戻り値のリストは変更できないものとする。",
    ),
    (
        False,
        "Java编码规范.docx > 方法 > 方法参数不超过5个。",
        "代码走查表.xlsx > 方法 > 参数个数: 5个以内 | 级别: 必须",
    ),
    (
        True,
        "DB設計標準.docx > 削除 > 論理削除は削除フラグ（boolean）で表す。",
        "データモデリング指針.docx > 削除 > 論理削除した行には削除日時の列 deleted_at に日時を入れて示し、フラグは設けない。",
    ),
    (
        True,
        "DB設計標準.docx > 有効期間 > 適用終了日が未定の場合は9999-12-31を設定する。",
        "データモデリング指針.docx > 履歴 > 終了日が決まっていない行の適用終了日はNULLとする。",
    ),
    (
        True,
        "DB設計標準.docx > 排他制御 > 楽観排他はバージョン番号列の照合で行う。",
        "データモデリング指針.docx > 同時更新 > 更新の競合は更新日時の一致で判定する。",
    ),
    (
        True,
        "DB設計標準.docx > 添付ファイル > 添付ファイルの実体はBLOBとしてデータベースに格納する。",
        "データモデリング指針.docx > ファイル > 添付ファイルはオブジェクトストレージに置き、DBにはパスだけを持つ。",
    ),
    (
        True,
        "DB設計標準.docx > トランザクション > トランザクションの境界はサービス層に置く。",
        "アプリケーション方式設計書.docx > トランザクション制御 > トランザクションはDAOのメソッド単位に開始・終了する。",
    ),
    (
        True,
        "DB変更手順.docx > スキーマ変更 > DDLの適用にはFlywayを使う。",
        "DB設計標準.docx > 変更管理 > スキーマの変更はLiquibaseで管理する。",
    ),
    (
        True,
        "DB設計標準.docx > 排他 > 行ロックが取れないときは待たずに即エラーとする（NOWAIT）。",
        "アプリケーション方式設計書.docx > 排他制御 > ロックが解放されるまで待機する。",
    ),
    (
        True,
        "数据库设计规范.docx > 主键 > 主键采用自增ID。",
        "开发手册.docx > 主键 > 主键由雪花算法生成。",
    ),
    (
        False,
        "DB設計標準.docx > 削除 > 業務テーブルは論理削除とする。",
        "DB設計標準.docx > ワークテーブル > ワークテーブルの行は物理削除する。",
    ),
    (
        False,
        "DB設計標準.docx > インデックス > 1テーブルのインデックスは5個以内とする。",
        "物理設計ガイド.xlsx > 索引 > 索引数: テーブルあたり最大5個",
    ),
    (
        False,
        "数据库设计规范.docx > 字段 > 金额字段使用 decimal。",
        "数据库设计规范.docx > 字段 > 数量字段使用 bigint。",
    ),
    (
        True,
        "API設計標準.docx > ステータスコード > 入力チェックエラーの場合は400を返す。",
        "Web API実装ガイド.docx > エラー > バリデーションエラー時のHTTPステータスは422とする。",
    ),
    (
        True,
        "API設計標準.docx > レスポンス > 値のない項目はJSONから省略する。",
        "Web API実装ガイド.docx > JSON > 値がない項目もキーを出力し、値をnullとする。",
    ),
    (
        True,
        "外部インタフェース設計標準.docx > 転送完了 > 転送の完了は終了ファイル（.end）の有無で判断する。",
        "連携運用手順.docx > 受信 > 受信側は、一時名から正式名へのリネームをもって転送完了とみなす。",
    ),
    (
        True,
        "外部インタフェース設計標準.docx > 二重送信 > 同じファイルを受信した場合は上書きして取り込む。",
        "連携運用手順.docx > 重複 > 受信済みのファイルと同名のものが届いたときは取り込まずエラーとする。",
    ),
    (
        True,
        "外部インタフェース設計標準.docx > レコード > ファイルの末尾に件数を持つトレーラレコードを付ける。",
        "連携ファイル仕様.xlsx > 構成 > トレーラレコード: なし",
    ),
    (
        True,
        "外部インタフェース設計標準.docx > 受信確認 > メッセージは処理が完了してからACKを返す。",
        "方式設計書.docx > キュー > 受信したら処理の前に直ちにACKを返す。",
    ),
    (
        True,
        "接口设计规范.docx > 返回 > 业务异常时 HTTP 状态码仍返回 200，用 code 字段区分。",
        "接口开发手册.docx > 错误 > 业务错误须返回 4xx 状态码。",
    ),
    (
        True,
        "接口设计规范.docx > 消息 > 消费失败的消息转入死信队列。",
        "接口开发手册.docx > 消费 > 消费失败的消息直接丢弃。",
    ),
    (
        False,
        "API設計標準.docx > ステータス > 入力エラーの場合は400を返す。",
        "API設計標準.docx > ステータス > 認証エラーの場合は401を返す。",
    ),
    (
        False,
        "API設計標準.docx > 登録 > 登録に成功したら201を返す。",
        "API設計標準.docx > 削除 > 削除に成功したら204を返す。",
    ),
    (
        False,
        "外部インタフェース設計標準.docx > 固定長 > 固定長ファイルにはトレーラレコードを付ける。",
        "外部インタフェース設計標準.docx > CSV > CSVファイルにトレーラレコードは付けない。",
    ),
    (
        False,
        "API設計標準.docx > URI > URIに動詞を含めない。",
        "API_Guidelines.docx > パス > パスは名詞だけで構成する。",
    ),
    (
        True,
        "SQL標準.docx > ヒント > ヒント句の使用を禁止する。",
        "性能対策事例.docx > 実行計画 > 実行計画が安定しない場合はヒント句で固定する。",
    ),
    (
        True,
        "数据模型规范.docx > 预留 > 表中不设预留字段。",
        "扩展设计.docx > 字段 > 每张表预留 5 个备用字段。",
    ),
    (
        False,
        "開発標準（Java編）.docx > 例外 > 異常は例外で通知する。",
        "開発標準（Java編）.docx > 例外 > 例外には原因例外を渡す。",
    ),
    (
        False,
        "論理・物理設計基準.docx > 有効期間 > 有効期間は終了日を含む。",
        "論理・物理設計基準.docx > 締め > 集計期間は締め日の翌日を含まない。",
    ),
    (
        False,
        "システム間連携基準.docx > 再送 > 障害時は送信側が再送する。",
        "システム間連携基準.docx > 再送 > 受信側は再送されたファイルの重複を検査する。",
    ),
)


def _rule(key: str, side: str) -> RuleText:
    document, heading, text = side.split(" > ", 2)
    return RuleText(key=key, document=document, headings=(heading,), text=text)


@pytest.mark.parametrize(("conflict", "one", "two"), PAIRS)
def test_pairs_of_rules_are_told_apart(conflict: bool, one: str, two: str) -> None:
    lexicon = load_lexicon()
    for first, second in ((one, two), (two, one)):
        found = detect_conflicts((_rule("a", first), _rule("b", second)), lexicon)
        assert bool(found) is conflict
