"""PDF chunker for kisoku: the worked example of a third-party plugin.

kisoku imports this module at every start, so it imports nothing heavy itself.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from kisoku import hookimpl

if TYPE_CHECKING:
    from .chunker import PdfChunker


def _pdf() -> "PdfChunker":
    from .chunker import PdfChunker  # pypdfium2 is loaded when a chunker is wanted

    return PdfChunker()


@hookimpl
def kisoku_chunkers() -> Mapping[str, Callable[[], "PdfChunker"]]:
    """Offer the chunker under the name that manifests record."""
    return {"pdf": _pdf}
