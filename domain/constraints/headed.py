"""Headings that judge what stands below them ("書かなくてよいもの", "禁止事項", "Not required")."""

import re
from typing import Literal

from .text import Language

Verdict = Literal["banned", "waived", "demanded", "permitted"]

_WAIVING = re.compile(
    r"(?:なくて(?:も)?(?:よい|良い|いい|構わない)|不要(?:な|の)?|省略(?:できる|可能?な?|してよい)|省いてよい)(?:もの|項目|事項|記載|書類|作業|欄)?$"
    r"|(?:不需要|无需|不必|可省略|可以省略|可不写)[^，。]{0,6}$|^(?:not (?:required|needed|necessary)|may be omitted|optional items?)$"  # noqa: E501  # a pattern stays in one line
)
_BANNING = re.compile(
    r"(?:禁止(?:事項|項目|行為|表現)?|使(?:わない|用しない|ってはいけない)(?:もの|語|言葉|表現)?|書かない(?:もの|こと)?|してはいけないこと"
    r"|(?:やっ|し)ては(?:いけない|ならない)こと|(?:や|し)ちゃ(?:だめ|ダメ|いけない)なこと|避けること|避けるべき(?:こと|もの|表現)"
    r"|(?:^|[ 、・])ng(?:集|例|事項|行為|リスト|項目|ルール)?|べからず集?|不可(?:事項|なもの)?|認めない(?:もの|こと))$"
    r"|(?:禁止事项|禁用|不得使用|禁止使用|不写的内容|避免|禁止(?:行为|操作|项)|严禁事项|不允许的(?:做法|行为|操作)|不可以做的)[^，。]{0,4}$"
    r"|^(?:prohibited|forbidden|do not use|not allowed|avoid|don'?ts?|do not(?:s| do)?|never(?: do)?|things? to avoid|what not to do|not permitted|prohibitions|banned(?: practices)?)$"  # noqa: E501  # a pattern stays in one line
)
_DEMANDING = re.compile(
    r"^(?:必須(?:事項|項目|章|要件|の章|の項目)?|必ず(?:書く|付ける|入れる|行う|記載する|実施する)(?:もの|こと|項目|事項)|必須(?:で)?記載(?:する)?(?:事項|項目)?)$"
    r"|^(?:必填项(?:目)?|必备(?:内容|项目|章节)|必须包含的?(?:内容|项目)|必写内容)$"
    r"|^(?:mandatory|required|mandatory (?:items|sections|contents?|fields)|required (?:items|sections|contents?|fields)|must[- ]haves?)$"  # noqa: E501  # a pattern stays in one line
)
_PERMITTING = re.compile(
    r"^(?:(?:使って|して|やって|利用して|使用して)(?:も)?(?:よい|良い|いい|かまわない|構わない)(?:もの|こと)|(?:使用|利用)(?:可|可能|できる)(?:な?もの|項目)?|許可(?:事項|されるもの)?|認めるもの)$"
    r"|^(?:允许(?:事项|使用|的(?:做法|行为|操作))|可以使用的?)$|^(?:allowed|permitted|may be used|permissible)$"
)
# What an item of a list is that names no thing but tells an act: a verb at its end, or an English imperative.
_ACT: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(r"(?:[うくすつぬむるぐぶ]|すること|こと)$"),
    "zh": re.compile(r"^[\u4e00-\u9fff][^，,。；;:]{3,39}$"),
    "en": re.compile(
        r"^(?:use|using|add|put|leave|send|store|keep|open|edit|copy|share|commit|push|merge|write|print|save|delete|change|install|hard-?code|disable|skip|ignore|log|reuse|rename|call|test|deploy|run|mix|nest|connect)\b[^.:;]{2,70}$"
    ),
}
_ACT_WORDED: dict[tuple[Verdict, Language], str] = {
    ("banned", "ja"): "{}ことは禁止する。",
    ("permitted", "ja"): "{}ことを認める。",
    ("banned", "zh"): "禁止{}",
    ("permitted", "zh"): "允许{}",
    ("banned", "en"): "do not {}",
    ("permitted", "en"): "you may {}",
}
# A fragment names a thing; a sentence says itself what holds of it.
_FRAGMENT: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(r"[一-龥々ァ-ヶーa-z0-9」』)]$"),
    "zh": re.compile(r"^[^，,。;；:不无未须应]{2,24}$"),
    "en": re.compile(r"^(?!.*\b(?:is|are|must|shall|may|can|do|not|no|never)\b)[^.:;]{3,60}$"),
}
_ASIDE = re.compile(r"\s*\([^()]*\)\s*$")
_OUTLINE = re.compile(r"^[\d.()\s]+|^第[\d一二三四五六七八九十]+[章節条项節]\s*")
# An item that says itself what holds of it.
_OWN_VERDICT = re.compile(
    r"(?:禁止|禁じ|厳禁|不要|不可|必須|必要|任意|避け|控え|やめ|とする|である)(?:る|する|とする|こと)?$|^(?:禁止|严禁|必须|应|须|可以|允许|请)|\b(?:must|shall|may|should|is|are)\b"
)
_LONGEST = 40
_WORDED: dict[tuple[Verdict, Language], str] = {
    ("banned", "ja"): "{}は使用しないこと。",
    ("waived", "ja"): "{}は不要とする。",
    ("banned", "zh"): "禁止{}",
    ("waived", "zh"): "无需{}",
    ("banned", "en"): "do not use {}",
    ("waived", "en"): "{} need not be given",
    ("demanded", "ja"): "{}を必ず付ける。",
    ("demanded", "zh"): "必须有{}",
    ("demanded", "en"): "{} must be present",
    ("permitted", "ja"): "{}は認める。",
    ("permitted", "zh"): "允许{}",
    ("permitted", "en"): "{} is permitted",
}


# Cells that give a verdict on what the row describes ("検査項目: 版数の手書き | 判定: 不合格").
_VERDICT_LABEL = re.compile(
    r"^(?:結論|判定|評価|結果|扱い|取扱い|可否|处理|处置|结论|判定|结果|评定|不符合|是否允许|result|verdict|outcome|decision|assessment|action)$"
)
_REFUSAL = re.compile(
    r"^(?:不合格|不可|不適合|差し?戻し|却下|ng|×|禁止|認めない|修正させる|驳回|拒绝|不通过|不合格|不允许|禁止|退回|返工|必须整改|整改"
    r"|fail(?:ed|s)?|reject(?:ed)?|not (?:allowed|accepted|permitted|ok)|refused?|forbidden|prohibited|blocked)(?![a-zぁ-ん]*(?:なら|率|数))"  # noqa: E501  # a pattern stays in one line
)
# What already says no: "no version | fail" demands one, which is left to the reader of the words.
_NEGATIVE = re.compile(
    r"ない|なし|ません|無[い し]|未|欠|不|没|无|缺|\bno\b|\bnot\b|\bwithout\b|\bmissing\b|\black|n't\b"
)
_REFUSED: dict[Language, str] = {"ja": "{}ことは禁止する", "zh": "禁止{}", "en": "it is not allowed that {}"}


def is_refusal(label: str, value: str) -> bool:
    """Tell whether a normalised cell turns down what its row describes.

    >>> is_refusal("判定", "不合格とする"), is_refusal("結果", "1件")
    (True, False)
    """
    return _VERDICT_LABEL.match(label) is not None and _REFUSAL.match(value) is not None


def turned_down(text: str, language: Language) -> str:
    """Return what a row describes in the words of a ban; what already says no stays as it is.

    >>> turned_down("建表语句含外键", "zh")
    '禁止建表语句含外键'
    """
    item = text.rstrip("。.;；")
    return text if _NEGATIVE.search(item) else _REFUSED[language].format(item)


# Cells that say whether what the row names is there ("項目: 透かし | 有無: なし", "Element: Logo | Used: no").
_EXISTENCE_LABEL = re.compile(
    r"^(?:有無|要否|使用(?:有無)?|利用(?:有無)?|付与|付加|必要性|設置|要不要|使用可否|要否|有无|是否(?:使用|需要|显示|启用|设置|添加|保留|允许)|需要|使用与否"
    r"|used?|usage|needed|present|presence|included?|shown|enabled|in use)$"
)
_VALUES_OF_EXISTENCE: tuple[tuple[Verdict, re.Pattern[str]], ...] = (
    ("waived", re.compile(r"^(?:不要|無用|任意|不需要|无需|不必|否|not (?:needed|required)|optional)$")),
    (
        "banned",
        re.compile(
            r"^(?:なし|無し|無|无|没有|しない|不可|禁止|使用しない|使わない|付けない|不设|不使用|不显示|×|✕|✗|no|none|never|off)$"
        ),
    ),
    (
        "demanded",
        re.compile(
            r"^(?:あり|有り?|要|する|必須|必要|使用する|付ける|是|需要|必须|使用|显示|○|◯|●|yes|always|required|on)$"
        ),
    ),
)
# Cells whose label is the thing itself ("Asterisks: none anywhere on the form").
_NONE = re.compile(
    r"^(?:なし|無し|付けない|入れない|設けない|不要|无|没有|不加|不设|none\b.*|not used|never|no(?= )?$)"
)
_THING_LABEL = re.compile(
    r"^(?!.*(?:例外|備考|特記|条件|注記?$|制限|上限|下限|期限|限度|有無|要否|可否|影響|変更|問題|指摘|エラー|结果|備考|例外|备注|限制|影响|问题|其他|その他"
    r"|exception|remark|note|limit|restriction|condition|comment|result|error|impact|change|value|default|other|used|usage|needed|present)).{2,24}$"
)
_NO_THING = re.compile(r"\d|[:：、。,|]")
_LONGEST_THING = 24


def existence_of_row(label: str, text: str, subject: str, language: Language) -> str:
    """Return what a normalised cell `label: value` says of its row's subject in the words of a rule, "" for others.

    >>> existence_of_row("有無", "有無: なし", "透かし", "ja")
    '透かしは使用しないこと。'
    """
    value = _ASIDE.sub("", text.partition(":")[2]).strip(" 。.")
    if _NONE.match(value) and _THING_LABEL.match(label) and not _NO_THING.search(label):
        return _WORDED["banned", language].format(label)
    if not subject or len(subject) > _LONGEST_THING or _NO_THING.search(subject) or not _EXISTENCE_LABEL.match(label):
        return ""
    verdict = next((name for name, values in _VALUES_OF_EXISTENCE if values.match(value)), None)
    return _WORDED[verdict, language].format(subject) if verdict else ""


def verdict_of(heading: str) -> Verdict | None:
    """Return what a normalised heading says of the items below it, None when it says nothing."""
    heading = _OUTLINE.sub("", heading)
    if _WAIVING.search(heading):
        return "waived"
    if _BANNING.search(heading):
        return "banned"
    if _DEMANDING.search(heading):
        return "demanded"
    return "permitted" if _PERMITTING.search(heading) else None


def under_heading(text: str, verdict: Verdict, language: Language) -> str:
    """Return a normalised item of a list in the words of a rule; sentences that say yes or no stay as they are.

    >>> under_heading("改修の要件番号(別の票でたどれる)", "waived", "ja")
    '改修の要件番号は不要とする。'
    >>> under_heading("タグを付け替える", "banned", "ja")
    'タグを付け替えることは禁止する。'
    """
    item = _ASIDE.sub("", text).rstrip("。.;；")
    if len(item) > _LONGEST or _NEGATIVE.search(item) or _OWN_VERDICT.search(item):
        return text
    act = _ACT_WORDED.get((verdict, language))
    if act is not None and _ACT[language].search(item):
        return act.format(item.removesuffix("こと"))
    if not _FRAGMENT[language].search(item):
        return text
    return _WORDED[verdict, language].format(item)
