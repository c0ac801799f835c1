"""Rules that something measured is not there, or has no bound ("有効期限は設けない", 次数不设上限, "no retries").

A number beside such a rule contradicts it: whoever limits retries to three wants retries, and a bound.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .lexicon import Lexicon
from .measures import QuantityClaim, with_broader
from .text import Hit, Language
from .values import find_quantities

_UNBOUNDED: dict[Language, re.Pattern[str]] = {
    "ja": re.compile(
        r"無制限|無期限|制限(?:は|を)?(?:し|設け|定め|かけ)(?:ない|ません)|(?:上限|下限|制限|限度)(?:は|を|も)?(?:特に)?(?:設け|定め|置か|決め)(?:ない|ません|ず)"
        r"|(?:上限|制限|限度)(?:は|も)?(?:なし|無し|ない)|期限(?:は|を|も)?(?:特に)?(?:設け|定め|切ら)(?:ない|ません|ず)|期限(?:は)?(?:なし|無し)|切れない|失効しない|いつまでも"
    ),
    "zh": re.compile(
        r"无限制|不(?:设|作|做|加)(?:任何)?(?:上限|下限|限制|期限)|不限(?!于)|无上限|没有(?:上限|限制|期限)|永不(?:过期|失效)|永久有效|长期有效|不过期|不设[^，。]{0,6}(?:期限|有效期|时间)"
    ),
    "en": re.compile(
        r"\bunlimited\b|\bno (?:upper |fixed |maximum )?(?:limit|cap|maximum|bound|expiry|expiration)\b|\bwithout (?:an? |any )?(?:upper )?(?:limit|cap|bound)\b"  # noqa: E501  # a pattern stays in one line
        r"|\b(?:never|not) expires?\b|\bnot (?:be )?(?:limited|capped|restricted)\b|\bindefinitely\b|\buntil (?:it|they) succeeds?\b"  # noqa: E501  # a pattern stays in one line
    ),
}


@dataclass(frozen=True, slots=True)
class AbsenceClaim:
    """Properties that are not to be there, or have no bound.

    Attributes:
        attribute: Always `absence`.
        properties: Attributes of the lexicon.
        unbounded: They may be as great as one likes: a least value beside this rule is no conflict.
    """

    attribute: str
    properties: frozenset[str]
    unbounded: bool


def absences_in(  # noqa: PLR0917  # a clause and what reads it
    text: str,
    hits: tuple[Hit, ...],
    banned: frozenset[str],
    concepts: frozenset[str],
    language: Language,
    lexicon: Lexicon,
) -> Iterator[AbsenceClaim]:
    """Yield what a normalised clause without a number says is not measured.

    Args:
        text: The clause.
        hits: The lexicon's words in it.
        banned: What its negation bans.
        concepts: Everything named by the clause and its surroundings.
        language: Of the clause.
        lexicon: The lexicon.
    """
    if find_quantities(text, lexicon):
        return
    named = frozenset(name for hit in hits for name in with_broader(hit, lexicon) if name in lexicon.attributes)
    if _UNBOUNDED[language].search(text):
        properties = named or concepts & lexicon.attributes.keys()
        if properties:
            yield AbsenceClaim("absence", properties, unbounded=True)
    elif banned & named:
        yield AbsenceClaim("absence", banned & named, unbounded=False)


def is_contradicted(absence: AbsenceClaim, number: QuantityClaim) -> bool:
    """Tell whether a number is given for what is not to be there, or has no bound."""
    if absence.unbounded and number.quantity.operator == ">=":
        return False
    return not absence.properties.isdisjoint(number.properties or number.around)
