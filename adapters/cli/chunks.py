"""`kisoku chunks`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Config, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...orchestration.chunking import ChunkedFile


def chunks(
    paths: Annotated[list[Path], typer.Argument(help="Files, or folders with files.")],
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON object a chunk, or a file's error.")] = False,
    report: Annotated[
        bool,
        typer.Option("--report", help="Outline, figures, chunks, and what was left out and why; 1 when text is lost."),
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", help="Write the report as a page that shows the chunks in the text.", dir_okay=False),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="With --report: print JSON instead of tables.")] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
) -> None:
    """Show the chunks of files without building a handbook."""
    if json and not report:
        raise typer.BadParameter("goes with --report; without it, --jsonl prints JSON.", param_hint="--json")
    if jsonl and (report or html):
        raise typer.BadParameter("does not go with --report or --html.", param_hint="--jsonl")
    with open_app(root, config, profile, set_, lang) as app:
        if report or html:
            from .chunk_report import show_reports

            complete = show_reports(paths, app, report=report, as_json=json, page=html)
            if not complete:
                raise typer.Exit(1)
            return

        from ...orchestration.chunking import chunk_files

        for file in chunk_files(paths, app.chunking_tools):
            if jsonl:
                _print_lines(file)
            else:
                _print_table(file)


def _print_lines(file: "ChunkedFile") -> None:
    from ...orchestration.evaluation.lines import json_line

    if file.error is not None:
        message = file.error.message
        line = {"file": file.file, "error": f"{file.error.category}: {message}", "message": message}
        sys.stdout.write(json_line(line))
    for draft in file.drafts:
        sys.stdout.write(
            json_line(
                {
                    "file": file.file,
                    "content": draft.content,
                    "headings": list(draft.headings),
                    "source_uri": draft.locator.uri(file.name),
                    "doc_type": file.doc_type,
                    "kind": draft.kind,
                    "token_count": draft.token_count,
                    "parent": draft.parent,
                    "is_parent": draft.is_parent,
                }
            )
        )


def _print_table(file: "ChunkedFile") -> None:
    from .chunk_report import chunk_table, reason_name
    from .messages import error_text, tr
    from .output import console, counted, warn

    if file.error is not None:
        warn(f"{file.file}: {file.error.category}: {error_text(file.error)}")
        return
    console().print(chunk_table(f"{file.file} ({counted(len(file.drafts), 'chunk')})", file.drafts))
    if file.omitted:
        left_out = ", ".join(f"{reason_name(reason)} {count}" for reason, count in file.omitted)
        console().print(tr("left out, in characters: {reasons}", reasons=left_out))
