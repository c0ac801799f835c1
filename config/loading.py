"""From files, environment and command line to `Settings`, remembering where each value came from.

Later sources win: rag.yaml (defaults), a profile, a configuration file, `KISOKU_…` variables, `--set a.b=c`.
"""

import difflib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import resources
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError

from ..domain.errors import ConfigError
from .kept_yaml import load_kept_yaml
from .safe_yaml import load_yaml
from .settings import Settings

PREFIX = "KISOKU_"
"""`KISOKU_EMBEDDING__MODEL=x` sets `embedding.model`; two underscores stand for the dot."""
_NOT_SETTINGS = frozenset({"KISOKU_CONFIG", "KISOKU_PROFILE", "KISOKU_MCP_TOKEN"})


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings, and for every dotted key the source of its value."""

    settings: Settings
    origins: Mapping[str, str]


def load_settings(
    *,
    config: Path | None = None,
    profile: str | None = None,
    assignments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    overrides: Mapping[str, object] | None = None,
) -> LoadedSettings:
    """Read and merge every source.

    Args:
        config: A YAML file; None for `KISOKU_CONFIG`, or none.
        profile: Name of a bundled profile (`bge-m3`) or path of a YAML file; None for `KISOKU_PROFILE`, or none.
        assignments: `a.b=c` texts; the value is read as YAML.
        environment: Variables; None for the process's own.
        overrides: Values by dotted key that win over everything, as they are: a path is no YAML.

    Raises:
        ConfigError: A file is missing or malformed, a key is unknown (the nearest is named), a value does not fit.
    """
    variables = os.environ if environment is None else environment
    config = config or (Path(variables["KISOKU_CONFIG"]) if variables.get("KISOKU_CONFIG") else None)
    profile = profile or variables.get("KISOKU_PROFILE") or None
    merged: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for source, read in _sources(config, profile, assignments, variables, overrides or {}):
        values = read()
        for unknown in _unknown_keys(values, Settings, source):
            raise unknown
        _merge(merged, values, origins, source)
    try:
        return LoadedSettings(Settings.model_validate(merged), origins)
    except ValidationError as error:
        raise _wrong_value(error.errors()[0], origins) from error


def find_faults(
    *,
    config: Path | None = None,
    profile: str | None = None,
    assignments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    overrides: Mapping[str, object] | None = None,
) -> tuple[ConfigError, ...]:
    """Return everything that is wrong with the settings of every source, where `load_settings` raises the first.

    Args are those of `load_settings`.
    """
    variables = os.environ if environment is None else environment
    config = config or (Path(variables["KISOKU_CONFIG"]) if variables.get("KISOKU_CONFIG") else None)
    profile = profile or variables.get("KISOKU_PROFILE") or None
    found: list[ConfigError] = []
    merged: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for source, read in _sources(config, profile, assignments, variables, overrides or {}):
        try:
            values = read()
        except ConfigError as error:
            found.append(error)
            continue
        found.extend(_unknown_keys(values, Settings, source))
        _merge(merged, _known(values, Settings), origins, source)
    try:
        Settings.model_validate(merged)
    except ValidationError as error:
        found.extend(_wrong_value(fault, origins) for fault in error.errors())
    return tuple(found)


def setting_keys() -> tuple[str, ...]:
    """Return every setting's dotted key, in the order of the settings."""
    return tuple(_dotted_keys(Settings))


def _wrong_value(fault: Any, origins: Mapping[str, str]) -> ConfigError:
    """Return what pydantic found, with the key and where its value came from."""
    key = ".".join(map(str, fault["loc"])) or "configuration"
    where = origins.get(key, "")
    shown = f" (from {where})" if where else ""
    # A fault of a whole section says in its message which values do not go together.
    got = "" if isinstance(fault["input"], Mapping | BaseModel) else f"; got {fault['input']!r}"
    message = fault["msg"].removeprefix("Value error, ")
    return ConfigError(f"The setting {key}{shown} is wrong: {message}{got}.")


def _sources(
    config: Path | None,
    profile: str | None,
    assignments: Sequence[str],
    variables: Mapping[str, str],
    overrides: Mapping[str, object],
) -> Iterable[tuple[str, Callable[[], dict[str, Any]]]]:
    """Yield every source with its reader, which raises `ConfigError`; later ones win."""
    yield "rag.yaml", partial(_bundled_values)
    if profile is not None:
        yield f"profile {profile}", partial(_profile, profile)
    if config is not None:
        yield str(config), partial(_file_values, config)
    for name in sorted(variables):
        if name.startswith(PREFIX) and name not in _NOT_SETTINGS and not name.startswith("KISOKU_TEST_"):
            yield f"variable {name}", partial(_variable_values, name, variables[name])
    for text in assignments:
        yield f"--set {text.partition('=')[0].strip()}", partial(_assigned_values, text)
    for key, given in overrides.items():
        yield "command line", partial(_nested, key, given)


def _bundled_values() -> dict[str, Any]:
    return dict(load_kept_yaml(resources.files(__package__).joinpath("rag.yaml").read_text("utf-8")))


def _file_values(path: Path) -> dict[str, Any]:
    return _parse(_read(path, "configuration file"), str(path))


def _variable_values(name: str, text: str) -> dict[str, Any]:
    return _nested(name.removeprefix(PREFIX).lower().replace("__", "."), _scalar(text, name))


def _assigned_values(text: str) -> dict[str, Any]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ConfigError(f"--set {text!r} is no assignment.", hint="Write it as --set retrieval.top_k=8.")
    return _nested(key.strip(), _scalar(value, text))


def _profile(profile: str) -> dict[str, Any]:
    bundled = {
        entry.name.removeprefix("rag.").removesuffix(".yaml"): entry
        for entry in resources.files(__package__).iterdir()
        if entry.name.startswith("rag.") and entry.name.endswith(".yaml") and entry.name != "rag.yaml"
    }
    if profile in bundled:
        return _parse(bundled[profile].read_text("utf-8"), profile)
    path = Path(profile)
    if path.suffix in {".yaml", ".yml"}:
        return _parse(_read(path, "profile"), profile)
    raise ConfigError(
        f"There is no profile {profile!r}.", hint=f"Profiles: {', '.join(sorted(bundled))}; or the path of a YAML file."
    )


def _read(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        cause = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"The {what} {path} cannot be read: {cause}.") from error


def _parse(text: str, source: str) -> dict[str, Any]:
    try:
        values = load_yaml(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" at line {mark.line + 1}" if mark else ""
        raise ConfigError(f"{source} is no valid YAML{line}.") from error
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise ConfigError(f"{source} must hold settings by name, not a {type(values).__name__}.")
    return values


def _scalar(text: str, source: str) -> Any:
    if not text.strip():
        # YAML would read nothing as null, but `KISOKU_SESSIONS__URL=` means an empty text.
        return ""
    try:
        return load_yaml(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"The value in {source!r} is no valid YAML.") from error


def _nested(key: str, value: Any) -> dict[str, Any]:
    for part in reversed(key.split(".")):
        value = {part: value}
    return dict(value)


def _merge(
    into: dict[str, Any], values: Mapping[str, Any], origins: dict[str, str], source: str, path: str = ""
) -> None:
    for key, value in values.items():
        dotted = f"{path}{key}"
        if isinstance(value, Mapping) and value and isinstance(into.get(key, {}), dict):
            _merge(into.setdefault(key, {}), value, origins, source, f"{dotted}.")
        else:
            into[key] = value
            origins[dotted] = source


def _unknown_keys(
    values: Mapping[str, Any], model: type[BaseModel], source: str, path: str = ""
) -> Iterator[ConfigError]:
    """Yield an error for every unknown key, naming the nearest known one."""
    for key, value in values.items():
        field = model.model_fields.get(str(key))
        if field is None:
            nearest = _nearest(str(key), model, path)
            hint = f"Did you mean {nearest}?" if nearest else f"Known here: {', '.join(model.model_fields)}."
            yield ConfigError(f"There is no setting {path}{key} ({source}).", hint=hint)
            continue
        section = _section(field.annotation)
        if section is not None and isinstance(value, Mapping):
            yield from _unknown_keys(value, section, source, f"{path}{key}.")


def _known(values: Mapping[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    """Return values without unknown keys."""
    kept: dict[str, Any] = {}
    for key, value in values.items():
        field = model.model_fields.get(str(key))
        section = _section(field.annotation) if field else None
        if field is not None:
            kept[key] = _known(value, section) if section is not None and isinstance(value, Mapping) else value
    return kept


def _nearest(key: str, model: type[BaseModel], path: str) -> str:
    """Return the dotted key that was probably meant: of the same section, else the same name elsewhere, else ""."""
    here = difflib.get_close_matches(key, model.model_fields, n=1, cutoff=0.6)
    if here:
        return path + here[0]
    everywhere = list(_dotted_keys(Settings))
    same = [dotted for dotted in everywhere if dotted.rpartition(".")[2] == key.rpartition(".")[2]]
    if len(same) == 1:
        return same[0]
    loosely = difflib.get_close_matches(key, model.model_fields, n=1, cutoff=0.5)
    return path + loosely[0] if loosely else ""


def _dotted_keys(model: type[BaseModel], path: str = "") -> Iterable[str]:
    for name, field in model.model_fields.items():
        section = _section(field.annotation)
        if section is None:
            yield path + name
        else:
            yield from _dotted_keys(section, f"{path}{name}.")


def _section(annotation: Any) -> type[BaseModel] | None:
    if get_origin(annotation) in {Union, UnionType}:
        return next((s for a in get_args(annotation) if (s := _section(a))), None)
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None
