"""Headings of documents that use no heading styles: short, emphasised, numbered lines."""

import re
import unicodedata
from enum import Enum

from ....domain.blocks import Paragraph
from .names import RPR, W, integer, toggle, val
from .pieces import Piece, heading_of
from .styles import StyleRole, Styles

_LONGEST_WIDE, _LONGEST_NARROW = 40, 80
_BODY_SIZE = 21
"""Half points; Word's default in Japanese documents."""
_DIGITS = re.compile(r"\d+")
_ENDS_SENTENCE = re.compile(r"[。，,;；:：?？!！]$|[a-z]\.$|(?:である|です|ます|こと)$")


class _Form(Enum):
    """How a line is numbered; every form has one level in a document."""

    PART = re.compile(r"(?:第\s*[\d一二三四五六七八九十]+\s*[部編]|part\s+[\dIVX]+\b)", re.IGNORECASE)
    CHAPTER = re.compile(
        r"(?:第\s*[\d一二三四五六七八九十]+\s*章|chapter\s+[\dIVX]+\b|appendix\s+[\dA-Z]+\b)", re.IGNORECASE
    )
    SECTION = re.compile(r"(?:第\s*[\d一二三四五六七八九十]+\s*節|section\s+\d+\b)", re.IGNORECASE)
    ARTICLE = re.compile(r"(?:第\s*[\d一二三四五六七八九十百]+\s*条|article\s+[\dIVX]+\b)", re.IGNORECASE)
    ROMAN = re.compile(r"[IVX]+[.)]?[\s、]+\S")
    LETTER = re.compile(r"[A-Z][.)](?!\w\.)\s*\S")
    DECIMAL_4 = re.compile(r"\d+(?:[.\-]\d+){3,}[.)]?\s*[^\d\s%]")
    DECIMAL_3 = re.compile(r"\d+(?:[.\-]\d+){2}[.)]?\s*[^\d\s%.]")
    DECIMAL_2 = re.compile(r"\d+[.\-]\d+[.)]?\s*[^\d\s%.\-]")
    DECIMAL_1 = re.compile(r"\d+(?:[.、]\s*|\s+)[^\d\s%.)]")
    PAREN = re.compile(r"(?:\(\d+\)|\d+\))\s*\S")
    MARK = re.compile(r"[【■◆●]\s*\S")


_STAND_ALONE = frozenset({_Form.PART, _Form.CHAPTER, _Form.SECTION, _Form.ARTICLE})
"""These words say by themselves that a line is a heading."""


def guess_headings(pieces: list[Piece], styles: Styles, *, below: int = 0) -> list[Piece]:
    """Return the pieces with heading-like paragraphs made headings.

    Emphasised lines come first; where there are none, plain typed numbers count when they run 1, 2, 3 … and
    each has text of its own under it, which tells them from a list.

    Levels follow the order in which the forms of numbering first appear: a form that is new opens a level
    below the heading it appears under, a form met before returns to its level.

    Args:
        pieces: A document's pieces, outside of which no heading style was found.
        styles: Its style sheet.
        below: Level of a single styled heading that all others stand under.
    """
    forms = [_form(piece) for piece in pieces]
    found = {
        position: form
        for position, (piece, form) in enumerate(zip(pieces, forms, strict=True))
        if form is not None and (form in _STAND_ALONE or _is_emphasised(piece, styles))
    }
    if all(form in _STAND_ALONE for form in found.values()):
        found |= _plain_sequence(pieces, forms)
    levels: dict[_Form, int] = {}
    current = below
    out: list[Piece] = []
    for position, piece in enumerate(pieces):
        form = found.get(position)
        if form is None or piece.source is None:
            out.append(piece)
            continue
        level = levels.get(form)
        if level is None:
            level = levels[form] = current + 1
        current = level
        for known in [known for known, at in levels.items() if at > level and not _is_decimal(known)]:
            del levels[known]  # the form may serve at another depth in the next section
        out.append(Piece(heading_of(piece.source, level), piece.source))
        out += [Piece(Paragraph(note.text)) for note in piece.source.notes]
    return out


def _plain_sequence(pieces: list[Piece], forms: list[_Form | None]) -> dict[int, _Form]:
    """Return the positions of plain numbered lines that behave as headings.

    The outermost numbers must count up from one, at least two of them, and none may be followed at once by a
    line of its own form: neighbouring items are a list.
    """
    typed = {
        position: form
        for position, (piece, form) in enumerate(zip(pieces, forms, strict=True))
        if form is not None and _is_decimal(form) and piece.source is not None and not piece.source.label_text
    }
    top = [position for position, form in typed.items() if form is _Form.DECIMAL_1]
    numbers = [_leading_number(pieces[position]) for position in top]
    if len(top) < 2 or numbers != list(range(1, len(top) + 1)):  # noqa: PLR2004  # one number is no sequence
        return {}
    for position in typed:
        if position + 1 >= len(pieces) or forms[position + 1] is forms[position]:
            return {}
    return typed


def _leading_number(piece: Piece) -> int:
    match = _DIGITS.match(_plain(piece))
    return int(match.group()) if match else 0


def _plain(piece: Piece) -> str:
    return unicodedata.normalize("NFKC", piece.source.full_text).strip() if piece.source is not None else ""


def _is_decimal(form: _Form) -> bool:
    return form.name.startswith("DECIMAL")


def _form(piece: Piece) -> _Form | None:
    source, block = piece.source, piece.block
    if source is None or not isinstance(block, Paragraph) or piece.role is not StyleRole.NONE:
        return None
    if source.label is not None and source.label.is_bullet:
        return None
    text = _plain(piece)
    longest = _LONGEST_NARROW if text.isascii() else _LONGEST_WIDE
    if not text or len(text) > longest or "\n" in text or _ENDS_SENTENCE.search(text):
        return None
    return next((form for form in _Form if form.value.match(text)), None)


def _is_emphasised(piece: Piece, styles: Styles) -> bool:
    """Return whether a line is bold, larger than the body text, or in capitals throughout."""
    source, text = piece.source, _plain(piece)
    if source is None:
        return False
    letters = [char for char in text if char.isascii() and char.isalpha()]
    if text.isupper() and len(letters) > 3:  # noqa: PLR2004  # "A. API" is an abbreviation
        return True
    body_size = styles.get(None).size or styles.default_size or _BODY_SIZE
    bold = large = True
    runs = 0
    for run in source.element.iter(W + "r"):
        if not any((t.text or "").strip() for t in run.iterfind(W + "t")):
            continue
        runs += 1
        properties = run.find(RPR)
        character = styles.character(val(properties, W + "rStyle"))
        own = toggle(properties, W + "b")
        inherited = source.style.bold or (character is not None and character.bold)
        bold = bold and (inherited if own is None else own)
        size = integer(val(properties, W + "sz")) or source.style.size or body_size
        large = large and size > body_size
    return runs > 0 and (bold or large)
