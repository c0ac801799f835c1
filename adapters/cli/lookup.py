"""`kisoku lookup`."""

from typing import TYPE_CHECKING, Annotated

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...domain.evidence import LookupResult


def lookup(  # typer's way: one parameter an option
    query: Annotated[str, typer.Argument(help="What rule you need evidence on.")],
    session: Annotated[
        str | None,
        typer.Option(
            "--session", help="Session; what was given in it is not given again.", autocompletion=completion.sessions
        ),
    ] = None,
    agent: Annotated[
        str, typer.Option("--agent", help="Who asks: writer, impact or qa.", autocompletion=completion.agents)
    ] = "qa",
    category: Annotated[
        str | None, typer.Option("--category", help="write, design or ref.", autocompletion=completion.categories)
    ] = None,
    version: Annotated[
        str | None, typer.Option("--version", help="Search this version instead.", autocompletion=completion.versions)
    ] = None,
    chapter: Annotated[str, typer.Option("--chapter", help="Chapter being written or checked.")] = "",
    element: Annotated[list[str] | None, typer.Option("--element", help="Element id (F001). Repeatable.")] = None,
    partition: Annotated[list[str] | None, typer.Option("--partition", help="Part to search. Repeatable.")] = None,
    blocks: Annotated[int | None, typer.Option("--blocks", help="Most blocks of evidence.")] = None,
    budget: Annotated[int | None, typer.Option("--budget", help="Most characters of the text for a prompt.")] = None,
    context: Annotated[bool, typer.Option("--context", help="Print the text for a prompt alone.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show how it was looked for and ordered.")] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Look up evidence, each piece once a session."""
    from ...domain.search import SearchContext
    from .output import console, print_json

    with open_app(root, config, profile, set_, lang) as app:
        result = app.lookup.lookup_knowledge(
            query,
            session,
            agent=agent,
            category=category,
            context=SearchContext(chapter=chapter, elements=tuple(element or ())),
            version=version,
            partitions=tuple(partition or ()),
            blocks=blocks,
            budget=budget,
        )
    if json:
        print_json(result.model_dump(mode="json"))
    elif context:
        console().print(result.context_pack.text, soft_wrap=True)
    else:
        _show(result, trace=trace)


def _show(result: "LookupResult", *, trace: bool) -> None:
    from .messages import tr
    from .output import cell, console, excerpt, printable, table, warn

    out = console()
    for notice in result.notices:
        warn(notice.text + (f" ({notice.detail})" if notice.detail else ""))
    rows = table("", "#", "score#", "similarity#", "evidence", "source")
    for block in result.evidence_blocks:
        near = "" if block.similarity is None else f"{block.similarity:.2f}"
        sources = "\n".join(source.source_uri for source in block.sources)
        heading = " > ".join(block.headings)
        rows.add_row(
            str(block.rank), f"{block.score:.2f}", near, cell(f"{heading}\n{excerpt(block.text, 200)}"), cell(sources)
        )
    if result.evidence_blocks:
        out.print(rows)
    for group in result.conflicts:
        told = group.explanation or group.topic
        warn(tr("conflict {id} ({status}): {told}", id=group.conflict_id, status=tr(group.status), told=told))
    if trace:
        _show_trace(result)
    out.print(printable(result.message), soft_wrap=True)
    level, complete = tr(result.relevance_level), tr(result.completeness_hint)
    out.print(tr("relevance {level}, completeness {complete}", level=level, complete=complete))


def _show_trace(result: "LookupResult") -> None:
    from .messages import tr
    from .output import cell, console, table

    out, how = console(), result.retrieval_trace
    attempts = table("", "attempt", "query", "categories", "found#", "similarity#")
    for attempt in how.attempts:
        near = "" if attempt.similarity is None else f"{attempt.similarity:.2f}"
        attempts.add_row(attempt.name, cell(attempt.query), ", ".join(attempt.categories), str(attempt.found), near)
    if how.attempts:
        out.print(attempts)
    if how.fallback_reason:
        out.print(tr("fallback: {reason}", reason=how.fallback_reason))
    ranking = table("", "#", "engine#", "chunk", "base#", "boosts", "score#")
    for entry in result.rerank_trace.ranking:
        boosts = ", ".join(f"{b.kind} +{b.value:.3f} ({' '.join(b.matched)})" for b in entry.boosts)
        ranking.add_row(
            str(entry.rank),
            str(entry.engine_rank),
            entry.chunk_id + (f" ({entry.dropped})" if entry.dropped else ""),
            f"{entry.base:.2f}",
            cell(boosts),
            f"{entry.score:.2f}",
        )
    out.print(ranking)
