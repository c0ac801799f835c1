"""Free text on a sheet: numbered headings by number and indent, paragraphs that run on over rows."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "paren", "circled", "mark"]

_KANJI = "[一二三四五六七八九十]{1,3}"
_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("number", re.compile(rf"(第\s*(?:\d{{1,3}}(?:\.\d{{1,3}})*|{_KANJI})\s*[章節节項条編部])")),
    # Not a quantity ("2.5GB", "1.5倍") or a date ("24-11-06").
    (
        "number",
        re.compile(
            r"([1-9]\d{0,2}(?:[.\-][1-9]\d{0,2})+)(?:[.)](?=\s*[^\d\s])|(?=\s+\S)|(?=[^\s\dA-Za-z.\-/:%倍円個件回秒人枚桁]))"
        ),
    ),
    ("number", re.compile(rf"(\d{{1,3}}|{_KANJI})[.、](?=\s*[^\d\s])")),
    ("number", re.compile(r"(\d{1,2})(?=[\s]+[^\d\s])")),
    ("paren", re.compile(r"(\(\d{1,3}(?:[-.]\d{1,3})*\))(?=\s*\S)")),
    ("paren", re.compile(rf"(\({_KANJI}\))(?=\s*\S)")),
    ("paren", re.compile(r"(\d{1,3}\))(?=\s*\S)")),
    ("paren", re.compile(r"(\[\d{1,3}\])(?=\s*\S)")),
    ("circled", re.compile(r"([\u2460-\u2473])(?=\s*\S)")),
    ("mark", re.compile(r"([■◆●▼□◇])(?=\s*\S)")),
)
_RANK = {"number": 0, "paren": 1, "circled": 2, "mark": 3}
_MAX_HEADING_CHARS = 70
_LIST_START = re.compile(
    r"\s*(?:[・･※＊*\-‐–—│├└┌○●◎□■◆◇→⇒▼]|[(（\[]?\s*[\d０-９]{1,3}\s*[)）\].．、]|[①-⑳]|[a-zA-Zａ-ｚ][.)）])"
)
_ENDS = "。．！？!?」』）)】＞>：:；;"
_RUNS_ON_WIDTH = 56


@dataclass(frozen=True, slots=True)
class TextLine:
    """One row of free text.

    Attributes:
        row: Its first sheet row.
        bottom: Its last sheet row.
        column: Column where it begins: its indent.
        last_column: Column of its last cell.
        text: Its cells, joined.
        emphasis: Bold, or larger than the sheet's body text.
    """

    row: int
    bottom: int
    column: int
    last_column: int
    text: str
    emphasis: bool


@dataclass(frozen=True, slots=True)
class Numbered:
    """A line's number: its kind, its depth ("1.2.3" has 3), itself."""

    kind: Kind
    depth: int
    number: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Follower:
    """What stands next on the sheet after a line: where, and its text when it is free text."""

    row: int
    column: int
    text: str | None


def numbered(text: str) -> Numbered | None:
    """Return the number that a line begins with, None when it has none."""
    # Full-width digits and signs number headings like half-width ones; circled numbers must stay circled.
    plain = "".join(
        char if "\u2460" <= char <= "\u2473" else unicodedata.normalize("NFKC", char) for char in text[:60]
    ).lstrip()
    for kind, pattern in _PATTERNS:
        match = pattern.match(plain)
        if match:
            number = match[1].strip()
            parts = tuple(re.findall(r"\d+", number))
            return Numbered(kind, max(1, len(parts)), number, parts)
    return None


def is_heading(line: TextLine, follower: Follower | None, above: TextLine | None = None) -> bool:  # noqa: PLR0911  # one return a rule
    """Decide whether a numbered line opens a section.

    A number of several parts ("1.2") does. One of a single part, a bracketed or circled one does when
    something stands below it that belongs to it: further right, or a table, or a deeper number. Otherwise it
    numbers a list item, as does one right below another item of its kind.

    Args:
        line: The line.
        follower: What stands next on the sheet.
        above: The line before it when that is text of the same section.
    """
    found = numbered(line.text)
    text = line.text.strip()
    if found is None or len(text) > _MAX_HEADING_CHARS or text[-1] in "。．、，;；" or "\n" in text:
        return False
    if found.kind == "number" and found.depth > 1:
        return True
    before = numbered(above.text) if above is not None and above.bottom + 1 == line.row else None
    if before is not None and above is not None and above.column == line.column and before.kind == found.kind:
        return False
    if follower is None:
        return line.emphasis
    after = numbered(follower.text) if follower.text is not None else None
    if (
        after is not None
        and (after.kind, after.depth) == (found.kind, found.depth)
        and follower.row <= line.bottom + 1
        and follower.column <= line.column
    ):
        return False
    deeper = follower.column > line.column
    if after is not None and (_RANK[after.kind], after.depth) > (_RANK[found.kind], found.depth):
        return True
    if found.kind == "number":
        return deeper or follower.text is None or line.emphasis
    return deeper or line.emphasis


class Levels:
    """Gives headings their level from number and indent; level 1 is the sheet."""

    def __init__(self) -> None:
        self._stack: list[tuple[int, Numbered]] = []

    def open(self, column: int, found: Numbered) -> int:
        """Open a heading and return its level, from 2."""
        while self._stack and not self._is_parent(*self._stack[-1], column, found):
            self._stack.pop()
        self._stack.append((column, found))
        return len(self._stack) + 1

    @staticmethod
    def _is_parent(above_column: int, above: Numbered, column: int, found: Numbered) -> bool:
        if above.kind == found.kind and above.parts and found.parts:
            if above.depth != found.depth:
                return above.depth < found.depth
            return above_column < column and found.depth == 1
        if above_column != column:
            return above_column < column
        return _RANK[above.kind] < _RANK[found.kind]


def paragraphs(lines: Sequence[TextLine]) -> list[TextLine]:
    """Join rows that carry on the sentence of the row above; all others stay lines of their own.

    Args:
        lines: Consecutive free lines of one section, top to bottom.
    """
    joined: list[TextLine] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last is not None and _runs_on(last, line):
            separator = " " if last.text[-1:].isascii() and line.text.lstrip()[:1].isascii() else ""
            joined[-1] = TextLine(
                last.row,
                line.bottom,
                last.column,
                max(last.last_column, line.last_column),
                f"{last.text.rstrip()}{separator}{line.text.strip()}",
                last.emphasis,
            )
        else:
            joined.append(line)
    return joined


def _runs_on(last: TextLine, line: TextLine) -> bool:
    if line.row != last.bottom + 1 or line.emphasis != last.emphasis or _LIST_START.match(line.text):
        return False
    tail = last.text.rstrip()
    if tail[-1] in _ENDS or numbered(line.text) is not None:
        return False
    hanging = line.text[:1] in (" ", "\u3000") or line.column > last.column
    item = bool(_LIST_START.match(last.text))
    if line.column < last.column or (line.column > last.column + 2 and not item):
        return False
    if tail[-1] in "、，,":
        return True
    if hanging and item:
        return True
    return line.column == last.column and display_width(tail.rsplit("\n", 1)[-1]) >= _RUNS_ON_WIDTH


def display_width(text: str) -> int:
    """Return a text's width in half-width characters."""
    return sum(2 if unicodedata.east_asian_width(char) in "FWA" else 1 for char in text)
