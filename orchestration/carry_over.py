"""Decisions of one session carried to another (spec: conflicts; requirements, rag-layer §7.5)."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..domain.chunks import CATEGORIES, RuleChunk
from ..domain.conflicts import ConflictGroup, ConflictMember, DecisionRecord, rule_hash
from ..domain.constraints.splitting import split_rules
from ..domain.errors import SessionError
from ..domain.names import BUILTIN_VERSION
from ..ports.handbook_store import HandbookStore
from ..ports.session_store import SessionStore
from .conflicts import ADOPT, ANNOTATE, conflict_id, rule_text
from .sessions import SessionVersion


@dataclass(frozen=True, slots=True)
class LapsedDecision:
    """A decision that does not hold any more.

    Attributes:
        decision: As it was taken.
        missing: The rules that the other session's version does not have in these words.
    """

    decision: DecisionRecord
    missing: tuple[ConflictMember, ...]


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """What became of the decisions of a session in another one.

    Attributes:
        carried: Records as the other session has them now: its own ids, chunks of its version.
        known: Records left alone, since the other session has decided the same conflict already.
        lapsed: Decisions on rules that changed or are gone.
    """

    carried: tuple[DecisionRecord, ...]
    known: tuple[DecisionRecord, ...]
    lapsed: tuple[LapsedDecision, ...]


@dataclass(frozen=True, slots=True)
class DecisionCarrier:
    """Carries decisions from one session to another."""

    handbook: HandbookStore
    sessions: SessionStore
    locks: SessionVersion

    def carry_over(self, source: str, target: str) -> CarriedOver:
        """Carry the decisions of a session to another.

        A decision rests on the sentences that a person read. It is carried where the version of the other session still
        has each of them in the same document, in whatever chunk; where one was edited or is gone it lapses, and the
        conflict is asked again when it is met.

        Args:
            source: The session in which was decided.
            target: The session to go on with; one that is not locked yet is locked to the active version.

        Raises:
            SessionError: The first session is unknown, or both are the same.
        """
        if source == target:
            raise SessionError(f"Session {source!r} cannot be carried over to itself.")
        self.locks.get_locked_version(source)
        decisions = self.sessions.decisions(source)
        version = self.locks.lock_version(target)
        documents = {m.document for record in decisions for m in record.conflicting_chunks}
        places = self._places(version, documents)
        before = {record.conflict_id for record in self.sessions.decisions(target)}
        carried, known, lapsed = [], [], []
        for record in decisions:
            missing = tuple(m for m in record.conflicting_chunks if m.rule_hash not in places)
            if missing:
                lapsed.append(LapsedDecision(record, missing))
                continue
            group, moved = _moved(record, target, places)
            if group.conflict_id in before:
                known.append(moved)
                continue
            self.sessions.add_conflict(group)
            self.sessions.add_decision(moved)
            carried.append(moved)
        return CarriedOver(tuple(carried), tuple(known), tuple(lapsed))

    def _places(self, version: str, documents: Iterable[str]) -> dict[str, RuleChunk]:
        """Return where each rule of some documents stands in a version, by its hash."""
        wanted = set(documents)
        if version == BUILTIN_VERSION or not wanted:
            return {}
        places: dict[str, RuleChunk] = {}
        for category in CATEGORIES:
            for chunk in self.handbook.chunks(version, category):
                if chunk.doc_id in wanted and not chunk.is_parent:
                    for rule in split_rules(rule_text(chunk)):
                        places.setdefault(rule_hash(chunk.doc_id, rule.quote), chunk)
        return places


def _moved(record: DecisionRecord, session: str, places: dict[str, RuleChunk]) -> tuple[ConflictGroup, DecisionRecord]:
    """Return the conflict and its decision as another session has them."""
    members = tuple(_member(m, places[m.rule_hash]) for m in record.conflicting_chunks)
    adopted = None
    if record.adopted is not None:
        old = [m.chunk_id for m in record.conflicting_chunks]
        adopted = members[old.index(record.adopted)].chunk_id
    group = ConflictGroup(
        session_id=session,
        chapter=record.chapter,
        topic=record.topic,
        attribute=record.attribute,
        members=members,
        confidence=1.0,  # a person has looked at it
        explanation=f"{record.attribute}: " + " / ".join(f"{m.value} ({m.document})" for m in members),
    )
    group = group.model_copy(update={"conflict_id": conflict_id(group, session)})
    moved = record.model_copy(
        update={
            "conflict_id": group.conflict_id,
            "session_id": session,
            "conflicting_chunks": members,
            "adopted": adopted,
            "user_decision": ANNOTATE if adopted is None else f"{ADOPT}{adopted}",
            "carried_from": record.carried_from or record.session_id,
        }
    )
    return group, moved


def _member(member: ConflictMember, chunk: RuleChunk) -> ConflictMember:
    return member.model_copy(
        update={
            "chunk_id": chunk.chunk_id,
            "content_hash": chunk.content_hash,
            "source_uri": chunk.source_uri,
            "heading": chunk.headings[-1] if chunk.headings else "",
        }
    )
