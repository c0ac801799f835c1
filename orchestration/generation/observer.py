"""Who watches a document being generated."""

from ...domain.search import SearchResult
from ...ports.document_store import ChapterRecord, DocumentRecord


class GenerationObserver:
    """Is told what happens; override what is of interest. An observer that raises stops the run, which can be resumed.

    It belongs to whoever called, unlike plugins, which are isolated.
    """

    def began(self, document: DocumentRecord, chapters: tuple[ChapterRecord, ...], version: str) -> None:
        """Work on a document begins, or goes on."""

    def searched(self, chapter: ChapterRecord, result: SearchResult) -> None:
        """An agent's rules were looked up."""

    def changed(self, chapter: ChapterRecord) -> None:
        """A chapter was stored after a step."""
