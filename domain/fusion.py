"""Fusion of ranked lists: pure functions over ids and scores."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import neg

RRF_K = 60
"""Constant of reciprocal rank fusion (Cormack, Clarke and Buettcher 2009; requirements, rag-layer §6.2)."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One entry of a channel's list, best first: id and the channel's own score."""

    id: str
    score: float


def reciprocal_rank_fusion(
    lists: Mapping[str, Sequence[Ranked]], *, weights: Mapping[str, float] | None = None, k: int = RRF_K
) -> list[Ranked]:
    """Fuse by rank alone: score(d) = sum over channels of weight / (k + rank), ranks from 1.

    A channel in which `d` does not occur contributes nothing. Equal scores are ordered by id.
    """
    shares: dict[str, list[float]] = {}
    for channel, entries in lists.items():
        weight = 1.0 if weights is None else weights.get(channel, 1.0)
        for rank, entry in enumerate(entries, start=1):
            shares.setdefault(entry.id, []).append(weight / (k + rank))
    return _ordered(shares, shares.values())


def weighted_fusion(
    lists: Mapping[str, Sequence[Ranked]], *, weights: Mapping[str, float] | None = None
) -> list[Ranked]:
    """Fuse by standardised scores: z = (score - mean) / deviation within each channel's list, weighted sum.

    An entry that a channel did not return counts there as that channel's lowest z: it scored no better than the
    last one returned. A channel whose scores are all equal, or that returned nothing, contributes nothing.
    """
    identifiers = list(dict.fromkeys(entry.id for entries in lists.values() for entry in entries))
    columns: list[list[float]] = []
    for channel, entries in lists.items():
        standard = _z_scores(entries)
        if not standard:
            continue
        weight = 1.0 if weights is None else weights.get(channel, 1.0)
        shares = {identifier: weight * score for identifier, score in standard.items()}
        floor = weight * min(standard.values())
        columns.append([shares.get(identifier, floor) for identifier in identifiers])
    rows = zip(*columns, strict=True) if columns else ((),) * len(identifiers)
    return _ordered(identifiers, rows)


def _z_scores(entries: Sequence[Ranked]) -> dict[str, float]:
    if not entries:
        return {}
    mean = math.fsum([e.score for e in entries]) / len(entries)
    distances = [e.score - mean for e in entries]
    deviation = math.sqrt(math.fsum([distance * distance for distance in distances]) / len(entries))
    if deviation == 0 or not math.isfinite(deviation):
        return {}
    return {e.id: distance / deviation for e, distance in zip(entries, distances, strict=True)}


def _ordered(identifiers: Iterable[str], shares: Iterable[Iterable[float]]) -> list[Ranked]:
    # fsum rounds once, so that the order in which channels come cannot decide between equal scores.
    scores = map(math.fsum, shares)
    return [Ranked(i, -s) for s, i in sorted(zip(map(neg, scores), identifiers, strict=True))]
