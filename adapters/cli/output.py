"""Printing: tables and text to the terminal, JSON for programs, errors for people."""

import json
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .messages import spoken, tr

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


@lru_cache(maxsize=1)
def console() -> "Console":
    """Return the console of standard output; text of documents is never read as markup."""
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)


@lru_cache(maxsize=1)
def error_console() -> "Console":
    """Return the console of standard error."""
    from rich.console import Console

    return Console(stderr=True, markup=False, highlight=False, emoji=False)


def print_json(value: Any) -> None:
    """Print one JSON value."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    # A lone surrogate, as in broken file names, is escaped.
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode() + "\n")


def table(title: str, *columns: str) -> "Table":
    """Return an empty table; columns whose name ends with `#` are numbers. Names are told in the user's language."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(title=title or None, box=SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for column in columns:
        made.add_column(tr(column.rstrip("#")), justify="right" if column.endswith("#") else "left", overflow="fold")
    return made


def cell(text: str) -> Any:
    """Return text of a document for a table cell, escaped."""
    from rich.text import Text

    return Text(printable(text))


def counted(number: int, noun: str) -> str:
    """Return "1 rule", "2 rules", in the user's language."""
    if spoken() == "en":
        return f"{number:,} {noun}" + ("" if number == 1 else "s")
    return tr(f"{{count}} {noun}s", count=f"{number:,}")


def labelled(label: str, value: str, width: int) -> str:
    """Return a label and its value, the label padded to `width` columns of the terminal."""
    from rich.cells import cell_len

    return label + " " * max(1, width - cell_len(label)) + value


def excerpt(text: str, most: int) -> str:
    """Return text on one line, cut to `most` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[:most] + "…"


def printable(text: str) -> str:
    """Return text without control characters, which could drive a terminal."""
    return "".join(c if c == "\n" or c.isprintable() else " " for c in text)


def fail(message: str) -> None:
    """Print an error."""
    from rich.text import Text

    error_console().print(Text.assemble((f"{tr('error')}: ", "bold red"), printable(message)), soft_wrap=True)


def warn(message: str) -> None:
    """Print a warning."""
    from rich.text import Text

    error_console().print(Text.assemble((f"{tr('note')}: ", "bold yellow"), printable(message)), soft_wrap=True)
