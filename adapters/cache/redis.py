"""Vectors of queries in Redis, shared by processes and machines."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from ...domain.errors import ConfigError
from ...ports.vector_cache import QueryVectorCache
from ...ports.vectors import Vector

_PREFIX: Final = "kisoku:query:"
_TIMEOUT_SECONDS: Final = 0.25
"""Embedding a query takes a few milliseconds on most models; a cache that is slower than this helps nobody."""
_REST_SECONDS: Final = 30.0
"""How long a server that failed is left alone, so that not every search waits for it."""


class RedisVectorCache(QueryVectorCache):
    """Raw little-endian float32 bytes under `kisoku:query:` and the key, each with a time to live.

    Args:
        url: `redis://`, `rediss://` or `unix://`; a password in it is never shown.
        ttl_seconds: How long a vector stays.
        clock: Monotonic seconds.

    Raises:
        ConfigError: The `redis` extra is not installed, or the URL is malformed.
    """

    def __init__(self, url: str, *, ttl_seconds: int, clock: Callable[[], float] = time.monotonic) -> None:
        try:
            import redis
            from redis.backoff import NoBackoff
            from redis.retry import Retry
        except ImportError as error:
            raise ConfigError(
                "cache.redis_url is set, but the Redis client is not installed.",
                hint="pip install 'kisoku[redis]', or leave cache.redis_url empty.",
            ) from error
        try:
            self._client: Any = redis.Redis.from_url(
                url,
                socket_timeout=_TIMEOUT_SECONDS,
                socket_connect_timeout=_TIMEOUT_SECONDS,
                retry=Retry(NoBackoff(), 0),
            )
        except (ValueError, TypeError) as error:
            raise ConfigError(
                "cache.redis_url is no URL of a Redis server.", hint="Write it as redis://localhost:6379/0."
            ) from error
        # What a damaged server may answer is more than its own errors: broken frames end in ValueError or IndexError.
        self._errors: tuple[type[Exception], ...] = (redis.RedisError, OSError, ValueError, IndexError)
        self._ttl = ttl_seconds
        self._clock = clock
        self._lock = threading.Lock()
        self._fault = ""
        self._rests_until = float("-inf")

    @property
    def name(self) -> str:
        """Short stable name."""
        return "redis"

    @property
    def fault(self) -> str:
        """Kind of the last error, "" when the last call worked; no text of the server, which may name users."""
        return self._fault

    def get(self, keys: Sequence[str], dimension: int) -> list[Vector | None]:
        """Return one vector per key, all in one round trip."""
        values = self._asked(lambda: self._client.mget([_PREFIX + key for key in keys])) if keys else None
        if not isinstance(values, list) or len(values) != len(keys):
            return [None] * len(keys)
        return [_vector(value, dimension) for value in values]

    def put(self, vectors: Mapping[str, Vector]) -> None:
        """Store vectors, all in one round trip."""

        def store() -> None:
            pipeline = self._client.pipeline(transaction=False)
            for key, vector in vectors.items():
                pipeline.set(_PREFIX + key, np.asarray(vector, dtype="<f4").tobytes(), ex=self._ttl)
            pipeline.execute()

        if vectors:
            self._asked(store)

    def close(self) -> None:
        """Release the connections."""
        self._client.close()

    def _asked(self, call: Callable[[], Any]) -> Any:
        with self._lock:
            if self._clock() < self._rests_until:
                return None
        try:
            answer = call()
        except self._errors as error:
            with self._lock:
                self._fault = type(error).__name__
                self._rests_until = self._clock() + _REST_SECONDS
            return None
        with self._lock:
            self._fault = ""
            self._rests_until = float("-inf")
        return answer


def _vector(value: object, dimension: int) -> Vector | None:
    if not isinstance(value, bytes) or len(value) != 4 * dimension:
        return None
    vector = np.frombuffer(value, dtype="<f4").astype(np.float32)
    vector.setflags(write=False)
    return vector if bool(np.isfinite(vector).all()) else None
