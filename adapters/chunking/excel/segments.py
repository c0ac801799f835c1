"""Decides what the lines of a region are: header, data, form, title bar, note."""

from itertools import pairwise

from .fields import MAX_LABEL_CHARS, is_note
from .frames import Line, Region
from .header import Header, columns, divides

_MAX_HEADER_LINES = 5
_BODY_LINES = 12
# Shares of a region's width: of a bar that titles it, of labels that head all columns, of labels that do not.
BAND_SHARE = 0.6
_TILED = 0.8
_FORM_SHARE = 0.6


class Segmenter:
    """Looks at the lines of one region.

    Args:
        region: The region; fills, borders and bold type tell labels from values.
    """

    def __init__(self, region: Region) -> None:
        self._region = region
        self._lines = region.lines
        self._width = region.area.right - region.area.left + 1

    @staticmethod
    def note(line: Line) -> bool:
        """Tell whether a line is a note to what stands above."""
        return len(line.boxes) == 1 and not line.spanning and is_note(line.boxes[0].text)

    def band(self, position: int) -> bool:
        """A line with one box over the table's width, above lines with more: the title of what follows."""
        line = self._lines[position]
        if len(line.boxes) != 1 or line.spanning or position + 1 >= len(self._lines):
            return False
        box, following = line.boxes[0], self._lines[position + 1]
        if len(box.text) > 2 * MAX_LABEL_CHARS or box.area.bottom > line.bottom:
            return False
        wide = columns(box) >= BAND_SHARE * self._width
        stands_out = box.style.filled or box.style.bold
        if len(following.boxes) == 1:
            # Bands may be stacked (part, then section); a label above its value is no band.
            return (
                wide and stands_out and self.band(position + 1) and following.boxes[0].style.filled == box.style.filled
            )
        if not self._region.framed and position == 0:
            return True
        return (wide and stands_out) or (wide and self.filled(following))

    @staticmethod
    def filled(line: Line) -> bool:
        """Tell whether all boxes of a line have a background."""
        return all(box.style.filled for box in line.boxes)

    def heads(self, position: int) -> bool:
        """A single filled box heads a column of plain single boxes."""
        box = self._lines[position].boxes[0]
        below = self._lines[position + 1 : position + 4]
        return len(below) > 1 and all(
            len(line.boxes) == 1
            and not line.boxes[0].style.filled
            and line.boxes[0].area.left == box.area.left
            and line.boxes[0].area.right == box.area.right
            for line in below
        )

    def form(self, line: Line) -> bool:
        """Filled labels with plain values, or room for them, beside them."""
        boxes = sorted((*line.boxes, *line.spanning), key=lambda box: box.area.left)
        if not boxes[0].style.filled:
            return False
        if any(not box.style.filled for box in line.boxes):
            return True
        if self._region.framed and sum(columns(box) for box in boxes) < _FORM_SHARE * self._width:
            return True
        return len(boxes) > 1 and any(left.area.right + 1 < right.area.left for left, right in pairwise(boxes))

    def header_end(self, start: int) -> int:
        """Return the position behind the header lines that begin at `start`, `start` itself when there are none."""
        first = self._lines[start]
        fills = {box.style.fill for box in first.boxes}
        if not self.filled(first):
            return self.plain_header_end(start)
        if start + 1 == len(self._lines):
            return start + 1
        end, deepest = start + 1, max(box.area.bottom for box in first.boxes)
        while end < len(self._lines) and end - start < _MAX_HEADER_LINES:
            line = self._lines[end]
            reached = line.top <= deepest
            same = self.filled(line) and {box.style.fill for box in line.boxes} <= fills
            # A deeper header line divides the one above; the same columns again are a filled data row.
            if not reached and not (same and len(line.boxes) > len(self._lines[end - 1].boxes)):
                break
            if reached and not self.filled(line) and not line.spanning:
                break
            if reached:
                fills |= {box.style.fill for box in line.boxes}
            deepest = max(deepest, *(box.area.bottom for box in line.boxes)) if reached else deepest
            end += 1
        return end

    def plain_header_end(self, start: int) -> int:
        """Return the position behind header lines without a fill, `start` itself when there are none."""
        first = self._lines[start]
        rest = self._lines[start + 1 :]
        boxes = [*first.boxes, *first.spanning]
        if len(boxes) < 2 or not rest or any(len(box.text) > MAX_LABEL_CHARS for box in boxes):  # noqa: PLR2004  # several
            return start
        if sum(map(columns, boxes)) < _TILED * self._width:
            # Labels here and there over a drawn form or picture are no column heads.
            return start
        end = start + 1 + divides(first, rest[0])
        body = self._lines[end : end + _BODY_LINES]
        if not body or len({box.text for box in boxes}) < len(boxes):
            return start
        values = [box for line in body for box in line.boxes]
        bold = all(box.style.bold for box in boxes) and not all(box.style.bold for box in values)
        typed = all(box.is_text for box in first.boxes) and any(not box.is_text for box in values)
        wide = len(boxes) >= max(len(line.boxes) + len(line.spanning) for line in body)
        merged = end - start > 1
        ruled = self._region.framed and all(box.is_text for box in boxes) and len(body) > 1
        return end if (bold or typed or ruled or merged) and (wide or merged) else start

    def continues(self, position: int, head: Line, header: Header) -> bool:
        """Tell whether a line is still a row of the table."""
        line = self._lines[position]
        if self.note(line):
            return True
        fills = {box.style.fill for box in head.boxes}
        if self.filled(line) and {box.style.fill for box in line.boxes} <= fills and fills != {""}:
            # A second header, or a title bar in the header's colour.
            return False
        if self.band(position) and (line.boxes[0].style.filled or line.boxes[0].style.bold):
            # A bar between rows of the same columns groups them; else it is the title of what follows.
            following = self._lines[position + 1]
            lefts = [box.area.left for box in following.boxes]
            return len(header.lefts) > 1 and not self.filled(following) and set(lefts) <= header.lefts
        if self.form(line):
            return all(box.area.left in header.lefts for box in line.boxes) and len(header.lefts) > 1
        return True

    def value(self, position: int) -> bool:
        """Tell whether a line can be the value of a label above it."""
        line = self._lines[position]
        return not any(box.style.filled for box in (*line.boxes, *line.spanning)) and not self.band(position)

    def bold_header(self, position: int) -> bool:
        """Tell whether a bold line heads the lines below."""
        boxes = self._lines[position].boxes
        return all(box.style.bold for box in boxes) and self.plain_header_end(position) > position
