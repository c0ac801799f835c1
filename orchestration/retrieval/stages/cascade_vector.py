"""Second step of the cascade: the children of the pool nearest in meaning (requirements, two-stage-cascade)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....config.settings import CascadeSettings
from ....domain.fusion import Ranked
from ....domain.names import collection_name, split_chunk_id
from ....domain.notices import Language, notice
from ....ports.vectors import Vector
from ..state import RetrievalState, StageResult
from ..version import OpenVersion
from .cascade_thresholds import least_cosine
from .gate import Gate


@dataclass(frozen=True, slots=True)
class CascadeVectorStage:
    """Compares the query with the stored vectors of the pool; gate `vector_low_score`.

    Only the query is embedded. Without the model the pool keeps its order, with a notice and without a gate.
    """

    settings: CascadeSettings
    language: Language
    name: str = "vector"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Order by cosine and cut."""
        pool = [entry.id for entry in state.fused]
        if not pool:
            return StageResult(state, 0, 0)
        try:
            query = state.query_vector
            if query is None:
                query = version.embedder().embed_query(state.request.query)
            cosines = _cosines(version, pool, query)
        except Exception as error:  # noqa: BLE001  # a model's fault of any kind leaves the order by words
            state = state.with_notice(notice("embedding_unavailable", self.language, str(error)))
            kept = state.fused[: self.settings.vector_top_k]
            details: Mapping[str, Any] = {"vector": f"unavailable: {error}"}
            return StageResult(replace(state, fused=kept), len(pool), len(kept), details)
        order = sorted(pool, key=lambda identifier: (-cosines[identifier], identifier))
        ranked = tuple(Ranked(i, cosines[i]) for i in order[: self.settings.vector_top_k])
        state = replace(state, query_vector=query, channels={**state.channels, "vector": ranked}, fused=ranked)
        details = {"model": version.manifest.embedding.model, "best": ranked[0].score}
        least = self.settings.vector_least
        if least is None:
            least = least_cosine(version.manifest.embedding.model)
        if least is None:
            details = {**details, "gate": "off: no threshold for this model"}
        else:
            gate = Gate("vector_low_score", least)
            state, details = (
                gate.check(state, ranked[0].score, self.language),
                {**details, **gate.details(ranked[0].score)},
            )
        return StageResult(state, len(pool), len(ranked), details)


def _cosines(version: OpenVersion, pool: Sequence[str], query: Vector) -> dict[str, float]:
    """Return the cosine of each chunk with the query, from the vectors in the store."""
    by_collection: dict[str, list[str]] = {}
    for identifier in pool:
        category, name, _ = split_chunk_id(identifier)
        by_collection.setdefault(collection_name(category, name), []).append(identifier)
    length = float(np.linalg.norm(query)) or 1.0
    cosines: dict[str, float] = {}
    for collection, identifiers in by_collection.items():
        rows = version.vectors().vectors(collection, identifiers)
        lengths = np.maximum(np.linalg.norm(rows, axis=1), 1e-12)
        values = rows @ query / (lengths * length)
        if not np.isfinite(values).all():
            msg = f"{collection} holds vectors that are no numbers"
            raise ValueError(msg)
        cosines.update(zip(identifiers, map(float, values), strict=True))
    return cosines
