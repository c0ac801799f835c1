"""Character bigrams: no dictionary, so text and query are always cut alike."""

import re
from typing import Final

from ...ports.analyzer import AnalyzerOptions
from . import settings
from .words import fold_width

_RUN: Final = re.compile(r"[^\W_]+")


class BigramAnalyzer:
    """Bigrams of every run of letters, digits, kana and Han; a run of one character is its own term.

    It catches what a segmenter cuts differently on the two sides, and is meant as a third channel beside words.
    """

    def __init__(self, options: AnalyzerOptions | None = None) -> None:
        self._options = settings.checked((options or AnalyzerOptions()).options, frozenset())

    @property
    def name(self) -> str:
        """Short stable name."""
        return "bigram"

    @property
    def fingerprint(self) -> str:
        """What the terms depend on: the Unicode tables."""
        return settings.fingerprint(self.name, self._options, ())

    def analyze(self, text: str) -> list[str]:
        """Return the terms of a text that is stored."""
        terms: list[str] = []
        for run in _RUN.findall(fold_width(text).casefold()):
            terms.extend([run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)])
        return terms

    def analyze_query(self, text: str) -> list[str]:
        """Return the terms of a query, by the same rules."""
        return self.analyze(text)
