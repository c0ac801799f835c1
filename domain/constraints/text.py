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
    """

    ids: tuple[str, ...]
    start: int
    end: int

    def is_marker(self, *names: str) -> bool:
        """Tell whether the word is one of these markers (without `m.`)."""
        return any(identifier == f"m.{name}" for identifier in self.ids for name in names)


@lru_cache(maxsize=8192)
def normalise(text: str) -> str:
    """Return the text in NFKC, lower case, with one kind of quotes, hyphens and spaces."""
    folded = unicodedata.normalize("NFKC", text.translate(_QUOTES)).lower().translate(_QUOTES)
    return _CJK_GAP.sub("", _SPACE.sub(" ", folded)).strip()


@lru_cache(maxsize=4096)
def language_of(text: str) -> Language:
    """Return ja, zh or en from the script of a text.

    Kana are Japanese. Without them, characters that only one of the two national character sets has (JIS X 0208, GB 2312)
    decide, then Chinese; without Chinese characters it is en.
    """
    if _KANA.search(text):
        return "ja"
    han = _HAN.findall(text)
    if not han:
        return "en"
    japanese = sum(not _encodable(character, "gb2312") for character in han)
    chinese = sum(not _encodable(character, "cp932") for character in han)
    return "ja" if japanese > chinese else "zh"


@lru_cache(maxsize=8192)
def _encodable(character: str, charset: str) -> bool:
    try:
        character.encode(charset)
    except UnicodeEncodeError:
        return False
    return True


def scan(text: str, index: "WordIndex") -> tuple[Hit, ...]:
    """Return the lexicon's words in a normalised text: leftmost, longest, without overlap.

    A word in Latin letters begins and ends at word boundaries and may carry a regular English ending.
    """
    hits: list[Hit] = []
    position, size = 0, len(text)
    while position < size:
        step = 1
        first = text[position]
        if not (_is_latin(first) and position and _is_latin(text[position - 1])):
            for length in index.lengths.get(first, ()):
                word = text[position : position + length]
                ids = index.words.get(word)
                if ids is None:
                    continue
                end = position + length
                if _is_latin(word[-1]):
                    ending = _ENDING.match(text, end)
                    if ending is None:
                        continue
                    end = ending.end()
                hits.append(Hit(ids, position, end))
                step = end - position
                break
        position += step
    return tuple(hits)


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()
