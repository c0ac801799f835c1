"""Fusion: one list of what the channels returned."""

from dataclasses import dataclass, replace

from ....config.settings import RetrievalSettings
from ....domain.fusion import reciprocal_rank_fusion, weighted_fusion
from ..state import RetrievalState, StageResult
from ..version import OpenVersion
from .channels import CONTEXT
from .understanding import EXPANSION


@dataclass(frozen=True, slots=True)
class FusionStage:
    """Makes one list of what the channels returned."""

    settings: RetrievalSettings
    name: str = "fusion"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Fuse."""
        del version
        settings = self.settings
        own = {
            "vector": settings.vector.weight,
            "keyword": settings.keyword.weight,
            "ngram": settings.ngram.weight,
        }
        weights = own | {CONTEXT + channel: weight * settings.context_weight for channel, weight in own.items()}
        weights[EXPANSION + "keyword"] = settings.keyword.weight * settings.expansion_weight
        if settings.fusion.method == "rrf":
            fused = reciprocal_rank_fusion(state.channels, weights=weights, k=settings.fusion.k)
        else:
            fused = weighted_fusion(state.channels, weights=weights)
        incoming = sum(len(entries) for entries in state.channels.values())
        details = {"method": settings.fusion.method, "weights": {c: weights[c] for c in state.channels}}
        return StageResult(replace(state, fused=tuple(fused)), incoming, len(fused), details)
