"""The doctor: a healthy handbook is called healthy, every kind of damage is named, and what can be mended is."""

import json
import shutil
import sqlite3
from contextlib import closing

import numpy as np
import pytest
from kisoku.adapters.handbook.filesystem import FilesystemHandbookStore
from kisoku.domain.errors import HandbookLockedError, UnknownVersionError
from kisoku.plugins.manager import PluginManager
from kisoku.ports.vector_store import VectorStoreOptions

QUERY = "表のヘッダー行の下線"


def faults(report):
    return [(f.check, f.repair) for f in report.findings if f.severity == "fault"]


def messages(report):
    return " ".join(f.message for f in report.findings)


def answer(app):
    result = app.service.search(session_id=None, query=QUERY, agent="writer", record=False)
    return [(c.chunk_id, round(c.score, 6)) for c in result.chunks], result.notices


@pytest.fixture
def two_versions(built, rules, open_app, build):
    """v1 and v2, the second active."""
    (rules / "design" / "命名規則.md").write_text("# 命名規則\n\n列名は英小文字で付ける。\n", encoding="utf-8")
    with closing(open_app(built)) as app:
        assert build(app, rules).version == "v2"
    return built


def test_a_new_handbook_is_healthy(built, open_app):
    report = open_app(built).doctor.examine()
    assert (report.versions, report.findings, report.healthy) == (("v1",), (), True)


def test_no_handbook_is_healthy_and_none_is_made(tmp_path, open_app):
    doctor = open_app(tmp_path / "none").doctor
    for report in (doctor.examine(), doctor.repair()):
        assert (report.versions, report.findings) == ((), ())
    assert not (tmp_path / "none").exists()


def test_a_version_that_does_not_exist(built, open_app):
    with pytest.raises(UnknownVersionError, match="no version v7"):
        open_app(built).doctor.examine(["v7"])


@pytest.fixture(params=["chroma", "numpy"])
def store_name(request):
    return request.param


@pytest.fixture
def with_store(store_name, request, tmp_path, open_app):
    """A handbook over each vector store, and a way to change its vectors as a writer would, seal and all."""
    root, rules, build = (request.getfixturevalue(name) for name in ("built", "rules", "build"))
    options = {"vector_store": {"adapter": store_name}}
    if store_name != "chroma":
        root = tmp_path / "other"
        with closing(open_app(root, **options)) as app:
            build(app, rules)

    def change(work):
        with closing(
            open_app(root, **options).plugins.vector_store(store_name, VectorStoreOptions(root / "chroma" / "v1"))
        ) as store:
            work(store)

    return root, options, change


def upsert(store, ids, rows):
    store.upsert("rules-write-v1", ids, rows, ["x"] * len(ids), [{"doc_id": "x"}] * len(ids))


def unit(n, dimension=512):
    return np.eye(n, dimension, dtype=np.float32)


def lose(store):
    ids = store.ids("rules-write-v1")
    matrix = store.vectors("rules-write-v1", ids)
    store.delete_collection("rules-write-v1")
    store.create_collection("rules-write-v1")
    upsert(store, ids[1:], matrix[1:])


VECTOR_DAMAGE = {
    "missing": (lose, "lacks rules-write_v1_001"),
    "orphan": (lambda s: upsert(s, ["rules-write_v1_999"], unit(1)), "no chunk file: rules-write_v1_999"),
    "orphan collection": (lambda s: s.create_collection("old-v1"), "belong to nothing: old-v1"),
    "collection gone": (lambda s: s.delete_collection("ref-docs-v1"), "no collection ref-docs-v1"),
    "zero": (lambda s: upsert(s, ["rules-write_v1_002"], np.zeros((1, 512), np.float32)), "zeros: rules-write_v1_002"),
}


@pytest.mark.parametrize("kind", VECTOR_DAMAGE)
def test_vectors_that_differ_from_the_chunks_are_named_and_mended(kind, with_store, open_app, embed_calls):
    root, options, change = with_store
    work, told = VECTOR_DAMAGE[kind]
    with closing(open_app(root, **options)) as app:
        before = answer(app)
    change(work)
    with closing(open_app(root, **options)) as app:
        report = app.doctor.examine()
        assert told in messages(report)
        assert set(faults(report)) == {("vectors", "possible")}
        assert not report.healthy
        embed_calls.clear()
        mended = app.doctor.repair()
        # Only what was lost is embedded again.
        assert len(embed_calls.passages) == {"missing": 1, "zero": 1, "collection gone": 1}.get(kind, 0)
    assert mended.healthy
    assert set(faults(mended)) == {("vectors", "done")}
    with closing(open_app(root, **options)) as app:
        assert app.doctor.examine().findings == ()
        assert answer(app) == before
    assert list((root / "staging").iterdir()) == [] if (root / "staging").exists() else True


def test_vectors_of_another_dimension(with_store, open_app):
    root, options, change = with_store

    def shorten(store):
        ids = store.ids("rules-design-v1")
        store.delete_collection("rules-design-v1")
        store.create_collection("rules-design-v1")
        store.upsert("rules-design-v1", ids, unit(len(ids), 64), ["x"] * len(ids), [{"doc_id": "x"}] * len(ids))

    change(shorten)
    with closing(open_app(root, **options)) as app:
        assert "vectors of 64 numbers, not 512" in messages(app.doctor.examine())
        assert app.doctor.repair().healthy
        assert app.doctor.examine().findings == ()


def test_vectors_that_are_not_finite(rules, tmp_path, open_app, build):
    from kisoku.adapters.storage.seal import seal

    options = {"vector_store": {"adapter": "numpy"}}
    with closing(open_app(tmp_path / "h", **options)) as app:
        build(app, rules)
    path = tmp_path / "h" / "chroma" / "v1" / "0001.npy"
    matrix = np.load(path)
    matrix[0, 5] = np.nan
    np.save(path, matrix)
    seal(path.parent)
    with closing(open_app(tmp_path / "h", **options)) as app:
        assert "not finite" in messages(app.doctor.examine())
        assert app.doctor.repair().healthy


def test_a_duplicate_is_named(rules, tmp_path, open_app, build):
    from kisoku.adapters.storage.seal import seal

    options = {"vector_store": {"adapter": "numpy"}}
    with closing(open_app(tmp_path / "h", **options)) as app:
        build(app, rules)
    path = tmp_path / "h" / "chroma" / "v1" / "collections.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    ids = content["rules-write-v1"]["ids"]
    ids[1] = ids[0]
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    seal(path.parent)
    with closing(open_app(tmp_path / "h", **options)) as app:
        report = app.doctor.examine()
        assert "has twice rules-write_v1_001" in messages(report)
        assert "lacks rules-write_v1_002" in messages(report)
        assert app.doctor.repair().healthy


def cut(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


PART_DAMAGE = {
    "store cut": ("vectors", lambda root: cut(root / "chroma/v1/chroma.sqlite3")),
    "seal gone": ("vectors", lambda root: (root / "chroma/v1/seal.json").unlink()),
    "store gone": ("vectors", lambda root: shutil.rmtree(root / "chroma/v1")),
    "keyword cut": ("keyword", lambda root: cut(root / "keyword/v1/rules-write/ids.json")),
    "bigrams gone": ("keyword", lambda root: shutil.rmtree(root / "keyword/v1/ref-docs.bigram")),
    "keyword gone": ("keyword", lambda root: shutil.rmtree(root / "keyword/v1")),
}


@pytest.mark.parametrize("kind", PART_DAMAGE)
def test_a_damaged_part_is_named_and_mended(kind, built, rules, open_app, build):
    part, damage = PART_DAMAGE[kind]
    with closing(open_app(built)) as app:
        before = answer(app)
    damage(built)
    with closing(open_app(built)) as app:
        assert set(faults(app.doctor.examine())) == {(part, "possible")}
        mended = app.doctor.repair()
        assert set(faults(mended)) == {(part, "done")}
        assert mended.healthy
    with closing(open_app(built)) as app:
        assert app.doctor.examine().findings == ()
        assert answer(app) == before
        assert build(app, rules).version is None


def test_indexes_of_other_texts_are_named_and_mended(built, open_app):
    shutil.rmtree(built / "keyword/v1/rules-write")
    shutil.copytree(built / "keyword/v1/rules-design", built / "keyword/v1/rules-write")
    with closing(open_app(built)) as app:
        report = app.doctor.examine()
        assert "The keyword index rules-write lacks rules-write_v1_001" in messages(report)
        assert "has what is in no chunk file: rules-design_v1_001" in messages(report)
        assert app.doctor.repair().healthy
        assert app.doctor.examine().findings == ()


@pytest.fixture
def with_sentences(rules, tmp_path, open_app, build):
    options = {"embedding": {"adapter": "counting", "sentences": True}}
    with closing(open_app(tmp_path / "h", **options)) as app:
        build(app, rules)
        assert app.manager.get_version("v1").embedding.sentences
    return tmp_path / "h", options


@pytest.mark.parametrize("kind", ["cut", "gone", "of others"])
def test_sentence_vectors_are_looked_at_and_made_again(kind, with_sentences, open_app):
    root, options = with_sentences
    folder = root / "sentences" / "v1" / "rules-write"
    if kind == "cut":
        cut(folder / "codes.i8")
    else:
        shutil.rmtree(folder)
    if kind == "of others":
        shutil.copytree(folder.with_name("rules-design"), folder)
    with closing(open_app(root, **options)) as app:
        assert set(faults(app.doctor.examine())) == {("sentences", "possible")}
        assert app.doctor.repair().healthy
        assert app.doctor.examine().findings == ()


def test_lost_text_is_told_and_not_made_up(two_versions, open_app):
    path = two_versions / "chunks/v2/rules-write/chunk_001.json"
    path.write_text(path.read_text(encoding="utf-8").replace("する", "しない", 1), encoding="utf-8")
    cut(two_versions / "chroma/v2/chroma.sqlite3")
    with closing(open_app(two_versions)) as app:
        for report in (app.doctor.examine(), app.doctor.repair()):
            assert {check for check, _ in faults(report)} == {"chunks", "vectors"}
            assert {repair for _, repair in faults(report)} == {"none"}
            assert "chunk_001.json is damaged" in messages(report)
            assert "Roll back" in report.findings[0].hint
            assert not report.healthy
        app.manager.rollback_to("v1")
        assert app.doctor.examine().healthy


def test_a_text_that_was_changed_with_its_checksum_is_found_by_its_hash(built, open_app):
    path = built / "chunks/v1/rules-write/chunk_001.json"
    raw = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(raw | {"content": "まったく別の規則。"}, ensure_ascii=False), encoding="utf-8")
    assert "content_hash" in messages(open_app(built).doctor.examine())


def test_a_chunk_too_many_and_one_in_a_wrong_place(built, open_app):
    folder = built / "chunks/v1/rules-write"
    shutil.copy(folder / "chunk_001.json", folder / "chunk_900.json")
    report = open_app(built).doctor.examine()
    assert "The chunk file of rules-write_v1_900 holds rules-write_v1_001" in messages(report)


@pytest.mark.parametrize("content", [None, b"", b"{", b'{"version": "v9", "last": 9}'])
def test_a_lost_pointer_goes_to_the_newest_whole_version(content, two_versions, rules, open_app, build):
    path = two_versions / "active.json"
    path.unlink() if content is None else path.write_bytes(content)
    shutil.rmtree(two_versions / "keyword" / "v2")
    with closing(open_app(two_versions)) as app:
        assert ("pointer", "possible") in faults(app.doctor.examine())
        mended = app.doctor.repair()
        assert {"pointer", "keyword"} == {check for check, _ in faults(mended)}
        assert mended.healthy
        pointer = app.handbook_store.pointer()
        assert (pointer.version, pointer.previous) == ("v2", "v1")
        assert app.doctor.examine(["v1", "v2"]).healthy
        assert build(app, rules).version is None
    if content:
        assert (two_versions / "active.json.damaged").read_bytes() == content


def test_a_lost_pointer_passes_a_version_whose_text_is_lost(two_versions, open_app):
    (two_versions / "active.json").unlink()
    cut(two_versions / "chunks/v2/rules-write/chunk_001.json")
    with closing(open_app(two_versions)) as app:
        app.doctor.repair()
        pointer = app.handbook_store.pointer()
        # Numbers go on where they were, so that v2 stays what it is.
        assert (pointer.version, pointer.last) == ("v1", 2)


def test_leftovers_are_named_and_swept(built, open_app):
    for name in ("staging/v2/chroma", "chroma/v2", "chunks/v2/rules-write", "keyword/v7"):
        (built / name).mkdir(parents=True)
    (built / "manifests/v2.json").write_text("{}", encoding="utf-8")
    (built / ".active.json.new").write_text("{", encoding="utf-8")
    with closing(open_app(built)) as app:
        report = app.doctor.examine()
        assert faults(report) == [("leftovers", "possible")]
        assert app.doctor.repair().healthy
        assert app.doctor.examine().findings == ()
    assert not (built / "keyword/v7").exists()


def test_what_a_writer_has_under_construction_is_no_leftover(built, open_app):
    store = FilesystemHandbookStore(built)
    with store.write_lock(), closing(open_app(built)) as app:
        store.stage()
        report = app.doctor.examine()
        assert report.healthy
        assert [f.check for f in report.findings] == ["writer"]
        with pytest.raises(HandbookLockedError):
            app.doctor.repair()


def test_foreign_files_are_told_and_left_alone(built, open_app):
    foreign = ("chunks/.DS_Store", "manifests/読んで.txt", "chroma/backup", "chunks/v1/rules-write/chunk_001.json.orig")
    for name in foreign:
        (built / name).write_text("x", encoding="utf-8")
    with closing(open_app(built)) as app:
        for report in (app.doctor.examine(), app.doctor.repair()):
            assert report.healthy
            (finding,) = report.findings
            assert (finding.check, finding.severity) == ("foreign", "note")
            assert all(name in finding.message for name in foreign)
    assert all((built / name).read_text() == "x" for name in foreign)


def test_sessions_of_versions_that_are_gone(two_versions, open_app):
    with closing(open_app(two_versions)) as app:
        app.locks.lock_version("open", "v1")
        app.locks.lock_version("done", "v1")
        app.locks.finish("done")
        assert app.doctor.examine().healthy
    (two_versions / "manifests/v1.json").unlink()
    with closing(open_app(two_versions)) as app:
        report = app.doctor.examine()
        assert [f.check for f in report.findings if f.severity == "fault"] == ["leftovers", "sessions"]
        assert "locked to v1, which does not exist: open." in messages(report)


def test_a_damaged_session_database_is_told(built, open_app):
    with closing(open_app(built)) as app:
        for number in range(300):
            app.locks.lock_version(f"s{number}")
    path = built / "sessions.db"
    data = bytearray(path.read_bytes())
    data[4096 * 3 : 4096 * 4] = b"\xff" * 4096
    path.write_bytes(data)
    with closing(open_app(built)) as app:
        assert {check for check, _ in faults(app.doctor.examine())} == {"sessions"}


def test_a_session_database_of_a_newer_kisoku_is_told(built, open_app):
    with closing(open_app(built)) as app:
        app.locks.lock_version("s")
    with sqlite3.connect(built / "sessions.db") as other:
        other.execute("UPDATE kisoku_schema SET version_num = '0999'")
    other.close()
    with closing(open_app(built)) as app:
        (finding,) = app.doctor.examine().findings
        assert "schema 0999" in finding.message


def test_a_model_that_is_gone_is_told_and_keywords_are_mended_without_it(built, open_app):
    shutil.rmtree(built / "keyword/v1")
    cut(built / "chroma/v1/chroma.sqlite3")
    with closing(open_app(built, parts={"plugins": PluginManager(load_entry_points=False)})) as app:
        mended = app.doctor.repair()
        assert {("model", "none"), ("keyword", "done"), ("vectors", "failed")} == set(faults(mended))
        assert not mended.healthy
        assert "no embedder named 'counting'" in next(f.hint for f in mended.findings if f.repair == "failed")
    with closing(open_app(built)) as app:
        assert set(faults(app.doctor.repair())) == {("vectors", "done")}


def test_a_repair_that_dies_between_two_renames_is_carried_on(built, open_app, monkeypatch):
    from pathlib import Path

    shutil.rmtree(built / "keyword/v1/rules-write")
    rename = Path.rename

    def once(path, target):
        if path.name == "keyword":
            raise OSError(28, "No space left on device")
        return rename(path, target)

    with closing(open_app(built)) as app:
        monkeypatch.setattr(Path, "rename", once)
        from kisoku.domain.errors import HandbookError

        with pytest.raises(HandbookError, match="The keyword of v1 cannot be written"):
            app.doctor.repair()
        monkeypatch.undo()
        assert app.doctor.repair().healthy
        assert app.doctor.examine().findings == ()


def test_a_damaged_manifest_does_not_hide_the_others(two_versions, open_app):
    (two_versions / "manifests/v1.json").write_bytes(b"\x00")
    with closing(open_app(two_versions)) as app:
        report = app.doctor.examine()
        assert [(f.check, f.version) for f in report.findings] == [("manifest", "v1")]
        assert answer(app)[1] == ()
