"""What a search did, in numbers: one flat record for both pipelines (requirements, two-stage-cascade, RAGMetrics)."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, computed_field

from .search import SearchResult, StageTrace


class RetrievalMetrics(BaseModel):
    """Made of the trace, so that it can say nothing that did not happen. JSON carries old and new names.

    Counts of a pipeline that does not have a step are 0: `hybrid` makes no windows.

    Attributes:
        question: The query as given.
        rewritten_query: The query that was searched; the same when nothing rewrote it.
        partitions_detected: Partitions that were searched, given or found in the query.
        docs_matched: Documents in the scope of the search.
        parent_count: Parents in the scope.
        child_count: Chunks in the scope that are searched.
        bm25_recall: What the keyword step returned.
        vector_recall: What the vector step returned.
        vector_top_score: Best cosine.
        window_count: Windows after removing duplicates.
        rerank_candidates: What the reranker looked at.
        rerank_top_score: Its best score.
        rerank_lowest_score: The lowest score that was kept.
        reranker_used: Its name, "" when none was asked.
        evidence_count: Chunks in the result.
        score_gate_passed: No gate refused.
        answer_refused: A gate refused.
        gate_failed_at: The step whose gate refused, "" for none.
        error: The gate's code, "" for none.
        cache_hit: Every keyword index of the scope was in memory already.
        noise_removed: Always 0: no step of its own removes noise; the name is kept for reports that have it.
        milliseconds: Time by step.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: str = ""
    rewritten_query: str = ""
    partitions_detected: tuple[str, ...] = ()
    docs_matched: int = 0
    parent_count: int = 0
    child_count: int = 0
    bm25_recall: int = 0
    vector_recall: int = 0
    vector_top_score: float = 0.0
    window_count: int = 0
    rerank_candidates: int = 0
    rerank_top_score: float = 0.0
    rerank_lowest_score: float = 0.0
    reranker_used: str = ""
    evidence_count: int = 0
    score_gate_passed: bool = False
    answer_refused: bool = False
    gate_failed_at: str = ""
    error: str = ""
    cache_hit: bool = False
    noise_removed: int = 0
    milliseconds: Mapping[str, float] = Field(default_factory=dict)

    @computed_field  # type: ignore[prop-decorator]  # as pydantic documents it
    @property
    def cities_detected(self) -> tuple[str, ...]:
        """Old name of `partitions_detected`."""
        return self.partitions_detected

    @computed_field  # type: ignore[prop-decorator]  # as above
    @property
    def bm25_candidates(self) -> int:
        """Old name of `bm25_recall`."""
        return self.bm25_recall

    @computed_field  # type: ignore[prop-decorator]  # as above
    @property
    def vector_candidates(self) -> int:
        """Old name of `vector_recall`."""
        return self.vector_recall


def metrics_of(result: SearchResult) -> RetrievalMetrics:
    """Return the metrics of a search."""
    stages = {stage.stage: stage for stage in result.trace}
    scope = _details(stages, "scope")
    channels = _details(stages, "recall") or _details(stages, "channels")
    vector = _details(stages, "vector")
    rerank = _details(stages, "rerank")
    scores = [c.rerank for c in result.chunks if c.rerank is not None]
    cosines = [c.vector for c in result.chunks if c.vector is not None]
    return RetrievalMetrics(
        question=result.query,
        rewritten_query=result.query_transform.rewritten if result.query_transform else result.query,
        partitions_detected=tuple(scope.get("partitions") or ()),
        docs_matched=int(scope.get("documents", 0)),
        parent_count=int(scope.get("parents", 0)),
        child_count=int(scope.get("children", 0)),
        bm25_recall=_count(channels.get("keyword")),
        vector_recall=stages["vector"].outgoing if "vector" in stages else _count(channels.get("vector")),
        vector_top_score=float(vector.get("best", max(cosines, default=0.0))),
        window_count=stages["windows"].outgoing if "windows" in stages else 0,
        rerank_candidates=_count(rerank.get("candidates")),
        rerank_top_score=float(rerank.get("best", max(scores, default=0.0))),
        rerank_lowest_score=float(rerank.get("lowest", min(scores, default=0.0))),
        reranker_used=str(rerank.get("model", "")),
        evidence_count=len(result.chunks),
        score_gate_passed=not result.refused,
        answer_refused=result.refused,
        gate_failed_at=_refused_at(result),
        error=result.gate,
        cache_hit=bool(scope.get("cache_hit", False)),
        milliseconds={stage.stage: round(stage.milliseconds, 3) for stage in result.trace},
    )


def _details(stages: Mapping[str, StageTrace], name: str) -> Mapping[str, Any]:
    return stages[name].details if name in stages else {}


def _count(value: object) -> int:
    """Return a count of the trace; where a channel is missing there stands why."""
    return value if isinstance(value, int) else 0


def _refused_at(result: SearchResult) -> str:
    """Return the last stage that ran before the search ended by refusal."""
    if not result.refused:
        return ""
    return next((s.stage for s in reversed(result.trace) if s.stage != "conflicts"), "")
