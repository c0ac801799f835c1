"""The chunker for Word documents."""

from ....domain.chunks import ChunkedDocument, ChunkingOptions, DocType
from ....ports.chunker import SourceDocument, TokenCounter
from ..cutting.cutter import cut
from .reader import read_document


class WordChunker:
    """Reads .docx, .docm, .dotx and .dotm (`kisoku.ports.chunker.Chunker`)."""

    name: str = "word"
    doc_type: DocType = "word"
    suffixes: frozenset[str] = frozenset({".docx", ".docm", ".dotx", ".dotm", ".doc", ".dot"})
    version: str = "1"

    def chunk(self, document: SourceDocument, options: ChunkingOptions, count_tokens: TokenCounter) -> ChunkedDocument:
        """Cut one document.

        Raises:
            DocumentError: The document cannot be read; the subclass says why.
        """
        return cut(read_document(document, options), options, count_tokens)
