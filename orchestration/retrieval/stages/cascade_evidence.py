"""Last step of the cascade: the parents of the winners (requirements, two-stage-cascade)."""

from dataclasses import dataclass, replace

from ....domain.search import ScoredChunk
from ..state import RetrievalState, StageResult, Window
from ..version import OpenVersion


@dataclass(frozen=True, slots=True)
class CascadeEvidenceStage:
    """Returns each winner's parent once, best score first; a chunk without a parent is its own."""

    name: str = "evidence"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Pack."""
        families: dict[str, list[Window]] = {}
        for window in state.windows:
            families.setdefault(window.parent_id, []).append(window)
        chunks = tuple(
            ScoredChunk(
                **dict(version.chunk(parent)),
                rank=rank,
                score=windows[0].score,
                lexical=windows[0].lexical,
                vector=windows[0].vector,
                fused=windows[0].vector if windows[0].vector is not None else windows[0].score,
                rerank=windows[0].rerank,
                matched=tuple(w.chunk_id for w in windows if w.chunk_id != parent),
            )
            for rank, (parent, windows) in enumerate(families.items(), start=1)
        )
        return StageResult(replace(state, chunks=chunks), len(state.windows), len(chunks))
