"""The package of a Word file: its parts as safely parsed XML, found by relationship.

Parts are read straight from the archive instead of through `docx.Document`: templates and macro documents open
alike (what the main part is says its relationship, not its content type), pictures are never inflated, and a
dangling relationship, which real files have, costs only the part that is missing.
"""

import io
import posixpath
import re
import zipfile
import zlib
from dataclasses import dataclass

from lxml import etree

from ....domain.errors import CorruptDocumentError, EncryptedDocumentError, UnsupportedDocumentError
from ....ports.chunker import SourceDocument
from .names import Element, W

_OLE2 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_PACKAGE_RELATIONSHIPS = "_rels/.rels"
_HINT = "Open it in Word, save it again as .docx and add it once more."


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship of a part: what kind it is, and the name of the part it leads to ("" when outside)."""

    kind: str
    target: str


class WordPackage:
    """Parts of one Word file.

    Attributes:
        main: Root of the main document part.
    """

    def __init__(self, document: SourceDocument) -> None:
        """Open the archive and parse the main part.

        Raises:
            EncryptedDocumentError: The file is protected by a password.
            UnsupportedDocumentError: The file is a legacy .doc, or no Word document.
            CorruptDocumentError: The archive or its main part is damaged, or declares entities.
        """
        self._document = document.name
        if document.data.startswith(_OLE2):
            raise _ole2_error(document)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(document.data))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            raise CorruptDocumentError(
                document.name, f"{document.name} is no readable Word file: {error}.", hint=_HINT
            ) from error
        self._names = {name.replace("\\", "/").lower(): name for name in self._archive.namelist()}
        root_relationships = self._relationships(_PACKAGE_RELATIONSHIPS, "")
        self._main_name = next(
            (r.target for r in root_relationships.values() if r.kind == "officeDocument" and r.target),
            "word/document.xml",
        )
        main = self.part(self._main_name)
        if main is None:
            raise CorruptDocumentError(document.name, f"{document.name} has no main document part.", hint=_HINT)
        if main.tag != W + "document":
            raise UnsupportedDocumentError(
                document.name,
                f"{document.name} is an Office file, but no Word document.",
                hint="Give it the extension of what it is.",
            )
        self.main = main
        folder, base = posixpath.split(self._main_name)
        self._related = self._relationships(f"{folder}/_rels/{base}.rels", folder)
        self._root_related = root_relationships

    def related(self, kind: str) -> Element | None:
        """Return the root of the main part's first related part of that kind ("styles"), None without one."""
        return next(iter(self.all_related(kind)), None)

    def all_related(self, kind: str) -> list[Element]:
        """Return the roots of all related parts of that kind ("header"), in the order of their relationships."""
        names = dict.fromkeys(r.target for r in self._related.values() if r.kind == kind and r.target)
        return [root for name in names if (root := self.part(name)) is not None]

    def by_id(self, relationship_id: str) -> Element | None:
        """Return the root of the part that a relationship id of the main part leads to."""
        relationship = self._related.get(relationship_id)
        return self.part(relationship.target) if relationship and relationship.target else None

    def title_property(self) -> str:
        """Return the title in the document properties, "" without one."""
        for relationship in self._root_related.values():
            if relationship.kind == "core-properties" and relationship.target:
                root = self.part(relationship.target)
                if root is not None:
                    return (root.findtext("{http://purl.org/dc/elements/1.1/}title") or "").strip()
        return ""

    def part(self, name: str) -> Element | None:
        """Return the root of a part, None when the package has no part of that name.

        Raises:
            CorruptDocumentError: The part is there, but cannot be read.
        """
        entry = self._names.get(name.lower())
        if entry is None:
            return None
        try:
            data = self._archive.read(entry)
            if b"purl.oclc.org/ooxml" in data:  # ISO 29500 strict: other namespaces, same elements
                data = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/", data)
            parser = etree.XMLParser(
                resolve_entities=False,
                no_network=True,
                load_dtd=False,
                remove_comments=True,
                remove_pis=True,
                huge_tree=False,
            )
            root = etree.fromstring(data, parser)
        except (
            zipfile.BadZipFile,
            zlib.error,
            etree.XMLSyntaxError,
            EOFError,
            OSError,
            RuntimeError,
            NotImplementedError,
            ValueError,
        ) as error:
            raise CorruptDocumentError(
                self._document, f"{self._document} is damaged in {entry}: {error}.", hint=_HINT
            ) from error
        if root.getroottree().docinfo.internalDTD is not None:
            raise CorruptDocumentError(
                self._document,
                f"{self._document} declares a document type in {entry}, which no Word file may.",
                hint="Ask where the file comes from; it may be an attack.",
            )
        return root

    def _relationships(self, name: str, folder: str) -> dict[str, Relationship]:
        root = self.part(name)
        found: dict[str, Relationship] = {}
        for element in () if root is None else root:
            target = element.get("Target", "").replace("\\", "/")
            if element.get("TargetMode") == "External":
                target = ""
            elif target.startswith("/"):
                target = target.lstrip("/")
            elif target:
                target = posixpath.normpath(posixpath.join(folder, target))
            kind = element.get("Type", "").rsplit("/", 1)[-1]
            found[element.get("Id", "")] = Relationship(kind, target)
        return found


def _ole2_error(document: SourceDocument) -> EncryptedDocumentError | UnsupportedDocumentError:
    """Tell a password-protected file from a legacy one: both are OLE2 containers."""
    if "EncryptedPackage".encode("utf-16-le") in document.data:
        return EncryptedDocumentError(
            document.name,
            f"{document.name} is protected by a password.",
            hint="Save it without a password and add it again.",
        )
    return UnsupportedDocumentError(
        document.name,
        f"{document.name} is in the old binary Word format.",
        hint="Save it as .docx and add it again.",
    )
