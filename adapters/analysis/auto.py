"""Each text by its own language, several in one text."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from ...ports.analyzer import AnalyzerOptions
from . import chinese, japanese, settings, stop_words
from .language import has_kana, languages
from .words import fold_width, part_from_gapped, word_terms

_DISTRIBUTIONS: Final = tuple(dict.fromkeys((*japanese.DISTRIBUTIONS, *chinese.DISTRIBUTIONS)))


class AutoAnalyzer:
    """Japanese, Chinese and English, told apart by their characters.

    Words, numbers and identifiers are taken out first and treated alike in all languages; what is left is Han and
    kana, which `language.languages` assigns. A text or query in Han alone that could be either is read both ways:
    画面設計書 has no kana to say what it is.

    Options: `split_mode` (Japanese), `stop_words` (more words to drop).
    """

    def __init__(self, options: AnalyzerOptions | None = None) -> None:
        options = options or AnalyzerOptions()
        self._options = settings.checked(options.options, japanese.OPTION_NAMES)
        self._japanese = japanese.JapaneseSegmenter(options)
        self._chinese = chinese.ChineseSegmenter(options)
        self._stop_words = stop_words.ENGLISH | settings.extra_stop_words(self._options)

    @property
    def name(self) -> str:
        """Short stable name."""
        return "auto"

    @property
    def fingerprint(self) -> str:
        """Libraries, dictionaries and options that the terms depend on."""
        return settings.fingerprint(self.name, self._options, _DISTRIBUTIONS)

    def analyze(self, text: str) -> list[str]:
        """Return the terms of a text that is stored."""
        words, rest = part_from_gapped(fold_width(text))
        return [*word_terms(words, self._stop_words), *self._segment(rest, self._japanese.segment)]

    def analyze_query(self, text: str) -> list[str]:
        """Return the terms of a query; one in Han alone is read as Japanese and as Chinese."""
        words, rest = part_from_gapped(fold_width(text))
        terms = list(word_terms(words, self._stop_words))
        segment = self._japanese.segment_query
        # A short query may hold a character that only one language writes although the rules use the other.
        if languages(rest) and not has_kana(rest):
            return [*terms, *self._both(rest, segment)]
        return [*terms, *self._segment(rest, segment)]

    def _segment(self, text: str, japanese_terms: Callable[[str], Iterator[str]]) -> list[str]:
        read_as = languages(text)
        if read_as == ("ja",):
            # A Japanese text may quote Chinese lines; a line without kana is Chinese only when its characters say so.
            japanese_lines: list[str] = []
            chinese_lines: list[str] = []
            for line in text.split("\n"):
                quoted = not has_kana(line) and languages(line) == ("zh",)
                (chinese_lines if quoted else japanese_lines).append(line)
            chinese_terms = self._chinese.segment("\n".join(chinese_lines))
            return [*japanese_terms("\n".join(japanese_lines)), *chinese_terms]
        if read_as == ("zh",):
            return list(self._chinese.segment(text))
        return self._both(text, japanese_terms) if read_as else []

    def _both(self, text: str, japanese_terms: Callable[[str], Iterator[str]]) -> list[str]:
        """Return the terms of both readings; one that both find counts once."""
        both = Counter(japanese_terms(text)) | Counter(self._chinese.segment(text))
        return list(both.elements())
