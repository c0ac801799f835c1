"""Measures what says whether the handbook answers a query; nothing here runs a model."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...config.lexicon import load_lexicon
from ...config.settings import RelatedSettings
from ...domain.answerability.model import Measurement
from ...domain.answerability.quantities import AskedQuantity, asked_quantities, holds_quantity
from ...domain.answerability.terms import coverage, is_foreign, rarity, unknown_names
from ...domain.chunks import Category, RuleChunk
from ...domain.names import split_chunk_id
from ...domain.sentences import sentences
from ...ports.keyword_index import KeywordIndex
from ...ports.vectors import Vector
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
_ASKING: Final = ("何", "幾", "几", "多少", "how many")
_SHARED: Final = 0.05
"""Share of the query's words that must stand around a number for it to count as an answer."""

Measurements = dict[Measurement, float | None]


@dataclass(frozen=True, slots=True)
class _Words:
    """Distinct terms of a query with their weights in the scope, and those that occur anywhere in the handbook."""

    weights: dict[str, float]
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
    chunks = [version.chunk(identifier) for identifier in candidates[:_READ]]
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
    if len(words.known) < len(words.weights):
        words = replace(words, known=words.known | _said_otherwise(version, scope, state, words))
    foreign = is_foreign(query, [chunk.text[:_LOOKED_AT] for chunk in chunks])
    held = _held(version, scope, list(words.weights), candidates)
    found["coverage"] = None if foreign else coverage(words.weights, held)
    found["unknown_names"] = unknown_names(query, words.weights, words.known, foreign=foreign)
    best = [*state.chunks, *chunks][:_READ]
    found["open_quantity"] = float(_open_quantity(version, query, words, best, foreign=foreign))
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
    return _Words({term: rarity(size, counts[term]) for term in terms}, frozenset(known))


def _said_otherwise(version: OpenVersion, scope: Scope, state: RetrievalState, words: _Words) -> frozenset[str]:
    """Return the unknown terms that the handbook has another word for: password is パスワード, インデックス is 索引.

    The dictionary of query understanding knows some, the vectors of the handbook's words others.
    """
    understood = () if state.understood is None else state.understood.synonyms
    found = {term for synonym in understood for term in version.query_terms(synonym.term)}
    missing = [term for term in words.weights if term not in words.known and term not in found]
    if missing and state.query_vector is not None:
        settings = RelatedSettings(terms=1, least=_SAME, power=1.0)
        for category in scope.categories:
            related = version.related(category)
            if related is not None:
                found.update(group[0][0] for group in related.groups(missing, settings) if len(group) > 1)
    return frozenset(found)


def _indexes(version: OpenVersion, scope: Scope) -> list[KeywordIndex]:
    return [version.keyword_index(c, partition=part) for c, part in scope.indexes(version.manifest)]


def _frequencies(indexes: Sequence[KeywordIndex], terms: Sequence[str]) -> dict[str, int]:
    counts = dict.fromkeys(terms, 0)
    for index in indexes:
        for term, count in zip(terms, index.document_frequencies(terms), strict=True):
            counts[term] += count
    return counts


def _held(version: OpenVersion, scope: Scope, terms: Sequence[str], ids: Sequence[str]) -> list[frozenset[str]]:
    held: list[frozenset[str]] = [frozenset()] * len(ids)
    for index in _indexes(version, scope):
        held = [before | here for before, here in zip(held, index.occurrences(terms, ids), strict=True)]
    return held


def _open_quantity(
    version: OpenVersion, query: str, words: _Words, chunks: Sequence[RuleChunk], *, foreign: bool
) -> bool:
    """Return whether the query asks for a number that no candidate gives beside words of the query."""
    # Reading the lexicon takes a while; most queries ask for no number.
    if not any(mark in query.lower() for mark in _ASKING):
        return False
    lexicon = load_lexicon()
    asked = asked_quantities(query, lexicon)

    def answers(quantity: AskedQuantity, text: str) -> bool:
        return holds_quantity(text, quantity, lexicon)

    def shares(text: str) -> bool:
        terms = frozenset(version.analyzer().analyze(text)) & words.weights.keys()
        return foreign or coverage(words.weights, [terms]) >= _SHARED

    return any(not _answered(quantity, chunks, answers, shares) for quantity in asked)


def _answered(
    quantity: AskedQuantity,
    chunks: Sequence[RuleChunk],
    answers: Callable[[AskedQuantity, str], bool],
    shares: Callable[[str], bool],
) -> bool:
    for chunk in chunks:
        if not answers(quantity, chunk.text):
            continue
        lines = sentences(chunk.text)
        for place, line in enumerate(lines):
            if answers(quantity, line) and shares("\n".join(lines[max(0, place - 1) : place + 2])):
                return True
    return False
