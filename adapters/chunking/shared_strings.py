"""How many characters a workbook's cells show: shared strings count as often as cells refer to them.

A workbook of a hundred kilobytes can show billions of characters, as one long shared string may stand in
thousands of cells.
"""

import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from xml.parsers import expat

_STEP = 1 << 18


def expanded_characters(archive: zipfile.ZipFile, enough: int) -> int:
    """Return the number of characters, or any number at most `enough` when a cheap bound shows it is under that.

    Args:
        archive: A workbook whose parts were found to unpack within the limits.
        enough: Below this nobody wants the exact number.
    """
    names = archive.namelist()
    strings = [name for name in names if name.lower().endswith("sharedstrings.xml")]
    sheets = [name for name in names if "worksheets/" in name.lower() and name.lower().endswith(".xml")]
    if not strings or not sheets:
        return 0
    lengths = [length for name in strings for length in _string_lengths(archive, name)]
    longest = max(lengths, default=0)
    # Every cell value has a closing tag, so closing tags are more than references.
    tags = sum(piece.count(b"</") for name in sheets for piece in _pieces(archive, name))
    bound = longest * tags
    if bound <= enough:
        return bound
    total = 0
    for name in sheets:
        total += _referenced(archive, name, lengths, enough - total)
        if total > enough:
            break
    return total


def _pieces(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(name) as stream:
        while piece := stream.read(_STEP):
            yield piece


def _string_lengths(archive: zipfile.ZipFile, name: str) -> list[int]:
    """Return the characters of each shared string; what cannot be parsed is the parser's to report."""
    lengths: list[int] = []
    size = 0

    def start(tag: str, _: dict[str, str]) -> None:
        nonlocal size
        if _local(tag) == "si":
            size = 0

    def text(data: str) -> None:
        nonlocal size
        size += len(data)

    def end(tag: str) -> None:
        if _local(tag) == "si":
            lengths.append(size)

    _read(archive, name, _Handlers(start, text, end))
    return lengths


def _referenced(archive: zipfile.ZipFile, name: str, lengths: list[int], enough: int) -> int:
    """Return the characters that one sheet's cells show through shared strings; stops beyond `enough`."""
    total = 0
    shared = inside = False
    value: list[str] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal shared, inside
        local = _local(tag)
        if local == "c":
            shared = attributes.get("t") == "s"
        elif local == "v":
            inside = shared
            value.clear()

    def text(data: str) -> None:
        if inside:
            value.append(data)

    def end(tag: str) -> None:
        nonlocal inside, total
        if inside and _local(tag) == "v":
            inside = False
            index = "".join(value).strip()
            if index.isdecimal() and int(index) < len(lengths):
                total += lengths[int(index)]

    _read(archive, name, _Handlers(start, text, end, lambda: total > enough))
    return total


@dataclass(frozen=True, slots=True)
class _Handlers:
    """What to do at a start tag, at text, at an end tag; `done` ends the reading early."""

    start: Callable[[str, dict[str, str]], None]
    text: Callable[[str], None]
    end: Callable[[str], None]
    done: Callable[[], bool] = lambda: False


def _read(archive: zipfile.ZipFile, name: str, handlers: _Handlers) -> None:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = handlers.start
    parser.CharacterDataHandler = handlers.text
    parser.EndElementHandler = handlers.end
    try:
        for piece in _pieces(archive, name):
            parser.Parse(piece, False)
            if handlers.done():
                return
    except expat.ExpatError:
        return


def _local(tag: str) -> str:
    return tag.rpartition(":")[2]
