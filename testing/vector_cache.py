"""The contract of caches of query embeddings, as tests: subclass, override `cache`, run pytest."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ..ports.vector_cache import QueryVectorCache, query_key
from ..ports.vectors import Vector

DIMENSION = 8


def _vector(seed: int) -> Vector:
    return np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)


class QueryVectorCacheContract:
    """Holds an adapter to the contract in the docstring of `QueryVectorCache`.

    A third party proves an adapter so::

        class TestMyCache(QueryVectorCacheContract):
            @pytest.fixture
            def cache(self) -> Iterator[QueryVectorCache]:
                cache = MyCache()
                yield cache
                cache.close()
    """

    @pytest.fixture
    def cache(self) -> QueryVectorCache:
        """The cache under test, empty, with room for 100 vectors."""
        raise NotImplementedError("override the fixture `cache`")

    def test_has_a_name_and_no_fault(self, cache: QueryVectorCache) -> None:
        assert cache.name.strip() == cache.name != ""
        assert cache.fault == ""

    def test_an_empty_cache_misses(self, cache: QueryVectorCache) -> None:
        assert cache.get(["a", "b"], DIMENSION) == [None, None]
        assert cache.get([], DIMENSION) == []
        cache.put({})

    def test_what_was_put_comes_back_bit_for_bit(self, cache: QueryVectorCache) -> None:
        vectors = {query_key("model", str(n)): _vector(n) for n in range(20)}
        cache.put(vectors)
        found = cache.get([*vectors, "unknown"], DIMENSION)
        assert found[-1] is None
        for vector, expected in zip(found, vectors.values(), strict=False):
            assert vector is not None
            assert vector.dtype == np.float32
            assert vector.tobytes() == expected.tobytes()

    def test_a_later_vector_replaces_the_earlier(self, cache: QueryVectorCache) -> None:
        cache.put({"k": _vector(1)})
        cache.put({"k": _vector(2)})
        (found,) = cache.get(["k"], DIMENSION)
        assert found is not None
        assert np.array_equal(found, _vector(2))

    def test_another_dimension_is_a_miss(self, cache: QueryVectorCache) -> None:
        cache.put({"k": _vector(1)})
        assert cache.get(["k"], DIMENSION + 1) == [None]

    @pytest.mark.parametrize("bad", [np.nan, np.inf])
    def test_a_vector_that_is_not_finite_is_a_miss(self, cache: QueryVectorCache, bad: float) -> None:
        vector = _vector(1)
        vector[3] = bad
        cache.put({"k": vector})
        assert cache.get(["k"], DIMENSION) == [None]

    def test_what_comes_back_cannot_be_changed_for_others(self, cache: QueryVectorCache) -> None:
        given = _vector(1)
        cache.put({"k": given})
        given[0] = 99.0
        (found,) = cache.get(["k"], DIMENSION)
        assert found is not None
        assert np.array_equal(found, _vector(1))
        assert not found.flags.writeable

    def test_several_threads_may_use_it(self, cache: QueryVectorCache) -> None:
        def use(number: int) -> bool:
            key = query_key("model", str(number % 10))
            cache.put({key: _vector(number % 10)})
            (found,) = cache.get([key], DIMENSION)
            return found is not None and bool(np.array_equal(found, _vector(number % 10)))

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(use, range(200)))
