"""Japanese by SudachiPy (Takaoka et al., LREC 2018) with normalised forms."""

import threading
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import count, takewhile
from typing import Any, Final

from ...domain.errors import ConfigError
from ...ports.analyzer import AnalyzerOptions
from . import settings, stop_words
from .words import CJK_LETTERS, fold_width, part_from_gapped, word_terms

DISTRIBUTIONS: Final = ("sudachipy", "sudachidict-core", "snowballstemmer")
OPTION_NAMES: Final = frozenset({"split_mode", "stop_words"})

_LONGEST_INPUT: Final = 12000
"""Characters. Sudachi takes 49,149 bytes, and a character has at most four."""
_DROPPED_CLASSES: Final = frozenset({"助詞", "助動詞", "補助記号", "記号", "空白", "感動詞"})
_DROPPED_SUBCLASSES: Final = frozenset({"助動詞語幹"})
_MODES: Final = ("A", "B", "C", "CA")
_thread = threading.local()
_lock = threading.Lock()


class JapaneseSegmenter:
    """Segments Han and kana; words written with gaps are no business of its own.

    Option `split_mode`: A (short units), B, C (compounds whole), or CA (default): C, and in stored texts the short
    units of every compound beside it. So 公務 finds 国家公務員, while the query 国家公務員 is not drowned by
    everything that holds 国家 or 員.

    Raises:
        ConfigError: An unknown split mode.
    """

    def __init__(self, options: AnalyzerOptions) -> None:
        self._mode = str(options.options.get("split_mode", "CA"))
        if self._mode not in _MODES:
            raise ConfigError(f"Unknown split_mode {self._mode!r}. Known: {', '.join(_MODES)}.")
        self._stop_words = stop_words.JAPANESE | settings.extra_stop_words(options.options)

    def segment(self, text: str) -> Iterator[str]:
        """Yield the terms of stored text, folded and without gapped words."""
        return self._segment(text, split_compounds=self._mode == "CA")

    def segment_query(self, text: str) -> Iterator[str]:
        """Yield the terms of a query, folded and without gapped words."""
        return self._segment(text, split_compounds=False)

    def _segment(self, text: str, *, split_compounds: bool) -> Iterator[str]:
        if not CJK_LETTERS.search(text):
            return
        import sudachipy

        tokenizer = _tokenizer(self._mode[0])
        dropped = _dropped_parts_of_speech()
        short = sudachipy.SplitMode.A
        for piece in _pieces(text):
            for morpheme in tokenizer.tokenize(piece):
                if morpheme.part_of_speech_id() in dropped:
                    continue
                yield from self._terms(morpheme.normalized_form())
                if split_compounds:
                    for unit in morpheme.split(short, add_single=False):
                        if unit.part_of_speech_id() not in dropped:
                            yield from self._terms(unit.normalized_form())

    def _terms(self, form: str) -> Iterator[str]:
        term = _clean(form)
        if term and term not in self._stop_words:
            yield term


class JapaneseAnalyzer:
    """Sudachi for Han and kana, and words, numbers and identifiers as `EnglishAnalyzer` takes them.

    Options: `split_mode` (A, B, C, CA), `stop_words` (more words to drop).
    """

    def __init__(self, options: AnalyzerOptions | None = None) -> None:
        options = options or AnalyzerOptions()
        self._options = settings.checked(options.options, OPTION_NAMES)
        self._segmenter = JapaneseSegmenter(options)
        self._stop_words = stop_words.ENGLISH | settings.extra_stop_words(self._options)

    @property
    def name(self) -> str:
        """Short stable name."""
        return "japanese"

    @property
    def fingerprint(self) -> str:
        """Libraries, dictionary and options that the terms depend on."""
        return settings.fingerprint(self.name, self._options, DISTRIBUTIONS)

    def analyze(self, text: str) -> list[str]:
        """Return the terms of a text that is stored."""
        words, rest = part_from_gapped(fold_width(text))
        return [*word_terms(words, self._stop_words), *self._segmenter.segment(rest)]

    def analyze_query(self, text: str) -> list[str]:
        """Return the terms of a query; compounds stay whole in it."""
        words, rest = part_from_gapped(fold_width(text))
        return [*word_terms(words, self._stop_words), *self._segmenter.segment_query(rest)]


@cache
def _dictionary() -> Any:
    import sudachipy

    return sudachipy.Dictionary(dict="core")


def _tokenizer(mode: str) -> Any:
    """Return this thread's tokenizer; Sudachi's are not to be shared."""
    tokenizers: dict[str, Any] = _thread.__dict__.setdefault("tokenizers", {})
    if mode not in tokenizers:
        import sudachipy

        with _lock:
            tokenizers[mode] = _dictionary().tokenizer(
                mode=getattr(sudachipy.SplitMode, mode), fields={"normalized_form", "pos", "split_a"}
            )
    return tokenizers[mode]


@cache
def _dropped_parts_of_speech() -> frozenset[int]:
    classes = takewhile(lambda found: found is not None, map(_dictionary().pos_of, count()))
    return frozenset(
        number
        for number, pos in enumerate(classes)
        if pos[0] in _DROPPED_CLASSES or not _DROPPED_SUBCLASSES.isdisjoint(pos)
    )


def _pieces(text: str) -> Iterator[str]:
    """Yield the text in pieces that Sudachi accepts, cut behind sentences where there are any."""
    start = 0
    while len(text) - start > _LONGEST_INPUT:
        end = start + _LONGEST_INPUT
        cut = max(text.rfind(mark, start, end) for mark in "。\n、 ")
        end = cut + 1 if cut > start else end
        yield text[start:end]
        start = end
    yield text[start:]


@lru_cache(maxsize=65536)
def _clean(form: str) -> str:
    """Return a normalised form as a term: folded, without white space; "" when no letter is in it."""
    term = "".join(fold_width(form).casefold().split())
    return term if any(character.isalnum() for character in term) else ""
