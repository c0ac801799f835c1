"""`kisoku doctor`: is the handbook whole, and what can be put right."""

from typing import TYPE_CHECKING, Annotated

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...orchestration.doctor.report import DoctorReport

_WORDS = {"possible": "--repair mends it", "done": "repaired", "failed": "could not be repaired", "none": ""}


def doctor(
    version: Annotated[
        str | None,
        typer.Option(
            "--version",
            help="Look at this version; else at the active one.",
            show_default=False,
            autocompletion=completion.versions,
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Look at every version.")] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Make again what can be made from the chunks; sweep leftovers.")
    ] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Check a handbook: manifests, chunks, vectors, indexes, pointer, sessions. Exit code 1 when something is wrong."""
    from .output import print_json

    if version is not None and every:
        raise typer.BadParameter("--version and --all exclude each other.")
    with open_app(root, config, profile, set_, lang) as app:
        versions = app.doctor.all_versions() if every else [version] if version is not None else None
        report = app.doctor.repair(versions) if repair else app.doctor.examine(versions)
    if json:
        print_json(report.model_dump(mode="json") | {"healthy": report.healthy})
    else:
        _show(report)
    if not report.healthy:
        raise typer.Exit(1)


def _show(report: "DoctorReport") -> None:
    from .messages import localised, tr
    from .output import cell, console, table

    if report.findings:
        rows = table("", "", "version", "part", "finding", "")
        for finding in report.findings:
            mark = "✓" if finding.repair == "done" else "!" if finding.severity == "fault" else "·"
            what = " ".join(filter(None, (tr(_WORDS[finding.repair]), localised(finding.hint))))
            rows.add_row(mark, finding.version or "", tr(finding.check), cell(localised(finding.message)), cell(what))
        console().print(rows)
    looked = ", ".join(report.versions) or tr("no version")
    verdict = "Healthy: {versions} looked at." if report.healthy else "Not healthy: {versions} looked at."
    console().print(tr(verdict, versions=looked))
