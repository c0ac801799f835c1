"""`kisoku search`."""

from typing import TYPE_CHECKING, Annotated

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...domain.search import SearchResult


def search(  # typer's way: one parameter an option
    query: Annotated[str, typer.Argument(help="What rule you are looking for.")],
    agent: Annotated[
        str, typer.Option("--agent", help="Who asks: writer, impact or qa.", autocompletion=completion.agents)
    ],
    category: Annotated[
        str | None, typer.Option("--category", help="write, design or ref.", autocompletion=completion.categories)
    ] = None,
    top_k: Annotated[int | None, typer.Option("--top-k", help="How many chunks.")] = None,
    session: Annotated[
        str | None,
        typer.Option("--session", help="Search in a session, under its version.", autocompletion=completion.sessions),
    ] = None,
    version: Annotated[
        str | None, typer.Option("--version", help="Search this version instead.", autocompletion=completion.versions)
    ] = None,
    partition: Annotated[
        list[str] | None, typer.Option("--partition", help="Search this part of the handbook only. Repeatable.")
    ] = None,
    chapter: Annotated[str, typer.Option("--chapter", help="Chapter being written or checked.")] = "",
    element: Annotated[list[str] | None, typer.Option("--element", help="Element id (F001). Repeatable.")] = None,
    context: Annotated[bool, typer.Option("--context", help="Print the text for a prompt.")] = False,
    budget: Annotated[int, typer.Option("--budget", help="With --context: most characters.")] = 4000,
    trace: Annotated[bool, typer.Option("--trace", help="Show what each stage did.")] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Search the rules."""
    from ...domain.context import assemble_context
    from ...domain.search import SearchContext
    from .output import console, print_json

    with open_app(root, config, profile, set_, lang) as app:
        result = app.service.search(
            session_id=session,
            query=query,
            category=category,
            top_k=top_k,
            agent=agent,
            context=SearchContext(chapter=chapter, elements=tuple(element or ())),
            version=version,
            partitions=partition or (),
        )
        if json:
            print_json(result.model_dump(mode="json"))
        elif context:
            console().print(assemble_context(result, budget, language=app.language), soft_wrap=True)
        else:
            show(result, trace=trace)


def show(result: "SearchResult", *, trace: bool = False) -> None:
    """Print a result for people."""
    from .messages import tr
    from .output import cell, console, counted, excerpt, printable, table, warn

    out = console()
    for notice in result.notices:
        warn(notice.text + (f" ({notice.detail})" if notice.detail else ""))
    rows = table("", "#", "score#", "rule", "source")
    for chunk in result.chunks:
        heading = " > ".join(chunk.headings)
        rows.add_row(
            str(chunk.rank),
            f"{chunk.score:.3f}",
            cell(f"{heading}\n{excerpt(chunk.content, 160)}"),
            cell(chunk.source_uri),
        )
    if result.chunks:
        out.print(rows)
    for group in result.conflicts:
        told = group.explanation or group.topic
        warn(tr("conflict {id} ({status}): {told}", id=group.conflict_id, status=tr(group.status), told=told))
    if trace:
        stages = table("", "stage", "ms#", "in#", "out#", "details")
        for stage in result.trace:
            details = ", ".join(f"{k}: {v}" for k, v in stage.details.items())
            stages.add_row(
                stage.stage, f"{stage.milliseconds:.1f}", str(stage.incoming), str(stage.outgoing), cell(details)
            )
        out.print(stages)
    said = tr(
        "{found} from {version} for {agent} ({categories}), {ms:.0f} ms.",
        found=counted(len(result.chunks), "rule") if result.chunks else tr("No rule found"),
        version=result.version,
        agent=result.agent,
        categories=", ".join(result.categories),
        ms=result.milliseconds,
    )
    out.print(printable(said))
