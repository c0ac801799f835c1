"""From a PDF to lines of text: what PDFium finds on each page, with size, weight and place."""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import pypdfium2
from pypdfium2 import raw

_FONT_NAME_BYTES = 128
_BOLD_WEIGHT = 600
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")
_BREAKS = frozenset({0x0A, 0x0D})


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line as printed.

    Attributes:
        text: Without surrounding white space.
        page: Page number, from 1.
        left: Where the first character begins, points from the left edge.
        right: Where the last one ends.
        baseline: Points from the lower edge.
        size: Font size of most of its characters, points, scaling included.
        bold: Whether most of its characters are bold.
    """

    text: str
    page: int
    left: float
    right: float
    baseline: float
    size: float
    bold: bool


def read_pages(pdf: pypdfium2.PdfDocument) -> list[list[TextLine]]:
    """Return the lines of every page, in the order in which PDFium reads them.

    Raises:
        pypdfium2.PdfiumError: A page cannot be loaded.
    """
    pages = []
    for index in range(len(pdf)):
        page = pdf[index]
        text = page.get_textpage()
        try:
            pages.append(list(_lines(text, index + 1)))
        finally:
            text.close()
            page.close()
    return pages


@dataclass(slots=True)
class _Gathered:
    """Characters of the line that is being read: codes, and the indices of those that are printed."""

    codes: list[int] = field(default_factory=list)
    printed: list[int] = field(default_factory=list)


def _lines(page: pypdfium2.PdfTextPage, number: int) -> Iterator[TextLine]:
    gathered = _Gathered()
    for index in range(page.count_chars()):
        code = raw.FPDFText_GetUnicode(page, index)
        if code in _BREAKS:
            yield from _line(page, number, gathered)
            gathered = _Gathered()
            continue
        hyphen = raw.FPDFText_IsHyphen(page, index) == 1
        gathered.codes.append(ord("-") if hyphen else code)
        if raw.FPDFText_IsGenerated(page, index) != 1 and not chr(code).isspace():
            gathered.printed.append(index)
        if hyphen:
            # PDFium goes on in the next line without a break; whether the word is one is not its to say.
            yield from _line(page, number, gathered)
            gathered = _Gathered()
    yield from _line(page, number, gathered)


def _line(page: pypdfium2.PdfTextPage, number: int, gathered: _Gathered) -> Iterator[TextLine]:
    text = _text(gathered.codes)
    if not text or not gathered.printed:
        return
    first, last = gathered.printed[0], gathered.printed[-1]
    left, baseline = _origin(page, first)
    styles = Counter(_style(page, index) for index in gathered.printed)
    (size, bold), _ = styles.most_common(1)[0]
    yield TextLine(text, number, left, page.get_charbox(last, loose=True)[2], baseline, size, bold)


def _text(codes: list[int]) -> str:
    # Characters beyond the basic plane may come as two surrogates; what is left of a pair is no character.
    units = "".join(map(chr, codes)).encode("utf-16-le", "surrogatepass")
    return _CONTROL.sub("", units.decode("utf-16-le", "replace")).strip()


def _origin(page: pypdfium2.PdfTextPage, index: int) -> tuple[float, float]:
    x, y = ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetCharOrigin(page, index, x, y)
    return x.value, y.value


def _style(page: pypdfium2.PdfTextPage, index: int) -> tuple[float, bool]:
    """Return size, to a fifth of a point, and weight; some producers scale a font of size 1 by the matrix."""
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(page, index, matrix)
    size = raw.FPDFText_GetFontSize(page, index) * (math.hypot(matrix.c, matrix.d) or 1)
    name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
    raw.FPDFText_GetFontInfo(page, index, name, _FONT_NAME_BYTES, ctypes.c_int())
    bold = b"bold" in name.value.lower() or raw.FPDFText_GetFontWeight(page, index) >= _BOLD_WEIGHT
    return round(size * 5) / 5, bold
