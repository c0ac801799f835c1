"""Cells whose value is a verdict on what the row or their label names, in the words of a rule.

"構文: goto文 | 可否: 可" permits it, "必須/任意: 必須" demands it, "顧客レビュー: 不要" waives it, and "goto文: NG"
bans it.
"""

import re
from typing import Literal

from .headed import existence_of_row
from .roles import is_party
from .text import Language

Judgement = Literal["banned", "waived", "demanded", "permitted", "applied", "exempt"]

_WORDED: dict[Judgement, dict[Language, str]] = {
    "banned": {"ja": "{}は禁止する。", "zh": "禁止{}", "en": "{} is prohibited"},
    "permitted": {"ja": "{}は認める。", "zh": "允许{}", "en": "{} is permitted"},
    "waived": {"ja": "{}は不要とする。", "zh": "无需{}", "en": "{} is not required"},
    "demanded": {"ja": "{}を必須とする。", "zh": "必须有{}", "en": "{} is mandatory"},
    "applied": {"ja": "{}にも適用する。", "zh": "也适用于{}", "en": "this also applies to {}"},
    "exempt": {"ja": "{}は適用対象外とする。", "zh": "不适用于{}", "en": "this does not apply to {}"},
}
_JOINED: dict[Language, str] = {"ja": "{}の{}", "zh": "{}{}", "en": "{1} of {0}"}
_YES = r"○|◯|〇|●|◎|✓|✔|はい|yes|y|是"
_NO = r"×|✕|✗|☓|いいえ|no|n|否"
# Labels that ask whether something may, must, or is to be taken in, with what their values mean.
_PERMISSION = re.compile(
    r"^(?:[^:]{0,6}の?)?(?:可否|可・?不可|可/不可|許否|許可|認可|使用の可否|能否|可以吗|是否允许|是否可用|是否可以|允许与否|允许)$"
    r"|^(?:allowed|permitted|permission|permissible|ok|may be used|acceptable)\??$"
)
_DUTY = re.compile(
    r"^(?:[^:]{0,8}の?)?(?:要否|必要性|要不要|要・不要|要/不要|必須・任意|必須/任意|任意/必須|必須区分|必須有無|必須か|必須|必填/选填|必填|是否必填|是否必须|是否需要|必要与否)$"
    r"|^(?:mandatory|required|mandatory/optional|required/optional|m/o|obligation|obligatory|needed|necessity|needed)\??$"
)
_APPLICATION = re.compile(
    r"^(?:適用(?:の?有無|対象|可否|範囲)?|対象(?:/対象外|可否|有無)|対象・対象外|是否适用|适用(?:与否|性)?|applies|applicable|applicability|in scope)\??$"  # noqa: E501  # a pattern stays in one line
)
_VALUES: tuple[tuple[re.Pattern[str], tuple[tuple[Judgement, re.Pattern[str]], ...]], ...] = (
    (
        _PERMISSION,
        (
            (
                "permitted",
                re.compile(
                    rf"^(?:{_YES}|可|ok|許可(?:する)?|認める|可能|(?:使用|利用)可|よい|許容|可以|允许|许可|allowed|permitted|acceptable|may)$"
                ),
            ),
            (
                "banned",
                re.compile(
                    rf"^(?:{_NO}|不可|ng|禁止|厳禁|不許可|認めない|(?:使用|利用)不可|だめ|ダメ|不可以|不允许|不准|严禁|not allowed|not permitted|forbidden|prohibited|never)$"  # noqa: E501  # a pattern stays in one line
                ),
            ),
        ),
    ),
    (
        _DUTY,
        (
            (
                "demanded",
                re.compile(
                    rf"^(?:{_YES}|要|必要|必須|必ず|必填|必须|需要|需|mandatory|required|must|m|always|needed)$"
                ),
            ),
            (
                "waived",
                re.compile(
                    rf"^(?:{_NO}|不要|任意|省略可|無くてもよい|選択|选填|可选|非必填|不需要|无需|不必|optional|o|not (?:required|needed|mandatory))$"  # noqa: E501  # a pattern stays in one line
                ),
            ),
        ),
    ),
    (
        _APPLICATION,
        (
            ("applied", re.compile(rf"^(?:{_YES}|対象|適用(?:する)?|対象とする|适用|in scope|applies)$")),
            (
                "exempt",
                re.compile(
                    rf"^(?:{_NO}|対象外|適用外|除外|適用しない|適用除外|不适用|豁免|out of scope|exempt|not applicable|does not apply)$"  # noqa: E501  # a pattern stays in one line
                ),
            ),
        ),
    ),
)
# Verdicts that need no label to be understood: their label is the thing itself ("goto文: NG", "顧客レビュー: 不要").
_PLAIN: tuple[tuple[Judgement, re.Pattern[str]], ...] = (
    (
        "banned",
        re.compile(r"^(?:ng|不可|禁止|厳禁|使用不可|利用不可|不许|不允许|禁用|forbidden|prohibited|not allowed)$"),
    ),
    (
        "permitted",
        re.compile(r"^(?:ok|可|使用可|利用可|許可|許容|認める|可以|允许|allowed|permitted|acceptable|fine)$"),
    ),
    (
        "waived",
        re.compile(
            r"^(?:不要|任意|省略可|要らない|いらない|选填|可选|无需|不需要|不必|optional|not (?:required|needed))$"
        ),
    ),
    ("demanded", re.compile(r"^(?:必須|必要|必填|必须|mandatory|required|obligatory)$")),
)
# Marks are verdicts on what is done, not on parties and products in a table of comparison.
_MARKED_ACT = re.compile(
    r"(?:持ち?込み?|持ち?出し?|印刷|複製|コピー|使用|利用|保存|共有|転送|公開|アクセス|閲覧|参照|変更|更新|削除|作成|接続|貸出し?|撮影|録音|録画|飲食|実行|操作"
    r"|携带|打印|复制|拷贝|使用|保存|共享|转发|访问|修改|删除|printing|copying|sharing|access|use)$"
)
_MARKS: tuple[tuple[Judgement, re.Pattern[str]], ...] = (
    ("permitted", re.compile(r"^(?:○|◯|〇|◎|✓|✔)$")),
    ("banned", re.compile(r"^(?:×|✕|✗|☓)$")),
)
# Labels that say nothing of their own, and those whose cells tell results or remarks.
_NO_LABEL = re.compile(
    r"^(?:項目|対象|区分|種別|分類|結果|判定|評価|備考|状態|状況|確認|点検|理由|条件|例外|注記?|影響|問題|件数|値|設定値?|既定値?|デフォルト|規則|ルール|内容|要求|方法|方針"
    r"|结果|状态|备注|值|默认值?|结论|条件|原因|规则|内容|要求|result|status|state|remark|note|value|default|check|condition|reason|rule|requirement|priority|level)"
)
_SWITCHED = re.compile(r"^(?:on|off|オン|オフ|有効|無効|开|关|开启|关闭|启用|禁用|enabled|disabled)$")
_ON = re.compile(r"^(?:on|オン|有効|开|开启|启用|enabled)$")
_ENVIRONMENT = re.compile(
    r"(?:本番|開発|検証|試験|テスト|ステージング)(?:環境|系|機)?$|(?:生产|开发|测试|预发|正式)(?:环境)?$|^(?:production|development|staging|test)(?: environment)?$"  # noqa: E501  # a pattern stays in one line
)
_SET: dict[Language, tuple[str, str]] = {
    "ja": ("{}では{}を有効にする。", "{}では{}を出さず、無効にする。"),
    "zh": ("{}须开启{}", "{}须关闭{}"),
    "en": ("in {} {} is switched on", "in {} {} is switched off"),
}
_ASIDE = re.compile(r"\s*\([^()]*\)\s*$")
_NO_THING = re.compile(r"[:：、。,|]|^\d|\d$")
_LONGEST = 30


def said_by_cell(label: str, text: str, subject: str, language: Language) -> str:
    """Return what a normalised cell `label: value` rules, in the words of a rule; "" for a cell that is no verdict.

    Args:
        label: The cell's label.
        text: Label and value.
        subject: What the row is about, "" outside tables.
        language: Of the chunk.

    >>> said_by_cell("可否", "可否: 可", "goto文", "ja"), said_by_cell("顧客レビュー", "顧客レビュー: 不要", "", "ja")
    ('goto文は認める。', '顧客レビューは不要とする。')
    """
    value = _ASIDE.sub("", text.partition(":")[2]).strip(" 。.")
    named = _is_thing(subject)
    for labels, values in _VALUES:
        if labels.match(label):
            judged = next((name for name, words in values if words.match(value)), None)
            return _WORDED[judged][language].format(subject) if judged and named else ""
    if named and _ENVIRONMENT.search(label) and _SWITCHED.match(value):
        return _SET[language][0 if _ON.match(value) else 1].format(label, subject)
    if _is_thing(label) and not _NO_LABEL.match(label) and not is_party(label):
        values = _PLAIN + (_MARKS if _MARKED_ACT.search(label) else ())
        judged = next((name for name, words in values if words.match(value)), None)
        if judged:
            thing = _JOINED[language].format(subject, label) if named and subject not in label else label
            return _WORDED[judged][language].format(thing)
    return existence_of_row(label, text, subject, language)


def _is_thing(text: str) -> bool:
    return 1 < len(text) <= _LONGEST and not _NO_THING.search(text)
