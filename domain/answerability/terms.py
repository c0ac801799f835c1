"""What the words of a query say: how much of it the best text covers, what the handbook never mentions."""

import math
import re
from collections.abc import Iterable, Mapping

from ..constraints.text import language_of, normalise

_CJK = re.compile(r"[\u3041-\u30ff\u3400-\u9fff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_KATAKANA_NAME = re.compile(r"[\u30a1-\u30fa\u30fc]{3,}")
_LATIN_NAME = re.compile(r"[a-z]{3,}")
_IDENTIFIER = re.compile(r"(?=.*[a-z])(?=.*\d).+")
_CAPITALISED = re.compile(r"(?<![.!?:] )(?<!^)\b[A-Z][A-Za-z]{2,}")
_MOST = 0.3
"""One unknown name is decisive; more weight than this says no more."""


def rarity(texts: int, containing: int) -> float:
    """Return the weight of a term, the idf of Lucene's BM25: log(1 + (N - n + 0.5) / (n + 0.5)), above 0."""
    return math.log(1 + (texts - containing + 0.5) / (containing + 0.5))


def coverage(weights: Mapping[str, float], held: Iterable[frozenset[str]]) -> float:
    """Return the greatest share of the query's weight that one text holds, 0 to 1; 0 without terms or texts.

    Args:
        weights: Weight of each distinct term of the query.
        held: For each text, words that it holds; those that are no terms do not count.
    """
    total = math.fsum(weights.values())
    if total <= 0:
        return 0.0
    shares = (math.fsum(weight for term, weight in weights.items() if term in words) / total for words in held)
    return max(shares, default=0.0)


def own_words(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the terms without identifiers such as f001: those name the caller's own design, which no rule mentions.

    A query of nothing else keeps them.
    """
    kept = {term: weight for term, weight in weights.items() if not _IDENTIFIER.fullmatch(term)}
    return kept or dict(weights)


def related_coverage(
    weights: Mapping[str, float], related: Mapping[str, Mapping[str, float]], held: Iterable[frozenset[str]]
) -> float:
    """Return the greatest share of the query's weight that one text holds, 0 to 1, by meaning.

    A term that the text does not hold counts the squared cosine of the nearest word that it does hold: 締め切り is
    half said where 期限 stands, while the cosine of two words that have nothing to do with each other is not yet 0.

    Args:
        weights: Weight of each distinct term of the query.
        related: Words near to a term, with their cosines.
        held: For each text, which of the terms and related words it holds.
    """
    total = math.fsum(weights.values())
    if total <= 0:
        return 0.0

    def said(term: str, words: frozenset[str]) -> float:
        if term in words:
            return 1.0
        return max((cosine for word, cosine in related.get(term, {}).items() if word in words), default=0.0) ** 2

    shares = (math.fsum(weight * said(term, words) for term, weight in weights.items()) / total for words in held)
    return max(shares, default=0.0)


def is_foreign(query: str, texts: Iterable[str]) -> bool:
    """Return whether a query is in another language than most of the texts, so that shared words say nothing.

    Han characters that Japanese and Chinese both write belong to either.
    """
    languages = [language_of(normalise(text)) for text in texts]
    if not languages:
        return False
    common = max(sorted(set(languages)), key=languages.count)
    own = language_of(normalise(query))
    if own == common:
        return False
    both = own == "zh" and common == "ja" and all(_in_japanese(character) for character in _HAN.findall(query))
    return not both


def unknown_names(query: str, weights: Mapping[str, float], known: frozenset[str], *, foreign: bool) -> float:
    """Return the share of a query's weight in names that the whole handbook never mentions, 0 to 0.3.

    A name is a katakana word, a Latin word in a Japanese or Chinese query, or a capitalised one within an English
    sentence. Identifiers with digits (F001) name the caller's own design and do not count.

    Args:
        query: As given.
        weights: Weight of each distinct term of the query.
        known: The terms that occur anywhere in the handbook.
        foreign: The query is in another language than the handbook: Latin names are all that can be compared then.
    """
    total = math.fsum(weights.values())
    cjk = _CJK.search(query) is not None
    if total <= 0 or (foreign and not cjk):
        return 0.0
    capitalised = {word.casefold() for word in _CAPITALISED.findall(query)}
    names = [
        term
        for term in weights
        if term not in known
        and (
            (not foreign and _KATAKANA_NAME.fullmatch(term))
            or (_LATIN_NAME.fullmatch(term) and (cjk or term in capitalised))
        )
    ]
    if foreign:
        return _MOST if names else 0.0
    return min(_MOST, math.fsum(weights[name] for name in names) / total)


def _in_japanese(character: str) -> bool:
    try:
        character.encode("cp932")
    except UnicodeEncodeError:
        return False
    return True
