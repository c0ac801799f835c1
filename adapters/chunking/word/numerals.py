"""Number formats of automatic numbering (ST_NumberFormat, ECMA-376 17.18.59)."""

from collections.abc import Callable

_FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
_AIUEO = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_AIUEO_HALF = "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ"
_IROHA = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス"
_IROHA_HALF = "ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽ"
_DIGITS = "〇一二三四五六七八九"
_DIGITS_CHINESE = "○一二三四五六七八九"
_LEGAL_JAPANESE = "零壱弐参四伍六七八九"
_LEGAL_CHINESE = "零壹贰叁肆伍陆柒捌玖"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_GANADA = "가나다라마바사아자차카타파하"
_CIRCLED = (
    "".join(chr(0x2460 + n) for n in range(20))
    + "".join(chr(0x3251 + n) for n in range(15))
    + "".join(chr(0x32B1 + n) for n in range(15))
)
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip
_MOST_LETTERS = 780
"""Word repeats letters (z, aa, bb) and gives up after 30 rounds."""
_HUNDRED, _TWENTY, _TEN_THOUSAND = 100, 20, 10_000


def format_number(number: int, kind: str) -> str:
    """Return a counter value in a number format; an unknown format is shown in decimal digits."""
    formatter = _FORMATS.get(kind)
    return formatter(number) if formatter is not None else str(number)


def _letters(number: int) -> str:
    if not 0 < number <= _MOST_LETTERS:
        return str(number)
    repeats, index = divmod(number - 1, 26)
    return chr(ord("A") + index) * (repeats + 1)


def _roman(number: int) -> str:
    if not 0 < number < 4 * 1000:
        return str(number)
    out = ""
    for value, sign in _ROMAN:
        count, number = divmod(number, value)
        out += sign * count
    return out


def _cycle(signs: str) -> Callable[[int], str]:
    """Return the formatter of a fixed sequence that starts again at its end."""
    return lambda number: signs[(number - 1) % len(signs)] if number > 0 else str(number)


def _limited(signs: str) -> Callable[[int], str]:
    """Return the formatter of a fixed sequence that goes on in decimal digits behind its end."""
    return lambda number: signs[number - 1] if 0 < number <= len(signs) else str(number)


def _positional(digits: str) -> Callable[[int], str]:
    return lambda number: "".join(digits[int(d)] for d in str(abs(number)))


def _counting(digits: str, units: str, ten_thousand: str, *, bare_one: bool) -> Callable[[int], str]:
    """Return the formatter of Chinese-style counting (十二, 百二十三).

    Args:
        digits: Signs of 0 to 9.
        units: Signs of 10, 100 and 1000.
        ten_thousand: Sign of 10,000.
        bare_one: A one before a unit is not written (百, not 一百).
    """

    def below(number: int) -> str:
        out = ""
        for power in (3, 2, 1):
            digit, number = divmod(number, 10**power)
            if digit:
                out += ("" if digit == 1 and bare_one else digits[digit]) + units[power - 1]
        return out + (digits[number] if number else "")

    def formatter(number: int) -> str:
        if number == 0:
            return digits[0]
        if not 0 < number < _TEN_THOUSAND * _TEN_THOUSAND:
            return str(number)
        high, low = divmod(number, _TEN_THOUSAND)
        head = (below(high) or digits[1]) + ten_thousand if high else ""
        return head + below(low)

    return formatter


def _chinese(number: int) -> str:
    """Return modern Chinese counting: 十 and 十二 below twenty, 一百零五 above."""
    if not 0 < number < _TEN_THOUSAND:
        return str(number)
    out, zero = "", False
    for power, unit in ((3, "千"), (2, "百"), (1, "十"), (0, "")):
        digit = number // 10**power % 10
        if digit == 0:
            zero = bool(out)
            continue
        out += ("零" if zero else "") + _DIGITS[digit] + unit
        zero = False
    return out.removeprefix("一") if number < _TWENTY and number > 9 else out  # noqa: PLR2004  # 10 to 19


def _sexagenary(number: int) -> str:
    return _STEMS[(number - 1) % 10] + _BRANCHES[(number - 1) % 12]


def _ordinal(number: int) -> str:
    tail = "th" if 10 <= number % 100 <= _TWENTY else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")  # noqa: PLR2004  # 11th to 13th
    return f"{number}{tail}"


def _words(number: int) -> str:
    if not 0 <= number < _HUNDRED:
        return str(number)
    if number < _TWENTY:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")


def _ordinal_words(number: int) -> str:
    words = _words(number)
    head, dash, last = words.rpartition("-")
    if last in _ORDINALS:
        last = _ORDINALS[last]
    elif last.endswith("y"):
        last = last[:-1] + "ieth"
    elif last.isalpha():
        last += "th"
    return head + dash + last


_japanese = _counting(_DIGITS, "十百千", "万", bare_one=True)
_japanese_legal = _counting(_LEGAL_JAPANESE, "拾百阡", "萬", bare_one=False)
_chinese_legal = _counting(_LEGAL_CHINESE, "拾佰仟", "萬", bare_one=False)

_FORMATS: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalHalfWidth": str,
    "decimalZero": lambda n: f"{n:02d}",
    "decimalFullWidth": lambda n: str(n).translate(_FULL_WIDTH),
    "decimalFullWidth2": lambda n: str(n).translate(_FULL_WIDTH),
    "upperLetter": _letters,
    "lowerLetter": lambda n: _letters(n).lower(),
    "upperRoman": _roman,
    "lowerRoman": lambda n: _roman(n).lower(),
    "ordinal": _ordinal,
    "cardinalText": lambda n: _words(n).capitalize(),
    "ordinalText": lambda n: _ordinal_words(n).capitalize(),
    "hex": lambda n: f"{n:X}",
    "numberInDash": lambda n: f"- {n} -",
    "aiueo": _cycle(_AIUEO_HALF),
    "aiueoFullWidth": _cycle(_AIUEO),
    "iroha": _cycle(_IROHA_HALF),
    "irohaFullWidth": _cycle(_IROHA),
    "japaneseCounting": _japanese,
    "japaneseDigitalTenThousand": _positional(_DIGITS),
    "japaneseLegal": _japanese_legal,
    "ideographDigital": _positional(_DIGITS),
    "taiwaneseDigital": _positional(_DIGITS_CHINESE),
    "chineseCounting": _chinese,
    "chineseCountingThousand": _chinese,
    "taiwaneseCounting": _chinese,
    "taiwaneseCountingThousand": _chinese,
    "chineseLegalSimplified": _chinese_legal,
    "ideographLegalTraditional": _chinese_legal,
    "ideographTraditional": _cycle(_STEMS),
    "ideographZodiac": _cycle(_BRANCHES),
    "ideographZodiacTraditional": _sexagenary,
    "decimalEnclosedCircle": _limited(_CIRCLED),
    "decimalEnclosedCircleChinese": _limited(_CIRCLED),
    "decimalEnclosedFullstop": _limited("".join(chr(0x2488 + n) for n in range(20))),
    "decimalEnclosedParen": _limited("".join(chr(0x2474 + n) for n in range(20))),
    "ideographEnclosedCircle": _limited("㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉"),
    "ganada": _cycle(_GANADA),
    "chosung": _cycle("ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ"),
    "none": lambda _: "",
}
