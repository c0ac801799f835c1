"""Chinese by jieba's dictionary (rjieba), with character bigrams beside its words."""

from collections.abc import Iterator
from typing import Final

from ...ports.analyzer import AnalyzerOptions
from . import settings, stop_words
from .words import CJK_RUN, fold_width, part_from_gapped, word_terms

DISTRIBUTIONS: Final = ("rjieba", "snowballstemmer")
OPTION_NAMES: Final = frozenset({"stop_words"})


class ChineseSegmenter:
    """Segments Han; words written with gaps are no business of its own.

    Words of the search mode (long words and the words inside them) and all bigrams: what the dictionary does not
    know, and what it cuts differently in text and query, is still found. Traditional and simplified characters
    are left as they are.
    """

    def __init__(self, options: AnalyzerOptions) -> None:
        self._stop_words = stop_words.CHINESE | settings.extra_stop_words(options.options)

    def segment(self, text: str) -> Iterator[str]:
        """Yield the terms of folded text without gapped words."""
        runs = CJK_RUN.findall(text)
        if not runs:
            return  # a Japanese query without a Chinese line must not wait for the dictionary (0.14 s of CPU time)
        import rjieba

        for run in runs:
            words = rjieba.cut_for_search(run)
            yield from (word for word in words if word not in self._stop_words)
            known = set(words)
            for start in range(len(run) - 1):
                bigram = run[start : start + 2]
                if bigram not in known and bigram not in self._stop_words:
                    yield bigram


class ChineseAnalyzer:
    """Jieba words and bigrams for Han, and words, numbers and identifiers as `EnglishAnalyzer` takes them.

    Option: `stop_words` (more words to drop).
    """

    def __init__(self, options: AnalyzerOptions | None = None) -> None:
        options = options or AnalyzerOptions()
        self._options = settings.checked(options.options, OPTION_NAMES)
        self._segmenter = ChineseSegmenter(options)
        self._stop_words = stop_words.ENGLISH | settings.extra_stop_words(self._options)

    @property
    def name(self) -> str:
        """Short stable name."""
        return "chinese"

    @property
    def fingerprint(self) -> str:
        """Libraries and options that the terms depend on."""
        return settings.fingerprint(self.name, self._options, DISTRIBUTIONS)

    def analyze(self, text: str) -> list[str]:
        """Return the terms of a text that is stored."""
        words, rest = part_from_gapped(fold_width(text))
        return [*word_terms(words, self._stop_words), *self._segmenter.segment(rest)]

    def analyze_query(self, text: str) -> list[str]:
        """Return the terms of a query, by the same rules."""
        return self.analyze(text)
