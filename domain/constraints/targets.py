"""Whether two clauses speak of different members of one kind ("基本設計書", "詳細設計書"; "daily", "monthly")."""

import re
from collections.abc import Callable

from .text import Language

_END = {
    "ja": re.compile(r"は(?!じめ|ん)|について|には|では(?!な)|[:：]"),
    "zh": re.compile(r"应|须|需|必须|不得|不能|一律|统一|采用|使用|[用为由按以可均]|禁止|保留|不超过|最多|至少|[:：]"),
    "en": re.compile(
        r"\b(?:must|shall|is|are|be|has|have|should|may|can|cannot|needs?|will|contains?|carry|carries|uses?|do|does"
        r"|gets?|takes?|begins?|starts?|ends?|runs?)\b|:"
    ),
}
_RUN = re.compile(r"[\u3400-\u9fff々\u30a1-\u30fa\u30fc]{3,}")
_PAIR = re.compile(r"\b([a-z]{3,})[ -]([a-z]{3,})\b")
_NO_MODIFIER = frozenset(
    [
        "the",
        "each",
        "every",
        "all",
        "any",
        "this",
        "that",
        "these",
        "those",
        "its",
        "their",
        "our",
        "your",
        "for",
        "with",
        "and",
        "from",
        "into",
        "per",
        "such",
        "same",
        "other",
        "new",
        "own",
        "one",
        "two",
        "three",
        "four",
        "five",
        "more",
        "most",
        "least",
        "both",
        "only",
        "not",
        "when",
        "where",
        "which",
        "must",
        "shall",
        "has",
        "have",
        "are",
        "was",
        "keep",
        "use",
        "put",
        "set",
        "show",
        "give",
        "send",
        "make",
        "take",
        "draw",
    ]
)
_HEAD = 2
_SHORT_TOPIC = 4
# Three characters of which the last is a head ("定例会", "臨時会").
_SHORT_KIND, _HEADS = 3, frozenset("会書票表系型版者機側率値部課室店社品費金日類欄行列章節図層項層级")
_GENERIC_FRONT = re.compile(
    r"^(?:[本当全各両該该每各]|同(?!じ)|すべて|全て|対象|全部|所有|各種|当該|一般|通常|標準|統一)"
)


def topic_text(text: str, language: Language) -> str:
    """Return the beginning of a normalised clause that says what it is about; all of it when nothing tells."""
    match = _END[language].search(text)
    return text[: match.start()] if match and match.start() > 1 else text if match is None else ""


def are_contrasted(  # noqa: PLR0917  # two topics, what surrounds them, and how to read them
    a: str,
    b: str,
    whole_a: str,
    whole_b: str,
    language: Language,
    synonyms: Callable[[str, str], bool] = lambda _one, _two: False,
) -> bool:
    """Tell whether two topics name different kinds of one thing.

    Args:
        a: One topic.
        b: The other.
        whole_a: Everything that is said around the first: a kind named there as well is no contrast.
        whole_b: The same for the second.
        language: Of both.
        synonyms: Tells whether two words are known to mean the same.
    """
    if language == "en":
        return _contrasted_english(a, b, whole_a, whole_b)
    ones, twos = set(_RUN.findall(a)), set(_RUN.findall(b))
    ones, twos = ones - twos, twos - ones
    return any(
        are_kinds(one, two)
        and not synonyms(one, two)
        and _front(one, two) not in whole_b
        and _front(two, one) not in whole_a
        for one in ones
        for two in twos
    )


def _shared(one: str, two: str) -> int:
    count = 0
    while count < min(len(one), len(two)) and one[-1 - count] == two[-1 - count]:
        count += 1
    return count


def _front(one: str, two: str) -> str:
    return one[: len(one) - _shared(one, two)]


def are_kinds(one: str, two: str) -> bool:
    """Tell whether two compounds are different kinds of what they both end in."""
    shared = _shared(one, two)
    if shared == 1 and len(one) == len(two) == _SHORT_KIND and one[-1] in _HEADS:
        return True
    fronts = (one[: len(one) - shared], two[: len(two) - shared])
    return (
        shared >= _HEAD
        and all(front and not _GENERIC_FRONT.match(front) for front in fronts)
        and not (fronts[0].endswith(fronts[1]) or fronts[1].endswith(fronts[0]))
    )


def _other_heads(a: str, b: str, whole_a: str, whole_b: str) -> bool:
    """Tell whether two short topics are the same but for their last word ("failed reads", "failed writes")."""
    one, two = a.split(), b.split()
    return (
        1 < len(one) == len(two) <= _SHORT_TOPIC
        and one[:-1] == two[:-1]
        and one[-1].removesuffix("s") not in whole_b
        and two[-1].removesuffix("s") not in whole_a
    )


def _contrasted_english(a: str, b: str, whole_a: str, whole_b: str) -> bool:
    def kinds(text: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for position in range(len(text)):
            match = _PAIR.match(text, position) if position == 0 or text[position - 1] == " " else None
            if match and match.group(1) not in _NO_MODIFIER and match.group(2) not in _NO_MODIFIER:
                found.setdefault(match.group(2).removesuffix("s"), set()).add(match.group(1))
        return found

    one, two = kinds(a), kinds(b)
    if _other_heads(a, b, whole_a, whole_b):
        return True
    return any(
        one[head].isdisjoint(two[head])
        and not any(kind in whole_b for kind in one[head])
        and not any(kind in whole_a for kind in two[head])
        for head in one.keys() & two.keys()
    )
