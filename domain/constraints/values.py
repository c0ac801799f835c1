"""Numbers in a rule, with their units in base units of the dimension."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from .lexicon import Lexicon

Operator = Literal["=", ">=", "<="]
# Amount in base units, dimension ("" for a span that is no value), start, end.
_Reading = tuple[float, str, int, int]

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
_OUTLINE = re.compile(r"[「\"(]?(\d(?:\.\d){1,4})[」\")]?(?=(?:の?(?:階層|形|レベル)|に当たる|\s*まで|\))|」)")
_LEVEL = re.compile(
    r"第\s?(?P<nth>\d)\s?(?:レベル|級|级|段階|階層|层|見出し|标题)"
    r"|(?:レベル|見出し|level|heading|标题)\s?(\d)\s?(?:レベル|級|级|段階|階層)?(?=\s*(?:の見出し)?まで|級|级|レベル|$|[^\d.])"
)
_CLOCK = re.compile(
    r"(?<![\dt:+])(?P<h>\d{1,2})(?::(?P<m>\d\d))? ?(?P<ampm>am|pm|a\.m\.|p\.m\.)(?![a-z])"
    r"|(?P<half>午前|午後|上午|下午|晚上|早上)?(?<![\dt:+])(?P<hour>\d{1,2})(?:時(?!間)|点(?!以?[上下数])|:(?=\d\d(?!\d)))(?P<minute>\d{1,2})?分?(?!\d)"
)
_ORDINAL = re.compile(r"第 ?$|\bno\. ?$|\b(?:section|chapter|version|release|article|clause|appendix) $")
_EXPLICIT_LEVEL = re.compile(r"\d\s?(?:階層|レベル|级|層|levels?)|第\d")
_NAMED = {
    "单倍": ("times-ratio", 1.0),
    "双倍": ("times-ratio", 2.0),
    "半年": ("month", 6.0),
    "半日": ("hour", 12.0),
    "半時間": ("minute", 30.0),
    "半小时": ("minute", 30.0),
    "half an hour": ("minute", 30.0),
    "翌営業日": ("business-day", 1.0),
    "次のひと月": ("month", 1.0),
    "一晩": ("day", 1.0),
    "half a year": ("month", 6.0),
    "quarter of an hour": ("minute", 15.0),
    "次工作日": ("business-day", 1.0),
    "下一工作日": ("business-day", 1.0),
    "即日": ("day", 0.0),
    "当日中": ("day", 0.0),
    "当天": ("day", 0.0),
    "same day": ("day", 0.0),
    "next working day": ("business-day", 1.0),
    "next business day": ("business-day", 1.0),
    "四半期": ("month", 3.0),
    "翌日": ("day", 1.0),
    "次の営業日": ("business-day", 1.0),
    "次の日": ("day", 1.0),
    "第二天": ("day", 1.0),
    "the following day": ("day", 1.0),
    "the next day": ("day", 1.0),
    "前日": ("day", 1.0),
    "前の日": ("day", 1.0),
    "前営業日": ("business-day", 1.0),
    "前一天": ("day", 1.0),
    "前一日": ("day", 1.0),
    "前一个工作日": ("business-day", 1.0),
    "the day before": ("day", 1.0),
    "一刻钟": ("minute", 15.0),
    "fortnight": ("week", 2.0),
}
_NAMED_PATTERN = re.compile("|".join(sorted(_NAMED, key=len, reverse=True)))
_DAY_HOURS = 24
_AFTERNOON, _NOON = ("午後", "下午", "晚上", "pm", "p.m."), 12
_TOLERANCE = {"duration": 0.025, "period": 0.025, "size": 0.05, "length": 0.02}


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


# Words that end what a number counts rather than qualify it ("400 changed lines").
_NO_ADJECTIVE = r"(?:with|from|than|more|into|over|that|this|when|then|each|only|less|must|shall|have|will|plus|minus|times)\b"  # a pattern stays in one line  # noqa: E501  # a pattern stays in one line


@lru_cache(maxsize=8)
def _number_pattern(unit_pattern: str) -> re.Pattern[str]:
    # 十分 is "enough" unless something makes it ten minutes (十分間, 十分以内).
    english = "|".join(sorted(_ENGLISH, key=len, reverse=True))
    return re.compile(
        rf"(?<![\w.\-/])(?P<en>{english})[ -](?P<adj>[a-z]+[ -])?(?P<uen>{unit_pattern})"
        rf"|(?<![\d.])(?P<num>\d+(?:,\d{{3}})*(?:\.\d+)?)\s?(?P<mult>百万|千万|万|億|亿|千(?=円|元))?-?(?:の|半角|全角)?"
        rf"(?P<adj2>(?!{_NO_ADJECTIVE})[a-z-]{{4,12}} )?(?P<unit>{unit_pattern})(?P<half>半(?!角))?"
        rf"|(?!十分(?![間以前後]))(?P<kanji>[〇一二两三四五六七八九十百千半]+)(?P<ukanji>{unit_pattern})"
        rf"|(?<![a-z0-9_.\-/])(?P<bare>\d+(?:,\d{{3}})*(?:\.\d+)?)(?![a-z0-9_.\-/:条章節节版号])"
        rf"|(?<![\w.\-/])(?P<word>{english})(?= (?:or (?:more|fewer|less) )?(?:[a-z-]+ )?[a-z]{{3,}}s\b)"
    )


_DATE = re.compile(
    r"(?:平成|令和|昭和|西暦)\s?(?:元|\d{1,4})年(?:度)?(?:\d{1,2}月(?:\d{1,2}日)?)?|(?<!\d)(?:19|20)\d\d年(?:度|版)?(?:\s?\d{1,2}月(?:\s?\d{1,2}日)?)?"
    r"|(?<!\d)\d{1,2}日(?=(?:と|及び|および)(?:月末|末日|\d{1,2}日))|(?<=日と)\d{1,2}日(?![間以])"
    r"|(?<!\d)\d{1,2}月(?:\d{1,2}日)?(?![間数])|(?<!\d)(?:19|20)\d\d[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)"
)
_ANNOUNCED = re.compile(
    r"(?:以下|次|下記|上記|下述|以上|これら|この|その)(?:の|に示す)?(?:\d+|[一二三四五六七八九])(?:つ|点|種類|項目|個|点)|の(?:一|1|ひと)つ(?!の|ま|以)"
    r"|(?:以下|如下|下列|上述)(?:\d+|[一二三四五六七八九两])(?:个|点|种|项|条)|one of the"
)
_MULTIPLIERS = {"千": 1e3, "万": 1e4, "百万": 1e6, "千万": 1e7, "億": 1e8, "亿": 1e8}
_PERIODS = {
    "second": 1.0, "sec": 1.0, "s": 1.0, "秒": 1.0, "秒钟": 1.0, "秒間": 1.0,
    "minute": 60.0, "min": 60.0, "分": 60.0, "分钟": 60.0, "分間": 60.0,
    "hour": 3600.0, "h": 3600.0, "時間": 3600.0, "时": 3600.0, "時": 3600.0, "小时": 3600.0,
    "day": 86400.0, "日": 86400.0, "天": 86400.0, "week": 604800.0, "週": 604800.0, "周": 604800.0, "週間": 604800.0,
    "month": 2592000.0, "月": 2592000.0, "か月": 2592000.0, "个月": 2592000.0,
    "year": 31536000.0, "年": 31536000.0,
}  # fmt: skip
_PERIOD = "|".join(sorted(_PERIODS, key=len, reverse=True))
_COUNT = rf"(?:\d+(?:,\d{{3}})*(?:\.\d+)?|[一二两三四五六七八九十百]+|{'|'.join(_ENGLISH)})"
_COUNTER = "回分|回|リクエスト|アクセス|コール|个请求|件|次|個|个|笔|条|times|calls|requests|orders|messages|queries|transactions|records|attempts|hits"  # noqa: E501  # a pattern stays in one line
_RATES = (
    re.compile(
        rf"(?<![\w.])(?P<n>{_COUNT}) ?(?:{_COUNTER}|[a-z]+s)? ?(?:/|per |an? |every |each )(?P<p>{_PERIOD})(?![a-z\u4e00-\u9fff])"  # noqa: E501  # a pattern or list stays in one line
    ),
    re.compile(
        rf"(?:毎|每|1 ?)?(?P<p>{_PERIOD})(?:間)?(?:あたり|当たり|につき|に)?(?:最大|最多|不超过|最高|上限)?(?:调用|请求|访问)?(?P<n>{_COUNT})(?:{_COUNTER})"  # noqa: E501  # a pattern or list stays in one line
    ),
    re.compile(rf"(?P<n>twice|once) (?:a |per |every )(?P<p>{_PERIOD})(?![a-z])"),
)
# A rate needs one of these in front where the period alone could be a point in time (3月1回).
_NO_PERIOD = re.compile(r"[\d一二三四五六七八九十]$")
_ORDINALS = {
    name: float(number)
    for number, name in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ],
        start=1,
    )
}
# "千分之五", "5‰": in percent.
_FRACTION = re.compile(
    r"(?P<of>[一二三四五六七八九十百千万]+|\d+)分之(?P<n>\d+(?:\.\d+)?|[一二三四五六七八九十百]+)|(?<![\d.])(?P<mille>\d+(?:\.\d+)?) ?‰"  # noqa: E501  # a pattern stays in one line
)
_PERCENT_OF = {"十": 10.0, "百": 1.0, "千": 0.1, "万": 0.01}
# "4.5:1", 4.5対1: one part of a whole to another, of contrasts and scales.
_PROPORTION = re.compile(r"(?<![\d.:])(?P<n>\d+(?:\.\d+)?) ?(?::|対|比| to ) ?1(?![\d.:])")
_ATTEMPT = r"(?:consecutive |successive |failed |wrong |unsuccessful |incorrect |invalid )"
_TRIES = re.compile(
    rf"\b(?P<o>{'|'.join(_ORDINALS)}|\d+(?:st|nd|rd|th)) (?:{_ATTEMPT}+|attempt|failure|time|try|in a row)"
    rf"|(?<![\w.])(?P<n>\d+|{'|'.join(_ENGLISH)}) (?:{_ATTEMPT}+)[a-z-]+s\b"
    r"|\b(?:at most|up to|no more than|not more than|only|retried|repeated|tried|attempted) (?P<adverb>once|twice)\b"
)
_PLURAL = re.compile(r" (?:[a-z-]+ )?[a-z]{2,}s\b")
_NO_PLURAL = re.compile(r" (?:is|was|has|as|does|plus|less|minus|this|its)\b")


@lru_cache(maxsize=16384)  # a clause is read several times
def find_quantities(text: str, lexicon: Lexicon) -> tuple[Quantity, ...]:
    """Return the numbers of a normalised text with operator `=`; operators are read by the caller.

    Where readings overlap, the more special one wins: names of durations and type sizes, outline levels, times of day,
    then numbers with units.
    """
    found: list[Quantity] = []
    for amount, dimension, start, end in (
        *_dates(text),
        *_rates(text),
        *_tries(text),
        *_and_halves(text, lexicon),
        *_named(text, lexicon),
        *_fractions(text),
        *_levels(text),
        *_times(text),
        *_numbers(text, lexicon),
    ):
        if not any(start < other.end and other.start < end for other in found):
            found.append(Quantity(amount, dimension, "=", text[start:end], start, end))
    return tuple(_joined([quantity for quantity in found if quantity.dimension], text))


def _dates(text: str) -> Iterator[_Reading]:
    """Yield the spans of calendar dates and announced counts, which are no values."""
    for pattern in (_DATE, _ANNOUNCED):
        for match in pattern.finditer(text):
            yield 0.0, "", match.start(), match.end()


def _rates(text: str) -> Iterator[_Reading]:
    for pattern in _RATES:
        for match in pattern.finditer(text):
            if pattern is _RATES[1] and _NO_PERIOD.search(text[: match.start()]):
                continue
            number = number_of(match["n"])
            if number is not None:
                yield number / _PERIODS[match["p"]], "rate", match.start(), match.end()


_AND_A_HALF = re.compile(r"(?P<n>[一二两三四五六七八九十]+|\d+)个半(?P<unit>小时|钟头|月|工作日|星期)")


def _and_halves(text: str, lexicon: Lexicon) -> Iterator[_Reading]:
    """Yield "一个半小时": a count and a half of a unit."""
    for match in _AND_A_HALF.finditer(text):
        number, name = (
            number_of(match["n"]),
            lexicon.unit_words.get(match["unit"]) or lexicon.unit_words.get(f"个{match['unit']}"),
        )
        if number is not None and name is not None:
            unit = lexicon.units[name]
            yield (number + 0.5) * unit.factor, unit.dimension, match.start(), match.end()


_JOINT = re.compile(r" ?(?:と|and|零)? ?")


def _joined(found: list[Quantity], text: str) -> list[Quantity]:
    """Return quantities with times of two units as one ("1分30秒", "1 hour 30 minutes")."""
    joined: list[Quantity] = []
    for quantity in sorted(found, key=lambda one: one.start):
        before = joined[-1] if joined else None
        if (
            before is not None
            and before.dimension == quantity.dimension == "duration"
            and before.amount > quantity.amount > 0
            and _JOINT.fullmatch(text[before.end : quantity.start])
        ):
            amount = before.amount + quantity.amount
            joined[-1] = replace(before, amount=amount, text=text[before.start : quantity.end], end=quantity.end)
        else:
            joined.append(quantity)
    return joined


def _tries(text: str) -> Iterator[_Reading]:
    for match in _TRIES.finditer(text):
        word = match["o"] or match["n"] or match["adverb"]
        number = _ORDINALS.get(word) or number_of(re.sub(r"(?:st|nd|rd|th)$", "", word))
        start = match.start("adverb") if match["adverb"] else match.start()
        if number is not None:
            yield number, "times", start, match.end()


def _named(text: str, lexicon: Lexicon) -> Iterator[_Reading]:
    for match in _NAMED_PATTERN.finditer(text):
        name, amount = _NAMED[match.group()]
        unit = lexicon.units[name]
        yield amount * unit.factor, unit.dimension, match.start(), match.end()
    for match in _SIZE_NAME.finditer(text):
        points = _CHINESE_SIZES.get(match.group(1)) or _CHINESE_SIZES.get(match.group(1).removesuffix("号"))
        if points is not None:
            yield points, "length", match.start(), match.end()


def _fractions(text: str) -> Iterator[_Reading]:
    for match in _FRACTION.finditer(text):
        number = number_of(match["n"] or match["mille"])
        whole = _PERCENT_OF.get(match["of"] or "千") or number_of(match["of"] or "")
        if number is not None and whole:
            # 百分之 and the like are units; 二十分之一 is one twentieth.
            share = whole if (match["of"] or "千") in _PERCENT_OF else 100.0 / whole
            yield number * share, "percent", match.start(), match.end()
    for match in _PROPORTION.finditer(text):
        yield float(match["n"]), "proportion", match.start(), match.end()


def _levels(text: str) -> Iterator[_Reading]:
    for match in _LEVEL.finditer(text):
        yield float(match["nth"] or match.group(2)), "level", match.start(), match.end()
    outlines = [(match.group(1).count(".") + 1.0, match) for match in _OUTLINE.finditer(text)]
    # "1, 1.1 and 1.1.1" shows the levels up to the deepest; a level told in words says it better.
    told = _EXPLICIT_LEVEL.search(text) is not None
    deepest = max((depth for depth, _ in outlines), default=0.0)
    for depth, match in outlines:
        yield depth, "level" if depth == deepest and not told else "", match.start(), match.end()


def _times(text: str) -> Iterator[_Reading]:
    for match in _CLOCK.finditer(text):
        hour = float(match["hour"] or match["h"]) + float(match["minute"] or match["m"] or 0) / 60
        if hour >= _DAY_HOURS:
            # 29:00 of a timetable is five in the morning.
            hour -= _DAY_HOURS
        if (match["half"] or match["ampm"]) in _AFTERNOON and hour < _NOON:
            hour += _NOON
        yield hour, "clock", match.start(), match.end()


def _numbers(text: str, lexicon: Lexicon) -> Iterator[_Reading]:
    for match in _number_pattern(lexicon.unit_pattern).finditer(text):
        number = number_of(match["en"] or match["num"] or match["kanji"] or match["bare"] or match["word"] or "")
        if number is None:
            continue
        word = match["uen"] or match["unit"] or match["ukanji"]
        if _ORDINAL.search(text[: match.start()]):
            continue
        if word is None:
            counted = _PLURAL.match(text, match.end()) and not _NO_PLURAL.match(text, match.end())
            yield number, "item" if counted else "bare", match.start(), match.end()
            continue
        name = lexicon.unit_words[word]
        if name == "day" and (match["adj"] or match["adj2"] or "").startswith(("working", "business")):
            name = "business-day"
        unit = lexicon.units[name]
        number *= _MULTIPLIERS.get(match["mult"] or "", 1.0)
        yield (number + 0.5 * bool(match["half"])) * unit.factor, unit.dimension, match.start(), match.end()
