"""Reading the rule lexicon from YAML files (spec: conflicts, step 3)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from ..domain.constraints.lexicon import Lexicon
from ..domain.errors import ConfigError
from .safe_yaml import load_yaml

_BUNDLED = Path(__file__).parent / "lexicon"
_LANGUAGES = ("ja", "zh", "en")


def load_lexicon(extra: Sequence[Path] = ()) -> Lexicon:
    """Return the bundled lexicon, extended by further files.

    Args:
        extra: Files in the bundled files' shape. `words` of a file are words of the language its name begins with
            (`ja`, `zh` or `en`; `ja-banking.yaml`); lists are appended to, mappings are merged.

    Raises:
        ConfigError: A file is missing, no YAML, or not of that shape.
    """
    return _load(tuple(Path(path) for path in extra))


@lru_cache(maxsize=8)
def _load(extra: tuple[Path, ...]) -> Lexicon:
    merged: dict[str, Any] = {}
    bundled = [_BUNDLED / f"{name}.yaml" for name in ("common", *_LANGUAGES)]
    for path in (*bundled, *extra):
        merged = _merge(merged, _read(path), path)
    try:
        return Lexicon.model_validate(merged)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"The rule lexicon is malformed at {where}: {first['msg']}.") from error


def _read(path: Path) -> dict[str, Any]:
    try:
        data = load_yaml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The lexicon file {path.name} cannot be read: {error}.") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"The lexicon file {path.name} is no valid YAML: {error}.") from error
    if not isinstance(data, dict):
        raise ConfigError(f"The lexicon file {path.name} must be a mapping.")
    if "words" in data:
        language = path.name[:2]
        if language not in _LANGUAGES:
            raise ConfigError(
                f"The lexicon file {path.name} has words but its name does not tell the language.",
                hint="Begin the name with ja, zh or en.",
            )
        data["words"] = {language: data["words"]}
    return data


def _merge(base: Mapping[str, Any], more: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Join two levels of mappings and lists; a scalar of the later file wins."""
    joined = dict(base)
    for key, value in more.items():
        old = joined.get(key)
        if old is None:
            joined[key] = value
        elif isinstance(old, dict) and isinstance(value, dict):
            joined[key] = _merge(old, value, path)
        elif isinstance(old, list) and isinstance(value, list):
            joined[key] = [*old, *value]
        elif isinstance(old, dict | list) or isinstance(value, dict | list):
            raise ConfigError(f"The lexicon file {path.name} gives {key} another shape than the bundled files.")
        else:
            joined[key] = value
    return joined
