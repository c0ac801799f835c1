"""Ports: the three agents of a host pipeline."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Finding:
    """What an agent has to say about a paragraph or a relation.

    Attributes:
        message: One sentence for a person.
        chunk_id: The rule it rests on.
        severity: error (a rule is broken) or info.
    """

    message: str
    chunk_id: str
    severity: str = "error"


@dataclass(frozen=True, slots=True)
class ChapterTask:
    """A chapter to write.

    Attributes:
        title: Chapter title ("機能一覧").
        intent: What the chapter is for, in a sentence.
        elements: Ids of elements it is about ("F001").
    """

    title: str
    intent: str = ""
    elements: tuple[str, ...] = ()


@runtime_checkable
class WriterAgent(Protocol):
    """Writes a chapter from the rules given."""

    def write(self, task: ChapterTask, rules: str, findings: Sequence[Finding] = ()) -> str:
        """Return the chapter's text; `rules` is assembled context, `findings` come from an earlier QA round."""
        ...


@runtime_checkable
class ImpactAgent(Protocol):
    """Infers what a chapter means for related elements."""

    def infer(self, task: ChapterTask, draft: str, rules: str) -> Sequence[Finding]:
        """Return what the design rules say about the draft."""
        ...


@runtime_checkable
class QaAgent(Protocol):
    """Checks a chapter against rules."""

    def check(self, task: ChapterTask, draft: str, rules: str) -> Sequence[Finding]:
        """Return broken rules; empty when the draft obeys them all."""
        ...
