"""Every cache of query embeddings keeps the contract; Redis is a real server on a free port of loopback."""

import shutil
import socket
import subprocess
import time

import numpy as np
import pytest
from kisoku.adapters.cache.memory import MemoryVectorCache
from kisoku.domain.errors import ConfigError
from kisoku.ports.vector_cache import query_key
from kisoku.testing.vector_cache import DIMENSION, QueryVectorCacheContract

redis = pytest.importorskip("redis", reason="the redis extra is not installed")

from kisoku.adapters.cache.redis import RedisVectorCache  # noqa: E402  # after the skip

VECTOR = np.arange(DIMENSION, dtype=np.float32)


class Server:
    """A redis-server that keeps nothing on disk."""

    def __init__(self, folder) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process = None

    def start(self) -> None:
        arguments = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(
            [shutil.which("redis-server"), *arguments, "--dir", str(self.folder)], stdout=subprocess.DEVNULL
        )
        with redis.Redis(port=self.port) as client:
            for _ in range(200):
                try:
                    client.ping()
                except redis.ConnectionError:
                    time.sleep(0.05)
                else:
                    return
        pytest.fail("redis-server did not start")

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    if shutil.which("redis-server") is None:
        pytest.skip("redis-server is not installed")
    made = Server(tmp_path_factory.mktemp("redis"))
    made.start()
    yield made
    made.stop()


@pytest.fixture
def client(server):
    with redis.Redis.from_url(server.url) as made:
        made.flushall()
        yield made


@pytest.fixture
def redis_cache(server, client):
    made = RedisVectorCache(server.url, ttl_seconds=60)
    yield made
    made.close()


class TestMemory(QueryVectorCacheContract):
    @pytest.fixture
    def cache(self):
        return MemoryVectorCache(100)


class TestRedis(QueryVectorCacheContract):
    @pytest.fixture
    def cache(self, redis_cache):
        return redis_cache


def test_memory_lets_go_of_what_was_unused_for_longest():
    cache = MemoryVectorCache(2)
    cache.put({"a": VECTOR, "b": VECTOR})
    cache.get(["a"], DIMENSION)
    cache.put({"c": VECTOR})
    assert [v is not None for v in cache.get(["a", "b", "c"], DIMENSION)] == [True, False, True]


def test_redis_holds_raw_floats_with_a_time_to_live(redis_cache, client):
    key = query_key("model", "表の書き方")
    redis_cache.put({key: VECTOR})
    (stored,) = client.keys()
    assert stored.decode() == f"kisoku:query:{key}"
    assert client.get(stored) == VECTOR.astype("<f4").tobytes()
    assert 0 < client.ttl(stored) <= 60


def test_the_key_is_the_sha256_of_model_and_query():
    # printf 'm\0q' | sha256sum
    assert query_key("m", "q") == "44e4406f414f7b62bf0edb7dfb76b776aba4ba09aeb38f9b4fa49f499be8e6bb"
    assert query_key("a", "b") != query_key("ab", "")


@pytest.mark.parametrize("value", [b"", b"abc", b"\0" * (4 * DIMENSION - 1), b"\xff" * (4 * DIMENSION)])
def test_what_somebody_else_wrote_is_a_miss(redis_cache, client, value):
    client.set("kisoku:query:k", value)
    assert redis_cache.get(["k"], DIMENSION) == [None]


def test_a_value_of_another_type_is_a_miss(redis_cache, client):
    client.rpush("kisoku:query:k", "x")
    assert redis_cache.get(["k"], DIMENSION) == [None]


def test_a_server_that_goes_away_is_passed_over_and_found_again(server, client):
    now = [0.0]
    cache = RedisVectorCache(server.url, ttl_seconds=60, clock=lambda: now[0])
    cache.put({"k": VECTOR})
    server.stop()
    assert cache.get(["k"], DIMENSION) == [None]
    assert cache.fault == "ConnectionError"
    server.start()
    assert cache.get(["k"], DIMENSION) == [None], "a server that failed rests for a while"
    now[0] = 31.0
    cache.put({"k": VECTOR})
    (found,) = cache.get(["k"], DIMENSION)
    assert np.array_equal(found, VECTOR)
    assert cache.fault == ""
    cache.close()


def test_a_server_that_says_nothing_costs_little_time():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        cache = RedisVectorCache(f"redis://:secret@127.0.0.1:{silent.getsockname()[1]}/0", ttl_seconds=60)
        began = time.monotonic()
        for _ in range(20):
            assert cache.get(["k"], DIMENSION) == [None]
            cache.put({"k": VECTOR})
        assert time.monotonic() - began < 2
        assert cache.fault
        assert "secret" not in cache.fault
        cache.close()


@pytest.mark.parametrize("url", ["", "localhost:6379", "http://localhost", "redis://localhost:port/0"])
def test_a_malformed_url_is_an_error_that_does_not_show_it(url):
    with pytest.raises(ConfigError, match="redis_url") as caught:
        RedisVectorCache(url, ttl_seconds=60)
    assert not url or url not in caught.value.message
