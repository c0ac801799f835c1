"""Strict Office files (ISO/IEC 29500 strict) made transitional, which is what the parsing libraries know.

The two differ in their namespaces (and in rarely used values that the libraries pass through). Without this,
openpyxl finds no sheet in a strict workbook and says nothing.
"""

import io
import re
import zipfile

_STRICT = b"http://purl.oclc.org/ooxml/"
_TRANSITIONAL = b"http://schemas.openxmlformats.org/"
_RENAMED = {
    b"extendedProperties": b"extended-properties",
    b"customProperties": b"custom-properties",
}
_NAME = re.compile(rb"http://purl\.oclc\.org/ooxml/([A-Za-z]+)/([A-Za-z]+)(/[A-Za-z]+)?")


def is_strict(archive: zipfile.ZipFile) -> bool:
    """Return whether the package's own relationships are strict."""
    return any(_STRICT in archive.read(name) for name in archive.namelist() if name.lower() == "_rels/.rels")


def to_transitional(archive: zipfile.ZipFile) -> bytes:
    """Return the package with transitional namespaces and relationship types in all XML parts.

    Args:
        archive: A package whose parts were found to unpack within the limits.
    """
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as copy:
        for entry in archive.infolist():
            if entry.is_dir():
                continue
            data = archive.read(entry)
            if entry.filename.lower().endswith((".xml", ".rels", ".vml")):
                data = _NAME.sub(_rename, data).replace(b' conformance="strict"', b"")
            # A fixed time stamp: the same document must give the same bytes.
            copy.writestr(zipfile.ZipInfo(entry.filename), data, zipfile.ZIP_DEFLATED, compresslevel=1)
    return target.getvalue()


def _rename(match: re.Match[bytes]) -> bytes:
    """`ooxml/spreadsheetml/main` -> `spreadsheetml/2006/main`, kinds of relationships likewise."""
    family, name, kind = match[1], match[2], match[3]
    name = _RENAMED.get(name, name)
    if kind is not None:
        kind = b"/" + _RENAMED.get(kind[1:], kind[1:])
    return _TRANSITIONAL + family + b"/2006/" + name + (kind or b"")
