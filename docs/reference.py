"""Reference pages made of names, signatures and docstrings: hooks.md, notices.md and api.md."""  # noqa: INP001  # as generate.py

import inspect
import re
import typing
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import kisoku
from kisoku.domain import notices
from kisoku.domain.errors import KisokuError
from kisoku.plugins import specs
from kisoku.plugins.lifecycle import LIFECYCLE_HOOKS
from kisoku.plugins.manager import REGISTRATION_HOOKS
from pydantic import BaseModel

HOOKS_HEAD = """# Hooks

*Generated from `plugins/specs.py` by `python docs/generate.py`; a test compares.*

A plugin marks functions with `kisoku.hookimpl`; kisoku calls each with the arguments below, by name, and an
implementation may leave out those it does not need. [Write a plugin](write-a-plugin.md) says how a package offers them,
with examples.
"""

NOTICES_HEAD = """# Notices

*Generated from `domain/notices.py` by `python docs/generate.py`; a test compares.*

A notice stands in `SearchResult.notices`: a code for programs, a sentence in the user's language, and the technical
cause as `detail`. [Search](search.md#notices) says what follows from each.

| code | English | 日本語 | 中文 |
|---|---|---|---|
"""

API_HEAD = """# Public Python names

*Generated from the code by `python docs/generate.py`; a test compares.*

Everything here can be imported from `kisoku` and keeps its meaning within a major version. Importing `kisoku` loads no
model and no heavy library; a name is imported when it is first used. [Embed in a pipeline](embed-in-a-pipeline.md)
shows them at work.
"""

_SECTION = re.compile(r"^(Args|Attributes|Returns|Yields|Raises|When|Example|Examples|Note):\s*$")
_OPEN_SECTION = re.compile(r"^(When|Returns|Raises|An exception): (.*)$")


def hooks_page() -> str:
    """Return hooks.md."""
    parts = [HOOKS_HEAD]
    for title, names in (("What plugins offer", REGISTRATION_HOOKS), ("What plugins hear", LIFECYCLE_HOOKS)):
        parts += [f"## {title}", ""]
        for name in names:
            hook = getattr(specs, name)
            parts += [f"### {name}", "", "```python", f"def {name}{_signature(hook)}: ...", "```", ""]
            parts += [_prose(inspect.getdoc(hook) or ""), ""]
    return "\n".join(parts).rstrip() + "\n"


def notices_page() -> str:
    """Return notices.md."""
    codes = typing.get_args(notices.NoticeCode)
    rows = [
        f"| `{code}` | "
        + " | ".join(cell(notices.notice(code, language).text) for language in ("en", "ja", "zh"))
        + " |"
        for code in codes
    ]
    return NOTICES_HEAD + "\n".join(rows) + "\n"


def api_page() -> str:
    """Return api.md."""
    names = sorted(kisoku.__all__, key=str.lower)
    parts = [API_HEAD, "\n".join(["| name | is |", "|---|---|", *map(_api_row, names), ""])]
    for name in names:
        parts += [f"## {name}", "", *_api_entry(name, getattr(kisoku, name))]
    return "\n".join(parts).rstrip() + "\n"


def _api_row(name: str) -> str:
    return f"| [`{name}`](#{name.lower()}) | {cell(_first_line(getattr(kisoku, name)))} |"


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "Marks a function of a plugin as the implementation of a hook.").splitlines()[0]


def _api_entry(name: str, thing: Any) -> Iterator[str]:
    if not inspect.isclass(thing):
        if inspect.isfunction(thing):
            yield f"```python\ndef {name}{_signature(thing)}: ...\n```\n"
        yield _prose(inspect.getdoc(thing) or _first_line(thing)) + "\n"
        return
    if "__init__" in vars(thing) and not issubclass(thing, BaseModel):
        yield f"```text\n{name}{_signature(thing.__init__, skip=1).removesuffix(' -> None')}\n```\n"
    yield _prose(inspect.getdoc(thing) or "") + "\n"
    if issubclass(thing, BaseModel):
        rows = [f"| `{field}` | `{_type(info.annotation)}` |" for field, info in thing.model_fields.items()]
        yield "\n".join(["| field | type |", "|---|---|", *map(_escaped_row, rows), ""])
    for method, function in _methods(thing):
        yield f"### {name}.{method}\n"
        if isinstance(function, property | cached_property):
            yield _prose(inspect.getdoc(function) or "") + "\n"
        else:
            yield f"```python\ndef {method}{_signature(function, skip=1)}: ...\n```\n"
            yield _prose(inspect.getdoc(function) or "") + "\n"


def _escaped_row(row: str) -> str:
    """Return a row of a table whose second cell may hold the sign that separates cells."""
    head, _, tail = row[2:-2].partition(" | ")
    return f"| {head} | {tail.replace(' | ', ' or ')} |"


def _methods(thing: type) -> Iterator[tuple[str, Any]]:
    """Yield public methods and properties in the order of the source, those of kisoku's own base classes included."""
    seen: set[str] = set()
    for kind in reversed(thing.__mro__):
        if not kind.__module__.startswith("kisoku.") or kind is KisokuError:
            continue
        for name, raw in vars(kind).items():
            member = raw.__func__ if isinstance(raw, classmethod | staticmethod) else raw
            documented = inspect.isfunction(member) or isinstance(member, property | cached_property)
            if not name.startswith("_") and documented and name not in seen:
                seen.add(name)
                found = inspect.getattr_static(thing, name)
                yield name, found.__func__ if isinstance(found, classmethod | staticmethod) else found


def _signature(function: Any, skip: int = 0) -> str:
    """Return the signature, types as they are written in the source."""
    signature = inspect.signature(function)
    parameters = [
        p.replace(annotation=p.empty if p.annotation is p.empty else _Written(_type(p.annotation)))
        for p in list(signature.parameters.values())[skip:]
    ]
    returned = signature.return_annotation
    written = signature.empty if returned is signature.empty else _Written(_type(returned))
    shown = str(signature.replace(parameters=parameters, return_annotation=written))
    return re.sub(r"<(?:built-in )?function (\w+)(?: at 0x\w+)?>", r"\1", shown)


class _Written:
    """A type as it is shown in a signature."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _type(annotation: Any) -> str:
    """Return a type without the modules that its names come from."""
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return annotation.__name__
    shown = annotation if isinstance(annotation, str) else repr(annotation)
    return re.sub(r"\b(?:[A-Za-z_]\w*\.)+(?=\w)", "", shown)


def _prose(docstring: str) -> str:
    """Return a docstring in Google style as Markdown: sections in bold, arguments as lists; examples are left out."""
    lines: list[str] = []
    section = ""
    for line in docstring.splitlines():
        head = _SECTION.match(line)
        short = _OPEN_SECTION.match(line)
        if head:
            section = head[1]
            if not section.startswith("Example"):
                lines += [f"**{section}**", ""]
        elif section.startswith("Example") and (line.startswith(" ") or not line):
            continue
        elif short:
            section = ""
            lines.append(f"**{short[1]}**: {short[2]}")
        elif section and line.startswith("    ") and not line.startswith("     "):
            item = re.match(r"^    ([\w*]+(?:, [\w*]+)*): (.*)$", line)
            lines.append(f"- `{item[1]}`: {item[2]}" if item else line.strip())
        elif section and line.startswith("     "):
            lines.append(f"  {line.strip()}")
        else:
            section = section if not line else ""
            lines.append(line)
    return "\n".join(lines).strip().replace("::\n", ":\n")


def cell(text: str) -> str:
    """Return text for a cell of a table."""
    return text.replace("|", "&#124;").replace("<", "&lt;")
