"""What the analyzers read from their options, and how they name what they depend on."""

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Final

from ...domain.errors import ConfigError

_RULES_VERSION: Final = "1"
"""Raised whenever the code of this folder makes other terms of the same text."""


def checked(options: Mapping[str, object], known: frozenset[str]) -> Mapping[str, object]:
    """Return the options; `ConfigError` when one is unknown."""
    if unknown := sorted(set(options) - known):
        raise ConfigError(
            f"Unknown options of the analyzer: {', '.join(unknown)}.",
            hint=f"Known: {', '.join(sorted(known)) or 'none'}.",
        )
    return options


def extra_stop_words(options: Mapping[str, object]) -> frozenset[str]:
    """Return option `stop_words`, a list of words, folded."""
    words = options.get("stop_words", ())
    if isinstance(words, str) or not isinstance(words, list | tuple | set | frozenset):
        raise ConfigError(f"Option stop_words of the analyzer must be a list of words, not {words!r}.")
    return frozenset(unicodedata.normalize("NFKC", str(word)).casefold() for word in words)


def fingerprint(name: str, options: Mapping[str, object], distributions: tuple[str, ...]) -> str:
    """Return what terms depend on: this code, libraries and dictionaries, Unicode tables, options."""
    text = json.dumps(options, sort_keys=True, default=lambda value: sorted(map(str, value)), ensure_ascii=True)
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    parts = [f"{name}-{_RULES_VERSION}", *(f"{item}-{_version(item)}" for item in distributions)]
    return ";".join([*parts, f"unicode-{unicodedata.unidata_version}", f"options-{digest}"])


@cache
def _version(distribution: str) -> str:
    return version(distribution)
