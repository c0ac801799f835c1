"""`kisoku ask`."""

from typing import TYPE_CHECKING, Annotated

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...domain.answers import Answer


def ask(  # typer's way: one parameter an option
    query: Annotated[str, typer.Argument(help="The question.")],
    agent: Annotated[
        str,
        typer.Option(
            "--agent", help="Whose rules are searched: writer, impact or qa.", autocompletion=completion.agents
        ),
    ] = "qa",
    category: Annotated[
        str | None, typer.Option("--category", help="write, design or ref.", autocompletion=completion.categories)
    ] = None,
    top_k: Annotated[int | None, typer.Option("--top-k", help="How many rules to answer from.")] = None,
    session: Annotated[
        str | None,
        typer.Option("--session", help="Ask in a session, under its version.", autocompletion=completion.sessions),
    ] = None,
    version: Annotated[
        str | None, typer.Option("--version", help="Ask this version instead.", autocompletion=completion.versions)
    ] = None,
    partition: Annotated[
        list[str] | None, typer.Option("--partition", help="Ask this part of the handbook only. Repeatable.")
    ] = None,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Answer a question from the rules, with citations; needs a chat model in the settings."""
    from .output import print_json

    with open_app(root, config, profile, set_, lang) as app:
        answer = app.service.answer(
            session_id=session,
            query=query,
            category=category,
            top_k=top_k,
            agent=agent,
            version=version,
            partitions=partition or (),
        )
    if json:
        print_json(answer.model_dump(mode="json"))
    else:
        show(answer)


def show(answer: "Answer") -> None:
    """Print an answer for people: text, then the rules it cites, or those found where nobody answered."""
    from .messages import tr
    from .output import cell, console, counted, excerpt, printable, table, warn

    out = console()
    for notice in answer.notices:
        if notice.text != answer.text:
            warn(notice.text + (f" ({notice.detail})" if notice.detail else ""))
    if answer.text:
        out.print(printable(answer.text), soft_wrap=True)
    texts = {c.chunk_id: c.content for c in answer.result.chunks}
    shown = answer.citations or answer.given
    if shown:
        rows = table("", "", "rule", "source")
        for citation in shown:
            rows.add_row(
                citation.label, cell(excerpt(texts.get(citation.chunk_id, ""), 120)), cell(citation.source_uri)
            )
        out.print(rows)
    if answer.model:
        spent = tr("{read:,} + {written:,} tokens", read=answer.prompt_tokens, written=answer.completion_tokens)
        if answer.cost:
            spent += tr(", cost {cost:.4f}", cost=answer.cost)
        rules, version = counted(len(answer.given), "rule"), answer.result.version
        told = tr(
            "{model} read {rules} of {version} ({spent}).",
            model=answer.model,
            rules=rules,
            version=version,
            spent=spent,
        )
        out.print(printable(told))
