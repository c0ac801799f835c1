"""Damaged and lost files, full disks: typed errors, and the last good version stays (killed: test_fault_sweep.py)."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from kisoku.domain.errors import HandbookCorruptError, HandbookError, HandbookSchemaError, UnknownVersionError

TESTS = Path(__file__).parents[1]


def edit(rules: Path) -> None:
    (rules / "design" / "命名規則.md").write_text(
        "# 命名規則\n\n## 列名\n\n列名はスネークケースで付け、三十文字を超えない。\n", encoding="utf-8"
    )


def assert_whole(root: Path, open_app, allowed: set[str]) -> str:
    """The state is one of the allowed versions, complete and searchable."""
    app = open_app(root)
    version = app.manager.get_latest_version()
    assert version in allowed
    manifest = app.manager.get_version(version)
    for category in manifest.categories:
        collection = {"write": "rules-write", "design": "rules-design", "ref": "ref-docs"}[category]
        assert len(app.handbook_store.chunks(version, category)) == manifest.collections[collection].chunk_count
    result = app.service.search(session_id=None, query="列名はスネークケース", agent="impact", record=False)
    assert result.version == version
    assert result.chunks
    assert result.notices == ()
    assert ("スネークケース" in result.chunks[0].content) == (version == "v2")
    assert app.manager.list_versions()[-1].version == version or version == "v1"
    app.close()
    return version


def leftovers(root: Path) -> list[str]:
    """What belongs to no published version."""
    known = {path.stem for path in (root / "manifests").iterdir()}
    found = [p for part in ("chroma", "keyword", "chunks") for p in (root / part).iterdir() if p.name not in known]
    found += [*(root / "staging").glob("*"), *root.rglob("*.new")]
    return [p.relative_to(root).as_posix() for p in found]


def search(app, **options):
    return app.service.search(session_id=None, query="表のヘッダー行の下線", agent="writer", **options)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b'{"version": "v1"}', b"\xff\xfe\x00", b'{"version": 1, "last": 1}']
)
def test_a_damaged_pointer_is_a_typed_error_and_nothing_is_lost(content, built, rules, open_app, build):
    (built / "active.json").write_bytes(content)
    app = open_app(built)
    for use in (search, lambda a: build(a, rules), lambda a: a.manager.list_versions()):
        with pytest.raises(HandbookCorruptError, match=r"active\.json is damaged|active\.json cannot be read"):
            use(app)
    assert (built / "chunks" / "v1").is_dir()


def test_a_lost_pointer_is_a_typed_error_and_nothing_is_swept(built, rules, open_app, build):
    (built / "active.json").unlink()
    app = open_app(built)
    for use in (search, lambda a: build(a, rules)):
        with pytest.raises(HandbookCorruptError, match=r"active\.json is missing although there are versions \(v1\)"):
            use(app)
    assert (built / "manifests" / "v1.json").is_file()
    assert list((built / "chunks" / "v1").iterdir())


@pytest.mark.parametrize("content", [b"", b"{}", b"\x00" * 100])
def test_a_damaged_manifest_is_a_typed_error(content, built, open_app):
    (built / "manifests" / "v1.json").write_bytes(content)
    with pytest.raises(HandbookCorruptError, match=r"v1\.json is damaged"):
        search(open_app(built))


def test_a_lost_manifest_is_a_typed_error(built, open_app):
    (built / "manifests" / "v1.json").unlink()
    with pytest.raises(UnknownVersionError):
        search(open_app(built))


@pytest.mark.parametrize("schema", [0, 2])
def test_another_schema_is_told_and_never_overwritten(schema, built, rules, open_app, build):
    path = built / "manifests" / "v1.json"
    raw = json.loads(path.read_text(encoding="utf-8")) | {"schema_version": schema, "new_field": 1}
    path.write_text(json.dumps(raw), encoding="utf-8")
    app = open_app(built)
    for use in (search, lambda a: build(a, rules)):
        with pytest.raises(HandbookSchemaError, match=f"has schema {schema}; this kisoku reads schema 1"):
            use(app)
    assert json.loads(path.read_text(encoding="utf-8"))["schema_version"] == schema


def test_a_damaged_chunk_file_is_a_typed_error_that_names_it(built, open_app):
    for path in (built / "chunks" / "v1" / "rules-write").iterdir():
        path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(HandbookCorruptError, match=r"chunk_\d+\.json is damaged"):
        search(open_app(built))


def test_a_damaged_vector_store_leaves_the_keywords(built, open_app):
    path = built / "chroma" / "v1" / "chroma.sqlite3"
    path.write_bytes(b"\x00" * 4096 + path.read_bytes()[4096:])
    result = search(open_app(built))
    assert [n.code for n in result.notices] == ["embedding_unavailable"]
    assert result.chunks


@pytest.mark.parametrize("name", ["rules-write", "rules-write.bigram"])
def test_a_damaged_keyword_index_is_told(name, built, open_app):
    for path in (built / "keyword" / "v1" / name).rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    result = search(open_app(built))
    assert [n.code for n in result.notices] == ["keyword_unavailable"]
    assert result.chunks


def test_a_foreign_file_among_the_versions_is_left_alone(built, rules, open_app, build):
    foreign = [built / "chunks" / ".DS_Store", built / "manifests" / "読んで.txt", built / "chroma" / "backup"]
    for path in foreign[:2]:
        path.write_text("x")
    foreign[2].mkdir()
    edit(rules)
    assert build(open_app(built), rules).version == "v2"
    assert all(path.exists() for path in foreign)


LIMITED = """
import pathlib, resource, sys
sys.path.insert(0, sys.argv[3])
import conftest
from kisoku.domain.errors import KisokuError
from kisoku.orchestration.bootstrap import Kisoku
with Kisoku(conftest.quick_settings(pathlib.Path(sys.argv[1]))) as app:
    conftest._use().embed_query("x")
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]), resource.RLIM_INFINITY))
    try:
        conftest.build_folder(app, pathlib.Path(sys.argv[2]))
    except KisokuError as error:
        print(type(error).__name__, error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of file size")
@pytest.mark.parametrize("limit", [100, 3000, 150_000])
def test_a_disk_that_takes_no_more_is_a_typed_error_and_the_old_version_stays(limit, built, rules, open_app, build):
    # A limit of file size makes writes fail as a full disk does, in the middle of a build.
    edit(rules)
    done = subprocess.run(
        [sys.executable, "-P", "-c", LIMITED, str(built), str(rules), str(TESTS), str(limit)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(("HandbookError", "HandbookCorruptError")), done.stdout
    assert_whole(built, open_app, {"v1"})
    assert leftovers(built) == []
    assert build(open_app(built), rules).version == "v2"


def test_a_rollback_that_cannot_be_written_changes_nothing(built, rules, open_app, build, monkeypatch):
    edit(rules)
    app = open_app(built)
    build(app, rules)

    def full(path, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(HandbookError, match=r"active\.json cannot be written: No space left on device"):
        app.manager.rollback_to("v1")
    monkeypatch.undo()
    assert app.manager.get_latest_version() == "v2"
