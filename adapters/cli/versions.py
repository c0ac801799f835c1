"""`kisoku versions` and `kisoku rollback`."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...domain.manifest import Manifest
    from ...orchestration.version_diff import ChunkChange

app = typer.Typer(help="List all versions, show one, or compare two.", invoke_without_command=True)
_SIGNS = {"added": "+", "removed": "-", "changed": "~"}
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


@app.callback()
def versions(
    context: typer.Context,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """List all versions; the active one is marked. A version whose manifest cannot be read is listed as damaged."""
    from .messages import localised, tr
    from .output import console, print_json, table, warn

    if context.invoked_subcommand is not None:
        return
    with open_app(root, config, profile, set_, lang) as kisoku:
        states = kisoku.manager.version_states()
        if json:
            print_json(
                [
                    s.manifest.model_dump(mode="json") | {"partitions": list(s.manifest.partitions)}
                    if s.manifest
                    else {"version": s.version, "active": s.active, "damaged": s.damage}
                    for s in states
                ]
            )
            return
        if not states:
            console().print(tr("There is no handbook yet. Build one with: kisoku build DIR"))
            return
        rows = table("", "", "version", "created", "documents#", "chunks#", "embedded#", "reused#", "model")
        for state in states:
            mark, m = "*" if state.active else "", state.manifest
            if m is None:
                rows.add_row(mark, state.version, tr("damaged"), "", "", "", "", "")
                continue
            chunks = sum(c.chunk_count for c in m.collections.values())
            counts = [str(number) for number in (len(m.source_files), chunks, m.embedded, m.reused)]
            rows.add_row(mark, m.version, m.created_at, *counts, m.embedding.model)
        console().print(rows)
        for state in states:
            if state.damage:
                warn(tr("{version} is damaged: {cause}", version=state.version, cause=localised(state.damage)))


@app.command("show")
def show(
    version: Annotated[
        str, typer.Argument(help="Version to show (v3), or active.", autocompletion=completion.versions_or_active)
    ],
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Show what a version is made of: its documents, and the models and options that made it."""
    from .messages import tr
    from .output import cell, console, labelled, print_json, table

    with open_app(root, config, profile, set_, lang) as kisoku:
        name = kisoku.manager.get_latest_version() if version == "active" else version
        manifest = kisoku.manager.get_version(name)
    if json:
        print_json(manifest.model_dump(mode="json"))
        return
    out = console()
    for label, value in _facts(manifest):
        out.print(labelled(tr(label), value, 16), soft_wrap=True)
    rows = table("", "document", "category", "type", "chunks#", "built", "sha256")
    for source in manifest.source_files:
        digest = source.hash.removeprefix("sha256:")[:12]
        rows.add_row(cell(source.name), source.type, source.doc_type, str(source.chunk_count), source.built, digest)
    for failure in manifest.failures:
        rows.add_row(cell(failure.name), "", "", "", tr("failed: {category}", category=failure.category), "")
    out.print(rows)


def _facts(manifest: "Manifest") -> list[tuple[str, str]]:
    from .messages import tr

    keyword, embedding = manifest.keyword, manifest.embedding
    facts = [
        ("version", tr("{version} (active)", version=manifest.version) if manifest.active else manifest.version),
        ("created", tr("{time} by kisoku {tool}", time=manifest.created_at, tool=manifest.tool_version)),
        ("previous", manifest.active_previous or ""),
        (
            "embedding",
            tr(
                "{model} ({adapter}, {dimension} dimensions)",
                model=embedding.model,
                adapter=embedding.adapter,
                dimension=embedding.dimension,
            ),
        ),
        ("reranker", manifest.reranker.model if manifest.reranker else tr("none")),
        ("analyzer", keyword.analyzer_fingerprint),
        ("vector store", manifest.vector_store),
        ("chunks", ", ".join(f"{name} {c.chunk_count}" for name, c in manifest.collections.items())),
        (
            "vectors",
            tr(
                "embedded {embedded}, reused {reused}, dropped {dropped}",
                embedded=manifest.embedded,
                reused=manifest.reused,
                dropped=manifest.dropped,
            ),
        ),
    ]
    return [(label, value) for label, value in facts if value]


@app.command("diff")
def diff(
    before: Annotated[str, typer.Argument(help="The older version (v2).", autocompletion=completion.versions)],
    after: Annotated[
        str, typer.Argument(help="The newer version (v3), or active.", autocompletion=completion.versions_or_active)
    ],
    full: Annotated[bool, typer.Option("--full", help="Print the text of added and removed chunks too.")] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Compare two versions: documents and chunks added, removed and changed, with the text that differs."""
    from .messages import localised, tr
    from .output import console, counted, print_json

    with open_app(root, config, profile, set_, lang) as kisoku:
        names = [kisoku.manager.get_latest_version() if name == "active" else name for name in (before, after)]
        found = kisoku.manager.diff(*names)
    if json:
        print_json(found.model_dump(mode="json"))
        return
    out = console()
    for sentence in found.recipe:
        out.print(localised(sentence), soft_wrap=True)
    for document in found.documents:
        moved = f" ({document.moved[0]} -> {document.moved[1]})" if document.moved else ""
        out.print(_text(f"{_SIGNS[document.change]} {document.name}{moved}", "bold"), soft_wrap=True)
        for change in document.chunks:
            _print_change(out, change, full=full)
    said = tr(
        "{before} -> {after}: chunks +{added} -{removed} ~{changed} in {documents}; {unchanged} unchanged.",
        before=found.before,
        after=found.after,
        added=found.count("added"),
        removed=found.count("removed"),
        changed=found.count("changed"),
        documents=counted(len(found.documents), "document"),
        unchanged=counted(found.unchanged_documents, "document"),
    )
    out.print(said, soft_wrap=True)


def _print_change(out: Any, change: "ChunkChange", *, full: bool) -> None:
    side = change.after or change.before
    if side is None:
        return
    out.print(_text(f"  {_SIGNS[change.change]} {side.chunk_id}  {side.source_uri}"), soft_wrap=True)
    if change.change != "changed" and not full:
        return
    for line in change.diff:
        out.print(_text(f"      {line}", _COLOURS.get(line[:1], "")), soft_wrap=True)


def _text(line: str, style: str = "") -> Any:
    from rich.text import Text

    from .output import printable

    return Text(printable(line), style)


def rollback(
    version: Annotated[str, typer.Argument(help="Version to make active (v1).", autocompletion=completion.versions)],
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Make another version the active one. Nothing is deleted; sessions keep their version."""
    from .messages import tr
    from .output import console, print_json

    with open_app(root, config, profile, set_, lang) as app:
        pointer = app.handbook_store.pointer()
        before = pointer.version if pointer else None
        app.manager.rollback_to(version)
        if json:
            print_json({"version": version, "previous": before})
        elif before == version:
            console().print(tr("{version} is already active.", version=version))
        else:
            told = tr("Active: {version} (was {before}). New sessions use it.", version=version, before=before)
            console().print(told)
