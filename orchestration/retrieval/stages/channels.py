"""Recall: every channel at once."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from ....config.settings import ChannelSettings, RetrievalSettings
from ....domain.chunks import Category
from ....domain.errors import HandbookCorruptError, KisokuError
from ....domain.fusion import Ranked
from ....domain.names import collection_name
from ....domain.notices import Language, NoticeCode, notice
from ....ports.keyword_index import TermGroup
from ....ports.vectors import Vector
from ..related import RelatedTerms
from ..scope import Scope
from ..state import RetrievalState, StageResult
from ..version import OpenVersion
from .understanding import EXPANSION

_Related = Mapping[Category, RelatedTerms]

CONTEXT = "context:"
"""Prefix of the channels that search for the caller's context rather than its query."""


@dataclass(frozen=True, slots=True)
class ChannelStage:
    """Asks every channel at once. A channel that is missing contributes nothing, and the trace says so."""

    settings: RetrievalSettings
    language: Language
    executor: ThreadPoolExecutor
    name: str = "channels"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Recall."""
        scope = state.scope or Scope(tuple(c for c in state.request.categories if version.has(c)))
        if not scope.categories:
            return StageResult(state.with_notice(notice("category_missing", self.language)), 1, 0)
        state, related = self._related(version, state, scope)
        searches = self._searches(version, state, scope, related)
        # Words are matched here while a store elsewhere answers, or is being opened. What computes in this process is
        # asked in turn, since handing a millisecond of work to a thread costs about as much as the work.
        beside = [name for name in searches if name.endswith("vector")]
        if version.is_warm and not version.vectors().waits:
            beside = []
        running = {name: self.executor.submit(searches[name]) for name in beside}
        answers = {n: running[n].result if n in running else search for n, search in searches.items()}
        lists: dict[str, tuple[Ranked, ...]] = {}
        details: dict[str, Any] = {}
        for name in sorted(answers, key=lambda name: name in running):
            try:
                lists[name] = answers[name]()
                details[name] = len(lists[name])
            except Exception as error:  # noqa: BLE001  # one channel's fault of any kind leaves the others
                code: NoticeCode = "embedding_unavailable" if name.endswith("vector") else "keyword_unavailable"
                state = state.with_notice(notice(code, self.language, str(error)))
                details[name] = f"unavailable: {error}"
        lists = {name: lists[name] for name in searches if name in lists}
        found = {entry.id for entries in lists.values() for entry in entries}
        return StageResult(replace(state, channels=lists), 1, len(found), details)

    def _related(self, version: OpenVersion, state: RetrievalState, scope: Scope) -> tuple[RetrievalState, _Related]:
        """Return the words by meaning of each category that keeps them; damage leaves the words as they are."""
        found: dict[Category, RelatedTerms] = {}
        if not self.settings.related.enabled or not self.settings.keyword.enabled:
            return state, found
        for category in scope.categories:
            try:
                related = version.related(category)
            except (HandbookCorruptError, OSError) as error:
                state = state.with_notice(notice("sentences_unavailable", self.language, str(error)))
                continue
            if related is not None:
                found[category] = related
        return state, found

    def _searches(
        self, version: OpenVersion, state: RetrievalState, scope: Scope, related: _Related
    ) -> Mapping[str, Callable[[], tuple[Ranked, ...]]]:
        settings, request = self.settings, state.request
        context = request.context.text() if settings.context_weight > 0 else ""
        searches: dict[str, Callable[[], tuple[Ranked, ...]]] = {}
        for prefix, text, vector in (
            ("", request.query, state.query_vector),
            (CONTEXT, context, state.context_vector),
        ):
            if vector is not None:
                searches[f"{prefix}vector"] = _vector_search(version, vector, settings.vector, scope)
            if text and settings.keyword.enabled:
                if related and not prefix:
                    searches["keyword"] = _related_search(version, text, settings, scope, related)
                else:
                    searches[f"{prefix}keyword"] = _keyword_search(version, text, settings.keyword, scope, ngram=False)
            # Bigrams of a long context match everywhere; they only serve the query.
            if text and settings.ngram.enabled and not prefix:
                searches[f"{prefix}ngram"] = _keyword_search(version, text, settings.ngram, scope, ngram=True)
        expansion = () if state.understood is None else state.understood.expansion
        if expansion and settings.keyword.enabled and settings.expansion_weight > 0:
            text = "\n".join(expansion)
            searches[f"{EXPANSION}keyword"] = _keyword_search(version, text, settings.keyword, scope, ngram=False)
        return searches


def _vector_search(
    version: OpenVersion, vector: Vector, channel: ChannelSettings, scope: Scope
) -> Callable[[], tuple[Ranked, ...]]:
    def search() -> tuple[Ranked, ...]:
        hits = [
            Ranked(identifier, score)
            for category in scope.categories
            for identifier, score in version.vectors().nearest(
                collection_name(category, version.manifest.version),
                vector,
                channel.top_k,
                scope.condition(version.manifest, category),
            )
        ]
        return _best(hits, channel.top_k)

    return search


def _keyword_search(
    version: OpenVersion, text: str, channel: ChannelSettings, scope: Scope, *, ngram: bool
) -> Callable[[], tuple[Ranked, ...]]:
    def search() -> tuple[Ranked, ...]:
        terms = version.query_terms(text, ngram=ngram)
        hits = [
            Ranked(hit.id, hit.score)
            for category, partition in scope.indexes(version.manifest)
            for hit in version.keyword_index(category, ngram=ngram, partition=partition).query(terms, channel.top_k)
        ]
        return _best(hits, channel.top_k)

    return search


def _related_search(
    version: OpenVersion, text: str, settings: RetrievalSettings, scope: Scope, related: _Related
) -> Callable[[], tuple[Ranked, ...]]:
    def search() -> tuple[Ranked, ...]:
        terms, top_k = version.query_terms(text), settings.keyword.top_k
        hits: list[Ranked] = []
        for category, partition in scope.indexes(version.manifest):
            index = version.keyword_index(category, partition=partition)
            groups = _groups(related.get(category), terms, settings)
            found = index.query(terms, top_k) if groups is None else index.query_groups(groups, top_k)
            hits.extend(Ranked(hit.id, hit.score) for hit in found)
        return _best(hits, top_k)

    return search


def _groups(
    related: RelatedTerms | None, terms: Sequence[str], settings: RetrievalSettings
) -> Sequence[TermGroup] | None:
    try:
        return None if related is None else related.groups(terms, settings.related)
    except KisokuError:
        return None  # the vector channel says that the model is gone


def _best(hits: list[Ranked], top_k: int) -> tuple[Ranked, ...]:
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.id))[:top_k])
