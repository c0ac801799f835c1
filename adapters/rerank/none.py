"""Reranking switched off: the fused order stands."""

from collections.abc import Sequence

from ...ports.reranker import RerankCandidate, Reranker, RerankerOptions


class NoReranker(Reranker):
    """Returns the fusion scores."""

    def __init__(self, options: RerankerOptions | None = None) -> None:
        self._options = options or RerankerOptions()

    @property
    def name(self) -> str:
        """The word for "no model"."""
        return "none"

    def rerank(self, query: str, candidates: Sequence[RerankCandidate]) -> list[float]:  # noqa: ARG002  # the port
        """Return every candidate's fusion score."""
        return [candidate.fused for candidate in candidates]
