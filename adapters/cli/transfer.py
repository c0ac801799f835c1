"""`kisoku export`, `kisoku import`, `kisoku prune`."""

from pathlib import Path
from typing import Annotated

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app


def export_(
    version: Annotated[
        str, typer.Argument(help="Version to export (v3), or active.", autocompletion=completion.versions_or_active)
    ],
    target: Annotated[Path, typer.Argument(help="File to write, for example rules.kisoku; replaced when it exists.")],
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Write one version into one file: documents' chunks, indexes, vectors, manifest, checksums."""
    from .messages import tr
    from .output import console, counted, error_console, print_json

    with open_app(root, config, profile, set_, lang) as app:
        name = app.manager.get_latest_version() if version == "active" else version
        with error_console().status(tr("exporting {name}", name=name)):
            report = app.manager.export_version(name, target)
        if json:
            print_json({"version": name, "file": str(target), "bytes": report.size, "files": report.files})
        else:
            size = f"{report.size / 1e6:.1f} MB"
            files = counted(report.files, "file")
            told = tr("Exported {name} to {target}: {files}, {size}.", name=name, target=target, files=files, size=size)
            console().print(told, soft_wrap=True)


def import_(
    source: Annotated[Path, typer.Argument(help="File that kisoku export wrote.")],
    activate: Annotated[bool, typer.Option("--activate", help="Make the imported version the active one.")] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Add a version from a file, under the next free number; everything is verified before it becomes visible."""
    from .build import told_when_stopped
    from .messages import tr
    from .output import console, counted, print_json
    from .progress import BuildBar

    with open_app(root, config, profile, set_, lang) as app:
        with told_when_stopped(app), BuildBar(enabled=not json) as bar:
            report = app.manager.import_version(source, activate=activate, on_progress=bar)
        if json:
            print_json(
                {
                    "version": report.version,
                    "exported_as": report.exported_as,
                    "active": report.active,
                    "documents": report.documents,
                    "chunks": report.chunks,
                }
            )
            return
        what = f"{counted(report.documents, 'document')}, {counted(report.chunks, 'chunk')}"
        imported = tr(
            "Imported {version} (exported as {exported}): {what}.",
            version=report.version,
            exported=report.exported_as,
            what=what,
        )
        if report.active:
            active = tr("It is the active version.")
        else:
            active = tr("Make it active with: kisoku rollback {version}", version=report.version)
        console().print(f"{imported} {active}", soft_wrap=True)


def prune(
    keep: Annotated[int, typer.Option("--keep", min=1, help="How many of the newest versions stay.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would be deleted.")] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Delete old versions; the active one and those that open sessions are locked to always stay."""
    from .messages import tr
    from .output import console, counted, error_console, print_json, table

    with open_app(root, config, profile, set_, lang) as app:
        with error_console().status(tr("deleting")):
            report = app.manager.prune(keep, dry_run=dry_run)
        if json:
            print_json(
                {
                    "dry_run": report.dry_run,
                    "removed": list(report.removed),
                    "freed_bytes": report.freed,
                    "versions": [{"version": v.version, "bytes": v.size, "kept": v.kept} for v in report.versions],
                }
            )
            return
        rows = table("", "version", "MB#", "")
        gone = tr("would be deleted") if dry_run else tr("deleted")
        for v in report.versions:
            rows.add_row(v.version, f"{v.size / 1e6:.1f}", tr("kept: {reason}", reason=tr(v.kept)) if v.kept else gone)
        out = console()
        out.print(rows)
        said = "Would delete {versions}, {size:.1f} MB." if dry_run else "Deleted {versions}, {size:.1f} MB."
        out.print(tr(said, versions=counted(len(report.removed), "version"), size=report.freed / 1e6))
