"""Evidence: what a lookup hands to an agent (requirements, evidence-lookup §5)."""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from .chunks import Category, ChunkKind
from .conflicts import ConflictGroup
from .notices import Notice
from .query import TransformedQuery
from .search import AttemptName, FallbackReason, SearchAttempt, StageTrace

EvidenceStatus = Literal["evidence", "no_evidence", "already_given"]
RelevanceLevel = Literal["high", "medium", "low", "none"]
CompletenessHint = Literal["complete", "partial", "already_given", "none"]
BoostKind = Literal["domain", "keyword", "entity"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Scale(_Frozen):
    """What a model's cosines mean: `low` is what unrelated texts reach, `high` what a clear answer reaches."""

    low: Annotated[float, Field(ge=-1, le=1)]
    high: Annotated[float, Field(ge=-1, le=1)]


DEFAULT_SCALE: Final = Scale(low=0.2, high=0.8)
MODEL_SCALES: Final[dict[str, Scale]] = {
    "use-multilingual-v3": Scale(low=0.15, high=0.55),
    "multilingual-e5-small-q4": Scale(low=0.76, high=0.92),
    "BAAI/bge-m3": Scale(low=0.35, high=0.75),
}
"""From best cosines of answerable and of nonsense queries over rule documents; docs/decisions.md has the figures."""


def scale_of(model: str) -> Scale:
    """Return the scale of a model; one for models in general when it was never measured."""
    return MODEL_SCALES.get(model, DEFAULT_SCALE)


def similarity(cosine: float, scale: Scale) -> float:
    """Return a cosine on a model's scale: 0 for unrelated, 1 for a clear answer, comparable between models."""
    if scale.high <= scale.low:
        return float(cosine >= scale.high)
    return round(min(1.0, max(0.0, (cosine - scale.low) / (scale.high - scale.low))), 4)


class Boost(_Frozen):
    """What lifted a block: a domain, keywords or names of the query that its text holds, and by how much."""

    kind: BoostKind
    matched: tuple[str, ...]
    value: float


class EvidenceSource(_Frozen):
    """Where a text stands; the same text may stand in several documents."""

    chunk_id: str
    document: str
    source_uri: str


class EvidenceBlock(_Frozen):
    """A passage that an agent may rest on.

    Attributes:
        rank: From 1, best first.
        text: The passage; "…" marks where a long one was cut.
        headings: Path of headings, outermost first.
        sources: Where it stands, the best source first; never empty.
        category: Category of its document.
        kind: What the text is.
        domain: Domain of the dictionary that it belongs to, else its category.
        score: By which it is ordered, 0 to 1 within one lookup, boosts included.
        similarity: Best cosine on the model's scale, 0 to 1, comparable between lookups; None without one.
        boosts: What lifted it.
        content_hash: Of the whole chunk.
        start: Offset of the passage in the chunk.
        end: Offset behind it.
    """

    rank: int
    text: str
    headings: tuple[str, ...]
    sources: tuple[EvidenceSource, ...]
    category: Category
    kind: ChunkKind
    domain: str
    score: float
    similarity: float | None
    boosts: tuple[Boost, ...] = ()
    content_hash: str
    start: int
    end: int


class ContextPack(_Frozen):
    """Evidence as prompt text, fenced as quotations.

    Attributes:
        text: The text, "" without evidence.
        characters: Its length.
        budget: Most characters allowed.
        chunk_ids: Chunks in it, best first.
        left_out: Blocks that did not fit; they are not given and may come with a later lookup.
    """

    text: str = ""
    characters: int = 0
    budget: int
    chunk_ids: tuple[str, ...] = ()
    left_out: int = 0


class RetrievalTrace(_Frozen):
    """How evidence was looked for.

    Attributes:
        selected_attempt: The pass that counts, None when nothing was searched.
        fallback_reason: Why there was a second pass.
        attempts: Every pass.
        query_transform: What was understood of the query, None when it was searched as it is.
        gate: The gate that refused, "" for none.
        stages: What each stage did.
    """

    selected_attempt: AttemptName | None = None
    fallback_reason: FallbackReason | None = None
    attempts: tuple[SearchAttempt, ...] = ()
    query_transform: TransformedQuery | None = None
    gate: str = ""
    stages: tuple[StageTrace, ...] = ()


class RankedEvidence(_Frozen):
    """How one chunk came to its place: rank of the engine, score without boosts, boosts, score and rank after them.

    `dropped` says why it is no evidence: `duplicate` (same text as a better one), `unrelated`, "" when it is.
    """

    chunk_id: str
    engine_rank: int
    base: float
    boosts: tuple[Boost, ...] = ()
    score: float
    rank: int
    dropped: Literal["", "duplicate", "unrelated"] = ""


class RerankTrace(_Frozen):
    """How evidence was ordered.

    Attributes:
        model: What reranked in the engine, "" when nothing did.
        skipped: Why nothing did.
        degraded: What went wrong.
        candidates: How many it looked at.
        ranking: Rules on top: one entry per chunk, in final order.
    """

    model: str = ""
    skipped: str = ""
    degraded: str = ""
    candidates: int = 0
    ranking: tuple[RankedEvidence, ...] = ()


class LookupResult(_Frozen):
    """The answer to a lookup (requirements, evidence-lookup §5).

    Attributes:
        found: There is evidence to rest on.
        evidence_status: evidence, no_evidence, or already_given: what there is was given earlier in this session.
        evidence_blocks: The evidence, best first; empty unless `found`.
        context_pack: The same as prompt text.
        retrieval_trace: How it was looked for.
        rerank_trace: How it was ordered.
        relevance_level: How close the best evidence is, also when it was given already.
        completeness_hint: complete; partial: more was found than fits; already_given: some or all of it was given
            earlier in this session; none: there is nothing.
        retrieved_domains_this_session: Domains that evidence was given from, in order.
        message: One sentence for the agent, in the language of messages.
        conflicts: Rules among the results that cannot all be obeyed.
        notices: What the caller must know.
        version: Version that answered.
        trace_id: Identity of the trace.
    """

    found: bool
    evidence_status: EvidenceStatus
    evidence_blocks: tuple[EvidenceBlock, ...] = ()
    context_pack: ContextPack
    retrieval_trace: RetrievalTrace = RetrievalTrace()
    rerank_trace: RerankTrace = RerankTrace()
    relevance_level: RelevanceLevel = "none"
    completeness_hint: CompletenessHint = "none"
    retrieved_domains_this_session: tuple[str, ...] = ()
    message: str
    conflicts: tuple[ConflictGroup, ...] = ()
    notices: tuple[Notice, ...] = ()
    version: str
    trace_id: str = ""
