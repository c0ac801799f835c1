"""The one entrance for agents: search under a session's version (requirements, rag-layer §8.2)."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..config.settings import Settings
from ..domain.answers import Answer
from ..domain.chunks import as_category
from ..domain.conflicts import ConflictGroup
from ..domain.errors import HandbookCorruptError, RetrievalError
from ..domain.evidence import scale_of
from ..domain.minimum_rules import minimum_rules
from ..domain.names import BUILTIN_VERSION
from ..domain.notices import Language, notice
from ..domain.partitions import known_partitions
from ..domain.search import (
    AGENT_CATEGORIES,
    ScoredChunk,
    SearchArguments,
    SearchContext,
    SearchRequest,
    SearchResult,
    StageTrace,
)
from ..plugins.lifecycle import Lifecycle, PluginFailure, silent
from ..ports.chat_model import ChatModel
from ..ports.handbook_store import HandbookStore
from ..ports.session_store import SessionStore
from .answering import answer_attributes, answer_from, require_chat
from .asking import Asked, as_agent
from .conflicts import ConflictHandler
from .examination import examine
from .recorder import InvocationRecorder
from .retrieval.batch import prepare_together
from .retrieval.engine import RetrievalEngine
from .retrieval.fallback import search_with_fallback
from .retrieval.scope import Scope
from .retrieval.state import RetrievalState, Step
from .retrieval.version import OpenVersions
from .sessions import SessionVersion
from .watching import Watched, Watching


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
    watching: Watching | None = None
    chat: Callable[[], ChatModel | None] = lambda: None


class RagService:
    """Searches a handbook for the agents."""

    def __init__(self, tools: ServiceTools) -> None:
        self._tools = tools
        price = tools.settings.embedding.price_per_million_tokens
        self._recorder = InvocationRecorder(tools.sessions, tools.clock, tools.language, price=price)
        self._watching = tools.watching or Watching((), tools.new_id)

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
        detect_conflicts: bool = True,
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
            detect_conflicts: Look for conflicts among the results, where `conflicts.enabled` is set.

        Returns:
            Chunks best first, conflicts among them, notices, trace.

        Raises:
            RetrievalError: Agent, category or partition is unknown, or the query is empty.
            SessionError: `version` contradicts the session's.
            UnknownVersionError: That version does not exist.
            HandbookCorruptError: Both channels are damaged.
        """
        arguments = SearchArguments(
            query=query,
            agent=agent,
            session_id=session_id,
            category=category,
            top_k=top_k,
            context=context or SearchContext(),
            version=version,
            partitions=tuple(partitions),
            record=record,
            detect_conflicts=detect_conflicts,
        )
        return self._searched(self._asked(arguments, self._request(arguments)))

    def _asked(self, arguments: SearchArguments, request: SearchRequest) -> Asked:
        """Settle version and partitions, and let plugins hear the query."""
        began = time.time()
        name = self._version(arguments.session_id, arguments.version)
        if arguments.partitions:
            known = () if name == BUILTIN_VERSION else self._tools.versions.get(name).manifest.partitions
            request = request.model_copy(update={"partitions": known_partitions(arguments.partitions, known)})
        heard = self._tools.lifecycle.before_search(request)
        asked = request if heard.query == request.query else request.model_copy(update={"query": heard.query})
        return Asked(request, asked, heard, name, arguments.record, arguments.detect_conflicts, began)

    def _searched(self, one: Asked, prepared: RetrievalState | None = None) -> SearchResult:
        with self._watching.of("search", one.request.session_id, one.began) as watched:
            return self._found(one, prepared, watched)

    def _found(self, one: Asked, prepared: RetrievalState | None, watched: Watched) -> SearchResult:
        tools, session_id = self._tools, one.request.session_id
        steps: tuple[Step, ...] = ()
        if one.version == BUILTIN_VERSION:
            result = self._minimum(one.asked, watched.trace_id)
        else:
            opened = tools.versions.get(one.version)
            state = search_with_fallback(
                tools.engine,
                opened,
                one.asked,
                reference=tools.settings.query.reference_threshold,
                scale=scale_of(opened.manifest.embedding.model),
                prepared=prepared,
            )
            steps = state.steps
            result = self._result(one.version, one.asked, state, watched.trace_id, detect=one.detect)
        result = self._heard(result, one)
        if one.record:
            result = self._recorder.record_search(result, session_id)
        failures = tools.lifecycle.after_search(result, session_id)
        result = self._noted(result, failures) if failures else result
        watched.found(result, steps)
        return result

    def answer(
        self,
        *,
        session_id: str | None,
        query: str,
        category: str | None = None,
        top_k: int | None = None,
        agent: str = "qa",
        context: SearchContext | None = None,
        version: str | None = None,
        partitions: Sequence[str] = (),
        record: bool = True,
    ) -> Answer:
        """Search, and let the chat model answer from the rules found, with citations that are checked.

        A gate that refused returns its message and calls no model; a model that fails leaves the rules, with a notice.

        Args:
            session_id: As for `search`.
            query: The question.
            category: As for `search`.
            top_k: As for `search`.
            agent: As for `search`.
            context: As for `search`.
            version: As for `search`.
            partitions: As for `search`.
            record: As for `search`.

        Raises:
            ConfigError: No chat model is configured; nothing was searched then.
            RetrievalError: As for `search`.
            SessionError: As for `search`.
            UnknownVersionError: As for `search`.
            HandbookCorruptError: As for `search`.
        """
        chat = require_chat(self._tools.chat())
        with self._watching.of("answer", session_id) as watched:
            result = self.search(
                session_id=session_id,
                query=query,
                category=category,
                top_k=top_k,
                agent=agent,
                context=context,
                version=version,
                partitions=partitions,
                record=record,
            )
            answer = answer_from(result, chat, self._tools.settings.chat, self._tools.language, query.strip())
            watched.found(result, text=answer.text, attributes=answer_attributes(answer))
            return answer

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

    def search_many(self, requests: Sequence[SearchArguments]) -> list[SearchResult]:
        """Search several topics of a chapter; queries and contexts that differ are embedded in one call.

        Every entry is checked before anything is searched, so that a wrong one loses no work. What can still fail then
        is the handbook, and that concerns all entries alike.

        Returns:
            One result per entry, in order.

        Raises:
            RetrievalError: An entry is wrong; the message says which.
            SessionError: As for `search`.
            UnknownVersionError: As for `search`.
            HandbookCorruptError: As for `search`.
        """
        checked = [(entry, self._numbered(number, entry)) for number, entry in enumerate(requests, start=1)]
        asked = [self._asked(entry, request) for entry, request in checked]
        tools = self._tools
        prepared = prepare_together(tools.engine, tools.versions, tools.settings, [(a.version, a.asked) for a in asked])
        return [self._searched(one, state) for one, state in zip(asked, prepared, strict=True)]

    def _numbered(self, number: int, entry: SearchArguments) -> SearchRequest:
        # Callers without a type checker pass what they have.
        given: object = entry
        if not isinstance(given, SearchArguments):
            raise RetrievalError(
                f"Entry {number} of search_many is a {type(given).__name__}.",
                hint="Pass kisoku.SearchArguments(query=…, agent=…).",
            )
        try:
            return self._request(entry)
        except RetrievalError as error:
            raise RetrievalError(f"Entry {number} of search_many: {error.message}", hint=error.hint) from error

    def _request(self, arguments: SearchArguments) -> SearchRequest:
        # A byte that is no UTF-8 on a command line arrives as a lone surrogate, which no model or database takes.
        text = arguments.query.encode("utf-8", "replace").decode().strip()
        if not text:
            raise RetrievalError("The query is empty.", hint="Say what rule you are looking for.")
        who, category, context = as_agent(arguments.agent), arguments.category, arguments.context
        most, top_k = 100, arguments.top_k
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
            session_id=arguments.session_id,
            category_named=category is not None,
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

    def _minimum(self, request: SearchRequest, trace_id: str) -> SearchResult:
        rules = [rule for category in request.categories for rule in minimum_rules(category)]
        chunks = tuple(
            ScoredChunk(**dict(rule), rank=rank, score=0.0, fused=0.0)
            for rank, rule in enumerate(rules[: request.top_k], start=1)
        )
        state = RetrievalState(request, chunks=chunks)
        state = state.with_notice(notice("no_rule_constraints", self._tools.language))
        return self._result(BUILTIN_VERSION, request, state, trace_id)

    def _result(
        self, version: str, request: SearchRequest, state: RetrievalState, trace_id: str, *, detect: bool = True
    ) -> SearchResult:
        if not state.chunks and {"embedding_unavailable", "keyword_unavailable"} <= {n.code for n in state.notices}:
            # One that was pruned while this process had it open is no damage: this names the versions there are.
            self._tools.handbook.manifest(version)
            causes = "; ".join(n.detail for n in state.notices if n.detail)
            raise HandbookCorruptError(
                f"Version {version} cannot be searched at all: {causes}",
                hint="Roll back to another version, or build again.",
            )
        if version != BUILTIN_VERSION and (change := self._tools.versions.get(version).analyzer_change()):
            state = state.with_notice(notice("analyzer_changed", self._tools.language, change))
        conflicts: tuple[ConflictGroup, ...] = ()
        if detect and self._tools.settings.conflicts.enabled and version != BUILTIN_VERSION and not state.refused:
            examined = examine(
                self._tools.conflicts,
                state.chunks,
                request.session_id,
                request.context.chapter,
                self._tools.language,
            )
            conflicts = examined.conflicts
            for one in examined.notices:
                state = state.with_notice(one)
            state = replace(state, trace=(*state.trace, examined.trace))
        return SearchResult(
            chunks=() if state.refused else state.chunks,
            conflicts=conflicts,
            notices=state.notices,
            version=version,
            query=request.query,
            agent=request.agent,
            categories=state.request.categories,
            refused=state.refused,
            withheld=state.chunks[: request.top_k] if state.refused else (),
            gate=state.gate,
            no_rule_constraints=version == BUILTIN_VERSION,
            trace_id=trace_id,
            trace=state.trace,
            query_transform=state.understood,
            attempts=state.attempts,
            fallback_reason=state.fallback_reason,
        )

    def _heard(self, result: SearchResult, one: Asked) -> SearchResult:
        """Return the result with what plugins did to the query; it keeps the query as the caller gave it."""
        heard = one.heard
        if not heard.changed_by and not heard.failures:
            return result
        details: dict[str, object] = {"query": heard.query, "changed_by": list(heard.changed_by)}
        if heard.failures:
            details["failed"] = [f"{f.plugin}: {f.cause}" for f in heard.failures]
        stage = StageTrace(
            stage="before_search",
            milliseconds=heard.milliseconds,
            incoming=1,
            outgoing=1,
            details=details,
            started=one.began,
        )
        told = result.model_copy(update={"query": one.request.query, "trace": (stage, *result.trace)})
        return self._noted(told, heard.failures)

    def _noted(self, result: SearchResult, failures: Sequence[PluginFailure]) -> SearchResult:
        notices = [notice("plugin_failed", self._tools.language, f"{f.plugin}: {f.hook}: {f.cause}") for f in failures]
        return result.model_copy(update={"notices": (*result.notices, *notices)})
