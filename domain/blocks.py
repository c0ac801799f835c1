"""What a reader makes of a document: blocks in reading order, plus what was left out and why.

Reading (a format's own model: styles, numbering, grids, shapes) ends here and cutting (blocks to chunks)
begins here, so that cutting is shared by all formats and reading is testable alone.
"""

from dataclasses import dataclass, field
from typing import Literal

TextKind = Literal["text", "list", "notes", "boilerplate"]
OmissionReason = Literal[
    "boilerplate", "hidden", "duplicate", "deleted", "comment", "empty-label", "unreadable", "field-code"
]


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a block stands in its file.

    Attributes:
        sheet: Worksheet name.
        cells: Cell range in A1 notation ("B5:H19"); needs `sheet`.
        slide: Slide number, from 1.
        page: Page number, from 1, in formats that have pages of their own (PDF).
    """

    sheet: str | None = None
    cells: str | None = None
    slide: int | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading opens a section that lasts until the next heading of the same or a smaller level.

    Attributes:
        text: The heading as a reader sees it, its automatic number included ("3.2 表の書き方").
        level: From 1 (outermost). Skipped levels are allowed.
        number: The number alone ("3.2"), "" when it has none; used in source URIs.
        container: True for a worksheet or file part that is a section only because it is a container.
            Its name opens the heading path but is no part of the text, so nothing is lost when no block follows.
        anchor: Where it stands.
    """

    text: str
    level: int
    number: str = ""
    container: bool = False
    anchor: Anchor = field(default_factory=Anchor)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text: one paragraph, one list item with its label, one slide's body line, one note.

    Attributes:
        text: Raw text, no trailing line break; full-width characters stay as they are.
        kind: What the text is; a chunk made of one kind only carries that kind.
        anchor: Where it stands.
    """

    text: str
    kind: TextKind = "text"
    anchor: Anchor = field(default_factory=Anchor)


@dataclass(frozen=True, slots=True)
class Table:
    """A table, or any group of lines that must not be cut inside a line (an Excel rule block).

    Attributes:
        rows: One text per data row, merged cells once. A row may have several lines (nested table,
            `label: value` lines).
        header: Lines repeated at the top of every piece when the table is cut between rows.
        caption: Caption or title that stands with the table, "" when it has none.
        notes: Notes under the table (※ …) that stay with it.
        number: The table's number in its caption ("5.1" of 表5.1), used in source URIs.
        row_anchors: Where each row stands, one per row; empty when rows have no place of their own.
        anchor: Where the whole table stands.
    """

    rows: tuple[str, ...]
    header: tuple[str, ...] = ()
    caption: str = ""
    notes: tuple[str, ...] = ()
    number: str = ""
    row_anchors: tuple[Anchor, ...] = ()
    anchor: Anchor = field(default_factory=Anchor)


Block = Heading | Paragraph | Table


@dataclass(frozen=True, slots=True)
class Omission:
    """Text of the source that is in no chunk, with the reason."""

    text: str
    reason: OmissionReason
    anchor: Anchor = field(default_factory=Anchor)


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """A document as read.

    Attributes:
        blocks: In reading order.
        omissions: What was read and left out on purpose.
        title: The document's own title, "" when it has none.
    """

    blocks: tuple[Block, ...]
    omissions: tuple[Omission, ...] = ()
    title: str = ""
