"""Embedding models behind HTTP: batches that fit the server, answers that are checked, endpoints of one model."""

import threading
import unicodedata
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...domain.endpoints import Endpoint, Retries
from ...domain.errors import ConfigError, ModelError, TransientModelError
from ...ports.embedder import Embedder, EmbedderOptions
from ...ports.vectors import Matrix, Vector
from .texts import readable

Row = Sequence[float]
_SMALLEST, _LARGEST, _STEP = 4, 64, 4
_PROBE: Final = "規則 rule 规则"
"""What an endpoint is asked first: its length is the dimension, its direction shows whether it is the same model."""
_SAME_MODEL: Final = 0.98
"""Cosine of one text from two endpoints; quantised copies of a model stay above it, other models far below."""
_ASCII_PER_TOKEN: Final = 3


class _Place(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str = ""
    api_key_env: str = ""


class _Options(BaseModel):
    """Settings of the adapters' own (`embedding.options`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str = ""
    api_key_env: str = ""
    endpoints: tuple[_Place, ...] = ()
    timeout_seconds: Annotated[float, Field(gt=0)] = 60.0
    max_retries: Annotated[int, Field(ge=0, le=10)] = 2
    max_tokens: Annotated[int, Field(ge=16)] = 512
    dimension: Annotated[int, Field(ge=1)] | None = None
    query_prefix: str = ""
    passage_prefix: str = ""
    extra: dict[str, Any] = Field(default_factory=dict)


class RemoteEmbedder(Embedder):
    """What the adapters over HTTP share.

    The batch grows by 4 up to 64 texts with each full one that succeeds and is halved down to 4 with each failure. An
    endpoint that fails for good or too often is left for the next one of `endpoints`, which must be the same model: it
    is asked for the probe first, and an answer of another dimension or direction is refused, so that vectors of two
    models never meet in one index.

    Tokens are estimated, since the tokenizer lies on the server: one per ideograph or kana, one per three other
    characters. That is more than most models count, so a chunk rather ends early than is cut off by the server.

    Args:
        options: `model` is required; `batch_size` is the first batch; `options` may hold base_url, api_key_env,
            endpoints, timeout_seconds, max_retries, max_tokens, dimension, query_prefix, passage_prefix, extra.
    """

    adapter = ""
    default_url = ""

    def __init__(self, options: EmbedderOptions | None = None, *, sleep: Callable[[float], None] | None = None) -> None:
        options = options or EmbedderOptions()
        if not options.model:
            raise ConfigError(f"The embedder {self.adapter} needs a model.", hint="Set embedding.model.")
        try:
            self._own = _Options.model_validate(dict(options.options))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise ConfigError(f"The setting embedding.options.{place} is wrong: {first['msg']}.") from error
        own = self._own
        places = own.endpoints or (_Place(base_url=own.base_url, api_key_env=own.api_key_env),)
        self._endpoints = [
            Endpoint(
                model=options.model,
                base_url=place.base_url or self.default_url,
                api_key_env=place.api_key_env,
                timeout_seconds=own.timeout_seconds,
                extra=own.extra,
            )
            for place in places
        ]
        self._retries = Retries(own.max_retries)
        if sleep is not None:
            self._retries = replace(self._retries, sleep=sleep)
        self._lock = threading.RLock()
        self._batch = min(_LARGEST, max(_SMALLEST, options.batch_size))
        self._current = 0
        self._probes: dict[int, Vector] = {}

    @property
    def name(self) -> str:
        """The model's name."""
        return self._endpoints[0].model

    @property
    def dimension(self) -> int:
        """Length of its vectors: as configured, else measured once."""
        with self._lock:
            if self._own.dimension is not None:
                return self._own.dimension
            if not self._probes:
                self._embed([])
            return len(next(iter(self._probes.values())))

    @property
    def max_tokens(self) -> int:
        """As configured, 512 when nothing is."""
        return self._own.max_tokens

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text, (len(texts), dimension), L2-normalised.

        Raises:
            TransientModelError: Every endpoint failed, at least one only for now.
            ModelError: Every endpoint failed for good, or answers with vectors that cannot be used.
        """
        return self._embed([self._own.passage_prefix + readable(text) for text in texts])

    def embed_query(self, text: str) -> Vector:
        """Return the query's vector, (dimension,)."""
        row: Vector = self._embed([self._own.query_prefix + readable(text)])[0]
        return row

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Return one row per query, (len(texts), dimension)."""
        return self._embed([self._own.query_prefix + readable(text) for text in texts])

    def count_tokens(self, text: str) -> int:
        """Return an estimate, without asking anybody."""
        wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
        return wide + -(-(len(text) - wide) // _ASCII_PER_TOKEN)

    @abstractmethod
    def _request(self, endpoint: Endpoint, texts: Sequence[str]) -> list[Row]:
        """Ask an endpoint once.

        Raises:
            ModelError: As `Endpoint` makes them.
        """

    def _embed(self, texts: Sequence[str]) -> Matrix:
        failures: list[ModelError] = []
        done: list[Matrix] = []
        count, first = 0, self._current
        for step in range(len(self._endpoints)):
            place = (first + step) % len(self._endpoints)
            try:
                self._probe(place)
                while count < len(texts):
                    rows = self._next_batch(self._endpoints[place], texts[count:])
                    done.append(rows)
                    count += len(rows)
                return np.concatenate(done) if done else np.zeros((0, self._width()), dtype=np.float32)
            except ModelError as error:
                failures.append(error)
                with self._lock:
                    # Another thread may have gone on already.
                    if self._current == place:
                        self._current = (place + 1) % len(self._endpoints)
        text = " ".join(str(failure) for failure in failures)
        message = text if len(failures) == 1 else f"Every endpoint of {self.name} failed. {text}"
        if any(isinstance(failure, TransientModelError) for failure in failures):
            raise TransientModelError(message)
        raise ModelError(message)

    def _width(self) -> int:
        return self._own.dimension or len(next(iter(self._probes.values())))

    def _probe(self, place: int) -> None:
        """Ask an endpoint for the probe, the first time it is used.

        Raises:
            ModelError: It is another model than the endpoints before it.
        """
        with self._lock:
            if place not in self._probes:
                self._probes[place] = self._probed(place)

    def _probed(self, place: int) -> Vector:
        endpoint = self._endpoints[place]
        row: Vector = self._retries.run(lambda: self._checked(endpoint, [_PROBE], None))[0]
        wanted = self._own.dimension or (len(next(iter(self._probes.values()))) if self._probes else len(row))
        if len(row) != wanted:
            raise ModelError(
                f"{endpoint.label} gives vectors of {len(row)} numbers, not {wanted}.",
                hint="Name an endpoint of the same model, or build the handbook again.",
            )
        for known in self._probes.values():
            cosine = float(known @ row)
            if cosine < _SAME_MODEL:
                raise ModelError(
                    f"{endpoint.label} is another model than the endpoints before it: one text, cosine {cosine:.2f}.",
                    hint="Name endpoints of one model only.",
                )
        return row

    def _next_batch(self, endpoint: Endpoint, texts: Sequence[str]) -> Matrix:
        """Return the vectors of as many texts as the server takes at once."""
        failures = 0
        while True:
            size = self._batch
            batch = texts[:size]
            try:
                rows = self._checked(endpoint, batch, self._width())
            except TransientModelError as error:
                self._resize(max(_SMALLEST, size // 2))
                failures += 1
                if not self._retries.again(error, failures):
                    raise
            else:
                if len(batch) == size:
                    # A single query says nothing about how much the server takes.
                    self._resize(min(_LARGEST, size + _STEP))
                return rows

    def _resize(self, size: int) -> None:
        with self._lock:
            self._batch = size

    def _checked(self, endpoint: Endpoint, texts: Sequence[str], width: int | None) -> Matrix:
        """Return an endpoint's vectors, normalised.

        Raises:
            ModelError: There are too few, they have another dimension, or they are no numbers.
        """
        answer = self._request(endpoint, texts)
        if len(answer) != len(texts):
            raise ModelError(f"{endpoint.label} returned {len(answer)} vectors for {len(texts)} texts.")
        try:
            rows = np.asarray(answer, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise ModelError(
                f"{endpoint.label} returned vectors that are no numbers, or of several lengths."
            ) from error
        if rows.ndim != 2 or rows.shape[1] == 0:  # noqa: PLR2004  # rows and columns
            raise ModelError(f"{endpoint.label} returned vectors that are no lists of numbers.")
        if width is not None and rows.shape[1] != width:
            raise ModelError(f"{endpoint.label} returned vectors of {rows.shape[1]} numbers, not {width}.")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.isfinite(rows).all() or not (lengths > 0).all():
            raise ModelError(f"{endpoint.label} returned vectors that are not finite, or zero.")
        normal: Matrix = rows / lengths
        return normal


def install_hint(package: str, extra: str) -> ModelError:
    """Return the error of a client that is not installed."""
    return ModelError(
        f"This embedder needs the package {package}.", hint=f"Install it with: pip install 'kisoku[{extra}]'"
    )


def rows_of(value: object, endpoint: Endpoint) -> list[Row]:
    """Return vectors that an answer holds.

    Raises:
        TransientModelError: It holds none.
    """
    if not isinstance(value, list):
        raise endpoint.nonsense("no vectors")
    return value


def indexed(entries: Sequence[tuple[object, object]], endpoint: Endpoint) -> list[Row]:
    """Return vectors in the order of their index, whatever the order of the answer.

    Raises:
        ModelError: Indices are missing or stand there twice.
    """
    by_index: Mapping[object, Any] = dict(entries)
    if set(by_index) != set(range(len(entries))):
        raise ModelError(f"{endpoint.label} returned vectors whose numbers do not fit the texts.")
    return [by_index[number] for number in range(len(entries))]
