"""The title of a slide, also when nobody used the title placeholder."""

from collections.abc import Sequence
from typing import Final

from .shapes import Item
from .text import one_line

_UPPER_PART: Final = 0.25
"""Part of the slide's height in which the first line of a title stands."""
_LARGER: Final = 1.2
_DEFAULT_SIZE: Final = 1800
"""Font size of a text box that sets none, in hundredths of a point."""
_LONGEST: Final = 60
_MOST_LINES: Final = 2


def find_title(items: Sequence[Item], height: float) -> Item | None:
    """Return the item that is the slide's title, None when it has none.

    Without a title placeholder, a short text at the top counts that is set clearly larger than all others.

    Args:
        items: What stands on the slide, in reading order.
        height: Height of the slide in EMU.
    """
    for item in items:
        if item.role == "title":
            return item
    texts = [item for item in items if item.lines and item.role == "body"]
    if not texts or len(items) == 1:
        return None
    first = max(texts, key=_size)
    others = [_size(item) for item in texts if item is not first]
    if (
        len(first.lines) > _MOST_LINES
        or len(first.text) > _LONGEST
        or first.text.rstrip().endswith(("。", "."))
        or first.box.top > _UPPER_PART * height
        or any(item.box.top < first.box.top for item in items if item is not first)
        or _size(first) < _LARGER * max(others, default=_DEFAULT_SIZE)
    ):
        return None
    return first


def title_text(item: Item) -> str:
    """Return a title as one line: breaks and vertical tabs are spaces."""
    return " ".join(one_line(line.shown()) for line in item.lines)


def _size(item: Item) -> int:
    return max((line.size or _DEFAULT_SIZE for line in item.lines), default=0)
