"""The main job on the sample rules: build, lock, write, decide, infer, check, update, roll back.

The document is written by the orchestrator, with agents that work without a model and say so.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Protocol

from ..domain.conflicts import ConflictGroup, DecisionRecord
from ..domain.search import SearchContext, SearchResult
from ..domain.sessions import SessionMetadata
from ..ports.agents import ChapterTask, Finding
from ..ports.document_store import ChapterRecord, DocumentRecord
from .bootstrap import Kisoku
from .building.collect import collect_documents
from .building.progress import BuildReport, Progress
from .generation.agents import RULES
from .generation.observer import GenerationObserver
from .generation.outline import Outline

SESSION = "demo-session"
TITLE = "受注管理システム 概要設計書"
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

    def blocked(self, task: ChapterTask) -> None:
        """A chapter waits for decisions."""

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


class _Watch(GenerationObserver):
    """Tells the observer of the demo what the orchestrator did to chapters."""

    def __init__(self, observer: DemoObserver) -> None:
        self._observer = observer
        self._before: dict[int, ChapterRecord] = {}

    def began(self, document: DocumentRecord, chapters: tuple[ChapterRecord, ...], version: str) -> None:
        """A session is locked to a version."""
        if not self._before:
            self._observer.locked(document.session_id, version)
        self._before = {c.number: c for c in chapters}

    def searched(self, chapter: ChapterRecord, result: SearchResult) -> None:
        """An agent searched."""
        del chapter
        self._observer.searched(result.agent, result.query, result)

    def changed(self, chapter: ChapterRecord) -> None:
        """Tell what the step that was just taken brought."""
        before = self._before[chapter.number]
        self._before[chapter.number] = chapter
        if chapter.status == "blocked":
            self._observer.blocked(chapter.task)
        elif (before.step, chapter.step) == ("write", "infer"):
            self._observer.drafted(chapter.task, chapter.draft)
        elif (before.step, chapter.step) == ("infer", "check"):
            self._observer.found("impact", chapter.task, chapter.remarks)
        elif chapter.rounds > before.rounds:
            self._observer.found("qa", chapter.task, chapter.findings)


class Demo:
    """One run of the demo over an empty handbook."""

    def __init__(self, app: Kisoku, folder: Path, observer: DemoObserver) -> None:
        self._app = app
        self._folder = folder
        self._observer = observer
        self._agents = app.agents(RULES)
        self._orchestrator = app.orchestrator(self._agents, observer=_Watch(observer))

    def run(self) -> DemoReport:
        """Carry the demo out."""
        app, observer = self._app, self._observer
        rules, update = copy_sample_rules(self._folder)
        versions = [self._build(rules)]
        self._orchestrator.run(Outline.of(TITLE, *CHAPTERS), SESSION)
        # The rules change while chapters wait for decisions; the session keeps its version.
        for changed in sorted(update.iterdir()):
            shutil.copy(changed, next(rules.rglob(changed.name)))
        versions.append(self._build(rules))
        self._settle()
        broken = self._check(*FAULTY_PARAGRAPH)
        report = self._orchestrator.resume(SESSION)
        while report.status == "blocked":
            self._settle()
            report = self._orchestrator.resume(SESSION)
        app.manager.rollback_to(versions[0])
        observer.activated(versions[0], app.locks.get_locked_version(SESSION))
        observer.finished(report.metadata)
        findings = [f for chapter in report.chapters for f in (*chapter.remarks, *chapter.findings)]
        conflicts = len(app.sessions.conflicts(SESSION))
        return DemoReport(tuple(versions), conflicts, (*findings, *broken), report.metadata)

    def _build(self, rules: Path) -> str:
        collected = collect_documents(rules)
        report = self._app.manager.build(collected.files, collected.categories, on_progress=self._observer.progress)
        self._observer.built(report)
        return report.version or self._app.manager.get_latest_version()

    def _check(self, task: ChapterTask, text: str, topic: str) -> Sequence[Finding]:
        """Check a paragraph that an author wrote by hand."""
        context = SearchContext(chapter=task.title, paragraph=text)
        found = self._app.rules.find(SESSION, "qa", (topic,), context, "ja")
        for result in found.results:
            self._observer.searched("qa", topic, result)
        self._settle()
        broken = self._agents.qa.check(task, text, found.pack)
        self._observer.found("qa", task, broken)
        return broken

    def _settle(self) -> None:
        """Ask for a decision on whatever waits for one; a topic that was decided is not asked again."""
        for group in self._app.conflicts.get_pending_conflicts(SESSION):
            record = self._orchestrator.decide(group.conflict_id, self._observer.decide(group))
            self._observer.decided(record)
