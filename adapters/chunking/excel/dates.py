"""Dates and times as Excel shows them, Japanese eras included."""

from datetime import date, datetime, timedelta

# One date or time token of a format code (used inside a verbose, case-insensitive expression).
DATE_PIECE = r"AM/PM|A/P|y+|m+|d+|h+|s+(?:\.0+)?|g+|e+(?![+-])|a{3,4}"

_ERAS = (
    (date(2019, 5, 1), "R", "令", "令和"),
    (date(1989, 1, 8), "H", "平", "平成"),
    (date(1926, 12, 25), "S", "昭", "昭和"),
    (date(1912, 7, 30), "T", "大", "大正"),
    (date(1868, 1, 25), "M", "明", "明治"),
)
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_KANJI_DAYS = "月火水木金土日"
_LEAP_BUG = 60
# A moment before the year 10000, so that rounding cannot reach it.
_END = 2958465.9999
_JAPANESE = "411"
_SHORT = 3


def to_datetime(serial: float, *, date1904: bool = False) -> datetime | None:
    """Return the moment of a serial number, to the millisecond; None when it is no date.

    Excel's 1900 calendar has a 29 February 1900 that never was, so days before it are counted from a day later.
    """
    if not 0 <= serial < _END:
        return None
    first = (1904, 1, 1) if date1904 else (1899, 12, 30 if serial >= _LEAP_BUG else 31)
    base = datetime(*first)  # noqa: DTZ001  # a cell has no time zone
    try:
        return base + timedelta(milliseconds=round(serial * 86_400_000))
    except OverflowError:
        return None


def render_date(serial: float, tokens: list[tuple[bool, str]], locale: str, *, date1904: bool) -> str | None:
    """Return a serial number in a date format.

    Args:
        serial: Days since the start of the calendar, time of day as fraction.
        tokens: The format's pieces: (is a date token, text).
        locale: Locale id of the format in hexadecimal ("411" is Japanese), "" when none.
        date1904: Dates count from 1904.

    Returns:
        The text, None when the number is no date (negative or beyond the year 9999).
    """
    moment = to_datetime(serial, date1904=date1904)
    if moment is None:
        return None
    codes = [text.lower() for is_date, text in tokens if is_date]
    places = max((len(code.partition(".")[2]) for code in codes), default=0)
    unit = 10 ** (6 - min(places, 6))
    moment += timedelta(microseconds=unit // 2)
    moment = moment.replace(microsecond=moment.microsecond // unit * unit)
    twelve = any("/p" in code for code in codes)
    japanese = locale.upper().endswith(_JAPANESE) or "ja" in locale.lower()
    out: list[str] = []
    position = 0
    for is_date, text in tokens:
        if not is_date:
            # Only what stands between date parts: digits after a point belong to seconds and were taken there.
            out.append(text)
            continue
        shown = _part(codes, position, moment, serial, twelve=twelve, japanese=japanese)
        # "a/p" keeps its case, "AM/PM" is always in capitals.
        short = text.lower() == "a/p" and not japanese
        out.append((shown[0] if text[0].isupper() else shown[0].lower()) if short else shown)
        position += 1
    return "".join(out).strip()


def _part(codes: list[str], position: int, moment: datetime, serial: float, *, twelve: bool, japanese: bool) -> str:
    code = codes[position]
    letter = code.strip("[]")[0]
    if code.startswith("["):
        return _elapsed(code.strip("[]"), serial)
    if "/p" in code:
        if japanese:
            return "午前" if moment.hour < 12 else "午後"  # noqa: PLR2004  # noon
        return "AM" if moment.hour < 12 else "PM"  # noqa: PLR2004  # noon
    if letter == "m" and _is_minute(codes, position):
        return f"{moment.minute:0{min(len(code), 2)}d}"
    if letter in "hs":
        return _time(code, moment, twelve=twelve)
    return _calendar(code, moment)


def _is_minute(codes: list[str], position: int) -> bool:
    """An m means minutes right after hours or right before seconds."""
    if len(codes[position]) > 2:  # noqa: PLR2004  # mmm is a month's name
        return False
    before = codes[position - 1].strip("[]")[0] if position else ""
    after = codes[position + 1].strip("[]")[0] if position + 1 < len(codes) else ""
    return before == "h" or after == "s"


def _elapsed(code: str, serial: float) -> str:
    unit = {"h": 24, "m": 1440, "s": 86400}[code[0]]
    return f"{int(serial * unit + 1e-6):0{len(code)}d}"


def _time(code: str, moment: datetime, *, twelve: bool) -> str:
    if code[0] == "h":
        hour = (moment.hour % 12 or 12) if twelve else moment.hour
        return f"{hour:0{min(len(code), 2)}d}"
    seconds, _, fraction = code.partition(".")
    shown = f"{moment.second:0{min(len(seconds), 2)}d}"
    if fraction:
        shown += "." + f"{moment.microsecond:06d}"[: len(fraction)]
    return shown


def _calendar(code: str, moment: datetime) -> str:  # noqa: PLR0911  # one return per letter reads best
    length, day = len(code), moment.date()
    match code[0]:
        case "y":
            return f"{moment.year % 100:02d}" if length <= 2 else f"{moment.year:04d}"  # noqa: PLR2004  # yy or yyyy
        case "m":
            return _named(length, moment.month, _MONTHS[moment.month - 1])
        case "d":
            return _named(length, moment.day, _DAYS[moment.weekday()])
        case "a":
            return _KANJI_DAYS[moment.weekday()] + ("曜日" if length > _SHORT else "")
        case "b":
            return f"{(moment.year + 543) % (100 if length <= 2 else 10_000)}"  # noqa: PLR2004  # Buddhist year
        case _:
            start, *names = next((era for era in _ERAS if day >= era[0]), (date(1, 1, 1), "", "", ""))
            if code[0] == "g":
                return str(names[min(length, _SHORT) - 1])
            return f"{moment.year - start.year + 1:0{min(length, 2)}d}"


def _named(length: int, number: int, name: str) -> str:
    if length <= 2:  # noqa: PLR2004  # m, mm: digits
        return f"{number:0{length}d}"
    if length == 5:  # noqa: PLR2004  # mmmmm: first letter
        return name[0]
    return name[:_SHORT] if length == _SHORT else name
