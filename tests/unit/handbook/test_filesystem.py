"""Handbooks as folders: numbers only grow, one commit point, leftovers swept, damage named."""

import pytest
from kisoku.adapters.handbook.filesystem import FilesystemHandbookStore
from kisoku.domain.chunks import RuleChunk, content_hash
from kisoku.domain.errors import HandbookCorruptError, HandbookError, UnknownVersionError
from kisoku.domain.manifest import EmbeddingInfo, KeywordInfo, Manifest


def manifest(version):
    return Manifest(
        version=version,
        created_at="2026-01-01T00:00:00+00:00",
        tool_version="0",
        source_files=(),
        collections={},
        embedding=EmbeddingInfo(adapter="use", model="m", dimension=4),
        vector_store="chroma",
        keyword=KeywordInfo(adapter="bm25s", k1=1, b=0, analyzer="auto", analyzer_fingerprint="f"),
        chunking={},
        embedded=0,
        reused=0,
        dropped=0,
    )


def chunk(version, number):
    return RuleChunk(
        chunk_id=f"rules-write_{version}_{number:03d}",
        doc_id="記入規則.docx",
        doc_type="word",
        content=f"規則 {number}\u2028\x85改行。",
        source_uri="記入規則.docx",
        position=number - 1,
        token_count=1,
        category="write",
        content_hash=content_hash(str(number)),
    )


@pytest.fixture
def store(tmp_path):
    return FilesystemHandbookStore(tmp_path / "h")


def publish(store, count=1):
    with store.write_lock():
        staged = store.stage()
        staged.write_chunks("write", [chunk(staged.version, n) for n in range(1, count + 1)])
        store.publish(staged, manifest(staged.version))
        return staged.version


def test_an_empty_store(store):
    assert store.pointer() is None
    assert store.versions() == []
    with pytest.raises(UnknownVersionError, match="Versions: none"):
        store.manifest("v1")
    assert not store.root.exists()


def test_versions_are_published_in_order(store):
    assert [publish(store) for _ in range(11)] == [f"v{n}" for n in range(1, 12)]
    # By number, not by name: v10 comes after v9.
    assert store.versions() == [f"v{n}" for n in range(1, 12)]
    assert store.pointer().version == "v11"
    assert store.pointer().previous == "v10"


def test_numbers_grow_after_a_rollback(store):
    publish(store)
    publish(store)
    with store.write_lock():
        store.activate("v1")
    assert (store.pointer().version, store.pointer().previous, store.pointer().last) == ("v1", "v2", 2)
    assert publish(store) == "v3"
    assert store.pointer().previous == "v1"


def test_active_is_derived_when_a_manifest_is_read(store):
    publish(store)
    publish(store)
    assert (store.manifest("v1").active, store.manifest("v1").active_previous) == (False, None)
    assert (store.manifest("v2").active, store.manifest("v2").active_previous) == (True, "v1")


def test_chunks_come_back_as_they_were_in_the_order_of_their_numbers(store):
    publish(store, count=1001)
    found = store.chunks("v1", "write")
    assert list(found) == [chunk("v1", n) for n in range(1, 1002)]
    assert store.chunk("rules-write_v1_1001") == chunk("v1", 1001)
    assert list(store.chunks("v1", "design")) == []


@pytest.mark.parametrize(
    ("identifier", "error"),
    [
        ("rules-write_v1_002", HandbookCorruptError),
        ("rules-write_v9_001", UnknownVersionError),
        ("nonsense", HandbookError),
        ("rules-write_v1_../../x", HandbookError),
    ],
)
def test_a_chunk_that_is_not_there(store, identifier, error):
    publish(store)
    with pytest.raises(error):
        store.chunk(identifier)


def test_discarding_leaves_nothing(store):
    publish(store)
    with store.write_lock():
        staged = store.stage()
        staged.write_chunks("write", [chunk("v2", 1)])
        store.discard(staged)
    assert not (store.root / "staging").exists()
    assert store.versions() == ["v1"]
    assert publish(store) == "v2"


def test_discarding_after_the_commit_keeps_the_version(store):
    with store.write_lock():
        staged = store.stage()
        staged.write_chunks("write", [chunk("v1", 1)])
        store.publish(staged, manifest("v1"))
        store.discard(staged)
    assert store.versions() == ["v1"]
    assert len(store.chunks("v1", "write")) == 1


def test_the_next_writer_sweeps_what_a_dead_one_left(store):
    publish(store)
    for path in ("staging/v2/chroma", "chroma/v2", "keyword/v2/rules-write", "chunks/v2/rules-write"):
        (store.root / path).mkdir(parents=True)
    (store.root / "manifests" / "v2.json").write_text("{}")
    with store.write_lock():
        pass
    left = {p.relative_to(store.root).as_posix() for p in store.root.rglob("*v2*")}
    assert left == set()
    assert len(store.chunks("v1", "write")) == 1


@pytest.mark.parametrize("version", ["v2", "v0"])
def test_activating_what_does_not_exist(store, version):
    publish(store)
    with store.write_lock(), pytest.raises(UnknownVersionError):
        store.activate(version)
    assert store.pointer().version == "v1"
