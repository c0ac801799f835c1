"""Scores the lists of a search against labels."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from ...domain.chunks import RuleChunk
from ...domain.ranking_metrics import dcg, ndcg, recall, reciprocal_rank
from ...domain.search import SearchResult
from ..retrieval.engine import RetrievalEngine
from ..retrieval.state import RetrievalState
from ..retrieval.version import OpenVersion
from .calibration import request_of
from .labels import Gold, LabelledQuery
from .report import FINAL, Measure, QueryRecord

K = 10
Lists = Mapping[str, Sequence[RuleChunk]]
"""What each stage returned, best first."""


def retrieval_records(
    version: OpenVersion,
    engine: RetrievalEngine,
    found: Sequence[tuple[LabelledQuery, SearchResult]],
    tell: Callable[[int], None] = lambda _: None,
) -> Iterator[QueryRecord]:
    """Yield the record of each search; labelled ones run through the engine again for the lists of their stages.

    Args:
        version: That was searched.
        engine: Its pipeline.
        found: Queries with what the service returned.
        tell: Called with the number done.
    """
    for done, (query, result) in enumerate(found, start=1):
        scores: dict[str, dict[Measure, float]] = {}
        if query.gold:
            lists = dict(stage_lists(version, engine.run(version, request_of(query))))
            lists[FINAL] = result.withheld if result.refused else result.chunks
            gold = Gold.of(query.gold)
            scores = {stage: passage_scores(gold, chunks) for stage, chunks in lists.items()}
        stages: dict[str, float] = defaultdict(float)
        for trace in result.trace:
            stages[trace.stage] += trace.milliseconds
        yield QueryRecord(
            id=query.id,
            query=query.query,
            answerable=None if query.gold is None else bool(query.gold),
            refused=result.refused,
            gate=result.gate,
            scores=scores,
            groups={"style": query.style, "agent": query.agent, "lang": query.lang},
            milliseconds=result.milliseconds,
            stages=stages,
            cache_hit=result.metrics.cache_hit,
        )
        tell(done)


def stage_lists(version: OpenVersion, state: RetrievalState) -> Lists:
    """Return the first ten of every channel and of the fusion."""
    lists = {name: [version.chunk(entry.id) for entry in entries[:K]] for name, entries in state.channels.items()}
    return lists | {"fusion": [version.chunk(entry.id) for entry in state.fused[:K]]}


def passage_scores(gold: Gold, chunks: Sequence[RuleChunk]) -> dict[Measure, float]:
    """Return the measures of a list whose right chunks are known by passages.

    A hit is a chunk that holds any passage. For nDCG each passage is one relevant item, found where the first chunk
    holds it.
    """
    ranks = [_rank(Gold((passage,)), chunks) for passage in gold.passages]
    known = sorted(rank for rank in ranks if rank is not None)
    first = known[0] if known else None
    gains = [float(known.count(rank)) for rank in range(1, K + 1)]
    return {
        "hit@1": float(first == 1),
        "hit@5": float(first is not None and first <= 5),  # noqa: PLR2004  # the measure's name
        "hit@10": float(first is not None),
        "mrr": 1 / first if first else 0.0,
        "ndcg@10": min(1.0, dcg(gains) / dcg([1.0] * min(K, len(ranks)))),
        "recall@10": len(known) / len(ranks),
    }


def judged_scores(ranked: Sequence[str], judgements: Mapping[str, float]) -> dict[Measure, float]:
    """Return the measures of a list of ids with graded judgements."""
    reciprocal = reciprocal_rank(ranked, judgements, K)
    return {
        "hit@1": float(reciprocal == 1),
        "hit@5": float(reciprocal_rank(ranked, judgements, 5) > 0),
        "hit@10": float(reciprocal > 0),
        "mrr": reciprocal,
        "ndcg@10": ndcg(ranked, judgements, K),
        "recall@10": recall(ranked, judgements, K),
    }


def _rank(gold: Gold, chunks: Sequence[RuleChunk]) -> int | None:
    for rank, chunk in enumerate(chunks[:K], start=1):
        if gold.holds(chunk.doc_id, chunk.headings, chunk.content):
            return rank
    return None
