"""Names of WordprocessingML elements and attributes in lxml's {namespace}local form, and small readers."""

from collections.abc import Iterator
from typing import TypeAlias

from lxml import etree

Element: TypeAlias = etree._Element  # noqa: SLF001  # lxml has no public name for its element type

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
V = "{urn:schemas-microsoft-com:vml}"

VAL = W + "val"
P, R_RUN, TBL, TR, TC = W + "p", W + "r", W + "tbl", W + "tr", W + "tc"
PPR, RPR = W + "pPr", W + "rPr"
SDT, SDT_CONTENT, CUSTOM_XML = W + "sdt", W + "sdtContent", W + "customXml"
INS, DEL, MOVE_FROM, MOVE_TO = W + "ins", W + "del", W + "moveFrom", W + "moveTo"
ALTERNATE, CHOICE, FALLBACK = MC + "AlternateContent", MC + "Choice", MC + "Fallback"
TEXT_BOX = W + "txbxContent"

_OFF = frozenset({"0", "false", "off", "none"})


def val(parent: Element | None, child: str) -> str | None:
    """Return w:val of a child ("" when the child has none), None when there is no such child."""
    found = None if parent is None else parent.find(child)
    return None if found is None else found.get(VAL, "")


def integer(text: str | None) -> int | None:
    """Return the number that an attribute holds, None when it holds none."""
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def toggle(properties: Element | None, child: str) -> bool | None:
    """Return a boolean property (CT_OnOff): present means true unless its value says no; None when absent."""
    found = val(properties, child)
    return None if found is None else found.lower() not in _OFF


def alternative(element: Element) -> Element | None:
    """Return the branch of mc:AlternateContent to read: the first Choice, or the Fallback when that has no text.

    Both branches hold the same content for different readers, so exactly one of them counts.
    """
    choice, fallback = element.find(CHOICE), element.find(FALLBACK)
    if choice is None or fallback is None:
        return fallback if choice is None else choice
    return fallback if not _has_text(choice) and _has_text(fallback) else choice


def _has_text(element: Element) -> bool:
    return next(element.iter(W + "t", W + "sym", A + "t", DGM + "relIds", C + "chart"), None) is not None


def unwrapped(parent: Element) -> Iterator[Element]:
    """Yield block-level, row or cell children, looking through content controls and markup that only wraps."""
    for child in parent:
        tag = child.tag
        if tag == SDT:
            content = child.find(SDT_CONTENT)
            if content is not None:
                yield from unwrapped(content)
        elif tag in {CUSTOM_XML, INS, MOVE_TO, W + "smartTag"}:
            yield from unwrapped(child)
        elif tag == ALTERNATE:
            branch = alternative(child)
            if branch is not None:
                yield from unwrapped(branch)
        else:
            yield child
