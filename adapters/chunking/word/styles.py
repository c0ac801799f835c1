"""Styles: what a paragraph is by its style chain, resolved once per style."""

import re
import unicodedata
from dataclasses import dataclass, replace
from enum import Enum

from .names import PPR, RPR, VAL, Element, W, integer, toggle, val

BODY_LEVEL = 9
"""Outline level that says "body text" (ECMA-376, 17.3.1.20)."""

_HEADING_NAME = re.compile(r"(?:heading|見出し|标题|標題)\s*([1-9])")
_TOC_NAME = re.compile(r"(?:toc|目次|目录|目錄|index|索引)\s*[1-9]")


class StyleRole(Enum):
    """What a style's name alone says about its paragraphs."""

    NONE = "none"
    TITLE = "title"
    SUBTITLE = "subtitle"
    CAPTION = "caption"
    CONTENTS = "contents"
    CONTENTS_HEADING = "contents-heading"


_ROLES = {
    "title": StyleRole.TITLE,
    "表題": StyleRole.TITLE,
    "标题": StyleRole.TITLE,
    "subtitle": StyleRole.SUBTITLE,
    "副題": StyleRole.SUBTITLE,
    "caption": StyleRole.CAPTION,
    "図表番号": StyleRole.CAPTION,
    "题注": StyleRole.CAPTION,
    "table of figures": StyleRole.CONTENTS,
    "図表目次": StyleRole.CONTENTS,
    "toc heading": StyleRole.CONTENTS_HEADING,
    "目次の見出し": StyleRole.CONTENTS_HEADING,
}


@dataclass(frozen=True, slots=True)
class Style:
    """A style with everything it inherits.

    Attributes:
        chain: Style ids from the style itself to the root of its basedOn chain.
        role: By the name of the nearest style in the chain that has one.
        outline: Outline level, 0 outermost, 9 body text; None when nothing sets it.
        num_id: Numbering instance; None when nothing sets it, 0 when it is switched off.
        ilvl: Numbering level as written in the style.
        bold: Character properties of the style.
        hidden: Text is hidden.
        size: Font size in half points.
    """

    chain: tuple[str, ...] = ()
    role: StyleRole = StyleRole.NONE
    outline: int | None = None
    num_id: int | None = None
    ilvl: int | None = None
    bold: bool = False
    hidden: bool = False
    size: int | None = None


@dataclass(frozen=True, slots=True)
class _Own:
    """What one w:style element says itself."""

    based_on: str | None
    role: StyleRole
    outline: int | None
    num_id: int | None
    ilvl: int | None
    bold: bool | None
    hidden: bool | None
    size: int | None


class Styles:
    """The style sheet of a document; an unknown style is as good as none."""

    def __init__(self, root: Element | None) -> None:
        self._own: dict[str, _Own] = {}
        self._resolved: dict[str, Style] = {}
        self._default = ""
        self.default_size: int | None = None
        if root is None:
            return
        defaults = root.find(f"{W}docDefaults/{W}rPrDefault/{RPR}")
        self.default_size = integer(val(defaults, W + "sz"))
        for element in root.iterfind(W + "style"):
            style_id = element.get(W + "styleId", "")
            self._own[style_id] = _own(element)
            is_default = element.get(W + "default", "0").lower() in {"1", "true", "on"}
            if is_default and element.get(W + "type") == "paragraph":
                self._default = style_id

    def get(self, style_id: str | None) -> Style:
        """Return a style, or the default paragraph style for None and unknown ids."""
        key = self._default if style_id is None else style_id
        found = self._resolved.get(key)
        if found is None:
            found = self._resolve(key) if key in self._own else self._unknown(key)
            self._resolved[key] = found
        return found

    def _unknown(self, style_id: str) -> Style:
        """Return what a style id without a style means: the default, but generators count on "Heading1"."""
        named = _HEADING_NAME.fullmatch(_plain(style_id))
        default = self._resolve(self._default)
        return default if named is None else replace(default, outline=int(named.group(1)) - 1)

    def character(self, style_id: str | None) -> Style | None:
        """Return a character style, None for None and unknown ids."""
        return self.get(style_id) if style_id is not None and style_id in self._own else None

    def _resolve(self, style_id: str) -> Style:
        chain: list[str] = []
        current: str | None = style_id
        while current is not None and current in self._own and current not in chain:
            chain.append(current)
            current = self._own[current].based_on
        owns = [self._own[name] for name in chain]

        def first(field: str) -> object:
            return next((v for own in owns if (v := getattr(own, field)) is not None), None)

        outline, num_id, ilvl, size = first("outline"), first("num_id"), first("ilvl"), first("size")
        return Style(
            chain=tuple(chain),
            role=_role(owns),
            outline=outline if isinstance(outline, int) else None,
            num_id=num_id if isinstance(num_id, int) else None,
            ilvl=ilvl if isinstance(ilvl, int) else None,
            bold=bool(first("bold")),
            hidden=bool(first("hidden")),
            size=size if isinstance(size, int) else None,
        )


def _role(chain: list[_Own]) -> StyleRole:
    """Return the nearest role in the chain; a style that sets its own outline level over a title is a heading."""
    for own in chain:
        if own.role is not StyleRole.NONE:
            return own.role
        if own.outline is not None and own.outline < BODY_LEVEL:
            return StyleRole.NONE
    return StyleRole.NONE


def _own(element: Element) -> _Own:
    name = _plain(val(element, W + "name") or "")
    paragraph, run = element.find(PPR), element.find(RPR)
    numbering = None if paragraph is None else paragraph.find(W + "numPr")
    outline = integer(val(paragraph, W + "outlineLvl"))
    named = _HEADING_NAME.fullmatch(name)
    if outline is None and named is not None:
        outline = int(named.group(1)) - 1
    role = _ROLES.get(name, StyleRole.NONE)
    if _TOC_NAME.fullmatch(name):
        role = StyleRole.CONTENTS
    based_on = element.find(W + "basedOn")
    return _Own(
        based_on=None if based_on is None else based_on.get(VAL),
        role=role,
        outline=outline,
        num_id=integer(val(numbering, W + "numId")),
        ilvl=integer(val(numbering, W + "ilvl")),
        bold=toggle(run, W + "b"),
        hidden=toggle(run, W + "vanish"),
        size=integer(val(run, W + "sz")),
    )


def _plain(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().lower()
