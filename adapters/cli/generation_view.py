"""Documents and sessions in the terminal, as JSON and as Markdown."""

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ...orchestration.generation.observer import GenerationObserver
from .conflict_view import decision_text, show_group
from .generation_words import WORDS
from .output import cell, console, error_console, printable, table, warn

if TYPE_CHECKING:
    from ...domain.sessions import SessionMetadata
    from ...orchestration.bootstrap import Kisoku
    from ...orchestration.generation.orchestrator import GenerationReport
    from ...ports.document_store import ChapterRecord, DocumentRecord


class GenerationBar(GenerationObserver):
    """Shows on standard error which chapter is at which step; nothing when that is no terminal."""

    def __init__(self, app: "Kisoku", *, enabled: bool) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        self._words = WORDS[app.language]
        self._bar = Progress(
            SpinnerColumn(),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[now]}", markup=False),
            TimeElapsedColumn(),
            console=error_console(),
            disable=not enabled or not error_console().is_terminal,
        )
        self._task = self._bar.add_task("", total=None, now="")
        self._done: set[int] = set()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def began(self, document: "DocumentRecord", chapters: "tuple[ChapterRecord, ...]", version: str) -> None:
        """Show how many chapters there are."""
        del document, version
        self._done = {c.number for c in chapters if c.status == "finished"}
        self._bar.update(self._task, total=len(chapters), completed=len(self._done))

    def changed(self, chapter: "ChapterRecord") -> None:
        """Show what is being done to which chapter."""
        words = self._words
        if chapter.status == "finished":
            self._done.add(chapter.number)
        now = words.step[chapter.step] if chapter.status == "open" else words.status[chapter.status]
        self._bar.update(self._task, completed=len(self._done), now=printable(f"{chapter.title}: {now}"))


def show_report(report: "GenerationReport", app: "Kisoku") -> None:
    """Print how far a document is, and what to do about what waits."""
    words, session = WORDS[app.language], report.document.session_id
    console().print(cell(words.document.format(title=report.document.title, status=words.status[report.status])))
    show_chapters(report.chapters, app)
    for chapter in report.chapters:
        for notice in chapter.notices:
            warn(f"{chapter.title}: {notice.text}")
        if chapter.status == "failed":
            warn(words.retry.format(title=chapter.title, error=chapter.error))
    for group in report.pending:
        show_group(group, app)
    if report.status == "finished":
        show_metadata(report.metadata, app)
    else:
        if report.pending:
            console().print(cell(words.decide.format(session=session)), soft_wrap=True)
        console().print(cell(words.onward.format(session=session)), soft_wrap=True)


def show_chapters(chapters: "tuple[ChapterRecord, ...]", app: "Kisoku") -> None:
    """Print chapters as a table, and what was found in them."""
    if not chapters:
        return
    words = WORDS[app.language]
    rows = table("", *words.columns)
    for c in chapters:
        count = len(c.remarks) + len(c.findings)
        rows.add_row(str(c.number), cell(c.title), words.status[c.status], str(c.rounds), str(count))
    console().print(rows)
    for c in chapters:
        for finding in (*c.remarks, *c.findings):
            sign = "✗" if finding.severity == "error" else "·"
            console().print(cell(f"{sign} {c.title}: {finding.message}"), soft_wrap=True)


def show_metadata(metadata: "SessionMetadata", app: "Kisoku") -> None:
    """Print rule version and decisions."""
    words = WORDS[app.language]
    line = words.version.format(
        session=metadata.session_id, version=metadata.rule_version, created=metadata.created_at[:19]
    )
    console().print(cell(line))
    for record in metadata.conflict_decisions:
        console().print(cell(f"{words.decisions}: {record.topic}: {decision_text(record, app)}"), soft_wrap=True)


def report_json(report: "GenerationReport") -> dict[str, Any]:
    """Return a report as JSON value."""
    return report.model_dump(mode="json")


def document_text(report: "GenerationReport") -> str:
    """Return a document as Markdown: metadata as front matter, then the chapters that have a draft."""
    import yaml

    front = {
        "title": report.document.title,
        "status": report.status,
        "agents": report.document.agents,
        **report.metadata.model_dump(mode="json"),
    }
    head = yaml.safe_dump(front, allow_unicode=True, sort_keys=False)
    drafts = []
    for chapter in report.chapters:
        draft = chapter.draft.strip()
        heading = "" if draft.startswith("#") else f"# {chapter.title}\n\n"
        if draft:
            drafts.append(heading + draft)
    return f"---\n{head}---\n\n" + "\n\n".join(drafts) + "\n"
