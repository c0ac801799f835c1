"""Decides what is searched, before anything is spent on it."""

from dataclasses import dataclass, replace

from ....domain.notices import Language
from ....domain.partitions import mentioned_partitions
from ..scope import Scope
from ..state import RetrievalState, StageResult
from ..version import OpenVersion
from .gate import refuse


@dataclass(frozen=True, slots=True)
class ScopeStage:
    """Finds categories and partitions of a search; refuses with `no_docs_matched` when no document lies there.

    Attributes:
        language: Of the notice.
        match_query: Without partitions in the request, take those whose names the query mentions.
        needs_category: Refuse too when the version has none of the categories; else a later stage says so.
    """

    language: Language
    match_query: bool = False
    needs_category: bool = False
    name: str = "scope"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Decide."""
        request, manifest = state.request, version.manifest
        partitions = request.partitions or None
        if partitions is None and self.match_query and manifest.partitions:
            partitions = mentioned_partitions(request.query, manifest.partitions)
        scope = Scope(tuple(c for c in request.categories if version.has(c)), partitions)
        indexes = scope.indexes(manifest)
        documents = scope.documents(manifest)
        details = {
            "categories": list(scope.categories),
            "partitions": None if partitions is None else list(partitions),
            "documents": len(documents),
            "parents": sum(d.parent_count for d in documents),
            "children": scope.children(manifest),
            "indexes": len(indexes),
            "cache_hit": bool(indexes) and all(version.has_loaded(*index) for index in indexes),
        }
        state = replace(state, scope=scope)
        if not indexes and (scope.categories or self.needs_category):
            asked = ", ".join(request.partitions or request.categories)
            state = refuse(state, "no_docs_matched", self.language, asked)
        return StageResult(state, len(request.categories), len(indexes), details)
