"""Switches that turn one part of a search off, to see what it is worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...config.settings import Settings


@dataclass(frozen=True, slots=True)
class Switch:
    """A change of settings that needs no new build.

    Attributes:
        name: For the report ("no rerank").
        settings: The settings with the change.
    """

    name: str
    settings: Settings


_CHANGES: Mapping[str, Mapping[str, Any]] = {
    "no vector": {"retrieval": {"vector": {"enabled": False}}},
    "no keyword": {"retrieval": {"keyword": {"enabled": False}}},
    "no ngram": {"retrieval": {"ngram": {"enabled": False}}},
    "no context": {"retrieval": {"context_weight": 0.0}},
    "no query understanding": {"query": {"mode": "off"}},
    "no rerank": {"rerank": {"enabled": False}},
    "no gate": {"gates": {"enabled": False}},
    "rrf": {"retrieval": {"fusion": {"method": "rrf"}}},
    "weighted": {"retrieval": {"fusion": {"method": "weighted"}}},
}


def switches(settings: Settings) -> list[Switch]:
    """Return every change that makes a difference to these settings."""
    values = settings.model_dump()
    found = []
    for name, changes in _CHANGES.items():
        changed = _merged(values, changes)
        if changed != values:
            found.append(Switch(name, Settings.model_validate(changed)))
    return found


def _merged(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(values)
    for key, change in changes.items():
        merged[key] = _merged(merged[key], change) if isinstance(change, Mapping) else change
    return merged
