"""Words that mean nearly the same, for a keyword search that finds 改版 when 版を上げる was asked for."""

import re
from collections.abc import Sequence
from typing import Final

from .chunks import Category
from .names import COLLECTIONS

_DIGIT: Final = re.compile(r"\d")
_FULL: Final = 1.0


def term_collection(category: Category) -> str:
    """Return the name under which vectors of a category's words are kept ("rules-write.terms")."""
    return f"{COLLECTIONS[category]}.terms"


def comparable_terms(vocabulary: Sequence[str]) -> list[str]:
    """Return the terms that may stand for another: F002 is no way to say F001, and 2020 none to say 2019."""
    return [term for term in vocabulary if _DIGIT.search(term) is None]


def term_group(
    term: str, neighbours: Sequence[tuple[str, float, float]], rarity: float, *, least: float, power: float
) -> list[tuple[str, float]]:
    """Return a term with what may stand in its place, each with its weight.

    The weight of an alternative is its cosine to a power, times the asked term's idf over its own where that is less
    than one: a rare word must not count for more than the common one that was asked for.

    Args:
        term: As asked, weight 1.
        neighbours: Alternatives: term, cosine, idf.
        rarity: The asked term's idf.
        least: Smallest cosine of an alternative.
        power: Greater trusts small cosines less.
    """
    group = [(term, _FULL)]
    for other, cosine, other_rarity in neighbours:
        if other == term or cosine < least:
            continue
        share = min(_FULL, rarity / other_rarity) if other_rarity > 0 else _FULL
        weight = min(_FULL, cosine) ** power * share
        if weight > 0:
            group.append((other, weight))
    return group
