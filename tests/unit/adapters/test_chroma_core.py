"""A published store read through Chroma's core, compared with Chroma's own client."""

import gc
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import chromadb
import numpy as np
import pytest
from kisoku.adapters.storage import chroma, chroma_core
from kisoku.adapters.storage.chroma import ChromaAdapter
from kisoku.ports.vector_store import VectorStoreOptions
from kisoku.ports.vectors import Matrix

NAME = "rules-write-v3"


def published(folder: Path, count: int = 300) -> Matrix:
    vectors = np.random.default_rng(3).normal(size=(count, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    ids, pages = [f"c{row:05}" for row in range(count)], [{"page": row % 100} for row in range(count)]
    with closing(ChromaAdapter(VectorStoreOptions(folder))) as store:
        store.create_collection(NAME)
        store.upsert(NAME, ids, vectors, [f"規則 {row}" for row in range(count)], pages)
    return vectors


def test_a_published_store_is_read_as_by_chromas_own_client(tmp_path: Path) -> None:
    vectors = published(tmp_path)
    with closing(ChromaAdapter(VectorStoreOptions(tmp_path, read_only=True))) as store:
        ids, count, names = store.ids(NAME), store.count(NAME), store.collections()
        found = [store.query(NAME, vector, 7, {"page": [1, 2, 3]}) for vector in vectors[:5]]
        rows = store.vectors(NAME, ["c00007", "c00003"])
        with pytest.raises(KeyError):
            store.count("rules-write-v4")
        with pytest.raises(ValueError, match="dimension"):
            store.query(NAME, [1.0, 0.0], 3)
    client = chromadb.PersistentClient(str(tmp_path), chromadb.config.Settings(anonymized_telemetry=False))
    own = client.get_collection(NAME, embedding_function=None)
    assert (names, count) == ([own.name], own.count())
    assert ids == sorted(own.get(include=[])["ids"])
    assert rows.tolist() == vectors[[7, 3]].tolist()
    for vector, hits in zip(vectors[:5], found, strict=True):
        answer = own.query(query_embeddings=[vector], n_results=7, where={"page": {"$in": [1, 2, 3]}})
        assert {hit.id for hit in hits} == set(answer["ids"][0])
        told = dict(
            zip(answer["ids"][0], zip(answer["documents"][0], answer["metadatas"][0], strict=True), strict=True)
        )
        assert {hit.id: (hit.document, hit.metadata) for hit in hits} == told
    client.close()


class Garbage:
    """A store in a reference cycle, which the garbage collector closes."""

    def __init__(self, store: ChromaAdapter) -> None:
        self.store, self.me = store, self

    def __del__(self) -> None:
        self.store.close()


def test_a_store_is_closed_by_the_garbage_collector_while_another_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("old", "new"):
        published(tmp_path / name, 3)
    old = ChromaAdapter(VectorStoreOptions(tmp_path / "old", read_only=True))
    assert old.collections() == [NAME]
    Garbage(old)
    open_core = chroma_core.open_core

    def opened_in_the_midst_of_a_collection(folder: Path) -> chroma_core.CoreClient | None:
        gc.collect()
        return open_core(folder)

    monkeypatch.setattr(chroma, "open_core", opened_in_the_midst_of_a_collection)
    found: list[list[str]] = []

    def look() -> None:
        with closing(ChromaAdapter(VectorStoreOptions(tmp_path / "new", read_only=True))) as store:
            found.append(store.collections())

    # In a thread of its own, so that a deadlock fails the test and does not hold up the rest.
    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    looking.join(30)
    assert found == [[NAME]]
    with pytest.raises(RuntimeError, match="closed"):
        old.collections()


def test_a_release_of_chroma_that_was_not_tried_is_read_by_its_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = published(tmp_path)
    monkeypatch.setattr(chroma_core, "version", lambda name: "1.99.0")
    assert chroma_core.open_core(tmp_path) is None
    with closing(ChromaAdapter(VectorStoreOptions(tmp_path, read_only=True))) as store:
        assert store.query(NAME, vectors[9], 1, {"page": 9})[0].id == "c00009"


def test_reading_a_published_store_does_not_import_chromas_client(tmp_path: Path) -> None:
    published(tmp_path)
    script = (
        "import pathlib, sys\n"
        "from kisoku.adapters.storage.chroma import ChromaAdapter\n"
        "from kisoku.ports.vector_store import VectorStoreOptions\n"
        f"store = ChromaAdapter(VectorStoreOptions(pathlib.Path({str(tmp_path)!r}), read_only=True))\n"
        f"hits = store.query({NAME!r}, [1.0] * 16, 3, {{'page': 1}})\n"
        "store.close()\n"
        "print(len(hits), sorted({'chromadb', 'opentelemetry', 'grpc', 'httpx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "3 []"
