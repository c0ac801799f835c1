"""The pass over all vectors of a published Chroma store: exact, and only where the files are as expected."""

import sqlite3
import struct
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from kisoku.adapters.storage import chroma
from kisoku.adapters.storage.chroma import ChromaAdapter
from kisoku.adapters.storage.chroma_scan import scanned_vectors
from kisoku.adapters.storage.seal import seal
from kisoku.ports.vector_store import VectorStoreOptions
from kisoku.ports.vectors import Matrix

NAME = "rules-write-v3"
LARGE = 10**9


def spread(count: int, dimension: int, seed: int = 0) -> Matrix:
    """Unit vectors around a few centres; at random ones, which have no near neighbours, a graph errs most."""
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(20, dimension))[random.integers(20, size=count)]
    vectors = vectors + 1.5 * random.normal(size=(count, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def ids_of(count: int) -> list[str]:
    return [f"c{row:05}" for row in range(count)]


def published(folder: Path, vectors: Matrix, ids: list[str] | None = None) -> Path:
    folder.mkdir()
    ids = ids or ids_of(len(vectors))
    with closing(ChromaAdapter(VectorStoreOptions(folder))) as store:
        store.create_collection(NAME)
        store.upsert(NAME, ids, vectors, ["規則"] * len(ids), [{"page": row % 7} for row in range(len(ids))])
    return folder


def opened(folder: Path) -> closing[ChromaAdapter]:
    return closing(ChromaAdapter(VectorStoreOptions(folder, read_only=True)))


def test_every_neighbour_is_found_in_the_order_of_brute_force(tmp_path: Path) -> None:
    vectors, queries = spread(3000, 48), spread(40, 48, seed=5)
    with opened(published(tmp_path / "v3", vectors)) as store:
        for query in queries:
            cosines = vectors.astype(np.float64) @ query.astype(np.float64)
            order = np.argsort(-cosines)[:100]
            found = store.nearest(NAME, 3.0 * query, 100)  # of any length
            assert [identifier for identifier, _ in found] == [f"c{row:05}" for row in order]
            assert [score for _, score in found] == pytest.approx(cosines[order].tolist(), abs=1e-6)


def test_scores_are_those_of_the_graph(tmp_path: Path) -> None:
    vectors = spread(400, 32)
    with opened(published(tmp_path / "v3", vectors)) as store:
        for row in (0, 17, 399):
            graph = {hit.id: hit.score for hit in store.query(NAME, vectors[row], 400)}
            scanned = dict(store.nearest(NAME, vectors[row], 400))
            assert scanned.keys() == graph.keys()
            assert all(scanned[i] == pytest.approx(score, abs=1e-6) for i, score in graph.items())
            assert max(scanned, key=lambda identifier: scanned[identifier]) == f"c{row:05}"


def test_equal_vectors_are_ordered_by_id_wherever_they_lie(tmp_path: Path) -> None:
    vectors = spread(501, 24)
    order = np.random.default_rng(3).permutation(501)
    vectors[order[:60]] = vectors[order[0]]
    twins = sorted(f"c{row:05}" for row in order[:60])
    with opened(published(tmp_path / "v3", vectors)) as store:
        found = store.nearest(NAME, vectors[order[0]], 20)
        assert [identifier for identifier, _ in found] == twins[:20]
        assert len({score for _, score in found}) == 1


def test_what_was_deleted_and_replaced_is_not_found(tmp_path: Path) -> None:
    vectors = spread(300, 32)
    source = published(tmp_path / "v3", vectors)
    kept = {identifier: f"d{identifier[1:]}" for identifier in ids_of(300) if identifier != "c00042"}
    (tmp_path / "v4").mkdir()
    with closing(ChromaAdapter(VectorStoreOptions(tmp_path / "v4"))) as store:
        assert store.take_over(source, {NAME: NAME.replace("v3", "v4")}, {NAME: kept})
        store.upsert("rules-write-v4", ["d00007"], vectors[42:43], ["改"], [{}])
    scan = scanned_vectors(tmp_path / "v4", "rules-write-v4", LARGE)
    assert scan is not None
    assert len(scan.deleted) == 2
    with opened(tmp_path / "v4") as new:
        assert new.nearest("rules-write-v4", vectors[42], 1)[0][0] == "d00007"
        found = [identifier for identifier, _ in new.nearest("rules-write-v4", vectors[7], 1000)]
        assert sorted(found) == sorted(kept.values())


def test_chroma_is_not_loaded(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib\n"
        "from kisoku.adapters.storage.chroma import ChromaAdapter\n"
        "from kisoku.ports.vector_store import VectorStoreOptions\n"
        "store = ChromaAdapter(VectorStoreOptions(pathlib.Path(sys.argv[1]), read_only=True))\n"
        "print(len(store.nearest('rules-write-v3', [1.0] * 16, 5)))\n"
        "print([name for name in sys.modules if name.startswith('chromadb')])\n"
    )
    folder = published(tmp_path / "v3", spread(50, 16))
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, str(folder)], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.splitlines() == ["5", "[]"]


@pytest.mark.parametrize("case", ["too large", "conditions", "one vector", "still written"])
def test_chroma_answers_for_the_rest(tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = spread(1 if case == "one vector" else 60, 16)
    folder = published(tmp_path / "v3", vectors)
    if case == "too large":
        monkeypatch.setattr(chroma, "_SCANNED", 60 * 16 - 1)
    where = {"page": 0} if case == "conditions" else None
    with closing(ChromaAdapter(VectorStoreOptions(folder, read_only=case != "still written"))) as store:
        hits = store.query(NAME, vectors[0], 9, where)
        assert store.nearest(NAME, vectors[0], 9, where) == [(hit.id, hit.score) for hit in hits]
        assert hits[0].id == "c00000"
        assert len(hits) == (1 if case == "one vector" else 9)


def test_limits_and_mistakes(tmp_path: Path) -> None:
    vectors = spread(20, 16)
    folder = published(tmp_path / "v3", vectors)
    with opened(folder) as store:
        assert store.nearest(NAME, vectors[0], 0) == []
        assert len(store.nearest(NAME, vectors[0], 50)) == 20
        assert [score for _, score in store.nearest(NAME, np.zeros(16, np.float32), 50)] == [0.0] * 20
        with pytest.raises(ValueError, match="dimension 16, got 15"):
            store.nearest(NAME, vectors[0][:-1], 5)
        with pytest.raises(ValueError, match="not finite"):
            store.nearest(NAME, [float("nan")] * 16, 5)
        with pytest.raises(KeyError, match="absent"):
            store.nearest("absent", vectors[0], 5)
    with pytest.raises(RuntimeError, match="closed"):
        store.nearest(NAME, vectors[0], 5)


def _unknown_format(folder: Path) -> None:
    header = next(folder.rglob("header.bin"))
    header.write_bytes(struct.pack("<i", 2) + header.read_bytes()[4:])


def _other_offset(folder: Path) -> None:
    header = next(folder.rglob("header.bin"))
    content = bytearray(header.read_bytes())
    (at,) = struct.unpack_from("<Q", content, 44)
    struct.pack_into("<Q", content, 44, at - 16)
    header.write_bytes(bytes(content))


def _code_in_the_index(folder: Path) -> None:
    next(folder.rglob("index_metadata.pickle")).write_bytes(b"cos\nmkdir\n(V" + str(folder / "ran").encode() + b"\ntR.")


def _short_file(folder: Path) -> None:
    graph = next(folder.rglob("data_level0.bin"))
    graph.write_bytes(graph.read_bytes()[: 49 * 332])  # 50 elements of 332 bytes, and room for more


def _pending(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "chroma.sqlite3")) as database, database:
        database.execute("UPDATE max_seq_id SET seq_id = 0")


def _other_table(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "chroma.sqlite3")) as database, database:
        database.execute("ALTER TABLE embeddings RENAME COLUMN seq_id TO sequence")


@pytest.mark.parametrize(
    "change", [_unknown_format, _other_offset, _code_in_the_index, _short_file, _pending, _other_table]
)
def test_files_that_look_different_are_left_to_chroma(tmp_path: Path, change) -> None:  # type: ignore[no-untyped-def]  # one of those above
    folder = published(tmp_path / "v3", spread(50, 16))
    assert scanned_vectors(folder, NAME, LARGE) is not None
    change(folder)
    seal(folder)
    assert scanned_vectors(folder, NAME, LARGE) is None
    assert not (folder / "ran").exists()


def test_closing_gives_the_mapped_file_back(tmp_path: Path) -> None:
    maps = Path("/proc/self/maps")
    if not maps.is_file():
        pytest.skip("mapped files can be listed on Linux only")
    vectors = spread(50, 16)
    with opened(published(tmp_path / "v3", vectors)) as store:
        store.nearest(NAME, vectors[0], 5)
        assert str(tmp_path) in maps.read_text()
    assert str(tmp_path) not in maps.read_text()
    assert not [handle for handle in Path("/proc/self/fd").iterdir() if str(tmp_path) in _target(handle)]


def _target(handle: Path) -> str:
    try:
        return str(handle.readlink())
    except OSError:  # the handle of the listing itself
        return ""
