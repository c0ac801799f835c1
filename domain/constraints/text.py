"""Normal form of rule texts, language, and the words of the lexicon found in them."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .lexicon import WordIndex

Language = Literal["ja", "zh", "en"]

_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_KATAKANA = frozenset(chr(code) for code in range(0x30A1, 0x30FB))
_DIGITS = frozenset("0123456789一二三四五六七八九十")
_COUNTED = re.compile(r"(?:日|週間?|[かヶカ]?月|年|時間)(?:ごと|毎|おき|に(?:1回|一回|一度))")
_SHORT_KATAKANA = 3
_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_LAST_OF_LATIN = "\u02ff"
_SPACE = re.compile(r"[ \t\u3000]+")
_CJK_GAP = re.compile(r"(?<=[\u3040-\u30ff\u3400-\u9fff]) (?=[\u3040-\u30ff\u3400-\u9fff])")
_ENDING = re.compile(r"(?:'s|s|es|d|ed|ing)?(?![a-z0-9])")
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "﹣": "-", "−": "-", "‐": "-", "–": "-", "~": "〜"})


@dataclass(frozen=True, slots=True)
class Hit:
    """One word of the lexicon in a text.

    Attributes:
        ids: Its identifiers (a word may have several).
        start: Offset of its first character.
        end: Offset behind its last character.
        markers: Its marker names, without `m.`.
    """

    ids: tuple[str, ...]
    start: int
    end: int
    markers: frozenset[str] = frozenset()

    def is_marker(self, *names: str) -> bool:
        """Tell whether the word is one of these markers (without `m.`)."""
        return not self.markers.isdisjoint(names)


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """Return the text in NFKC, lower case, with one kind of quotes, hyphens and spaces."""
    folded = unicodedata.normalize("NFKC", text.translate(_QUOTES)).lower().translate(_QUOTES)
    return _CJK_GAP.sub("", _SPACE.sub(" ", folded)).strip()


# What is quoted or shown may be in another language than the rule; words of its own tell that the rule is not Japanese.
_QUOTED_PIECE = re.compile(
    r"[「『\"“‘（(【][^」』\"”’）)】]{1,40}[」』\"”’）)】]|(?:如|例如|应写作|不得写作|写作)[\u30a0-\u30ff]+|\b(?:write|writes|not|and|or|e\.g\.) [\u3040-\u30ff\u4e00-\u9fff]+",  # noqa: E501  # a pattern stays in one line
    re.IGNORECASE,
)  # a pattern stays in one line
_FOREIGN = re.compile(
    r"不得|[应须]|采用|必须|统一|一律|\b(?:the|of|in|is|are|not|write|use|keep|with|and)\b", re.IGNORECASE
)


@lru_cache(maxsize=4096)
def language_of(text: str) -> Language:
    """Return ja, zh or en from the script of a text.

    Kana are Japanese. Without them, characters that only one of the two national sets has (JIS X 0208, GB 2312)
    decide, then Chinese; without Chinese characters it is en.
    """
    told = _QUOTED_PIECE.sub(" ", text)
    if _KANA.search(told) or (_KANA.search(text) and not _FOREIGN.search(told)):
        return "ja"
    text = told
    han = _HAN.findall(text)
    if not han:
        return "en"
    japanese = sum(not _encodable(character, "gb2312") for character in han)
    chinese = sum(not _encodable(character, "cp932") for character in han)
    return "ja" if japanese > chinese else "zh"


def is_national(text: str) -> bool:
    """Tell whether a text has Han characters that only one of Japanese and Chinese writes."""
    return any(_encodable(character, "gb2312") != _encodable(character, "cp932") for character in _HAN.findall(text))


@lru_cache(maxsize=8192)
def _encodable(character: str, charset: str) -> bool:
    try:
        character.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def _inside_word(text: str, start: int, end: int, hits: list[Hit]) -> bool:
    """Tell whether a short run of katakana is a piece of a longer word: a single character is left over before it."""
    if end - start > _SHORT_KATAKANA:
        return False
    left = start - 1 >= 0 and text[start - 1] in _KATAKANA and not (hits and hits[-1].end == start)
    return left and not (start - 2 >= 0 and text[start - 2] in _KATAKANA | {"ー"})


def _cut_short(text: str, start: int, index: "WordIndex") -> bool:
    """Tell whether a word for a thing, of two characters or more, begins at an offset."""
    for length in index.lengths.get(text[start], ()):
        if length > 1 and (found := index.words.get(text[start : start + length])) is not None:
            return not found[1] and found[0][0] not in ("stop", "plain")
    return False


@lru_cache(maxsize=16384)  # a clause is read as part of its sentence and alone
def scan(text: str, index: "WordIndex") -> tuple[Hit, ...]:
    """Return the lexicon's words in a normalised text: leftmost, longest, without overlap.

    A word in Latin letters begins and ends at word boundaries and may carry a regular English ending.
    """
    hits: list[Hit] = []
    words, lengths = index.words, index.lengths
    position, size = 0, len(text)
    while position < size:
        first = text[position]
        step = 1
        candidates = lengths.get(first)
        if candidates and not (position and first in _LATIN and text[position - 1] in _LATIN):
            for length in candidates:
                end = position + length
                found = words.get(text[position:end]) if end <= size else None
                if found is None:
                    continue
                if text[end - 1] in _LATIN:
                    ending = _ENDING.match(text, end)
                    if ending is None:
                        continue
                    end = ending.end()
                if "except" in found[1] and length > 1 and first > _LAST_OF_LATIN and _cut_short(text, end - 1, index):
                    # The grammar word is the beginning of a thing's name ("以外键": by foreign keys, not "other than").
                    continue
                if position and _COUNTED.match(text, position) and text[position - 1] in _DIGITS:
                    # "14日ごと" is no 日ごと.
                    continue
                if first in _KATAKANA and _inside_word(text, position, end, hits):
                    # スタブ holds no タブ: what is left over on one side is no word.
                    continue
                hits.append(Hit(found[0], position, end, found[1]))
                step = end - position
                break
        position += step
    return tuple(hits)
