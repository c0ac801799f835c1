"""From files, environment and command line to `Settings`, remembering where each value came from.

Later sources win: rag.yaml (defaults), a profile, a configuration file, `KISOKU_…` variables, `--set a.b=c`.
"""

import difflib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ValidationError

from ..domain.errors import ConfigError
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
    for source, values in _sources(config, profile, assignments, variables, overrides or {}):
        _check_keys(values, Settings, source)
        _merge(merged, values, origins, source)
    try:
        return LoadedSettings(Settings.model_validate(merged), origins)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "configuration"
        where = origins.get(key, "")
        shown = f" (from {where})" if where else ""
        # A fault of a whole section says in its message which values do not go together.
        got = "" if isinstance(first["input"], Mapping | BaseModel) else f"; got {first['input']!r}"
        message = first["msg"].removeprefix("Value error, ")
        raise ConfigError(f"The setting {key}{shown} is wrong: {message}{got}.") from error


def _sources(
    config: Path | None,
    profile: str | None,
    assignments: Sequence[str],
    variables: Mapping[str, str],
    overrides: Mapping[str, object],
) -> Iterable[tuple[str, dict[str, Any]]]:
    yield "rag.yaml", _parse(resources.files(__package__).joinpath("rag.yaml").read_text("utf-8"), "rag.yaml")
    if profile is not None:
        yield f"profile {profile}", _profile(profile)
    if config is not None:
        yield str(config), _parse(_read(config, "configuration file"), str(config))
    for name in sorted(variables):
        if name.startswith(PREFIX) and name not in _NOT_SETTINGS and not name.startswith("KISOKU_TEST_"):
            key = name.removeprefix(PREFIX).lower().replace("__", ".")
            yield f"variable {name}", _nested(key, _scalar(variables[name], name))
    for text in assignments:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise ConfigError(f"--set {text!r} is no assignment.", hint="Write it as --set retrieval.top_k=8.")
        yield f"--set {key.strip()}", _nested(key.strip(), _scalar(value, text))
    for key, given in overrides.items():
        yield "command line", _nested(key, given)


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


def _check_keys(values: Mapping[str, Any], model: type[BaseModel], source: str, path: str = "") -> None:
    """Refuse unknown keys, naming the nearest known one."""
    for key, value in values.items():
        field = model.model_fields.get(str(key))
        if field is None:
            nearest = _nearest(str(key), model, path)
            hint = f"Did you mean {nearest}?" if nearest else f"Known here: {', '.join(model.model_fields)}."
            raise ConfigError(f"There is no setting {path}{key} ({source}).", hint=hint)
        section = _section(field.annotation)
        if section is not None and isinstance(value, Mapping):
            _check_keys(value, section, source, f"{path}{key}.")


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
