"""Finding the terms of a vocabulary in a text, whatever the script."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

_LATIN: Final = r"[0-9a-z_]"
_LATIN_AFTER: Final = r"[0-9a-z_]|-[0-9]"
"""IF is not in IF-010."""
_KATAKANA: Final = r"[ァ-ヺー]"
_HAN: Final = r"[\u3400-\u9fff々]"
_PLURAL: Final = 4
"""An English word of so many letters is found in its plural too."""


def folded(text: str) -> str:
    """Return a text with width and case folded, the form in which terms are compared."""
    return unicodedata.normalize("NFKC", text).casefold()


class TermFinder:
    """Finds terms, the longest first, none inside another word.

    A Latin term ends where its word ends, a katakana term where its run of katakana ends (キー is not in キーワード),
    a single ideograph stands alone (表 is not in 代表). Longer ideographic terms are found inside compounds.

    Args:
        terms: The vocabulary; width and case do not matter.
    """

    def __init__(self, terms: Iterable[str]) -> None:
        known = sorted({folded(term).strip() for term in terms} - {""}, key=lambda term: (-len(term), term))
        self._pattern = re.compile("|".join(f"(?:{_bounded(term)})" for term in known)) if known else None
        self._known = frozenset(known)

    def find(self, text: str) -> list[str]:
        """Return the terms in a text, folded, each once, in order."""
        return list(dict.fromkeys(self._found(folded(text))))

    def _found(self, text: str) -> Iterator[str]:
        if self._pattern is None:
            return
        for match in self._pattern.finditer(text):
            found = re.sub(r"\s+", " ", match.group())
            # A plural counts as its term.
            yield next(
                (t for t in (found, found.removesuffix("s"), found.removesuffix("es")) if t in self._known), found
            )


@lru_cache(maxsize=4096)
def _bounded(term: str) -> str:
    first, last = term[0], term[-1]
    body = r"\s+".join(re.escape(part) for part in term.split())
    if re.fullmatch(r"[a-z]", last) and len(term) >= _PLURAL:
        body += "(?:e?s)?"
    single = len(term) == 1
    before = _edge(first, single=single)
    after = _edge(last, single=single).replace(_LATIN, _LATIN_AFTER)
    return (f"(?<!{before})" if before else "") + body + (f"(?!{after})" if after else "")


def _edge(character: str, *, single: bool) -> str:
    for script in (_LATIN, _KATAKANA):
        if re.fullmatch(script, character):
            return script
    return _HAN if single and re.fullmatch(_HAN, character) else ""
