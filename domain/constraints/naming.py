"""Properties and values of conflicts in the words of a language, for people."""

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
    if isinstance(claim, QuantityClaim):
        return _OPERATORS[claim.quantity.operator][language].format(claim.quantity.text)
    if isinstance(claim, AbsenceClaim):
        return _NONE[language][claim.unbounded]
    if isinstance(claim, FlagClaim):
        return f"{display_name(claim.attribute, lexicon, language)}: {display_polarity(claim.on, language)}"
    between = _BETWEEN[language]
    if isinstance(claim, OrderClaim):
        sides = (claim.earlier, claim.later)
        return _THEN.join(
            between.join(display_name(name, lexicon, language) for name in sorted(side)) for side in sides
        )
    if isinstance(claim, PresenceClaim):
        return display_polarity(not claim.banned, language)
    if isinstance(claim, InclusionClaim):
        return _COUNTED[language][not claim.included]
    allowed = between.join(display_name(value, lexicon, language) for value in sorted(claim.allowed))
    denied = between.join(display_name(value, lexicon, language) for value in sorted(claim.denied))
    return " / ".join([*([allowed] if allowed else []), *([_NOT[language].format(denied)] if denied else [])])
