"""The evidence-first tool of agents (requirements, evidence-lookup)."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..config.settings import LookupSettings
from ..domain.context import context_head, quoted_rule
from ..domain.errors import RetrievalError, SessionError
from ..domain.evidence import (
    CompletenessHint,
    ContextPack,
    EvidenceBlock,
    LookupResult,
    RerankTrace,
    RetrievalTrace,
    Scale,
)
from ..domain.evidence_ranking import BoostWeights, Candidate, rank_evidence, relevance
from ..domain.lookup_messages import LookupMessage, lookup_message
from ..domain.names import BUILTIN_VERSION
from ..domain.notices import Language, Notice, notice
from ..domain.search import ScoredChunk, SearchContext, SearchResult
from ..domain.snippets import Snippet, snippet
from ..domain.terms import TermFinder
from ..ports.session_store import GivenEvidence, SessionStore
from ..ports.telemetry import WatchedDocument
from .conflicts import ConflictHandler
from .examination import examine
from .recorder import InvocationRecorder
from .service import RagService
from .watching import Watching

_MOST_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class LookupTools:
    """What lookups need from outside.

    Attributes:
        service: Searches.
        sessions: Remembers what was given.
        recorder: Stores every lookup.
        settings: Section `lookup`.
        domains: What finds each domain's terms in names and headings.
        scale: Says what the cosines of a version mean.
        language: Of messages.
        clock: The time now.
        conflicts: Finds conflicts among what is given, None when that is switched off.
        watching: Tells watchers, None when nobody watches.
    """

    service: RagService
    sessions: SessionStore
    recorder: InvocationRecorder
    settings: LookupSettings
    domains: Mapping[str, TermFinder]
    scale: Callable[[str], Scale]
    language: Language
    clock: Callable[[], datetime]
    conflicts: ConflictHandler | None = None
    watching: Watching | None = None

    def examined(
        self, found: SearchResult, chunks: Sequence[ScoredChunk], session_id: str | None, chapter: str
    ) -> SearchResult:
        """Return a search with the conflicts among some of its chunks."""
        if self.conflicts is None or not chunks or found.version == BUILTIN_VERSION:
            return found
        seen = examine(self.conflicts, chunks, session_id, chapter, self.language)
        return found.model_copy(
            update={
                "conflicts": seen.conflicts,
                "notices": (*found.notices, *seen.notices),
                "trace": (*found.trace, seen.trace),
            }
        )


@dataclass(frozen=True, slots=True)
class _Packed:
    blocks: tuple[EvidenceBlock, ...]
    pack: ContextPack
    repeated: int


class KnowledgeLookup:
    """Answers questions of agents with evidence, each piece once a session."""

    def __init__(self, tools: LookupTools) -> None:
        self._tools = tools

    def lookup_knowledge(
        self,
        query: str,
        session_id: str | None = None,
        *,
        agent: str = "qa",
        category: str | None = None,
        context: SearchContext | None = None,
        version: str | None = None,
        partitions: Sequence[str] = (),
        blocks: int | None = None,
        budget: int | None = None,
    ) -> LookupResult:
        """Return evidence for a question.

        Args:
            query: What is asked.
            session_id: The session; what was given in it is not given again. None remembers nothing.
            agent: writer, impact or qa.
            category: write, design or ref; None for what the agent reads.
            context: What the caller is doing.
            version: Outside a session only: the version to search, None for the active one.
            partitions: Parts of the handbook to search.
            blocks: Most blocks; None for `lookup.blocks`.
            budget: Most characters of the context pack; None for `lookup.budget`.

        Returns:
            Evidence with its traces. `found` is false when nothing was found, when a gate refused, and when all of it
            was given earlier in this session; then there is no evidence to consume.

        Raises:
            RetrievalError: An argument is wrong.
            SessionError: The session is locked to another version.
            UnknownVersionError: That version does not exist.
            HandbookCorruptError: The version cannot be searched at all.
        """
        settings = self._tools.settings
        most = settings.blocks if blocks is None else blocks
        room = settings.budget if budget is None else budget
        if not 1 <= most <= _MOST_CANDIDATES:
            raise RetrievalError(f"blocks is {most}; it must lie between 1 and {_MOST_CANDIDATES}.")
        if room < 1:
            raise RetrievalError(f"budget is {room}; it must be at least 1 character.")
        with contextlib.ExitStack() as stack:
            watching = self._tools.watching
            watched = None if watching is None else stack.enter_context(watching.of("lookup", session_id))
            found = self._tools.service.search(
                session_id=session_id,
                query=query,
                category=category,
                top_k=min(_MOST_CANDIDATES, max(settings.candidates, most)),
                agent=agent,
                context=context,
                version=version,
                partitions=partitions,
                record=False,
                detect_conflicts=False,
            )
            result, found = self._result(found, session_id, most, room, (context or SearchContext()).chapter)
            result = self._tools.recorder.record_lookup(found, result, session_id)
            if watched is not None:
                found = found.model_copy(update={"notices": result.notices})
                attributes = {
                    "kisoku.evidence_status": result.evidence_status,
                    "kisoku.relevance_level": result.relevance_level,
                    "kisoku.completeness_hint": result.completeness_hint,
                }
                text = result.context_pack.text or result.message
                watched.found(found, documents=_watched(result), text=text, attributes=attributes)
            return result

    def _result(
        self, found: SearchResult, session_id: str | None, most: int, budget: int, chapter: str
    ) -> tuple[LookupResult, SearchResult]:
        """Return the evidence, and the search with the conflicts among what it gives."""
        tools = self._tools
        weights = BoostWeights(tools.settings.domain_boost, tools.settings.keyword_boost, tools.settings.entity_boost)
        candidates, ranking = rank_evidence(
            found.chunks,
            found.query_transform,
            domains=tools.domains,
            scale=tools.scale(found.version),
            weights=weights,
        )
        # Rules that were only looked at do not stop anybody; those given earlier still hold against new ones.
        found = tools.examined(found, [candidate.chunk for candidate in candidates[:most]], session_id, chapter)
        notices: list[Notice] = list(found.notices)
        given: Sequence[GivenEvidence] = ()
        if session_id is not None:
            try:
                given = tools.sessions.given_evidence(session_id)
            except SessionError as error:
                notices.append(notice("recording_failed", tools.language, error.message))
        packed = self._packed(candidates[:most], found, given, budget)
        if session_id is not None and packed.blocks:
            packed, failed = self._claimed(packed, session_id, found)
            notices.extend(failed)
        domains = [*(g.domain for g in given), *(b.domain for b in packed.blocks)]
        status, hint, message = _outcome(packed, found)
        result = LookupResult(
            found=bool(packed.blocks),
            evidence_status=(
                "evidence" if packed.blocks else "already_given" if status == "already_given" else "no_evidence"
            ),
            evidence_blocks=packed.blocks,
            context_pack=packed.pack,
            retrieval_trace=retrieval_trace(found),
            rerank_trace=_rerank_trace(found).model_copy(update={"ranking": ranking}),
            relevance_level=relevance(candidates[:most], found.query_transform),
            completeness_hint=hint,
            retrieved_domains_this_session=tuple(dict.fromkeys(domains)),
            message=lookup_message(
                message,
                tools.language,
                version=found.version,
                count=len(packed.blocks),
                left=packed.repeated if message == "repeated" else packed.pack.left_out,
                gate=found.gate,
            ),
            conflicts=found.conflicts,
            notices=tuple({n.code: n for n in notices}.values()),
            version=found.version,
            trace_id=found.trace_id,
        )
        return result, found

    def _packed(
        self, candidates: Sequence[Candidate], found: SearchResult, given: Sequence[GivenEvidence], budget: int
    ) -> _Packed:
        """Pack new evidence, best first, as far as it fits; what does not fit is not given."""
        understood, language = found.query_transform, self._tools.language
        terms: tuple[str, ...] = (found.query,)
        if understood is not None:
            terms = (*understood.keywords, *(e.text for e in understood.entities), *understood.expansion)
        text = context_head(found.version, language)
        blocks: list[EvidenceBlock] = []
        repeated = left_out = 0
        for candidate in candidates:
            chunk = candidate.chunk
            part = snippet(chunk.content, terms, self._tools.settings.snippet_characters)
            if any(g.covers(chunk.content_hash, part.start, part.end) for g in given):
                repeated += 1
                continue
            source = candidate.sources[0].source_uri
            longer = f"{text}\n{quoted_rule(chunk.headings, chunk.doc_id, part.text, source, language)}"
            if len(longer) > budget and not blocks:
                # The best evidence is shortened rather than left out.
                part = snippet(chunk.content, terms, max(1, len(part.text) - (len(longer) - budget) - 2))
                longer = f"{text}\n{quoted_rule(chunk.headings, chunk.doc_id, part.text, source, language)}"
            if len(longer) > budget:
                left_out += 1
                continue
            text = longer
            blocks.append(_block(candidate, part, len(blocks) + 1))
        pack = ContextPack(
            text=text if blocks else "",
            characters=len(text) if blocks else 0,
            budget=budget,
            chunk_ids=tuple(block.sources[0].chunk_id for block in blocks),
            left_out=left_out,
        )
        return _Packed(tuple(blocks), pack, repeated)

    def _claimed(self, packed: _Packed, session_id: str, found: SearchResult) -> tuple[_Packed, Sequence[Notice]]:
        """Note what is given; of two lookups at the same moment, one gives a block."""
        now = self._tools.clock().isoformat(timespec="milliseconds")
        records = [
            GivenEvidence(
                session_id=session_id,
                content_hash=block.content_hash,
                start=block.start,
                end=block.end,
                domain=block.domain,
                trace_id=found.trace_id,
                given_at=now,
            )
            for block in packed.blocks
        ]
        try:
            mine = self._tools.sessions.give_evidence(records)
        except SessionError as error:
            return packed, [notice("recording_failed", self._tools.language, error.message)]
        if all(mine):
            return packed, ()
        kept = [block for block, is_mine in zip(packed.blocks, mine, strict=True) if is_mine]
        blocks = tuple(block.model_copy(update={"rank": rank}) for rank, block in enumerate(kept, start=1))
        language = self._tools.language
        rules = [
            quoted_rule(b.headings, b.sources[0].document, b.text, b.sources[0].source_uri, language) for b in blocks
        ]
        text = "\n".join([context_head(found.version, language), *rules]) if rules else ""
        pack = packed.pack.model_copy(
            update={
                "text": text,
                "characters": len(text),
                "chunk_ids": tuple(block.sources[0].chunk_id for block in blocks),
            }
        )
        return _Packed(blocks, pack, packed.repeated + len(packed.blocks) - len(blocks)), ()


def _watched(result: LookupResult) -> list[WatchedDocument]:
    """Return what a lookup gives, for those who watch."""
    return [
        WatchedDocument(
            block.sources[0].chunk_id,
            block.score,
            block.text,
            {
                "rank": block.rank,
                "source": block.sources[0].source_uri,
                "document": block.sources[0].document,
                "headings": " > ".join(block.headings),
                "category": block.category,
                "domain": block.domain,
            },
        )
        for block in result.evidence_blocks
    ]


def _block(candidate: Candidate, part: Snippet, rank: int) -> EvidenceBlock:
    chunk = candidate.chunk
    return EvidenceBlock(
        rank=rank,
        text=part.text,
        headings=chunk.headings,
        sources=candidate.sources,
        category=chunk.category,
        kind=chunk.kind,
        domain=candidate.domain,
        score=candidate.score,
        similarity=candidate.similarity,
        boosts=candidate.boosts,
        content_hash=chunk.content_hash,
        start=part.start,
        end=part.end,
    )


def _outcome(packed: _Packed, found: SearchResult) -> tuple[str, CompletenessHint, LookupMessage]:
    """Return status, hint and message."""
    if packed.blocks:
        if packed.repeated:
            return "evidence", "already_given", "repeated"
        return ("evidence", "partial", "partial") if packed.pack.left_out else ("evidence", "complete", "found")
    if packed.repeated and not packed.pack.left_out:
        return "already_given", "already_given", "already_given"
    if found.refused:
        return "no_evidence", "none", "refused"
    # Nothing fits into the budget: there is evidence, but none that could be given.
    return (
        "no_evidence",
        "partial" if packed.pack.left_out else "none",
        "partial" if packed.pack.left_out else "no_evidence",
    )


def retrieval_trace(found: SearchResult) -> RetrievalTrace:
    """Return how a result was looked for."""
    return RetrievalTrace(
        selected_attempt=found.attempts[-1].name if found.attempts else None,
        fallback_reason=found.fallback_reason,
        attempts=found.attempts,
        query_transform=found.query_transform,
        gate=found.gate,
        stages=found.trace,
    )


def _rerank_trace(found: SearchResult) -> RerankTrace:
    details = next((stage.details for stage in reversed(found.trace) if stage.stage == "rerank"), {})
    return RerankTrace(
        model=str(details.get("model", "")),
        skipped=str(details.get("skipped", "")),
        degraded=str(details.get("degraded", "")),
        candidates=int(details.get("candidates", 0)),
    )
