"""The chunker for Markdown and plain text."""

from ....domain.chunks import ChunkedDocument, ChunkingOptions
from ....domain.errors import CorruptDocumentError
from ....ports.chunker import SourceDocument, TokenCounter
from ..cutting.cutter import cut
from .encoding import decode
from .plain import read_plain


class MarkdownChunker:
    """Cuts Markdown at its headings, and plain text (.txt) as Markdown without markup."""

    name = "markdown"
    doc_type = "markdown"
    suffixes = frozenset({".md", ".markdown", ".txt"})
    version = "1"

    def chunk(self, document: SourceDocument, options: ChunkingOptions, count_tokens: TokenCounter) -> ChunkedDocument:
        """Cut one document.

        Raises:
            CorruptDocumentError: The bytes are no text.
        """
        text = decode(document)
        if document.suffix == ".txt":
            return cut(read_plain(text), options, count_tokens)
        from .reader import read_markdown

        try:
            extracted = read_markdown(text)
        except RecursionError as error:
            raise CorruptDocumentError(
                document.name, f"{document.name} is nested too deeply.", hint="Flatten its lists or quotations."
            ) from error
        return cut(extracted, options, count_tokens)
