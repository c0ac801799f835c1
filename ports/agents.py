"""Ports: the three agents of a host pipeline."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from ..domain.chunks import RuleChunk


@dataclass(frozen=True, slots=True)
class Finding:
    """What an agent has to say about a paragraph or a relation.

    Attributes:
        message: One sentence for a person.
        chunk_id: The rule it rests on, "" for a remark on the work itself ("the model is unavailable").
        severity: error (a rule is broken) or info.
    """

    message: str
    chunk_id: str
    severity: Literal["error", "info"] = "error"


@dataclass(frozen=True, slots=True)
class ChapterTask:
    """A chapter to write.

    Attributes:
        title: Chapter title ("機能一覧").
        topics: What the writer needs rules for; each is one search.
        elements: Ids of elements it is about ("F001").
        relation: What the impact agent shall look into ("F001 と TB001 の関係").
        draft: For a revision: the text that the findings are about, "" at first.
    """

    title: str
    topics: tuple[str, ...] = ()
    elements: tuple[str, ...] = ()
    relation: str = ""
    draft: str = ""


@dataclass(frozen=True, slots=True)
class RulePack:
    """Rules for an agent.

    Attributes:
        chunks: The rules, best first.
        text: The same as prompt text.
        overruled: Hashes of rule sentences that lost a decision in this session; they do not hold.
    """

    chunks: tuple[RuleChunk, ...]
    text: str
    overruled: frozenset[str] = frozenset()


@runtime_checkable
class WriterAgent(Protocol):
    """Writes a chapter from the rules given."""

    def write(self, task: ChapterTask, rules: RulePack, findings: Sequence[Finding] = ()) -> str:
        """Return the chapter's text; `findings` come from an earlier QA round."""
        ...


@runtime_checkable
class ImpactAgent(Protocol):
    """Infers what a chapter means for related elements."""

    def infer(self, task: ChapterTask, draft: str, rules: RulePack) -> Sequence[Finding]:
        """Return what the design rules say about the draft."""
        ...


@runtime_checkable
class QaAgent(Protocol):
    """Checks a chapter against rules."""

    def check(self, task: ChapterTask, draft: str, rules: RulePack) -> Sequence[Finding]:
        """Return broken rules; empty when the draft obeys them all."""
        ...
