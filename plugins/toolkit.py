"""What a chunker of a third party may use: `from kisoku.plugins.toolkit import hookimpl, cut, Heading, …`.

These names, the ports, `kisoku.domain` and `kisoku.testing` are public; modules under `kisoku.adapters` may move.
Reading a format ends with blocks; `cut` makes chunks of them by every strategy and within every limit that the options
name, so that a plugin contains nothing but its format. Import it where a chunker is made, not where the hook stands:
there `from kisoku import hookimpl` is enough and costs nothing.
"""

from ..adapters.chunking.cutting.coverage import Coverage, coverage
from ..adapters.chunking.cutting.cutter import cut
from ..domain.blocks import Anchor, Block, ExtractedDocument, Heading, Omission, Paragraph, Table
from ..domain.chunks import ChunkDraft, ChunkedDocument, ChunkingOptions, Locator
from ..domain.errors import (
    CorruptDocumentError,
    DocumentError,
    DocumentTooLargeError,
    EncryptedDocumentError,
    UnsupportedDocumentError,
)
from ..ports.chunker import Chunker, SourceDocument, TokenCounter
from .markers import hookimpl

__all__ = [
    "Anchor",
    "Block",
    "ChunkDraft",
    "ChunkedDocument",
    "Chunker",
    "ChunkingOptions",
    "CorruptDocumentError",
    "Coverage",
    "DocumentError",
    "DocumentTooLargeError",
    "EncryptedDocumentError",
    "ExtractedDocument",
    "Heading",
    "Locator",
    "Omission",
    "Paragraph",
    "SourceDocument",
    "Table",
    "TokenCounter",
    "UnsupportedDocumentError",
    "coverage",
    "cut",
    "hookimpl",
]
