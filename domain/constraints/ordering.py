"""Claims about what comes first: "A before B", "B after A", "in the order A, B"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from .content import concepts_of, content_of
from .lexicon import Lexicon
from .text import Language, scan

_ZH_FIRST = re.compile(r"先(.{1,20}?)[，,]?\s*(?:后|再|然后|方可)(.{1,20})")
_ZH_ONLY_AFTER = re.compile(
    r"([^，,。；;:]{2,24}?)(?:之后|以后|后)[，,]?\s*(?:方可|才可|才能|方能|再)([^，,。；;]{2,20})"
)
_JA_FIRST = re.compile(r"先に(.{1,20}?)、(?:次に|その後|続いて)(.{1,20})")
_NO_STEPS = frozenset(
    {"item", "document", "user", "screen", "page", "number", "file", "name", "list", "message", "string"}
)
_LIST_GAP = re.compile(r"[、,，]|→|->|⇒")


@dataclass(frozen=True, slots=True)
class OrderClaim:
    """One thing comes before another.

    Attributes:
        attribute: Always `order`.
        earlier: Concepts of what comes first.
        later: Concepts of what follows.
    """

    attribute: str
    earlier: frozenset[str]
    later: frozenset[str]


def orders_in(sentence: str, language: Language, lexicon: Lexicon) -> Iterator[OrderClaim]:
    """Yield the orders that a normalised sentence states."""
    for first, second in _ordered_texts(sentence, language, lexicon):
        a, b = (_steps(text, language, lexicon) for text in (first, second))
        a, b = (_activities(found, lexicon) for found in (a - b, b - a))
        if a and b:
            yield OrderClaim("order", a, b)


def _steps(text: str, language: Language, lexicon: Lexicon) -> frozenset[str]:
    """Return the concepts and unknown words of a step."""
    hits = scan(text, lexicon.index(language))
    words = content_of(text, hits, (), lexicon, language)
    return concepts_of(hits, lexicon) | {word for word in words if word.startswith("u:")}


def _activities(concepts: frozenset[str], lexicon: Lexicon) -> frozenset[str]:
    """Drop what is no step of a process: properties, values, flags."""
    return frozenset(
        name
        for name in concepts
        if name not in lexicon.attributes
        and name not in lexicon.enum_of
        and name not in lexicon.flag_set
        and name not in _NO_STEPS
    )


def _ordered_texts(sentence: str, language: Language, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    for pattern in (_ZH_FIRST, _ZH_ONLY_AFTER, _JA_FIRST):
        for match in pattern.finditer(sentence):
            yield match.group(1), match.group(2)
    for hit in scan(sentence, lexicon.index(language)):
        left, right = sentence[: hit.start], sentence[hit.end :]
        if hit.is_marker("in-order"):
            items = _LIST_GAP.split(left)
            yield from pairwise(items)
        elif hit.is_marker("before-verb"):
            if language == "en":
                later, earlier = _halves(right)
                yield (left, right) if left.strip() else (earlier, later)
            else:
                yield right, _tail(left)
        elif hit.is_marker("after-verb"):
            if language == "en":
                yield (right, left) if left.strip() else _halves(right)
            else:
                yield _tail(left), right


def _tail(text: str) -> str:
    """Return the last part of a text, which the marker behind it governs."""
    return re.split(r"[。；;，]", text)[-1]


def _halves(text: str) -> tuple[str, str]:
    first, _, second = text.partition(",")
    return first, second
