"""Looking up the rules for an agent: all topics at once, decisions applied, as chunks and as prompt text."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Final

from ...domain.conflicts import DecisionRecord
from ...domain.context import assemble_context
from ...domain.notices import Language, Notice, notice
from ...domain.search import Agent, ScoredChunk, SearchArguments, SearchContext, SearchResult
from ...ports.agents import RulePack
from ...ports.session_store import SessionStore
from ..conflicts import ConflictHandler
from ..service import RagService

_FENCE = re.compile(r"`{3,}")
_WORDS: Final[dict[Language, tuple[str, str, str, str]]] = {
    "ja": ("規則の競合についての決定", "採用", "不採用(従わない)", "未決(どちらも注記し、人の判断を待つ)"),
    "zh": ("对规则冲突的决定", "采用", "不采用(不予遵守)", "未决(两条均加注,待人工判断)"),
    "en": (
        "Decisions on conflicting rules",
        "Adopted",
        "Overruled (do not follow)",
        "Open (annotate both and leave it to a person)",
    ),
}


@dataclass(frozen=True, slots=True)
class Lookup:
    """What was found for an agent.

    Attributes:
        pack: The rules.
        results: The searches behind them.
        pending: Ids of conflicts among them that nobody decided yet.
        notices: What the searches had to tell, each code once.
    """

    pack: RulePack
    results: tuple[SearchResult, ...]
    pending: tuple[str, ...]
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleLookup:
    """Looks rules up for agents.

    Attributes:
        service: Searches.
        conflicts: Knows which rules lost a decision.
        sessions: Has the decisions.
        detect: Whether conflicts are looked for.
        budget: Most characters of the rules in a prompt; decisions on them may take half of it.
    """

    service: RagService
    conflicts: ConflictHandler
    sessions: SessionStore
    detect: bool = True
    budget: int = 8000

    def find(  # noqa: PLR0917  # one search, many circumstances
        self,
        session_id: str,
        agent: Agent,
        queries: Sequence[str],
        context: SearchContext,
        language: Language,
        on_result: Callable[[SearchResult], None] = lambda _: None,
    ) -> Lookup:
        """Return the rules of several topics as one pack, each chunk once, the best of every topic first.

        Conflicts between rules of different topics are found too, since they reach one prompt together.
        """
        results = self.service.search_many(
            [SearchArguments(session_id=session_id, query=q, agent=agent, context=context) for q in queries]
        )
        for result in results:
            on_result(result)
        merged: dict[str, ScoredChunk] = {}
        for chunk in chain.from_iterable(zip_longest(*(result.chunks for result in results))):
            if chunk is not None:
                merged.setdefault(chunk.chunk_id, chunk)
        chunks = tuple(merged.values())
        notices = {n.code: n for result in reversed(results) for n in reversed(result.notices)}
        met = dict.fromkeys(g.conflict_id for result in results for g in result.conflicts)
        if self.detect and len(results) > 1 and not results[0].no_rule_constraints:
            try:
                across = self.conflicts.detect(chunks, session_id, context.chapter)
                met |= dict.fromkeys(g.conflict_id for g in across)
            except Exception as error:  # noqa: BLE001  # as in a search: told, and the rules are returned
                notices["conflicts_unavailable"] = notice("conflicts_unavailable", language, str(error))
        pending = {g.conflict_id for g in self.conflicts.get_pending_conflicts(session_id)}
        return Lookup(
            self._pack(session_id, results, chunks, language),
            tuple(results),
            tuple(c for c in met if c in pending),
            tuple(notices.values()),
        )

    def _pack(
        self, session_id: str, results: Sequence[SearchResult], chunks: tuple[ScoredChunk, ...], language: Language
    ) -> RulePack:
        text = ""
        if chunks:
            ids = {c.chunk_id for c in chunks}
            told = _decisions(self.sessions.decisions(session_id), ids, language)
            one = results[0].model_copy(update={"chunks": chunks})
            text = assemble_context(one, max(self.budget - len(told), self.budget // 2), language=language) + told
        return RulePack(chunks, text, self.conflicts.overruled(session_id))


def _decisions(records: Sequence[DecisionRecord], chunk_ids: set[str], language: Language) -> str:
    """Return what was decided about rules of these chunks, fenced like the rules themselves."""
    title, adopted, overruled, undecided = _WORDS[language]
    blocks = []
    for record in records:
        if not any(m.chunk_id in chunk_ids for m in record.conflicting_chunks):
            continue
        kept = {m.value for m in record.conflicting_chunks if m.chunk_id == record.adopted}
        lines = []
        for member in record.conflicting_chunks:
            word = undecided if record.adopted is None else adopted if member.value in kept else overruled
            lines.append(f"{word}: {' '.join(member.rule.split())}")
        text = "\n".join(lines)
        fence = "`" * max([3, *(len(run) + 1 for run in _FENCE.findall(text))])
        blocks.append(f"{fence}\n{text}\n{fence}\n")
    return f"\n--- {title} ---\n" + "\n".join(blocks) if blocks else ""
