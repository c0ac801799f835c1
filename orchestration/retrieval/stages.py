"""The stages of the hybrid pipeline: query -> channels -> fusion -> candidates -> rerank -> cut.

Each is small, gets an immutable state and returns a new one with what it decided; the engine times it and writes the
trace, so that nothing happens untraced.
"""

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ...config.settings import ChannelSettings, RerankSettings, RetrievalSettings
from ...domain.chunks import Category
from ...domain.errors import ModelError
from ...domain.fusion import Ranked, reciprocal_rank_fusion, weighted_fusion
from ...domain.names import collection_name
from ...domain.notices import Language, NoticeCode, notice
from ...domain.search import ScoredChunk
from ...ports.reranker import RerankCandidate
from ...ports.vectors import Vector
from .state import RetrievalState, StageResult
from .version import OpenVersion

CONTEXT = "context:"
"""Prefix of the channels that search for the caller's context rather than its query."""


class Stage(Protocol):
    """One step of a pipeline."""

    @property
    def name(self) -> str:
        """What the trace calls it."""
        ...

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Return the new state and what was decided."""
        ...


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


@dataclass(frozen=True, slots=True)
class ChannelStage:
    """Asks every channel at once. A channel that is missing contributes nothing, and the trace says so."""

    settings: RetrievalSettings
    language: Language
    executor: ThreadPoolExecutor
    name: str = "channels"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Recall."""
        present = [c for c in state.request.categories if version.has(c)]
        if not present:
            return StageResult(state.with_notice(notice("category_missing", self.language)), 1, 0)
        searches = self._searches(version, state, present)
        running = {name: self.executor.submit(search) for name, search in searches.items()}
        lists: dict[str, tuple[Ranked, ...]] = {}
        details: dict[str, Any] = {}
        for name, future in running.items():
            try:
                lists[name] = future.result()
                details[name] = len(lists[name])
            except Exception as error:  # noqa: BLE001  # one channel's fault of any kind leaves the others
                code: NoticeCode = "embedding_unavailable" if name.endswith("vector") else "keyword_unavailable"
                state = state.with_notice(notice(code, self.language, str(error)))
                details[name] = f"unavailable: {error}"
        found = {entry.id for entries in lists.values() for entry in entries}
        return StageResult(replace(state, channels=lists), 1, len(found), details)

    def _searches(
        self, version: OpenVersion, state: RetrievalState, categories: Sequence[Category]
    ) -> Mapping[str, Callable[[], tuple[Ranked, ...]]]:
        settings, request = self.settings, state.request
        context = request.context.text() if settings.context_weight > 0 else ""
        searches: dict[str, Callable[[], tuple[Ranked, ...]]] = {}
        for prefix, text, vector in (
            ("", request.query, state.query_vector),
            (CONTEXT, context, state.context_vector),
        ):
            if vector is not None:
                searches[f"{prefix}vector"] = _vector_search(version, vector, settings.vector, categories)
            if text and settings.keyword.enabled:
                searches[f"{prefix}keyword"] = _keyword_search(version, text, settings.keyword, categories, ngram=False)
            # Bigrams of a long context match everywhere; they only serve the query.
            if text and settings.ngram.enabled and not prefix:
                searches[f"{prefix}ngram"] = _keyword_search(version, text, settings.ngram, categories, ngram=True)
        return searches


def _vector_search(
    version: OpenVersion, vector: Vector, channel: ChannelSettings, categories: Sequence[Category]
) -> Callable[[], tuple[Ranked, ...]]:
    def search() -> tuple[Ranked, ...]:
        hits = [
            Ranked(hit.id, hit.score)
            for category in categories
            for hit in version.vectors().query(
                collection_name(category, version.manifest.version), vector, channel.top_k
            )
        ]
        return _best(hits, channel.top_k)

    return search


def _keyword_search(
    version: OpenVersion, text: str, channel: ChannelSettings, categories: Sequence[Category], *, ngram: bool
) -> Callable[[], tuple[Ranked, ...]]:
    def search() -> tuple[Ranked, ...]:
        terms = version.analyzer(ngram=ngram).analyze_query(text)
        hits = [
            Ranked(hit.id, hit.score)
            for category in categories
            for hit in version.keyword_index(category, ngram=ngram).query(terms, channel.top_k)
        ]
        return _best(hits, channel.top_k)

    return search


def _best(hits: list[Ranked], top_k: int) -> tuple[Ranked, ...]:
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.id))[:top_k])


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
        if settings.fusion.method == "rrf":
            fused = reciprocal_rank_fusion(state.channels, weights=weights, k=settings.fusion.k)
        else:
            fused = weighted_fusion(state.channels, weights=weights)
        incoming = sum(len(entries) for entries in state.channels.values())
        details = {"method": settings.fusion.method, "weights": {c: weights[c] for c in state.channels}}
        return StageResult(replace(state, fused=tuple(fused)), incoming, len(fused), details)


@dataclass(frozen=True, slots=True)
class CandidateStage:
    """Loads the texts of the first candidates."""

    candidates: int
    name: str = "candidates"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Load."""
        scores = {channel: {e.id: e.score for e in entries} for channel, entries in state.channels.items()}
        wanted = state.fused[: max(self.candidates, state.request.top_k)]
        chunks = tuple(
            ScoredChunk(
                **dict(version.chunk(entry.id)),
                rank=rank,
                score=entry.score,
                lexical=scores.get("keyword", {}).get(entry.id),
                vector=scores.get("vector", {}).get(entry.id),
                ngram=scores.get("ngram", {}).get(entry.id),
                fused=entry.score,
            )
            for rank, entry in enumerate(wanted, start=1)
        )
        return StageResult(replace(state, chunks=chunks), len(state.fused), len(chunks))


@dataclass(frozen=True, slots=True)
class RerankStage:
    """Looks at the candidates again. Failure and lateness leave the fused order, with a notice."""

    settings: RerankSettings
    language: Language
    name: str = "rerank"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Rerank."""
        count = len(state.chunks)
        if not self.settings.enabled:
            return StageResult(state, count, count, {"skipped": "off"})
        if count <= state.request.top_k:
            return StageResult(state, count, count, {"skipped": "no more candidates than results"})
        head = state.chunks[: self.settings.candidates]
        try:
            reranker = version.reranker()
            if reranker is None:
                return StageResult(state, count, count, {"skipped": "this version has no reranker"})
            candidates = [
                RerankCandidate(c.chunk_id, c.text, c.content_hash, c.lexical, c.vector, c.fused) for c in head
            ]
            answer = _within(self.settings.deadline_ms, lambda: reranker.rerank(state.request.query, candidates))
            if answer is None:
                warning = notice("rerank_deadline", self.language, f"{self.settings.deadline_ms} ms")
                return StageResult(state.with_notice(warning), count, count, {"degraded": "deadline"})
            if not all(map(math.isfinite, answer)):
                raise ModelError("The reranker returned scores that are no numbers.")  # noqa: TRY301  # degrades below
            scored = sorted(zip(head, answer, strict=True), key=lambda pair: (-pair[1], pair[0].rank))
        except Exception as error:  # noqa: BLE001  # a reranker's fault of any kind must not take the search down
            warning = notice("rerank_failed", self.language, f"{type(error).__name__}: {error}")
            return StageResult(state.with_notice(warning), count, count, {"degraded": str(error)})
        chunks = [
            chunk.model_copy(update={"rank": rank, "score": score, "rerank": score})
            for rank, (chunk, score) in enumerate(scored, start=1)
        ]
        details = {"model": reranker.name, "candidates": len(head)}
        return StageResult(replace(state, chunks=(*chunks, *state.chunks[len(head) :])), count, count, details)


def _within(milliseconds: int, work: Callable[[], list[float]]) -> list[float] | None:
    """Return the work's result, None when it is late; a late thread ends on its own and is not waited for.

    Raises:
        Exception: Whatever the work raised.
    """
    box: list[list[float] | BaseException] = []

    def target() -> None:
        try:
            box.append(work())
        except BaseException as error:  # noqa: BLE001  # handed to the caller below
            box.append(error)

    thread = threading.Thread(target=target, name="kisoku-rerank", daemon=True)
    thread.start()
    thread.join(milliseconds / 1000)
    if not box:
        return None
    if isinstance(box[0], BaseException):
        raise box[0]
    return box[0]


@dataclass(frozen=True, slots=True)
class CutStage:
    """Keeps the first `top_k`."""

    name: str = "cut"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Cut."""
        del version
        kept = state.chunks[: state.request.top_k]
        return StageResult(replace(state, chunks=kept), len(state.chunks), len(kept))
