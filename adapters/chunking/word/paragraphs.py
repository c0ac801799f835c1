"""One paragraph with everything that decides what it is: style, outline, number, notes."""

from dataclasses import dataclass, field

from ....domain.blocks import Omission, OmissionReason
from .fields import Fields
from .inline import InlineReader, InlineText, mark_is_deleted, outline_level
from .names import PPR, RPR, Element, W, toggle, val
from .notes import Notes, PlacedNote, with_notes
from .numbering import Counters, Label, Numbering
from .package import WordPackage
from .styles import BODY_LEVEL, Style, StyleRole, Styles


@dataclass(slots=True)
class Sheets:
    """What all stories of a document share: style sheet, lists, notes, and the record of what is left out."""

    package: WordPackage
    styles: Styles
    numbering: Numbering
    notes: Notes
    include_hidden: bool
    include_comments: bool
    omissions: list[Omission] = field(default_factory=list)
    box_counters: Counters = field(default_factory=Counters)

    def omit(self, text: str, reason: OmissionReason) -> None:
        """Record text that is in no chunk."""
        if text.strip():
            self.omissions.append(Omission(text.strip(), reason))


@dataclass(frozen=True, slots=True)
class ReadParagraph:
    """A paragraph as read.

    Attributes:
        text: Its text, without its label and its notes; may be empty when only shapes stand in it.
        label: Its automatic number or bullet.
        outline: Outline level from 0 when it is a heading by its outline level.
        style: Its style.
        element: Where it came from.
        inline: Shapes, references and so on.
        notes: Footnotes and endnotes it refers to.
        comments: Texts of the comments on it, when they are wanted.
    """

    text: str
    label: Label | None
    outline: int | None
    style: Style
    element: Element
    inline: InlineText
    notes: tuple[PlacedNote, ...] = ()
    comments: tuple[str, ...] = ()

    @property
    def label_text(self) -> str:
        """The label as displayed, "" without one."""
        return self.label.text.strip() if self.label is not None else ""

    @property
    def full_text(self) -> str:
        """Label, one space, text."""
        label = self.label_text
        return f"{label} {self.text}" if label else self.text

    @property
    def noted_text(self) -> str:
        """Label, text, notes."""
        label = self.label_text
        text = with_notes(self.text, self.notes)
        return f"{label} {text}" if label else text


class ParagraphReader:
    """Reads the paragraphs of one story in document order."""

    def __init__(self, sheets: Sheets, *, counters: Counters | None = None, fields: Fields | None = None) -> None:
        self.sheets = sheets
        self.inline = InlineReader(sheets.styles, include_hidden=sheets.include_hidden, fields=fields)
        self._counters = counters if counters is not None else Counters()
        self._carried: list[str] = []

    def box_story(self) -> "ParagraphReader":
        """Return a reader for text boxes: they count their lists apart from the body."""
        return ParagraphReader(self.sheets, counters=self.sheets.box_counters)

    def style_of(self, paragraph: Element) -> Style:
        """Return the style of a paragraph."""
        return self.sheets.styles.get(val(paragraph.find(PPR), W + "pStyle"))

    def read(self, paragraph: Element) -> ReadParagraph | None:
        """Return the paragraph, None when it shows nothing."""
        properties = paragraph.find(PPR)
        style = self.style_of(paragraph)
        inline = self.inline.read(paragraph, style)
        self._record(inline)
        if mark_is_deleted(paragraph):  # its text runs on into the next paragraph, whose properties hold
            if inline.boxes or inline.parts:
                text = self.take_carried() + inline.text
                placed = self.sheets.notes.placed(inline.references)
                return ReadParagraph(text, None, None, style, paragraph, inline, placed)
            self._carried.append(inline.text)
            return None
        inline.text = self.take_carried() + inline.text
        label = self._label(properties, style, inline)
        if style.role is StyleRole.CONTENTS:
            inline.contents, inline.text = inline.text + inline.contents, ""
        notes = self.sheets.notes
        comments: tuple[str, ...] = ()
        if self.sheets.include_comments:
            comments = tuple(text for each in inline.references if (text := notes.comment(each)))
        text = inline.text.strip("\n\r ")
        if not (text.strip() or inline.boxes or inline.parts or inline.contents or inline.pictured or comments):
            return None
        outline = outline_level(properties, style)
        if outline is not None and outline >= BODY_LEVEL:
            outline = None
        placed = notes.placed(inline.references)
        return ReadParagraph(text, label, outline, style, paragraph, inline, placed, comments)

    def take_carried(self) -> str:
        """Return, and forget, text whose paragraph end was deleted and that no paragraph followed."""
        carried, self._carried = "".join(self._carried), []
        return carried

    def _label(self, properties: Element | None, style: Style, inline: InlineText) -> Label | None:
        numbering = None if properties is None else properties.find(W + "numPr")
        reference = self.sheets.numbering.reference(numbering, style)
        if reference is None or self._is_uncounted(properties, inline):
            return None
        return self.sheets.numbering.count(reference, self._counters)

    @staticmethod
    def _is_uncounted(properties: Element | None, inline: InlineText) -> bool:
        """Return whether Word gives the paragraph no number: a mere section break, or wholly hidden text."""
        if properties is None or inline.text.strip():
            return False
        if properties.find(W + "sectPr") is not None:
            return not (inline.boxes or inline.pictured)
        mark_hidden = toggle(properties.find(RPR), W + "vanish")
        return bool(mark_hidden) or (bool(inline.hidden) and not inline.pictured and not inline.boxes)

    def _record(self, inline: InlineText) -> None:
        self.sheets.omit("".join(inline.deleted), "deleted")
        self.sheets.omit("".join(inline.hidden), "hidden")
        self.sheets.omit("".join(inline.readings), "duplicate")
