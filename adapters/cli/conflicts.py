"""`kisoku conflicts`."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...orchestration.bootstrap import Kisoku
    from ...orchestration.conflict_scan import ScanReport

app = typer.Typer(help="Conflicts between rules, and decisions on them.", no_args_is_help=True)


@app.command("list")
def list_conflicts(
    session: Annotated[str, typer.Argument(help="The session.", autocompletion=completion.sessions)],
    pending: Annotated[bool, typer.Option("--pending", help="Only those that wait for a decision.")] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """List the conflicts of a session, all sides with their sources."""
    from .conflict_view import show_group
    from .conflict_words import WORDS
    from .output import console, print_json

    with open_app(root, config, profile, set_, lang) as kisoku:
        groups = kisoku.conflicts.get_pending_conflicts(session) if pending else kisoku.sessions.conflicts(session)
        if json:
            print_json([g.model_dump(mode="json") for g in groups])
            return
        if not groups:
            console().print(WORDS[kisoku.language].none_in_session.format(session=session))
        for group in groups:
            show_group(group, kisoku)


@app.command("show")
def show(
    conflict_id: Annotated[str, typer.Argument(help="The conflict (c-…).", autocompletion=completion.conflicts)],
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Show a conflict side by side, and the decision on it."""
    from .conflict_view import show_side_by_side
    from .output import print_json

    with open_app(root, config, profile, set_, lang) as kisoku:
        group = kisoku.conflicts.get_conflict(conflict_id)
        record = next((d for d in kisoku.sessions.decisions(group.session_id) if d.conflict_id == conflict_id), None)
        if json:
            decision = record.model_dump(mode="json") if record else None
            print_json(group.model_dump(mode="json") | {"decision": decision})
            return
        show_side_by_side(group, kisoku, record)


@app.command("decide")
def decide(
    conflict_id: Annotated[
        str | None,
        typer.Argument(
            help="The conflict (c-…); with --session all of a session, one by one.", autocompletion=completion.conflicts
        ),
    ] = None,
    decision: Annotated[
        str | None,
        typer.Argument(help="Number, chunk id or document of the rule to adopt; or annotate. Asked for when left out."),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session", help="Ask about every pending conflict of this session.", autocompletion=completion.sessions
        ),
    ] = None,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Decide a conflict: adopt one rule, or annotate all for a human."""
    from .conflict_view import ask_about, decision_text
    from .conflict_words import WORDS
    from .output import cell, console, print_json

    if (conflict_id is None) == (session is None):
        raise typer.BadParameter("name a conflict, or a session with --session.", param_hint="CONFLICT_ID")
    if decision is None and not sys.stdin.isatty():
        raise typer.BadParameter(
            "is needed when nobody can be asked: a number, a chunk id, a document, or annotate.", param_hint="DECISION"
        )
    with open_app(root, config, profile, set_, lang) as kisoku:
        if conflict_id is not None and decision is not None:
            record = kisoku.conflicts.resolve_conflict(conflict_id, decision)
            if json:
                print_json(record.model_dump(mode="json"))
            else:
                console().print(cell(f"{record.topic}: {decision_text(record, kisoku)}"))
            return
        groups = (
            kisoku.conflicts.get_pending_conflicts(session)
            if session
            else [kisoku.conflicts.get_conflict(conflict_id or "")]
        )
        if not groups and session is not None:
            console().print(WORDS[kisoku.language].none_pending.format(session=session))
        records = ask_about(groups, kisoku)
        if json:
            print_json([record.model_dump(mode="json") for record in records])


@app.command("carry")
def carry(
    source: Annotated[str, typer.Argument(help="Session in which was decided.", autocompletion=completion.sessions)],
    target: Annotated[
        str, typer.Argument(help="Session that goes on with these decisions.", autocompletion=completion.sessions)
    ],
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Carry decisions over to another session; those whose rules changed lapse."""
    from .conflict_words import WORDS
    from .output import cell, console, print_json, warn

    with open_app(root, config, profile, set_, lang) as kisoku:
        result = kisoku.decisions.carry_over(source, target)
        if json:
            print_json(
                {
                    "carried": [record.model_dump(mode="json") for record in result.carried],
                    "known": [record.conflict_id for record in result.known],
                    "lapsed": [
                        {"decision": d.decision.model_dump(mode="json"), "missing": [m.rule for m in d.missing]}
                        for d in result.lapsed
                    ],
                }
            )
            return
        words = WORDS[kisoku.language]
        console().print(cell(words.carried.format(count=len(result.carried), target=target)))
        for lapsed in result.lapsed:
            rules = "; ".join(f"{m.document}: {m.rule}" for m in lapsed.missing)
            warn(words.lapsed.format(topic=lapsed.decision.topic, rules=rules))


@app.command("scan")
def scan(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Files or folders to scan without building; the handbook when none is given."),
    ] = None,
    version: Annotated[
        str | None,
        typer.Option("--version", help="Version to scan (the active one).", autocompletion=completion.versions),
    ] = None,
    category: Annotated[
        list[str] | None,
        typer.Option(
            "--category",
            help="write, design or ref; repeatable (write and design).",
            autocompletion=completion.categories,
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the findings as a page, side by side.", dir_okay=False)
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=0, help="Findings shown in the terminal; 0 shows all.")] = 50,
    fail_on_found: Annotated[
        bool, typer.Option("--fail-on-found", help="Exit with 1 when rules contradict each other.")
    ] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Compare all rules with each other, before publishing or in a version."""
    from .output import print_json

    if paths and (version or category):
        raise typer.BadParameter("goes with a handbook, not with files.", param_hint="--version/--category")
    with open_app(root, config, profile, set_, lang) as kisoku:
        report = _scanned(kisoku, paths, version, category)
        if html is not None:
            _write_page(html, report, kisoku)
        if json:
            print_json(report.model_dump(mode="json"))
        else:
            from .conflict_view import show_scan

            show_scan(report, kisoku, limit, html)
    if fail_on_found and report.conflicts:
        raise typer.Exit(1)


def _scanned(
    kisoku: "Kisoku", paths: list[Path] | None, version: str | None, category: list[str] | None
) -> "ScanReport":
    from ...domain.chunks import as_category
    from ...orchestration.conflict_scan import RULE_CATEGORIES
    from .conflict_words import WORDS
    from .progress import steps

    with steps(WORDS[kisoku.language].comparing) as tell:
        if paths:
            return kisoku.conflict_scan.files(paths, on_progress=tell)
        categories = tuple(as_category(name) for name in category) if category else RULE_CATEGORIES
        return kisoku.conflict_scan.version(version, categories=categories, on_progress=tell)


def _write_page(path: Path, report: "ScanReport", kisoku: "Kisoku") -> None:
    from ...domain.errors import KisokuError
    from .conflict_page import page_of

    try:
        path.write_text(page_of(report, kisoku.language), encoding="utf-8")
    except OSError as error:
        raise KisokuError(f"The page {path} cannot be written: {error.strerror or error}.") from error
