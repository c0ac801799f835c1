"""Captions, notes and contents headings: which paragraphs belong to the block beside them."""

import re
import unicodedata
from dataclasses import replace

from ....domain.blocks import Paragraph, Table
from .pieces import Piece
from .styles import StyleRole

_NUMBER = r"[\dA-Z一二三四五六七八九十]+(?:\s*[.\-‐‑–―ー－・]\s*\d+)*"
_TABLE = re.compile(
    rf"[<＜【\[(（]?\s*(?:図表|別表|表|様式|Table|Tab\.)\s*({_NUMBER})?(?=\W|_|$|[^\x00-\x7f])", re.IGNORECASE
)
_FIGURE = re.compile(r"[<＜【\[(（]?\s*(?:図(?!表)|写真|Figure|Fig\.)", re.IGNORECASE)
_NOTE = re.compile(r"(?:※|\*(?!\*)|＊|注\s*\d*\s*[)）:：.]|[(（]注|【注|注記|備考\s*[:：]|Note\s*\d*\s*:|NOTE\b)")
_LONGEST_CAPTION = 100
_LONGEST_NOTE = 300
_CONTENTS = re.compile(r"[<＜【\[]?\s*(?:(?:図表?|表)?目\s*次|目录|(?:Table of )?Contents)\s*[>＞】\]]?", re.IGNORECASE)


def is_contents_title(text: str) -> bool:
    """Return whether a line is the title of a table of contents."""
    return _CONTENTS.fullmatch(text.strip()) is not None


def attach_captions(pieces: list[Piece]) -> list[Piece]:
    """Return the pieces with captions and notes moved into the tables they stand with.

    A caption directly before a table is its caption; one directly behind a table is, when no table follows it.
    """
    out: list[Piece] = []
    position = 0
    while position < len(pieces):
        piece = pieces[position]
        if not isinstance(piece.block, Table):
            out.append(piece)
            position += 1
            continue
        table = piece.block
        position += 1
        if not table.caption and out and (number := _caption_number(out[-1])) is not None:
            table = replace(table, caption=_text(out.pop()), number=number)
        notes: list[str] = []
        while position < len(pieces) and _is_note(pieces[position]):
            notes.append(_text(pieces[position]))
            position += 1
        if not table.caption and position < len(pieces):
            number = _caption_number(pieces[position])
            before_table = position + 1 < len(pieces) and isinstance(pieces[position + 1].block, Table)
            if number is not None and not before_table:
                table = replace(table, caption=_text(pieces[position]), number=number)
                position += 1
        out.append(Piece(replace(table, notes=tuple(notes)) if notes else table))
    return out


def _text(piece: Piece) -> str:
    return "" if isinstance(piece.block, Table) else piece.block.text.strip()


def _caption_number(piece: Piece) -> str | None:
    """Return the number in a table caption ("" when it has none), None when the piece is no table caption."""
    if not isinstance(piece.block, Paragraph) or (piece.source is not None and piece.source.inline.pictured):
        return None
    plain = unicodedata.normalize("NFKC", piece.block.text).strip().partition("\n")[0]
    if not plain or len(plain) > _LONGEST_CAPTION or plain.endswith("。") or _FIGURE.match(plain):
        return None
    match = _TABLE.match(plain)
    if match is not None and match.group(1):
        return re.sub(r"\s*[‐‑–―ー－・]\s*", "-", match.group(1)).replace(" ", "")
    return "" if piece.role is StyleRole.CAPTION else None


def _is_note(piece: Piece) -> bool:
    if not isinstance(piece.block, Paragraph) or piece.block.kind != "text":
        return False
    return len(piece.block.text) <= _LONGEST_NOTE and _NOTE.match(piece.block.text.lstrip()) is not None
