"""The markers that a plugin imports: `from kisoku.plugins.markers import hookimpl`."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import pluggy

PROJECT = "kisoku"
"""Project name of the hooks and group name of the entry points."""

_F = TypeVar("_F", bound=Callable[..., Any])

hookspec = cast("Callable[[_F], _F]", pluggy.HookspecMarker(PROJECT))
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function as an implementation of a kisoku hook."""
