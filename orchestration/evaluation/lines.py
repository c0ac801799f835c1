"""Reading JSON lines, with errors that name the line."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ...domain.errors import ConfigError

M = TypeVar("M", bound=BaseModel)


def read_lines(path: Path, model: type[M]) -> Iterator[M]:
    """Yield each non-empty line as a model.

    Raises:
        ConfigError: The file cannot be read or a line does not fit; the message names file and line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        cause = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"{path} cannot be read: {cause}.") from error
    # Not splitlines: U+2028 and the like may stand inside a JSON string.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield model.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "the line"
            raise ConfigError(f"{path}, line {number}: {place}: {first['msg']}.") from error


def json_line(value: dict[str, Any]) -> str:
    """Return one line of JSON, line break included; a lone surrogate, as in broken file names, is escaped."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace").decode() + "\n"
