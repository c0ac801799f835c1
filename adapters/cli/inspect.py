"""`kisoku plugins`, `kisoku trace`, `kisoku config show`."""

from collections.abc import Mapping
from typing import Annotated

import typer

from .options import Config, Json, Lang, Profile, Root, Set, load, open_app

config = typer.Typer(help="Settings in effect.", no_args_is_help=True)


def plugins(lang: Lang = None, json: Json = False) -> None:
    """List installed plugins: from which distribution, what they provide and hear, what failed and why."""
    from ...plugins.manager import shared_manager
    from .messages import choose_language, localised, tr
    from .output import cell, console, print_json, table, warn

    choose_language(lang)

    manager = shared_manager()
    # Making the chunkers shows which of them cannot be made, or claim extensions that others read.
    manager.chunkers()
    found = manager.plugins()
    if json:
        print_json(
            [
                {
                    "name": p.name,
                    "distribution": p.distribution,
                    "version": p.version,
                    "provides": {hook: list(names) for hook, names in p.provides.items()},
                    "lifecycle": list(p.lifecycle),
                    "failures": [{"hook": f.hook, "cause": f.cause} for f in p.failures],
                }
                for p in found
            ]
        )
        return
    rows = table("", "plugin", "distribution", "provides")
    for p in found:
        provides = [f"{hook.removeprefix('kisoku_')}: {', '.join(names)}" for hook, names in p.provides.items()]
        if p.lifecycle:
            heard = ", ".join(hook.removeprefix("kisoku_") for hook in p.lifecycle)
            provides.append(tr("hears: {hooks}", hooks=heard))
        rows.add_row(cell(p.name), cell(f"{p.distribution} {p.version}"), cell("\n".join(provides) or tr("nothing")))
    console().print(rows)
    for p in found:
        for failure in p.failures:
            source, where = f"{p.name} ({p.distribution} {p.version})", failure.hook or "import"
            warn(tr("plugin {name}: {where}: {cause}", name=source, where=where, cause=localised(failure.cause)))


def trace(
    trace_id: Annotated[str | None, typer.Argument(help="Trace of one search; without it, the newest.")] = None,
    root: Root = None,
    config_file: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Show what a search did, stage by stage, or list the newest searches."""
    import json as jsonlib

    from ...domain.errors import RetrievalError
    from .messages import tr
    from .output import cell, console, print_json, table

    with open_app(root, config_file, profile, set_, lang) as app:
        if trace_id is None:
            records = app.sessions.invocations(limit=20)
            if json:
                print_json([r.model_dump(mode="json", exclude={"retrieval_details"}) for r in records])
                return
            rows = table("", "trace", "when", "version", "agent", "query", "found#", "ms#")
            for r in records:
                found = str(len(r.chunk_ids))
                rows.add_row(
                    r.trace_id,
                    r.created_at[:19],
                    r.version,
                    r.agent,
                    cell(r.query[:60]),
                    found,
                    f"{r.milliseconds:.0f}",
                )
            console().print(rows)
            return
        record = app.sessions.invocation(trace_id)
        if record is None:
            raise RetrievalError(f"There is no trace {trace_id!r}.", hint="List the newest: kisoku trace")
        details = jsonlib.loads(record.retrieval_details)
        if json:
            print_json(record.model_dump(mode="json", exclude={"retrieval_details"}) | {"retrieval_details": details})
            return
        said = tr("{agent} asked {version}: {query}", agent=record.agent, version=record.version, query=record.query)
        console().print(cell(said))
        rows = table("", "stage", "ms#", "in#", "out#", "details")
        for stage in details["stages"]:
            shown = ", ".join(f"{k}: {v}" for k, v in stage["details"].items())
            rows.add_row(
                stage["stage"],
                f"{stage['milliseconds']:.1f}",
                str(stage["incoming"]),
                str(stage["outgoing"]),
                cell(shown),
            )
        console().print(rows)
        for rank, chunk in enumerate(details["chunks"], start=1):
            console().print(cell(f"{rank}. {chunk['source_uri']} ({chunk['score']:.3f})"))


@config.command("show")
def show(
    root: Root = None,
    config_file: Config = None,
    profile: Profile = None,
    set_: Set = None,
    json: Json = False,
) -> None:
    """Print the settings in effect and where each came from."""
    from .output import cell, console, print_json, table

    loaded = load(root, config_file, profile, set_, None)
    flat = _flatten(loaded.settings.model_dump(mode="json"))
    origins = {key: _origin(key, loaded.origins) for key in flat}
    if json:
        print_json({key: {"value": value, "from": origins[key]} for key, value in flat.items()})
        return
    rows = table("", "setting", "value", "from")
    for key, value in flat.items():
        rows.add_row(cell(key), cell(str(value)), cell(origins[key]))
    console().print(rows)


def _flatten(values: dict[str, object], path: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(value, dict) and value:
            flat.update(_flatten(value, f"{path}{key}."))
        else:
            flat[f"{path}{key}"] = value
    return flat


def _origin(key: str, origins: Mapping[str, str]) -> str:
    while key:
        if key in origins:
            return origins[key]
        key = key.rpartition(".")[0]
    return "default"
