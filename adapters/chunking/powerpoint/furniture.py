"""Texts that repeat at the same place on nearly every slide: hand-made page numbers, footers, confidentiality marks."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from .shapes import Item

_FEWEST_SLIDES: Final = 4
_NEARLY_EVERY: Final = 0.7
_LONGEST: Final = 120
_GRID: Final = 90000
"""Places are compared in steps of a quarter of a centimetre (EMU)."""
_PAGE_NUMBER: Final = re.compile(r"(p(age)?\.?|ページ|第|页|頁|/|of|-|\s|\d)+", re.IGNORECASE)

Mark = tuple[str, int, int]
"""Text and place, coarse enough to be equal from slide to slide."""


def repeated_marks(slides: Sequence[Iterable[Item]]) -> frozenset[Mark]:
    """Return the marks that stand on nearly every one of `slides`; none in a short deck."""
    if len(slides) < _FEWEST_SLIDES:
        return frozenset()
    counts = Counter(mark for items in slides for mark in {mark_of(item) for item in items})
    return frozenset(mark for mark, count in counts.items() if count >= _NEARLY_EVERY * len(slides))


def mark_of(item: Item) -> Mark:
    """Return the mark of an item; page numbers are alike whatever the number."""
    text = " ".join(item.text.split())
    if len(text) > _LONGEST:
        text = ""
    elif any(char.isdigit() for char in text) and _PAGE_NUMBER.fullmatch(text):
        text = re.sub(r"\d+", "#", text)
    return text, round(item.box.left / _GRID), round(item.box.top / _GRID)


def is_repeated(item: Item, marks: frozenset[Mark]) -> bool:
    """Return whether the item is only furniture."""
    mark = mark_of(item)
    return bool(mark[0]) and item.role == "body" and mark in marks
