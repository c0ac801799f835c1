"""Measures what says whether the handbook answers a query; nothing here runs a model."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...config.lexicon import load_lexicon
from ...domain.answerability.model import Measurement
from ...domain.answerability.quantities import AskedQuantity, asked_quantities, holds_quantity, may_ask
from ...domain.answerability.terms import (
    coverage,
    is_foreign,
    own_words,
    rarity,
    related_coverage,
    unknown_names,
)
from ...domain.chunks import Category
from ...domain.constraints.lexicon import Lexicon
from ...domain.names import split_chunk_id
from ...domain.sentences import sentences
from ...ports.keyword_index import KeywordIndex
from ...ports.vectors import Vector
from .related import RelatedTerms
from .scope import Scope
from .state import RetrievalState
from .version import OpenVersion

_CANDIDATES: Final = 20
_READ: Final = 5
"""Whose numbers are looked at: among many chunks some number is always found."""
_LOOKED_AT: Final = 300
"""Characters that tell a text's language."""
_SAME: Final = 0.6
"""Cosine from which two words say nearly the same."""
_NEAR: Final = 0.4
"""Cosine from which a word says something of another; far ones only add noise."""
_NEAR_WORDS: Final = 30
"""Most near words that are looked for in place of one of the query's."""

Measurements = dict[Measurement, float | None]
Near = Mapping[str, Mapping[str, float]]
"""For each term the words near to it, with their cosines."""


@dataclass(frozen=True, slots=True)
class _Words:
    """Distinct terms of a query.

    Attributes:
        weights: By term, in the scope.
        own: The same without identifiers.
        known: Terms that occur anywhere in the handbook.
    """

    weights: dict[str, float]
    own: dict[str, float]
    known: frozenset[str]


def measure(version: OpenVersion, state: RetrievalState) -> Measurements:
    """Measure a search after its fusion.

    Args:
        version: That was searched.
        state: With its candidates.

    Returns:
        The measurements that could be taken.

    Raises:
        HandbookCorruptError: An index or the sentence vectors are damaged.
    """
    candidates = [entry.id for entry in state.fused[:_CANDIDATES]]
    best = list(dict.fromkeys([*(chunk.chunk_id for chunk in state.chunks), *candidates]))[:_READ]
    query = state.request.query
    found: Measurements = {}
    if state.query_vector is not None:
        cosine = _best_sentence(version, state.query_vector, candidates)
        if cosine is not None:
            found["sentence"] = cosine
        if state.channels.get("vector"):
            found["vector"] = state.channels["vector"][0].score
    scope = state.scope or Scope(())
    words = _words(version, scope, query)
    related = [] if state.query_vector is None else _related(version, scope)
    if len(words.known) < len(words.weights):
        words = replace(words, known=words.known | _said_otherwise(version, state, words, related))
    foreign = is_foreign(query, [version.chunk(identifier).text[:_LOOKED_AT] for identifier in candidates[:_READ]])
    near = _near(words, related)
    held = _held(version, scope, words, near, list(dict.fromkeys([*best, *candidates])))
    found["coverage"] = None if foreign else coverage(words.own, map(held.__getitem__, candidates))
    if related:
        found["related_coverage"] = related_coverage(words.own, near, map(held.__getitem__, best))
    found["unknown_names"] = unknown_names(query, words.weights, words.known, foreign=foreign)
    found["open_quantity"] = _open_quantity(version, query, words, best, near if related or not foreign else None)
    return found


def _best_sentence(version: OpenVersion, query: Vector, candidates: Sequence[str]) -> float | None:
    by_category: dict[Category, list[str]] = defaultdict(list)
    for identifier in candidates:
        by_category[split_chunk_id(identifier)[0]].append(identifier)
    cosines: list[float] = []
    for category, identifiers in by_category.items():
        vectors = version.sentences(category)
        if vectors is not None:
            # Read only here: a version without sentences needs no texts of most candidates.
            hashes = [version.chunk(identifier).content_hash for identifier in identifiers]
            rows = [matrix for matrix in vectors.of_chunks(hashes) if matrix is not None and len(matrix)]
            cosines.extend(float((matrix @ query).max()) for matrix in rows)
    return max(cosines, default=None)


def _words(version: OpenVersion, scope: Scope, query: str) -> _Words:
    terms = list(dict.fromkeys(version.query_terms(query)))
    indexes = _indexes(version, scope)
    size = sum(index.count() for index in indexes)
    counts = _frequencies(indexes, terms)
    known = {term for term, count in counts.items() if count}
    missing = [term for term in terms if term not in known]
    others = [version.keyword_index(c) for c in version.manifest.categories if c not in scope.categories]
    known.update(term for term, count in _frequencies(others, missing).items() if count)
    weights = {term: rarity(size, counts[term]) for term in terms}
    return _Words(weights, own_words(weights), frozenset(known))


def _related(version: OpenVersion, scope: Scope) -> list[RelatedTerms]:
    found = [version.related(category) for category in scope.categories]
    return [related for related in found if related is not None]


def _said_otherwise(
    version: OpenVersion, state: RetrievalState, words: _Words, related: Sequence[RelatedTerms]
) -> frozenset[str]:
    """Return the unknown terms that the handbook has another word for: password is パスワード, インデックス is 索引.

    The dictionary of query understanding knows some, the vectors of the handbook's words others.
    """
    understood = () if state.understood is None else state.understood.synonyms
    found = {term for synonym in understood for term in version.query_terms(synonym.term)}
    missing = [term for term in words.weights if term not in words.known and term not in found]
    for collection in related:
        found.update(term for term, near in collection.near(missing, 1, _SAME).items() if near)
    return frozenset(found)


def _near(words: _Words, related: Sequence[RelatedTerms]) -> Near:
    """Return the handbook's words near to each of the query's, with their cosines."""
    near: dict[str, dict[str, float]] = {term: {} for term in words.own}
    for collection in related:
        for term, others in collection.near(list(words.own), _NEAR_WORDS, _NEAR).items():
            for other, cosine in others.items():
                near[term][other] = max(cosine, near[term].get(other, 0.0))
    return near


def _indexes(version: OpenVersion, scope: Scope) -> list[KeywordIndex]:
    return [version.keyword_index(c, partition=part) for c, part in scope.indexes(version.manifest)]


def _frequencies(indexes: Sequence[KeywordIndex], terms: Sequence[str]) -> dict[str, int]:
    counts = dict.fromkeys(terms, 0)
    for index in indexes:
        for term, count in zip(terms, index.document_frequencies(terms), strict=True):
            counts[term] += count
    return counts


def _held(
    version: OpenVersion, scope: Scope, words: _Words, near: Near, ids: Sequence[str]
) -> dict[str, frozenset[str]]:
    """Return which of the query's words and the words near to them each text holds."""
    terms = list(dict.fromkeys([*words.own, *(other for others in near.values() for other in others)]))
    held: dict[str, frozenset[str]] = dict.fromkeys(ids, frozenset())
    for index in _indexes(version, scope):
        for identifier, here in zip(ids, index.occurrences(terms, ids), strict=True):
            held[identifier] |= here
    return held


def _open_quantity(version: OpenVersion, query: str, words: _Words, ids: Sequence[str], near: Near | None) -> float:
    """Return 0 when the query asks for no number, else 1 less the share of its words around a number of that kind.

    Of several numbers that are asked for the one that is answered worst counts. Without `near` words cannot be
    compared, as the query is in another language: any number of the kind answers then.
    """
    # Reading the lexicon takes a while; most queries ask for no number.
    if not may_ask(query):
        return 0.0
    lexicon = load_lexicon()
    texts = [version.chunk(identifier).text for identifier in ids]

    def share(text: str) -> float:
        if near is None:
            return 1.0
        return related_coverage(words.own, near, [frozenset(version.analyzer().analyze(text))])

    def answered(asked: AskedQuantity) -> float:
        around = [text for text in texts if holds_quantity(text, asked, lexicon)]
        windows = (window for text in around for window in _windows(text, asked, lexicon))
        return max(map(share, windows), default=0.0)

    return 1.0 - min(map(answered, asked_quantities(query, lexicon)), default=1.0)


def _windows(text: str, asked: AskedQuantity, lexicon: Lexicon) -> Iterator[str]:
    """Yield each sentence that holds the number asked for, with the ones before and after it."""
    lines = sentences(text)
    for place, line in enumerate(lines):
        if holds_quantity(line, asked, lexicon):
            yield "\n".join(lines[max(0, place - 1) : place + 2])
