"""Weighs documents by the domains that the query belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ....domain.fusion import Ranked
from ....domain.search import ScoredChunk
from ....domain.terms import TermFinder
from ..state import RetrievalState, StageResult
from ..version import OpenVersion


@dataclass(frozen=True, slots=True)
class TopicStage:
    """Lifts or lowers what belongs to a domain of the query, by the domain's weight.

    Attributes:
        domains: What finds each domain's terms in a document's name and headings.
    """

    domains: Mapping[str, TermFinder]
    name: str = "topics"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Weigh."""
        del version
        count = len(state.chunks)
        weights = {} if state.understood is None else state.understood.topic_weights
        weights = {name: weight for name, weight in weights.items() if weight != 1 and name in self.domains}
        if not weights or count < 2:  # noqa: PLR2004  # one has no order
            return StageResult(state, count, count, {"skipped": "no weights"})
        scores = [chunk.fused for chunk in state.chunks]
        low, spread = min(scores), max(scores) - min(scores)
        moved: dict[str, Any] = {}
        weighted: list[ScoredChunk] = []
        for chunk in state.chunks:
            factor = self._factor(chunk, weights)
            # Standardised scores may be negative, so the place between worst and best is weighed, not the score.
            score = chunk.fused if factor == 1 else low + (chunk.fused - low + spread * 0.1) * factor - spread * 0.1
            if factor != 1:
                moved[chunk.chunk_id] = {"factor": factor, "before": chunk.fused, "after": score}
            weighted.append(chunk.model_copy(update={"fused": score, "score": score}))
        ordered = sorted(weighted, key=lambda chunk: (-chunk.fused, chunk.rank))
        chunks = tuple(chunk.model_copy(update={"rank": rank}) for rank, chunk in enumerate(ordered, start=1))
        fused = tuple(Ranked(chunk.chunk_id, chunk.fused) for chunk in chunks)
        state = replace(state, chunks=chunks, fused=(*fused, *state.fused[count:]))
        return StageResult(state, count, count, {"weights": dict(weights), "moved": moved})

    def _factor(self, chunk: ScoredChunk, weights: Mapping[str, float]) -> float:
        """Return the greatest weight among the domains of a chunk, the smallest when all lower it, 1 for none."""
        text = "\n".join((chunk.doc_id, *chunk.headings))
        own = [weight for name, weight in weights.items() if self.domains[name].find(text)]
        return max(own, default=1.0)
