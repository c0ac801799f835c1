"""A document's extracted text as one string, and where each block stands in it.

Everything that cutting does is a choice of spans of this text; contents, offsets, locators and coverage follow
from the spans.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ....domain.blocks import Anchor, Block, ExtractedDocument, Heading, Paragraph, Table
from .boundaries import BLOCK, LINE, is_lead_in, ranks

Span = tuple[int, int]
"""Start and end offset in the extracted text."""


@dataclass(frozen=True, slots=True)
class TableSpans:
    """The parts of a table in the extracted text; None or empty where the table has no such part.

    Attributes:
        caption: Its caption.
        header: Its header lines.
        rows: Each row that has text.
        notes: Its notes.
        row_numbers: Which of the table's rows these are.
    """

    caption: Span | None
    header: Span | None
    rows: tuple[Span, ...]
    notes: Span | None
    row_numbers: tuple[int, ...]


class Flow:
    """The extracted text of a document: the texts of its blocks, joined by line breaks.

    A container's name (a worksheet's) is no part of it.

    Attributes:
        blocks: The document's blocks.
        text: The extracted text.
        spans: Span of each block; empty for a block without text.
        tables: The parts of each table, by block index.
    """

    def __init__(self, document: ExtractedDocument) -> None:
        self.blocks = document.blocks
        self.spans: list[Span] = []
        self.tables: dict[int, TableSpans] = {}
        self._parts: list[str] = []
        self._length = 0
        for index, block in enumerate(self.blocks):
            if isinstance(block, Table):
                self._add_table(index, block)
            elif isinstance(block, Heading) and block.container:
                self.spans.append((self._length, self._length))
            else:
                self.spans.append(self._add(block.text) or (self._length, self._length))
        self.text = "\n".join(self._parts)
        self._starts = [span[0] for span in self.spans]
        self._ranks: bytearray | None = None
        self._ranked: set[int] = set()

    def _add(self, text: str) -> Span | None:
        if not text.strip():
            return None
        start = self._length + 1 if self._parts else 0
        self._parts.append(text)
        self._length = start + len(text)
        return start, self._length

    def _add_table(self, index: int, table: Table) -> None:
        caption = self._add(table.caption)
        header = self._add("\n".join(table.header))
        numbered = [(span, number) for number, row in enumerate(table.rows) if (span := self._add(row))]
        rows = tuple(span for span, _ in numbered)
        notes = self._add("\n".join(table.notes))
        parts = TableSpans(caption, header, rows, notes, tuple(number for _, number in numbered))
        self.tables[index] = parts
        present = [span for span in (caption, header, *rows, notes) if span]
        self.spans.append((present[0][0], present[-1][1]) if present else (self._length, self._length))

    def has_text(self, index: int) -> bool:
        """Return whether the block has any text."""
        return self.spans[index][0] < self.spans[index][1]

    def content(self, spans: Sequence[Span]) -> str:
        """Return the text of the spans, in their order, joined by line breaks where they do not touch."""
        return "\n".join(self.text[start:end] for start, end in self.merged(spans))

    def merged(self, spans: Iterable[Span]) -> list[Span]:
        """Return the spans without surrounding white space, those merged that only white space parts."""
        result: list[Span] = []
        for span in spans:
            start, end = self.trimmed(span)
            if start == end:
                continue
            if result and result[-1][1] <= start and not self.text[result[-1][1] : start].strip():
                result[-1] = (result[-1][0], end)
            else:
                result.append((start, end))
        return result

    def trimmed(self, span: Span) -> Span:
        """Return the span without surrounding white space; lines keep their indent only inside a piece."""
        piece = self.text[span[0] : span[1]]
        stripped = piece.strip()
        if not stripped:
            return span[0], span[0]
        start = span[0] + piece.index(stripped)
        return start, start + len(stripped)

    def overlapping(self, spans: Iterable[Span]) -> list[int]:
        """Return the indices of the blocks that the spans touch, in order, each once."""
        found: set[int] = set()
        for start, end in spans:
            index = max(bisect_right(self._starts, start) - 1, 0)
            while index < len(self.spans) and self.spans[index][0] < end:
                if self.spans[index][1] > start:
                    found.add(index)
                index += 1
        return sorted(found)

    def anchors(self, spans: Sequence[Span]) -> list[Anchor]:
        """Return where the spans stand: of a table that is there in part only, the places of its rows."""
        result: list[Anchor] = []
        for index in self.overlapping(spans):
            block = self.blocks[index]
            first, last = self.spans[index]
            whole = any(start <= first and last <= end for start, end in spans)
            parts = self.tables.get(index)
            if isinstance(block, Table) and parts and not whole and block.row_anchors:
                result += _row_anchors(block, parts, spans) or [block.anchor]
            else:
                result.append(block.anchor)
        return result

    def ranks(self, start: int, end: int) -> bytearray:
        """Return the ranks of cuts over the whole text, worked out at least for the blocks in `[start, end)`."""
        if self._ranks is None:
            self._ranks = bytearray(len(self.text) + 1)
        for index in self.overlapping([(start, end)]):
            if index not in self._ranked:
                self._ranked.add(index)
                self._rank_block(index, self._ranks)
        return self._ranks

    def _rank_block(self, index: int, target: bytearray) -> None:
        block = self.blocks[index]
        parts = self.tables.get(index)
        if parts is not None:
            pieces = [span for span in (parts.caption, parts.header, *parts.rows, parts.notes) if span]
        else:
            pieces = [self.spans[index]]
        for start, end in pieces:
            # The entry at `end` is the line break that joins the pieces; a cut belongs behind it.
            target[start:end] = ranks(self.text[start:end])[:-1]
            target[start] = BLOCK
            target[end] = 1
        if parts is None and self._follows_closely(index, block):
            target[pieces[0][0]] = LINE
        elif parts is not None:
            for span in (parts.header, *parts.rows[:1], parts.notes):
                # What stands under a caption or header, and notes, are parted from it only between rows.
                if span and span != pieces[0]:
                    target[span[0]] = LINE

    def _follows_closely(self, index: int, block: Block) -> bool:
        """Return whether a block should rather not be parted from the one before it."""
        if index == 0:
            return False
        before = self.blocks[index - 1]
        if isinstance(before, Heading):
            return self.has_text(index - 1)
        if isinstance(before, Paragraph):
            listed = isinstance(block, Paragraph) and block.kind == "list"
            return (listed and before.kind == "list") or is_lead_in(before.text)
        return False


def _row_anchors(table: Table, parts: TableSpans, spans: Sequence[Span]) -> list[Anchor]:
    """Return the places of the rows that the spans touch."""
    if len(table.row_anchors) != len(table.rows):
        return []
    found: dict[int, Anchor] = {}
    for start, end in spans:
        first = bisect_right(parts.rows, start, key=lambda row: row[1])
        last = bisect_left(parts.rows, end, key=lambda row: row[0])
        found.update((row, table.row_anchors[row]) for row in parts.row_numbers[first:last])
    return list(found.values())


_CELLS = re.compile(r"\$?([A-Z]{1,3})\$?(\d+)(?::\$?([A-Z]{1,3})\$?(\d+))?$")


def union_of_cells(ranges: Iterable[str]) -> str | None:
    """Return the smallest range in A1 notation around all of the given ones, None when there is none."""
    matches = [match for match in map(_CELLS.match, ranges) if match]
    if not matches:
        return None
    columns = [_column(name) for match in matches for name in (match[1], match[3]) if name]
    rows = [int(row) for match in matches for row in (match[2], match[4]) if row]
    first = f"{_letters(min(columns))}{min(rows)}"
    last = f"{_letters(max(columns))}{max(rows)}"
    return first if first == last else f"{first}:{last}"


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _letters(number: int) -> str:
    result = ""
    while number:
        number, digit = divmod(number - 1, 26)
        result = chr(65 + digit) + result
    return result
