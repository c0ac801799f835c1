"""Port: from one document to chunks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..domain.chunks import ChunkedDocument, ChunkingOptions, DocType

TokenCounter = Callable[[str], int]
"""Number of tokens that the version's embedding model makes of a text."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document as handed in: a name (data, never a path) and its bytes."""

    name: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The extension in lower case, dot included; "" when the name has none."""
        dot = self.name.rfind(".")
        return self.name[dot:].lower() if dot > 0 else ""


@runtime_checkable
class Chunker(Protocol):
    """Turns documents of some formats into chunks.

    Contract (kept by `kisoku.testing.ChunkerContract`):

    - `chunk` is a pure function of its arguments: same bytes and options, same chunks. It opens no file, no
      connection, and runs nothing that the document contains.
    - Chunks come in document order. No content is empty, none is over `options.max_tokens` by `count_tokens`
      unless a single indivisible piece (one word, one 「」 quotation) is.
    - Every character of the document's text is in some chunk or in an omission with its reason.
    - A document that cannot be read raises a `DocumentError` of the fitting category and nothing else.
    - Instances hold no open resources and can be used from several processes at once.
    """

    @property
    def name(self) -> str:
        """Short stable name, recorded in the manifest ("word")."""
        ...

    @property
    def doc_type(self) -> DocType:
        """What `RuleChunk.doc_type` shall say."""
        ...

    @property
    def suffixes(self) -> frozenset[str]:
        """Extensions it reads, lower case with dot (".docx")."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the same bytes may give other chunks; a change rebuilds its documents."""
        ...

    def chunk(self, document: SourceDocument, options: ChunkingOptions, count_tokens: TokenCounter) -> ChunkedDocument:
        """Cut one document.

        Raises:
            DocumentError: The document cannot be read; the subclass says why.
        """
        ...
