"""`kisoku conflicts`."""

from typing import TYPE_CHECKING, Annotated

import typer

from .options import Config, Json, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...domain.conflicts import ConflictGroup

app = typer.Typer(help="Conflicts between rules, and decisions on them.", no_args_is_help=True)


@app.command("list")
def list_conflicts(
    session: Annotated[str, typer.Argument(help="The session.")],
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """List the conflicts of a session, both sides with their sources."""
    from .output import console, print_json

    with open_app(root, config, profile, set_) as kisoku:
        groups = kisoku.sessions.conflicts(session)
        if json:
            print_json([g.model_dump(mode="json") for g in groups])
            return
        if not groups:
            console().print(f"Session {session!r} has no conflicts.")
        for group in groups:
            show_group(group)


@app.command("decide")
def decide(
    conflict_id: Annotated[str, typer.Argument(help="The conflict (c-…).")],
    decision: Annotated[str, typer.Argument(help="Number, chunk id or document of the rule to adopt; or annotate.")],
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Decide a conflict: adopt one rule, or annotate both for a human."""
    from .output import cell, console, print_json

    with open_app(root, config, profile, set_) as kisoku:
        record = kisoku.conflicts.resolve_conflict(conflict_id, decision)
        if json:
            print_json(record.model_dump(mode="json"))
        else:
            console().print(cell(f"{record.conflict_id} ({record.topic}): {record.user_decision}"))


def show_group(group: "ConflictGroup") -> None:
    """Print both sides of a conflict."""
    from .output import cell, console, table

    title = f"{group.conflict_id}  {group.topic}: {group.attribute}  ({group.status})"
    rows = table(title, "#", "document", "rule", "says", "source")
    for number, member in enumerate(group.members, start=1):
        rows.add_row(str(number), cell(member.document), cell(member.rule), cell(member.value), cell(member.source_uri))
    console().print(rows)
