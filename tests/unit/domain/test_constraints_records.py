# ruff: noqa: E501 - a pair stands in one line
"""Pairs of rules about the control, keeping and delivery of documents: which contradict each other.

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
        "文書管理規程.docx | 版 | 初版の版数は1.0とする。",
        "設計書管理要領.docx | 版数の付け方 | 最初に作成した文書の版は0.1から始める。",
    ),
    (
        "ja",
        True,
        "文書管理規程.docx | 改訂履歴 | 改訂履歴には初版からの全ての改訂を残す。",
        "設計書管理要領.docx | 履歴 | 変更履歴は直近3版分だけを記載し、それ以前は消す。",
    ),
    (
        "ja",
        True,
        "文書管理規程.docx | 保存 | 保存期間は文書の承認日から起算する。",
        "記録管理手順.docx | 起算 | 設計文書の保存期間は、案件の完了した日の属する年度の翌年度4月1日から数える。",
    ),
    (
        "ja",
        True,
        "文書管理規程.docx | 旧版 | 旧版の文書は直ちに廃棄する。",
        "図書管理要領.docx | 差替え | 差し替え後の旧版は「旧版」フォルダに移して保管する。",
    ),
    (
        "ja",
        True,
        "文書配布手順.docx | 配布 | 設計書の配布はメールに添付して行う。",
        "情報管理規則.docx | 送付 | 設計書をメールに添付して送ってはならない。共有フォルダのリンクを知らせる。",
    ),
    (
        "ja",
        True,
        "納品要領.docx | 媒体 | 成果物はDVD-Rに格納して納品する。",
        "契約仕様書.docx | 納入 | 納入物件はUSBメモリで提出すること。",
    ),
    (
        "ja",
        True,
        "納品要領.docx | 部数 | 紙の設計書は正副2部を納める。",
        "検収手順.docx | 提出物 | 印刷した設計書の提出部数は3部とする。",
    ),
    (
        "ja",
        True,
        "文書管理システム利用手順.docx | 編集 | 編集するときは必ずチェックアウトし、他の人が更新できないようにする。",
        "共同作業ガイド.pptx | 文書の編集 | 設計書は複数人で同時に編集してよい。チェックアウトは行わない。",
    ),
    (
        "zh",
        True,
        "文档控制程序.docx | 旧版 | 旧版文件应回收并销毁。",
        "档案管理办法.docx | 作废文件 | 旧版本文件加盖“作废”章后保留备查。",
    ),
    (
        "zh",
        True,
        "交付管理办法.docx | 介质 | 交付物刻录光盘提交。",
        "合同附件.docx | 交付方式 | 交付物通过U盘提交。",
    ),
    (
        "zh",
        True,
        "档案管理办法.docx | 借阅 | 档案借阅期限不超过5个工作日。",
        "资料室规定.docx | 借阅 | 借阅档案应在10个工作日内归还。",
    ),
    (
        "zh",
        True,
        "保密规定.docx | 复印 | 涉密文件不得复印。",
        "档案管理办法.docx | 复制 | 涉密文件经部门领导批准可以复印。",
    ),
    (
        "en",
        True,
        "Document control.docx | Versions | The first issue carries version 1.0.",
        "Configuration plan.docx | Versions | Documents start at version 0.1.",
    ),
    (
        "en",
        True,
        "Document control.docx | Superseded copies | Superseded copies are destroyed.",
        'Records policy.docx | Old issues | Old issues are marked "superseded" and kept in the archive.',
    ),
    (
        "en",
        True,
        "Document control.docx | Copies | Printed copies are uncontrolled.",
        "Quality manual.docx | Distribution | Printed copies are controlled and numbered.",
    ),
    (
        "mixed",
        True,
        "情報管理規則.docx | 送付 | 設計書をメールに添付して送付しない。",
        "Distribution_Rules.docx | Distribution | Send the design document as an e-mail attachment.",
    ),
    (
        "mixed",
        True,
        "規程集の管理.docx | 施行 | 規程は公布の日から施行する。",
        "Policy_on_Policies.docx | Effective date | A policy takes effect on the first day of the month after publication.",
    ),
    (
        "ja",
        False,
        "文書管理規程.docx | 版 | 初版の版数は1.0とする。",
        "文書管理規程.docx | 草案 | 承認前の草案は0.1から始める。",
    ),
    (
        "ja",
        False,
        "文書管理規程.docx | 保存 | 設計書は承認日から5年間保存する。",
        "記録管理手順.docx | 契約 | 契約書は契約終了日から10年間保存する。",
    ),
    (
        "ja",
        False,
        "文書管理規程.docx | 旧版 | 紙の旧版は回収して廃棄する。",
        "文書管理規程.docx | 電子 | 電子ファイルの旧版は旧版フォルダに保管する。",
    ),
    (
        "ja",
        False,
        "納品要領.docx | 媒体 | 成果物はDVDに格納して納品する。",
        "納品要領.docx | 紙 | 紙の設計書は2部提出する。",
    ),
    (
        "ja",
        False,
        "テンプレート利用規則.docx | 変更 | テンプレートの表紙は変更しない。",
        "テンプレート利用規則.docx | 本文 | 本文の章立ては案件に合わせて変更してよい。",
    ),
    (
        "ja",
        False,
        "承認手続き規程.docx | 段階 | 設計書の承認は2段階とする。",
        "承認手続き規程.docx | 契約 | 契約書の承認は3段階とする。",
    ),
    (
        "ja",
        False,
        "文書管理規程.docx | 見直し | 規程は年1回見直す。",
        "品質マニュアル.docx | 文書管理 | 規程の定期見直しは12か月ごととする。",
    ),
    (
        "zh",
        False,
        "档案管理办法.docx | 借阅 | 档案借阅期限不超过5个工作日。",
        "档案管理办法.docx | 续借 | 续借申请应在到期前1个工作日提出。",
    ),
    (
        "zh",
        False,
        "制度管理办法.docx | 生效 | 制度自发布之日起生效。",
        "制度管理办法.docx | 废止 | 旧制度自新制度生效之日起废止。",
    ),
    (
        "zh",
        False,
        "文件处置表.xlsx | 处置 | 作废的设计文件集中销毁。",
        "技术档案细则.docx | 现行文件 | 现行的设计文件存入主库。",
    ),
    (
        "en",
        False,
        "Document control.docx | Versions | The first issue carries version 1.0.",
        "Document control.docx | Versions | Drafts are numbered 0.x until approval.",
    ),
    (
        "en",
        False,
        "Document control.docx | Superseded copies | Superseded paper copies are destroyed.",
        "Document control.docx | Archive | One master copy of each issue is kept in the archive.",
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
