"""Contract tests of vector stores."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ..domain.errors import HandbookCorruptError
from ..ports.vector_store import MetadataValue, VectorStoreAdapter, VectorStoreOptions, Where
from ..ports.vectors import Matrix

StoreFactory = Callable[[VectorStoreOptions], VectorStoreAdapter]
NAME = "rules-write-v3"
DIMENSION = 24


def unit_vectors(count: int, seed: int = 7) -> Matrix:
    """Return random vectors of length 1, (count, DIMENSION)."""
    vectors = np.random.default_rng(seed).normal(size=(count, DIMENSION)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


class VectorStoreContract:
    """Subclass it and override `factory`; every sentence of the port's docstring is then tested."""

    @pytest.fixture
    def factory(self) -> StoreFactory:
        raise NotImplementedError("override the fixture `factory`")

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        folder = tmp_path / "store"
        folder.mkdir()
        return folder

    def _filled(self, factory: StoreFactory, folder: Path, count: int = 60) -> tuple[VectorStoreAdapter, Matrix]:
        store, vectors = factory(VectorStoreOptions(folder)), unit_vectors(count)
        store.create_collection(NAME)
        metadatas: list[dict[str, MetadataValue]] = [
            {"category": "write" if row % 2 else "design", "page": row % 5, "doc_id": f"{row % 3}.docx"}
            for row in range(count)
        ]
        store.upsert(
            NAME, [f"c{row:03}" for row in range(count)], vectors, [f"規則{r}" for r in range(count)], metadatas
        )
        return store, vectors

    def test_query_returns_exact_neighbours_best_first(self, factory: StoreFactory, folder: Path) -> None:
        store, vectors = self._filled(factory, folder)
        query = unit_vectors(1, seed=1)[0]
        cosines = vectors @ query
        order = np.argsort(-cosines)[:10]
        hits = store.query(NAME, query, 10)
        assert [hit.id for hit in hits] == [f"c{row:03}" for row in order]
        assert [hit.score for hit in hits] == pytest.approx(cosines[order].tolist(), abs=1e-5)
        assert hits[0].document == f"規則{order[0]}"
        assert dict(hits[0].metadata) == {
            "category": "write" if order[0] % 2 else "design",
            "page": order[0] % 5,
            "doc_id": f"{order[0] % 3}.docx",
        }
        store.close()

    def test_scores_are_cosines_whatever_the_length(self, factory: StoreFactory, folder: Path) -> None:
        store = factory(VectorStoreOptions(folder))
        store.create_collection(NAME)
        store.upsert(NAME, ["same", "right", "away"], [[3, 0], [0, 5], [-2, 0]], ["", "", ""], [{}, {}, {}])
        hits = store.query(NAME, [10, 0], 3)
        assert [hit.id for hit in hits] == ["same", "right", "away"]
        assert [hit.score for hit in hits] == pytest.approx([1, 0, -1], abs=1e-6)
        assert all(-1 <= hit.score <= 1 for hit in hits)
        store.close()

    def test_top_k_limits_and_may_exceed_the_count(self, factory: StoreFactory, folder: Path) -> None:
        store, vectors = self._filled(factory, folder, 7)
        assert len(store.query(NAME, vectors[0], 3)) == 3
        assert len(store.query(NAME, vectors[0], 50)) == 7
        assert store.query(NAME, vectors[0], 0) == []
        store.close()

    def test_equal_scores_are_ordered_by_id(self, factory: StoreFactory, folder: Path) -> None:
        store = factory(VectorStoreOptions(folder))
        store.create_collection(NAME)
        vector = unit_vectors(1)[0]
        ids = [f"t{row:02}" for row in np.random.default_rng(3).permutation(40)]
        store.upsert(NAME, ids, np.tile(vector, (40, 1)), ids, [{} for _ in ids])
        assert [hit.id for hit in store.query(NAME, vector, 5)] == ["t00", "t01", "t02", "t03", "t04"]
        store.close()

    def test_nearest_tells_ids_and_scores_as_query_does(self, factory: StoreFactory, folder: Path) -> None:
        store, vectors = self._filled(factory, folder)
        conditions: tuple[Where | None, ...] = (None, {"category": "write"}, {"doc_id": []})
        for where in conditions:
            hits = store.query(NAME, vectors[3], 12, where)
            assert store.nearest(NAME, vectors[3], 12, where) == [(hit.id, hit.score) for hit in hits]
        store.close()

    def test_where_conditions_must_all_hold(self, factory: StoreFactory, folder: Path) -> None:
        store, vectors = self._filled(factory, folder)

        def rows(**where: MetadataValue | list[MetadataValue]) -> list[int]:
            return sorted(int(hit.id[1:]) for hit in store.query(NAME, vectors[0], 60, where))

        assert rows(category="write") == [row for row in range(60) if row % 2]
        assert rows(doc_id=["0.docx", "2.docx"]) == [row for row in range(60) if row % 3 != 1]
        assert rows(category="design", page=[1, 3]) == [r for r in range(60) if not r % 2 and r % 5 in (1, 3)]
        assert rows(category="none") == []
        assert rows(doc_id=[]) == []
        assert rows(unknown="x") == []
        assert len(rows()) == 60
        store.close()

    def test_upsert_replaces_vector_document_and_metadata(self, factory: StoreFactory, folder: Path) -> None:
        store, vectors = self._filled(factory, folder, 5)
        store.upsert(NAME, ["c001", "new"], unit_vectors(2, seed=9), ["別", "新"], [{"page": 99}, {}])
        assert store.count(NAME) == 6
        hit = store.query(NAME, unit_vectors(2, seed=9)[0], 1)[0]
        assert (hit.id, hit.document, dict(hit.metadata)) == ("c001", "別", {"page": 99})
        assert store.vectors(NAME, ["c000"])[0] == pytest.approx(vectors[0], abs=1e-6)
        store.close()

    def test_bad_upserts_raise_value_error_and_change_nothing(self, factory: StoreFactory, folder: Path) -> None:
        store, vectors = self._filled(factory, folder, 3)
        for ids, embeddings, documents in (
            (["a", "b"], vectors[:1], ["", ""]),
            (["a"], vectors[:1], []),
            (["a"], vectors[:1, :-1], [""]),
            (["a", "a"], vectors[:2], ["", ""]),
            (["a"], np.full((1, DIMENSION), np.nan, dtype=np.float32), [""]),
        ):
            with pytest.raises(ValueError):  # noqa: PT011  # adapters word it as they like
                store.upsert(NAME, ids, embeddings, documents, [{} for _ in ids])
        with pytest.raises(ValueError):  # noqa: PT011  # as above
            store.query(NAME, vectors[0][:-1], 1)
        assert store.ids(NAME) == ["c000", "c001", "c002"]
        store.close()

    def test_empty_collection_gives_no_hits(self, factory: StoreFactory, folder: Path) -> None:
        store = factory(VectorStoreOptions(folder))
        store.create_collection(NAME)
        assert store.query(NAME, unit_vectors(1)[0], 5) == []
        assert (store.count(NAME), store.ids(NAME)) == (0, [])
        store.upsert(NAME, [], np.zeros((0, DIMENSION), dtype=np.float32), [], [])
        assert store.count(NAME) == 0
        store.close()

    def test_create_leaves_what_exists_and_delete_removes_it(self, factory: StoreFactory, folder: Path) -> None:
        store, _ = self._filled(factory, folder, 4)
        store.create_collection(NAME)
        assert store.count(NAME) == 4
        store.create_collection("rules-ref-v3")
        assert store.collections() == ["rules-ref-v3", NAME]
        store.delete_collection(NAME)
        assert store.collections() == ["rules-ref-v3"]
        store.create_collection(NAME)
        assert store.count(NAME) == 0
        store.close()

    def test_unknown_collection_raises_key_error_with_its_name(self, factory: StoreFactory, folder: Path) -> None:
        store, vectors = self._filled(factory, folder, 2)
        calls: list[Callable[[], object]] = [
            lambda: store.query("absent", vectors[0], 1),
            lambda: store.count("absent"),
            lambda: store.ids("absent"),
            lambda: store.vectors("absent", ["c000"]),
            lambda: store.delete_collection("absent"),
            lambda: store.upsert("absent", ["a"], vectors[:1], [""], [{}]),
        ]
        for call in calls:
            with pytest.raises(KeyError, match="absent"):
                call()
        store.close()

    def test_vectors_come_in_the_order_asked_for(self, factory: StoreFactory, folder: Path) -> None:
        store, vectors = self._filled(factory, folder)
        found = store.vectors(NAME, ["c030", "c001", "c059", "c001"])
        assert found.shape == (4, DIMENSION)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, vectors[[30, 1, 59, 1]], atol=1e-6)
        assert store.vectors(NAME, []).shape == (0, DIMENSION)
        with pytest.raises(KeyError, match="nobody"):
            store.vectors(NAME, ["c001", "nobody"])
        store.close()

    def test_closed_folder_can_be_renamed_and_opened_again(self, factory: StoreFactory, folder: Path) -> None:
        store, vectors = self._filled(factory, folder)
        query = unit_vectors(1, seed=4)[0]
        before = store.query(NAME, query, 20, {"page": [1, 2]})
        store.close()
        store.close()
        renamed = folder.rename(folder.with_name("v3"))
        for read_only in (True, False):
            again = factory(VectorStoreOptions(renamed, read_only=read_only))
            assert not folder.exists()
            assert again.query(NAME, query, 20, {"page": [1, 2]}) == before
            assert (again.count(NAME), again.collections()) == (60, [NAME])
            np.testing.assert_allclose(again.vectors(NAME, ["c007"])[0], vectors[7], atol=1e-6)
            again.close()

    def test_reopened_store_can_be_written(self, factory: StoreFactory, folder: Path) -> None:
        store, _ = self._filled(factory, folder, 3)
        store.close()
        store = factory(VectorStoreOptions(folder))
        store.upsert(NAME, ["x"], unit_vectors(1, seed=8), ["x"], [{}])
        store.close()
        store = factory(VectorStoreOptions(folder, read_only=True))
        assert store.ids(NAME) == ["c000", "c001", "c002", "x"]
        assert store.query(NAME, unit_vectors(1, seed=8)[0], 1)[0].id == "x"
        store.close()

    def test_two_versions_are_open_at_once(self, factory: StoreFactory, folder: Path, tmp_path: Path) -> None:
        store, vectors = self._filled(factory, folder, 3)
        other_folder = tmp_path / "other"
        other_folder.mkdir()
        other = factory(VectorStoreOptions(other_folder))
        other.create_collection(NAME)
        other.upsert(NAME, ["only"], vectors[:1], ["o"], [{}])
        assert [hit.id for hit in other.query(NAME, vectors[0], 5)] == ["only"]
        assert store.query(NAME, vectors[0], 1)[0].id == "c000"
        other.close()
        assert store.count(NAME) == 3
        store.close()

    def test_every_damaged_file_is_noticed(self, factory: StoreFactory, folder: Path) -> None:
        store, vectors = self._filled(factory, folder, 3)
        store.close()
        files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
        assert files, "a closed store has files"
        for path in files:
            whole = path.read_bytes()
            flipped = bytearray(whole)
            flipped[len(whole) // 2] ^= 0x10
            for damaged in (whole[: len(whole) // 2], bytes(flipped), b""):
                path.write_bytes(damaged)
                with pytest.raises(HandbookCorruptError):
                    self._use(factory, folder, vectors)
            path.unlink()
            with pytest.raises(HandbookCorruptError):
                self._use(factory, folder, vectors)
            path.write_bytes(whole)
        self._use(factory, folder, vectors)

    @staticmethod
    def _use(factory: StoreFactory, folder: Path, vectors: Matrix) -> None:
        store = factory(VectorStoreOptions(folder, read_only=True))
        try:
            store.query(NAME, vectors[0], 1)
            store.vectors(NAME, ["c000"])
        finally:
            store.close()
