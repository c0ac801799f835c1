"""Understanding a query by a dictionary and patterns; no model, microseconds."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from ...domain.chunks import Category
from ...domain.errors import ConfigError
from ...domain.query import QueryDictionary, Synonym, TransformedQuery
from ...domain.terms import TermFinder, folded
from ...ports.query_transformer import QueryTransformer, QueryTransformerOptions
from .entities import entities

_KANA: Final = re.compile(r"[ぁ-ゖァ-ヺ]")
_WORD: Final = re.compile(r"[a-z0-9][a-z0-9_./+#-]*|[㐀-鿿々ァ-ヺー]{2,}")
_MAX_READ: Final = 2000
"""Characters of a query that are read; what an agent pastes may be a page."""
_MOST_KEYWORDS: Final = 24


class RuleQuery(QueryTransformer):
    """Synonyms, entities, domains and stop words from a dictionary.

    Options: `rewrite` (default true) cuts out phrases that only ask, `category_filter` (default true) lets a domain
    of the dictionary that names its category narrow the search to it.
    """

    def __init__(self, options: QueryTransformerOptions | None = None) -> None:
        options = options or QueryTransformerOptions()
        unknown = options.options.keys() - {"rewrite", "category_filter"}
        if unknown:
            raise ConfigError(
                f"Rules for queries have no option {min(unknown)!r}.", hint="Known: category_filter, rewrite."
            )
        dictionary = options.dictionary
        self._max_added = options.max_added
        self._rewrite = bool(options.options.get("rewrite", True))
        self._narrow = bool(options.options.get("category_filter", True))
        self._domains = dictionary.domains
        self._additions = _additions(dictionary)
        self._terms = TermFinder(self._additions)
        self._domain_terms = {name: TermFinder(domain.terms) for name, domain in dictionary.domains.items()}
        self._stop_words = frozenset(folded(word) for words in dictionary.stop_words for word in words)
        phrases = sorted({p for group in dictionary.requests for p in group}, key=lambda p: (-len(p), p))
        self._requests = re.compile("|".join(map(re.escape, phrases)), re.IGNORECASE) if phrases else None

    @property
    def name(self) -> str:
        """Short stable name."""
        return "rules"

    def transform(self, query: str) -> TransformedQuery:
        """Return what a query asks."""
        read = query[:_MAX_READ]
        terms = self._terms.find(read)
        words = list(_words(read, self._stop_words))
        domains = tuple(name for name, finder in self._domain_terms.items() if finder.find(read))
        return TransformedQuery(
            original=query,
            rewritten=self._rewritten(query),
            method="rules",
            keywords=tuple(dict.fromkeys((*terms, *(w for w in words if w not in self._stop_words))))[:_MOST_KEYWORDS],
            entities=entities(read),
            domains=domains,
            category=self._category(domains) if self._narrow else None,
            topic_weights={name: self._domains[name].weight for name in domains},
            stop_words=tuple(dict.fromkeys(word for word in words if word in self._stop_words)),
            synonyms=tuple(self._synonyms(terms, read)),
        )

    def _rewritten(self, query: str) -> str:
        if not self._rewrite or self._requests is None or not self._requests.search(query):
            return query
        return self._requests.sub(" ", query).strip(" 、,。.") or query

    def _category(self, domains: Iterable[str]) -> Category | None:
        """Return the category that all domains of the query agree on."""
        named = {self._domains[name].category for name in domains}
        return named.pop() if len(named) == 1 else None

    def _synonyms(self, terms: Iterable[str], query: str) -> Iterator[Synonym]:
        """Yield what each term adds; what the query says already is not added, and the bound holds over all."""
        text, left = folded(query), self._max_added
        seen: set[str] = set()
        for term in terms:
            added = [t for t in self._additions[term] if folded(t) not in text and folded(t) not in seen][:left]
            seen.update(map(folded, added))
            left -= len(added)
            if added:
                yield Synonym(term=term, added=tuple(added))


def _additions(dictionary: QueryDictionary) -> Mapping[str, tuple[str, ...]]:
    """Return what each folded term adds."""
    found: dict[str, list[str]] = {}
    pairs = [
        *((group, group) for group in dictionary.synonyms),
        *((entry.terms, entry.to) for entry in dictionary.widen),
    ]
    for terms, to in pairs:
        for term in terms:
            found.setdefault(folded(term), []).extend(t for t in to if folded(t) != folded(term))
    return {term: tuple(dict.fromkeys(added)) for term, added in found.items()}


def _words(query: str, stop_words: frozenset[str]) -> Iterator[str]:
    """Yield words: Latin ones, runs of ideographs and katakana, the latter parted at stop words where there is no kana.

    Chinese writes without spaces and without kana, so a whole sentence would be one run.
    """
    text = folded(query)
    chinese = _KANA.search(text) is None
    stops = sorted((w for w in stop_words if not w.isascii()), key=lambda w: (-len(w), w))
    parting = re.compile("(" + "|".join(map(re.escape, stops)) + "|[的时])") if stops and chinese else None
    for match in _WORD.finditer(text):
        run = match.group()
        pieces = parting.split(run) if parting is not None and not run.isascii() else [run]
        yield from (piece for piece in pieces if len(piece) > 1 or piece in stop_words)
