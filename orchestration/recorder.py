"""Every search and lookup in the session database, with what explains it (requirements, evidence-lookup §6)."""

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

from ..domain.errors import SessionError
from ..domain.evidence import LookupResult
from ..domain.names import BUILTIN_VERSION
from ..domain.notices import Language, Notice, notice
from ..domain.search import SearchResult
from ..ports.session_store import InvocationRecord, SessionStore


class InvocationRecorder:
    """Stores invocations. A full or broken database is told by a notice and takes no answer away."""

    def __init__(
        self, sessions: SessionStore, clock: Callable[[], datetime], language: Language, *, price: float = 0.0
    ) -> None:
        """Record into a store.

        Args:
            sessions: The store.
            clock: The time now.
            language: Of notices.
            price: Of a million tokens of the embedding model.
        """
        self._price = price
        self._sessions = sessions
        self._clock = clock
        self._language = language

    def record_search(self, result: SearchResult, session_id: str | None) -> SearchResult:
        """Store a search; return it, with a notice when it could not be stored."""
        failed = self._stored(result, session_id, search_details(result))
        return result.model_copy(update={"notices": (*result.notices, failed)}) if failed else result

    def record_lookup(self, found: SearchResult, given: LookupResult, session_id: str | None) -> LookupResult:
        """Store a lookup with the search it rests on; return it, with a notice when it could not be stored."""
        failed = self._stored(found, session_id, search_details(found) | lookup_details(given), given)
        if failed is None or any(n.code == failed.code for n in given.notices):
            return given
        return given.model_copy(update={"notices": (*given.notices, failed)})

    def _stored(
        self,
        result: SearchResult,
        session_id: str | None,
        details: dict[str, Any],
        given: LookupResult | None = None,
    ) -> Notice | None:
        # A look around outside a session, where nothing was ever built, leaves no folder behind.
        if session_id is None and result.version == BUILTIN_VERSION:
            return None
        chunk_ids = tuple(c.chunk_id for c in result.chunks) if given is None else tuple(given.context_pack.chunk_ids)
        record = InvocationRecord(
            trace_id=result.trace_id,
            session_id=session_id,
            created_at=self._clock().isoformat(timespec="milliseconds"),
            version=result.version,
            agent=result.agent,
            query=result.query,
            chunk_ids=chunk_ids,
            refused=result.refused,
            milliseconds=result.milliseconds,
            retrieval_details=json.dumps(details, ensure_ascii=False),
            gate=result.gate or "",
            categories=result.categories,
            cache_hit=_cache_hit(result),
            embedding_tokens=(tokens := result.embedding_tokens),
            cost=None if tokens is None or not self._price else tokens * self._price / 1_000_000,
        )
        try:
            self._sessions.add_invocation(record)
        except SessionError as error:
            return notice("recording_failed", self._language, error.message)
        return None


def search_details(result: SearchResult) -> dict[str, Any]:
    """Return `retrieval_details` of a search, JSON-ready."""
    rerank = next((stage.details for stage in reversed(result.trace) if stage.stage == "rerank"), {})
    return {
        "tool": "search_rules",
        "query_transform": result.query_transform.model_dump(mode="json") if result.query_transform else {},
        "retrieval_trace": {
            "selected_attempt": result.attempts[-1].name if result.attempts else None,
            "fallback_reason": result.fallback_reason,
            "attempts": [attempt.model_dump(mode="json") for attempt in result.attempts],
        },
        "rerank_trace": dict(rerank),
        "stages": [stage.model_dump(mode="json") for stage in result.trace],
        "notices": [n.model_dump(mode="json") for n in result.notices],
        "conflicts": [c.conflict_id for c in result.conflicts],
        "chunks": [{"chunk_id": c.chunk_id, "source_uri": c.source_uri, "score": c.score} for c in result.chunks],
    }


def lookup_details(given: LookupResult) -> dict[str, Any]:
    """Return what a lookup adds to the details of its search; the pack as a summary, since the blocks hold its text."""
    return {
        "tool": "lookup_knowledge",
        "evidence_status": given.evidence_status,
        "relevance_level": given.relevance_level,
        "completeness_hint": given.completeness_hint,
        "message": given.message,
        "rerank_trace": given.rerank_trace.model_dump(mode="json"),
        "context_pack_summary": given.context_pack.model_dump(mode="json", exclude={"text"}),
        "evidence_blocks": [block.model_dump(mode="json") for block in given.evidence_blocks],
        "notices": [n.model_dump(mode="json") for n in given.notices],
    }


def _cache_hit(result: SearchResult) -> bool | None:
    """Return whether the query's vector came from a cache; None when it was not embedded."""
    embedded = next((s.details.get("embedded") for s in result.trace if s.stage == "query"), None)
    return embedded.get("query") != "model" if isinstance(embedded, dict) else None
