"""Makes small Word files from XML, so that each test shows exactly what it is about."""

import io
import zipfile
from collections.abc import Callable, Mapping

import pytest
from kisoku.adapters.chunking.word.reader import read_document
from kisoku.domain.blocks import ExtractedDocument
from kisoku.domain.chunks import ChunkingOptions
from kisoku.ports.chunker import SourceDocument

_NS = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "v": "urn:schemas-microsoft-com:vml",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
        "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    }.items()
)
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE_REL = "http://schemas.openxmlformats.org/package/2006/relationships"
_ROOTS = {
    "styles": "styles",
    "numbering": "numbering",
    "footnotes": "footnotes",
    "endnotes": "endnotes",
    "comments": "comments",
    "header": "hdr",
    "footer": "ftr",
}


def build(body: str, parts: Mapping[str, str] | None = None, *, name: str = "規則.docx") -> SourceDocument:
    """Return a Word file with that body and parts by relationship kind; `diagramData` parts are given whole."""
    relations, entries = [], {}
    for number, (kind, content) in enumerate((parts or {}).items(), start=1):
        root = _ROOTS.get(kind)
        entries[f"word/{kind}.xml"] = content if root is None else f"<w:{root} {_NS}>{content}</w:{root}>"
        relations.append(f'<Relationship Id="rId{number}" Type="{_REL}/{kind}" Target="{kind}.xml"/>')
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE_REL}"><Relationship Id="rId1" Type="{_REL}/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
        )
        archive.writestr("word/document.xml", f"<w:document {_NS}><w:body>{body}</w:body></w:document>")
        archive.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{_PACKAGE_REL}">{"".join(relations)}</Relationships>',
        )
        for entry, content in entries.items():
            archive.writestr(entry, content)
    return SourceDocument(name, buffer.getvalue())


@pytest.fixture
def build_word() -> Callable[..., SourceDocument]:
    return build


@pytest.fixture
def read_word() -> Callable[..., ExtractedDocument]:
    def read(
        body: str, parts: Mapping[str, str] | None = None, options: ChunkingOptions | None = None
    ) -> ExtractedDocument:
        return read_document(build(body, parts), options or ChunkingOptions())

    return read
