"""Searching: request, result, trace."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from .chunks import Category, RuleChunk
from .conflicts import ConflictGroup
from .notices import Notice
from .query import TransformedQuery

if TYPE_CHECKING:
    from .metrics import RetrievalMetrics

Agent = Literal["writer", "impact", "qa"]
AGENTS: tuple[Agent, ...] = ("writer", "impact", "qa")
AGENT_CATEGORIES: dict[Agent, tuple[Category, ...]] = {
    "writer": ("write",),
    "impact": ("design",),
    "qa": ("write", "design"),
}
"""Which categories an agent's search reads (requirements, rag-layer §6.1)."""


class SearchContext(BaseModel):
    """What the caller is doing; widens recall without drowning the query (requirements, rag-layer §6.4).

    Attributes:
        chapter: Title of the chapter being written or checked.
        elements: Ids of elements it is about ("F001", "TB001").
        intent: What is being generated, in a few words.
        element_type: Impact: kind of the element ("画面").
        element: Impact: description of the element.
        direction: Impact: the relation looked for ("参照先").
        paragraph: QA: the paragraph to check.
        redesign: Impact: an existing design is changed, so reference documents are read too.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    chapter: str = ""
    elements: tuple[str, ...] = ()
    intent: str = ""
    element_type: str = ""
    element: str = ""
    direction: str = ""
    paragraph: str = ""
    redesign: bool = False

    def text(self) -> str:
        """Return the added text as one string, "" when there is none."""
        parts = (
            self.chapter,
            " ".join(self.elements),
            self.intent,
            self.element_type,
            self.element,
            self.direction,
            self.paragraph,
        )
        return "\n".join(p for p in parts if p)


class SearchArguments(BaseModel):
    """A search as a caller asks for it: the arguments of `RagService.search`, for `search_many`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: str
    agent: str
    session_id: str | None = None
    category: str | None = None
    top_k: int | None = None
    context: SearchContext = SearchContext()
    version: str | None = None
    partitions: tuple[str, ...] = ()
    record: bool = True
    detect_conflicts: bool = True


class SearchRequest(BaseModel):
    """A search as the engine gets it, validated.

    Attributes:
        query: What is searched.
        agent: Who asks.
        categories: Where.
        top_k: How many chunks.
        context: What the caller is doing.
        session_id: The session, None outside one.
        partitions: Parts of the handbook, none for all of it.
        category_named: The caller named the category, so that nothing else narrows it.
        plain: The query is searched as it is, without being understood.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    query: Annotated[str, Field(min_length=1)]
    agent: Agent
    categories: tuple[Category, ...]
    top_k: Annotated[int, Field(ge=1, le=100)]
    context: SearchContext = SearchContext()
    session_id: str | None = None
    partitions: tuple[str, ...] = ()
    category_named: bool = False
    plain: bool = False


AttemptName = Literal["FILTERED_VECTOR", "UNFILTERED_VECTOR", "UNFILTERED_VECTOR_RETRY"]
"""Names of the requirements (evidence-lookup §4); every channel takes part in each."""
FallbackReason = Literal["filtered_vector_no_evidence", "filtered_vector_low_quality"]


class SearchAttempt(BaseModel):
    """One pass through the pipeline.

    Attributes:
        name: FILTERED_VECTOR when the query narrowed the categories; the retry is without the filter.
        query: What was searched.
        categories: Where.
        found: Chunks found, 0 when a gate refused.
        similarity: Best cosine on the model's scale, 0 to 1; None when there is none.
        refused: A gate refused.
        gate: Which gate, "" for none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: AttemptName
    query: str
    categories: tuple[Category, ...]
    found: int
    similarity: float | None = None
    refused: bool = False
    gate: str = ""


class ScoredChunk(RuleChunk):
    """A chunk with what each stage said of it.

    Attributes:
        rank: Final rank, from 1.
        score: The score it was ordered by: rerank score when it was reranked, else the fusion score.
        lexical: BM25 score, None when the keyword channel did not return it.
        vector: Cosine similarity, None when the vector channel did not return it.
        ngram: BM25 score over character bigrams, None when that channel did not return it.
        fused: Fusion score.
        rerank: Rerank score, None when it was not reranked.
        matched: Ids of the children that were found, when a parent is shown for them.
    """

    rank: int
    score: float
    lexical: float | None = None
    vector: float | None = None
    ngram: float | None = None
    fused: float
    rerank: float | None = None
    matched: tuple[str, ...] = ()


class StageTrace(BaseModel):
    """What one stage did.

    Attributes:
        stage: Name of the stage ("fusion").
        milliseconds: How long it took.
        incoming: Entries it got.
        outgoing: Entries it passed on.
        details: What it decided, JSON-ready.
        started: When it began, Unix time in seconds; 0 when nobody noted it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    stage: str
    milliseconds: float
    incoming: int
    outgoing: int
    details: Mapping[str, Any] = Field(default_factory=dict)
    started: float = 0.0


class SearchResult(BaseModel):
    """The answer to a search.

    Attributes:
        chunks: Best first, at most `top_k`.
        conflicts: Rules among them that cannot all be obeyed.
        notices: What the caller must know: degradations, missing handbook. Never silent.
        version: Version that answered, `v0` for the built-in minimum rules.
        query: The query as given.
        agent: Who asked.
        categories: What was searched.
        refused: A gate found nothing good enough; `chunks` is then empty.
        withheld: What a refused search would have returned, for measurements only: it is no evidence, and is left out
            when the result is written out.
        gate: Which gate refused, "" for none.
        no_rule_constraints: No handbook constrains this answer.
        trace_id: Identity of the trace.
        trace: What each stage did, in order.
        query_transform: What was understood of the query, None when it was searched as it is.
        attempts: Passes through the pipeline, the last one counts.
        fallback_reason: Why there is a second one, None when there is not.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    chunks: tuple[ScoredChunk, ...]
    conflicts: tuple[ConflictGroup, ...] = ()
    notices: tuple[Notice, ...] = ()
    version: str
    query: str
    agent: Agent
    categories: tuple[Category, ...]
    refused: bool = False
    withheld: tuple[ScoredChunk, ...] = Field(default=(), exclude=True, repr=False)
    gate: str = ""
    no_rule_constraints: bool = False
    trace_id: str = ""
    trace: tuple[StageTrace, ...] = ()
    query_transform: TransformedQuery | None = None
    attempts: tuple[SearchAttempt, ...] = ()
    fallback_reason: FallbackReason | None = None

    @property
    def metrics(self) -> "RetrievalMetrics":
        """What the search did, in numbers."""
        from .metrics import metrics_of  # noqa: PLC0415  # metrics are made of results

        return metrics_of(self)

    @property
    def milliseconds(self) -> float:
        """Time of all stages together."""
        return sum(s.milliseconds for s in self.trace)

    @property
    def embedding_tokens(self) -> int | None:
        """Tokens that the embedding model was given for the query, 0 when a cache had it; None when nobody counted."""
        counted = [stage.details["tokens"] for stage in self.trace if "tokens" in stage.details]
        return sum(counted) if counted else None
