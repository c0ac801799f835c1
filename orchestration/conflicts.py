"""Conflicts between rules of one answer: detect, remember, decide (requirements, rag-layer §7)."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ..domain.chunks import RuleChunk
from ..domain.conflicts import ConflictGroup, DecisionRecord, RuleText
from ..domain.errors import ConflictError
from ..plugins.lifecycle import Lifecycle, silent
from ..ports.session_store import SessionStore
from .conflict_judge import ConflictJudge
from .conflict_similarity import EmbeddingSimilarity

Detector = Callable[[Sequence[RuleText]], Sequence[ConflictGroup]]
"""Finds conflicts among rule texts; pure."""
ANNOTATE = "annotate"
ADOPT = "adopt:"


def rule_text(chunk: RuleChunk) -> RuleText:
    """Return a chunk as the detector needs it."""
    return RuleText(
        key=chunk.chunk_id,
        document=chunk.doc_id,
        headings=chunk.headings,
        text=chunk.content,
        content_hash=chunk.content_hash,
        source_uri=chunk.source_uri,
    )


@dataclass(frozen=True, slots=True)
class Detection:
    """What was found among some chunks.

    Attributes:
        groups: Conflicts.
        dropped: Groups that a second opinion holds to be compatible, with its reason.
        model_failure: Why a model that helps (second opinion, closeness of clauses) could not be heard; "" for none.
    """

    groups: tuple[ConflictGroup, ...]
    dropped: tuple[tuple[ConflictGroup, str], ...] = ()
    model_failure: str = ""


@dataclass(frozen=True, slots=True)
class ConflictHandler:
    """Detects conflicts for a session and takes decisions on them.

    Attributes:
        sessions: Where conflicts and decisions are kept.
        detector: Finds them.
        clock: Time of decisions.
        judge: Optional second opinion on conflicts that the session does not know yet.
        similarity: The optional closeness of clauses that the detector uses, asked here whether it works.
        lifecycle: Hears of conflicts and decisions.
    """

    sessions: SessionStore
    detector: Detector
    clock: Callable[[], datetime]
    judge: ConflictJudge | None = None
    similarity: EmbeddingSimilarity | None = None
    lifecycle: Lifecycle = field(default_factory=silent)

    def detect(
        self, chunks: Sequence[RuleChunk], session_id: str | None, chapter: str = ""
    ) -> tuple[ConflictGroup, ...]:
        """Return the conflicts among chunks; as `examine`, without what the second opinion dropped."""
        return self.examine(chunks, session_id, chapter).groups

    def examine(self, chunks: Sequence[RuleChunk], session_id: str | None, chapter: str = "") -> Detection:
        """Return the conflicts among chunks; in a session they are stored, and decided ones carry their status.

        The same rules met again in a session, also through other chunks or together with further rules that say the
        same as one of them, are the same conflict and are not asked twice. A further rule joins the record of a
        decision, so that it is overruled with its side.
        """
        found = self.detector([rule_text(c) for c in chunks])
        known = list(self.sessions.conflicts(session_id)) if session_id and found else []
        decided = {r.conflict_id: r for r in self.sessions.decisions(session_id)} if session_id and known else {}
        groups: dict[str, ConflictGroup] = {}
        new = []
        for group in found:
            earlier = next((g for g in known if group.asks_again(decided.get(g.conflict_id, g))), None)
            if earlier is None:
                new.append(group)
                continue
            groups.setdefault(earlier.conflict_id, earlier)
            if earlier.conflict_id in decided:
                self._join(decided[earlier.conflict_id], group)
        judgement = self.judge.judge(new) if self.judge and new else None
        fresh: list[ConflictGroup] = []
        for group in judgement.kept if judgement else new:
            named = group.model_copy(
                update={
                    "conflict_id": conflict_id(group, session_id or ""),
                    "session_id": session_id or "",
                    "chapter": chapter if session_id else "",
                }
            )
            if session_id:
                self.sessions.add_conflict(named)
            if groups.setdefault(named.conflict_id, named) is named:
                fresh.append(named)
        self.lifecycle.conflicts_found(session_id, chapter, fresh)
        failures = [judgement.failure if judgement else "", self.similarity.failure if self.similarity else ""]
        return Detection(
            tuple(groups.values()),
            judgement.dropped if judgement else (),
            "; ".join(failure for failure in failures if failure),
        )

    def _join(self, record: DecisionRecord, group: ConflictGroup) -> None:
        """Add the rules of a group that a decision does not name yet."""
        named = {member.rule_hash for member in record.conflicting_chunks}
        further = tuple(member for member in group.members if member.rule_hash not in named)
        if further:
            members = (*record.conflicting_chunks, *further)
            self.sessions.add_decision(record.model_copy(update={"conflicting_chunks": members}))

    def get_pending_conflicts(self, session_id: str) -> list[ConflictGroup]:
        """Return what waits for a decision in a session, oldest first."""
        return [g for g in self.sessions.conflicts(session_id) if g.status == "pending"]

    def get_conflict(self, conflict_id: str) -> ConflictGroup:
        """Return a conflict that was met in a session.

        Raises:
            ConflictError: There is none of that id.
        """
        group = self.sessions.find_conflict(conflict_id)
        if group is None:
            raise ConflictError(
                f"There is no conflict {conflict_id!r}.", hint="List them: kisoku conflicts list SESSION"
            )
        return group

    def resolve_conflict(self, conflict_id: str, decision: str, *, resolution_uri: str = "") -> DecisionRecord:
        """Take a decision.

        Args:
            conflict_id: The conflict.
            decision: A member to adopt (its chunk id, its document's name when only one member is of it, or its
                number from 1, each with or without `adopt:` before it), or `annotate` to mark all for a human.
            resolution_uri: Where in the generated document it takes effect.

        Raises:
            ConflictError: The conflict is unknown or the decision names none of its members.
        """
        group = self.get_conflict(conflict_id)
        adopted = _adopted(group, decision)
        record = DecisionRecord(
            conflict_id=conflict_id,
            session_id=group.session_id,
            chapter=group.chapter,
            topic=group.topic,
            attribute=group.attribute,
            conflicting_chunks=group.members,
            user_decision=ANNOTATE if adopted is None else f"{ADOPT}{adopted}",
            adopted=adopted,
            decided_at=self.clock().isoformat(timespec="seconds"),
            resolution_uri=resolution_uri,
        )
        self.sessions.add_decision(record)
        self.lifecycle.conflict_resolved(record)
        return record

    def overruled(self, session_id: str) -> frozenset[str]:
        """Return hashes of rules that lost a decision in this session; QA raises no alarm on them."""
        lost: set[str] = set()
        for record in self.sessions.decisions(session_id):
            if record.adopted is None:
                continue
            kept = {m.value for m in record.conflicting_chunks if m.chunk_id == record.adopted}
            lost.update(m.rule_hash for m in record.conflicting_chunks if m.value not in kept)
        return frozenset(lost)


def conflict_id(group: ConflictGroup, session_id: str) -> str:
    """Return `c-` and 12 hex digits over session, attribute and the rules themselves."""
    rules = sorted({m.rule_hash or m.rule for m in group.members})
    digest = hashlib.sha256("\x00".join((session_id, group.attribute, *rules)).encode("utf-8", "surrogatepass"))
    return f"c-{digest.hexdigest()[:12]}"


def _adopted(group: ConflictGroup, decision: str) -> str | None:
    choice = decision.removeprefix(ADOPT).strip()
    if choice == ANNOTATE:
        return None
    if choice.isdecimal() and 1 <= int(choice) <= len(group.members):
        return group.members[int(choice) - 1].chunk_id
    named = [m.chunk_id for m in group.members if choice in {m.chunk_id, m.document}]
    if len(set(named)) == 1:
        return named[0]
    members = ", ".join(f"{i} ({m.document}: {m.value})" for i, m in enumerate(group.members, start=1))
    raise ConflictError(
        f"{decision!r} is no decision on {group.conflict_id}.", hint=f"Adopt one of {members}; or {ANNOTATE}."
    )
