"""Third step of the cascade: windows of neighbours, looked at again (requirements, two-stage-cascade)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....config.settings import CascadeSettings, RerankSettings
from ....domain.chunks import Category, RuleChunk, content_hash
from ....domain.names import COLLECTIONS, chunk_id, split_chunk_id
from ....domain.notices import Language
from ....ports.reranker import RerankCandidate
from ....ports.vectors import Matrix
from ..state import RetrievalState, StageResult, Window
from ..version import OpenVersion
from .cascade_thresholds import least_rerank_score
from .gate import Gate
from .rerank import kept_sentences, rerank_scores


@dataclass(frozen=True, slots=True)
class CascadeWindowStage:
    """Puts each child between its neighbours of the same parent; of equal windows the best child's stays."""

    settings: CascadeSettings
    name: str = "windows"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Make windows."""
        scores = {channel: {e.id: e.score for e in entries} for channel, entries in state.channels.items()}
        windows: dict[str, Window] = {}
        for entry in state.fused:
            chunk = version.chunk(entry.id)
            family = neighbours(version, chunk, self.settings.neighbours)
            text = joined(family)
            digest = content_hash(text)
            if digest not in windows:
                windows[digest] = Window(
                    chunk_id=entry.id,
                    parent_id=chunk.parent_id or entry.id,
                    text="\n".join((*chunk.headings, text)),
                    text_hash=digest,
                    parts=tuple(c.content_hash for c in family),
                    lexical=scores.get("keyword", {}).get(entry.id),
                    vector=scores.get("vector", {}).get(entry.id),
                    score=entry.score,
                )
        alone = sum(version.chunk(entry.id).parent_id is None for entry in state.fused)
        details = {"duplicates": len(state.fused) - len(windows), "without_parent": alone}
        return StageResult(replace(state, windows=tuple(windows.values())), len(state.fused), len(windows), details)


def neighbours(version: OpenVersion, chunk: RuleChunk, reach: int) -> list[RuleChunk]:
    """Return a chunk with up to `reach` children before and after it of the same parent, in document order."""
    if chunk.parent_id is None:
        return [chunk]
    category, name, number = split_chunk_id(chunk.chunk_id)
    last = version.manifest.collections[COLLECTIONS[category]].chunk_count
    found = [chunk]
    for step in (-1, 1):
        for distance in range(1, reach + 1):
            beside = number + step * distance
            if not 1 <= beside <= last:
                break
            other = version.chunk(chunk_id(category, name, beside))
            if other.parent_id != chunk.parent_id:
                break
            found.append(other)
    return sorted(found, key=lambda c: c.position)


def joined(chunks: Sequence[RuleChunk]) -> str:
    """Return the texts of neighbours as one; what two of them share by overlap stands there once."""
    text, end = "", -1
    for chunk in chunks:
        contiguous = chunk.start >= 0 and chunk.end - chunk.start == len(chunk.content)
        if text and contiguous and chunk.start <= end:
            text += chunk.content[end - chunk.start :]
        else:
            text += ("\n" if text else "") + chunk.content
        end = max(end, chunk.end) if contiguous else -1
    return text


@dataclass(frozen=True, slots=True)
class CascadeRerankStage:
    """Orders the windows by the version's reranker and keeps the first; gate `rerank_low_score`.

    Without scores (reranking off, failed or late) the windows keep their order by cosine, and there is no gate.
    """

    settings: CascadeSettings
    rerank: RerankSettings
    language: Language
    name: str = "rerank"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Order and cut."""
        windows = state.windows
        keep = max(self.settings.windows, state.request.top_k)
        if not self.rerank.enabled or not windows:
            reason = "off" if windows else "no candidates"
            state = replace(state, windows=windows[:keep])
            return StageResult(state, len(windows), len(state.windows), {"skipped": reason})
        wanted: dict[Category, list[str]] = {}
        for window in windows:
            wanted.setdefault(split_chunk_id(window.chunk_id)[0], []).extend(window.parts)
        state, rows = kept_sentences(version, state, wanted, self.language)
        candidates = [
            RerankCandidate(
                id=w.chunk_id,
                text=w.text,
                content_hash=w.text_hash,
                lexical=w.lexical,
                vector=w.vector,
                fused=w.score,
                sentences=_sentences(w, rows),
            )
            for w in windows
        ]
        answer = rerank_scores(version, state, candidates, self.rerank, self.language)
        if answer.scores is None:
            state = replace(answer.state, windows=windows[:keep])
            return StageResult(state, len(windows), len(state.windows), answer.details)
        scored = sorted(
            (replace(w, score=s, rerank=s) for w, s in zip(windows, answer.scores, strict=True)),
            key=lambda w: (-w.score, w.chunk_id),
        )
        state = replace(state, windows=tuple(scored[:keep]))
        best = scored[0].score
        details: dict[str, Any] = {**answer.details, "best": best, "lowest": state.windows[-1].score}
        least = self.settings.rerank_least
        if least is None and version.manifest.reranker is not None:
            least = least_rerank_score(version.manifest.reranker.model)
        if least is None:
            return StageResult(state, len(windows), len(state.windows), {**details, "gate": "off: no threshold"})
        gate = Gate("rerank_low_score", least)
        details |= gate.details(best)
        return StageResult(gate.check(state, best, self.language), len(windows), len(state.windows), details)


def _sentences(window: Window, rows: Mapping[str, Matrix]) -> Matrix | None:
    """Return the vectors of a window's sentences, child after child; None when the version does not keep them all."""
    found = [rows[part] for part in window.parts if part in rows]
    return np.concatenate(found) if len(found) == len(window.parts) else None
