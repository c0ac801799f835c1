"""How rules are read: verdicts in cells, questions and answers, times that are over, fractions, bans of a use.

Each pair stands alone. A side is written `document | heading | text`; ` / ` begins a new line.
"""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.constraints.double_negation import without_double_negation
from kisoku.domain.constraints.splitting import split_rules
from kisoku.domain.constraints.text import scan
from kisoku.domain.constraints.values import find_quantities

LEXICON = load_lexicon()


def _side(key: str, side: str) -> RuleText:
    document, heading, text = (part.strip() for part in side.split(" | ", 2))
    return RuleText(key=key, document=document, headings=(heading,), text=text.replace(" / ", "\n"))


PAIRS = {
    "a check whose verdict is a refusal bans what it describes": (
        True,
        "上线检查表.xlsx | DDL | 检查项: 建表语句里有外键 | 结论: 驳回",
        "建模要求.docx | 关系 | 主表与从表之间应建立外键。",
    ),
    "a check that is passed demands it": (
        False,
        "上线检查表.xlsx | DDL | 检查项: 建表语句里有外键 | 结论: 通过",
        "建模要求.docx | 关系 | 主表与从表之间应建立外键。",
    ),
    "what answers a question is ruled": (
        True,
        "窓口の手引.docx | よくある質問 | Q. 監査ログは何年保存しますか？ / A. 3年間保存します。",
        "ログ運用基準.docx | 保存 | 監査ログは7年間保存する。",
    ),
    "times after which something happens are values": (
        True,
        "操作仕様.docx | 時間切れ | 無操作のまま20分を過ぎたらセッションを破棄する。",
        "画面共通方式.docx | 時間切れ | 無操作が40分を超えるとセッションを破棄する。",
    ),
    "a fraction is a percentage": (
        True,
        "合同范本.docx | 违约金 | 逾期交付的违约金为每日合同总价的千分之二。",
        "合同要点.xlsx | 违约金 | 逾期交付的违约金为每日合同总价的0.5%。",
    ),
    "one fraction in two writings": (
        False,
        "合同范本.docx | 违约金 | 逾期交付的违约金为每日合同总价的千分之五。",
        "合同要点.xlsx | 违约金 | 逾期交付的违约金为每日合同总价的0.5%。",
    ),
    "what is refused without something needs it": (
        False,
        "代码约定.docx | TODO | TODO 后面必须跟工单号。",
        "Comment_Rules.docx | TODO | A TODO without a ticket number will not be merged.",
    ),
    "rules for sources in different languages do not meet": (
        False,
        "Java书写约定.docx | 缩进 | 缩进4个空格。",
        "Python书写约定.docx | 缩进 | 缩进2个空格。",
    ),
    "a clause without a topic goes on about the one before": (
        False,
        "ワーク表の約束.docx | 削除 | 作業用テーブルは物理削除してから使う。",
        "保管の約束.docx | 削除 | 取引テーブルの行は論理削除とし、物理削除しない。",
    ),
    "what something cannot do is no ban": (
        False,
        "ビルドの約束.docx | 区切り | 空白では動作しない。",
        "書式の約束.docx | 区切り | 演算子の前後に空白を1つ入れる。",
    ),
    "what has no bound has no greatest number": (
        True,
        "同期処理の約束.docx | 再送 | 再送は最大5回とする。",
        "連携の設計.docx | 再送 | 再送の回数に上限は設けない。",
    ),
    "what has no bound may have a least number": (
        False,
        "ログの約束.docx | 保存 | 監査ログは3年以上保存する。",
        "ログの設計.docx | 保存 | 監査ログの保存期間に上限は設けない。",
    ),
    "what never expires has no time to live": (
        True,
        "缓存约定.docx | 过期 | 缓存键的过期时间最长12小时。",
        "缓存设计.docx | 过期 | 缓存键永不过期。",
    ),
    "what is changed at an interval is valid that long": (
        True,
        "口令办法.docx | 口令 | 用户口令有效期180天。",
        "口令制度.docx | 口令 | 用户口令每季度更换一次。",
    ),
    "a grade stays with its label": (
        True,
        "Incident_Handbook.docx | Severity 1 | A severity 1 incident is acknowledged within 10 minutes.",
        "Response_Table.xlsx | Response times | Severity: 1 | Acknowledge: half an hour",
    ),
    "titles of all kinds are no siblings": (
        True,
        "文書管理規程.docx | 保管 | 設計書の原本は紙とする。",
        "情報管理規程.docx | 保管 | 設計書の原本は電子ファイルとする。",
    ),
    "documents of two systems are": (
        False,
        "受注システム運用方針.docx | 保管 | バックアップは3世代残す。",
        "請求システム運用方針.docx | 保管 | バックアップは7世代残す。",
    ),
    "an appendix is where a rule stands, not what it is about": (
        True,
        "執筆の手引き.docx | 付録B 文の書き方 | 設計書の文末は「です・ます」でそろえる。",
        "記入の規則.docx | 文体 | 本文は常体（である調）で書く。",
    ),
    "what need not be is not demanded": (
        True,
        "会议制度.docx | 周报 | 周报于每周五提交。",
        "汇报手册.docx | 周报 | 周报于每周一提交，不必提前到周五。",
    ),
    "what an earlier edition said is history": (
        False,
        "日志规范.docx | 编码 | V1.0规定日志用GBK输出；V2.0起改为UTF-8。",
        "采集手册.docx | 编码 | 日志用UTF-8输出。",
    ),
    "numbered steps are an order": (
        True,
        "移行手順.docx | 作業順 | 1. 告知する / 2. サービスを停止する / 3. 全件バックアップを取る",
        "移行計画.docx | 当日 | サービスを停止する前に全件バックアップを取り終える。",
    ),
    "rows of activities are an order": (
        True,
        "质量活动.xlsx | 编码阶段 | 序号: 1 | 活动: 代码走查 / 序号: 2 | 活动: 单元测试",
        "开发流程.docx | 编码阶段 | 单元测试全部通过后，方可提交代码走查。",
    ),
    "numbers that count are no order": (
        False,
        "章の内容.docx | 目次 | 1. バックアップ / 2. サービス停止 / 3. 連絡先",
        "計画.docx | 当日 | サービスを停止する前にバックアップを取り終える。",
    ),
    "rows and items to a page are one property": (
        True,
        "画面標準.docx | 一覧 | 検索結果は1ページに最大20行まで表示する。",
        "部品一覧.xlsx | 一覧 | 部品: 検索結果の一覧表 | 1ページの上限: 50件",
    ),
    "the number of a criterion is a bound": (
        True,
        "単体テスト要領.xlsx | 完了条件 | 条件: 分岐網羅率 | 基準: 100%（通らない枝が残れば完了としない）",
        "品質規程.docx | 単体テスト | 分岐網羅率が80%以上であることをもって単体テストの完了とする。",
    ),
    "what happens to whatever is longer is a bound": (
        True,
        "走查表.xlsx | 结构 | 方法体超过50行的，要求拆分后重新提交",
        "编码规范.docx | 方法 | 单个方法不超过80行。",
    ),
    "identifiers with and without a part": (
        True,
        "文書規程.docx | 採番 | 文書番号は「部署略号－西暦下2桁－連番」とする。",
        "管理方針.docx | ID体系 | 文書番号に所属を表す記号を入れてはならない。",
    ),
    "identifiers of different shapes": (
        True,
        "命名の約束.docx | バッチ | ジョブIDは「J」＋記号2桁＋連番4桁とする。例：JSL0010",
        "運用の設計.docx | ジョブ | ジョブ名は JOB_ に続けて処理名を付ける（例：JOB_URIAGE_SHUUKEI）。",
    ),
    "first versions": (
        True,
        "文書規程.docx | 版数 | 正式に発行した最初の版を1.0版とする。",
        "構成手順.docx | 版数 | 正式発行の初回は0.1から始める。",
    ),
    "what a search without hits answers": (
        True,
        "API_Rules.docx | Status codes | A search that matches nothing answers 200 with an empty array.",
        "Errors.xlsx | HTTP | Case: search without hits | Status: 404",
    ),
    "rules that bind everybody, and who is taken out of them": (
        True,
        "System_Access_Policy.docx | Scope | This policy applies to every system. There are no exemptions.",
        "Legacy_Notes.docx | Scope | Legacy systems are not covered by the system access policy.",
    ),
    "rules that bind everybody in Japanese": (
        True,
        "開発標準 総則.docx | 対象者 | 本標準は社員・協力会社の別なく、全員が守る。",
        "協力会社向け資料.pptx | 標準について | 当社の開発標準の適用対象は当社社員のみです。",
    ),
    "who is taken out of other rules": (
        False,
        "System_Access_Policy.docx | Scope | This policy applies to every system. There are no exemptions.",
        "Legacy_Notes.docx | Scope | Legacy systems are not covered by the warranty agreement.",
    ),
    "what stands left of what": (
        True,
        "界面规范.docx | 表单 | “确定”按钮放在“取消”的左侧。",
        "组件手册.docx | 表单 | 表单底部按钮从左到右依次为：取消、确定。",
    ),
    "what stands left of what, said twice": (
        False,
        "画面標準.docx | ボタン | 「登録」ボタンは「戻る」ボタンの右側に置く。",
        "部品の手引.docx | ボタン | ボタンは左から「戻る」、「登録」の順に並べる。",
    ),
    "a product that is withdrawn puts no text out of force": (
        True,
        "Closeout.xlsx | Archive | Item: design documents | Action: destroy five years after the product is withdrawn",
        "Records.docx | Design records | Design documents are kept for at least ten years after that.",
    ),
    "what a ban includes is banned": (
        True,
        "设计规范.docx | 数据层 | 禁止在数据库内编写业务逻辑，包括存储过程和触发器。",
        "批处理指南.docx | 实现方式 | 汇总逻辑须写成存储过程。",
    ),
    "a row may begin with the name of a rule": (
        True,
        "検査の設定.xlsx | ルール | 規則: LineLength | しきい値: 120文字まで許容 | 対象: Java全ファイル",
        "Javaの書き方.docx | 書式 | 1行は100文字以内に収める。",
    ),
    "versions of two and of three parts": (
        True,
        "标识规则.xlsx | 标识 | 对象: 文档 | 格式: 主版本.次版本，仅两段（V1.3）",
        "文档办法.docx | 版本 | 文档版本号由三段数字组成，形如V1.0.0。",
    ),
    "every branch is all of them": (
        True,
        "品質規程.docx | 単体テスト | 単体テストでは全ての分岐を通すこと。",
        "試験計画.docx | 単体テスト | 単体テストは分岐網羅率80%以上であればよい。",
    ),
    "a time named and a time counted": (
        False,
        "運営標準.docx | 報告 | お客様への進捗報告は隔週で行う。",
        "運営ルール.pptx | 報告 | お客様への進捗報告は14日ごとに行う。",
    ),
    "two times that differ": (
        True,
        "運営標準.docx | 報告 | お客様への進捗報告は隔週で行う。",
        "運営ルール.pptx | 報告 | お客様への進捗報告は10日ごとに行う。",
    ),
    "five in the morning is 29:00": (
        False,
        "運用設計.docx | ジョブ | 夜間バッチは5時までに終わらせる。",
        "ジョブ標準.xlsx | ジョブ | 区分: 夜間バッチ | 終了期限: 29:00",
    ),
    "bandwidths in two units": (
        False,
        "要件.docx | 回線 | 拠点とセンタの間は1Gbps以上の帯域を確保する。",
        "設計.xlsx | 回線 | 区間: 拠点とセンタの間 | 帯域: 1,000Mbps以上",
    ),
    "what must not turn up is banned": (
        False,
        "编码规范.docx | 格式 | 缩进用四个空格，不用制表符。",
        "提交检查项.xlsx | 格式 | 检查项: 缩进 | 判定: 每级4个空格，出现Tab即退回",
    ),
    "which language prevails is a rule": (
        True,
        "文档规程.docx | 语言 | 规格书的中日文本不一致时，以中文版为准。",
        "翻译规程.docx | 语言 | 规格书的中日文本不一致时，以日文版为准。",
    ),
    "what must not be changed is no history": (
        True,
        "接口模板.docx | 页面 | 说明书为A4横向，请勿改为竖版。",
        "编写规范.docx | 版式 | 说明书一律使用A4纸，纵向排版。",
    ),
    "records that decide are no text that prevails": (
        True,
        "外包管理办法.docx | 周报 | 外包人员无需提交周报，以工时系统记录为准。",
        "周报制度.docx | 周报 | 项目组全体成员（含外包人员）每周五提交周报。",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_reading(name: str) -> None:
    conflict, one, two = PAIRS[name]
    for sides in ((one, two), (two, one)):
        found = detect_conflicts([_side(key, side) for key, side in zip("ab", sides, strict=True)], LEXICON)
        assert bool(found) is conflict, [group.attribute for group in found]


@pytest.mark.parametrize(
    ("text", "dimension", "amount"),
    [("千分之五", "percent", 0.5), ("3‰", "percent", 0.3), ("百分之十", "percent", 10.0), ("4.5:1", "proportion", 4.5)],
)
def test_fractions_and_proportions(text: str, dimension: str, amount: float) -> None:
    (found,) = find_quantities(text, LEXICON)
    assert (found.dimension, round(found.amount, 6)) == (dimension, amount)


def test_a_question_only_says_what_its_answer_is_about() -> None:
    side = _side("a", "手引.docx | 質問 | Q1. 主キーは何にしますか？ / A1. 連番とします。 / 主キーの名前はIDとする。")
    assert [(rule.text, rule.subject) for rule in split_rules(side)] == [
        ("連番とします。", "主キー"),
        ("主キーの名前はidとする。", ""),
    ]


def test_a_stray_character_beside_a_short_word_makes_another_word() -> None:
    index = LEXICON.index("ja")
    assert not any("tab-char" in hit.ids for hit in scan("スタブで代える", index))
    assert any("tab-char" in hit.ids for hit in scan("タブで下げる", index))


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("没有工单号的不得提交", "zh", "须有工单号方可提交"),
        (
            "a change without an approval must not be released.",
            "en",
            "a change must have approval",
        ),
    ],
)
def test_nothing_without_it_demands_it(text: str, language: str, said: str) -> None:
    assert without_double_negation(text, language) == said  # type: ignore[arg-type]  # a literal of the parametrisation
