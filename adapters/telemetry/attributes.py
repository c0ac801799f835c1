"""From searches to span attributes: OpenInference, OpenTelemetry's GenAI conventions for retrieval, and `kisoku.*`.

Sources of the names: OpenInference semantic conventions (spans of kind RETRIEVER, EMBEDDING, RERANKER, GUARDRAIL,
CHAIN, TOOL) and OpenTelemetry semantic conventions for generative AI (`gen_ai.retrieval.*`).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...ports.telemetry import Operation, StageKind, WatchedDocument, WatchedSearch, WatchedStage

Value = str | bool | int | float | Sequence[str]
Attributes = dict[str, Value]

KIND: Final = "openinference.span.kind"
_STAGE_KINDS: Final[Mapping[StageKind, str]] = {
    "chain": "CHAIN",
    "embedding": "EMBEDDING",
    "retriever": "RETRIEVER",
    "reranker": "RERANKER",
    "guardrail": "GUARDRAIL",
}
_OPERATION_KINDS: Final[Mapping[Operation, str]] = {"search": "RETRIEVER", "lookup": "TOOL", "answer": "CHAIN"}
_GEN_AI_OPERATIONS: Final[Mapping[Operation, str]] = {
    "search": "retrieval",
    "lookup": "execute_tool",
    "answer": "invoke_agent",
}
_PER_DOCUMENT: Final = 4
"""Attributes of one document: id, content, score, metadata."""
_OTHERS: Final = 48
"""Attributes that a span has besides its documents, at most."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How much a span tells.

    Attributes:
        content: Texts of documents.
        documents: Documents of one list, at most.
        limit: Attributes that a span holds; None for any number. Documents give way to it, the worst first.
    """

    content: bool = True
    documents: int = 30
    limit: int | None = None

    def cut(self, documents: Sequence[WatchedDocument], lists: int = 1) -> Sequence[WatchedDocument]:
        """Return the first of one of so many lists of documents that a span holds."""
        room = self.documents
        if self.limit is not None:
            room = min(room, max(0, self.limit - _OTHERS) // (_PER_DOCUMENT * lists))
        return documents[:room]


def search_attributes(seen: WatchedSearch, trace_id: str, detail: Detail) -> Attributes:
    """Return the attributes of the root span."""
    result = seen.result
    documents = _result_documents(seen)
    found: Attributes = {
        KIND: _OPERATION_KINDS[seen.operation],
        "input.value": result.query,
        "input.mime_type": "text/plain",
        "gen_ai.operation.name": _GEN_AI_OPERATIONS[seen.operation],
        "gen_ai.agent.name": result.agent,
        "gen_ai.data_source.id": result.version,
        "gen_ai.retrieval.query.text": result.query,
        "gen_ai.retrieval.documents": _json([{"id": d.id, "score": d.score} for d in documents]),
        "kisoku.trace_id": trace_id,
        "kisoku.version": result.version,
        "kisoku.agent": result.agent,
        "kisoku.categories": list(result.categories),
        "kisoku.found": len(documents),
        "kisoku.refused": result.refused,
        "kisoku.notices": [n.code for n in result.notices],
        "kisoku.conflicts": [c.conflict_id for c in result.conflicts],
        "kisoku.milliseconds": round(seen.milliseconds, 3),
        "kisoku.first_of_process": seen.first,
    }
    found |= _output(seen, documents, detail)
    if seen.operation == "lookup":
        found |= {"tool.name": "lookup_knowledge", "gen_ai.tool.name": "lookup_knowledge"}
    optional: dict[str, Value | None] = {
        "session.id": seen.session_id,
        "gen_ai.conversation.id": seen.session_id,
        "gen_ai.usage.input_tokens": result.embedding_tokens,
        "kisoku.gate": result.gate or None,
        "kisoku.fallback_reason": result.fallback_reason,
        "kisoku.attempts": [attempt.name for attempt in result.attempts] or None,
        "kisoku.degradations": [f"{n.code}: {n.detail or n.text}" for n in result.notices if n.code != result.gate]
        or None,
        "kisoku.cache.hit": cache_hit(seen),
        # What a rule says is content; that rules disagree, and about what, is not.
        "kisoku.conflict.topics": [c.topic for c in result.conflicts] or None,
        "kisoku.conflict.explanations": [c.explanation for c in result.conflicts if detail.content] or None,
    }
    found |= {name: value for name, value in optional.items() if value is not None}
    found |= seen.attributes
    found["metadata"] = _json({"version": result.version, "agent": result.agent, "kisoku_trace": trace_id})
    return found | _documents("retrieval.documents", detail.cut(documents), detail)


def stage_attributes(stage: WatchedStage, detail: Detail, top_k: int) -> Attributes:
    """Return the attributes of a stage's span.

    Args:
        stage: The stage.
        detail: How much is told.
        top_k: How many results were found.
    """
    found: Attributes = {
        KIND: _STAGE_KINDS[stage.kind],
        "input.value": stage.query,
        "input.mime_type": "text/plain",
        "output.value": _json(stage.details),
        "output.mime_type": "application/json",
        "kisoku.stage": stage.name,
        "kisoku.incoming": stage.incoming,
        "kisoku.outgoing": stage.outgoing,
    }
    found |= {f"kisoku.stage.{key}": value for key, value in _plain(stage.details).items()}
    if stage.degraded:
        found["kisoku.degraded"] = stage.degraded
    if stage.kind == "embedding":
        found["embedding.model_name"] = stage.model
        found["gen_ai.operation.name"] = "embeddings"
        found["gen_ai.request.model"] = stage.model
        found |= {f"embedding.embeddings.{n}.embedding.text": text for n, text in enumerate(stage.texts)}
        if "tokens" in stage.details:
            found["llm.token_count.prompt"] = found["gen_ai.usage.input_tokens"] = int(stage.details["tokens"])
        return found
    if stage.kind == "reranker":
        found |= {"reranker.query": stage.query, "reranker.model_name": stage.model, "reranker.top_k": top_k}
        # Where they come from stands in the output; saying it once halves the time that this takes.
        found |= _documents("reranker.input_documents", detail.cut(stage.given, 2), detail, with_metadata=False)
        return found | _documents("reranker.output_documents", detail.cut(stage.returned, 2), detail)
    if stage.kind == "retriever":
        found["gen_ai.operation.name"] = "retrieval"
        found["gen_ai.retrieval.query.text"] = stage.query
        if stage.model:
            found["embedding.model_name"] = stage.model
        return found | _documents("retrieval.documents", detail.cut(stage.returned), detail)
    if stage.returned:
        # The texts stand in the spans of recall, reranking and the search itself.
        shown = stage.returned[: detail.documents]
        found["kisoku.returned"] = _json([{"id": d.id, "score": d.score} for d in shown])
    return found


def cache_hit(seen: WatchedSearch) -> bool | None:
    """Return whether a cache had the query's vector; None when it was not embedded."""
    for stage in seen.result.trace:
        embedded = stage.details.get("embedded")
        if isinstance(embedded, Mapping):
            return bool(embedded.get("query") != "model")
    return None


def _result_documents(seen: WatchedSearch) -> Sequence[WatchedDocument]:
    if seen.documents is not None:
        return seen.documents
    return tuple(
        WatchedDocument(
            chunk.chunk_id,
            chunk.score,
            chunk.content,
            {
                "rank": chunk.rank,
                "source": chunk.source_uri,
                "document": chunk.doc_id,
                "headings": " > ".join(chunk.headings),
                "category": chunk.category,
            }
            | {
                name: value
                for name in ("lexical", "vector", "ngram", "fused", "rerank")
                if (value := getattr(chunk, name)) is not None
            },
        )
        for chunk in seen.result.chunks
    )


def _output(seen: WatchedSearch, documents: Sequence[WatchedDocument], detail: Detail) -> Attributes:
    if seen.text and detail.content:
        return {"output.value": seen.text, "output.mime_type": "text/plain"}
    shown = [
        {"rank": rank, "id": d.id, "score": d.score, "source": d.metadata.get("source", "")}
        for rank, d in enumerate(documents, start=1)
    ]
    return {"output.value": _json(shown), "output.mime_type": "application/json"}


def _documents(
    prefix: str, documents: Sequence[WatchedDocument], detail: Detail, *, with_metadata: bool = True
) -> Attributes:
    found: Attributes = {}
    for number, document in enumerate(documents):
        head = f"{prefix}.{number}.document"
        found[f"{head}.id"] = document.id
        if document.score is not None:
            found[f"{head}.score"] = document.score
        if detail.content and document.content:
            found[f"{head}.content"] = document.content
        if with_metadata and document.metadata:
            found[f"{head}.metadata"] = _json(document.metadata)
    return found


def _plain(details: Mapping[str, Any]) -> Attributes:
    """Return the details that are single values, for filters; texts of the query are there already."""
    left = ("query", "context", "rewritten", "degraded")
    return {
        key: value for key, value in details.items() if key not in left and isinstance(value, str | bool | int | float)
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
