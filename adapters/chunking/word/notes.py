"""Footnotes, endnotes and comments by id, and their place in a paragraph's text."""

import re

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

    def insert(self, text: str, references: list[NoteReference]) -> str:
        """Return a paragraph's text with the notes that it refers to.

        A note stands on a line of its own behind the paragraph, so that no sentence is torn; in a long paragraph
        it stands behind the sentence of its reference.
        """
        placed: list[tuple[int, str]] = []
        for reference in references:
            note = "" if reference.kind is NoteKind.COMMENT else self._texts[reference.kind].get(reference.id, "")
            if note:
                placed.append((reference.offset, f"（{self._mark(reference)}）{note}"))
        if not placed:
            return text
        if len(text) <= _LONG_PARAGRAPH:
            return "\n".join([text.rstrip(), *(note for _, note in placed)])
        for offset, note in reversed(placed):
            end = _SENTENCE_END.search(text, max(offset - 1, 0))
            position = len(text) if end is None else end.end()
            text = f"{text[:position]}{note}{text[position:]}"
        return text

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
