"""Understands the query before anything is searched."""

from dataclasses import dataclass, replace
from typing import Any

from ....domain.errors import ModelError
from ....domain.notices import Language, notice
from ....domain.query import TransformedQuery
from ....ports.query_transformer import QueryTransformer
from ..state import RetrievalState, StageResult
from ..version import OpenVersion

EXPANSION = "expansion:"
"""Prefix of the channel that searches for what was added to the query rather than for the query itself."""


@dataclass(frozen=True, slots=True)
class UnderstandingStage:
    """Rewrites the query, notes hints, narrows the categories.

    A model that fails leaves the rules, with a notice. Hints widen, filter and weigh; they never become evidence.

    Attributes:
        transformer: The configured way of understanding.
        fallback: What goes on when it fails; needs no model.
        language: Of notices.
    """

    transformer: QueryTransformer
    fallback: QueryTransformer
    language: Language
    name: str = "understanding"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Understand."""
        del version
        request = state.request
        if request.plain or state.understood is not None:
            return StageResult(state, 1, 1, {"skipped": "the query is searched as it is"} if request.plain else {})
        details: dict[str, Any] = {"method": self.transformer.name}
        try:
            understood = self.transformer.transform(request.query)
        except ModelError as error:
            state = state.with_notice(notice("query_model_unavailable", self.language, str(error)))
            details = {"method": self.fallback.name, "degraded": str(error)}
            understood = self.fallback.transform(request.query)
        narrowed = understood.category if _narrows(understood, state) else None
        update: dict[str, object] = {"query": understood.rewritten}
        if narrowed is not None:
            update["categories"] = (narrowed,)
            details["filter"] = narrowed
        state = replace(
            state, understood=understood, filtered=narrowed is not None, request=request.model_copy(update=update)
        )
        shown = understood.model_dump(mode="json", exclude={"method"}, exclude_defaults=True)
        return StageResult(state, 1, 1 + len(understood.expansion), shown | details)


def _narrows(understood: TransformedQuery, state: RetrievalState) -> bool:
    """Return whether the category of a query may narrow its search.

    One that the caller named is his to choose, and what an agent may not read is not searched.
    """
    request = state.request
    return not request.category_named and len(request.categories) > 1 and understood.category in request.categories
