"""A search's stages with their documents, made from its trace and the states around each stage."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from ..domain.fusion import Ranked
from ..domain.search import ScoredChunk, SearchResult, StageTrace
from ..ports.telemetry import StageKind, WatchedDocument, WatchedStage
from .retrieval.state import RetrievalState, Step, Window

_KINDS: Final[Mapping[str, StageKind]] = {
    "query": "embedding",
    "channels": "retriever",
    "recall": "retriever",
    "vector": "retriever",
    "rerank": "reranker",
    "answerability": "guardrail",
}
_BY_CHANNEL: Final = frozenset({"channels", "recall"})
_Texts = Mapping[str, ScoredChunk]


def watched_stages(result: SearchResult, steps: Sequence[Step], most: int) -> list[WatchedStage]:
    """Return every stage of a result's trace, in order, with what it got and passed on where that is known.

    Args:
        result: The result.
        steps: States around its stages.
        most: Documents of one list.
    """
    around = {id(step.trace): step for step in steps}
    texts = _texts(result, steps)
    return [_stage(trace, around.get(id(trace)), result, texts, most) for trace in result.trace]


def _stage(trace: StageTrace, step: Step | None, result: SearchResult, texts: _Texts, most: int) -> WatchedStage:
    kind = _KINDS.get(trace.stage, "chain")
    given: tuple[WatchedDocument, ...] = ()
    returned: tuple[WatchedDocument, ...] = ()
    query = result.query
    if step is not None:
        query = step.before.request.query
        by_channel = trace.stage in _BY_CHANNEL
        returned = _channels(step.after.channels, texts, most) if by_channel else _entries(step.after, texts, most)
        if kind == "reranker":
            given = _entries(step.before, texts, most)
    embedded: tuple[str, ...] = ()
    if kind == "embedding":
        embedded = tuple(str(t) for t in (trace.details.get("query"), trace.details.get("context")) if t)
    return WatchedStage(
        name=trace.stage,
        kind=kind,
        started=trace.started,
        milliseconds=trace.milliseconds,
        incoming=trace.incoming,
        outgoing=trace.outgoing,
        details=trace.details,
        query=query,
        model=_model(trace, kind),
        texts=embedded,
        given=given,
        returned=returned,
    )


def _model(trace: StageTrace, kind: StageKind) -> str:
    name = trace.details.get("vector" if kind == "embedding" else "model", "")
    return "" if str(name).startswith("unavailable") or name == "off" else str(name)


def _texts(result: SearchResult, steps: Sequence[Step]) -> dict[str, ScoredChunk]:
    """Return the chunks that were loaded for a search, by id."""
    found = {chunk.chunk_id: chunk for step in steps for chunk in step.after.chunks}
    return found | {chunk.chunk_id: chunk for chunk in result.chunks}


def _entries(state: RetrievalState, texts: _Texts, most: int) -> tuple[WatchedDocument, ...]:
    """Return what a state holds: chunks once they are loaded, windows of the cascade, else the fused list."""
    if state.chunks:
        return tuple(_of_chunk(chunk) for chunk in state.chunks[:most])
    if state.windows:
        return tuple(_of_window(window, texts) for window in state.windows[:most])
    return tuple(_of_ranked(entry, texts) for entry in state.fused[:most])


def _channels(lists: Mapping[str, Sequence[Ranked]], texts: _Texts, most: int) -> tuple[WatchedDocument, ...]:
    """Return what the channels found, each channel's best first in turn, so that a cut keeps the best of every one."""
    longest = max((len(entries) for entries in lists.values()), default=0)
    in_turn = (
        _of_ranked(entries[place], texts, {"channel": channel, "rank": place + 1})
        for place in range(longest)
        for channel, entries in lists.items()
        if place < len(entries)
    )
    return tuple(islice(in_turn, most))


def _of_chunk(chunk: ScoredChunk) -> WatchedDocument:
    return WatchedDocument(chunk.chunk_id, chunk.score, chunk.content, _source(chunk) | _scores(chunk))


def _of_window(window: Window, texts: _Texts) -> WatchedDocument:
    known = texts.get(window.parent_id) or texts.get(window.chunk_id)
    metadata: dict[str, Any] = {} if known is None else _source(known)
    scores = {"lexical": window.lexical, "vector": window.vector, "rerank": window.rerank}
    metadata |= {name: score for name, score in scores.items() if score is not None}
    return WatchedDocument(window.chunk_id, window.score, window.text, metadata | {"parent": window.parent_id})


def _of_ranked(entry: Ranked, texts: _Texts, metadata: Mapping[str, Any] | None = None) -> WatchedDocument:
    known = texts.get(entry.id)
    told: dict[str, Any] = dict(metadata or {})
    if known is None:
        return WatchedDocument(entry.id, entry.score, "", told)
    return WatchedDocument(entry.id, entry.score, known.content, told | _source(known))


def _source(chunk: ScoredChunk) -> dict[str, Any]:
    return {
        "source": chunk.source_uri,
        "document": chunk.doc_id,
        "headings": " > ".join(chunk.headings),
        "category": chunk.category,
    }


def _scores(chunk: ScoredChunk) -> dict[str, float]:
    scores = {
        "lexical": chunk.lexical,
        "vector": chunk.vector,
        "ngram": chunk.ngram,
        "fused": chunk.fused,
        "rerank": chunk.rerank,
    }
    return {name: score for name, score in scores.items() if score is not None}
