"""What a query was understood to ask, and the vocabulary it is understood with."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from .chunks import Category

QueryMethod = Literal["off", "rules", "llm"]
EntityKind = Literal["identifier", "name", "quoted", "bracketed"]


class Entity(BaseModel):
    """Something that a query names.

    Attributes:
        text: As it stands in the query, without its brackets.
        kind: identifier (F001, IF-010), name (snake_case, CamelCase), quoted (「…」, "…"), bracketed (【…】).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    kind: EntityKind


class Synonym(BaseModel):
    """A term of the query and what is looked for beside it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    term: str
    added: tuple[str, ...]


class TransformedQuery(BaseModel):
    """A query with what was understood of it. Hints widen, filter, weigh and explain a search; they are no evidence.

    Attributes:
        original: The query as given.
        rewritten: What is searched: without phrases that only ask, or as a model put it.
        method: How it was understood.
        keywords: Words that say what it is about, in order.
        entities: What it names.
        domains: Domains of the dictionary that it belongs to.
        category: The only category worth searching, None when nothing says so.
        topic_weights: Factor by domain, above 1 for documents that deserve more.
        stop_words: Words of the query that say nothing about its subject.
        synonyms: What was added by the dictionary, by term.
        added: Search words that a model added.
        model: The chat model that was asked, "" for none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    original: str
    rewritten: str
    method: QueryMethod = "off"
    keywords: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    domains: tuple[str, ...] = ()
    category: Category | None = None
    topic_weights: Mapping[str, float] = Field(default_factory=dict)
    stop_words: tuple[str, ...] = ()
    synonyms: tuple[Synonym, ...] = ()
    added: tuple[str, ...] = ()
    model: str = ""

    @property
    def expansion(self) -> tuple[str, ...]:
        """Every text that was added, each once, in order."""
        return tuple(dict.fromkeys((*(text for s in self.synonyms for text in s.added), *self.added)))


def untouched(query: str) -> TransformedQuery:
    """Return a query that nothing was made of."""
    return TransformedQuery(original=query, rewritten=query)


Term = Annotated[str, Field(min_length=1, max_length=80, pattern=r"\S")]


class Widening(BaseModel):
    """Terms that also look for others, one way."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    terms: Annotated[tuple[Term, ...], Field(alias="from", min_length=1)]
    to: Annotated[tuple[Term, ...], Field(min_length=1)]


class Domain(BaseModel):
    """A field of rules.

    Attributes:
        terms: A query with one of them belongs to it; so does a document with one of them in its name or headings.
        weight: Factor for what belongs to it when the query does, 1 for none.
        category: Where all its rules stand, None when they may stand anywhere.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    terms: Annotated[tuple[Term, ...], Field(min_length=1)]
    weight: Annotated[float, Field(gt=0, le=10)] = 1.0
    category: Category | None = None


class QueryDictionary(BaseModel):
    """Vocabulary for understanding queries.

    Attributes:
        synonyms: Groups of terms that mean the same, in any language.
        widen: One-way additions.
        stop_words: Words that say nothing about a subject, in lists.
        requests: Phrases that only ask, in lists.
        domains: Fields of rules by name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    synonyms: tuple[Annotated[tuple[Term, ...], Field(min_length=2)], ...] = ()
    widen: tuple[Widening, ...] = ()
    stop_words: tuple[tuple[Term, ...], ...] = ()
    requests: tuple[tuple[Term, ...], ...] = ()
    domains: Mapping[str, Domain] = Field(default_factory=dict)
