"""`kisoku config`: settings in effect, and whether they will do."""

from collections.abc import Mapping

import typer

from .options import Config, Json, Lang, Profile, Root, Set, load

app = typer.Typer(help="Settings in effect, and whether they will do.", no_args_is_help=True)


@app.command("show")
def show(
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Print the settings in effect and where each came from."""
    from .output import cell, console, print_json, table

    loaded = load(root, config, profile, set_, lang)
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
