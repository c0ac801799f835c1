"""Conditions on metadata in the language of Chroma."""

from collections.abc import Sequence
from typing import Any

from ...ports.vector_store import MetadataValue, Where


def never_holds(where: Where | None) -> bool:
    """Return whether a condition allows no value at all, which Chroma would refuse."""
    return where is not None and any(not _values(condition) for condition in where.values())


def chroma_where(where: Where | None) -> Any:
    """Translate conditions; Chroma wants one key per clause and values of one type per `$in`."""
    clauses: list[dict[str, object]] = []
    for key, condition in (where or {}).items():
        by_type: dict[type, list[MetadataValue]] = {}
        for value in _values(condition):
            by_type.setdefault(type(value), []).append(value)
        options: list[dict[str, object]] = [{key: {"$in": values}} for values in by_type.values()]
        clauses.append(options[0] if len(options) == 1 else {"$or": options})
    if not clauses:
        return None
    return clauses[0] if len(clauses) == 1 else {"$and": clauses}


def _values(condition: MetadataValue | Sequence[MetadataValue]) -> list[MetadataValue]:
    return [condition] if isinstance(condition, str | int | float) else list(condition)
