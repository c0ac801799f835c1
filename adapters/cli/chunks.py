"""`kisoku chunks`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from .options import Config, Lang, Profile, Root, Set, open_app


def chunks(
    paths: Annotated[list[Path], typer.Argument(help="Files, or folders with files.")],
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON object a chunk, or a file's error.")] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
) -> None:
    """Show the chunks of files without building a handbook."""
    from ...orchestration.chunking import chunk_files
    from ...orchestration.evaluation.lines import json_line
    from .output import cell, console, excerpt, table, warn

    with open_app(root, config, profile, set_, lang) as app:
        for file in chunk_files(paths, app.chunking_tools):
            if file.error is not None:
                if jsonl:
                    message = file.error.message
                    sys.stdout.write(
                        json_line({"file": file.file, "error": f"{file.error.category}: {message}", "message": message})
                    )
                else:
                    warn(f"{file.file}: {file.error.category}: {file.error}")
                continue
            if jsonl:
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
                continue
            rows = table(f"{file.file} ({len(file.drafts)} chunks)", "#", "kind", "tokens#", "headings", "text")
            for number, draft in enumerate(file.drafts, start=1):
                rows.add_row(
                    str(number),
                    draft.kind,
                    str(draft.token_count),
                    cell(" > ".join(draft.headings)),
                    cell(excerpt(draft.content, 120)),
                )
            console().print(rows)
            if file.omitted:
                left_out = ", ".join(f"{reason} {count}" for reason, count in file.omitted)
                console().print(f"left out, in characters: {left_out}")
