"""`kisoku build`."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...orchestration.bootstrap import Kisoku
    from ...orchestration.building.progress import BuildReport


def build(
    folder: Annotated[Path, typer.Argument(help="Folder with write/, design/, ref/ or a handbook.yaml.")],
    on_error: Annotated[
        str | None,
        typer.Option("--on-error", help="fail: bad documents stop the build; skip: build without them."),
    ] = None,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Build a new version of the handbook; only what changed is read and embedded again."""
    from ...orchestration.building.collect import collect_documents
    from .output import print_json, warn
    from .progress import BuildBar

    assignments = [*(set_ or ()), *([f"build.on_error={on_error}"] if on_error else ())]
    with open_app(root, config, profile, assignments, lang) as app:
        collected = collect_documents(folder, app.settings.partitions)
        with told_when_stopped(app), BuildBar(enabled=not json) as bar:
            report = app.manager.build(
                collected.files, collected.categories, partitions=collected.partitions, on_progress=bar
            )
        if json:
            print_json(as_json(report, collected.skipped))
            return
        for path, reason in collected.skipped:
            warn(f"skipped {path}: {reason}")
        show(report)


@contextlib.contextmanager
def told_when_stopped(app: "Kisoku") -> Iterator[None]:
    """After Ctrl-C, say which version is active; the build itself has removed what it had begun."""
    from .output import warn

    before = app.handbook_store.pointer()
    try:
        yield
    except KeyboardInterrupt:
        after = app.handbook_store.pointer()
        if after == before:
            kept = f"{after.version} stays active" if after else "there is no version yet"
            warn(f"Stopped. Nothing of the new version is left; {kept}.")
        elif after is not None:
            warn(f"Stopped after {after.version} was published; it is active and complete.")
        raise


def as_json(report: "BuildReport", skipped: tuple[tuple[str, str], ...]) -> dict[str, object]:
    """Return a report for programs."""
    return {
        "version": report.version,
        "previous": report.previous,
        "changed": report.version is not None,
        "embedding_model": report.embedding_model,
        "embedding_reason": report.embedding_reason,
        "documents": [
            {"name": d.name, "category": d.category, "state": d.state, "chunks": d.chunks, "embedded": d.embedded}
            for d in report.documents
        ],
        "deleted": list(report.deleted),
        "failures": [{"name": e.document, "error": e.category, "message": str(e)} for e in report.failures],
        "skipped": [
            *({"name": path, "reason": reason} for path, reason in skipped),
            *({"name": e.document, "reason": str(e)} for e in report.skipped),
        ],
        "chunks": {"embedded": report.embedded, "reused": report.reused, "dropped": report.dropped},
        "invalidated": list(report.invalidated),
        "warnings": list(report.warnings),
        "seconds": {stage: round(seconds, 3) for stage, seconds in report.seconds.items()},
    }


def show(report: "BuildReport") -> None:
    """Print a report for people."""
    from .output import cell, console, counted, table, warn

    for error in report.skipped:
        warn(f"skipped {error.document}: {error.message}")
    for error in report.failures:
        warn(f"left out {error.document}: {error.category}: {error}")
    for sentence in (*report.invalidated, *report.warnings):
        warn(sentence)
    out = console()
    if report.version is None:
        out.print(f"No change: {report.previous} is up to date ({counted(len(report.documents), 'document')}).")
        return
    rows = table("", "document", "category", "state", "chunks#", "embedded#")
    for document in report.documents:
        rows.add_row(
            cell(document.name), document.category, document.state, str(document.chunks), str(document.embedded)
        )
    for name in report.deleted:
        rows.add_row(cell(name), "", "deleted", "", "")
    out.print(rows)
    seconds = sum(report.seconds.values())
    out.print(f"Embedding model: {report.embedding_model} ({report.embedding_reason}).", soft_wrap=True)
    out.print(
        f"Built {report.version}: {counted(len(report.documents), 'document')}, {counted(report.chunks, 'chunk')}"
        f" (embedded {report.embedded}, reused {report.reused}, dropped {report.dropped}) in {seconds:.1f} s.",
        soft_wrap=True,
    )
