"""The one entrance for agents: search under a session's version (requirements, rag-layer §8.2)."""

import difflib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..config.settings import Settings
from ..domain.chunks import as_category
from ..domain.conflicts import ConflictGroup
from ..domain.errors import HandbookCorruptError, RetrievalError, SessionError
from ..domain.minimum_rules import minimum_rules
from ..domain.names import BUILTIN_VERSION
from ..domain.notices import Language, notice
from ..domain.partitions import known_partitions
from ..domain.search import (
    AGENT_CATEGORIES,
    AGENTS,
    Agent,
    ScoredChunk,
    SearchContext,
    SearchRequest,
    SearchResult,
    StageTrace,
)
from ..plugins.lifecycle import HeardQuery, Lifecycle, PluginFailure, silent
from ..ports.handbook_store import HandbookStore
from ..ports.session_store import InvocationRecord, SessionStore
from .conflicts import ConflictHandler
from .retrieval.engine import RetrievalEngine
from .retrieval.scope import Scope
from .retrieval.state import RetrievalState
from .retrieval.version import OpenVersions
from .sessions import SessionVersion


@dataclass(frozen=True, slots=True)
class ServiceTools:
    """What the service needs from outside."""

    handbook: HandbookStore
    versions: OpenVersions
    engine: RetrievalEngine
    sessions: SessionStore
    locks: SessionVersion
    conflicts: ConflictHandler
    settings: Settings
    language: Language
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    lifecycle: Lifecycle = field(default_factory=silent)


class RagService:
    """Searches a handbook for the agents."""

    def __init__(self, tools: ServiceTools) -> None:
        self._tools = tools

    def search(
        self,
        *,
        session_id: str | None,
        query: str,
        category: str | None = None,
        top_k: int | None = None,
        agent: str,
        context: SearchContext | None = None,
        version: str | None = None,
        partitions: Sequence[str] = (),
        record: bool = True,
    ) -> SearchResult:
        """Search the rules for an agent.

        Args:
            session_id: The session; one that is not locked yet is locked to the active version now. None searches
                outside any session.
            query: What is asked.
            category: write, design or ref; None for what the agent reads (writer: write; impact: design, for
                redesign also ref; qa: write and design).
            top_k: How many chunks; None for the setting of the chapter type, else `retrieval.top_k`.
            agent: writer, impact or qa.
            context: Chapter, elements, intent, paragraph of the caller.
            version: Outside a session only: the version to search, None for the active one.
            partitions: Parts of the handbook to search; none for all of it, or for those that the query mentions when
                `partitions.match_query` is set.
            record: Store the search in the session database.

        Returns:
            Chunks best first, conflicts among them, notices, trace.

        Raises:
            RetrievalError: Agent, category or partition is unknown, or the query is empty.
            SessionError: `version` contradicts the session's.
            UnknownVersionError: That version does not exist.
            HandbookCorruptError: Both channels are damaged.
        """
        request = self._request(query, agent, category, top_k, context or SearchContext(), session_id)
        name = self._version(session_id, version)
        if partitions:
            known = () if name == BUILTIN_VERSION else self._tools.versions.get(name).manifest.partitions
            request = request.model_copy(update={"partitions": known_partitions(partitions, known)})
        heard = self._tools.lifecycle.before_search(request)
        asked = request if heard.query == request.query else request.model_copy(update={"query": heard.query})
        if name == BUILTIN_VERSION:
            result = self._minimum(asked)
        else:
            state = self._tools.engine.run(self._tools.versions.get(name), asked)
            result = self._result(name, asked, state)
        result = self._heard(result, request, heard)
        # A look around outside a session, where nothing was ever built, leaves no folder behind.
        if record and (session_id is not None or name != BUILTIN_VERSION):
            result = self._recorded(result, session_id)
        failures = self._tools.lifecycle.after_search(result, session_id)
        return self._noted(result, failures) if failures else result

    def warm_up(
        self,
        partitions: Sequence[str] = (),
        *,
        categories: Sequence[str] = ("write", "design"),
        version: str | None = None,
    ) -> dict[str, str]:
        """Load models, store and indexes now, so that the first search does not wait for them.

        Args:
            partitions: Whose keyword indexes; none for the indexes of whole categories.
            categories: Of the searches to come.
            version: None for the active one.

        Returns:
            What could not be loaded, and why; empty when all is well, or nothing was built yet.

        Raises:
            RetrievalError: A category or partition is unknown.
            UnknownVersionError: That version does not exist.
        """
        wanted = tuple(as_category(name) for name in categories)
        name = self._version(None, version)
        if name == BUILTIN_VERSION:
            return {}
        opened = self._tools.versions.get(name)
        parts = known_partitions(partitions, opened.manifest.partitions) if partitions else None
        scope = Scope(tuple(c for c in wanted if opened.has(c)), parts)
        return opened.load(scope, rerank=self._tools.settings.rerank.enabled)

    def search_many(self, requests: Sequence[dict[str, object]]) -> list[SearchResult]:
        """Search several topics of a chapter, in order; each entry holds the arguments of `search`."""
        return [self.search(**arguments) for arguments in requests]  # type: ignore[arg-type]  # checked by search

    def _request(  # noqa: PLR0917  # the arguments of search, checked in one place
        self,
        query: str,
        agent: str,
        category: str | None,
        top_k: int | None,
        context: SearchContext,
        session_id: str | None,
    ) -> SearchRequest:
        # A byte that is no UTF-8 on a command line arrives as a lone surrogate, which no model or database takes.
        text = query.encode("utf-8", "replace").decode().strip()
        if not text:
            raise RetrievalError("The query is empty.", hint="Say what rule you are looking for.")
        who = _agent(agent)
        most = 100
        if top_k is not None and not 1 <= top_k <= most:
            raise RetrievalError(f"top_k is {top_k}; it must lie between 1 and {most}.")
        categories = AGENT_CATEGORIES[who] if category is None else (as_category(category),)
        if category is None and who == "impact" and context.redesign:
            categories = (*categories, "ref")
        return SearchRequest(
            query=text,
            agent=who,
            categories=categories,
            top_k=top_k or self._chapter_top_k(context.chapter),
            context=context,
            session_id=session_id,
        )

    def _chapter_top_k(self, chapter: str) -> int:
        retrieval = self._tools.settings.retrieval
        return next((k for key, k in retrieval.chapter_top_k.items() if key in chapter), retrieval.top_k)

    def _version(self, session_id: str | None, version: str | None) -> str:
        if session_id is not None:
            return self._tools.locks.lock_version(session_id, version)
        if version is not None:
            return version
        pointer = self._tools.handbook.pointer()
        return pointer.version if pointer else BUILTIN_VERSION

    def _minimum(self, request: SearchRequest) -> SearchResult:
        rules = [rule for category in request.categories for rule in minimum_rules(category)]
        chunks = tuple(
            ScoredChunk(**dict(rule), rank=rank, score=0.0, fused=0.0)
            for rank, rule in enumerate(rules[: request.top_k], start=1)
        )
        state = RetrievalState(request, chunks=chunks)
        state = state.with_notice(notice("no_rule_constraints", self._tools.language))
        return self._result(BUILTIN_VERSION, request, state)

    def _result(self, version: str, request: SearchRequest, state: RetrievalState) -> SearchResult:
        if not state.chunks and {"embedding_unavailable", "keyword_unavailable"} <= {n.code for n in state.notices}:
            causes = "; ".join(n.detail for n in state.notices if n.detail)
            raise HandbookCorruptError(
                f"Version {version} cannot be searched at all: {causes}",
                hint="Roll back to another version, or build again.",
            )
        conflicts: tuple[ConflictGroup, ...] = ()
        if self._tools.settings.conflicts.enabled and version != BUILTIN_VERSION and not state.refused:
            state, conflicts = self._detect(request, state)
        return SearchResult(
            chunks=() if state.refused else state.chunks,
            conflicts=conflicts,
            notices=state.notices,
            version=version,
            query=request.query,
            agent=request.agent,
            categories=request.categories,
            refused=state.refused,
            gate=state.gate,
            no_rule_constraints=version == BUILTIN_VERSION,
            trace_id=self._tools.new_id(),
            trace=state.trace,
        )

    def _detect(
        self, request: SearchRequest, state: RetrievalState
    ) -> tuple[RetrievalState, tuple[ConflictGroup, ...]]:
        """Look for conflicts; a fault there is told and never takes the search down."""
        began = time.perf_counter()
        conflicts: tuple[ConflictGroup, ...] = ()
        details: dict[str, object] = {}
        try:
            found = self._tools.conflicts.examine(state.chunks, request.session_id, request.context.chapter)
            conflicts = found.groups
            details = {"conflicts": [c.conflict_id for c in conflicts]}
            if found.dropped:
                details["dropped"] = [{"topic": g.topic, "reason": reason} for g, reason in found.dropped]
            if found.judge_failure:
                details["judge"] = f"unavailable: {found.judge_failure}"
                warning = notice("conflict_judge_unavailable", self._tools.language, found.judge_failure)
                state = state.with_notice(warning)
        except Exception as error:  # noqa: BLE001  # whatever a lexicon or rule text provokes, the rules are returned
            state = state.with_notice(notice("conflicts_unavailable", self._tools.language, str(error)))
            details = {"degraded": f"{type(error).__name__}: {error}"}
        trace = StageTrace(
            stage="conflicts",
            milliseconds=(time.perf_counter() - began) * 1000,
            incoming=len(state.chunks),
            outgoing=len(conflicts),
            details=details,
        )
        return replace(state, trace=(*state.trace, trace)), conflicts

    def _heard(self, result: SearchResult, request: SearchRequest, heard: HeardQuery) -> SearchResult:
        """Return the result with what plugins did to the query; it keeps the query as the caller gave it."""
        if not heard.changed_by and not heard.failures:
            return result
        details: dict[str, object] = {"query": heard.query, "changed_by": list(heard.changed_by)}
        if heard.failures:
            details["failed"] = [f"{f.plugin}: {f.cause}" for f in heard.failures]
        stage = StageTrace(stage="before_search", milliseconds=0.0, incoming=1, outgoing=1, details=details)
        told = result.model_copy(update={"query": request.query, "trace": (stage, *result.trace)})
        return self._noted(told, heard.failures)

    def _noted(self, result: SearchResult, failures: Sequence[PluginFailure]) -> SearchResult:
        notices = [notice("plugin_failed", self._tools.language, f"{f.plugin}: {f.hook}: {f.cause}") for f in failures]
        return result.model_copy(update={"notices": (*result.notices, *notices)})

    def _recorded(self, result: SearchResult, session_id: str | None) -> SearchResult:
        """Store the search; a full or broken database is told and takes no result away."""
        try:
            self._record(result, session_id)
        except SessionError as error:
            warning = notice("recording_failed", self._tools.language, error.message)
            return result.model_copy(update={"notices": (*result.notices, warning)})
        return result

    def _record(self, result: SearchResult, session_id: str | None) -> None:
        details = {
            "stages": [stage.model_dump(mode="json") for stage in result.trace],
            "notices": [n.model_dump(mode="json") for n in result.notices],
            "conflicts": [c.conflict_id for c in result.conflicts],
            "chunks": [{"chunk_id": c.chunk_id, "source_uri": c.source_uri, "score": c.score} for c in result.chunks],
        }
        self._tools.sessions.add_invocation(
            InvocationRecord(
                trace_id=result.trace_id,
                session_id=session_id,
                created_at=self._tools.clock().isoformat(timespec="milliseconds"),
                version=result.version,
                agent=result.agent,
                query=result.query,
                chunk_ids=tuple(c.chunk_id for c in result.chunks),
                refused=result.refused,
                milliseconds=result.milliseconds,
                retrieval_details=json.dumps(details, ensure_ascii=False),
                gate=result.gate or "",
                categories=result.categories,
            )
        )


def _agent(name: str) -> Agent:
    for agent in AGENTS:
        if agent == name.strip().lower():
            return agent
    near = difflib.get_close_matches(name.lower(), AGENTS, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"Agents: {', '.join(AGENTS)}."
    raise RetrievalError(f"There is no agent {name!r}.", hint=hint)
