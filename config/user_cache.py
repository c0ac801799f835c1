"""Where kisoku keeps what it can make again: below the user's cache, and never needed."""

import os
from pathlib import Path


def user_cache() -> Path | None:
    """Return the folder, which need not exist; None where a user has no home."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "kisoku"
    except RuntimeError:  # there is no home
        return None
