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
    from .messages import localised, tr
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
            warn(tr("skipped {name}: {reason}", name=path, reason=localised(reason)))
        show(report)


@contextlib.contextmanager
def told_when_stopped(app: "Kisoku") -> Iterator[None]:
    """After Ctrl-C, say which version is active; the build itself has removed what it had begun."""
    from .messages import tr
    from .output import warn

    before = app.handbook_store.pointer()
    try:
        yield
    except KeyboardInterrupt:
        after = app.handbook_store.pointer()
        if after == before:
            if after is not None:
                warn(tr("Stopped. Nothing of the new version is left; {version} stays active.", version=after.version))
            else:
                warn(tr("Stopped. Nothing of the new version is left; there is no version yet."))
        elif after is not None:
            warn(tr("Stopped after {version} was published; it is active and complete.", version=after.version))
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
    from .messages import error_text, localised, tr
    from .output import cell, console, counted, table, warn

    for error in report.skipped:
        warn(tr("skipped {name}: {reason}", name=error.document, reason=localised(error.message)))
    for error in report.failures:
        cause = f"{error.category}: {error_text(error)}"
        warn(tr("left out {name}: {cause}", name=error.document, cause=cause))
    for sentence in (*report.invalidated, *report.warnings):
        warn(localised(sentence))
    out = console()
    if report.version is None:
        documents = counted(len(report.documents), "document")
        said = tr("No change: {version} is up to date ({documents}).", version=report.previous, documents=documents)
        out.print(said, soft_wrap=True)
        return
    rows = table("", "document", "category", "state", "chunks#", "embedded#")
    for document in report.documents:
        rows.add_row(
            cell(document.name), document.category, tr(document.state), str(document.chunks), str(document.embedded)
        )
    for name in report.deleted:
        rows.add_row(cell(name), "", tr("deleted"), "", "")
    out.print(rows)
    seconds = sum(report.seconds.values())
    reason = localised(report.embedding_reason)
    out.print(tr("Embedding model: {model} ({reason}).", model=report.embedding_model, reason=reason), soft_wrap=True)
    out.print(
        tr(
            "Built {version}: {documents}, {chunks}"
            " (embedded {embedded}, reused {reused}, dropped {dropped}) in {seconds:.1f} s.",
            version=report.version,
            documents=counted(len(report.documents), "document"),
            chunks=counted(report.chunks, "chunk"),
            embedded=report.embedded,
            reused=report.reused,
            dropped=report.dropped,
            seconds=seconds,
        ),
        soft_wrap=True,
    )
