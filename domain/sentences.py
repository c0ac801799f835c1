"""Sentences of a chunk, for comparison only: nothing here is shown to anybody."""

import re

_LINE = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_SENTENCE = re.compile(
    r".+?(?:[。！？!?｡](?=[^」』）)】\]。！？!?｡]|$)|[.;；](?=\s)|$)",
)
_MAX_CHARS = 200
"""A longer piece has no sentence ends (a table row, a list in one line) and is cut into windows."""


def sentences(text: str) -> list[str]:
    """Return the sentences and lines of a text, trimmed, in order; none is empty or over 200 characters."""
    pieces: list[str] = []
    for line in _LINE.findall(text):
        for match in _SENTENCE.finditer(line):
            piece = match.group().strip()
            while piece:
                pieces.append(piece[:_MAX_CHARS])
                piece = piece[_MAX_CHARS:].strip()
    return pieces
