"""Keeps the first results."""

from dataclasses import dataclass, replace

from ..state import RetrievalState, StageResult
from ..version import OpenVersion


@dataclass(frozen=True, slots=True)
class CutStage:
    """Keeps the first `top_k`."""

    name: str = "cut"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Cut."""
        del version
        kept = state.chunks[: state.request.top_k]
        return StageResult(replace(state, chunks=kept), len(state.chunks), len(kept))
