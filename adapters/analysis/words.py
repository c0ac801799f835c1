"""Words, numbers and identifiers: everything that is written with gaps, whatever language stands around it."""

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

_CJK: Final = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c"  # iteration marks, 〆, 〇, Hangzhou numerals
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
_LETTER: Final = rf"[^\W_{_CJK}]"
GAPPED: Final = re.compile(
    rf"\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!{_LETTER})|_*{_LETTER}+(?:(?:[-.'’]|_+){_LETTER}+)*(?:\+\+|#)?"
)
"""A word, a number or an identifier in NFKC text: `F001`, `3.2`, `1,000`, `UTF-8`, `snake_case`, `C++`."""
CJK_LETTERS: Final = re.compile(f"[{_CJK}]")
CJK_RUN: Final = re.compile(f"[{_CJK}]+")

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_CAMEL: Final = re.compile(r"[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+")
_JOINERS: Final = re.compile(r"[-._]+")
_LONGEST_TERM: Final = 128
_SHORTEST_PART: Final = 2
_thread = threading.local()


def fold_width(text: str) -> str:
    """Return the text in NFKC, without what UTF-8 cannot carry; case stays, since CamelCase needs it."""
    return _SURROGATES.sub(" ", unicodedata.normalize("NFKC", text))


def part_from_gapped(text: str) -> tuple[list[str], str]:
    """Split folded text into its gapped words, case kept, and the rest with a space in place of each word."""
    return GAPPED.findall(text), GAPPED.sub(" ", text)


def word_terms(words: list[str], stop_words: frozenset[str]) -> Iterator[str]:
    """Yield the terms of words: the whole, its stem, the parts of a compound."""
    for word in words:
        for term in _terms(word):
            if term not in stop_words:
                yield term


@lru_cache(maxsize=65536)
def _terms(word: str) -> tuple[str, ...]:
    """Return the distinct terms of one word, the whole first."""
    if word[0].isdigit() and "," in word:
        word = word.replace(",", "")
    word = word.strip("_")
    whole = word.casefold()[:_LONGEST_TERM]
    terms = [whole]
    if whole.isalpha():
        terms.append(_stem(whole))
    parts = _parts(word)
    if len(parts) > 1 and any(character.isalpha() for character in word):
        folded = [part.casefold() for part in parts if len(part) >= _SHORTEST_PART]
        for part in folded:
            terms.extend((part, _stem(part)))
        if "-" in word:  # UTF-8 is UTF8, e-mail is email
            terms.append(whole.replace("-", ""))
    return tuple(dict.fromkeys(term for term in terms if term))


def _parts(word: str) -> list[str]:
    pieces = [piece for piece in _JOINERS.split(word) if piece]
    parts: list[str] = []
    for piece in pieces:
        # Only mixed case is a compound; `F001` and `TB001` are one thing each.
        mixed = piece.isascii() and any(c.islower() for c in piece) and any(c.isupper() for c in piece[1:])
        parts.extend(_CAMEL.findall(piece) if mixed else [piece])
    if len(pieces) > 1 and len(parts) > len(pieces):
        parts.extend(pieces)
    return [part[:_LONGEST_TERM] for part in parts]


def _stem(word: str) -> str:
    # The stemmer keeps the word it works on in itself, so each thread has its own.
    stemmer: Any = getattr(_thread, "stemmer", None)
    if stemmer is None:
        import snowballstemmer

        stemmer = _thread.stemmer = snowballstemmer.stemmer("english")
    return str(stemmer.stemWord(word)) if word.isascii() and word.isalpha() else word
