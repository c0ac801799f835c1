"""Any sentence-transformers model; bge-m3 (Chen et al. 2024) unless another is named."""

import os
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from ...domain.errors import ConfigError, ModelError
from ...ports.embedder import Embedder, EmbedderOptions
from ...ports.vectors import Matrix, Vector
from .texts import readable

DEFAULT_MODEL = "BAAI/bge-m3"
_WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json")
_INSTALL = "Install it with: pip install 'kisoku[bge]'"


def weights_present(model: str = DEFAULT_MODEL) -> bool:
    """Return whether a model can be used without a download; imports neither torch nor sentence-transformers.

    Args:
        model: A folder or a Hugging Face repository ("BAAI/bge-m3").

    Returns:
        True when the libraries are installed and the weights are in the folder or in the local cache.
    """
    if find_spec("sentence_transformers") is None or find_spec("torch") is None:
        return False
    folder = Path(model)
    if folder.is_dir():
        return any((folder / name).is_file() or any(folder.glob(f"*/{name}")) for name in _WEIGHTS)
    from huggingface_hub import try_to_load_from_cache

    try:
        return any(isinstance(try_to_load_from_cache(model, name), str) for name in _WEIGHTS)
    except ValueError:  # no name that a repository could have
        return False


class SentenceTransformerEmbedder(Embedder):
    """A transformer on CPU or GPU; bge-m3 has 1,024 dimensions and reads 8,192 tokens.

    Prompts come from the model's own configuration. A model that needs some and names none (the e5 family) gets
    them from `options`: `query_prompt` and `passage_prompt`.

    Args:
        options: `model` is a folder or a Hugging Face repository; with HF_HUB_OFFLINE=1 nothing is downloaded.
            `threads` are torch's threads for the whole process, 0 leaves them as they are.
    """

    def __init__(self, options: EmbedderOptions | None = None) -> None:
        options = options or EmbedderOptions()
        self._name = options.model or DEFAULT_MODEL
        self._device = options.device or None
        self._threads = options.threads
        self._batch_size = max(1, options.batch_size)
        self._query_prompt = _prompt(options, "query_prompt")
        self._passage_prompt = _prompt(options, "passage_prompt")
        # Fast tokenizers refuse to be used by two threads at once ("Already borrowed").
        self._lock = threading.RLock()
        self._model: Any = None
        self._tokenizer: Any = None

    @property
    def name(self) -> str:
        """The repository, or the folder as it was given."""
        return self._name

    @property
    def dimension(self) -> int:
        """Length of the vectors; loads the model."""
        return int(self._load().get_embedding_dimension())

    @property
    def max_tokens(self) -> int:
        """Longest text that the model reads whole, in tokens; what is longer is cut. Loads the model."""
        return int(self._load().max_seq_length or 512)

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text, (len(texts), dimension).

        Raises:
            ModelError: The libraries or the weights are missing, or the device has not enough memory.
        """
        return self._encode("encode_document", texts, self._passage_prompt)

    def embed_query(self, text: str) -> Vector:
        """Return the query's vector, (dimension,)."""
        row: Vector = self.embed_queries([text])[0]
        return row

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Return one row per query, (len(texts), dimension)."""
        return self._encode("encode_query", texts, self._query_prompt)

    def count_tokens(self, text: str) -> int:
        """Return the number of tokens, end marks included and prompts not; loads no weights."""
        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = self._load_tokenizer()
            return len(self._tokenizer(readable(text), truncation=False, verbose=False)["input_ids"])

    def _encode(self, method: str, texts: Sequence[str], prompt: str | None) -> Matrix:
        model = self._load()
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        with self._lock:
            try:
                rows = getattr(model, method)(
                    [readable(text) for text in texts],
                    prompt=prompt,
                    batch_size=self._batch_size,
                    show_progress_bar=False,
                    convert_to_numpy=True,
                    normalize_embeddings=True,
                )
            except RuntimeError as error:  # out of memory, an operation that the device does not have
                raise ModelError(
                    f"The model {self._name} failed: {error}.", hint="Try a smaller batch size or device: cpu."
                ) from error
        return np.asarray(rows, dtype=np.float32)

    def _load(self) -> Any:
        with self._lock:
            if self._model is None:
                try:
                    import torch
                    from sentence_transformers import SentenceTransformer
                except ImportError as error:
                    raise ModelError(f"{self._name} needs sentence-transformers and torch.", hint=_INSTALL) from error
                if self._threads > 0:
                    torch.set_num_threads(self._threads)
                try:
                    self._model = SentenceTransformer(self._name, device=self._device, local_files_only=_offline())
                except Exception as error:  # hub, transformers and torch share no root error
                    raise self._missing(error) from error
            return self._model

    def _load_tokenizer(self) -> Any:
        try:
            from transformers import AutoTokenizer  # type: ignore[import-not-found,unused-ignore]  # comes with the extra bge
        except ImportError as error:
            raise ModelError(f"{self._name} needs sentence-transformers and torch.", hint=_INSTALL) from error
        try:
            return AutoTokenizer.from_pretrained(self._name, local_files_only=_offline())
        except Exception as error:  # hub and transformers share no root error
            raise self._missing(error) from error

    def _missing(self, error: Exception) -> ModelError:
        reason = str(error).strip().split("\n", 1)[0]
        return ModelError(
            f"The model {self._name} cannot be loaded: {reason or type(error).__name__}",
            hint=f"Download it with: hf download {self._name}, or name a folder that holds it.",
        )


def _offline() -> bool:
    return os.environ.get("HF_HUB_OFFLINE", "").strip().upper() in {"1", "ON", "YES", "TRUE"}


def _prompt(options: EmbedderOptions, key: str) -> str | None:
    value = options.options.get(key)
    if value is not None and not isinstance(value, str):
        raise ConfigError(f"The embedder's {key} must be a text, not {value!r}.")
    return value
