"""YAML without objects, read by libyaml where PyYAML was built with it (ten times faster)."""

from typing import Any

import yaml

_Loader: type[yaml.SafeLoader] | type[yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str) -> Any:
    """Return the plain values of a YAML text.

    Raises:
        yaml.YAMLError: It is no valid YAML, or asks for an object.
    """
    return yaml.load(text, Loader=_Loader)  # noqa: S506  # a safe loader, whichever of the two
