# ruff: noqa: E501 - a pair stands in one line
"""Pairs of rules about user interfaces: which contradict each other.

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
        "画面レイアウト規約.docx | 項目名 | 入力項目のラベルは入力欄の左に置く。",
        "デザインガイド.pptx | フォーム | ・ラベルは入力欄の上に配置する\n・補足説明はラベルの下に小さく示す",
    ),
    (
        "ja",
        True,
        "一覧部品仕様.docx | 全選択 | 全選択のチェックは表示中のページの行だけを対象とする。",
        "UI部品カタログ.xlsx | 一覧 | 部品: 全選択チェックボックス | 対象: 全ページの行",
    ),
    (
        "ja",
        True,
        "画面遷移規約.docx | 戻る操作 | 詳細画面から一覧に戻ったときは、検索条件をクリアして初期状態に戻す。",
        "操作性ガイド.docx | 一覧への復帰 | 詳細から一覧へ戻る際は直前の検索条件を保持したままにする。",
    ),
    (
        "ja",
        True,
        "UI標準.docx | クリアボタン | クリアボタンは全ての検索条件を空にする。",
        "画面設計標準.docx | 検索条件部 | クリアボタンを押すと検索条件は画面の初期値に戻す。",
    ),
    (
        "ja",
        True,
        "メッセージ設計.docx | 完了通知 | 完了メッセージは3秒後に自動で消す。",
        "UI標準.docx | 通知 | 完了メッセージは利用者が閉じるまで表示し続ける。",
    ),
    (
        "ja",
        True,
        "画面遷移規約.docx | 登録後 | 登録が終わったら完了画面へ遷移する。",
        "画面設計標準.docx | 登録処理 | 登録後は一覧画面に戻り、完了メッセージを一覧の上に出す。",
    ),
    (
        "ja",
        True,
        "セッション設計.docx | 期限切れ | セッションが切れたときはログイン画面に遷移させる。",
        "画面遷移規約.docx | タイムアウト時 | セッションタイムアウト後の操作ではエラー画面を表示し、ブラウザを閉じるよう案内する。",
    ),
    (
        "ja",
        True,
        "画面レイアウト規約.docx | サイドメニュー | サイドメニューは初期表示では閉じておく。",
        "UI標準.docx | サイドメニュー | サイドメニューはログイン直後は展開した状態で表示する。",
    ),
    (
        "ja",
        True,
        "画面レイアウト規約.docx | ヘッダー | 一覧のヘッダー行はスクロールしても固定して表示する。",
        "一覧部品仕様.docx | 見出し | 一覧の見出し行は明細と一緒にスクロールさせる。",
    ),
    (
        "ja",
        True,
        "デザインガイド.pptx | 一覧 | ・一覧の行は1行おきに背景色を変える",
        "一覧表示規約.docx | 行の色 | 一覧の行の背景は全行白で統一し、縞模様にしない。",
    ),
    (
        "zh",
        True,
        "页面设计规范.docx | 列表页 | 进入列表页时默认不查询，由用户点击查询后加载数据。",
        "交互设计指南.docx | 列表 | 打开列表页应自动加载第一页数据。",
    ),
    (
        "zh",
        True,
        "运行环境.docx | 浏览器 | 系统须兼容IE11。",
        "前端开发规范.docx | 兼容性 | 不再支持IE浏览器，仅适配Chrome和Edge最新版。",
    ),
    (
        "en",
        True,
        "UI_Standard.docx | Forms | Field labels sit above the input.",
        "Form_Guide.xlsx | Layout | Element: Field label | Position: to the left of the input",
    ),
    (
        "en",
        True,
        "Notifications.docx | Toasts | Success toasts disappear on their own after five seconds.",
        "Accessibility_Guide.docx | Notifications | Success toasts stay on screen until the user dismisses them.",
    ),
    (
        "en",
        True,
        "UI_Standard.docx | Links | External links open in a new tab.",
        "Accessibility_Guide.docx | Links | All links, including external ones, open in the same tab.",
    ),
    (
        "ja",
        False,
        "画面設計標準.docx | 初期フォーカス | 画面を開いた直後のカーソルは、先頭の入力項目に置く。",
        "UI部品カタログ.xlsx | エラー時 | 入力エラーがあるときは、エラーとなった最初の項目にフォーカスを移す。",
    ),
    (
        "ja",
        False,
        "画面レイアウト規約.docx | 項目名 | 入力項目のラベルは入力欄の左に置く。",
        "モバイル設計.docx | フォーム | スマートフォンではラベルを入力欄の上に配置する。",
    ),
    (
        "ja",
        False,
        "画面レイアウト規約.docx | メニュー | グローバルメニューは画面の左側に縦に並べる。",
        "画面レイアウト規約2.docx | ヘッダー | ログアウトのリンクは画面の右上に置く。",
    ),
    (
        "ja",
        False,
        "セッション設計.docx | 期限切れ | セッションが切れたときはログイン画面に遷移させる。",
        "画面遷移規約.docx | システムエラー | 予期しない例外が起きたときは共通エラー画面に遷移させる。",
    ),
    (
        "ja",
        False,
        "一覧部品仕様.docx | 固定 | 一覧のヘッダー行は固定表示とする。",
        "UI部品カタログ.xlsx | 一覧 | 部品: 一覧の見出し行 | スクロール: しない（常に見える）",
    ),
    (
        "ja",
        False,
        "モバイル設計.docx | タップ領域 | ボタンのタップ領域は44px以上とする。",
        "モバイル設計.docx | 間隔 | ボタンどうしの間隔は8px以上空ける。",
    ),
    (
        "ja",
        False,
        "キー操作規約.docx | Enterキー | 検索条件欄でEnterキーを押すと検索を実行する。",
        "操作性ガイド.docx | 複数行 | 複数行の入力欄ではEnterキーで改行する。",
    ),
    (
        "zh",
        False,
        "表单规范.docx | 校验时机 | 必填校验在失去焦点时进行。",
        "页面设计规范.docx | 校验 | 提交时再次校验全部字段。",
    ),
    (
        "en",
        False,
        "UI_Standard.docx | Forms | Field labels sit above the input.",
        "UI_Standard2.docx | Forms | Help text sits below the input.",
    ),
    (
        "en",
        False,
        "UI_Standard.docx | Links | External links open in a new tab.",
        "UI_Standard2.docx | Links | Internal links open in the same tab.",
    ),
    (
        "mixed",
        False,
        "权限设计.docx | 按钮 | 无权限的按钮不显示。",
        "UI標準.docx | 権限 | 権限のないボタンは非表示とする。",
    ),
    (
        "ja",
        True,
        "認証設計書.docx | 多重ログイン | 同一利用者が別の端末からログインした場合は、先にログインしていた方を切断する。",
        "セキュリティ基準.docx | ログイン | 既にログイン中の利用者IDでの新たなログインは拒否する。",
    ),
    (
        "ja",
        True,
        "一覧標準.docx | 表示件数 | 1ページの件数は利用者が10、20、50件から選べるようにする。",
        "画面標準.docx | ページング | 1ページの表示件数は20件に固定し、利用者には変更させない。",
    ),
    (
        "ja",
        True,
        "業務画面設計.docx | 画面構成 | 項目が多い登録画面はタブで分割する。",
        "UI設計指針.docx | 登録画面 | 登録画面はタブに分けず、縦に長い1枚の画面とする。",
    ),
    (
        "ja",
        True,
        "画面標準.docx | 日時 | 更新日時は「3分前」のような相対表示とする。",
        "表示規約.docx | 日時の表示 | 更新日時は年月日と時刻を省略せずに表示する。",
    ),
    (
        "zh",
        True,
        "查询区规范.docx | 重置 | 点击重置后，查询条件恢复为默认值。",
        "前端规范.docx | 按钮行为 | 重置按钮清空全部查询条件。",
    ),
    (
        "en",
        True,
        "Navigation.docx | Side menu | The side menu is collapsed when the user signs in.",
        "Design_System.docx | Side menu | After login the side menu starts out expanded.",
    ),
    (
        "ja",
        False,
        "メッセージ規約.docx | 登録完了 | 登録が完了したことはトーストで知らせる。",
        "画面標準.docx | システムエラー | システムエラーはダイアログで表示する。",
    ),
    (
        "ja",
        False,
        "申請機能設計.docx | 保存 | 申請書は下書きとして保存できる。",
        "経費機能設計.docx | 取消 | 申請後の取消しはできない。",
    ),
    (
        "ja",
        False,
        "UI設計指針.docx | 詳細条件 | 詳細条件は既定で折りたたんでおく。",
        "画面標準.docx | 検索条件 | 詳細条件の欄は閉じた状態を初期表示とする。",
    ),
    (
        "en",
        False,
        "Form_Rules.docx | Required fields | The asterisk goes before the label.",
        "Form_Rules2.docx | Units | The unit goes after the input.",
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
