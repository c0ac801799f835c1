"""Reading the vocabulary for queries from YAML files."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import yaml
from pydantic import ValidationError

from ..domain.errors import ConfigError
from ..domain.query import QueryDictionary
from .kept_yaml import load_kept_yaml
from .safe_yaml import load_yaml

_BUNDLED = Path(__file__).parent / "dictionary.yaml"


def load_dictionary(extra: Sequence[Path] = (), *, bundled: bool = True) -> QueryDictionary:
    """Return the bundled vocabulary, extended by further files of the same shape.

    Lists are appended to; a domain of a later file replaces the one of that name.

    Args:
        extra: Files of your own.
        bundled: Whether to begin with the vocabulary that comes with kisoku.

    Raises:
        ConfigError: A file cannot be read, is no YAML, or has another shape; the message names file and place.
    """
    return _load(((_BUNDLED,) if bundled else ()) + tuple(Path(path) for path in extra))


@lru_cache(maxsize=8)
def _load(paths: tuple[Path, ...]) -> QueryDictionary:
    parts = [_read(path) for path in paths]
    return QueryDictionary(
        synonyms=tuple(group for part in parts for group in part.synonyms),
        widen=tuple(entry for part in parts for entry in part.widen),
        stop_words=tuple(words for part in parts for words in part.stop_words),
        requests=tuple(phrases for part in parts for phrases in part.requests),
        domains={name: domain for part in parts for name, domain in part.domains.items()},
    )


def _read(path: Path) -> QueryDictionary:
    try:
        load = load_kept_yaml if path == _BUNDLED else load_yaml
        data = load(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        cause = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"The dictionary {path} cannot be read: {cause}.") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" at line {mark.line + 1}" if mark else ""
        raise ConfigError(f"The dictionary {path} is no valid YAML{line}.") from error
    if data is None:
        return QueryDictionary()
    if not isinstance(data, dict):
        raise ConfigError(
            f"The dictionary {path} must hold sections by name, not a {type(data).__name__}.",
            hint=f"Sections: {', '.join(QueryDictionary.model_fields)}.",
        )
    try:
        return QueryDictionary.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        hint = "A term that YAML reads as a number or as true needs quotes." if first["type"] == "string_type" else ""
        if first["type"] == "extra_forbidden":
            known = ", ".join(QueryDictionary.model_fields)
            message, hint = "there is no such entry", f"Sections: {known}." if len(first["loc"]) == 1 else ""
        raise ConfigError(f"The dictionary {path} is wrong at {where}: {message}.", hint=hint) from error
