"""Labelled queries, and when a chunk is the right one."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

from ...domain.search import SearchContext

_MARKUP = re.compile(r"<br\s*/?>")
_IGNORED = re.compile(r"[\s|\\*`\u200b\ufeff]+")


class GoldPassage(BaseModel):
    """A passage that answers: its document and strings that the right chunk holds; further fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    doc: str
    all_of: tuple[str, ...]


class LabelledQuery(BaseModel):
    """A query of an evaluation set; further fields are ignored.

    Attributes:
        id: Its name.
        query: What is asked.
        agent: Who asks.
        category: Searched instead of the agent's categories, None for those.
        partitions: Parts of the handbook to search; none for all of it.
        context: What the caller is doing.
        gold: Passages any of which answers; empty when the handbook does not answer; None when nobody labelled it, or
            in another shape.
        style: Kind of query, for the report ("keyword").
        lang: Language, for the report.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    query: str
    agent: str = "qa"
    category: str | None = None
    partitions: tuple[str, ...] = ()
    context: SearchContext = SearchContext()
    gold: tuple[GoldPassage, ...] | None = None
    style: str = ""
    lang: str = ""

    @field_validator("gold", mode="before")
    @classmethod
    def _labels_of_another_shape(cls, value: Any) -> Any:
        """Somebody else's labels are no error; they only cannot be scored here."""
        if not isinstance(value, list | tuple):
            return None
        fits = all(isinstance(v, GoldPassage) or (isinstance(v, dict) and {"doc", "all_of"} <= v.keys()) for v in value)
        return value if fits else None

    @field_validator("style", "lang", mode="before")
    @classmethod
    def _groups_are_words(cls, value: Any) -> str:
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Gold:
    """The passages of a query, ready for comparing: white space, width, case and table marks do not count."""

    passages: tuple[tuple[str, tuple[str, ...]], ...]
    """Document and strings, both comparable."""

    @classmethod
    def of(cls, passages: Iterable[GoldPassage]) -> "Gold":
        """Return the comparable form of labelled passages."""
        return cls(tuple((_document(p.doc), tuple(map(comparable, p.all_of))) for p in passages))

    def holds(self, document: str, headings: Sequence[str], content: str) -> bool:
        """Return whether a chunk is of a passage's document and holds all its strings, its headings included."""
        name = _document(document)
        wanted = [strings for other, strings in self.passages if other == name]
        if not wanted:
            return False
        text = comparable("\n".join([*headings, content]))
        return any(all(string in text for string in strings) for strings in wanted)


@lru_cache(maxsize=8192)
def comparable(text: str) -> str:
    """Return text in NFKC and lower case, without white space and the marks of Markdown tables."""
    return _IGNORED.sub("", _MARKUP.sub("", unicodedata.normalize("NFKC", text))).casefold()


def _document(name: str) -> str:
    last = name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    return unicodedata.normalize("NFKC", last).casefold()
