"""`kisoku generate`."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...domain.notices import Language
    from ...orchestration.bootstrap import Kisoku

UNFINISHED = 3
"""Exit code when chapters wait for a decision, or an agent failed."""


class Agents(StrEnum):
    """Who writes."""

    rules = "rules"
    llm = "llm"


def generate(
    session: Annotated[
        str,
        typer.Option(
            "--session", help="The session; a new name begins a new document.", autocompletion=completion.sessions
        ),
    ],
    outline: Annotated[
        Path | None,
        typer.Argument(help="YAML with title and chapters; left out, the session's document goes on."),
    ] = None,
    agents: Annotated[
        Agents | None,
        typer.Option("--agents", help="rules (no model, the default) or llm (chat.providers).", show_default=False),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", min=0, max=10, help="How often a chapter goes back to the writer.")
    ] = 2,
    version: Annotated[
        str | None,
        typer.Option(
            "--version",
            help="Version for a new session (the active one).",
            show_default=False,
            autocompletion=completion.versions,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the document as Markdown, metadata first.", show_default=False),
    ] = None,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Write a document chapter by chapter: Writer, Impact, QA. Chapters whose rules are in conflict wait.

    Run it again to go on: after a decision (kisoku conflicts), after a fault, after the process was killed. The exit
    code is 3 while chapters wait or have failed.
    """
    from ...orchestration.generation.outline import load_outline
    from .generation_view import GenerationBar, document_text, report_json, show_report
    from .generation_words import WORDS
    from .output import cell, console, print_json

    wanted = load_outline(outline) if outline is not None else None
    with open_app(root, config, profile, set_, lang) as app:
        language, name = _manner(app, session, wanted.language if wanted else None, agents)
        with GenerationBar(app, enabled=not json) as bar:
            orchestrator = app.orchestrator(app.agents(name, language), max_rounds=rounds, observer=bar)
            if wanted is not None:
                report = orchestrator.run(wanted, session, version=version)
            else:
                report = orchestrator.resume(session)
        if output is not None:
            _save(output, document_text(report))
        if json:
            print_json(report_json(report))
        else:
            show_report(report, app)
            if output is not None:
                console().print(cell(WORDS[app.language].written.format(path=output)), soft_wrap=True)
    if report.status != "finished":
        raise typer.Exit(UNFINISHED)


def _manner(app: "Kisoku", session: str, language: "Language | None", agents: Agents | None) -> "tuple[Language, str]":
    """Return language and agents: as asked for, else as the session's document began."""
    known = app.sessions.document(session)
    name = agents.value if agents else known.agents if known and known.agents in set(Agents) else Agents.rules.value
    return language or (known.language if known else "ja"), name


def _save(path: Path, text: str) -> None:
    from ...domain.errors import ConfigError

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror or error}.") from error
