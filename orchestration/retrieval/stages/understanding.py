"""Understands the query before anything is searched."""

from dataclasses import dataclass, replace
from typing import Any

from ....domain.errors import KisokuError, TransientModelError
from ....domain.notices import Language, notice
from ....domain.query import TransformedQuery
from ....ports.query_transformer import QueryTransformer
from ..deadline import within
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
        deadline_ms: How long the configured way may take, when it is not the fallback.
    """

    transformer: QueryTransformer
    fallback: QueryTransformer
    language: Language
    deadline_ms: int = 5000
    name: str = "understanding"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Understand."""
        del version
        request = state.request
        if request.plain or state.understood is not None:
            return StageResult(state, 1, 1, {"skipped": "the query is searched as it is"} if request.plain else {})
        details: dict[str, Any] = {"method": self.transformer.name}
        try:
            understood = self._understood(request.query)
        except Exception as error:  # noqa: BLE001  # a model's or plugin's fault of any kind leaves the rules
            cause = str(error) if isinstance(error, KisokuError) else f"{type(error).__name__}: {error}"
            state = state.with_notice(notice("query_model_unavailable", self.language, cause))
            details = {"method": self.fallback.name, "degraded": cause}
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

    def _understood(self, query: str) -> TransformedQuery:
        if self.transformer is self.fallback:
            return self.transformer.transform(query)
        answer = within(self.deadline_ms, lambda: self.transformer.transform(query), "kisoku-understanding")
        if answer is None:
            raise TransientModelError(f"{self.transformer.name} did not answer within {self.deadline_ms} ms.")
        return answer


def _narrows(understood: TransformedQuery, state: RetrievalState) -> bool:
    """Return whether the category of a query may narrow its search.

    One that the caller named is his to choose, and what an agent may not read is not searched.
    """
    request = state.request
    return not request.category_named and len(request.categories) > 1 and understood.category in request.categories
