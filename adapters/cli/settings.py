"""`kisoku config`: settings in effect, and whether they will do."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from .messages import localised, tr
from .options import Config, Json, Lang, Profile, Root, Set, faults_of, load, open_app

if TYPE_CHECKING:
    from ...orchestration.settings_check import SettingFault

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


@app.command("check")
def check(
    load_models: Annotated[
        bool, typer.Option("--load", help="Load the embedding model too, and embed a word with it.")
    ] = False,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Check the settings: keys, values, files, adapters, models, keys of services, databases. Exit code 1 for faults.

    Every fault is told, not the first alone. What the settings name is looked for once they can be read as a whole.
    """
    from ...orchestration.settings_check import SettingFault, check_settings
    from ...orchestration.wiring.parts import weights_of_model
    from .output import print_json

    wrong = faults_of(root, config, profile, set_, lang)
    if wrong:
        faults = [SettingFault(part="settings", message=error.message, hint=error.hint) for error in wrong]
    else:
        with open_app(root, config, profile, set_, lang) as kisoku:
            faults = check_settings(kisoku, weights_of_model, load=load_models)
    ok = all(fault.severity == "note" for fault in faults)
    if json:
        print_json({"ok": ok, "faults": [fault.model_dump(mode="json") for fault in faults]})
    else:
        _show_faults(faults, ok=ok)
    if not ok:
        raise typer.Exit(1)


def _show_faults(faults: "list[SettingFault]", *, ok: bool) -> None:
    from .output import cell, console, counted, table

    if faults:
        rows = table("", "", "part", "finding", "hint")
        for fault in faults:
            sign = "!" if fault.severity == "fault" else "·"
            rows.add_row(sign, fault.part, cell(localised(fault.message)), cell(localised(fault.hint)))
        console().print(rows)
    if ok:
        console().print(tr("The settings are in order."))
    else:
        number = sum(fault.severity == "fault" for fault in faults)
        console().print(tr("{faults} in the settings.", faults=counted(number, "fault")))


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
