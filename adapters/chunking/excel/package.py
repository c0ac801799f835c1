"""The parts of an .xlsx package: safe XML, relationships, workbook, shared strings.

The sheet XML is read directly rather than through openpyxl: openpyxl drops shapes, mixes phonetic readings into
Japanese strings, walks the whole used range, and refuses real files over an invalid filter or style.
Elements are told apart by local name, so that transitional and strict namespaces read the same.
"""

import io
import posixpath
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lxml import etree

Element: TypeAlias = etree._Element  # noqa: SLF001  # the only name of lxml's element type

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
# HTML line breaks, which VML holds unclosed.
_OPEN_BREAK = re.compile(rb"<br\s*>", re.IGNORECASE)
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError)


class PackageError(Exception):
    """The package or one of its parts is damaged; the text says which."""


@dataclass(frozen=True, slots=True)
class Relationship:
    """One entry of a .rels part: the last word of its type ("worksheet") and the part it points to."""

    kind: str
    target: str


@dataclass(frozen=True, slots=True)
class SheetRef:
    """A worksheet as the workbook lists it: name, part, and whether it is hidden."""

    name: str
    part: str
    hidden: bool


def local(element: Element) -> str:
    """Return the element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def children(element: Element, *names: str) -> Iterator[Element]:
    """Yield the child elements with one of the local names, in order."""
    for child in element:
        if local(child) in names:
            yield child


def child(element: Element | None, name: str) -> Element | None:
    """Return the first child of that local name."""
    return None if element is None else next(children(element, name), None)


def flag(value: str | None, *, default: bool = False) -> bool:
    """Read an xsd:boolean attribute."""
    return default if value is None else value in ("1", "true", "on")


def relation_id(element: Element, name: str = "id") -> str:
    """Return an attribute of the relationships namespace (r:id, r:dm), "" when missing."""
    for key, value in element.attrib.items():
        namespace, _, attribute = str(key).rpartition("}")
        if attribute == name and "relationships" in namespace:
            return str(value)
    return ""


def unescape(text: str) -> str:
    """Undo `_x000D_` escapes and unify line breaks."""
    if "_x" in text:
        text = _ESCAPED.sub(_unescaped, text)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unescaped(match: re.Match[str]) -> str:
    char = chr(int(match[1], 16))
    # Halves of surrogate pairs and control characters are no text that could be stored.
    return char if char in "\t\n\r" or unicodedata.category(char) not in ("Cc", "Cs") else ""


def rich_text(element: Element) -> str:
    """Return the text of a shared or inline string: plain or in runs, without phonetic readings (rPh)."""
    parts: list[str] = []
    for part in element:
        name = local(part)
        if name == "t":
            parts.append(part.text or "")
        elif name == "r":
            parts.extend(text.text or "" for text in children(part, "t"))
    return unescape("".join(parts))


class Package:
    """An opened package; reads parts on demand and keeps none of them.

    Args:
        data: The file's bytes.

    Raises:
        PackageError: It is no readable ZIP archive.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _UNREADABLE as error:
            raise PackageError("it is no readable ZIP archive") from error
        # Part names are compared without case (ECMA-376 part 2), and some writers use backslashes.
        self._names = {info.filename.replace("\\", "/").lstrip("/").lower(): info for info in self._zip.infolist()}

    def __contains__(self, part: str) -> bool:
        return part.lower() in self._names

    def read(self, part: str) -> bytes:
        """Return a part's bytes.

        Raises:
            PackageError: The part is missing or damaged.
        """
        info = self._names.get(part.lower())
        if info is None:
            raise PackageError(f"its part {part} is missing")
        try:
            return self._zip.read(info)
        except _UNREADABLE as error:
            raise PackageError(f"its part {part} is damaged") from error

    def tree(self, part: str, *, lenient: bool = False) -> Element:
        """Return a part's root element; no entity is expanded and no DTD accepted.

        Args:
            part: Name of the part.
            lenient: Repair what is not well-formed (VML is often not).

        Raises:
            PackageError: The part is missing or not XML.
        """
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, recover=lenient
        )
        data = self.read(part)
        if lenient:
            data = _OPEN_BREAK.sub(b"<br/>", data)
        try:
            root = etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise PackageError(f"its part {part} is no well-formed XML") from error
        # A recovering parser may come back with nothing.
        if root is None:
            raise PackageError(f"its part {part} is empty")
        _refuse_dtd(root, part)
        return root

    def stream(self, part: str, *names: str) -> Iterator[Element]:
        """Yield elements of the local names as they end, freeing each one afterwards.

        Raises:
            PackageError: The part is missing or not XML.
        """
        source = io.BytesIO(self.read(part))
        try:
            context = etree.iterparse(
                source,
                events=("end",),
                tag=[f"{{*}}{name}" for name in names],
                resolve_entities=False,
                no_network=True,
                load_dtd=False,
                remove_comments=True,
            )
            checked = False
            for _, element in context:
                if not checked:
                    _refuse_dtd(element, part)
                    checked = True
                yield element
                element.clear()
                parent = element.getparent()
                if parent is not None:
                    while element.getprevious() is not None:
                        del parent[0]
        except (etree.XMLSyntaxError, ValueError) as error:
            raise PackageError(f"its part {part} is no well-formed XML") from error

    def relationships(self, part: str) -> dict[str, Relationship]:
        """Return the internal relationships of a part ("" for the package's own), by id."""
        folder, name = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", f"{name}.rels")
        if rels not in self:
            return {}
        found: dict[str, Relationship] = {}
        for entry in self.tree(rels):
            target = (entry.get("Target") or "").replace("\\", "/")
            if local(entry) != "Relationship" or entry.get("TargetMode") == "External" or not target:
                continue
            kind = (entry.get("Type") or "").rpartition("/")[2]
            joined = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[entry.get("Id") or ""] = Relationship(kind, joined)
        return found

    def related(self, part: str, kind: str) -> list[str]:
        """Return the existing parts that `part` points to with a relationship of that kind."""
        return [
            rel.target
            for rel in self.relationships(part).values()
            if rel.kind.lower() == kind.lower() and rel.target in self
        ]


def _refuse_dtd(element: Element, part: str) -> None:
    # OOXML forbids document type declarations; one that is there only serves to expand entities.
    if element.getroottree().docinfo.doctype:  # type: ignore[attr-defined]  # missing in the stubs
        raise PackageError(f"its part {part} declares a document type, which Office files never do")


@dataclass(frozen=True, slots=True)
class Workbook:
    """What the workbook part says.

    Attributes:
        sheets: Worksheets in tab order.
        date1904: Dates count from 1904 (files from old Macs).
        styles_part: Part with the cell formats, "" when there is none.
        strings: Shared strings.
    """

    sheets: tuple[SheetRef, ...]
    date1904: bool
    styles_part: str
    strings: tuple[str, ...]


def read_workbook(package: Package) -> Workbook:
    """Read the workbook part and the shared strings.

    Raises:
        PackageError: There is no workbook part, or it is damaged.
    """
    mains = package.related("", "officeDocument") or [name for name in ("xl/workbook.xml",) if name in package]
    if not mains:
        raise PackageError("it holds no workbook")
    part = mains[0]
    root = package.tree(part)
    relations = package.relationships(part)
    properties = child(root, "workbookPr")
    sheets: list[SheetRef] = []
    listed = child(root, "sheets")
    for entry in () if listed is None else children(listed, "sheet"):
        relation = relations.get(relation_id(entry))
        # Chart sheets and macro sheets hold no cells.
        if relation is not None and relation.kind == "worksheet" and relation.target in package:
            hidden = entry.get("state", "visible") != "visible"
            sheets.append(SheetRef(unescape(entry.get("name") or ""), relation.target, hidden))
    return Workbook(
        sheets=tuple(sheets),
        date1904=properties is not None and flag(properties.get("date1904")),
        styles_part=next(iter(package.related(part, "styles")), ""),
        strings=_shared_strings(package, part),
    )


def _shared_strings(package: Package, part: str) -> tuple[str, ...]:
    found = package.related(part, "sharedStrings")
    return tuple(rich_text(item) for item in package.stream(found[0], "si")) if found else ()
