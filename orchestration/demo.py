"""The main job on the sample rules: build, lock, write, decide, infer, check, update, roll back."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Protocol

from ..domain.chunks import RuleChunk
from ..domain.conflicts import ConflictGroup, DecisionRecord
from ..domain.context import assemble_context
from ..domain.search import SearchContext, SearchResult
from ..ports.agents import ChapterTask, Finding, RulePack
from .bootstrap import Kisoku
from .building.collect import collect_documents
from .building.progress import BuildReport, Progress
from .rule_agents import RuleImpact, RuleQa, RuleWriter
from .sessions import SessionMetadata

SESSION = "demo-session"
CHAPTERS = (
    ChapterTask(
        "機能一覧",
        topics=("機能一覧の列と書き方", "表のヘッダー行の書式"),
        elements=("F001", "TB001"),
        relation="受注テーブルを変えると影響する機能と画面",
    ),
    ChapterTask(
        "画面設計",
        topics=("画面設計の章に書く内容と順序", "図の表題の文字数と位置"),
        elements=("S001", "F001"),
        relation="画面から呼び出す機能の応答時間の方針",
    ),
)
FAULTY_PARAGRAPH = ChapterTask("画面設計"), "図の表題は60文字以内とする。", "図の表題の文字数"
"""A paragraph that breaks a rule, as an author might hand it in: chapter, text, what to look rules up by."""
_CONTEXT_BUDGET = 4000


class DemoObserver(Protocol):
    """Is told what happens, and decides conflicts."""

    def progress(self, progress: Progress) -> None:
        """How far a build is."""

    def built(self, report: BuildReport) -> None:
        """A build is done."""

    def locked(self, session_id: str, version: str) -> None:
        """A session was locked."""

    def searched(self, agent: str, query: str, result: SearchResult) -> None:
        """An agent searched."""

    def decide(self, group: ConflictGroup) -> str:
        """Return the decision on a conflict."""
        ...

    def decided(self, record: DecisionRecord) -> None:
        """A conflict was decided."""

    def drafted(self, task: ChapterTask, draft: str) -> None:
        """A chapter was written."""

    def found(self, agent: str, task: ChapterTask, findings: Sequence[Finding]) -> None:
        """An agent has findings; none is told too."""

    def activated(self, version: str, session_version: str) -> None:
        """The active version was changed by a rollback."""

    def finished(self, metadata: SessionMetadata) -> None:
        """The document is done."""


@dataclass(frozen=True, slots=True)
class DemoReport:
    """What the demo did: versions built, version of the session, findings, metadata."""

    versions: tuple[str, ...]
    conflicts: int
    findings: tuple[Finding, ...]
    metadata: SessionMetadata


def copy_sample_rules(target: Path) -> tuple[Path, Path]:
    """Copy the sample rules out of the package; return the folder of documents and the folder of the update."""
    with resources.as_file(resources.files("kisoku").joinpath("examples/sample-rules")) as source:
        for part in ("rules", "update"):
            shutil.copytree(source / part, target / part, dirs_exist_ok=True)
    return target / "rules", target / "update"


class Demo:
    """One run of the demo over an empty handbook."""

    def __init__(self, app: Kisoku, folder: Path, observer: DemoObserver) -> None:
        self._app = app
        self._folder = folder
        self._observer = observer
        self._writer = RuleWriter()
        self._impact = RuleImpact()
        self._qa = RuleQa(app.conflicts.detector)

    def run(self) -> DemoReport:
        """Carry the demo out."""
        app, observer = self._app, self._observer
        rules, update = copy_sample_rules(self._folder)
        versions = [self._build(rules)]
        observer.locked(SESSION, app.locks.lock_version(SESSION))
        findings: list[Finding] = []
        for number, task in enumerate(CHAPTERS):
            findings.extend(self._chapter(task))
            if number == 0:
                # The rules change while the document is being written; the session keeps its version.
                for changed in sorted(update.iterdir()):
                    shutil.copy(changed, next(rules.rglob(changed.name)))
                versions.append(self._build(rules))
        task, paragraph, topic = FAULTY_PARAGRAPH
        findings.extend(self._check(task, paragraph, topic))
        app.manager.rollback_to(versions[0])
        observer.activated(versions[0], app.locks.get_locked_version(SESSION))
        metadata = app.locks.finish(SESSION)
        observer.finished(metadata)
        return DemoReport(tuple(versions), len(app.sessions.conflicts(SESSION)), tuple(findings), metadata)

    def _build(self, rules: Path) -> str:
        collected = collect_documents(rules)
        report = self._app.manager.build(collected.files, collected.categories, on_progress=self._observer.progress)
        self._observer.built(report)
        return report.version or self._app.manager.get_latest_version()

    def _chapter(self, task: ChapterTask) -> list[Finding]:
        context = SearchContext(chapter=task.title, elements=task.elements)
        results = [self._search("writer", topic, context) for topic in task.topics]
        self._settle()
        draft = self._writer.write(task, self._pack(results))
        self._observer.drafted(task, draft)
        relation = self._search("impact", task.relation, SearchContext(elements=task.elements))
        remarks = self._impact.infer(task, draft, self._pack([relation]))
        self._observer.found("impact", task, remarks)
        return [*remarks, *self._check(task, draft, task.topics[-1])]

    def _check(self, task: ChapterTask, text: str, topic: str) -> Sequence[Finding]:
        context = SearchContext(chapter=task.title, paragraph=text[:400])
        result = self._search("qa", topic, context)
        self._settle()
        broken = self._qa.check(task, text, self._pack([result]))
        self._observer.found("qa", task, broken)
        return broken

    def _search(self, agent: str, query: str, context: SearchContext) -> SearchResult:
        result = self._app.service.search(session_id=SESSION, query=query, agent=agent, context=context)
        self._observer.searched(agent, query, result)
        return result

    def _settle(self) -> None:
        """Ask for a decision on whatever waits for one; a topic that was decided is not asked again."""
        for group in self._app.conflicts.get_pending_conflicts(SESSION):
            decision = self._observer.decide(group)
            self._observer.decided(self._app.conflicts.resolve_conflict(group.conflict_id, decision))

    def _pack(self, results: Sequence[SearchResult]) -> RulePack:
        chunks: dict[str, RuleChunk] = {c.chunk_id: c for result in results for c in result.chunks}
        text = "\n".join(assemble_context(result, _CONTEXT_BUDGET) for result in results)
        return RulePack(tuple(chunks.values()), text, self._app.conflicts.overruled(SESSION))
