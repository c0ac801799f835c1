"""The text of one paragraph as displayed: runs, fields, tracked changes, notes, shapes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from .fields import Fields
from .formulas import formula_text
from .names import (
    ALTERNATE,
    CUSTOM_XML,
    DEL,
    DGM,
    INS,
    MOVE_FROM,
    MOVE_TO,
    PPR,
    R_RUN,
    RPR,
    SDT,
    SDT_CONTENT,
    TEXT_BOX,
    C,
    Element,
    M,
    R,
    W,
    alternative,
    integer,
    toggle,
    val,
)
from .styles import Style, Styles
from .symbols import symbol

_WRAPPERS = frozenset({INS, MOVE_TO, CUSTOM_XML, W + "hyperlink", W + "smartTag", W + "dir", W + "bdo"})
_PLAIN = {
    W + "tab": "\t",
    W + "ptab": "\t",
    W + "cr": "\n",
    W + "noBreakHyphen": "-",
}


class NoteKind(Enum):
    """Which kind of note a reference leads to."""

    FOOTNOTE = "footnote"
    ENDNOTE = "endnote"
    COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class NoteReference:
    """A reference to a note.

    Attributes:
        kind: Which kind of note.
        id: Its id in its part.
        offset: Length of the paragraph's text in front of the reference.
        mark: A mark typed in place of the automatic number, "" without one.
    """

    kind: NoteKind
    id: str
    offset: int
    mark: str = ""


@dataclass(slots=True)
class InlineText:
    """What a paragraph holds.

    Attributes:
        text: Displayed text.
        contents: Text that belongs to a table of contents or an index.
        shown: Bits of `text` while the paragraph is read.
        listed: Bits of `contents` while the paragraph is read.
        length: Characters in `shown`.
        references: Notes and comments referred to, in order.
        boxes: Text boxes anchored here, in order.
        parts: Relationship ids of drawings that keep their text in a part of their own (SmartArt, charts).
        deleted: Bits of text taken out by tracked changes.
        hidden: Bits of hidden text that was left out.
        readings: Bits of ruby text over the characters.
        pictured: A picture stands in the paragraph.
    """

    text: str = ""
    contents: str = ""
    shown: list[str] = field(default_factory=list)
    listed: list[str] = field(default_factory=list)
    length: int = 0
    references: list[NoteReference] = field(default_factory=list)
    boxes: list[Element] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)
    pictured: bool = False

    def joined(self) -> "InlineText":
        """Return self with the bits joined: appending to a long string again and again would be quadratic."""
        self.text, self.contents = "".join(self.shown), "".join(self.listed)
        return self


class InlineReader:
    """Reads paragraphs of one story in document order; open fields carry over from one to the next.

    Attributes:
        fields: State of the fields of this story.
    """

    def __init__(self, styles: Styles, *, include_hidden: bool, fields: Fields | None = None) -> None:
        self.fields = fields if fields is not None else Fields()
        self._styles = styles
        self._include_hidden = include_hidden
        self._handlers: dict[str, Callable[[Element, InlineText], None]] = {
            W + "t": lambda e, out: self._emit(e.text or "", out),
            W + "sym": self._symbol,
            W + "br": self._break,
            W + "fldChar": lambda e, out: self._emit(self.fields.mark(e), out),
            W + "instrText": lambda e, _: self.fields.code(e.text or ""),
            W + "fldSimple": self._simple_field,
            W + "footnoteReference": lambda e, out: self._reference(e, NoteKind.FOOTNOTE, out),
            W + "endnoteReference": lambda e, out: self._reference(e, NoteKind.ENDNOTE, out),
            W + "commentReference": lambda e, out: self._reference(e, NoteKind.COMMENT, out),
            W + "ruby": self._ruby,
            W + "drawing": self._drawing,
            W + "pict": self._drawing,
            W + "object": self._drawing,
            R_RUN: self._run,
            SDT: self._content_control,
            DEL: self._deleted,
            MOVE_FROM: self._deleted,
            ALTERNATE: self._alternate,
            M + "oMath": lambda e, out: self._emit(formula_text(e), out),
            M + "oMathPara": lambda e, out: self._emit(formula_text(e), out),
        }
        for tag, text in _PLAIN.items():
            self._handlers[tag] = lambda _, out, text=text: self._emit(text, out)  # type: ignore[misc]  # bound now
        for tag in _WRAPPERS:
            self._handlers[tag] = self._children
        self._paragraph_style = Style()

    def read(self, paragraph: Element, style: Style) -> InlineText:
        """Return what a paragraph of that style holds."""
        out = InlineText()
        self._paragraph_style = style
        self._children(paragraph, out)
        return out.joined()

    def _children(self, element: Element, out: InlineText) -> None:
        for child in element:
            handler = self._handlers.get(child.tag)
            if handler is not None:
                handler(child, out)

    def _emit(self, text: str, out: InlineText) -> None:
        if not text or not self.fields.shown:
            return
        if self.fields.in_contents:
            out.listed.append(text)
        else:
            out.shown.append(text)
            out.length += len(text)

    def _run(self, run: Element, out: InlineText) -> None:
        if self._is_hidden(run.find(RPR)):
            inner = InlineText()
            self._children(run, inner)  # field marks in hidden runs still open and close fields
            out.hidden += inner.shown
            out.listed += inner.listed
            return
        self._children(run, out)

    def _is_hidden(self, properties: Element | None) -> bool:
        if self._include_hidden:
            return False
        if properties is None:
            return self._paragraph_style.hidden
        direct = toggle(properties, W + "vanish")
        if direct is not None:
            return direct
        character = self._styles.character(val(properties, W + "rStyle"))
        return self._paragraph_style.hidden or (character is not None and character.hidden)

    def _symbol(self, element: Element, out: InlineText) -> None:
        try:
            code = int(element.get(W + "char", "0"), 16)
        except ValueError:
            return
        self._emit(symbol(code, element.get(W + "font", "")), out)

    def _break(self, element: Element, out: InlineText) -> None:
        if element.get(W + "type", "textWrapping") == "textWrapping":
            self._emit("\n", out)

    def _simple_field(self, element: Element, out: InlineText) -> None:
        instruction = element.get(W + "instr", "").strip().upper()
        if instruction.startswith(("TOC", "INDEX", "TOA")):
            inner = InlineText()
            self._children(element, inner)
            out.listed += [*inner.shown, *inner.listed]
        else:
            self._children(element, out)

    def _reference(self, element: Element, kind: NoteKind, out: InlineText) -> None:
        if not self.fields.shown:
            return
        mark = ""
        following = element.getnext()
        if toggle_attribute(element, "customMarkFollows") and following is not None:
            mark = following.text or ""
        out.references.append(NoteReference(kind, element.get(W + "id", ""), out.length, mark))

    def _ruby(self, element: Element, out: InlineText) -> None:
        base = element.find(W + "rubyBase")
        if base is not None:
            self._children(base, out)
        out.readings += [t.text or "" for t in element.iterfind(f"{W}rt//{W}t")]

    def _drawing(self, element: Element, out: InlineText) -> None:
        before = len(out.boxes) + len(out.parts)
        self._collect_shapes(element, out)
        if len(out.boxes) + len(out.parts) == before:
            out.pictured = True

    def _collect_shapes(self, element: Element, out: InlineText) -> None:
        """Collect text boxes and drawings with parts; one branch of an alternative, nested boxes with their box."""
        for child in element:
            tag = child.tag
            if tag == TEXT_BOX:
                out.boxes.append(child)
            elif tag == DGM + "relIds":
                out.parts.append(child.get(R + "dm", ""))
            elif tag == C + "chart":
                out.parts.append(child.get(R + "id", ""))
            elif tag == ALTERNATE:
                branch = alternative(child)
                if branch is not None:
                    self._collect_shapes(branch, out)
            elif len(child):
                self._collect_shapes(child, out)

    def _content_control(self, element: Element, out: InlineText) -> None:
        content = element.find(SDT_CONTENT)
        if content is not None:
            self._children(content, out)

    def _deleted(self, element: Element, out: InlineText) -> None:
        out.deleted += [t.text or "" for t in element.iter(W + "delText", W + "t")]

    def _alternate(self, element: Element, out: InlineText) -> None:
        branch = alternative(element)
        if branch is not None:
            self._children(branch, out)


def toggle_attribute(element: Element, name: str) -> bool:
    """Return a boolean attribute of an element, False when it is absent."""
    return element.get(W + name, "0").lower() in {"1", "true", "on"}


def mark_is_deleted(paragraph: Element) -> bool:
    """Return whether a tracked change took the paragraph's end out, so that it runs on into the next one."""
    properties = paragraph.find(f"{PPR}/{RPR}")
    return properties is not None and (properties.find(DEL) is not None or properties.find(MOVE_FROM) is not None)


def outline_level(properties: Element | None, style: Style) -> int | None:
    """Return the outline level of a paragraph (0 outermost), None or 9 for body text."""
    direct = integer(val(properties, W + "outlineLvl"))
    return style.outline if direct is None else direct
