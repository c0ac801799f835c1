"""Cell styles as far as reading needs them: number format, bold, size, fill, borders."""

from dataclasses import dataclass
from typing import TypeVar

from .package import Element, Package, child, children, flag, local

# ECMA-376 part 1, 18.8.30, and the Japanese built-in formats (ids 27-36, 50-58).
BUILTIN_FORMATS = {
    0: "General",
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    5: "¥#,##0;¥-#,##0",
    6: "¥#,##0;¥-#,##0",
    7: "¥#,##0.00;¥-#,##0.00",
    8: "¥#,##0.00;¥-#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: "yyyy/m/d",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy/m/d h:mm",
    27: "[$-411]ge.m.d",
    28: '[$-411]ggge"年"m"月"d"日"',
    29: '[$-411]ggge"年"m"月"d"日"',
    30: "m/d/yy",
    31: 'yyyy"年"m"月"d"日"',
    32: 'h"時"mm"分"',
    33: 'h"時"mm"分"ss"秒"',
    34: 'yyyy"年"m"月"',
    35: 'm"月"d"日"',
    36: "[$-411]ge.m.d",
    37: "#,##0;-#,##0",
    38: "#,##0;-#,##0",
    39: "#,##0.00;-#,##0.00",
    40: "#,##0.00;-#,##0.00",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
    50: "[$-411]ge.m.d",
    51: '[$-411]ggge"年"m"月"d"日"',
    52: 'yyyy"年"m"月"',
    53: 'm"月"d"日"',
    54: '[$-411]ggge"年"m"月"d"日"',
    55: 'yyyy"年"m"月"',
    56: 'm"月"d"日"',
    57: "[$-411]ge.m.d",
    58: '[$-411]ggge"年"m"月"d"日"',
}
_WHITE = {"FFFFFFFF", "00FFFFFF", "FFFFFF"}
# 64 and 65 are the system's window colours.
_WHITE_INDEXES = {"1", "9", "64", "65"}


@dataclass(frozen=True, slots=True)
class Style:
    """How a cell looks.

    Attributes:
        code: Number format code.
        bold: Bold type.
        size: Font size in points.
        fill: Key of the background colour, "" for none or white.
        left: Border line on the left; top, right and bottom likewise.
    """

    code: str = "General"
    bold: bool = False
    size: float = 11.0
    fill: str = ""
    left: bool = False
    right: bool = False
    top: bool = False
    bottom: bool = False

    @property
    def filled(self) -> bool:
        """True when the background is not white."""
        return bool(self.fill)

    @property
    def drawn(self) -> bool:
        """True when the cell is visible even if it is empty."""
        return self.filled or self.left or self.right or self.top or self.bottom


PLAIN = Style()
_T = TypeVar("_T")


def read_styles(package: Package, part: str) -> tuple[Style, ...]:
    """Return the style of each cell format index; a plain one alone when the file has no styles part."""
    if not part:
        return (PLAIN,)
    root = package.tree(part)
    sections = {local(section): section for section in root}
    codes = dict(BUILTIN_FORMATS)
    for entry in _entries(sections, "numFmts", "numFmt"):
        codes[_int(entry.get("numFmtId"))] = entry.get("formatCode") or "General"
    fonts = [_font(entry) for entry in _entries(sections, "fonts", "font")]
    fills = [_fill(entry) for entry in _entries(sections, "fills", "fill")]
    borders = [_border(entry) for entry in _entries(sections, "borders", "border")]
    styles: list[Style] = []
    for entry in _entries(sections, "cellXfs", "xf"):
        bold, size = _at(fonts, entry.get("fontId"), (False, 11.0))
        left, right, top, bottom = _at(borders, entry.get("borderId"), (False, False, False, False))
        styles.append(
            Style(
                code=codes.get(_int(entry.get("numFmtId")), "General"),
                bold=bold,
                size=size,
                fill=_at(fills, entry.get("fillId"), ""),
                left=left,
                right=right,
                top=top,
                bottom=bottom,
            )
        )
    return tuple(styles) or (PLAIN,)


def _entries(sections: dict[str, Element], section: str, name: str) -> list[Element]:
    found = sections.get(section)
    return [] if found is None else list(children(found, name))


def _int(value: str | None) -> int:
    try:
        return int(value or 0)
    except ValueError:
        return 0


def _at(values: list[_T], index: str | None, default: _T) -> _T:
    position = _int(index)
    return values[position] if 0 <= position < len(values) else default


def _font(font: Element) -> tuple[bool, float]:
    bold, size = child(font, "b"), child(font, "sz")
    try:
        points = float("11" if size is None else size.get("val") or 11)
    except ValueError:
        points = 11.0
    return bold is not None and flag(bold.get("val"), default=True), points


def _fill(fill: Element) -> str:
    if child(fill, "gradientFill") is not None:
        return "gradient"
    pattern = child(fill, "patternFill")
    if pattern is None or pattern.get("patternType", "none") in ("none", "gray125", "gray0625"):
        return ""
    color = child(pattern, "fgColor")
    if color is None:
        return ""
    rgb, theme, indexed = (color.get(name) or "" for name in ("rgb", "theme", "indexed"))
    tint = color.get("tint") or "0"
    if rgb.upper() in _WHITE or indexed in _WHITE_INDEXES or (theme == "0" and tint in ("0", "0.0")):
        return ""
    return f"{rgb}/{theme}/{tint[:5]}/{indexed}"


def _border(border: Element) -> tuple[bool, bool, bool, bool]:
    sides = {"left": False, "right": False, "top": False, "bottom": False}
    for side in border:
        # Strict files write start and end for left and right.
        name = {"start": "left", "end": "right"}.get(local(side), local(side))
        if name in sides:
            sides[name] = side.get("style", "none") != "none"
    return sides["left"], sides["right"], sides["top"], sides["bottom"]
