"""First step of the cascade: children that share words with the query (requirements, two-stage-cascade)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ....config.settings import RetrievalSettings
from ....domain.fusion import Ranked
from ....domain.names import collection_name
from ....domain.notices import Language, notice
from ..scope import Scope
from ..state import RetrievalState, StageResult
from ..version import OpenVersion
from .gate import Gate

_WHOLE = 20
"""With fewer children than this in scope one is enough for the gate: nobody finds five of six."""


@dataclass(frozen=True, slots=True)
class CascadeRecallStage:
    """Takes the first children of every partition by BM25 and makes one pool of them; gate `bm25_low_recall`.

    Synonyms and the caller's context add children and score, with `retrieval.expansion_weight` and `context_weight`;
    the gate counts what the query and its synonyms found. Where the keyword index is gone, the nearest vectors are the
    pool, with a notice and without a gate.
    """

    settings: RetrievalSettings
    language: Language
    name: str = "recall"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Recall."""
        scope = state.scope or Scope(())
        try:
            lists = {
                channel: self._keyword(version, scope, text) for channel, text in self._texts(state).items() if text
            }
        except Exception as error:  # noqa: BLE001  # an index's fault of any kind leaves the vectors
            state = state.with_notice(notice("keyword_unavailable", self.language, str(error)))
            return self._by_vector(version, scope, state, {"keyword": f"unavailable: {error}"})
        weights = {"expansion:keyword": self.settings.expansion_weight, "context:keyword": self.settings.context_weight}
        pool = _merged(lists, weights)
        found = len(
            {entry.id for channel, entries in lists.items() if channel != "context:keyword" for entry in entries}
        )
        gate = Gate("bm25_low_recall", self._least(version, scope))
        details = {**{channel: len(entries) for channel, entries in lists.items()}, **gate.details(found)}
        state = gate.check(replace(state, channels=lists, fused=pool), found, self.language)
        return StageResult(state, scope.children(version.manifest), len(pool), details)

    def _texts(self, state: RetrievalState) -> dict[str, str]:
        """Return what is looked for by channel: the query, its synonyms, the caller's context."""
        expansion = state.understood.expansion if state.understood and self.settings.expansion_weight > 0 else ()
        context = state.request.context.text() if self.settings.context_weight > 0 else ""
        return {"keyword": state.request.query, "expansion:keyword": "\n".join(expansion), "context:keyword": context}

    def _keyword(self, version: OpenVersion, scope: Scope, text: str) -> tuple[Ranked, ...]:
        terms = version.query_terms(text)
        top_k = self.settings.cascade.keyword_top_k
        return _distinct(
            Ranked(hit.id, hit.score)
            for category, partition in scope.indexes(version.manifest)
            for hit in version.keyword_index(category, partition=partition).query(terms, top_k)
        )

    def _by_vector(
        self, version: OpenVersion, scope: Scope, state: RetrievalState, details: dict[str, Any]
    ) -> StageResult:
        size = scope.children(version.manifest)
        try:
            vector = version.embedder().embed_query(state.request.query)
            hits = _distinct(
                Ranked(hit.id, hit.score)
                for category in scope.categories
                for hit in version.vectors().query(
                    collection_name(category, version.manifest.version),
                    vector,
                    self.settings.cascade.keyword_top_k,
                    scope.condition(version.manifest, category),
                )
            )
        except Exception as error:  # noqa: BLE001  # nothing is left then, which the service says
            state = state.with_notice(notice("embedding_unavailable", self.language, str(error)))
            return StageResult(state, size, 0, details | {"vector": f"unavailable: {error}"})
        return StageResult(replace(state, fused=hits, query_vector=vector), size, len(hits), details)

    def _least(self, version: OpenVersion, scope: Scope) -> int:
        least, size = self.settings.cascade.keyword_least, scope.children(version.manifest)
        return least if size >= _WHOLE else min(least, 1)


def _distinct(hits: Iterable[Ranked]) -> tuple[Ranked, ...]:
    """Return hits best first, each chunk once with its best score."""
    best: dict[str, float] = {}
    for hit in hits:
        best[hit.id] = max(hit.score, best.get(hit.id, hit.score))
    return tuple(Ranked(identifier, best[identifier]) for identifier in sorted(best, key=lambda i: (-best[i], i)))


def _merged(lists: Mapping[str, Sequence[Ranked]], weights: Mapping[str, float]) -> tuple[Ranked, ...]:
    """Return the pool: BM25 score for the query, plus the weighted ones for what stands beside it."""
    scores: dict[str, float] = {}
    for channel, entries in lists.items():
        for entry in entries:
            scores[entry.id] = scores.get(entry.id, 0.0) + weights.get(channel, 1.0) * entry.score
    return tuple(Ranked(identifier, scores[identifier]) for identifier in sorted(scores, key=lambda i: (-scores[i], i)))
