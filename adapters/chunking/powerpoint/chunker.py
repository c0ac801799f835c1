"""The chunker for PowerPoint decks."""

from ....domain.chunks import ChunkedDocument, ChunkingOptions
from ....ports.chunker import SourceDocument, TokenCounter
from ..cutting.cutter import cut
from .reader import read_powerpoint


class PowerPointChunker:
    """Cuts .pptx, .pptm, .potx and .ppsx decks into chunks of one slide, or two short ones."""

    name = "powerpoint"
    doc_type = "ppt"
    suffixes = frozenset({".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm", ".ppt", ".pps", ".pot"})
    version = "1"

    def chunk(self, document: SourceDocument, options: ChunkingOptions, count_tokens: TokenCounter) -> ChunkedDocument:
        """Cut one deck.

        Raises:
            DocumentError: The deck cannot be read; the subclass says why.
        """
        return cut(read_powerpoint(document, options), options, count_tokens, slides=True)
