"""Measures of ranked lists: pure functions."""

import math
from collections.abc import Mapping, Sequence


def dcg(gains: Sequence[float]) -> float:
    """Return discounted cumulative gain, sum of gain / log2(rank + 1) (Järvelin and Kekäläinen 2002, as in BEIR)."""
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def ndcg(ranked: Sequence[str], relevance: Mapping[str, float], k: int = 10) -> float:
    """Return nDCG@k in [0, 1]; 0 when nothing is relevant. A document counts where it first occurs."""
    ideal = dcg(sorted((max(0.0, grade) for grade in relevance.values()), reverse=True)[:k])
    gains = [max(0.0, relevance.get(i, 0.0)) for i in list(dict.fromkeys(ranked))[:k]]
    return dcg(gains) / ideal if ideal > 0 else 0.0


def recall(ranked: Sequence[str], relevance: Mapping[str, float], k: int) -> float:
    """Return the share of relevant documents among the first k; 0 when nothing is relevant."""
    relevant = {i for i, grade in relevance.items() if grade > 0}
    return len(relevant & set(ranked[:k])) / len(relevant) if relevant else 0.0


def reciprocal_rank(ranked: Sequence[str], relevance: Mapping[str, float], k: int = 10) -> float:
    """Return 1 / rank of the first relevant document among the first k, 0 when there is none."""
    return next((1 / rank for rank, i in enumerate(ranked[:k], start=1) if relevance.get(i, 0) > 0), 0.0)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` (0 to 1) of the values lie, linearly interpolated; 0 for no values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    place = (len(ordered) - 1) * share
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
