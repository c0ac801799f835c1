"""Blocks on their way out of the reader, with what later steps need to know about their paragraph."""

import re
from dataclasses import dataclass, replace

from ....domain.blocks import Block, Heading, Paragraph
from .paragraphs import ReadParagraph
from .styles import StyleRole

_LONGEST_HEADING = 120
_LONGEST_SENTENCE_HEADING = 60
_NUMBER = re.compile(
    r"(第\s*[\d一二三四五六七八九十百]+\s*[部編章節条項款](?:の\d+)?|別[表紙添]\s*\d*|付録\s*[\dA-Z]*|"
    r"(?:Chapter|Section|Article|Part|Appendix)\s+[\dA-Z]+(?:\.\d+)*(?=\W|$)|"
    r"[A-Z]?\d+(?:[.\-]\d+)*(?![つ年月日個種件回人名次桁級度])(?=[.\s、)）]|$|[^\d\w.\-%,]|[^\x00-\x7f])|[A-Z](?=[.)]\s*\S))",
    re.IGNORECASE,
)
_HALF_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
"""Full-width ASCII to half width; circled numbers stay what they are."""
_RELATIVE = re.compile(r"[(（]?(?:\d+|[A-Za-z]|[ivxIVX]+|[ァ-ヶｦ-ﾝ]|[①-⑳])[)）]?")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A block with its paragraph (None for tables and drawn text)."""

    block: Block
    source: ReadParagraph | None = None

    @property
    def role(self) -> StyleRole:
        """The role of the paragraph's style."""
        return self.source.style.role if self.source is not None else StyleRole.NONE


def number_of(heading: str) -> str:
    """Return the number that a heading begins with, in half width and without a closing full stop, or ""."""
    match = _NUMBER.match(heading.translate(_HALF_WIDTH).strip())
    return _SPACE.sub("", match.group(1)).rstrip(".") if match else ""


def heading_of(paragraph: ReadParagraph, level: int) -> Heading:
    """Return a paragraph as a heading of that level (from 1)."""
    text = _SPACE.sub(" ", paragraph.full_text).strip()
    label = paragraph.label
    number = label.text.translate(_HALF_WIDTH).strip().rstrip(".、") if label and not label.is_bullet else ""
    if "(" not in number:
        number = number.rstrip(")")
    if not any(char.isalnum() for char in number):
        number = ""
    return Heading(text=text, level=level, number=number or number_of(text))


def with_full_numbers(pieces: list[Piece]) -> list[Piece]:
    """Return the pieces with numbers that name one section of the document.

    A number like "2)" or "③" comes back under every section, so the number above it goes in front: "3.2-2".
    """
    open_sections: list[Heading] = []
    out: list[Piece] = []
    for piece in pieces:
        block = piece.block
        if isinstance(block, Heading):
            while open_sections and open_sections[-1].level >= block.level:
                open_sections.pop()
            above = open_sections[-1].number if open_sections else ""
            if above and _RELATIVE.fullmatch(block.number):
                block = replace(block, number=f"{above}-{block.number}")
                piece = Piece(block, piece.source)  # noqa: PLW2901  # the same piece, its number completed
            open_sections.append(block)
        out.append(piece)
    return out


def can_be_heading(text: str) -> bool:
    """Return whether a text is short enough for a heading: whole clauses carry heading styles in some files."""
    length = len(text)
    ends = text.rstrip().endswith(("。", "．"))
    return length <= (_LONGEST_SENTENCE_HEADING if ends else _LONGEST_HEADING)


def paragraph_of(paragraph: ReadParagraph) -> Paragraph:
    """Return a paragraph as running text or list item, its label in front, nested items indented."""
    text = paragraph.noted_text
    label = paragraph.label
    if label is None or not label.text.strip():
        return Paragraph(text)
    return Paragraph("  " * label.level + text, kind="list")
