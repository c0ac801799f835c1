"""Questions for a number, and whether a text holds a number of that kind."""

import re
from dataclasses import dataclass
from functools import lru_cache

from ..constraints.lexicon import Lexicon
from ..constraints.text import language_of, normalise

_ENGLISH = "one|two|three|four|five|six|seven|eight|nine|ten"
_NUMBER = rf"\d[\d,]*(?:\.\d+)?|[〇一二三四五六七八九十百千万]+|(?<![a-z])(?:{_ENGLISH}) ?"
_PLAIN = re.compile(rf"\d|[一二三四五六七八九十百千万]+(?=[つ個件回本])|\b(?:{_ENGLISH})\b")
_OWN_COUNTERS = "文字|桁|通|枚|冊|台|箇所|か所|カ所|点|段階|種類|バイト|ビット"
_DATE_UNITS = frozenset({"年", "日", "天"})
_LENGTH_OF_TIME = re.compile(r"\s?(?:後|前|間|以内|ごと|毎|おき|かけ|経|たつ|たて|分の|以上|以下|まで|之?内|之?后)")
_ANY_NUMBER = re.compile(r"で?も")
_ASKED_BY = re.compile(
    r"[何幾几]|いくつ|どの(?:くらい|ぐらい)|どれ(?:くらい|ぐらい)|多[少久长]|how (?:many|long|much|often)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"(?P<time>ど(?:の|れ)[くぐ]らいの(?:期間|時間|間隔)|多久|多长时间)"
    r"|(?P<length>how long|多长)"
    # いくつか is some of them, unless the question ends there; 多少 is somewhat in Japanese.
    r"|いくつ(?!も|か(?![。?]|$))|幾つ(?!も|か(?![。?]|$))|(?P<chinese>多少)|how (?:many|much|often)"
)
_DURATION = ("duration",)
_LENGTH = ("duration", "char", "length", "line", "page", "size")
_YEAR = re.compile(r"[12]\d{3}")
_NEAR = 100
"""Units of one dimension whose sizes differ by more answer different questions: seconds are no days."""


@dataclass(frozen=True, slots=True)
class AskedQuantity:
    """A number that a query asks for.

    Attributes:
        unit: As written, normalised; "" where the query names none.
        dimensions: Without a unit: dimensions of the lexicon that answer; none: any number does.
    """

    unit: str
    dimensions: tuple[str, ...] = ()


def may_ask(query: str) -> bool:
    """Return whether a query has a word that asks for numbers, at no cost; without one it asks for none."""
    return _ASKED_BY.search(query) is not None


def asked_quantities(query: str, lexicon: Lexicon) -> tuple[AskedQuantity, ...]:
    """Return the numbers that a query asks for: 何か月, 几个, how many pages; without a unit いくつ, 多久, how long.

    A question for a date (何年, 何日) is none, one for a length of time (何日以内) is; 何度でも asks for nothing.
    """
    text = normalise(query)
    found: list[AskedQuantity] = []
    for match in _asking(lexicon.unit_pattern).finditer(text):
        unit = match["unit"] or match["word"]
        rest = text[match.end() :]
        date = unit in _DATE_UNITS and not _LENGTH_OF_TIME.match(rest)
        if not date and not _ANY_NUMBER.match(rest):
            found.append(AskedQuantity(unit))
    return tuple(dict.fromkeys(found)) or _without_unit(text)


def _without_unit(text: str) -> tuple[AskedQuantity, ...]:
    for match in _OPEN.finditer(text):
        if match["chinese"] and language_of(text) != "zh":
            continue
        dimensions = _DURATION if match["time"] else _LENGTH if match["length"] else ()
        return (AskedQuantity("", dimensions),)
    return ()


def holds_quantity(text: str, asked: AskedQuantity, lexicon: Lexicon) -> bool:
    """Return whether a text holds a number with the unit asked for, or one of about its size; dates do not count."""
    text = normalise(text)
    if not asked.unit:
        return _holds_any(text, asked.dimensions, lexicon)
    name = lexicon.unit_words.get(asked.unit)
    if name is None:
        return re.search(rf"(?:{_NUMBER})\s?{re.escape(asked.unit)}", text) is not None
    wanted = lexicon.units[name]
    for match in _counted(lexicon.unit_pattern).finditer(text):
        if _is_date(text, match):
            continue
        unit = lexicon.units[lexicon.unit_words[match["unit"]]]
        sizes = sorted((unit.factor, wanted.factor))
        if unit.dimension == wanted.dimension and sizes[1] <= _NEAR * sizes[0]:
            return True
    return False


def _holds_any(text: str, dimensions: tuple[str, ...], lexicon: Lexicon) -> bool:
    if not dimensions:
        return _PLAIN.search(text) is not None
    return any(
        lexicon.units[lexicon.unit_words[match["unit"]]].dimension in dimensions and not _is_date(text, match)
        for match in _counted(lexicon.unit_pattern).finditer(text)
    )


def _is_date(text: str, match: re.Match[str]) -> bool:
    """A calendar date or time of day: 2024年, 4月1日, 9時30分."""
    if match["unit"] == "年" and _YEAR.fullmatch(match["number"]):
        return True
    return match["unit"] in {"日", "分"} and text[: match.start()].endswith(("月", "時"))


@lru_cache(maxsize=8)
def _asking(units: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:何|幾|几|多少)\s?(?P<unit>{units}|{_OWN_COUNTERS}|[ァ-ヺー]{{2,}})|how many (?P<word>{units})"
    )


@lru_cache(maxsize=8)
def _counted(units: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<number>{_NUMBER})\s?-?(?:の|半角|全角)?(?P<unit>{units})")
