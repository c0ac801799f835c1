"""`kisoku session`."""

from typing import Annotated

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app

app = typer.Typer(help="Sessions: one document generation each, locked to one version.", no_args_is_help=True)
Session = Annotated[str, typer.Argument(help="The session.", autocompletion=completion.sessions)]


@app.command("list")
def list_sessions(
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """List all sessions, oldest first."""
    from .generation_words import WORDS
    from .output import cell, console, print_json, table

    with open_app(root, config, profile, set_, lang) as kisoku:
        entries = []
        for record in kisoku.sessions.sessions():
            document = kisoku.sessions.document(record.session_id)
            pending = kisoku.conflicts.get_pending_conflicts(record.session_id)
            entries.append((record, document.title if document else "", len(pending)))
        if json:
            print_json(
                [r.model_dump(mode="json") | {"document": title, "pending": count} for r, title, count in entries]
            )
            return
        words = WORDS[kisoku.language]
        if not entries:
            console().print(words.none)
            return
        rows = table("", *words.sessions)
        for record, title, count in entries:
            finished = (record.finished_at or "")[:19]
            shown = cell(title or words.no_document)
            rows.add_row(cell(record.session_id), record.version, record.created_at[:19], finished, shown, str(count))
        console().print(rows)


@app.command("show")
def show(
    session: Session,
    drafts: Annotated[bool, typer.Option("--drafts", help="Print the text of the chapters too.")] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Show a session: version, decisions, conflicts, and the chapters of its document."""
    from .conflict_view import show_group
    from .generation_view import show_chapters, show_metadata
    from .generation_words import WORDS
    from .output import cell, console, print_json

    with open_app(root, config, profile, set_, lang) as kisoku:
        metadata = kisoku.locks.session_metadata(session)
        document = kisoku.sessions.document(session)
        chapters = tuple(kisoku.sessions.chapters(session))
        conflicts = kisoku.sessions.conflicts(session)
        if json:
            print_json(
                {
                    "metadata": metadata.model_dump(mode="json"),
                    "document": document.model_dump(mode="json") if document else None,
                    "chapters": [c.model_dump(mode="json") for c in chapters],
                    "conflicts": [g.model_dump(mode="json") for g in conflicts],
                }
            )
            return
        words = WORDS[kisoku.language]
        if document is not None:
            status = words.status["finished" if metadata.finished_at else "open"]
            console().print(cell(words.document.format(title=document.title, status=status)))
        show_metadata(metadata, kisoku)
        show_chapters(chapters, kisoku)
        for group in conflicts:
            show_group(group, kisoku)
        if drafts:
            for chapter in chapters:
                console().print(cell(f"\n■ {chapter.number} {chapter.title}\n{chapter.draft}"), soft_wrap=True)


@app.command("finish")
def finish(
    session: Session,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Mark a session as finished and print its metadata for the document. What is not done is told, not refused."""
    from .generation_view import show_metadata
    from .generation_words import WORDS
    from .output import cell, console, print_json, warn

    with open_app(root, config, profile, set_, lang) as kisoku:
        metadata = kisoku.locks.finish(session)
        words = WORDS[kisoku.language]
        unfinished = [c.title for c in kisoku.sessions.chapters(session) if c.status != "finished"]
        if unfinished:
            warn(words.unfinished.format(chapters=", ".join(unfinished)))
        if json:
            print_json(metadata.model_dump(mode="json"))
            return
        console().print(cell(words.finished.format(session=session)))
        show_metadata(metadata, kisoku)
