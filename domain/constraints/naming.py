"""Properties and values of conflicts in the words of a language, for people."""

from collections.abc import Collection

from .absence import AbsenceClaim
from .claims import Claim, FlagClaim
from .inclusion import InclusionClaim
from .lexicon import Lexicon
from .measures import QuantityClaim
from .ordering import OrderClaim
from .presence import PresenceClaim
from .text import Language

_OPERATORS: dict[str, dict[Language, str]] = {
    ">=": {"ja": "{} 以上", "zh": "≥ {}", "en": "at least {}"},
    "<=": {"ja": "{} 以下", "zh": "≤ {}", "en": "at most {}"},
    "=": {"ja": "{}", "zh": "{}", "en": "{}"},
}
_YES: dict[Language, tuple[str, str]] = {"ja": ("する", "しない"), "zh": ("是", "否"), "en": ("yes", "no")}
_NONE: dict[Language, tuple[str, str]] = {
    "ja": ("なし", "制限なし"),
    "zh": ("无", "无限制"),
    "en": ("none", "no limit"),
}
_COUNTED: dict[Language, tuple[str, str]] = {
    "ja": ("含む", "含まない"),
    "zh": ("计入", "不计入"),
    "en": ("included", "left out"),
}
_NOT: dict[Language, str] = {"ja": "{} 以外", "zh": "非 {}", "en": "not {}"}
_BETWEEN: dict[Language, str] = {"ja": "・", "zh": "、", "en": ", "}
_THEN = " → "


def display_name(identifier: str, lexicon: Lexicon, language: Language) -> str:
    """Return what people call a property or a value: its name, else its first word, else the identifier itself."""
    named = lexicon.names.get(identifier, {}).get(language)
    if named:
        return named
    for source in (language, "en"):
        words = [word for word in lexicon.words.get(source, {}).get(identifier, ()) if ":" not in word]
        if words:
            return words[0].strip('"「」')
    return identifier


def display_polarity(positive: bool, language: Language) -> str:
    """Return "yes" or "no" as people read it."""
    return _YES[language][0 if positive else 1]


def display_value(claim: Claim, lexicon: Lexicon, language: Language) -> str:
    """Return the value of a claim as people read it ("太字", "12文字 以上", "at least 8 characters")."""

    def named(values: Collection[str]) -> str:
        return _BETWEEN[language].join(display_name(value, lexicon, language) for value in sorted(values))

    match claim:
        case QuantityClaim(quantity=quantity):
            told = _OPERATORS[quantity.operator][language].format(quantity.text)
        case AbsenceClaim(unbounded=unbounded):
            told = _NONE[language][unbounded]
        case FlagClaim(attribute=attribute, on=on):
            told = f"{display_name(attribute, lexicon, language)}: {display_polarity(on, language)}"
        case OrderClaim(earlier=earlier, later=later):
            told = _THEN.join((named(earlier), named(later)))
        case PresenceClaim(banned=banned):
            told = display_polarity(not banned, language)
        case InclusionClaim(included=included):
            told = _COUNTED[language][not included]
        case chosen:
            denied = [_NOT[language].format(named(chosen.denied))] if chosen.denied else []
            told = " / ".join([*([named(chosen.allowed)] if chosen.allowed else []), *denied])
    return told
