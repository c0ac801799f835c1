"""What the shell offers when Tab is pressed: names from the handbook's folder, read without loading anything heavy.

A Tab must answer at once and never fail: what cannot be read offers nothing.
"""

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

import typer

_AGENTS = ("writer", "impact", "qa")
_CATEGORIES = ("write", "design", "ref")
_LANGUAGES = ("ja", "zh", "en")
_PROFILES = ("bge-m3",)
_SESSIONS = "SELECT session_id FROM sessions ORDER BY created_at DESC LIMIT 200"
_CONFLICTS = "SELECT conflict_id FROM conflicts ORDER BY number DESC LIMIT 200"
_TRACES = "SELECT trace_id FROM tool_invocations ORDER BY number DESC LIMIT 20"
_BUSY_SECONDS = 0.2


def agents(incomplete: str) -> list[str]:
    """Return agents that can ask."""
    return _beginning(_AGENTS, incomplete)


def categories(incomplete: str) -> list[str]:
    """Return categories of documents."""
    return _beginning(_CATEGORIES, incomplete)


def languages(incomplete: str) -> list[str]:
    """Return languages of messages."""
    return _beginning(_LANGUAGES, incomplete)


def profiles(incomplete: str) -> list[str]:
    """Return bundled profiles."""
    return _beginning(_PROFILES, incomplete)


def assignments(incomplete: str) -> list[str]:
    """Return settings with the sign that a value follows; nothing once there is one."""
    if "=" in incomplete:
        return []
    from ...config.loading import setting_keys

    return _beginning([f"{key}=" for key in setting_keys()], incomplete)


def versions(context: typer.Context, incomplete: str) -> list[str]:
    """Return versions of the handbook, the newest first."""
    with contextlib.suppress(OSError):
        numbers = [int(p.stem[1:]) for p in (_root(context) / "manifests").iterdir() if re.fullmatch(r"v\d+", p.stem)]
        return _beginning((f"v{number}" for number in sorted(numbers, reverse=True)), incomplete)
    return []


def versions_or_active(context: typer.Context, incomplete: str) -> list[str]:
    """Return versions of the handbook, and `active`."""
    return [*_beginning(("active",), incomplete), *versions(context, incomplete)]


def sessions(context: typer.Context, incomplete: str) -> list[str]:
    """Return sessions, the newest first."""
    return _beginning(_names(context, _SESSIONS), incomplete)


def conflicts(context: typer.Context, incomplete: str) -> list[str]:
    """Return ids of conflicts, the newest first."""
    return _beginning(_names(context, _CONFLICTS), incomplete)


def traces(context: typer.Context, incomplete: str) -> list[str]:
    """Return ids of the newest searches."""
    return _beginning(_names(context, _TRACES), incomplete)


def _beginning(names: Iterator[str] | tuple[str, ...] | list[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _root(context: typer.Context) -> Path:
    given = context.params.get("root") or os.environ.get("KISOKU_ROOT")
    return Path(given or "kisoku-handbook")


def _names(context: typer.Context, statement: str) -> list[str]:
    """Return the first column of a query; nothing when there is no database file here (PostgreSQL, none yet)."""
    path = _root(context) / "sessions.db"
    if not path.is_file():
        return []
    import sqlite3

    try:
        # Opened for reading alone: a Tab must not make, migrate or lock anything.
        opened = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)
        with contextlib.closing(opened) as database:
            return [str(row[0]) for row in database.execute(statement)]
    except (OSError, ValueError, sqlite3.Error):
        return []
