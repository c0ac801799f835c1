"""Embeds what is asked."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ....config.settings import RetrievalSettings
from ....domain.notices import Language, notice
from ..cached_embedder import MODEL, CachedEmbedder, EmbeddedQueries
from ..state import RetrievalState, StageResult
from ..version import OpenVersion


@dataclass(frozen=True, slots=True)
class QueryStage:
    """Embeds query and context. A model that is gone leaves the keyword channels, with a notice."""

    settings: RetrievalSettings
    language: Language
    name: str = "query"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Embed what is asked."""
        request = state.request
        context = request.context.text() if self.settings.context_weight > 0 else ""
        details: dict[str, Any] = {"query": request.query, "context": context, "categories": request.categories}
        if not self.settings.vector.enabled:
            return StageResult(state, 1, 1, details | {"vector": "off"})
        if not version.is_warm:
            # The first search loads the model here; store and indexes load beside it.
            threading.Thread(target=version.warm_up, args=(request.categories,), daemon=True).start()
        details["vector"] = version.manifest.embedding.model
        if state.query_vector is not None:
            return StageResult(state, 1, 1, details | {"embedded": "with others beforehand"})
        texts = [request.query, context] if context else [request.query]
        try:
            embedded = embed_queries(version, texts)
            details["tokens"] = spent_tokens(version, texts, embedded)
        except Exception as error:  # noqa: BLE001  # a model's fault of any kind leaves the keyword channels
            warning = notice("embedding_unavailable", self.language, str(error))
            return StageResult(state.with_notice(warning), 1, 1, details | {"vector": f"unavailable: {error}"})
        state = replace(state, query_vector=embedded.matrix[0], context_vector=embedded.matrix[1] if context else None)
        return StageResult(state, 1, 1, details | cache_details(embedded))


def embed_queries(version: OpenVersion, texts: Sequence[str]) -> EmbeddedQueries:
    """Embed queries by the version's model, in one call.

    Raises:
        ModelError: The model cannot be used.
    """
    embedder = version.embedder()
    if isinstance(embedder, CachedEmbedder):
        return embedder.traced(texts, version.manifest.embedding.dimension)
    return EmbeddedQueries(embedder.embed_queries(texts), (MODEL,) * len(texts))


def spent_tokens(version: OpenVersion, texts: Sequence[str], embedded: EmbeddedQueries) -> int:
    """Return how many tokens the model was given: none for what a cache held."""
    embedder = version.embedder()
    asked = {text for text, source in zip(texts, embedded.sources, strict=True) if source == MODEL}
    return sum(embedder.count_tokens(text) for text in asked)


def cache_details(embedded: EmbeddedQueries) -> dict[str, Any]:
    """Return what the trace says of where vectors came from."""
    details: dict[str, Any] = {"embedded": dict(zip(("query", "context"), embedded.sources, strict=False))}
    return details | ({"cache_faults": dict(embedded.faults)} if embedded.faults else {})
