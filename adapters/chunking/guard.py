"""Look at a document's bytes before any parser does: refuse what is no document, what is hostile, what nobody reads.

Nothing here trusts what an archive says about itself: sizes are those that come out of the decompressor.
"""

import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ...domain.errors import (
    CorruptDocumentError,
    DocumentTooLargeError,
    EncryptedDocumentError,
    SkippedDocumentError,
    UnsupportedDocumentError,
)
from ...ports.chunker import SourceDocument
from .legacy import convert, converter
from .shared_strings import expanded_characters
from .strict import is_strict, to_transitional

_MEGABYTE = 1_000_000


class ParseLimits(BaseModel):
    """What one document may cost.

    Attributes:
        max_file_bytes: Size of the file as handed in, bytes.
        max_inflated_bytes: Size of all parts of an Office file after decompression, bytes.
        max_entries: Number of parts of an Office file.
        max_ratio: Times that one part of more than 16 MB may be larger than it is compressed.
        max_characters: Characters of text, shared strings of a workbook counted as often as cells show them.
        memory_bytes: Address space of the process that parses it, bytes; 0 for no limit.
        seconds: Time to parse it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    max_file_bytes: Annotated[int, Field(gt=0)] = 100 * _MEGABYTE
    max_inflated_bytes: Annotated[int, Field(gt=0)] = 500 * _MEGABYTE
    max_entries: Annotated[int, Field(gt=0)] = 10_000
    max_ratio: Annotated[int, Field(gt=0)] = 500
    max_characters: Annotated[int, Field(gt=0)] = 20 * _MEGABYTE
    memory_bytes: Annotated[int, Field(ge=0)] = 2_000 * _MEGABYTE
    seconds: Annotated[float, Field(gt=0)] = 120.0


@dataclass(frozen=True, slots=True)
class _Family:
    """One Office application: its name for people, current extensions, words in its main content types."""

    label: str
    suffixes: frozenset[str]
    content_type: re.Pattern[str]
    usual: str


_FAMILIES = (
    _Family(
        "Word document",
        frozenset({".docx", ".docm", ".dotx", ".dotm"}),
        re.compile(r"wordprocessingml\.(?:document|template)\.main|ms-word\.\w+\.macroEnabled\w*\.main"),
        ".docx",
    ),
    _Family(
        "Excel workbook",
        frozenset({".xlsx", ".xlsm", ".xltx", ".xltm"}),
        re.compile(r"spreadsheetml\.(?:sheet|template)\.main|ms-excel\.(?:sheet|template)\.macroEnabled\.main"),
        ".xlsx",
    ),
    _Family(
        "PowerPoint presentation",
        frozenset({".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"}),
        re.compile(r"presentationml\.(?:presentation|slideshow|template)\.main|ms-powerpoint\.\w+\.macroEnabled\.main"),
        ".pptx",
    ),
)
_OFFICE = frozenset[str]().union(*(family.suffixes for family in _FAMILIES))
_TEXT = frozenset({".md", ".markdown", ".txt"})
_BINARY_WORKBOOK = "ms-excel.sheet.binary"
_LEGACY = {
    ".doc": ".docx",
    ".dot": ".docx",
    ".xls": ".xlsx",
    ".xlt": ".xlsx",
    ".xlsb": ".xlsx",
    ".ppt": ".pptx",
    ".pps": ".pptx",
    ".pot": ".pptx",
}
_OLE2 = bytes.fromhex("d0cf11e0a1b11ae1")
_OLE2_ENTRY_BYTES = 128
_STREAMS = {"WordDocument": ".doc", "Workbook": ".xls", "Book": ".xls", "PowerPoint Document": ".ppt"}
_OTHER_FORMATS = (
    (b"%PDF", "a PDF file"),
    (b"{\\rtf", "an RTF file"),
    (b"<html", "a web page"),
    (b"<!DOCTYPE html", "a web page"),
)
_RATIO_FLOOR = 16 * _MEGABYTE
_STEP = 1 << 18
_PROLOG_BYTES = 1 << 16
_DTD = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_ROOT = re.compile(r"<(?:[^\W\d]|:)")


def inspect(document: SourceDocument, limits: ParseLimits) -> SourceDocument:
    """Return the document as a parser may have it, or raise why none should.

    Strict Office files (ISO 29500 strict) come back with transitional namespaces, which is what the parsing
    libraries know; legacy files come back converted where LibreOffice is installed. A file whose content is
    another Office format than its name says is refused: its name is its identity in a handbook, and a wrong one
    misleads everybody who looks it up.

    Raises:
        SkippedDocumentError: Lock file of an open editor, hidden file.
        DocumentTooLargeError: A limit is passed.
        EncryptedDocumentError: A password is needed.
        UnsupportedDocumentError: Legacy formats without LibreOffice, binary workbooks, OpenDocument.
        CorruptDocumentError: Truncated, damaged, with entities, not what its name says.
    """
    _refuse_non_documents(document.name)
    if len(document.data) > limits.max_file_bytes:
        raise _too_large(document, f"has {len(document.data):,} bytes, over {limits.max_file_bytes:,}.")
    if not document.data:
        raise CorruptDocumentError(document.name, f"{document.name} is empty.", hint="Save or copy it again.")
    if document.suffix in _TEXT:
        if len(document.data) > 4 * limits.max_characters:
            raise _too_large(document, f"has more than {limits.max_characters:,} characters.")
        return document
    if document.suffix in _OFFICE or document.suffix in _LEGACY:
        if document.data.startswith(_OLE2):
            return _from_legacy(document, limits)
        return _inspect_package(document, limits)
    return document


def _refuse_non_documents(name: str) -> None:
    parts = [part for part in re.split(r"[/\\]", name) if part not in {"", ".", ".."}]
    if parts and parts[-1].startswith("~$"):
        raise SkippedDocumentError(
            name, f"{name} is the lock file of an open document.", hint="Close the document in its editor."
        )
    if any(part.startswith(".") for part in parts):
        raise SkippedDocumentError(name, f"{name} is a hidden file.", hint="Rename it if it is a document.")


def _from_legacy(document: SourceDocument, limits: ParseLimits) -> SourceDocument:
    """Return an OLE2 file from before 2007 converted, or raise: no LibreOffice, encrypted, something else."""
    if _has_stream(document.data, "EncryptedPackage") or _has_stream(document.data, "\tDRMContent"):
        raise EncryptedDocumentError(
            document.name,
            f"{document.name} is protected by a password.",
            hint="Open it in its application and save it without a password.",
        )
    legacy = next((suffix for name, suffix in _STREAMS.items() if _has_stream(document.data, name)), None)
    if legacy is None:
        raise CorruptDocumentError(
            document.name,
            f"{document.name} is an OLE2 container without an Office document in it.",
            hint="Open it in its application and save it again.",
        )
    target = _LEGACY[legacy]
    program = converter()
    if program is None:
        raise UnsupportedDocumentError(
            document.name,
            f"{document.name} is in the legacy {legacy} format.",
            hint=f"Save it as {target}, or install LibreOffice, which converts it while it is read.",
        )
    converted = SourceDocument(f"{document.name}{target}", convert(document, program, legacy, target, limits.seconds))
    # The name stays: it is the document's identity.
    return SourceDocument(document.name, _inspect_package(converted, limits).data)


def _has_stream(data: bytes, name: str) -> bool:
    """Return whether the OLE2 directory names the stream.

    Directory entries are 128 bytes, aligned, and begin with the name in UTF-16 and a terminating zero
    ([MS-CFB] 2.6.1); they are found by alignment, so that a damaged sector table does not matter.
    """
    pattern = (name + "\0").encode("utf-16-le")
    at = data.find(pattern)
    while at >= 0:
        if at % _OLE2_ENTRY_BYTES == 0:
            return True
        at = data.find(pattern, at + 1)
    return False


def _inspect_package(document: SourceDocument, limits: ParseLimits) -> SourceDocument:
    try:
        archive = zipfile.ZipFile(io.BytesIO(document.data))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, UnicodeDecodeError) as error:
        raise _no_package(document) from error
    with archive:
        entries = archive.infolist()
        if len(entries) > limits.max_entries:
            raise _too_large(document, f"has {len(entries):,} parts, over {limits.max_entries:,}.")
        if any(entry.flag_bits & 1 for entry in entries):
            raise EncryptedDocumentError(
                document.name, f"{document.name} is an encrypted archive.", hint="Save it without a password."
            )
        _refuse_wrong_type(document, archive)
        parts = _Inflator(document, limits)
        for entry in entries:
            parts.check(archive, entry)
        result = document
        if is_strict(archive):
            data = to_transitional(archive)
            result = SourceDocument(document.name, data)
        _refuse_expansion(document, archive, limits)
    return result


def _refuse_wrong_type(document: SourceDocument, archive: zipfile.ZipFile) -> None:
    """Raise unless the package is what its name says."""
    names = {name.lower(): name for name in archive.namelist()}
    listed = names.get("[content_types].xml")
    if listed is None:
        if "mimetype" in names:
            raise UnsupportedDocumentError(
                document.name, f"{document.name} is an OpenDocument file.", hint="Save it in an Office format."
            )
        raise CorruptDocumentError(
            document.name, f"{document.name} is an archive, but no Office document.", hint="Check its extension."
        )
    try:
        with archive.open(listed) as stream:
            types = stream.read(4 * _MEGABYTE).decode("utf-8", "replace")
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, ValueError) as error:
        raise _damaged(document, listed) from error
    if _BINARY_WORKBOOK in types or document.suffix == ".xlsb":
        raise UnsupportedDocumentError(
            document.name,
            f"{document.name} is a binary workbook (.xlsb).",
            hint="Save it as .xlsx (Excel or LibreOffice: Save As).",
        )
    family = next((family for family in _FAMILIES if family.content_type.search(types)), None)
    if family is None:
        raise CorruptDocumentError(
            document.name,
            f"{document.name} has no main part that Word, Excel or PowerPoint would open.",
            hint="Open it in its application and save it again.",
        )
    if document.suffix not in family.suffixes:
        raise CorruptDocumentError(
            document.name,
            f"{document.name} is a {family.label} in spite of its name.",
            hint=f"Rename it to end in {family.usual}.",
        )


class _Inflator:
    """Decompresses every part piece by piece, keeps nothing, and raises at the first limit passed."""

    def __init__(self, document: SourceDocument, limits: ParseLimits) -> None:
        self._document = document
        self._limits = limits
        self._total = 0

    def check(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
        size = 0
        try:
            with archive.open(entry) as stream:
                head = stream.read(_PROLOG_BYTES)
                self._refuse_entities(entry.filename, head)
                piece = head
                while piece:
                    size += len(piece)
                    self._refuse_size(entry, size)
                    piece = stream.read(_STEP)
        except (zipfile.BadZipFile, zlib.error, OSError, EOFError, NotImplementedError, ValueError) as error:
            raise _damaged(self._document, entry.filename) from error
        if size != entry.file_size:
            raise _damaged(self._document, entry.filename)
        self._total += size

    def _refuse_size(self, entry: zipfile.ZipInfo, size: int) -> None:
        limits = self._limits
        if self._total + size > limits.max_inflated_bytes:
            raise _too_large(
                self._document, f"grows to more than {limits.max_inflated_bytes:,} bytes when it is unpacked."
            )
        if size > _RATIO_FLOOR and size > limits.max_ratio * max(entry.compress_size, 1):
            raise _too_large(
                self._document, f"has a part ({entry.filename}) that grows more than {limits.max_ratio} times."
            )

    def _refuse_entities(self, name: str, head: bytes) -> None:
        """Raise when an XML part begins with a document type: Office never writes one."""
        prolog = _xml_text(head)
        if prolog is None:
            return
        root = _ROOT.search(prolog)
        before_root = prolog[: root.start()] if root else prolog
        if _DTD.search(before_root) or (root is None and len(head) == _PROLOG_BYTES):
            raise CorruptDocumentError(
                self._document.name,
                f"{self._document.name} declares entities or a document type in {name}.",
                hint="No Office application writes this; open the file and save it again if you trust it.",
            )


def _xml_text(head: bytes) -> str | None:
    """Return the beginning of a part as text when it is XML in any encoding, else None."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = head.decode("utf-16", "replace")
    elif head[:4] in {b"<\0?\0", b"<\0!\0"}:
        text = head.decode("utf-16-le", "replace")
    elif head[:4] in {b"\0<\0?", b"\0<\0!"}:
        text = head.decode("utf-16-be", "replace")
    else:
        text = head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    return text if text.lstrip().startswith("<") else None


def _refuse_expansion(document: SourceDocument, archive: zipfile.ZipFile, limits: ParseLimits) -> None:
    """Raise when the cells of a workbook show more characters than the limit."""
    if document.suffix in {".xlsx", ".xlsm", ".xltx", ".xltm"} and (
        expanded_characters(archive, limits.max_characters) > limits.max_characters
    ):
        raise _too_large(document, f"shows more than {limits.max_characters:,} characters in its cells.")


def _no_package(document: SourceDocument) -> CorruptDocumentError:
    head = document.data[:64].lstrip(b"\xef\xbb\xbf \r\n\t")
    other = next((label for magic, label in _OTHER_FORMATS if head.lower().startswith(magic.lower())), None)
    if other:
        text, hint = f"{document.name} is {other} in spite of its name.", "Convert it or correct its extension."
    elif document.data.startswith(b"PK"):
        text, hint = f"{document.name} is truncated or damaged.", "Copy it again from where it came from."
    else:
        text, hint = f"{document.name} is no Office file.", "Check its extension, or copy it again."
    return CorruptDocumentError(document.name, text, hint=hint)


def _damaged(document: SourceDocument, part: str) -> CorruptDocumentError:
    return CorruptDocumentError(
        document.name,
        f"{document.name} is damaged: its part {part} cannot be unpacked.",
        hint="Open it in its application, let it repair the file, and save it again.",
    )


def _too_large(document: SourceDocument, why: str) -> DocumentTooLargeError:
    return DocumentTooLargeError(
        document.name, f"{document.name} {why}", hint="Split the document, or raise the limit in the settings."
    )
