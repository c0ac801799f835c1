"""Reading the profiles of the answerability gate."""

from functools import lru_cache
from pathlib import Path

import yaml
from pydantic import ValidationError

from ..domain.answerability.model import GateProfile
from ..domain.errors import ConfigError
from .kept_yaml import load_kept_yaml
from .safe_yaml import load_yaml

_BUNDLED = Path(__file__).parent / "gates"
ANY_MODEL = "any"
"""Name of the profile that needs no embedding model."""


def gate_profile(model: str, own: Path | None = None) -> GateProfile:
    """Return the profile of an embedding model.

    Args:
        model: Its name, as in the manifest.
        own: A file that `kisoku eval calibrate` wrote; it counts when it was made for that model.

    Returns:
        The own one, else the bundled one of the model, else the bundled one of words alone.

    Raises:
        ConfigError: The file cannot be read or has another shape.
    """
    profiles = ([_read(own)] if own is not None else []) + list(_bundled())
    for name in (model, ANY_MODEL):
        for profile in profiles:
            if profile.model == name:
                return profile
    raise ConfigError("The bundled gate profiles are incomplete.", hint="Install kisoku again.")


@lru_cache(maxsize=1)
def _bundled() -> tuple[GateProfile, ...]:
    return tuple(_read(path) for path in sorted(_BUNDLED.glob("*.yaml")))


@lru_cache(maxsize=8)
def _read(path: Path) -> GateProfile:
    try:
        load = load_kept_yaml if path.is_relative_to(_BUNDLED) else load_yaml
        return GateProfile.model_validate(load(path.read_text(encoding="utf-8-sig")))
    except (OSError, UnicodeDecodeError) as error:
        cause = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"The gate profile {path} cannot be read: {cause}.") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f" at line {mark.line + 1}" if mark else ""
        raise ConfigError(f"The gate profile {path} is no valid YAML{line}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the top"
        raise ConfigError(
            f"The gate profile {path} is malformed at {place}: {first['msg']}.",
            hint="kisoku eval calibrate --out writes such a file.",
        ) from error
