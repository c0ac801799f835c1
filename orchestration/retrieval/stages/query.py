"""Embeds what is asked."""

import threading
from dataclasses import dataclass, replace
from typing import Any

from ....config.settings import RetrievalSettings
from ....domain.notices import Language, notice
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
        try:
            embedder = version.embedder()
            state = replace(state, query_vector=embedder.embed_query(request.query))
            if context:
                state = replace(state, context_vector=embedder.embed_query(context))
        except Exception as error:  # noqa: BLE001  # a model's fault of any kind leaves the keyword channels
            warning = notice("embedding_unavailable", self.language, str(error))
            return StageResult(state.with_notice(warning), 1, 1, details | {"vector": f"unavailable: {error}"})
        return StageResult(state, 1, 1, details | {"vector": version.manifest.embedding.model})
