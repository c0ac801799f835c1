"""`kisoku versions` and `kisoku rollback`."""

from typing import Annotated

import typer

from .options import Config, Json, Lang, Profile, Root, Set, open_app


def versions(
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """List all versions; the active one is marked."""
    from .output import console, print_json, table

    with open_app(root, config, profile, set_, lang) as app:
        manifests = app.manager.list_versions()
        if json:
            print_json([m.model_dump(mode="json") | {"partitions": list(m.partitions)} for m in manifests])
            return
        if not manifests:
            console().print("There is no handbook yet. Build one with: kisoku build DIR")
            return
        rows = table("", "", "version", "created", "documents#", "chunks#", "embedded#", "reused#", "model")
        for m in manifests:
            rows.add_row(
                "*" if m.active else "",
                m.version,
                m.created_at,
                str(len(m.source_files)),
                str(sum(c.chunk_count for c in m.collections.values())),
                str(m.embedded),
                str(m.reused),
                m.embedding.model,
            )
        console().print(rows)


def rollback(
    version: Annotated[str, typer.Argument(help="Version to make active (v1).")],
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Make another version the active one. Nothing is deleted; sessions keep their version."""
    from .output import console, print_json

    with open_app(root, config, profile, set_, lang) as app:
        pointer = app.handbook_store.pointer()
        before = pointer.version if pointer else None
        app.manager.rollback_to(version)
        if json:
            print_json({"version": version, "previous": before})
        elif before == version:
            console().print(f"{version} is already active.")
        else:
            console().print(f"Active: {version} (was {before}). New sessions use it.")
