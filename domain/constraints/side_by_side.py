"""Which of two things stands left of the other, as sentences and lists tell it."""

import re
from collections.abc import Iterator
from itertools import combinations

from .ordering import OrderClaim
from .text import Language

SIDES = "side-order"
_LEFT: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"([^、。はがをに]{1,14}?)(?:ボタン|欄)?(?:は|を|が)、?([^、。はがを]{1,14}?)(?:ボタン|欄)?の(?:すぐ|直)?(左|右)(?:側|隣|どなり)?(?:に|へ|と)"
    ),
    "zh": re.compile(
        r"([^，。、]{1,12}?)(?:按钮|栏)?(?:应|须)?(?:放在|置于|位于|排在|在)([^，。、]{1,12}?)(?:按钮|栏)?的?(左|右)(?:侧|边|面)"
    ),
    "en": re.compile(
        r"\b(?:the |an? )?([\w\" ]{2,24}?)(?: button| field)? (?:is|goes|stands|sits|is placed|appears|comes)? ?(?:to the )?(left|right) of (?:the )?([\w\" ]{2,24}?)(?: button| field)?(?=[,.;]|$)"  # noqa: E501  # a pattern stays in one line
    ),
}
_LISTED: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"左から(?:右へ|順に|右に)*[、は:]*((?:[^、。]{1,14}、)+[^、。]{1,14}?)(?:の順|と(?:並べ|する|し)|を並べ|に並べ|。|$)"
    ),
    "zh": re.compile(
        r"(?:从左到右|自左至右|由左至右)(?:依次|按顺序)?(?:排列)?(?:为|是|放置)?[:：]?((?:[^、，。]{1,12}[、，])+[^、，。]{1,12})"
    ),
    "en": re.compile(r"from left to right[,:]? ((?:[\w\" ]{2,24}, ?)+(?:and |then )?[\w\" ]{2,24})"),
}
_QUOTES = str.maketrans("", "", '「」『』"“”[]')
_NOISE = re.compile(r"(?:ボタン|按钮|欄|栏| button| field)$|^(?:the|an?|and|then) ")


def sides_in(sentence: str, language: Language) -> Iterator[OrderClaim]:
    """Yield which things a normalised sentence puts left of which."""
    match = _LEFT[language].search(sentence)
    if match:
        one, two, side = (match[1], match[3], match[2]) if language == "en" else (match[1], match[2], match[3])
        first, second = (one, two) if side in ("左", "left") else (two, one)
        yield from _claim(first, second)
    listed = _LISTED[language].search(sentence)
    if listed:
        things = [thing for thing in re.split(r"[、，,]", listed[1]) if thing.strip()]
        for first, second in combinations(things, 2):
            yield from _claim(first, second)


def _claim(first: str, second: str) -> Iterator[OrderClaim]:
    a, b = (_NOISE.sub("", thing.translate(_QUOTES).strip()).strip() for thing in (first, second))
    if a and b and a != b:
        yield OrderClaim(SIDES, frozenset({f"u:{a}"}), frozenset({f"u:{b}"}))


def are_swapped(a: OrderClaim, b: OrderClaim) -> bool:
    """Tell whether two rules put the same two things the other way round."""
    return a.earlier == b.later and a.later == b.earlier
