"""Typed values in a rule: numbers with units, quoted terms, date patterns; all in base units."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from .lexicon import Lexicon

Operator = Literal["=", ">=", "<="]

_KANJI_DIGITS = {"〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_ENGLISH = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "ninety": 90, "hundred": 100, "once": 1, "twice": 2,
}  # fmt: skip
# Chinese type sizes in points (GB/T 148, the sizes of Word's list).
_CHINESE_SIZES = {
    "初号": 42, "小初": 36, "一号": 26, "小一": 24, "二号": 22, "小二": 18, "三号": 16, "小三": 15, "四号": 14,
    "小四": 12, "五号": 10.5, "小五": 9, "六号": 7.5, "小六": 6.5, "七号": 5.5, "八号": 5,
}  # fmt: skip
_SIZE_NAME = re.compile(r"(小[初一二三四五六]号?|[初一二三四五六七八](?:号|號))")
_QUOTED = re.compile(r"[「『\"](.{1,30}?)[」』\"]")
_DATE_PATTERN = re.compile(
    r"(?<![a-z])(?:y{2,4}|m{1,2}|d{1,2})\s?([-/. ]|年|月|)\s?(?:m{1,3}|d{1,2})\s?([-/. ]|月|日|)\s?(?:y{2,4}|d{1,2})(日?)(?![a-z])"
)
_CHOICES = re.compile(
    r"(?:^|[:はを为有分])\s*((?:[^、,。:はをでにが]{1,10}[、,・/]){1,}[^、,。:はをでにが]{1,10}?)(?:の?(?:\d+|[二三四五六]) ?(?:つ|種類|種|段階|区分)|のいずれか|のみ|から選)"
    r"|(?:分为|只有|仅有|限于|为)\s*((?:[^、，。:]{1,8}[、，]){1,}[^、，。:]{1,8}?)(?:[两二三四五六\d](?:种|级|类|个)|之一)"
    r"|(?:one of|either)\s+((?:[\w-]+, ){1,}(?:or |and )?[\w-]+)"
)
_DATE_LITERAL = re.compile(r"(?<!\d)\d{4}(?:([-/.])\d{1,2}\1\d{1,2}|年\d{1,2}月\d{1,2}日)(?!\d)")
_SHAPE_CUE = re.compile(r"のように|形式|書式|書く|表記|格式|写成|写作|如|like|as in|format|written")
_OUTLINE = re.compile(r"[「\"(]?(\d(?:\.\d){1,4})[」\")]?(?=(?:の?(?:階層|形|レベル)|に当たる|\s*まで|\))|」)")
_LEVEL = re.compile(
    r"(?:レベル|見出し|level|heading|标题|第)\s?(\d)\s?(?:レベル|級|级|段階|階層)?(?=\s*(?:の見出し)?まで|級|级|レベル|$|[^\d.])"
)
_CLOCK = re.compile(
    r"(?P<half>午前|午後|上午|下午|晚上|早上)?(?P<hour>\d{1,2})(?:時(?!間)|点(?!以?[上下数])|:(?=\d\d(?!\d)))(?P<minute>\d{1,2})?分?(?!\d)"
    r"|(?<!\d)(?P<h>\d{1,2})(?::(?P<m>\d\d))? ?(?P<ampm>am|pm|a\.m\.|p\.m\.)(?![a-z])"
)
_EXPLICIT_LEVEL = re.compile(r"\d\s?(?:階層|レベル|级|層|levels?)|第\d")
_HALVES = {"半年": ("month", 6.0), "半日": ("hour", 12.0), "半時間": ("minute", 30.0), "半小时": ("minute", 30.0), "half an hour": ("minute", 30.0),
           "翌営業日": ("business-day", 1.0), "次のひと月": ("month", 1.0), "一晩": ("day", 1.0), "half a year": ("month", 6.0), "quarter of an hour": ("minute", 15.0),
           "次工作日": ("business-day", 1.0), "下一工作日": ("business-day", 1.0), "即日": ("day", 0.0), "当日中": ("day", 0.0), "next working day": ("business-day", 1.0),
           "next business day": ("business-day", 1.0), "四半期": ("month", 3.0), "翌日": ("day", 1.0), "fortnight": ("week", 2.0)}  # fmt: skip
_HALVES_PATTERN = re.compile("|".join(sorted(_HALVES, key=len, reverse=True)))
_TOLERANCE = {"duration": 0.025, "size": 0.05, "length": 0.02}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its dimension.

    Attributes:
        amount: In the dimension's base unit (points, seconds, kilobytes, counts).
        dimension: Kind of quantity; `bare` without a unit.
        operator: Equal, at least, at most.
        text: As written.
        start: Offset of the number.
        end: Offset behind the unit.
    """

    amount: float
    dimension: str
    operator: Operator
    text: str
    start: int
    end: int

    def with_operator(self, operator: Operator, amount: float | None = None) -> "Quantity":
        """Return the same quantity under another operator, optionally with another bound."""
        return replace(self, operator=operator, amount=self.amount if amount is None else amount)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quoted term and where it stands."""

    text: str
    start: int
    end: int


def number_of(text: str) -> float | None:
    """Return the number that digits, kanji numerals or an English number word stand for.

    >>> number_of("二十五"), number_of("10.5"), number_of("eight"), number_of("半")
    (25.0, 10.5, 8.0, 0.5)
    """
    text = text.strip().replace(",", "")
    if text in _ENGLISH:
        return float(_ENGLISH[text])
    if text == "半":
        return 0.5
    try:
        return float(text)
    except ValueError:
        return _kanji_number(text)


def _kanji_number(text: str) -> float | None:
    total, current = 0, 0
    for character in text:
        if character in _KANJI_DIGITS:
            current = _KANJI_DIGITS[character]
        elif character in "十百千":
            total += (current or 1) * {"十": 10, "百": 100, "千": 1000}[character]
            current = 0
        else:
            return None
    return float(total + current) if text else None


def same_amount(a: float, b: float, dimension: str) -> bool:
    """Tell whether two amounts are equal within what units of one dimension round to (a month is 30 days)."""
    return abs(a - b) <= _TOLERANCE.get(dimension, 0.001) * max(abs(a), abs(b), 1e-9)


@lru_cache(maxsize=8)
def _number_pattern(unit_pattern: str) -> re.Pattern[str]:
    english = "|".join(sorted(_ENGLISH, key=len, reverse=True))
    return re.compile(
        rf"(?<![\w.\-/])(?P<en>{english})[ -](?P<adj>[a-z]+[ -])?(?P<uen>{unit_pattern})"
        rf"|(?<![\d.])(?P<num>\d+(?:,\d{{3}})*(?:\.\d+)?)\s?-?(?:の|半角|全角)?(?P<adj2>(?:idle|working|calendar|business) )?(?P<unit>{unit_pattern})(?P<half>半)?"
        rf"|(?P<kanji>[〇一二两三四五六七八九十百千半]+)(?P<ukanji>{unit_pattern})"
        rf"|(?<![a-z0-9_.\-/])(?P<bare>\d+(?:,\d{{3}})*(?:\.\d+)?)(?![a-z0-9_.\-/:条章節节版号])"
    )


def find_quantities(text: str, lexicon: Lexicon) -> tuple[Quantity, ...]:
    """Return the numbers of a normalised text with operator `=`; operators are read by the caller."""
    found: list[Quantity] = []
    taken: list[tuple[int, int]] = []

    def add(amount: float, dimension: str, start: int, end: int) -> None:
        if not any(start < stop and begin < end for begin, stop in taken):
            found.append(Quantity(amount, dimension, "=", text[start:end], start, end))
            taken.append((start, end))

    for match in _HALVES_PATTERN.finditer(text):
        unit, amount = _HALVES[match.group()]
        add(amount * lexicon.units[unit].factor, "duration", match.start(), match.end())
    for match in _SIZE_NAME.finditer(text):
        points = _CHINESE_SIZES.get(match.group(1)) or _CHINESE_SIZES.get(match.group(1).removesuffix("号"))
        if points is not None:
            add(points, "length", match.start(), match.end())
    for match in _LEVEL.finditer(text):
        add(float(match.group(1)), "level", match.start(), match.end())
    for match in _CLOCK.finditer(text):
        hour = float(match["hour"] or match["h"]) + float(match["minute"] or match["m"] or 0) / 60
        if (match["half"] or match["ampm"] or "") in ("午後", "下午", "晚上", "pm", "p.m.") and hour < 12:  # noqa: PLR2004  # noon
            hour += 12
        add(hour, "clock", match.start(), match.end())
    outlines = [(match.group(1).count(".") + 1.0, match) for match in _OUTLINE.finditer(text)]
    if outlines:
        # "1, 1.1 and 1.1.1" shows the levels up to the deepest.
        depth, deepest = max(outlines, key=lambda outline: outline[0])
        if any(match.group().endswith(("階層", "级", "まで")) for _, match in outlines) or not _EXPLICIT_LEVEL.search(
            text
        ):
            add(depth, "level", deepest.start(), deepest.end())
        taken.extend((match.start(), match.end()) for _, match in outlines)
    for match in _number_pattern(lexicon.unit_pattern).finditer(text):
        number = number_of(match["en"] or match["num"] or match["kanji"] or match["bare"] or "")
        if number is None:
            continue
        word = match["uen"] or match["unit"] or match["ukanji"]
        if word is None:
            add(number, "bare", match.start(), match.end())
            continue
        if match["half"]:
            number += 0.5
        name = lexicon.unit_words[word]
        modifier = match["adj"] or match["adj2"] or ""
        if name == "day" and modifier.startswith(("working", "business")):
            name = "business-day"
        unit = lexicon.units[name]
        add(number * unit.factor, unit.dimension, match.start(), match.end())
    return tuple(sorted(found, key=lambda quantity: quantity.start))


def find_quoted(text: str) -> tuple[Quoted, ...]:
    """Return the quoted terms of a normalised text."""
    return tuple(Quoted(match.group(1).strip(), match.start(), match.end()) for match in _QUOTED.finditer(text))


def find_choices(text: str) -> frozenset[str]:
    """Return the members of a complete list ("A, B or C only", AとBの2種類), empty when there is none."""
    match = _CHOICES.search(text)
    if match is None:
        return frozenset()
    items = re.split(
        r"[、,，・/]|\bor\b|\band\b|または|又は|と|和|或", next(group for group in match.groups() if group)
    )
    return frozenset(item.strip(' 「」"') for item in items if item.strip(' 「」"'))


def find_date_patterns(text: str) -> tuple[Quoted, ...]:
    """Return date patterns such as yyyy-mm-dd, spelled alike for equal patterns."""
    found = []
    for match in _DATE_PATTERN.finditer(text):
        if match.group().replace(" ", "").count("m") and len(match.group()) >= 6:  # noqa: PLR2004  # "y", "m", "d" and separators
            found.append(Quoted(match.group().replace(" ", ""), match.start(), match.end()))
    if _SHAPE_CUE.search(text):
        found.extend(Quoted(_shape(match), match.start(), match.end()) for match in _DATE_LITERAL.finditer(text))
    return tuple(found)


def _shape(date: re.Match[str]) -> str:
    return "yyyy年mm月dd日" if date.group(1) is None else f"yyyy{date.group(1)}mm{date.group(1)}dd"
