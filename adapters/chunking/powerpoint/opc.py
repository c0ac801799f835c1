"""The package of a deck: parts on demand, relationships, XML without entities.

A deck is mostly pictures and often carries dangling relationships, templates' content types or strict
namespaces. Only the parts that hold text are read here, one by one, and a relationship that leads nowhere is
no reason to refuse the rest.
"""

import io
import posixpath
import zipfile
import zlib
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import unquote

from lxml import etree

from ....domain.errors import (
    CorruptDocumentError,
    DocumentError,
    DocumentTooLargeError,
    EncryptedDocumentError,
    UnsupportedDocumentError,
)

MAX_PART_BYTES: Final = 64 * 1024 * 1024
"""Inflated size over which a single XML part is refused."""

NS: Final = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "p14": "http://schemas.microsoft.com/office/powerpoint/2010/main",
    "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "adec": "http://schemas.microsoft.com/office/drawing/2017/decorative",
}
_PACKAGE_RELS: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
# ISO/IEC 29500 strict names of the same vocabularies.
_STRICT: Final = (
    (b"http://purl.oclc.org/ooxml/drawingml/main", NS["a"].encode()),
    (b"http://purl.oclc.org/ooxml/presentationml/main", NS["p"].encode()),
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships", NS["r"].encode()),
    (b"http://purl.oclc.org/ooxml/drawingml/chart", NS["c"].encode()),
    (b"http://purl.oclc.org/ooxml/drawingml/diagram", NS["dgm"].encode()),
)
_OLE2: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_READ_ERRORS: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)


@cache
def q(name: str) -> str:
    """Return the Clark name of a prefixed one: `a:t` -> `{http://…/drawingml/2006/main}t`."""
    prefix, local = name.split(":")
    return f"{{{NS[prefix]}}}{local}"


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship inside the package.

    Attributes:
        kind: Last segment of the relationship type ("slideLayout"), equal for strict and transitional files.
        target: Name of the part it leads to, without a leading slash.
    """

    kind: str
    target: str


class Package:
    """Read access to the parts of one deck.

    Raises:
        EncryptedDocumentError: The deck is protected by a password.
        UnsupportedDocumentError: It is a legacy .ppt.
        CorruptDocumentError: The bytes are no readable package.
    """

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        if data.startswith(_OLE2):
            raise _ole2_error(name, data)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _READ_ERRORS as error:
            raise self._corrupt() from error
        self._entries = {info.filename.lstrip("/").lower(): info for info in self._zip.infolist()}
        self._relationships: dict[str, dict[str, Relationship]] = {}

    def has(self, part: str) -> bool:
        """Return whether the package has this part."""
        return part.lower() in self._entries

    def xml(self, part: str) -> etree._Element | None:
        """Return the root of an XML part, None when the package has no such part.

        Raises:
            CorruptDocumentError: The part cannot be inflated or is no XML.
            DocumentTooLargeError: The part inflates to more than `MAX_PART_BYTES`.
        """
        info = self._entries.get(part.lower())
        if info is None:
            return None
        try:
            with self._zip.open(info) as stream:
                data = stream.read(MAX_PART_BYTES + 1)
        except _READ_ERRORS as error:
            raise self._corrupt(part) from error
        if len(data) > MAX_PART_BYTES:
            raise DocumentTooLargeError(
                self.name,
                f"Part {part} inflates to more than {MAX_PART_BYTES // (1024 * 1024)} MB.",
                hint="Split the deck or check where it comes from.",
            )
        if b"purl.oclc.org/ooxml" in data:
            for strict, transitional in _STRICT:
                data = data.replace(strict, transitional)
        parser = etree.XMLParser(
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            remove_comments=True,
            remove_pis=True,
            huge_tree=False,
        )
        try:
            root = etree.fromstring(data, parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise self._corrupt(part) from error
        if (
            root.getroottree().docinfo.internalDTD is not None
        ):  # no Office file declares one; entities would be an attack
            raise self._corrupt(part)
        return root

    def relationships(self, part: str) -> dict[str, Relationship]:
        """Return the internal relationships of a part by id; external ones are left out."""
        known = self._relationships.get(part)
        if known is not None:
            return known
        folder, base = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{base}.rels"))
        found: dict[str, Relationship] = {}
        if root is not None:
            for element in root.iter(_PACKAGE_RELS):
                if element.get("TargetMode") == "External":
                    continue
                target = unquote(element.get("Target", ""))
                path = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
                kind = element.get("Type", "").rsplit("/", 1)[-1]
                found[element.get("Id", "")] = Relationship(kind, posixpath.normpath(path))
        self._relationships[part] = found
        return found

    def related(self, part: str, kind: str) -> list[str]:
        """Return the existing parts that `part` points at by relationships of one kind, in file order."""
        return [
            each.target for each in self.relationships(part).values() if each.kind == kind and self.has(each.target)
        ]

    def _corrupt(self, part: str = "") -> CorruptDocumentError:
        where = f" (part {part})" if part else ""
        return CorruptDocumentError(
            self.name,
            f"The presentation is damaged or not a PowerPoint file{where}.",
            hint="Open it in PowerPoint, repair and save it again.",
        )


def _ole2_error(name: str, data: bytes) -> DocumentError:
    if "EncryptedPackage".encode("utf-16-le") in data:
        return EncryptedDocumentError(
            name, "The presentation is protected by a password.", hint="Remove the password and save it again."
        )
    return UnsupportedDocumentError(
        name, "The presentation has the old binary format.", hint="Save it as .pptx in PowerPoint."
    )
