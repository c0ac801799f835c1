"""Port: from text to vectors."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from .vectors import Matrix, Vector


@dataclass(frozen=True, slots=True)
class EmbedderOptions:
    """What a factory of embedders gets.

    Attributes:
        model: Model name or path; "" for the factory's own default.
        batch_size: Texts per call of the model.
        threads: Numeric threads; pinned, since BLAS threads spin on a busy machine.
        device: cpu, cuda, mps, or "" for the best there is.
        options: Adapter-specific settings from the configuration.
    """

    model: str = ""
    batch_size: int = 32
    threads: int = 1
    device: str = ""
    options: Mapping[str, object] = field(default_factory=dict)


class Embedder(ABC):
    """A model that embeds passages and queries.

    Contract (kept by `kisoku.testing.EmbedderContract`):

    - Construction loads nothing; `warm_up` or the first call does. `ModelError` when the model cannot be loaded.
    - Vectors are float32, L2-normalised, finite, of `dimension`; the same text gives the same vector
      whatever the batch.
    - An empty list gives shape (0, dimension).
    - `count_tokens` needs the tokenizer alone, not the weights, and counts what the model would read.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Full model name, recorded in the manifest ("BAAI/bge-m3")."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Length of its vectors; may load the model."""

    @property
    def max_tokens(self) -> int:
        """Longest text that it reads whole, in tokens."""
        return 512

    @abstractmethod
    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text, (len(texts), dimension)."""

    @abstractmethod
    def embed_query(self, text: str) -> Vector:
        """Return the query's vector, (dimension,)."""

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Return one row per query, (len(texts), dimension)."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        return np.stack([self.embed_query(text) for text in texts])

    @abstractmethod
    def count_tokens(self, text: str) -> int:
        """Return the number of tokens of a text."""

    def warm_up(self) -> None:
        """Load the model now rather than at the first call."""
        self.embed_query("規則")
