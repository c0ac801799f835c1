"""Port: understanding a query before it is searched."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..domain.query import QueryDictionary, TransformedQuery
from .chat_model import ChatModel


@dataclass(frozen=True, slots=True)
class QueryTransformerOptions:
    """What a factory of query transformers gets.

    Attributes:
        dictionary: Synonyms, stop words and domains.
        chat_model: The configured chat model, None when there is none.
        max_added: Most texts added to one query.
        options: Adapter-specific settings from the configuration.
    """

    dictionary: QueryDictionary = field(default_factory=QueryDictionary)
    chat_model: ChatModel | None = None
    max_added: int = 12
    options: Mapping[str, object] = field(default_factory=dict)


class QueryTransformer(ABC):
    """Says what a query asks.

    Contract (kept by `kisoku.testing.QueryTransformerContract`):

    - `original` is the query as given; `rewritten` is never empty.
    - Any text is understood without an exception; only a model that cannot be used raises `ModelError` (for good)
      or `TransientModelError`, and the caller goes on with rules.
    - The same query gives the same answer, also from several threads. At most `max_added` texts are added.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Short stable name for the trace."""

    @abstractmethod
    def transform(self, query: str) -> TransformedQuery:
        """Return what a query asks; it is not empty."""
