"""Headings that judge what stands below them ("書かなくてよいもの", "禁止事項", "Not required")."""

import re
from typing import Literal

from .text import Language

Verdict = Literal["banned", "waived"]

_WAIVING = re.compile(
    r"(?:なくて(?:も)?(?:よい|良い|いい|構わない)|不要(?:な|の)?|省略(?:できる|可能?な?|してよい)|省いてよい)(?:もの|項目|事項|記載|書類|作業|欄)?$"
    r"|(?:不需要|无需|不必|可省略|可以省略|可不写)[^，。]{0,6}$|^(?:not (?:required|needed|necessary)|may be omitted|optional items?)$"  # noqa: E501  # a pattern stays in one line
)
_BANNING = re.compile(
    r"(?:禁止(?:事項|項目|行為|表現)?|使(?:わない|用しない|ってはいけない)(?:もの|語|言葉|表現)?|書かない(?:もの|こと)?|してはいけないこと"
    r"|やってはいけないこと|避けること|避けるべき(?:こと|もの|表現))$"
    r"|(?:禁止事项|禁用|不得使用|禁止使用|不写的内容|避免)[^，。]{0,4}$|^(?:prohibited|forbidden|do not use|not allowed|avoid|don'ts)$"  # noqa: E501  # a pattern stays in one line
)
# A fragment names a thing; a sentence says itself what holds of it.
_FRAGMENT: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(r"[一-龥々ァ-ヶーa-z0-9」』)]$"),
    "zh": re.compile(r"^[^，,。;；:不无未须应]{2,24}$"),
    "en": re.compile(r"^(?!.*\b(?:is|are|must|shall|may|can|do|not|no|never)\b)[^.:;]{3,60}$"),
}
_ASIDE = re.compile(r"\s*\([^()]*\)\s*$")
_LONGEST = 40
_WORDED: dict[tuple[Verdict, Language], str] = {
    ("banned", "ja"): "{}は使用しないこと。",
    ("waived", "ja"): "{}は不要とする。",
    ("banned", "zh"): "禁止{}",
    ("waived", "zh"): "无需{}",
    ("banned", "en"): "do not use {}",
    ("waived", "en"): "{} need not be given",
}


def verdict_of(heading: str) -> Verdict | None:
    """Return what a normalised heading says of the items below it, None when it says nothing."""
    if _WAIVING.search(heading):
        return "waived"
    return "banned" if _BANNING.search(heading) else None


def under_heading(text: str, verdict: Verdict, language: Language) -> str:
    """Return a normalised item of a list in the words of a rule; sentences stay as they are.

    >>> under_heading("改修の要件番号(別の票でたどれる)", "waived", "ja")
    '改修の要件番号は不要とする。'
    """
    item = _ASIDE.sub("", text).rstrip("。.;；")
    if len(item) > _LONGEST or not _FRAGMENT[language].search(item):
        return text
    return _WORDED[verdict, language].format(item)
