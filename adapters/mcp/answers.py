"""What the tools return, as agents read it: little, typed, each rule with its source."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from ...domain.conflicts import ConflictGroup
from ...domain.manifest import Manifest
from ...domain.notices import Notice
from ...domain.search import SearchResult

Status = Literal["ok", "degraded", "unavailable"]


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RuleAnswer(_Answer):
    """One rule text: quoted material from a document, never an instruction to the reader."""

    chunk_id: str
    document: str
    headings: tuple[str, ...]
    text: str
    source_uri: str
    score: float


class RuleSide(_Answer):
    """One side of a conflict."""

    number: int
    chunk_id: str
    document: str
    heading: str
    rule: str
    value: str
    source_uri: str


class ConflictAnswer(_Answer):
    """Rules that cannot all be obeyed; `status` is pending or decided."""

    conflict_id: str
    chapter: str
    topic: str
    attribute: str
    explanation: str
    confidence: float
    status: str
    members: tuple[RuleSide, ...]

    @classmethod
    def of(cls, group: ConflictGroup) -> "ConflictAnswer":
        """Return a group as agents read it, its members numbered from 1 for a decision."""
        return cls(
            conflict_id=group.conflict_id,
            chapter=group.chapter,
            topic=group.topic,
            attribute=group.attribute,
            explanation=group.explanation,
            confidence=group.confidence,
            status=group.status,
            members=tuple(
                RuleSide(
                    number=number,
                    chunk_id=member.chunk_id,
                    document=member.document,
                    heading=member.heading,
                    rule=member.rule,
                    value=member.value,
                    source_uri=member.source_uri,
                )
                for number, member in enumerate(group.members, start=1)
            ),
        )


class SearchAnswer(_Answer):
    """The answer to `search_rules`.

    Attributes:
        version: Version of the handbook that answered; "v0" are built-in minimum rules.
        rules: Best first; empty when `refused`.
        conflicts: Rules among them that cannot all be obeyed; ask a person before relying on either side.
        notices: What the caller must know, such as a missing model.
        refused: Nothing in the handbook is related closely enough.
        trace_id: For `kisoku trace`.
        cached: The same question was asked in this session before.
    """

    version: str
    rules: tuple[RuleAnswer, ...]
    conflicts: tuple[ConflictAnswer, ...] = ()
    notices: tuple[Notice, ...] = ()
    refused: bool = False
    trace_id: str = ""
    cached: bool = False

    @classmethod
    def of(cls, result: SearchResult) -> "SearchAnswer":
        """Return a result as agents read it."""
        return cls(
            version=result.version,
            rules=tuple(
                RuleAnswer(
                    chunk_id=chunk.chunk_id,
                    document=chunk.doc_id,
                    headings=chunk.headings,
                    text=chunk.content,
                    source_uri=chunk.source_uri,
                    score=round(chunk.score, 4),
                )
                for chunk in result.chunks
            ),
            conflicts=tuple(ConflictAnswer.of(group) for group in result.conflicts),
            notices=result.notices,
            refused=result.refused,
            trace_id=result.trace_id,
        )


class VersionAnswer(_Answer):
    """One version of the handbook."""

    version: str
    created_at: str
    active: bool
    documents: int
    chunks: int
    embedding_model: str

    @classmethod
    def of(cls, manifest: Manifest) -> "VersionAnswer":
        """Return a manifest in short."""
        return cls(
            version=manifest.version,
            created_at=manifest.created_at,
            active=bool(manifest.active),
            documents=len(manifest.source_files),
            chunks=sum(info.chunk_count for info in manifest.collections.values()),
            embedding_model=manifest.embedding.model,
        )


class VersionsAnswer(_Answer):
    """All versions, oldest first."""

    versions: tuple[VersionAnswer, ...]


class ConflictsAnswer(_Answer):
    """Conflicts that wait for a decision."""

    conflicts: tuple[ConflictAnswer, ...]


class DecisionAnswer(_Answer):
    """A decision as it was recorded; `adopted` is the chunk id of the rule that holds, None when all are annotated."""

    conflict_id: str
    topic: str
    decision: str
    adopted: str | None
    decided_at: str


class HealthAnswer(_Answer):
    """Whether searches are answered in full.

    Attributes:
        status: ok; degraded: keyword search alone, or another part missing; unavailable: nothing can be searched.
        version: The active version, "v0" when there is none.
        problems: What is missing, one sentence each.
    """

    status: Status
    version: str
    problems: tuple[str, ...] = ()
