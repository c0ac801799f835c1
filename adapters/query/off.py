"""Leaving a query as it is."""

from ...domain.query import TransformedQuery, untouched
from ...ports.query_transformer import QueryTransformer, QueryTransformerOptions


class PlainQuery(QueryTransformer):
    """Understands nothing and changes nothing."""

    def __init__(self, options: QueryTransformerOptions | None = None) -> None:
        del options

    @property
    def name(self) -> str:
        """Short stable name."""
        return "off"

    def transform(self, query: str) -> TransformedQuery:
        """Return the query."""
        return untouched(query)
