"""Default thresholds of the cascade's gates, by model: raw scores of different models lie on different scales.

Values are lenient on purpose: a gate that refuses a good question costs more than one that lets a bad one through.
docs/cascade.md says how they were found.
"""

from typing import Final

_COSINES: Final[dict[str, float]] = {
    "use-multilingual-v3": 0.20,
    "multilingual-e5-small-q4": 0.82,
    "BAAI/bge-m3": 0.40,
}
_RERANK_SCORES: Final[dict[str, float]] = {"BAAI/bge-reranker-v2-m3": 0.02}


def least_cosine(model: str) -> float | None:
    """Return the smallest best cosine that passes; None for a model nobody measured."""
    return _COSINES.get(model)


def least_rerank_score(model: str) -> float | None:
    """Return the smallest best rerank score that passes.

    None for a reranker nobody measured, and for those whose scores only order one set of candidates (sentence
    similarity, a chat model).
    """
    return _RERANK_SCORES.get(model)
