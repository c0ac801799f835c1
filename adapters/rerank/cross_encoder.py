"""Rerank with a cross-encoder that reads query and candidate together; bge-reranker-v2-m3 unless another is named."""

import os
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...domain.errors import ModelError
from ...ports.reranker import RerankCandidate, Reranker, RerankerOptions

DEFAULT_MODEL = "BAAI/bge-reranker-v2-m3"
_INSTALL = "Install it with: pip install 'kisoku[bge]'"


class CrossEncoderReranker(Reranker):
    """Scores in (0, 1): the sigmoid of the model's one output, comparable between queries.

    Args:
        options: `model` is a folder or a Hugging Face repository; with HF_HUB_OFFLINE=1 nothing is downloaded.
            `threads` are torch's threads for the whole process, 0 leaves them as they are.
            `options["max_length"]` cuts pairs to so many tokens; without it the model's own limit holds.
    """

    def __init__(self, options: RerankerOptions | None = None) -> None:
        options = options or RerankerOptions()
        self._name = options.model or DEFAULT_MODEL
        self._device = options.device or None
        self._threads = options.threads
        self._batch_size = max(1, options.batch_size)
        self._max_length = options.options.get("max_length")
        # Fast tokenizers refuse to be used by two threads at once ("Already borrowed").
        self._lock = threading.RLock()
        self._model: Any = None

    @property
    def name(self) -> str:
        """The repository, or the folder as it was given."""
        return self._name

    def rerank(self, query: str, candidates: Sequence[RerankCandidate]) -> list[float]:
        """Return one score per candidate.

        Raises:
            ModelError: The libraries or the weights are missing, the model is no cross-encoder with one output, or
                the device has not enough memory.
        """
        if not candidates:
            return []
        model = self._load()
        from torch.nn import Sigmoid

        pairs = [(_readable(query), _readable(candidate.text)) for candidate in candidates]
        with self._lock:
            try:
                scores = model.predict(
                    pairs, batch_size=self._batch_size, show_progress_bar=False, activation_fn=Sigmoid()
                )
            except RuntimeError as error:  # out of memory, an operation that the device does not have
                raise ModelError(
                    f"The model {self._name} failed: {error}.", hint="Try a smaller batch size or device: cpu."
                ) from error
        return [float(score) for score in np.asarray(scores, dtype=np.float64)]

    def warm_up(self) -> None:
        """Load the model."""
        self._load()

    def _load(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = self._checked(self._open())
            return self._model

    def _open(self) -> Any:
        try:
            import torch
            from sentence_transformers import CrossEncoder
        except ImportError as error:
            raise ModelError(f"{self._name} needs sentence-transformers and torch.", hint=_INSTALL) from error
        if self._threads > 0:
            torch.set_num_threads(self._threads)
        try:
            return CrossEncoder(
                self._name, device=self._device, max_length=self._max_length, local_files_only=_offline()
            )
        except Exception as error:
            reason = str(error).strip().split("\n", 1)[0]
            raise ModelError(
                f"The model {self._name} cannot be loaded: {reason or type(error).__name__}",
                hint=f"Download it with: hf download {self._name}, or name a folder that holds it.",
            ) from error

    def _checked(self, model: Any) -> Any:
        outputs = int(model.config.num_labels)
        if outputs != 1:
            raise ModelError(
                f"The model {self._name} has {outputs} outputs; a reranker has one.",
                hint=f"Choose a cross-encoder for relevance, such as {DEFAULT_MODEL}.",
            )
        return model


def _offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").strip().upper() in {"1", "ON", "YES", "TRUE"}


def _readable(text: str) -> str:
    # Lone surrogates from damaged files cannot reach a tokenizer.
    return text.encode("utf-8", "replace").decode("utf-8")
