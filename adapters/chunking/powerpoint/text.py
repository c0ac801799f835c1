"""Text of a shape: paragraphs with their levels and automatic numbers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lxml import etree

from .opc import q

_ESCAPED_BREAK: Final = re.compile(r"_x000[ABD]_|[\v\f\r]")
_CIRCLED_LIMIT: Final = 20
_DEEPEST_LEVEL: Final = 8
_LARGEST: Final = 1_000_000
_LARGEST_START: Final = 32_767
"""Largest start of an automatic number (ECMA-376 part 1, ST_TextBulletStartAtNum)."""
_KANJI_DIGITS: Final = "〇一二三四五六七八九"


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph of a shape.

    Attributes:
        text: Its text; forced line breaks are line feeds. Never empty.
        level: Indentation, from 0.
        label: Automatic number as shown ("1.", "①"), "" when it has none.
        bullet: True when it has a number or a bullet of its own.
        size: Largest font size set on its runs, in hundredths of a point; 0 when none is set.
    """

    text: str
    level: int = 0
    label: str = ""
    bullet: bool = False
    size: int = 0

    def shown(self) -> str:
        """Return the paragraph as a line: indentation, number, text."""
        return "  " * self.level + (f"{self.label} " if self.label else "") + self.text


def lines(body: etree._Element, styles: Sequence[etree._Element] = (), *, numbers: bool = False) -> list[Line]:
    """Return the non-empty paragraphs of a text body.

    Args:
        body: An element with `a:p` children (`p:txBody`, `a:txBody`, `dgm:t`, `c:rich`).
        styles: List styles the body inherits from (`a:lstStyle`), nearest first.
        numbers: True keeps slide-number fields.
    """
    own = body.find(q("a:lstStyle"))
    sources = ([own] if own is not None else []) + list(styles)
    counters: dict[int, tuple[str, int]] = {}
    found: list[Line] = []
    for paragraph in body.iterchildren(q("a:p")):
        text = paragraph_text(paragraph, numbers=numbers)
        if not text:
            continue
        properties = paragraph.find(q("a:pPr"))
        level = min(integer(properties.get("lvl") if properties is not None else None), _DEEPEST_LEVEL)
        bullet = _bullet(properties, level, sources)
        label = _count(bullet, level, counters)
        has_bullet = bullet is not None and bullet.tag != q("a:buNone")
        found.append(Line(text, level, label, has_bullet, _size(paragraph)))
    return found


def paragraph_text(paragraph: etree._Element, *, numbers: bool = False) -> str:
    """Return the text of one `a:p`; breaks become line feeds, slide-number fields are kept only by `numbers`."""
    text = "".join(_runs(paragraph, numbers=numbers))
    return "\n".join(line.strip() for line in _ESCAPED_BREAK.sub("\n", text).split("\n")).strip()


def one_line(text: str) -> str:
    """Return the text without line breaks, as titles and table cells show it."""
    return re.sub(r"\s*\n\s*", " ", text).strip()


def _runs(parent: etree._Element, *, numbers: bool) -> Iterator[str]:
    for child in parent.iterchildren():
        if child.tag == q("a:r"):
            yield from (t.text or "" for t in child.iterchildren(q("a:t")))
        elif child.tag == q("a:br"):
            yield "\n"
        elif child.tag == q("a:fld"):
            if numbers or child.get("type") != "slidenum":
                yield from (t.text or "" for t in child.iterchildren(q("a:t")))
        elif child.tag == q("mc:AlternateContent"):
            choice = child.find(q("mc:Choice"))
            if choice is not None:
                yield from _runs(choice, numbers=numbers)
        elif child.tag not in (q("a:pPr"), q("a:endParaRPr")):
            # Equations: the runs of the formula in order.
            yield from (t.text or "" for t in child.iter(q("m:t")))


def _bullet(properties: etree._Element | None, level: int, styles: Sequence[etree._Element]) -> etree._Element | None:
    candidates = [properties, *(style.find(q(f"a:lvl{level + 1}pPr")) for style in styles)]
    for candidate in candidates:
        if candidate is None:
            continue
        for child in candidate.iterchildren(q("a:buNone"), q("a:buAutoNum"), q("a:buChar"), q("a:buBlip")):
            return child
    return None


def _count(bullet: etree._Element | None, level: int, counters: dict[int, tuple[str, int]]) -> str:
    for deeper in [each for each in counters if each > level]:
        del counters[deeper]
    if bullet is None or bullet.tag != q("a:buAutoNum"):
        counters.pop(level, None)
        return ""
    scheme = bullet.get("type", "arabicPeriod")
    running, last = counters.get(level, ("", 0))
    number = last + 1 if running == scheme else min(integer(bullet.get("startAt"), 1), _LARGEST_START)
    counters[level] = (scheme, number)
    return number_label(scheme, number)


def number_label(scheme: str, number: int) -> str:
    """Return an automatic number as PowerPoint shows it (ECMA-376 part 1, ST_TextAutonumberScheme)."""
    if scheme.startswith("circleNum"):
        return chr(0x2460 + number - 1) if 1 <= number <= _CIRCLED_LIMIT else f"({number})"
    if scheme.startswith("alpha"):
        digits = _letters(number)
    elif scheme.startswith("roman"):
        digits = _roman(number)
    elif scheme.startswith(("ea1Jpn", "ea1Ch")):
        digits = _kanji(number)
    else:
        digits = str(number)
    if scheme.startswith(("alphaLc", "romanLc")):
        digits = digits.lower()
    if scheme.endswith("ParenBoth"):
        return f"({digits})"
    if scheme.endswith("ParenR"):
        return f"{digits})"
    if scheme.endswith("DbPeriod"):
        return f"{digits}．"
    return digits if scheme.endswith("Plain") else f"{digits}."


def _letters(number: int) -> str:
    text = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def _roman(number: int) -> str:
    text = ""
    for value, sign in (
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
        (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ):  # fmt: skip
        while number >= value:
            text += sign
            number -= value
    return text


def _kanji(number: int) -> str:
    tens, ones = divmod(number, 10)
    if tens == 0:
        return _KANJI_DIGITS[ones]
    head = "" if tens == 1 else _KANJI_DIGITS[tens] if tens < 10 else str(tens)  # noqa: PLR2004  # decimal
    return f"{head}十{_KANJI_DIGITS[ones] if ones else ''}"


def _size(paragraph: etree._Element) -> int:
    return max((integer(each.get("sz")) for each in paragraph.iter(q("a:rPr"))), default=0)


def integer(value: str | None, default: int = 0) -> int:
    """Return an attribute's whole number, `default` when it is missing, none, or beyond all that files mean."""
    try:
        number = int(value) if value is not None else default
    except ValueError:
        return default
    return number if 0 <= number <= _LARGEST else default
