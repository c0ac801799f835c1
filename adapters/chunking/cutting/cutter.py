"""From an extracted document to chunks, by the strategy that the options name."""

from ....domain.blocks import ExtractedDocument
from ....domain.chunks import ChunkDraft, ChunkedDocument, ChunkingOptions
from ....ports.chunker import TokenCounter
from .by_heading import heading_units, slide_units
from .by_window import WindowStrategies
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
    drafts = tuple(_drafts(flow, measure, slides=slides))
    return ChunkedDocument(drafts, document.omissions, document.title, extracted=document)


def _drafts(flow: Flow, measure: Measure, *, slides: bool) -> list[ChunkDraft]:
    strategy = measure.options.strategy
    by_window = WindowStrategies(flow, measure, slides=slides)
    if strategy == "sliding":
        return by_window.sliding()
    if strategy == "token":
        return by_window.token()
    if strategy == "parent_child":
        return by_window.parent_child()
    units = slide_units(flow, measure) if slides else heading_units(flow, measure)
    if strategy == "hybrid":
        return by_window.hybrid(units)
    return [draft(flow, unit.spans, unit.path, unit.kind, unit.tokens) for unit in units]
