"""Speaker notes and review comments of a slide."""

from lxml import etree

from ....domain.blocks import Anchor, Paragraph
from .opc import Package, q
from .text import lines

_NOT_NOTES = ("sldImg", "sldNum", "dt", "hdr", "ftr")


def speaker_notes(package: Package, slide: str, anchor: Anchor) -> list[Paragraph]:
    """Return the paragraphs of a slide's notes page, without its number, header and footer."""
    found: list[Paragraph] = []
    for part in package.related(slide, "notesSlide"):
        root = package.xml(part)
        for shape in root.iter(q("p:sp")) if root is not None else ():
            placeholder = shape.find(f"{q('p:nvSpPr')}/{q('p:nvPr')}/{q('p:ph')}")
            body = shape.find(q("p:txBody"))
            if body is None or (placeholder is not None and placeholder.get("type") in _NOT_NOTES):
                continue
            found += [Paragraph(line.shown(), "notes", anchor) for line in lines(body)]
    return found


def review_comments(package: Package, slide: str) -> list[str]:
    """Return the texts of the review comments on a slide, classic and threaded."""
    found: list[str] = []
    for relationship in package.relationships(slide).values():
        if relationship.kind not in ("comments", "comment"):
            continue
        root = package.xml(relationship.target)
        if root is None:
            continue
        for element in root.iter(etree.Element):
            if element.tag == q("p:text"):
                found.append(element.text or "")
            elif etree.QName(element).localname == "txBody":
                found += [line.text for line in lines(element)]
    return [text for text in found if text.strip()]
