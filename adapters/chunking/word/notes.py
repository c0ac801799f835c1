"""Footnotes, endnotes and comments by id, and their place in a paragraph's text."""

import re
from dataclasses import dataclass

from .inline import InlineReader, NoteKind, NoteReference
from .names import PPR, Element, P, W, val
from .package import WordPackage
from .styles import Styles

_PARTS = {
    NoteKind.FOOTNOTE: ("footnotes", W + "footnote"),
    NoteKind.ENDNOTE: ("endnotes", W + "endnote"),
    NoteKind.COMMENT: ("comments", W + "comment"),
}
_SEPARATORS = frozenset({"separator", "continuationSeparator", "continuationNotice"})
_LONG_PARAGRAPH = 600
"""A paragraph of more characters may be cut, so its notes stand behind their sentence and not at its end."""
_SENTENCE_END = re.compile(r"[。！？](?![」』）)])|[.!?](?=\s+[A-Z\u3040-\u9fff])|\n")


@dataclass(frozen=True, slots=True)
class PlacedNote:
    """A note with its mark, and how far into the paragraph's text its reference stands."""

    offset: int
    text: str


def with_notes(text: str, notes: tuple[PlacedNote, ...]) -> str:
    """Return a paragraph's text with its notes.

    A note stands on a line of its own behind the paragraph, so that no sentence is torn; in a long paragraph
    it stands behind the sentence of its reference.
    """
    if len(text) <= _LONG_PARAGRAPH:
        return "\n".join([text.rstrip(), *(note.text for note in notes)]) if notes else text
    for note in reversed(notes):
        end = _SENTENCE_END.search(text, max(note.offset - 1, 0))
        position = len(text) if end is None else end.end()
        text = f"{text[:position]}{note.text}{text[position:]}"
    return text


class Notes:
    """Texts of the notes of a document; numbers are given in the order in which notes are first shown."""

    def __init__(self, package: WordPackage, styles: Styles) -> None:
        self._texts = {kind: _texts(package.related(part), tag, styles) for kind, (part, tag) in _PARTS.items()}
        self._numbers: dict[tuple[NoteKind, str], int] = {}
        self._counts = dict.fromkeys(NoteKind, 0)

    def comments(self) -> list[str]:
        """Return the text of every comment."""
        return [text for text in self._texts[NoteKind.COMMENT].values() if text]

    def comment(self, reference: NoteReference) -> str:
        """Return the text of the comment that a reference leads to, "" for other references."""
        return self._texts[NoteKind.COMMENT].get(reference.id, "") if reference.kind is NoteKind.COMMENT else ""

    def placed(self, references: list[NoteReference]) -> tuple[PlacedNote, ...]:
        """Return the footnotes and endnotes that references lead to; those without text are left out."""
        found = (
            (reference, self._texts[reference.kind].get(reference.id, ""))
            for reference in references
            if reference.kind is not NoteKind.COMMENT
        )
        return tuple(
            PlacedNote(reference.offset, f"（{self._mark(reference)}）{text}") for reference, text in found if text
        )

    def _mark(self, reference: NoteReference) -> str:
        if reference.mark:
            return reference.mark
        key = (reference.kind, reference.id)
        if key not in self._numbers:
            self._counts[reference.kind] += 1
            self._numbers[key] = self._counts[reference.kind]
        prefix = "文末注" if reference.kind is NoteKind.ENDNOTE else "注"
        return f"{prefix}{self._numbers[key]}"


def _texts(root: Element | None, tag: str, styles: Styles) -> dict[str, str]:
    found: dict[str, str] = {}
    for note in () if root is None else root.iterfind(tag):
        if note.get(W + "type") in _SEPARATORS:
            continue
        reader = InlineReader(styles, include_hidden=False)
        lines = [
            reader.read(paragraph, styles.get(val(paragraph.find(PPR), W + "pStyle"))).text.strip()
            for paragraph in note.iter(P)
        ]
        found[note.get(W + "id", "")] = " ".join(line for line in lines if line)
    return found
