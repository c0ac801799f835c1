"""Reading a deck: slides become headings, lines, tables and notes, in the order a person reads them."""

from collections.abc import Sequence
from dataclasses import dataclass

from ....domain.blocks import Anchor, Block, ExtractedDocument, Heading, Omission, OmissionReason, Paragraph
from ....domain.chunks import ChunkingOptions
from ....ports.chunker import SourceDocument
from .deck import Slide, read_deck, slide_height
from .furniture import Mark, is_repeated, repeated_marks
from .notes import review_comments, speaker_notes
from .opc import Package, q
from .shapes import Item, slide_items
from .titles import find_title, title_text

_SECTION_LEVEL, _DIVIDER_LEVEL, _SLIDE_LEVEL = 1, 2, 3


@dataclass(frozen=True, slots=True, eq=False)
class _Page:
    """One slide as read.

    Attributes:
        slide: The slide.
        title: Its title, "" when it has none.
        body: What else it says.
        furniture: Slide number, date, footer, and shapes made invisible.
        notes: Speaker notes.
        comments: Review comments.
        pictures: True when it shows pictures, drawings or media without text.
    """

    slide: Slide
    title: str
    body: tuple[Item, ...]
    furniture: tuple[Item, ...]
    notes: tuple[Paragraph, ...]
    comments: tuple[str, ...]
    pictures: bool

    @property
    def anchor(self) -> Anchor:
        return Anchor(slide=self.slide.number)

    @property
    def is_divider(self) -> bool:
        """Whether the slide only announces those that follow (never the first: that is the deck's title)."""
        if not self.title or self.slide.number == 1 or self.notes:
            return False
        return self.slide.layout_kind == "secHead" or not (self.body or self.pictures)


def read_powerpoint(document: SourceDocument, options: ChunkingOptions) -> ExtractedDocument:
    """Read a deck.

    Named deck sections and divider slides become containers, so that they open the heading path of the slides
    behind them. A title is a heading; everything else on the slide follows in visual reading order, then notes.

    Raises:
        DocumentError: The deck cannot be read; the subclass says why.
    """
    package = Package(document.name, document.data)
    slides = read_deck(package)
    height = slide_height(package)
    omissions = [
        Omission(f"slide {slide.number}", "unreadable", Anchor(slide=slide.number))
        for slide in slides
        if slide.root is None
    ]
    pages = [_page(slide, package, height, options) for slide in slides if slide.root is not None]
    shown = [page for page in pages if options.include_hidden or not page.slide.hidden]
    marks = repeated_marks([page.body for page in shown])
    blocks: list[Block] = []
    section = ""
    for page in pages:
        if page not in shown:
            omissions.append(Omission(_all_text(page), "hidden", page.anchor))
            continue
        if page.slide.section != section:
            section = page.slide.section
            blocks.append(Heading(section, _SECTION_LEVEL, container=True, anchor=page.anchor))
        rest = shown[shown.index(page) + 1 :]
        blocks += _heading(page, _opens(page, rest))
        blocks += _body(page, marks, omissions)
        blocks += page.notes
        _comments(page, options, blocks, omissions)
    title = next((page.title for page in shown[:1] if page.title), "")
    return ExtractedDocument(tuple(blocks), tuple(omissions), title)


def _page(slide: Slide, package: Package, height: float, options: ChunkingOptions) -> _Page:
    root = slide.root
    if root is None:
        msg = f"slide {slide.number} has no part"
        raise ValueError(msg)
    anchor = Anchor(slide=slide.number)
    items = slide_items(root, package, slide.parts, slide.number)
    left_out = ("furniture",) if options.include_hidden else ("furniture", "hidden")
    said = [item for item in items if item.role not in left_out]
    title = find_title(said, height)
    return _Page(
        slide=slide,
        title=title_text(title) if title is not None else "",
        body=tuple(item for item in said if item is not title),
        furniture=tuple(item for item in items if item.role in left_out),
        notes=tuple(speaker_notes(package, slide.parts.slide, anchor)),
        comments=tuple(review_comments(package, slide.parts.slide)),
        pictures=next(root.iter(q("p:pic"), q("p:graphicFrame")), None) is not None,
    )


def _opens(page: _Page, rest: Sequence[_Page]) -> bool:
    """Return whether a divider has slides behind it; one that has none is an ordinary slide."""
    if not page.is_divider:
        return False
    if page.body:
        return True
    following = rest[0] if rest else None
    return following is not None and not following.is_divider and following.slide.section == page.slide.section


def _heading(page: _Page, opens: bool) -> list[Block]:
    if not page.title:
        return []
    level = _DIVIDER_LEVEL if opens else _SLIDE_LEVEL
    return [Heading(page.title, level, container=opens, anchor=page.anchor)]


def _body(page: _Page, marks: frozenset[Mark], omissions: list[Omission]) -> list[Block]:
    found: list[Block] = []
    for item in page.furniture:
        reason: OmissionReason = "hidden" if item.role == "hidden" else "boilerplate"
        omissions.append(Omission(item.text, reason, page.anchor))
    for item in page.body:
        if is_repeated(item, marks):
            omissions.append(Omission(item.text, "boilerplate", page.anchor))
        else:
            found += item.blocks
    return found


def _comments(page: _Page, options: ChunkingOptions, blocks: list[Block], omissions: list[Omission]) -> None:
    for text in page.comments:
        if options.include_comments:
            blocks.append(Paragraph(text, "notes", page.anchor))
        else:
            omissions.append(Omission(text, "comment", page.anchor))


def _all_text(page: _Page) -> str:
    parts = [page.title, *(item.text for item in page.body), *(note.text for note in page.notes)]
    return "\n".join(part for part in parts if part)
