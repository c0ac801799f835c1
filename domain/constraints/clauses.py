"""Cutting a sentence into clauses, each with its own topic or predicate."""

import re

from .text import Language

_NEW_TOPIC = re.compile(r"^.{1,24}?(?:は(?!じめ)|については|には|では)")
_PREDICATE_END = re.compile(r"[しいりきてずせべえくるう]$|する$|とし$")
_REASON = re.compile(r"(?:ので|ため|ことから)[、,]$|^(?:由于|因为|为避免|为了).*，$")
# A piece this short is a member of an enumeration, not a clause.
_MEMBER_LENGTH = 4
_TWO = 2
_SEPARATORS = {
    language: re.compile(r"(?<=[;；])|(?<=[。])(?![」』\"])" + commas)
    for language, commas in {
        "ja": r"|(?<=、)|(?<=,)(?!\d)",
        "zh": r"|(?<=，)|(?<=,)(?!\d)",
        "en": r"|, (?=and |but |while |whereas )",
    }.items()
}
_INCLUDED = ("包括", "包含", "含", "其中包括")
_MARGIN = " 、，,;；。."


def split_clauses(text: str, language: Language) -> tuple[str, ...]:
    """Return the clauses of a normalised sentence, without clauses that only give a reason.

    A comma parts clauses where a new topic follows or a predicate ends; enumerations and parentheses stay together.
    """
    pieces = [piece for piece in _SEPARATORS[language].split(text) if piece and piece.strip()]
    if len(pieces) > 1 and not any("(" in piece for piece in pieces):
        pieces = [piece for piece in pieces if not _REASON.search(piece)] or pieces
    clauses: list[str] = []
    for piece in pieces:
        if clauses and not _parts(clauses[-1], piece, language):
            clauses[-1] += piece
        else:
            clauses.append(piece)
    return tuple(clause.strip(_MARGIN) for clause in clauses if clause.strip(_MARGIN))


def reason_of(text: str, language: Language) -> str:
    """Return the pieces of a normalised sentence that only give a reason: they may still name what it is about."""
    pieces = [piece for piece in _SEPARATORS[language].split(text) if piece and piece.strip()]
    if len(pieces) < _TWO or any("(" in piece for piece in pieces):
        return ""
    reasons = [piece for piece in pieces if _REASON.search(piece)]
    return "".join(reasons) if len(reasons) < len(pieces) else ""


def _parts(left: str, right: str, language: Language) -> bool:
    left = left.rstrip("、,")
    if left.count("(") > left.count(")") or (language == "ja" and left.endswith(("は", "も"))):
        return False
    if language == "en" or left.endswith((";", "；", "。")):
        return True
    if language == "zh":
        # What is included is named by what comes before, and banned with it.
        return len(right) >= _MEMBER_LENGTH and not right.startswith(_INCLUDED)
    ends = _PREDICATE_END.search(left) is not None and len(right) > _MEMBER_LENGTH
    return ends or _NEW_TOPIC.match(right) is not None
