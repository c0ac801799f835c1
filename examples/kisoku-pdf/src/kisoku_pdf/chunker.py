"""The chunker: opens a PDF, has it read, has kisoku cut it."""

import re

import pypdfium2
from kisoku.plugins.toolkit import (
    ChunkedDocument,
    ChunkingOptions,
    CorruptDocumentError,
    EncryptedDocumentError,
    ExtractedDocument,
    SourceDocument,
    TokenCounter,
    UnsupportedDocumentError,
    cut,
)
from pypdfium2.raw import FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY

from .layout import read_blocks
from .lines import read_pages

_MAGIC_WITHIN = 1024
"""Readers accept bytes before the header, but not more (ISO 32000-1, annex H, note 13)."""


class PdfChunker:
    """Reads the text of PDF files; pages without text (scans) need OCR before."""

    name = "pdf"
    doc_type = "pdf"
    suffixes = frozenset({".pdf"})
    # Raise it when the same bytes may give other chunks: documents are then cut again at the next build.
    version = "1"

    def chunk(self, document: SourceDocument, options: ChunkingOptions, count_tokens: TokenCounter) -> ChunkedDocument:
        """Cut one document.

        Raises:
            EncryptedDocumentError: It does not open without a password.
            CorruptDocumentError: It is damaged or no PDF file.
            UnsupportedDocumentError: It has no text at all, only pictures.
        """
        return cut(self._read(document), options, count_tokens)

    def _read(self, document: SourceDocument) -> ExtractedDocument:
        name = document.name
        if b"%PDF-" not in document.data[:_MAGIC_WITHIN]:
            raise CorruptDocumentError(name, f"{name} is no PDF file.", hint="Check its extension, or copy it again.")
        try:
            pdf = pypdfium2.PdfDocument(document.data)
        except pypdfium2.PdfiumError as error:
            if error.err_code in {FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY}:
                raise EncryptedDocumentError(
                    name, f"{name} is protected by a password.", hint="Save it without a password."
                ) from error
            raise _damaged(name) from error
        try:
            pages = read_pages(pdf)
            title = _one_line(pdf.get_metadata_dict().get("Title", ""))
        except pypdfium2.PdfiumError as error:
            raise _damaged(name) from error
        finally:
            pdf.close()
        if not any(pages):
            raise UnsupportedDocumentError(
                name, f"{name} has no text, only pictures.", hint="Run text recognition (OCR) on it first."
            )
        blocks, omissions = read_blocks(pages)
        return ExtractedDocument(blocks, omissions, title)


def _damaged(name: str) -> CorruptDocumentError:
    return CorruptDocumentError(name, f"{name} is truncated or damaged.", hint="Copy it again from where it came from.")


def _one_line(text: str) -> str:
    return re.sub(r"[\x00-\x20\x7f\ud800-\udfff]+", " ", text).strip()
