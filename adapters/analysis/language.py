"""Which language a text is written in, judged by its characters."""

import re
from functools import lru_cache
from typing import Final, Literal

Language = Literal["ja", "zh"]

_KANA: Final = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HAN: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA_SHARE: Final = 0.05
"""Japanese prose has more kana than Han; a name or a の in Chinese text stays below this share."""


def languages(text: str) -> tuple[Language, ...]:
    """Return the languages in which the Han and kana of a text may be read; none when it holds neither.

    Kana make a text Japanese. Without them characters decide that only one of the two writes: those in the Chinese
    standard GB 2312 but not in Shift JIS (规, 则), and those in Shift JIS but in neither GB 2312 nor Big5 (図, 様).
    What could be both is both.
    """
    kana, han = len(_KANA.findall(text)), _HAN.findall(text)
    if not kana and not han:
        return ()
    chinese = sum(_only_chinese(character) for character in han)
    if kana:
        return ("zh",) if kana < _KANA_SHARE * len(han) and chinese else ("ja",)
    japanese = sum(_only_japanese(character) for character in han)
    if chinese != japanese:
        return ("zh",) if chinese > japanese else ("ja",)
    return ("ja", "zh")


def has_kana(text: str) -> bool:
    """Return whether a text holds hiragana or katakana."""
    return _KANA.search(text) is not None


@lru_cache(maxsize=32768)
def _only_chinese(character: str) -> bool:
    return _encodes(character, "gb2312") and not _encodes(character, "cp932")


@lru_cache(maxsize=32768)
def _only_japanese(character: str) -> bool:
    return _encodes(character, "cp932") and not _encodes(character, "gb2312") and not _encodes(character, "big5")


def _encodes(character: str, codec: str) -> bool:
    try:
        character.encode(codec)
    except UnicodeEncodeError:
        return False
    return True
