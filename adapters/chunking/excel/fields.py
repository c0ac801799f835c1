"""Writing rows of labels and values as text."""

import re
from collections.abc import Iterable, Iterator

from .grid import Cell

NOTE = re.compile(r"\s*(?:[(（\[]?※|＊|\*\d|注[)）:：\d]|[(（]注|【注|Notes?\s*[:：])", re.IGNORECASE)
PATH = " > "
FIELD = " / "
# A row longer than this, or with values of several lines, is written one field a line.
_ROW_CHARS = 320
MAX_LABEL_CHARS = 60
_VALUE_LINES = 2
_BRACKETS = re.compile(r"[()（）\[\]［］:：\s]+")

Pair = tuple[str, str]
"""A label, "" when there is none, and its value, "" when it is empty."""


def flat(text: str) -> str:
    """Return a label on one line; a line break inside a Japanese word is no space."""
    parts = [part.strip() for part in text.split("\n") if part.strip()]
    out = parts[0] if parts else ""
    for part in parts[1:]:
        out += (" " if out[-1].isascii() and part[0].isascii() else "") + part
    return out


def write_row(pairs: list[tuple[str, str]]) -> str:
    """Write a row: on one line while it is short, else one field a line."""
    fields = list(_fields(pairs))
    several = any(text.count("\n") >= _VALUE_LINES for text in fields)
    if several or sum(map(len, fields)) > _ROW_CHARS:
        return "\n".join(fields)
    return FIELD.join(" ".join(text.split("\n")) for text in fields)


def _fields(pairs: list[tuple[str, str]]) -> Iterator[str]:
    for name, value in pairs:
        label = name.rstrip(":： ")
        if label and value:
            yield f"{label}: {value}"
        elif label or value:
            yield f"{label}:" if label else value


def joined(boxes: Iterable[Cell]) -> str:
    """Return the text of several boxes as it is read: rows from top to bottom."""
    boxes = list(boxes)
    if len(boxes) == 1:
        return boxes[0].text
    rows: dict[int, list[str]] = {}
    for box in sorted(boxes, key=lambda box: (box.area.top, box.area.left)):
        rows.setdefault(box.area.top, []).append(box.text)
    return "\n".join(" ".join(texts) for texts in rows.values())


def nested(pairs: list[Pair]) -> list[Pair]:
    """Leave out of a label what an earlier field of the row is called: columns of a tree lie below one another."""
    if not any(PATH in label for label, _ in pairs):
        return pairs
    out: list[Pair] = []
    for label, value in pairs:
        above = max((other for other, _ in pairs if label.startswith(f"{other}{PATH}") and other), key=len, default="")
        out.append((label.removeprefix(f"{above}{PATH}") if above else label, value))
    return out


def compact(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Leave out the upper parts of a label where the field before has the same."""
    out: list[tuple[str, str]] = []
    above: list[str] = []
    for label, value in pairs:
        *parts, own = label.split(PATH)
        out.append((own if parts and parts == above else label, value))
        above = parts
    return out


def is_bracket(text: str) -> bool:
    """Tell whether a text is a lone bracket or colon: the frame of a field that was left empty."""
    return bool(_BRACKETS.fullmatch(text))


def is_note(text: str) -> bool:
    """Tell whether a line is a note to what stands above it (※ …)."""
    return bool(NOTE.match(text))
