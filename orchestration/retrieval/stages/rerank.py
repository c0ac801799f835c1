"""Looks at the candidates again."""

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ....config.settings import RerankSettings
from ....domain.chunks import Category
from ....domain.errors import HandbookCorruptError, ModelError
from ....domain.notices import Language, notice
from ....ports.reranker import RerankCandidate
from ....ports.vectors import Matrix
from ..state import RetrievalState, StageResult
from ..version import OpenVersion

SENTENCE_RERANKER = "sentence"
"""The reranker that compares sentences; others are not given vectors they have no use for."""


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
        wanted: dict[Category, list[str]] = {}
        for chunk in head:
            wanted.setdefault(chunk.category, []).append(chunk.content_hash)
        state, rows = kept_sentences(version, state, wanted, self.language)
        candidates = [
            RerankCandidate(c.chunk_id, c.text, c.content_hash, c.lexical, c.vector, c.fused, rows.get(c.content_hash))
            for c in head
        ]
        answer = rerank_scores(version, state, candidates, self.settings, self.language)
        if answer.scores is None:
            return StageResult(answer.state, count, count, answer.details)
        scored = sorted(zip(head, answer.scores, strict=True), key=lambda pair: (-pair[1], pair[0].rank))
        chunks = [
            chunk.model_copy(update={"rank": rank, "score": score, "rerank": score})
            for rank, (chunk, score) in enumerate(scored, start=1)
        ]
        return StageResult(replace(state, chunks=(*chunks, *state.chunks[len(head) :])), count, count, answer.details)


def kept_sentences(
    version: OpenVersion, state: RetrievalState, wanted: Mapping[Category, Sequence[str]], language: Language
) -> tuple[RetrievalState, dict[str, Matrix]]:
    """Return the sentence vectors that the version keeps, by content hash; what is damaged is embedded anew.

    Args:
        version: Whose sentences; none are read when its reranker has no use for them.
        state: The search so far; gets a notice where vectors are damaged.
        wanted: Content hashes of chunks by category.
        language: Of the notice.
    """
    found: dict[str, Matrix] = {}
    info = version.manifest.reranker
    if info is None or info.adapter != SENTENCE_RERANKER:
        return state, found
    for category, hashes in wanted.items():
        try:
            kept = version.sentences(category)
        except (HandbookCorruptError, OSError) as error:
            state = state.with_notice(notice("sentences_unavailable", language, str(error)))
            continue
        if kept is not None:
            rows = zip(hashes, kept.of_chunks(hashes), strict=True)
            found.update({key: matrix for key, matrix in rows if matrix is not None})
    return state, found


@dataclass(frozen=True, slots=True)
class RerankAnswer:
    """Scores in the order of the candidates, None when there are none; state and details say why."""

    state: RetrievalState
    scores: list[float] | None
    details: Mapping[str, Any]


def rerank_scores(
    version: OpenVersion,
    state: RetrievalState,
    candidates: Sequence[RerankCandidate],
    settings: RerankSettings,
    language: Language,
) -> RerankAnswer:
    """Ask the version's reranker; its absence, failure and lateness give no scores.

    Args:
        version: Whose reranker.
        state: The search so far.
        candidates: What is looked at.
        settings: With the deadline.
        language: Of notices.
    """
    try:
        reranker = version.reranker()
        if reranker is None:
            return RerankAnswer(state, None, {"skipped": "this version has no reranker"})
        answer = _within(settings.deadline_ms, lambda: reranker.rerank(state.request.query, candidates))
        if answer is None:
            warning = notice("rerank_deadline", language, f"{settings.deadline_ms} ms")
            return RerankAnswer(state.with_notice(warning), None, {"degraded": "deadline"})
        if len(answer) != len(candidates) or not all(map(math.isfinite, answer)):
            raise ModelError("The reranker returned scores that do not fit the candidates.")  # noqa: TRY301  # degrades below
    except Exception as error:  # noqa: BLE001  # a reranker's fault of any kind must not take the search down
        warning = notice("rerank_failed", language, f"{type(error).__name__}: {error}")
        return RerankAnswer(state.with_notice(warning), None, {"degraded": str(error)})
    return RerankAnswer(state, answer, {"model": reranker.name, "candidates": len(candidates)})


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
