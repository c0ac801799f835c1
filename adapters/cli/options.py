"""Options that every command takes, and opening a handbook with them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import completion

if TYPE_CHECKING:
    from ...config.loading import LoadedSettings
    from ...domain.errors import ConfigError
    from ...orchestration.bootstrap import Kisoku

Root = Annotated[
    Path | None,
    typer.Option("--root", help="Folder of the handbook (kisoku-handbook when not given).", show_default=False),
]
Config = Annotated[
    Path | None, typer.Option("--config", help="YAML file with settings of your own.", show_default=False)
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        help="Bundled profile (bge-m3) or a YAML file.",
        show_default=False,
        autocompletion=completion.profiles,
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="One setting: --set retrieval.top_k=8. Repeatable.",
        show_default=False,
        autocompletion=completion.assignments,
    ),
]
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang", help="Language of messages: ja, zh, en.", show_default=False, autocompletion=completion.languages
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def load(
    root: Path | None, config: Path | None, profile: str | None, assignments: list[str] | None, lang: str | None
) -> "LoadedSettings":
    """Read settings from every source."""
    from ...config.loading import load_settings
    from .messages import choose_language

    # Before the settings are read, since they may be wrong, which is told in this language.
    choose_language(lang)
    overrides = _overrides(root, lang)
    loaded = load_settings(config=config, profile=profile, assignments=assignments or (), overrides=overrides)
    if loaded.settings.language != "auto":
        choose_language(loaded.settings.language)
    return loaded


def faults_of(
    root: Path | None, config: Path | None, profile: str | None, assignments: list[str] | None, lang: str | None
) -> "tuple[ConfigError, ...]":
    """Return everything that is wrong in the settings of every source."""
    from ...config.loading import find_faults
    from .messages import choose_language

    choose_language(lang)
    overrides = _overrides(root, lang)
    return find_faults(config=config, profile=profile, assignments=assignments or (), overrides=overrides)


def _overrides(root: Path | None, lang: str | None) -> dict[str, object]:
    given: dict[str, object] = {"root": root, "language": lang}
    return {key: value for key, value in given.items() if value is not None}


def open_app(
    root: Path | None,
    config: Path | None,
    profile: str | None,
    assignments: list[str] | None,
    lang: str | None = None,
) -> "Kisoku":
    """Open the handbook that the options name."""
    from ...orchestration.bootstrap import Kisoku

    return Kisoku(load(root, config, profile, assignments, lang).settings)
