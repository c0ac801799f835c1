"""Loads the texts of the first candidates."""

from dataclasses import dataclass, replace

from ....domain.search import ScoredChunk
from ..state import RetrievalState, StageResult
from ..version import OpenVersion


@dataclass(frozen=True, slots=True)
class CandidateStage:
    """Loads the texts of the first candidates."""

    candidates: int
    name: str = "candidates"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Load."""
        scores = {channel: {e.id: e.score for e in entries} for channel, entries in state.channels.items()}
        wanted = state.fused[: max(self.candidates, state.request.top_k)]
        chunks = tuple(
            ScoredChunk(
                **dict(version.chunk(entry.id)),
                rank=rank,
                score=entry.score,
                lexical=scores.get("keyword", {}).get(entry.id),
                vector=scores.get("vector", {}).get(entry.id),
                ngram=scores.get("ngram", {}).get(entry.id),
                fused=entry.score,
            )
            for rank, entry in enumerate(wanted, start=1)
        )
        return StageResult(replace(state, chunks=chunks), len(state.fused), len(chunks))
