"""Write tiny PDF files: lines of text at given places, Japanese and Latin, a password, pictures without text."""

from dataclasses import dataclass

JAPANESE = "F1"
LATIN = "F2"
LATIN_BOLD = "F3"
_FONTS = (
    # Not embedded: characters are UTF-16 codes, which the predefined CMap makes glyphs of Adobe-Japan1.
    (
        "<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UTF16-H"
        " /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /DW 1000 /CIDSystemInfo"
        " << /Registry (Adobe) /Ordering (Japan1) /Supplement 6 >> /FontDescriptor << /Type /FontDescriptor"
        " /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 850 /Descent -150"
        " /CapHeight 700 /StemV 80 >> >>] >>"
    ),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
)


@dataclass(frozen=True)
class Line:
    """A line of text; `x` and `y` are points from the lower left corner of an A4 page (595 x 842)."""

    text: str
    y: float
    x: float = 72
    size: float = 10
    font: str = JAPANESE


def pdf(pages: list[list[Line]], *, title: str = "", password: bool = False) -> bytes:
    """Return a PDF file with these pages; with `password` nobody can open it."""
    kids = [4 + len(_FONTS) + 2 * number for number in range(len(pages))]
    fonts = " ".join(f"/F{number} {3 + number} 0 R" for number in range(1, len(_FONTS) + 1))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>",
        f"<< /Title <FEFF{title.encode('utf-16-be').hex()}> >>",
        *_FONTS,
    ]
    for kid, lines in zip(kids, pages, strict=True):
        # A grey box stands for a picture, so that a page without lines is not empty.
        content = "\n".join(["0.9 g 72 780 20 20 re f 0 g", *map(_show, lines)])
        objects += [
            (
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {kid + 1} 0 R"
                f" /Resources << /Font << {fonts} >> >> >>"
            ),
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    return _file(objects, password=password)


def _show(line: Line) -> str:
    if line.font == JAPANESE:
        string = f"<{line.text.encode('utf-16-be').hex()}>"
    else:
        string = "(" + line.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") + ")"
    return f"BT /{line.font} {line.size} Tf 1 0 0 1 {line.x} {line.y} Tm {string} Tj ET"


def _file(objects: list[str], *, password: bool) -> bytes:
    data = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = len(data)
    data += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    data += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    secret = ""
    if password:
        zeros = "00" * 32
        secret = f" /Encrypt << /Filter /Standard /V 1 /R 2 /O <{zeros}> /U <{zeros}> /P -4 >> /ID [<00> <00>]"
    data += (
        f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 3 0 R{secret} >>\nstartxref\n{table}\n%%EOF\n".encode()
    )
    return bytes(data)
