"""How a whole is divided: "one file per function", サブシステムごとに1ブック, 每个模块一个文件."""

import re
from collections.abc import Iterator

from .text import Language

_ONE = r"(?:1|一)(?:つの|個の|本の|枚の|冊の|个|份|张|条|本)?"
_PATTERNS: dict[Language, tuple[re.Pattern[str], ...]] = {
    "ja": (
        re.compile(
            rf"(?P<unit>[一-龥々ァ-ヶーa-z]{{1,10}})(?:ごと|毎|単位|につき|(?:あたり|当たり))(?:に|で|、)*{_ONE}(?P<thing>[一-龥々ァ-ヶー]{{1,8}})"
        ),
        re.compile(
            rf"(?P<thing>[一-龥々ァ-ヶー]{{2,8}})は、?(?P<unit>[一-龥々ァ-ヶー]{{2,10}})(?:ごと|毎|単位)に{_ONE}(?:つ|個|枚|冊|本)"
        ),
    ),
    "zh": (
        re.compile(
            rf"(?:每一?|按)(?:个|张|条|份|次)?(?P<unit>[一-龥]{{1,6}}?)(?:各|只|仅|单独)*(?:建|用|写|设|放)?{_ONE}(?P<thing>[一-龥]{{1,6}})"
        ),
        re.compile(
            r"一(?:个|张|条|份)?(?P<unit>[一-龥]{1,5})(?:对应|只用|用)?一(?:个|张|条|份)?(?P<thing>[一-龥]{1,5})"
        ),
    ),
    "en": (
        re.compile(
            r"\b(?:one|a single|a separate|exactly one) (?P<thing>[a-z]+(?: [a-z]+)?) (?:per|for each|for every) (?P<unit>[a-z-]+(?: [a-z]+)?)"  # noqa: E501  # a pattern stays in one line
        ),
        re.compile(
            r"\b(?:each|every) (?P<unit>[a-z-]+(?: [a-z]+)?) (?:gets?|has|have|needs?|goes in|goes into|in) (?:its own|one|a single|a separate|an own) (?P<thing>[a-z]+)"  # noqa: E501  # a pattern stays in one line
        ),
    ),
}
_COUNTED = re.compile(r"^(?:1|一|各|同一|当該)+")
_NO_UNIT = re.compile(r"^(?:それ|これ|其|their|it|回|次|日|月|年|週|时|秒|分)$")


def divisions_in(text: str, language: Language) -> Iterator[tuple[str, str]]:
    """Yield things and the units of which each gets one of them, from a normalised clause."""
    for pattern in _PATTERNS[language]:
        for match in pattern.finditer(text):
            unit = _COUNTED.sub("", match["unit"])
            if unit and not _NO_UNIT.match(unit):
                yield match["thing"], unit
