"""What a query names: identifiers, names of code, quotations."""

import re
from typing import Final

from ...domain.query import Entity, EntityKind

_QUOTED: Final = re.compile(r"「([^「」]{1,80})」|『([^『』]{1,80})』|“([^“”]{1,80})”|\"([^\"]{1,80})\"")
_BRACKETED: Final = re.compile(r"【([^【】]{1,80})】")
_IDENTIFIER: Final = re.compile(
    r"(?<![A-Za-z0-9Ａ-Ｚａ-ｚ０-９])[A-ZＡ-Ｚ]{1,8}[-_－＿]?[0-9０-９]{1,8}(?:[-_－＿][0-9０-９]{1,8})*(?![A-Za-z0-9Ａ-Ｚａ-ｚ０-９_])"
)
"""Capitals and digits: F001, TB001, IF-010, WA10201; full-width too, since rules are written so."""
_NAME: Final = re.compile(
    r"(?<![A-Za-z0-9_])(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+[0-9]*[A-Z][A-Za-z0-9]*"
    r"|(?:[A-Z][a-z0-9]+){2,})(?![A-Za-z0-9_])"
)
"""snake_case, camelCase, PascalCase."""
_PATTERNS: Final[tuple[tuple[EntityKind, re.Pattern[str]], ...]] = (
    ("quoted", _QUOTED),
    ("bracketed", _BRACKETED),
    ("identifier", _IDENTIFIER),
    ("name", _NAME),
)


def entities(query: str) -> tuple[Entity, ...]:
    """Return what a query names, in order of appearance, each text once."""
    found: list[tuple[int, Entity]] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(query):
            text = next((group for group in match.groups() if group), match.group()).strip()
            if text:
                found.append((match.start(), Entity(text=text, kind=kind)))
    unique: dict[str, Entity] = {}
    for _, entity in sorted(found, key=lambda entry: entry[0]):
        unique.setdefault(entity.text, entity)
    return tuple(unique.values())
