"""What passes from stage to stage. Immutable: a stage returns a new state."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ...domain.fusion import Ranked
from ...domain.notices import Notice
from ...domain.query import TransformedQuery
from ...domain.search import FallbackReason, ScoredChunk, SearchAttempt, SearchRequest, StageTrace
from ...ports.vectors import Vector
from .scope import Scope

ChannelLists = Mapping[str, tuple[Ranked, ...]]
"""Ranked lists by channel name: vector, keyword, ngram, and each with `context:` before it."""


@dataclass(frozen=True, slots=True)
class Window:
    """A chunk that was found with its neighbours of the same parent.

    Attributes:
        chunk_id: The chunk that was found.
        parent_id: Its parent; its own id when it has none.
        text: Heading path, then the neighbours' texts in order, what they share once.
        text_hash: Identity of the text.
        parts: Content hashes of the children in it, in order.
        lexical: BM25 score of the chunk.
        vector: Its cosine similarity, None when it could not be measured.
        score: What the window was ordered by.
        rerank: Score of the reranker, None when there is none.
    """

    chunk_id: str
    parent_id: str
    text: str
    text_hash: str
    parts: tuple[str, ...]
    lexical: float | None
    vector: float | None
    score: float
    rerank: float | None = None


@dataclass(frozen=True, slots=True)
class RetrievalState:
    """A search on its way.

    Attributes:
        request: What is asked.
        scope: What is searched, None before that was decided.
        query_vector: Embedding of the query, None when the embedder is gone or not needed.
        context_vector: Embedding of the context, None when there is none.
        channels: What each channel returned.
        fused: Fused list, best first.
        windows: Windows around what was found, best first; the cascade's own.
        chunks: Candidates with their texts, best first.
        notices: What the caller must know.
        refused: A gate said no.
        gate: Which gate.
        trace: What each stage did.
        understood: What was understood of the query, None before that and when it is searched as it is.
        filtered: The query narrowed the categories.
        attempts: Passes through the pipeline.
        fallback_reason: Why there was a second one.
        steps: What each stage got and handed on, for those who watch.
    """

    request: SearchRequest
    scope: Scope | None = None
    query_vector: Vector | None = None
    context_vector: Vector | None = None
    channels: ChannelLists = field(default_factory=dict)
    fused: tuple[Ranked, ...] = ()
    windows: tuple[Window, ...] = ()
    chunks: tuple[ScoredChunk, ...] = ()
    notices: tuple[Notice, ...] = ()
    refused: bool = False
    gate: str = ""
    trace: tuple[StageTrace, ...] = ()
    understood: TransformedQuery | None = None
    filtered: bool = False
    attempts: tuple[SearchAttempt, ...] = ()
    fallback_reason: FallbackReason | None = None
    steps: tuple["Step", ...] = ()

    def with_notice(self, notice: Notice) -> "RetrievalState":
        """Return the state with one more notice; a code that is there already is not repeated."""
        if any(n.code == notice.code for n in self.notices):
            return self
        return replace(self, notices=(*self.notices, notice))


@dataclass(frozen=True, slots=True)
class Step:
    """A stage that ran: its trace, and the states around it. States are immutable, so this copies nothing."""

    trace: StageTrace
    before: RetrievalState
    after: RetrievalState


@dataclass(frozen=True, slots=True)
class StageResult:
    """What a stage hands on: the new state, how many entries came and went, and what it decided."""

    state: RetrievalState
    incoming: int
    outgoing: int
    details: Mapping[str, Any] = field(default_factory=dict)
