"""The manifest decides: other models, other schemas, damaged and foreign files never change what a version answers."""

import json
import os
import shutil
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from kisoku.domain.errors import HandbookCorruptError, HandbookError, HandbookSchemaError

QUERY = "表のヘッダー行の下線"


def search(app, **options):
    return app.service.search(session_id=None, query=QUERY, agent="writer", record=False, **options)


def change_manifest(root, version="v1", **values):
    path = root / "manifests" / f"{version}.json"
    raw = json.loads(path.read_text(encoding="utf-8")) | values
    path.write_text(json.dumps(raw, ensure_ascii=False), encoding="utf-8")


@pytest.fixture
def two_versions(built, rules, open_app, build):
    (rules / "design" / "命名規則.md").write_text("# 命名規則\n\n列名は英小文字で付ける。\n", encoding="utf-8")
    with closing(open_app(built)) as app:
        assert build(app, rules).version == "v2"
    return built


def test_todays_model_never_queries_a_version_of_another(built, open_app, embed_calls):
    with closing(open_app(built, embedding={"adapter": "e5"})) as app:
        result = search(app)
    # Asked was the model of the manifest, and not the one set today.
    assert embed_calls.queries
    assert result.notices == ()
    assert any(c.vector is not None for c in result.chunks)


@pytest.mark.parametrize("adapter", ["gone-adapter", "sentence-transformers"])
def test_a_model_that_cannot_be_loaded_leaves_the_keywords(adapter, built, open_app, embed_calls, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    raw = json.loads((built / "manifests" / "v1.json").read_text(encoding="utf-8"))
    change_manifest(built, embedding=raw["embedding"] | {"adapter": adapter, "model": "nobody/no-such-model"})
    embed_calls.clear()
    with closing(open_app(built)) as app:
        result = search(app)
    assert "embedding_unavailable" in [n.code for n in result.notices]
    assert result.chunks
    assert all(c.vector is None for c in result.chunks)
    assert embed_calls.queries == []


@pytest.mark.parametrize("schema", [0, 2, 99])
def test_another_schema_of_one_version_blocks_no_other(schema, two_versions, open_app):
    change_manifest(two_versions, "v1", schema_version=schema, something_new={"a": 1})
    with closing(open_app(two_versions)) as app:
        assert search(app).version == "v2"
        with pytest.raises(HandbookSchemaError, match=f"has schema {schema}; this kisoku reads schema 1") as caught:
            app.manager.get_version("v1")
        assert "--root" in caught.value.hint
        with pytest.raises(HandbookSchemaError):
            app.manager.rollback_to("v1")
        assert app.manager.get_latest_version() == "v2"
        (finding,) = app.doctor.examine().findings
        assert (finding.check, finding.version) == ("manifest", "v1")


@pytest.mark.parametrize("content", [b"", b"\x00" * 50, b"{}", b"[1"])
def test_one_damaged_manifest_blocks_no_other(content, two_versions, rules, open_app, build):
    (two_versions / "manifests" / "v1.json").write_bytes(content)
    with closing(open_app(two_versions)) as app:
        assert search(app).version == "v2"
        assert [state.version for state in app.manager.version_states()] == ["v1", "v2"]
        with pytest.raises(HandbookCorruptError, match=r"v1\.json is damaged"):
            app.locks.lock_version("s", "v1")
        (rules / "design" / "命名規則.md").write_text("# 命名規則\n\n列名は短くする。\n", encoding="utf-8")
        assert build(app, rules).version == "v3"
        assert search(app).version == "v3"


def test_files_of_others_are_left_alone_by_builds_rollbacks_and_prunes(two_versions, rules, open_app, build):
    foreign = [
        "chunks/.DS_Store", "chunks/v2.bak", "chroma/backup/x", "keyword/notes.txt", "manifests/v2.json.orig",
        "manifests/README", "sentences/v01/x", "memo.txt",
    ]  # fmt: skip
    for name in foreign:
        (two_versions / name).parent.mkdir(parents=True, exist_ok=True)
        (two_versions / name).write_text("x", encoding="utf-8")
    (rules / "design" / "命名規則.md").write_text("# 命名規則\n\n列名は短くする。\n", encoding="utf-8")
    with closing(open_app(two_versions)) as app:
        assert build(app, rules).version == "v3"
        app.manager.rollback_to("v2")
        app.manager.rollback_to("v3")
        app.manager.prune(1)
        assert [m.version for m in app.manager.list_versions()] == ["v3"]
        report = app.doctor.repair()
        assert report.healthy
        assert search(app).notices == ()
    assert [name for name in foreign if not (two_versions / name).exists()] == []


@pytest.fixture
def small_disk():
    """A file system of its own that is soon full."""
    folder = Path(tempfile.mkdtemp(prefix="kisoku-small-"))
    if os.name != "posix" or shutil.which("mount") is None or os.geteuid() != 0:
        pytest.skip("needs root to mount a small file system")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)], check=False)
    if done.returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)
    folder.rmdir()


def test_a_disk_that_is_really_full_keeps_the_old_version(small_disk, built, rules, open_app, build):
    root = Path(shutil.copytree(built, small_disk / "h"))
    (rules / "design" / "命名規則.md").write_text("# 命名規則\n\n列名は英小文字で付ける。\n", encoding="utf-8")
    filler, failures = small_disk / "filler", []
    for free in (0, 20_000, 200_000, 600_000, 900_000):
        filler.unlink(missing_ok=True)
        filler.write_bytes(b"\x00" * max(0, shutil.disk_usage(small_disk).free - free))
        with closing(open_app(root)) as app:
            try:
                build(app, rules)
            except HandbookError as error:
                failures.append(str(error))
            else:
                break
        with closing(open_app(root)) as app:
            result = search(app)
            assert result.version == "v1"
            assert result.chunks
            # Chroma writes a row when it is opened; where there is no room for it, keywords answer and say so.
            assert {n.code for n in result.notices} <= {"embedding_unavailable"}
    assert all("v1 stays active" in failure or "cannot be" in failure for failure in failures)
    assert len(failures) > 1
    filler.unlink()
    with closing(open_app(root)) as app:
        build(app, rules)
        assert search(app).version == "v2"
        filler.write_bytes(b"\x00" * shutil.disk_usage(small_disk).free)
        # Deleting old versions is what somebody does whose disk is full.
        app.manager.prune(1)
        assert [m.version for m in app.manager.list_versions()] == ["v2"]
        assert app.doctor.examine().healthy
