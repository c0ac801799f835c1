"""Shapes of a slide with their absolute places, what they say and what they are for."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

from lxml import etree

from ....domain.blocks import Anchor, Paragraph, Table
from .frames import frame_blocks
from .opc import Package, q
from .order import Box, in_reading_order, union
from .text import Line, lines

Role = Literal["title", "body", "furniture", "hidden"]
_TITLES: Final = ("title", "ctrTitle")
_FURNITURE: Final = ("sldNum", "dt", "ftr", "hdr")
_DEEPEST_GROUP: Final = 24
_UNITS_PER_DEGREE: Final = 60000
_FARTHEST: Final = 1e10
"""EMU (10 km); coordinates beyond it are damage. Groups scale by at most this, 24 deep, so that
boxes stay finite."""
_FILE_NAME: Final = re.compile(r"\.(png|jpe?g|gif|bmp|emf|wmf|svg|tiff?|webp|heic|ico|pdf)\W*$", re.IGNORECASE)
_GENERATED: Final = re.compile(
    r"自動的に生成された説明|AI 生成|AI によって生成|automatically generated|AI-generated|自动生成的说明|"
    r"単色塗りつぶし|枠線|with solid fill|outline$|^(図|画像|写真|picture|image|graphic|clip ?art)\W*\d*$|^https?://",
    re.IGNORECASE,
)
_SHORTEST_ALT: Final = 6


@dataclass(frozen=True, slots=True)
class Transform:
    """Maps coordinates inside a group to the slide: x' = x * scale_x + shift_x, likewise y."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    shift_x: float = 0.0
    shift_y: float = 0.0

    def apply(self, box: Box) -> Box:
        """Return the box in slide coordinates."""
        return Box(
            box.left * self.scale_x + self.shift_x,
            box.top * self.scale_y + self.shift_y,
            box.right * self.scale_x + self.shift_x,
            box.bottom * self.scale_y + self.shift_y,
        )


@dataclass(frozen=True, slots=True)
class Item:
    """A shape that says something, or a group of such shapes.

    Attributes:
        box: Its place on the slide.
        blocks: What it says, in reading order.
        role: Title, body, furniture (slide number, date, footer), or hidden (a shape made invisible).
        lines: Its paragraphs when it is a shape with text, for finding titles and repeated texts.
    """

    box: Box
    blocks: tuple[Paragraph | Table, ...]
    role: Role = "body"
    lines: tuple[Line, ...] = ()

    @property
    def text(self) -> str:
        """All its text, one block or table row a line."""
        return "\n".join(block_text(block) for block in self.blocks)


def block_text(block: Paragraph | Table) -> str:
    """Return the text of a block."""
    if isinstance(block, Paragraph):
        return block.text
    return "\n".join(part for part in (block.caption, *block.header, *block.rows, *block.notes) if part)


@dataclass(frozen=True, slots=True)
class SlideParts:
    """The slide and the parts it inherits from.

    Attributes:
        slide: Name of the slide part.
        layout: Root of its layout, None when it has none.
        master: Root of the layout's master, None when it has none.
    """

    slide: str
    layout: etree._Element | None
    master: etree._Element | None


def slide_items(root: etree._Element, package: Package, parts: SlideParts, number: int) -> list[Item]:
    """Return everything on a slide that says something, in reading order (titles where they stand)."""
    tree = root.find(f"{q('p:cSld')}/{q('p:spTree')}")
    if tree is None:
        return []
    reader = _ShapeReader(package, parts, Anchor(slide=number))
    return ordered(reader.items(tree, Transform(), 0))


def ordered(items: Iterable[Item]) -> list[Item]:
    """Return items in visual reading order; empty frames help to find it and are dropped."""
    things = list(items)
    placed = in_reading_order(things, lambda item: item.box, lambda item: len(item.text))
    return [item for item in placed if item.blocks]


@dataclass(frozen=True, slots=True)
class _ShapeReader:
    package: Package
    parts: SlideParts
    anchor: Anchor

    def items(self, tree: etree._Element, transform: Transform, depth: int) -> Iterator[Item]:
        for element in tree.iterchildren():
            if element.tag == q("mc:AlternateContent"):
                yield from self._alternative(element, transform, depth)
                continue
            hidden = _is_hidden(element)
            for item in self._element(element, transform, depth):
                yield replace(item, role="hidden") if hidden else item

    def _element(self, element: etree._Element, transform: Transform, depth: int) -> Iterator[Item]:
        if element.tag == q("p:grpSp"):
            yield from self._group(element, transform, depth)
        else:
            item = self._single(element, transform)
            if item is not None:
                yield item

    def _alternative(self, element: etree._Element, transform: Transform, depth: int) -> Iterator[Item]:
        # The newer form says more; the fallback is often a picture of it.
        for branch in element.iterchildren(q("mc:Choice"), q("mc:Fallback")):
            found = list(self.items(branch, transform, depth))
            if any(item.blocks for item in found):
                yield from found
                return

    def _group(self, element: etree._Element, transform: Transform, depth: int) -> Iterator[Item]:
        if depth > _DEEPEST_GROUP:
            return
        members = list(self.items(element, _inside(element, transform), depth + 1))
        special = [each for each in members if each.blocks and each.role != "body"]
        yield from special
        body = ordered(each for each in members if each not in special)
        if len(body) == 1:
            yield body[0]
        elif body:
            blocks = tuple(block for each in body for block in each.blocks)
            yield Item(union([each.box for each in body]), blocks)

    def _single(self, element: etree._Element, transform: Transform) -> Item | None:
        if element.tag == q("p:sp"):
            return self._text_shape(element, transform)
        if element.tag == q("p:graphicFrame"):
            blocks = frame_blocks(element, self.package, self.parts.slide, self.anchor)
        elif element.tag == q("p:pic"):
            blocks = []
        else:
            return None
        if not blocks:
            alternative = _alternative_text(element)
            if not alternative:
                return None
            blocks = [Paragraph(alternative, "text", self.anchor)]
        placeholder = element.find(f"./*/{q('p:nvPr')}/{q('p:ph')}")
        return Item(self._box(element, transform, self._inherited(placeholder)), tuple(blocks))

    def _text_shape(self, element: etree._Element, transform: Transform) -> Item | None:
        body = element.find(q("p:txBody"))
        if body is None:
            return None
        placeholder = element.find(f"{q('p:nvSpPr')}/{q('p:nvPr')}/{q('p:ph')}")
        role = _role(placeholder)
        inherited = self._inherited(placeholder)
        box = self._box(element, transform, inherited)
        found = lines(body, [style for each in inherited for style in each.iter(q("a:lstStyle"))])
        if not found:
            found = lines(body, numbers=True)  # nothing but the slide number
            role = "furniture"
        return Item(box, tuple(_paragraph(line, self.anchor) for line in found), role, tuple(found))

    def _box(self, element: etree._Element, transform: Transform, inherited: Iterable[etree._Element] = ()) -> Box:
        boxes = (_own_box(each) for each in (element, *inherited))
        return transform.apply(next((each for each in boxes if each is not None), Box(0, 0, 0, 0)))

    def _inherited(self, placeholder: etree._Element | None) -> list[etree._Element]:
        """Return the shapes a placeholder inherits from: on the layout, then on the master."""
        if placeholder is None:
            return []
        kind, index = placeholder.get("type", "obj"), placeholder.get("idx", "0")
        found: list[etree._Element] = []
        for root, by_index in ((self.parts.layout, True), (self.parts.master, False)):
            match = None if root is None else _placeholder(root, kind, index, by_index=by_index)
            if match is not None:
                found.append(match)
        return found


def _paragraph(line: Line, anchor: Anchor) -> Paragraph:
    return Paragraph(line.shown(), "list" if line.level or line.bullet else "text", anchor)


def _placeholder(root: etree._Element, kind: str, index: str, *, by_index: bool) -> etree._Element | None:
    shapes = [
        (shape, mark)
        for shape in root.iter(q("p:sp"))
        if (mark := shape.find(f"{q('p:nvSpPr')}/{q('p:nvPr')}/{q('p:ph')}")) is not None
    ]
    if by_index and kind not in _TITLES:
        return next((shape for shape, mark in shapes if mark.get("idx", "0") == index), None)
    # Masters know five types; every content placeholder descends from "body", every title from "title".
    family = _TITLES if kind in _TITLES else (kind,) if kind in _FURNITURE else ("body", "obj")
    return next((shape for shape, mark in shapes if mark.get("type", "obj") in family), None)


def _role(placeholder: etree._Element | None) -> Role:
    kind = placeholder.get("type", "obj") if placeholder is not None else ""
    return "title" if kind in _TITLES else "furniture" if kind in _FURNITURE else "body"


def _is_hidden(element: etree._Element) -> bool:
    properties = next((each for part in element for each in part.iterchildren(q("p:cNvPr"))), None)
    return properties is not None and properties.get("hidden") in ("1", "true")


def _alternative_text(element: etree._Element) -> str:
    properties = next(element.iter(q("p:cNvPr")), None)
    if properties is None or any(each.get("val") == "1" for each in properties.iter(q("adec:decorative"))):
        return ""
    text = " ".join(properties.get("descr", "").split())
    if len(text) < _SHORTEST_ALT or _FILE_NAME.search(text) or _GENERATED.search(text):
        return ""
    return text


def _own_box(element: etree._Element) -> Box | None:
    if element.tag == q("p:graphicFrame"):
        xfrm = element.find(q("p:xfrm"))
    else:
        xfrm = element.find(f"{q('p:spPr')}/{q('a:xfrm')}")
    box = None if xfrm is None else _rectangle(xfrm, "a:off", "a:ext")
    if xfrm is None or box is None:
        return None
    turn = _number(xfrm, "rot") / _UNITS_PER_DEGREE % 180
    if not 45 < turn < 135:  # noqa: PLR2004  # degrees
        return box
    # It lies on its side: the box turns about its centre.
    middle_x, middle_y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    half_width, half_height = (box.bottom - box.top) / 2, (box.right - box.left) / 2
    return Box(middle_x - half_width, middle_y - half_height, middle_x + half_width, middle_y + half_height)


def _rectangle(xfrm: etree._Element, offset_tag: str, extent_tag: str) -> Box | None:
    offset, extent = xfrm.find(q(offset_tag)), xfrm.find(q(extent_tag))
    if offset is None or extent is None:
        return None
    left, top = _number(offset, "x"), _number(offset, "y")
    return Box(left, top, left + _number(extent, "cx"), top + _number(extent, "cy"))


def _inside(group: etree._Element, transform: Transform) -> Transform:
    xfrm = group.find(f"{q('p:grpSpPr')}/{q('a:xfrm')}")
    if xfrm is None:
        return transform
    outer, inner = _rectangle(xfrm, "a:off", "a:ext"), _rectangle(xfrm, "a:chOff", "a:chExt")
    if outer is None or inner is None:
        return transform
    wide, high = inner.right - inner.left, inner.bottom - inner.top
    scale_x = (outer.right - outer.left) / wide if wide >= 1 else 1.0
    scale_y = (outer.bottom - outer.top) / high if high >= 1 else 1.0
    return Transform(
        scale_x * transform.scale_x,
        scale_y * transform.scale_y,
        (outer.left - inner.left * scale_x) * transform.scale_x + transform.shift_x,
        (outer.top - inner.top * scale_y) * transform.scale_y + transform.shift_y,
    )


def _number(element: etree._Element, name: str) -> float:
    try:
        value = float(element.get(name, "0"))
    except ValueError:
        return 0.0
    return value if abs(value) < _FARTHEST else 0.0  # false for what is no number, too
