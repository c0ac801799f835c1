"""Displayed values: a number and its format code to the text that Excel shows (ECMA-376 part 1, 18.8.31).

Column width ("####") is left out of account: a rule book is read for its values.
"""

import math
import operator
import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from .dates import DATE_PIECE, render_date

Kind = Literal["literal", "digit", "point", "comma", "percent", "exponent", "slash", "text", "date", "general"]

_TOKEN = re.compile(
    r"""
    (?P<quoted>"[^"]*"?) | \\(?P<escaped>.) | _. | \*. | \[(?P<bracket>[^\]]*)\]
  | (?P<general>General) | (?P<date>{date}) | (?P<exponent>[Ee][+-]) | (?P<digit>[0#?]) | (?P<point>\.)
  | (?P<comma>,) | (?P<percent>%) | (?P<slash>/) | (?P<text>@) | (?P<other>.)
    """.replace("{date}", DATE_PIECE),
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_SECTION = re.compile(r'"[^"]*"?|\\.|[_*].|\[[^\]]*\]|;|.', re.DOTALL)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_COMPARE = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "<>": operator.ne,
}  # fmt: skip
# Wide enough for the largest float with many decimals.
_WIDE = Context(prec=800)
_MAX_GENERAL = 1e21
_MIN_GENERAL = 1e-9
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a format section."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """One of the up to four parts of a format code, with its condition ("[>=100]") and locale ("411")."""

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None = None
    locale: str = ""

    def has(self, kind: Kind) -> bool:
        """Tell whether a token of that kind occurs."""
        return any(token.kind == kind for token in self.tokens)


def display_number(value: float, code: str, *, date1904: bool = False) -> str:
    """Return what Excel shows for a number.

    Args:
        value: The stored number; dates are days since 1900 (or 1904).
        code: Format code, with up to four sections.
        date1904: Dates count from 1904.
    """
    sections = parse(code)
    section, signed = _choose(sections, value)
    if section is None:
        return general(value)
    if section.has("date"):
        shown = render_date(
            value, [(t.kind == "date", t.text) for t in section.tokens], section.locale, date1904=date1904
        )
        return general(value) if shown is None else shown
    if section.has("general") or (section.has("text") and not section.has("digit")):
        shown = general(value if signed else abs(value))
        return _with_literals(section, shown)
    return _number(section, value if signed else abs(value)).strip()


def display_text(value: str, code: str) -> str:
    """Return what Excel shows for a text: itself, inside the literals of a text section if there is one."""
    if "@" not in code:
        return value
    section = next((section for section in reversed(parse(code)) if section.has("text")), None)
    return value if section is None else _with_literals(section, value)


def general(value: float) -> str:
    """Return a number in the General format: up to 11 significant digits, integers in full."""
    if value == int(value) and abs(value) < _MAX_GENERAL:
        return str(int(value))
    if abs(value) >= _MAX_GENERAL or abs(value) < _MIN_GENERAL:
        return f"{value:.6G}"
    shown = f"{Decimal(repr(value)):.{max(0, 10 - _magnitude(value))}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def _magnitude(value: float) -> int:
    return max(0, math.floor(math.log10(abs(value))) + 1) if value else 0


@lru_cache(maxsize=512)
def parse(code: str) -> tuple[Section, ...]:
    """Split a format code into its sections."""
    parts = [""]
    for match in _SECTION.finditer(code):
        if match[0] == ";":
            parts.append("")
        else:
            parts[-1] += match[0]
    return tuple(_section(part) for part in parts)


def _section(part: str) -> Section:
    tokens: list[Token] = []
    condition: tuple[str, float] | None = None
    locale = ""
    for match in _TOKEN.finditer(part):
        kind, text = match.lastgroup, match[0]
        if kind == "quoted":
            tokens.append(Token("literal", text.strip('"')))
        elif kind == "escaped":
            tokens.append(Token("literal", match["escaped"]))
        elif kind == "bracket":
            inside = match["bracket"]
            if found := _CONDITION.fullmatch(inside):
                condition = (found[1], float(found[2]))
            elif inside.startswith("$"):
                symbol, _, locale = inside[1:].partition("-")
                tokens.append(Token("literal", symbol))
            elif _ELAPSED.fullmatch(inside):
                tokens.append(Token("date", text))
        elif kind == "other":
            tokens.append(Token("literal", text))
        elif kind is not None:
            tokens.append(Token(kind, text))  # type: ignore[arg-type]  # the group names are the kinds
    return Section(tuple(tokens), condition, locale)


def _choose(sections: tuple[Section, ...], value: float) -> tuple[Section | None, bool]:
    """Return the section for a value, and whether a minus sign is still to be written."""
    if any(section.condition for section in sections):
        for section in sections:
            if section.condition is None or _COMPARE[section.condition[0]](value, section.condition[1]):
                return section, True
        return None, True
    numeric = sections if len(sections) == 1 else tuple(s for s in sections[:3])
    if value < 0 and len(numeric) > 1:
        return numeric[1], False
    if value == 0 and len(numeric) > 2:  # noqa: PLR2004  # positive; negative; zero
        return numeric[2], False
    return numeric[0], True


def _with_literals(section: Section, shown: str) -> str:
    parts = [
        shown if token.kind in ("general", "text") else token.text
        for token in section.tokens
        if token.kind in ("general", "text", "literal")
    ]
    return "".join(parts)


def _number(section: Section, value: float) -> str:
    tokens = section.tokens
    if not section.has("digit"):
        return "".join(token.text for token in tokens if token.kind in ("literal", "percent", "point"))
    if section.has("slash") and not section.has("exponent"):
        fraction = _fraction(tokens, value)
        if fraction is not None:
            return fraction
    sign = "-" if value < 0 else ""
    number = abs(Decimal(repr(value))).scaleb(2 * sum(token.kind == "percent" for token in tokens))
    if section.has("exponent"):
        return sign + _scientific(tokens, number)
    text = _fixed(tokens, number)
    # "-0.00" is shown without the sign.
    return sign + text if any(char in "123456789" for char in text) or not sign else text


def _fixed(tokens: tuple[Token, ...], number: Decimal) -> str:
    digits = [index for index, token in enumerate(tokens) if token.kind == "digit"]
    point = next((i for i, token in enumerate(tokens) if token.kind == "point" and i < digits[-1] + 2), None)
    whole = [i for i in digits if point is None or i < point]
    decimals = [i for i in digits if point is not None and i > point]
    last_whole = whole[-1] if whole else -1
    scale = 0
    for token in tokens[last_whole + 1 :] if whole else ():
        if token.kind != "comma":
            break
        scale += 1
    grouped = any(token.kind == "comma" for token in tokens[whole[0] : last_whole]) if whole else False
    number = number.scaleb(-3 * scale).quantize(Decimal(1).scaleb(-len(decimals)), ROUND_HALF_UP, _WIDE)
    plain = f"{number:f}"
    integer, _, fraction = plain.partition(".")
    filled = _fill_whole(tokens, whole, "" if integer == "0" else integer, grouped=grouped)
    fraction_end = len(fraction.rstrip("0"))
    for place, index in enumerate(decimals):
        keep = place < fraction_end or any(tokens[i].text == "0" for i in decimals[place:])
        filled[index] = fraction[place] if keep else (" " if tokens[index].text == "?" else "")
    out: list[str] = []
    for index, token in enumerate(tokens):
        if index in filled:
            if point is not None and not whole and index == decimals[0] and integer != "0":
                out.insert(len(out) - 1, integer)
            out.append(filled[index])
        elif token.kind in ("literal", "percent", "slash") or (token.kind == "point" and index == point):
            out.append(token.text)
    return "".join(out)


def _fill_whole(tokens: tuple[Token, ...], whole: list[int], integer: str, *, grouped: bool) -> dict[int, str]:
    """Give each integer place its digits, from the right; the first place takes all that are left."""
    filled: dict[int, str] = {}
    first_zero = next((i for i in whole if tokens[i].text == "0"), None)
    rest, written = integer, 0
    for index in reversed(whole):
        take = rest if index == whole[0] else rest[-1:]
        rest = rest[: len(rest) - len(take)]
        if not take:
            required = first_zero is not None and index >= first_zero
            take = "0" if required else (" " if tokens[index].text == "?" else "")
        piece = ""
        for char in reversed(take):
            if grouped and char.isdigit() and written and written % 3 == 0:
                piece = "," + piece
            piece = char + piece
            written += char.isdigit()
        filled[index] = piece
    return filled


def _scientific(tokens: tuple[Token, ...], number: Decimal) -> str:
    position = next(i for i, token in enumerate(tokens) if token.kind == "exponent")
    mantissa, exponent = tokens[:position], tokens[position + 1 :]
    places = 0
    seen_point = False
    whole_places = 0
    for token in mantissa:
        seen_point = seen_point or token.kind == "point"
        places += token.kind == "digit" and seen_point
        whole_places += token.kind == "digit" and not seen_point
    power = number.adjusted() if number else 0
    if whole_places > 1:
        power -= power % whole_places
    scaled = number.scaleb(-power).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, _WIDE)
    if scaled >= Decimal(10) ** max(1, whole_places):
        power += max(1, whole_places)
        scaled = number.scaleb(-power)
    shown = _fixed(mantissa, scaled) if any(token.kind == "digit" for token in mantissa) else ""
    width = sum(token.kind == "digit" for token in exponent)
    sign = "-" if power < 0 else ("+" if tokens[position].text.endswith("+") else "")
    tail = "".join(token.text for token in exponent if token.kind == "literal")
    return f"{shown}E{sign}{abs(power):0{width}d}{tail}"


def _fraction(tokens: tuple[Token, ...], value: float) -> str | None:
    slash = next(i for i, token in enumerate(tokens) if token.kind == "slash")
    after = tokens[slash + 1 :]
    fixed = "".join(t.text for t in after if t.kind in ("digit", "literal")).strip()
    places = sum(token.kind == "digit" for token in after)
    if not any(token.kind == "digit" for token in tokens[:slash]) or not (places or fixed.isdecimal()):
        return None
    exact = abs(Fraction(repr(value)))
    before = tokens[:slash]
    # "# ?/?" has a group of digits for the whole part, apart from the numerator's.
    gap = next(
        (i for i in range(len(before) - 1, -1, -1) if before[i].kind == "literal" and before[i].text == " "), None
    )
    has_whole = gap is not None and any(token.kind == "digit" for token in before[:gap])
    whole = int(exact) if has_whole else 0
    rest = exact - whole
    if fixed.isdecimal() and int(fixed):
        denominator = int(fixed)
        numerator = round(rest * denominator)
    else:
        near = rest.limit_denominator(10**places - 1)
        numerator, denominator = near.numerator, near.denominator
    if has_whole and numerator == denominator:
        whole, numerator = whole + 1, 0
    sign = "-" if value < 0 else ""
    if numerator == 0 and has_whole:
        return f"{sign}{whole}"
    return f"{sign}{whole} {numerator}/{denominator}" if whole else f"{sign}{numerator}/{denominator}"
