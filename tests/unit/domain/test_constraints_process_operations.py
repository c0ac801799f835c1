# ruff: noqa: E501 - a pair stands in one line
"""Pairs of rules about project work, testing, operations and security: which contradict each other.

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
        "進捗管理基準.docx | 進捗率 | 作業の進捗率は着手で50%、完了で100%とする。",
        "WBS運用ルール.xlsx | 3. 進捗の計上 | 進捗率は0-100法で計上し、完了するまでは0%のままとする。",
    ),
    (
        "ja",
        True,
        "業務委託契約書.docx | 第8条 | 乙は本業務を第三者に再委託してはならない。",
        "外注管理要領.docx | 再委託 | 受託者は、発注者の承諾なく業務の一部を第三者へ再委託できる。",
    ),
    (
        "ja",
        True,
        "会議規程.docx | 出席 | レビューに出られないときは代理の者を出席させてよい。",
        "レビュー実施要領.docx | 参加者 | レビューへの代理出席は認めない。",
    ),
    (
        "zh",
        True,
        "会议管理规定.docx | 语言 | 例会一律用中文进行，外方人员由翻译陪同。",
        "项目沟通计划.docx | 例会 | 项目例会统一使用英语。",
    ),
    (
        "ja",
        True,
        "テスト実施要領.docx | エビデンス | 合否にかかわらず全ケースのエビデンスを取得する。",
        "結合テスト計画書.docx | 証跡 | エビデンスは不合格となったケースのみ取得すればよく、合格分は残さない。",
    ),
    (
        "ja",
        True,
        "テスト設計ガイド.docx | 組合せ | 条件の組合せはペアワイズ法で絞り込む。",
        "試験設計要領.docx | 3.2 | 条件の組合せは全組合せを網羅すること。",
    ),
    (
        "ja",
        True,
        "障害管理手順.docx | 再発 | 一度クローズした障害が再発したときは、元の票を再オープンする。",
        "不具合管理ルール.xlsx | 再発時 | クローズ済みの障害が再発した場合は新たに起票し、元の票番号を備考に書く。",
    ),
    (
        "ja",
        True,
        "DB運用設計.docx | 取得方式 | データベースのバックアップはオンラインで取得し、サービスは止めない。",
        "運用手順書.docx | バックアップ | データベースを停止した状態でバックアップを取得する（コールドバックアップ）。",
    ),
    (
        "ja",
        True,
        "監視設計書.docx | メンテナンス時 | 計画停止の間は監視アラートを抑止する。",
        "監視運用要領.docx | 通知 | 計画停止中も監視アラートは止めず、通常どおり通知する。",
    ),
    (
        "zh",
        True,
        "版本管理规范.docx | 标签 | 发布标签以v开头，如v1.2.0。",
        "Git使用规定.docx | 标签命名 | 发布标签只写数字版本，不加字母v。",
    ),
    (
        "ja",
        True,
        "アカウント管理基準.docx | ロック | ロックされたアカウントは30分経過後に自動で解除する。",
        "認証設計書.docx | ロックアウト | アカウントのロックは管理者の操作によってのみ解除する。時間の経過では解除しない。",
    ),
    (
        "ja",
        True,
        "メール利用基準.docx | 添付 | 社外へファイルを送るときは、パスワード付きZIPにして添付する。",
        "情報漏えい対策要領.docx | ファイル送付 | パスワード付きZIPの添付は廃止し、送付を禁止する。ファイル転送サービスを使うこと。",
    ),
    (
        "zh",
        True,
        "系统安全基线.xlsx | 口令 | 口令复杂度: 四类字符全部包含 | 长度: 12位",
        "口令管理规定.docx | 复杂度 | 口令须包含大写字母、小写字母、数字、特殊字符中的至少三类。",
    ),
    (
        "en",
        True,
        "Security_Policy.docx | Audits | The yearly security audit is carried out by an external auditor.",
        "Compliance_Plan.docx | Audit | Security audits are performed by the internal audit department, not by outside firms.",
    ),
    (
        "ja",
        True,
        "人材育成規程.docx | 4 | 新任リーダー研修は講師による集合研修で行うものとする。",
        "教育計画.docx | 実施方法 | 新任リーダー向け研修は動画教材を視聴して受講する。",
    ),
    (
        "ja",
        True,
        "レビュー記録の書き方.xlsx | 記入単位 | 指摘は1件1行とせず、同種のものは一つの票にまとめて書く。",
        "品質記録要領.docx | 指摘票 | 指摘は1件1葉で起票する。",
    ),
    (
        "ja",
        True,
        "結合テスト標準.docx | 外部システム | 外部システムとの結合テストではモックを使う。",
        "テスト方針書.docx | 4.3 | 外部システムとの結合テストは実機に接続して行い、模擬環境は使わない。",
    ),
    (
        "ja",
        True,
        "システム方式設計.docx | 冗長化 | 待機系はコールドスタンバイとし、障害時に起動する。",
        "可用性設計書.docx | 待機系 | 待機系はホットスタンバイ構成とする。",
    ),
    (
        "ja",
        True,
        "ネットワーク運用基準.docx | 通信制御 | 通信は原則許可とし、危険なものだけを遮断する。",
        "ファイアウォール設計.docx | 方針 | 通信は既定で拒否し、必要なものだけを許可する。",
    ),
    (
        "zh",
        True,
        "统一认证设计.docx | 锁定 | 账号锁定后须由管理员解锁，不设自动解锁。",
        "账号管理规定.docx | 解锁 | 被锁定的账号30分钟后自动解锁。",
    ),
    (
        "ja",
        True,
        "内部統制規程.docx | 第7条 | 承認は本人が行い、代理承認は認めない。",
        "承認手続要領.docx | 不在時 | 承認者が不在のときは、次席者が代理承認してよい。",
    ),
    (
        "ja",
        True,
        "ビルド環境標準.docx | ツール | ビルドの自動化にはJenkinsを使う。",
        "開発基盤ガイド.docx | CI | ビルドはすべてGitHub Actionsで実行する。",
    ),
    (
        "ja",
        True,
        "テレワーク手順書.docx | 準備 | テレワークの日はノートPCを持ち出して自宅で使う。",
        "ノートPC管理要領.docx | 持ち出し | ノートPCの社外への持ち出しは禁止する。",
    ),
    (
        "ja",
        False,
        "調達方針.docx | 契約形態 | 要件定義は準委任契約で発注する。",
        "委託管理規程.docx | 第4条 | 製造工程は請負契約とする。",
    ),
    (
        "ja",
        False,
        "見積基準.docx | 単位 | 見積工数は人日で記載する。",
        "報告書様式.docx | 実績 | 実績工数は人日で報告し、集計表では人月に換算した値を併記する。",
    ),
    (
        "ja",
        False,
        "自動テスト方針.docx | 対象 | 回帰テストは自動化する。",
        "探索的テスト要領.docx | 実施 | 探索的テストは人手で行う。",
    ),
    (
        "ja",
        False,
        "テスト計画書.docx | データ | 単体テストではダミーデータを使う。",
        "テスト計画書.docx | データ | 受入テストではマスキングした本番データを使う。",
    ),
    (
        "ja",
        False,
        "バックアップ設計.docx | 月次 | 月次バックアップはテープに取得し、遠隔地に保管する。",
        "バックアップ設計.docx | 日次 | 日次バックアップはディスクに取得する。",
    ),
    (
        "ja",
        False,
        "リリース管理規程.docx | 定期 | 定期リリースは毎月第3木曜日に行う。",
        "リリース管理規程.docx | 緊急 | 緊急リリースは曜日を問わない。",
    ),
    (
        "zh",
        False,
        "数据安全管理规定.docx | 外部工具 | 禁止将客户数据输入公共生成式AI工具。",
        "研发效率手册.docx | 工具 | 可以使用公司内部部署的AI助手。",
    ),
    (
        "mixed",
        False,
        "暗号利用基準.docx | 保存 | 個人情報はAES-256で暗号化して保存する。",
        "Data_Protection_Standard.docx | Storage | Personal data at rest shall be encrypted with 256-bit AES.",
    ),
    (
        "ja",
        False,
        "会議体一覧.xlsx | 判定会議 | 会議: 工程判定会議 | 参加: 必須",
        "会議体一覧.xlsx | 朝会 | 会議: 朝会 | 参加: 任意",
    ),
    (
        "ja",
        False,
        "画面テスト要領.docx | ツール | 画面テストはSeleniumで記述する。",
        "単体テスト要領.docx | ツール | 単体テストはJUnitで記述する。",
    ),
    (
        "ja",
        False,
        "可用性設計書.docx | DB | DBサーバはアクティブ・スタンバイ構成とする。",
        "可用性設計書.docx | AP | APサーバは負荷分散構成とする。",
    ),
    (
        "zh",
        False,
        "外包管理办法.docx | 开发 | 开发外包采用固定总价。",
        "外包管理办法.docx | 运维 | 运维外包按人月结算。",
    ),
    (
        "ja",
        False,
        "性能テスト計画.docx | 評価 | 応答時間は95パーセンタイルで評価する。",
        "性能テスト計画.docx | 資源 | CPU使用率は5分間の平均値で評価する。",
    ),
    (
        "zh",
        False,
        "漏洞管理.docx | 高危 | 高危漏洞7天内修复。",
        "漏洞管理.docx | 中危 | 中危漏洞30天内修复。",
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
