"""Port: a second, closer look at the candidates."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .embedder import Embedder
from .vectors import Matrix


@dataclass(frozen=True, slots=True)
class RerankerOptions:
    """What a factory of rerankers gets.

    Attributes:
        model: Model name or path; "" for the factory's own default.
        embedder: The version's own embedder, for rerankers that compare sentences with it; None when it is gone.
        batch_size: Pairs per call of the model.
        threads: Numeric threads.
        device: cpu, cuda, mps, or "" for the best there is.
        options: Adapter-specific settings from the configuration.
    """

    model: str = ""
    embedder: Embedder | None = None
    batch_size: int = 16
    threads: int = 1
    device: str = ""
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RerankCandidate:
    """A candidate with what the channels said of it.

    Attributes:
        id: Chunk id.
        text: Heading path and content.
        content_hash: Key for caches.
        lexical: BM25 score, None when the keyword channel did not return it.
        vector: Cosine similarity, None when the vector channel did not return it.
        fused: Fusion score.
        sentences: Unit vectors of its sentences in order, (n, dimension), by the version's own embedder; None when the
            version keeps none.
    """

    id: str
    text: str
    content_hash: str = ""
    lexical: float | None = None
    vector: float | None = None
    fused: float = 0.0
    sentences: Matrix | None = field(default=None, repr=False, compare=False)


class Reranker(ABC):
    """Scores candidates against the query.

    Contract (kept by `kisoku.testing.RerankerContract`):

    - One finite score per candidate, in the order given, higher is better; no candidates give no scores.
    - The order in which candidates are given does not change their scores.
    - Construction loads nothing. `ModelError` when the model cannot be loaded; the caller degrades to the fused order.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Full model name, recorded in the manifest."""

    @abstractmethod
    def rerank(self, query: str, candidates: Sequence[RerankCandidate]) -> list[float]:
        """Return one score per candidate."""

    def warm_up(self) -> None:  # noqa: B027  # optional: a reranker without a model has nothing to load
        """Load the model now rather than at the first call."""
