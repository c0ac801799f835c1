"""The frame of a deck: its slides in order, their layouts, its sections."""

import re
from dataclasses import dataclass
from typing import Final

from lxml import etree

from ....domain.errors import CorruptDocumentError
from .opc import Package, q
from .shapes import SlideParts

_UNNAMED_SECTION: Final = re.compile(
    r"^(default section|untitled section|既定のセクション|タイトルなしのセクション|默认节|无标题节|"
    r"預設章節|未命名的章節|(section|セクション|节)\s*\d*)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Slide:
    """One slide of the deck.

    Attributes:
        number: Place in the deck, from 1, hidden slides counted.
        root: Its XML; None when the deck names a slide that the package does not have.
        parts: The slide part and what it inherits from.
        layout_kind: Type of its layout ("title", "secHead", "obj" …), "" when unknown.
        section: Name of the deck section it stands in, "" when it has none that a person named.
        hidden: True when the slide show skips it.
    """

    number: int
    root: etree._Element | None
    parts: SlideParts
    layout_kind: str
    section: str
    hidden: bool


def read_deck(package: Package) -> list[Slide]:
    """Return the slides in presentation order.

    Raises:
        CorruptDocumentError: The package holds no presentation.
    """
    part, root = _presentation(package)
    targets = package.relationships(part)
    sections = _sections(root)
    inherited: dict[str, tuple[etree._Element | None, etree._Element | None]] = {}
    slides: list[Slide] = []
    for number, entry in enumerate(root.iterfind(f"{q('p:sldIdLst')}/{q('p:sldId')}"), start=1):
        target = targets.get(entry.get(q("r:id"), ""))
        name = target.target if target is not None else ""
        slide = package.xml(name) if name else None
        layout_name = next(iter(package.related(name, "slideLayout")), "") if slide is not None else ""
        if layout_name not in inherited:
            inherited[layout_name] = _layout_and_master(package, layout_name)
        layout, master = inherited[layout_name]
        slides.append(
            Slide(
                number=number,
                root=slide,
                parts=SlideParts(name, layout, master),
                layout_kind=layout.get("type", "") if layout is not None else "",
                section=sections.get(entry.get("id", ""), ""),
                hidden=slide is not None and slide.get("show") in ("0", "false"),
            )
        )
    if slides and all(slide.root is None for slide in slides):
        raise _no_presentation(package)
    return slides


def slide_height(package: Package) -> float:
    """Return the height of the deck's slides in EMU."""
    _, root = _presentation(package)
    size = root.find(q("p:sldSz"))
    try:
        return float(size.get("cy", "6858000")) if size is not None else 6858000.0
    except ValueError:
        return 6858000.0


def _presentation(package: Package) -> tuple[str, etree._Element]:
    for part in package.related("", "officeDocument"):
        root = package.xml(part)
        if root is not None and root.tag == q("p:presentation"):
            return part, root
    raise _no_presentation(package)


def _layout_and_master(package: Package, layout_name: str) -> tuple[etree._Element | None, etree._Element | None]:
    if not layout_name:
        return None, None
    master_name = next(iter(package.related(layout_name, "slideMaster")), "")
    return package.xml(layout_name), package.xml(master_name) if master_name else None


def _sections(root: etree._Element) -> dict[str, str]:
    """Return the section name of each slide id; names that PowerPoint gave by itself are left out."""
    found: dict[str, str] = {}
    for section in root.iter(q("p14:section")):
        name = " ".join(section.get("name", "").split())
        if name and not _UNNAMED_SECTION.match(name):
            for entry in section.iter(q("p14:sldId")):
                found[entry.get("id", "")] = name
    return found


def _no_presentation(package: Package) -> CorruptDocumentError:
    return CorruptDocumentError(
        package.name,
        "The file holds no readable presentation.",
        hint="Open it in PowerPoint, repair and save it again.",
    )
