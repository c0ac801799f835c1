"""`kisoku demo`."""

import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .conflict_words import WORDS
from .messages import spoken, tr
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...domain.conflicts import ConflictGroup, DecisionRecord
    from ...domain.search import SearchResult
    from ...domain.sessions import SessionMetadata
    from ...orchestration.building.progress import BuildReport, Progress
    from ...ports.agents import ChapterTask, Finding


def demo(
    yes: Annotated[
        bool, typer.Option("--yes", help="Decide conflicts without asking: the first rule is adopted.")
    ] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Run the whole loop on bundled sample rules: build, lock, write, decide, infer, check, update, roll back.

    Without --root everything happens in a temporary folder that is removed at the end.
    """
    from ...domain.errors import HandbookError
    from ...orchestration.demo import Demo
    from .output import console, print_json

    with ExitStack() as stack:
        kept = root is not None
        if root is None:
            root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kisoku-demo-")))
        elif root.exists() and any(root.iterdir()):
            raise HandbookError(f"The folder {root} is not empty.", hint="Name a new folder for the demo.")
        app = stack.enter_context(open_app(root / "handbook", config, profile, set_, lang))
        ask = not yes and not json and sys.stdin.isatty()
        report = Demo(app, root, _Narrator(quiet=json, ask=ask)).run()
        if json:
            print_json(
                {
                    "versions": report.versions,
                    "conflicts": report.conflicts,
                    "findings": [
                        {"message": f.message, "chunk_id": f.chunk_id, "severity": f.severity} for f in report.findings
                    ],
                    "metadata": report.metadata.model_dump(mode="json"),
                }
            )
        elif kept:
            told = tr(
                "Kept in {root}. Look around:  kisoku trace --root {handbook}", root=root, handbook=root / "handbook"
            )
            console().print(told, soft_wrap=True)


class _Narrator:
    """Tells what happens on the terminal."""

    def __init__(self, *, quiet: bool, ask: bool) -> None:
        self._quiet = quiet
        self._ask = ask

    def _say(self, text: str, *, style: str = "") -> None:
        from rich.text import Text

        from .output import console, printable

        if not self._quiet:
            console().print(Text(printable(text), style=style), soft_wrap=True)

    def progress(self, progress: "Progress") -> None:
        """The sample is small: the report after the build is enough."""

    def built(self, report: "BuildReport") -> None:
        from .output import counted, labelled

        self._say(
            tr(
                "\n■ Built {version}: {documents} documents, {chunks} chunks;"
                " embedded {embedded}, reused {reused} ({seconds:.1f} s, {model})",
                version=report.version,
                documents=len(report.documents),
                chunks=report.chunks,
                embedded=report.embedded,
                reused=report.reused,
                seconds=sum(report.seconds.values()),
                model=report.embedding_model,
            ),
            style="bold",
        )
        for document in report.documents:
            if document.state != "unchanged":
                place, state = f"{document.category}/{document.name}", tr(document.state)
                self._say(labelled(f"  {state}", f"{place}: {counted(document.chunks, 'chunk')}", 11))

    def locked(self, session_id: str, version: str) -> None:
        self._say(tr("\n■ Session {session} is locked to {version}", session=session_id, version=version), style="bold")

    def searched(self, agent: str, query: str, result: "SearchResult") -> None:
        said = tr("\n▸ {agent} asks {version}: {query}", agent=agent, version=result.version, query=query)
        self._say(said, style="cyan")
        for chunk in result.chunks:
            heading = chunk.headings[-1] if chunk.headings else ""
            self._say(f"  {chunk.rank}. {chunk.source_uri}  {heading}")
        for notice in result.notices:
            self._say(f"  {tr('note')}: {notice.text}")

    def decide(self, group: "ConflictGroup") -> str:
        said = tr(
            "\n⚠ Conflict in chapter {chapter}: {topic} ({attribute})",
            chapter=group.chapter or "-",
            topic=group.topic,
            attribute=group.attribute,
        )
        self._say(said, style="bold yellow")
        for number, member in enumerate(group.members, start=1):
            self._say(f"  {number}) {member.document}  {member.heading}\n     {member.rule}\n     {member.source_uri}")
        if not self._ask:
            self._say(tr("  (decided without asking: rule 1 is adopted)"))
            return "1"
        numbers = [str(n) for n in range(1, len(group.members) + 1)]
        while True:
            answer = (
                input(tr("  Adopt {numbers}, or a to annotate both for a human: ", numbers="/".join(numbers)))
                .strip()
                .lower()
            )
            if answer in numbers:
                return answer
            if answer in {"a", "annotate"}:
                return "annotate"

    def decided(self, record: "DecisionRecord") -> None:
        words = WORDS[spoken()]
        adopted = next((m for m in record.conflicting_chunks if m.chunk_id == record.adopted), None)
        said = words.adopted.format(document=adopted.document, value=adopted.rule) if adopted else words.annotated
        self._say(f"  → {said}", style="green")

    def blocked(self, task: "ChapterTask") -> None:
        said = tr("\n⏸ {title} waits for a decision; the other chapters go on", title=task.title)
        self._say(said, style="yellow")

    def drafted(self, task: "ChapterTask", draft: str) -> None:
        self._say(tr("\n▸ writer drafts {title}", title=task.title), style="cyan")
        self._say("\n".join(f"  {line}" for line in draft.splitlines()))

    def found(self, agent: str, task: "ChapterTask", findings: "Sequence[Finding]") -> None:
        said = tr("\n▸ {agent} on {title}: {count} findings", agent=agent, title=task.title, count=len(findings))
        self._say(said, style="cyan")
        for finding in findings:
            self._say(f"  {'✗' if finding.severity == 'error' else '·'} {finding.message}")

    def activated(self, version: str, session_version: str) -> None:
        said = tr(
            "\n■ Rolled back: {version} is active; the session stays on {locked}",
            version=version,
            locked=session_version,
        )
        self._say(said, style="bold")

    def finished(self, metadata: "SessionMetadata") -> None:
        self._say(tr("\n■ Metadata of the finished document"), style="bold")
        self._say(metadata.model_dump_json(indent=2))
