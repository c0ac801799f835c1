"""One chapter: Writer, Impact, QA, and back to the Writer while rules are broken (spec: orchestrator)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ...domain.errors import KisokuError
from ...domain.search import Agent, SearchContext, SearchResult
from ...plugins.lifecycle import one_line
from ...ports.agents import Finding
from ...ports.document_store import ChapterRecord, ChapterStep, DocumentRecord
from .agents import AgentSet
from .observer import GenerationObserver
from .rules import Lookup, RuleLookup

_PARAGRAPH = 400
"""Characters of a draft that go into the search for the rules that it must obey; more would drown the topic."""


class AgentFailure(Exception):  # noqa: N818  # carries what an agent did wrong to the chapter's record
    """An agent raised, or returned something else than its port says."""


@dataclass(frozen=True, slots=True)
class ChapterWorker:
    """Takes a chapter one step further.

    Attributes:
        rules: Looks rules up.
        agents: Write, infer, check.
        clock: Time of changes.
        observer: Is told of searches.
    """

    rules: RuleLookup
    agents: AgentSet
    clock: Callable[[], datetime]
    observer: GenerationObserver

    def step(self, document: DocumentRecord, chapter: ChapterRecord) -> ChapterRecord:
        """Return the chapter after its next step: written, remarked on or checked, blocked, or failed.

        Raises:
            KisokuError: The handbook cannot be searched, which is no matter of this chapter.
        """
        work = {"write": self._write, "infer": self._infer, "check": self._check}[chapter.step]
        try:
            after = work(document, chapter)
        except AgentFailure as failure:
            after = chapter.model_copy(update={"status": "failed", "error": str(failure)})
        return after.model_copy(update={"updated_at": self.clock().isoformat(timespec="seconds")})

    def _write(self, document: DocumentRecord, chapter: ChapterRecord) -> ChapterRecord:
        task = chapter.task
        context = SearchContext(chapter=task.title, elements=task.elements)
        found = self._find(document, chapter, "writer", task.topics or (task.title,), context)
        if found.pending:
            return _blocked(chapter, found)
        broken = (*chapter.findings, *(r for r in chapter.remarks if r.severity == "error"))
        revised = replace(task, draft=chapter.draft)
        draft = _guarded("writer", lambda: self.agents.writer.write(revised, found.pack, broken))
        if not isinstance(draft, str) or not draft.strip():
            shown = "an empty draft" if isinstance(draft, str) else f"{type(draft).__name__} instead of a text"
            raise AgentFailure(f"The writer returned {shown}.")
        return _told(chapter, found).model_copy(
            update={
                # What no database and no UTF-8 file takes: lone surrogates, NUL.
                "draft": draft.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}"),
                "rules": tuple(dict.fromkeys(c.source_uri for c in found.pack.chunks)),
                "step": "infer",
            }
        )

    def _infer(self, document: DocumentRecord, chapter: ChapterRecord) -> ChapterRecord:
        task = chapter.task
        if not task.relation and not task.elements:
            return _next(chapter, "check").model_copy(update={"remarks": ()})
        query = task.relation or f"{task.title} {' '.join(task.elements)}"
        context = SearchContext(chapter=task.title, elements=task.elements)
        found = self._find(document, chapter, "impact", (query,), context)
        if found.pending:
            return _blocked(chapter, found)
        said = _guarded("impact", lambda: self.agents.impact.infer(task, chapter.draft, found.pack))
        remarks = _findings("impact", said)
        return _next(_told(chapter, found), "check").model_copy(update={"remarks": remarks})

    def _check(self, document: DocumentRecord, chapter: ChapterRecord) -> ChapterRecord:
        task = chapter.task
        context = SearchContext(chapter=task.title, paragraph=chapter.draft[:_PARAGRAPH])
        found = self._find(document, chapter, "qa", task.topics or (task.title,), context)
        if found.pending:
            return _blocked(chapter, found)
        findings = _findings("qa", _guarded("qa", lambda: self.agents.qa.check(task, chapter.draft, found.pack)))
        checked = _told(chapter, found).model_copy(update={"findings": findings, "rounds": chapter.rounds + 1})
        broken = any(f.severity == "error" for f in (*findings, *checked.remarks))
        if broken and checked.rounds <= document.max_rounds:
            return _next(checked, "write")
        return checked.model_copy(update={"status": "finished"})

    def _find(
        self,
        document: DocumentRecord,
        chapter: ChapterRecord,
        agent: Agent,
        queries: Sequence[str],
        context: SearchContext,
    ) -> Lookup:
        def told(result: SearchResult) -> None:
            self.observer.searched(chapter, result)

        return self.rules.find(chapter.session_id, agent, queries, context, document.language, told)


def _guarded(agent: str, call: Callable[[], object]) -> object:
    try:
        return call()
    except KisokuError as error:
        raise AgentFailure(f"The {agent} failed: {error}") from error
    except Exception as error:
        raise AgentFailure(f"The {agent} failed: {one_line(error)}") from error


def _findings(agent: str, said: object) -> tuple[Finding, ...]:
    if isinstance(said, Sequence) and all(isinstance(entry, Finding) for entry in said):
        return tuple(said)
    raise AgentFailure(f"The {agent} returned {type(said).__name__} instead of findings.")


def _next(chapter: ChapterRecord, step: ChapterStep) -> ChapterRecord:
    return chapter.model_copy(update={"step": step})


def _blocked(chapter: ChapterRecord, found: Lookup) -> ChapterRecord:
    return _told(chapter, found).model_copy(update={"status": "blocked", "blocking": found.pending})


def _told(chapter: ChapterRecord, found: Lookup) -> ChapterRecord:
    """Return the chapter with what the searches had to tell, each code once."""
    known = {n.code: n for n in chapter.notices}
    for notice in found.notices:
        known.setdefault(notice.code, notice)
    return chapter.model_copy(update={"notices": tuple(known.values())})
