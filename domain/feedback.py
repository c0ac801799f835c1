"""What people say of searches afterwards, and what can be learnt from it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .chunks import Category
from .search import Agent

Verdict = Literal["ok", "missed", "broken"]
"""The rule was found and obeyed; it did not play the part it should; it was at hand and the text breaks it."""
VERDICTS: tuple[Verdict, ...] = ("ok", "missed", "broken")


class ExpectedRule(BaseModel):
    """The rule that should have counted, by its chunk or by document and strings that its text holds.

    Attributes:
        chunk_id: A chunk of some version, "" when it is named by document.
        doc: Name of the document.
        contains: Strings that the rule's text holds, all of them.
        content_hash: Of the chunk, so that it is known again in later versions.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    chunk_id: str = ""
    doc: str = ""
    contains: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    content_hash: str = ""

    @model_validator(mode="after")
    def _names_something(self) -> "ExpectedRule":
        if not self.chunk_id and not (self.doc and self.contains):
            raise ValueError("a rule is named by chunk_id, or by doc and contains")  # pydantic's way
        return self


class FeedbackRecord(BaseModel):
    """One remark.

    Attributes:
        feedback_id: Its identity.
        created_at: ISO 8601, UTC.
        query: What was searched.
        agent: Who searched.
        category: What was searched, None for what the agent reads.
        expected: The rule that should have counted.
        verdict: How it went.
        trace_id: The search, "" when it is not known.
        note: In words.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    feedback_id: str
    created_at: str
    query: Annotated[str, Field(min_length=1)]
    agent: Agent = "qa"
    category: Category | None = None
    expected: ExpectedRule
    verdict: Verdict = "missed"
    trace_id: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Miss:
    """A search that did not find the expected rule: words of both sides, as they are written there."""

    query_terms: frozenset[str]
    rule_terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class SynonymProposal:
    """Two words that may mean the same: one that people ask with, one that the rules use.

    Attributes:
        asked: Word of the queries.
        written: Word of the rules.
        misses: Searches that it would have helped.
        strength: 0 to 1: how often the two meet, of the times that either occurs.
    """

    asked: str
    written: str
    misses: int
    strength: float


def propose_synonyms(
    misses: Sequence[Miss], rarity: Callable[[str], float], *, least: int = 2, most: int = 20
) -> list[SynonymProposal]:
    """Return pairs of words that keep meeting in searches that missed, the best first.

    A word that both sides have needs no synonym. A pair is as strong as its Dice coefficient over the misses; among
    equals the rarer words come first, since common ones meet by chance.

    Args:
        misses: Searches without the expected rule.
        rarity: Weight of a word, greater for rarer ones.
        least: Misses in which a pair must meet.
        most: Pairs returned.
    """
    asked: Counter[str] = Counter()
    written: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for miss in misses:
        only_asked, only_written = miss.query_terms - miss.rule_terms, miss.rule_terms - miss.query_terms
        asked.update(only_asked)
        written.update(only_written)
        both.update((a, b) for a in only_asked for b in only_written)
    found: dict[str, list[SynonymProposal]] = defaultdict(list)
    for (a, b), count in both.items():
        if count >= least:
            found[a].append(SynonymProposal(a, b, count, 2 * count / (asked[a] + written[b])))
    best = [max(pairs, key=lambda p: (p.strength, rarity(p.written), p.written)) for pairs in found.values()]
    best.sort(key=lambda p: (-p.strength * p.misses, -rarity(p.asked) - rarity(p.written), p.asked))
    return best[:most]
