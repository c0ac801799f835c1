import json
from pathlib import Path

import numpy as np
import pytest
from kisoku.adapters.storage.memory import MemoryVectorStore
from kisoku.domain.errors import ConfigError, HandbookCorruptError
from kisoku.ports.vector_store import VectorStoreOptions


def test_nothing_is_on_disk_before_close_and_no_pickle_after(tmp_path: Path) -> None:
    store = MemoryVectorStore(VectorStoreOptions(tmp_path))
    store.create_collection("abc")
    store.upsert("abc", ["x"], [[1.0, 0.0]], ["規則"], [{"page": 1}])
    assert list(tmp_path.iterdir()) == []
    store.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0001.npy", "collections.json", "seal.json"]
    assert np.load(tmp_path / "0001.npy", allow_pickle=False).tolist() == [[1.0, 0.0]]
    assert json.loads((tmp_path / "collections.json").read_text(encoding="utf-8"))["abc"]["documents"] == ["規則"]


def test_zero_vectors_score_zero(tmp_path: Path) -> None:
    store = MemoryVectorStore(VectorStoreOptions(tmp_path))
    store.create_collection("abc")
    store.upsert("abc", ["zero", "one"], [[0.0, 0.0], [1.0, 0.0]], ["", ""], [{}, {}])
    assert [(hit.id, hit.score) for hit in store.query("abc", [2.0, 0.0], 5)] == [("one", 1.0), ("zero", 0.0)]
    store.close()


def test_matrix_is_mapped_not_read(tmp_path: Path) -> None:
    store = MemoryVectorStore(VectorStoreOptions(tmp_path))
    store.create_collection("abc")
    store.upsert("abc", ["x"], [[1.0, 0.0]], [""], [{}])
    store.close()
    store = MemoryVectorStore(VectorStoreOptions(tmp_path, read_only=True))
    assert isinstance(store._collections["abc"].matrix, np.memmap)
    with pytest.raises(PermissionError):
        store.upsert("abc", ["y"], [[1.0, 0.0]], [""], [{}])
    store.close()


def test_folder_of_a_killed_writer_is_corrupt_and_empty_folder_not_readable(tmp_path: Path) -> None:
    with pytest.raises(HandbookCorruptError):
        MemoryVectorStore(VectorStoreOptions(tmp_path, read_only=True))
    store = MemoryVectorStore(VectorStoreOptions(tmp_path))
    store.create_collection("abc")
    store.close()
    (tmp_path / "seal.json").unlink()
    with pytest.raises(HandbookCorruptError):
        MemoryVectorStore(VectorStoreOptions(tmp_path))


def test_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="ef_search"):
        MemoryVectorStore(VectorStoreOptions(tmp_path, options={"ef_search": 1}))
