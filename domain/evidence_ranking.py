"""From chunks in the engine's order to evidence: normalised, boosted by rules, each text once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from .evidence import Boost, EvidenceSource, RankedEvidence, RelevanceLevel, Scale, similarity
from .query import TransformedQuery
from .search import ScoredChunk
from .terms import TermFinder, folded

HIGH, MEDIUM = 0.7, 0.4
"""Similarities from which evidence is highly or fairly relevant."""


@dataclass(frozen=True, slots=True)
class BoostWeights:
    """The most that each rule adds to a score between 0 and 1."""

    domain: float = 0.05
    keyword: float = 0.1
    entity: float = 0.1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk on its way to evidence.

    Attributes:
        chunk: The chunk, the best of those with the same text.
        base: Score of the engine, 0 to 1 within this result.
        boosts: What the rules add.
        similarity: Cosine on the model's scale, None without one.
        domain: Domain that it belongs to, else its category.
        sources: Where the text stands.
    """

    chunk: ScoredChunk
    base: float
    boosts: tuple[Boost, ...]
    similarity: float | None
    domain: str
    sources: tuple[EvidenceSource, ...]

    @property
    def score(self) -> float:
        """Score with boosts, at most 1."""
        return round(min(1.0, self.base + sum(boost.value for boost in self.boosts)), 4)


def rank_evidence(
    chunks: Sequence[ScoredChunk],
    understood: TransformedQuery | None,
    *,
    domains: Mapping[str, TermFinder],
    scale: Scale,
    weights: BoostWeights,
) -> tuple[list[Candidate], tuple[RankedEvidence, ...]]:
    """Order chunks as evidence.

    Args:
        chunks: What the engine returned, best first.
        understood: What was understood of the query; without it nothing is boosted.
        domains: What finds each domain's terms.
        scale: What the model's cosines mean.
        weights: Of the boosts.

    Returns:
        Candidates, best first, and how every chunk came to its place.
    """
    bases = _normalised([chunk.score for chunk in chunks])
    ordered = sorted(
        (
            _candidate(chunk, base, understood, domains, scale, weights)
            for chunk, base in zip(chunks, bases, strict=True)
        ),
        key=lambda candidate: (-(candidate.base + sum(b.value for b in candidate.boosts)), candidate.chunk.rank),
    )
    kept: dict[str, Candidate] = {}
    trace: list[RankedEvidence] = []
    for rank, candidate in enumerate(ordered, start=1):
        key = candidate.chunk.content_hash
        unrelated = _unrelated(candidate, understood)
        duplicate = key in kept and not unrelated
        trace.append(
            RankedEvidence(
                chunk_id=candidate.chunk.chunk_id,
                engine_rank=candidate.chunk.rank,
                base=candidate.base,
                boosts=candidate.boosts,
                score=candidate.score,
                rank=rank,
                dropped="unrelated" if unrelated else "duplicate" if duplicate else "",
            )
        )
        if duplicate:
            kept[key] = replace(kept[key], sources=(*kept[key].sources, *candidate.sources))
        elif not unrelated:
            kept[key] = candidate
    return list(kept.values()), tuple(trace)


def relevance(candidates: Sequence[Candidate], understood: TransformedQuery | None) -> RelevanceLevel:
    """Return how close the closest evidence is, by meaning; without cosines by the share of keywords it holds."""
    if not candidates:
        return "none"
    known = [c.similarity for c in candidates if c.similarity is not None]
    if known:
        best = max(known)
        return "high" if best >= HIGH else "medium" if best >= MEDIUM else "low"
    words = understood.keywords if understood else ()
    best = max(len(_held(words, c.chunk)) for c in candidates) / len(words) if words else 0.0
    return "medium" if best >= HIGH else "low"


def _candidate(  # noqa: PLR0917  # the arguments of rank_evidence for one chunk
    chunk: ScoredChunk,
    base: float,
    understood: TransformedQuery | None,
    domains: Mapping[str, TermFinder],
    scale: Scale,
    weights: BoostWeights,
) -> Candidate:
    place = "\n".join((chunk.doc_id, *chunk.headings))
    own = [name for name, finder in domains.items() if finder.find(place)]
    asked = understood.domains if understood else ()
    shared = [name for name in own if name in asked]
    return Candidate(
        chunk=chunk,
        base=base,
        boosts=tuple(_boosts(chunk, understood, shared, weights)) if understood else (),
        similarity=None if chunk.vector is None else similarity(chunk.vector, scale),
        domain=next(iter([*shared, *own]), chunk.category),
        sources=(EvidenceSource(chunk_id=chunk.chunk_id, document=chunk.doc_id, source_uri=chunk.source_uri),),
    )


def _boosts(
    chunk: ScoredChunk, understood: TransformedQuery, shared: Sequence[str], weights: BoostWeights
) -> list[Boost]:
    boosts = []
    if shared and weights.domain:
        boosts.append(Boost(kind="domain", matched=tuple(shared), value=weights.domain))
    held = _held(understood.keywords, chunk)
    if held and weights.keyword:
        share = len(held) / len(understood.keywords)
        boosts.append(Boost(kind="keyword", matched=held, value=round(weights.keyword * share, 4)))
    names = tuple(entity.text for entity in understood.entities)
    named = _held(names, chunk)
    if named and weights.entity:
        share = len(named) / len(names)
        boosts.append(Boost(kind="entity", matched=named, value=round(weights.entity * share, 4)))
    return boosts


def _held(words: Sequence[str], chunk: ScoredChunk) -> tuple[str, ...]:
    text = folded(chunk.text)
    return tuple(word for word in words if folded(word) in text)


def _unrelated(candidate: Candidate, understood: TransformedQuery | None) -> bool:
    """Return whether neither meaning nor any word of the query ties a chunk to it.

    What the keyword channel matched may be one common word, so keywords decide where there are any.
    """
    if candidate.similarity is None or candidate.similarity > 0:
        return False
    words = understood.keywords if understood else ()
    return not _held(words, candidate.chunk) if words else candidate.chunk.lexical is None


def _normalised(scores: Sequence[float]) -> list[float]:
    """Return scores between 0 and 1, falling with the engine's order.

    What was not reranked follows what was, on a scale of its own, so a score never rises over the one before it.
    """
    falling: list[float] = []
    for score in scores:
        falling.append(min(score, falling[-1]) if falling else score)
    if not falling:
        return []
    low, high = falling[-1], falling[0]
    if high <= low:
        return [1.0] * len(falling)
    return [round((score - low) / (high - low), 4) for score in falling]
