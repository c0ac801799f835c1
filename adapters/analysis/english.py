"""English: words, stems, parts of compounds."""

from typing import Final

from ...ports.analyzer import AnalyzerOptions
from . import settings, stop_words
from .words import CJK_RUN, fold_width, part_from_gapped, word_terms

DISTRIBUTIONS: Final = ("snowballstemmer",)
OPTION_NAMES: Final = frozenset({"stop_words"})


class EnglishAnalyzer:
    """Words and their Snowball stems (Porter 2), parts of CamelCase and snake_case, identifiers and numbers whole.

    Runs of Han and kana, which it knows nothing of, stay whole. Option: `stop_words` (more words to drop).
    """

    def __init__(self, options: AnalyzerOptions | None = None) -> None:
        self._options = settings.checked((options or AnalyzerOptions()).options, OPTION_NAMES)
        self._stop_words = stop_words.ENGLISH | settings.extra_stop_words(self._options)

    @property
    def name(self) -> str:
        """Short stable name."""
        return "english"

    @property
    def fingerprint(self) -> str:
        """Libraries and options that the terms depend on."""
        return settings.fingerprint(self.name, self._options, DISTRIBUTIONS)

    def analyze(self, text: str) -> list[str]:
        """Return the terms of a text that is stored."""
        words, rest = part_from_gapped(fold_width(text))
        return [*word_terms(words, self._stop_words), *CJK_RUN.findall(rest)]

    def analyze_query(self, text: str) -> list[str]:
        """Return the terms of a query, by the same rules."""
        return self.analyze(text)
