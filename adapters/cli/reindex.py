"""`kisoku reindex`: one document alone."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import completion
from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...orchestration.bootstrap import Kisoku
    from ...orchestration.building.progress import BuildReport, ProgressCallback


def reindex(
    name: Annotated[str, typer.Argument(help="Name of the document.")],
    source: Annotated[
        Path | None,
        typer.Option("--from", help="The file, or a folder as for build in which it lies.", show_default=False),
    ] = None,
    category: Annotated[
        str | None,
        typer.Option(
            "--category",
            help="write, design or ref, for a new document.",
            show_default=False,
            autocompletion=completion.categories,
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Make a version without the document.")] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Make a new version in which one document alone is changed, added or removed."""
    from .build import as_json, show, told_when_stopped
    from .output import print_json
    from .progress import BuildBar

    if remove == (source is not None):
        raise typer.BadParameter("Give either --from FILE or --remove.")
    with open_app(root, config, profile, set_, lang) as app:
        with told_when_stopped(app), BuildBar(enabled=not json) as bar:
            report = _changed(app, name, source, category, bar)
        if json:
            print_json(as_json(report, ()))
        else:
            show(report)


def _changed(
    app: "Kisoku", name: str, source: Path | None, category: str | None, bar: "ProgressCallback"
) -> "BuildReport":
    from ...domain.errors import BuildError
    from ...domain.names import document_name
    from ...orchestration.building.collect import collect_documents

    if source is None:
        return app.manager.remove_document(name, on_progress=bar)
    if not source.is_dir():
        if not source.exists():
            raise BuildError(f"{source} does not exist.", hint="Name the file that holds the document.")
        return app.manager.reindex(name, source, category=category, on_progress=bar)
    collected = collect_documents(source, app.settings.partitions)
    known = document_name(name)
    path = next((file.path for file in collected.files if file.name == known), None)
    if path is None:
        raise BuildError(f"{source} holds no document {name!r}.", hint="To take it out of the handbook: --remove")
    return app.manager.reindex(
        name,
        path,
        category=category or collected.categories[known],
        partition=collected.partitions.get(known, ""),
        on_progress=bar,
    )
