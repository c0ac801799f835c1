"""From an extracted document to chunks, by the strategy that the options name."""

from ....domain.blocks import ExtractedDocument
from ....domain.chunks import ChunkDraft, ChunkedDocument, ChunkingOptions
from ....ports.chunker import TokenCounter
from .by_heading import heading_units, slide_units
from .drafts import draft
from .flow import Flow
from .measure import Measure


def cut(
    document: ExtractedDocument,
    options: ChunkingOptions,
    count_tokens: TokenCounter,
    *,
    slides: bool = False,
) -> ChunkedDocument:
    """Cut a document into chunks.

    Args:
        document: What a reader made of the file.
        options: Strategy and limits.
        count_tokens: The tokenizer of the version's embedding model.
        slides: True for a presentation: a chunk is one slide or two short ones.

    Returns:
        Drafts in document order, the document's omissions and title. No draft is over `options.max_tokens`
        unless it is indivisible or a parent. Offsets count characters of the extracted text: the texts of all
        blocks but containers, joined by line breaks.
    """
    flow = Flow(document)
    measure = Measure(flow, options, count_tokens)
    units = slide_units(flow, measure) if slides else heading_units(flow, measure)
    drafts: list[ChunkDraft] = [draft(flow, u.spans, u.path, u.kind, u.tokens) for u in units]
    return ChunkedDocument(tuple(drafts), document.omissions, document.title)
