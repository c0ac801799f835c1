"""From a Word package to blocks in reading order."""

from collections.abc import Iterator
from dataclasses import replace

from lxml import etree

from ....domain.blocks import ExtractedDocument, Heading, Paragraph, Table
from ....domain.chunks import ChunkingOptions
from ....domain.errors import CorruptDocumentError
from ....ports.chunker import SourceDocument
from .captions import attach_captions, is_contents_title
from .drawings import part_lines
from .fields import Fields
from .guessing import guess_headings
from .names import (
    ALTERNATE,
    CUSTOM_XML,
    INS,
    MOVE_TO,
    SDT,
    SDT_CONTENT,
    TBL,
    Element,
    P,
    R,
    W,
    alternative,
    val,
)
from .notes import Notes
from .numbering import Numbering
from .package import WordPackage
from .paragraphs import ParagraphReader, ReadParagraph, Sheets
from .pieces import Piece, can_be_heading, heading_of, paragraph_of, with_full_numbers
from .styles import StyleRole, Styles
from .tables import read_table

_CONTENTS_GALLERY = "table of contents"
_WRAPPERS = frozenset({CUSTOM_XML, INS, MOVE_TO, W + "smartTag"})


def read_document(document: SourceDocument, options: ChunkingOptions) -> ExtractedDocument:
    """Read a Word document.

    Raises:
        DocumentError: It cannot be read; the subclass says why.
    """
    package = WordPackage(document)
    try:
        return _read(package, options)
    except (etree.LxmlError, KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise CorruptDocumentError(
            document.name,
            f"{document.name} has a structure that no Word document has: {error}.",
            hint="Open it in Word, save it again as .docx and add it once more.",
        ) from error


def _read(package: WordPackage, options: ChunkingOptions) -> ExtractedDocument:
    styles = Styles(package.related("styles"))

    def fresh() -> Sheets:
        return Sheets(
            package=package,
            styles=styles,
            numbering=Numbering(package.related("numbering"), styles),
            notes=Notes(package, styles),
            include_hidden=options.include_hidden,
            include_comments=options.include_comments,
        )

    body = package.main.find(W + "body")
    if body is None:
        return ExtractedDocument(())
    sheets = fresh()
    walker = _Walker(ParagraphReader(sheets))
    pieces = walker.walk(body)
    if not walker.paragraphs.inline.fields.balanced:
        # A field that never ends would swallow the rest of the document: read again without trusting the marks.
        sheets = fresh()
        walker = _Walker(ParagraphReader(sheets, fields=Fields(disabled=True)))
        pieces = walker.walk(body)
    _omit_around(package, sheets, walker.paragraphs.inline.fields)
    pieces = _without_contents(pieces, sheets)
    headings = [piece.block for piece in pieces if isinstance(piece.block, Heading)]
    if len(headings) <= 1:
        pieces = guess_headings(pieces, styles, below=headings[0].level if headings else 0)
    pieces = attach_captions(with_full_numbers(pieces))
    return ExtractedDocument(
        blocks=tuple(piece.block for piece in pieces),
        omissions=tuple(sheets.omissions),
        title=_title(pieces) or package.title_property(),
    )


class _Walker:
    """Walks block-level content; one instance a story."""

    def __init__(self, paragraphs: ParagraphReader) -> None:
        self.paragraphs = paragraphs
        self._sheets = paragraphs.sheets
        self._has_heading = False

    def walk(self, container: Element) -> list[Piece]:
        """Return the pieces in a body, cell or text box."""
        pieces = list(self._blocks(container))
        carried = self.paragraphs.take_carried()
        if carried.strip():
            pieces.append(Piece(Paragraph(carried.strip())))
        return pieces

    def _blocks(self, container: Element) -> Iterator[Piece]:
        for child in container:
            tag = child.tag
            if tag == P:
                yield from self._paragraph(child)
            elif tag == TBL:
                yield from self._table(child)
            elif tag == SDT:
                yield from self._content_control(child)
            elif tag in _WRAPPERS:
                yield from self._blocks(child)
            elif tag == ALTERNATE:
                branch = alternative(child)
                if branch is not None:
                    yield from self._blocks(branch)
            elif tag == W + "altChunk":
                self._sheets.omit(f"altChunk {child.get(R + 'id', '')}", "unreadable")

    def _table(self, element: Element) -> Iterator[Piece]:
        carried = self.paragraphs.take_carried()
        if carried.strip():
            yield Piece(Paragraph(carried.strip()))
        yield from read_table(element, self.walk, self._sheets.omit)

    def _content_control(self, element: Element) -> Iterator[Piece]:
        content = element.find(SDT_CONTENT)
        if content is None:
            return
        gallery = val(element.find(f"{W}sdtPr/{W}docPartObj"), W + "docPartGallery") or ""
        if gallery.lower() != _CONTENTS_GALLERY:
            yield from self._blocks(content)
            return
        for piece in self._blocks(content):
            yield Piece(Paragraph(_text_of(piece), kind="boilerplate"))

    def _paragraph(self, element: Element) -> Iterator[Piece]:
        read = self.paragraphs.read(element)
        if read is None:
            return
        if read.inline.contents.strip():
            yield Piece(Paragraph(read.inline.contents.strip(), kind="boilerplate"))
        if read.text.strip():
            piece = self._piece(read)
            self._has_heading = self._has_heading or isinstance(piece.block, Heading)
            yield piece
            if isinstance(piece.block, Heading):  # a note is no part of the section's name
                yield from (Piece(Paragraph(note.text)) for note in read.notes)
        yield from self._attached(read)

    def _piece(self, read: ReadParagraph) -> Piece:
        role = read.style.role
        if role is StyleRole.CONTENTS_HEADING:
            return Piece(Paragraph(read.text, kind="boilerplate"), read)
        # A title at the top names the document; its outline level must not put every section under it.
        is_title = role is StyleRole.SUBTITLE or (role is StyleRole.TITLE and not self._has_heading)
        if read.outline is None or is_title or not can_be_heading(read.text):
            return Piece(paragraph_of(read), read)
        return Piece(heading_of(read, read.outline + 1), read)

    def _attached(self, read: ReadParagraph) -> Iterator[Piece]:
        """Yield what is anchored in a paragraph: text boxes, drawings with text, comments."""
        for box in read.inline.boxes:
            for piece in _Walker(self.paragraphs.box_story()).walk(box):
                yield Piece(Paragraph(piece.block.text)) if isinstance(piece.block, Heading) else piece
        for relationship_id in read.inline.parts:
            root = self._sheets.package.by_id(relationship_id)
            for line in [] if root is None else part_lines(root):
                yield Piece(Paragraph(line))
        for comment in read.comments:
            yield Piece(Paragraph(f"コメント: {comment}", kind="notes"))


def _text_of(piece: Piece) -> str:
    block = piece.block
    return "\n".join((*block.header, *block.rows)) if isinstance(block, Table) else block.text


def _without_contents(pieces: list[Piece], sheets: Sheets) -> list[Piece]:
    """Return the pieces without tables of contents and their titles, which are recorded as left out."""
    out: list[Piece] = []
    for piece in pieces:
        block = piece.block
        if not isinstance(block, Paragraph) or block.kind != "boilerplate":
            out.append(piece)
            continue
        if out and not isinstance(out[-1].block, Table) and is_contents_title(_text_of(out[-1])):
            sheets.omit(_text_of(out.pop()), "boilerplate")
        sheets.omit(block.text, "boilerplate")
    return out


def _omit_around(package: WordPackage, sheets: Sheets, fields: Fields) -> None:
    """Record what stands around the text: page headers and footers, comments, field codes."""
    seen: set[str] = set()
    for kind in ("header", "footer"):
        for root in package.all_related(kind):
            quiet = _Walker(ParagraphReader(replace(sheets, omissions=[])))
            text = "\n".join(_text_of(piece) for piece in quiet.walk(root))
            if text not in seen:
                seen.add(text)
                sheets.omit(text, "boilerplate")
    if not sheets.include_comments:
        for comment in sheets.notes.comments():
            sheets.omit(comment, "comment")
    for code in fields.codes:
        sheets.omit(code, "field-code")


def _title(pieces: list[Piece]) -> str:
    """Return the lines in title style that open the document."""
    lines: list[str] = []
    for piece in pieces:
        if isinstance(piece.block, Heading):
            break
        if piece.role is StyleRole.TITLE:
            lines.append(_text_of(piece))
    return " ".join(" ".join(lines).split())
