"""The Excel chunker: read the workbook, cut the blocks."""

from ....domain.chunks import ChunkedDocument, ChunkingOptions
from ....domain.errors import CorruptDocumentError
from ....ports.chunker import SourceDocument, TokenCounter
from ..cutting.cutter import cut
from .package import PackageError
from .reader import read_document


class ExcelChunker:
    """Reads .xlsx, .xlsm, .xltx and .xltm workbooks (see `kisoku.ports.chunker.Chunker` for the contract)."""

    name = "excel"
    doc_type = "excel"
    suffixes = frozenset({".xlsx", ".xlsm", ".xltx", ".xltm", ".xls", ".xlt"})
    version = "1"

    def chunk(self, document: SourceDocument, options: ChunkingOptions, count_tokens: TokenCounter) -> ChunkedDocument:
        """Cut one workbook.

        Raises:
            CorruptDocumentError: The package or a part that cannot be missed is damaged.
        """
        try:
            extracted = read_document(document.data, include_hidden=options.include_hidden)
        except PackageError as error:
            raise CorruptDocumentError(
                document.name,
                f"{document.name} cannot be read: {error}.",
                hint="Open it in Excel, let Excel repair it, and save it again.",
            ) from error
        return cut(extracted, options, count_tokens)
