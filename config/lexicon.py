"""Reading the rule lexicon from YAML files (spec: conflicts, step 3)."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from ..domain.conflicts import LexiconPart
from ..domain.constraints.lexicon import Lexicon
from ..domain.errors import ConfigError
from .kept_yaml import load_kept_yaml
from .safe_yaml import load_yaml

_BUNDLED = Path(__file__).parent / "lexicon"
_LANGUAGES = ("ja", "zh", "en")


def load_lexicon(
    extra: Sequence[Path] = (),
    parts: Sequence[LexiconPart] = (),
    *,
    on_error: Callable[[LexiconPart, ConfigError], None] | None = None,
) -> Lexicon:
    """Return the bundled lexicon, extended by what plugins offer and by further files.

    Args:
        extra: Files in the bundled files' shape. `words` are given by language (`ja`, `zh`, `en`), or all of one
            language, with which the file's name then begins (`ja-banking.yaml`); lists are appended to, mappings are
            merged.
        parts: Extensions by plugins, merged before the files, so that a deployment has the last word.
        on_error: Called with a plugin's extension that cannot be used, which is then left out; None raises.

    Raises:
        ConfigError: A file is missing, no YAML, or not of that shape; or a plugin's extension is, and `on_error` is
            None.
    """
    files = tuple(Path(path) for path in extra)
    if not parts:
        return _load(files)
    merged = _merged(())
    for part in parts:
        try:
            data = _of_part(part)
            joined = _merge(merged, data, f"lexicon {part.name!r} of plugin {part.plugin!r}")
            _validated(joined, f"The lexicon {part.name!r} of plugin {part.plugin!r}")
        except ConfigError as error:
            if on_error is None:
                raise
            on_error(part, error)
        else:
            merged = joined
    for path in files:
        merged = _merge(merged, _read(path), f"lexicon file {path.name}")
    return _validated(merged, "The rule lexicon")


@lru_cache(maxsize=8)
def _load(extra: tuple[Path, ...]) -> Lexicon:
    return _validated(_merged(extra), "The rule lexicon")


def _merged(extra: tuple[Path, ...]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    bundled = [_BUNDLED / f"{name}.yaml" for name in ("common", *_LANGUAGES, "names")]
    areas = sorted((_BUNDLED / "areas").glob("*.yaml"))
    for path in (*bundled, *areas, *extra):
        merged = _merge(merged, _read(path), f"lexicon file {path.name}")
    return merged


def _validated(merged: Mapping[str, Any], what: str) -> Lexicon:
    try:
        return Lexicon.model_validate(merged)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"{what} is malformed at {where}: {first['msg']}.") from error


def _of_part(part: LexiconPart) -> dict[str, Any]:
    what = f"lexicon {part.name!r} of plugin {part.plugin!r}"
    if isinstance(part.source, Path):
        return _read(part.source, what)
    return _with_language(dict(part.source), part.name, what)


def _read(path: Path, what: str = "") -> dict[str, Any]:
    what = what or f"lexicon file {path.name}"
    try:
        load = load_kept_yaml if path.is_relative_to(_BUNDLED) else load_yaml
        data = load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The {what} cannot be read: {error}.") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"The {what} is no valid YAML: {error}.") from error
    if not isinstance(data, dict):
        raise ConfigError(f"The {what} must be a mapping.")
    return _with_language(data, path.name, what)


def _with_language(data: dict[str, Any], name: str, what: str) -> dict[str, Any]:
    """Put words that are not sorted by language under the one that the name begins with."""
    words = data.get("words")
    if words and not (isinstance(words, dict) and set(words) <= set(_LANGUAGES)):
        language = name[:2]
        if language not in _LANGUAGES:
            raise ConfigError(
                f"The {what} has words but its name does not tell the language.",
                hint="Put them under ja, zh or en, or begin the name with one of these.",
            )
        data["words"] = {language: words}
    return data


def _merge(base: Mapping[str, Any], more: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Join two levels of mappings and lists; a scalar of the later file wins."""
    joined = dict(base)
    for key, value in more.items():
        old = joined.get(key)
        if old is None:
            joined[key] = value
        elif isinstance(old, dict) and isinstance(value, dict):
            joined[key] = _merge(old, value, what)
        elif isinstance(old, list) and isinstance(value, list):
            joined[key] = [*old, *value]
        elif isinstance(old, dict | list) or isinstance(value, dict | list):
            raise ConfigError(f"The {what} gives {key} another shape than the bundled files.")
        else:
            joined[key] = value
    return joined
