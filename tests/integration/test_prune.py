"""Deleting old versions: what is needed stays, disk use returns, readers and killed pruners are survived."""

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kisoku.domain.errors import HandbookError, HandbookLockedError, NoHandbookError, UnknownVersionError

TESTS = Path(__file__).parents[1]


def edit(rules, number):
    (rules / "design" / "命名規則.md").write_text(
        f"# 命名規則\n\n## 列名\n\n列名はスネークケースで付け、{number}文字を超えない。\n", encoding="utf-8"
    )


def disk(root):
    return sum(p.stat().st_size for p in root.rglob("*") if p.is_file() and "sessions.db" not in p.name)


@pytest.fixture
def five(built, rules, open_app, build):
    """v1 to v5, each of which differs from the one before."""
    app = open_app(built)
    for number in range(2, 6):
        edit(rules, 10 * number)
        assert build(app, rules).version == f"v{number}"
    return app


def names(root, part):
    return sorted(p.name.removesuffix(".json") for p in (root / part).iterdir())


def test_the_newest_stay_and_disk_use_returns(five, built):
    sizes = {v: five.handbook_store.size(v) for v in five.handbook_store.versions()}
    before = disk(built)
    report = five.manager.prune(2)
    assert report.removed == ("v1", "v2", "v3")
    assert {v.version: v.kept for v in report.versions if v.kept} == {"v4": "newest", "v5": "active"}
    assert report.freed == sizes["v1"] + sizes["v2"] + sizes["v3"]
    assert before - disk(built) == pytest.approx(report.freed, abs=50)
    for part in ("manifests", "chroma", "keyword", "chunks"):
        assert names(built, part) == ["v4", "v5"]
    assert not (built / "staging").exists()
    assert five.manager.get_version("v5").active_previous == "v4"
    with pytest.raises(UnknownVersionError):
        five.manager.get_version("v1")


def test_the_active_and_locked_versions_stay(five):
    five.locks.lock_version("open", "v2")
    five.locks.lock_version("done", "v3")
    five.locks.finish("done")
    five.manager.rollback_to("v1")
    report = five.manager.prune(1)
    assert {v.version: v.kept for v in report.versions} == {
        "v1": "active", "v2": "locked", "v3": "", "v4": "", "v5": "newest",
    }  # fmt: skip
    assert five.handbook_store.versions() == ["v1", "v2", "v5"]
    found = five.service.search(session_id="open", query="列名はスネークケース", agent="impact")
    assert (found.version, found.notices) == ("v2", ())


def test_numbers_only_grow_and_the_pointer_forgets_what_is_gone(five, rules, build):
    five.manager.rollback_to("v3")
    five.manager.rollback_to("v5")
    assert five.handbook_store.pointer().previous == "v3"
    five.manager.prune(1)
    pointer = five.handbook_store.pointer()
    assert (pointer.version, pointer.previous, pointer.last) == ("v5", None, 5)
    edit(rules, 99)
    assert build(five, rules).version == "v6"


def test_a_dry_run_changes_nothing(five, built):
    before = disk(built)
    report = five.manager.prune(1, dry_run=True)
    assert report.removed == ("v1", "v2", "v3", "v4")
    assert five.handbook_store.versions() == ["v1", "v2", "v3", "v4", "v5"]
    assert disk(built) == before


def test_a_session_locked_at_the_last_moment_keeps_its_version(five):
    asked = []

    def locked():
        asked.append(None)
        # The first answer is the list; the second comes when v1 has already left the list of versions.
        return {"v1"} if len(asked) > 1 else set()

    five.manager._locked = locked
    report = five.manager.prune(4)
    assert (report.removed, report.versions[0].kept) == ((), "locked")
    assert five.service.search(session_id=None, query="表の見出し", agent="writer", version="v1").version == "v1"


@pytest.mark.parametrize("keep", [0, -1])
def test_at_least_one_version_is_kept(five, keep):
    with pytest.raises(HandbookError, match="At least one version"):
        five.manager.prune(keep)


def test_nothing_to_prune(tmp_path, open_app):
    with pytest.raises(NoHandbookError):
        open_app(tmp_path / "h").manager.prune(1)


def test_one_writer_at_a_time(five):
    with five.handbook_store.write_lock(), pytest.raises(HandbookLockedError):
        five.manager.prune(1)


def test_a_reader_that_has_the_version_open_gets_its_answer_or_a_typed_error(five, built, open_app):
    reader = open_app(built)
    query = {"session_id": None, "query": "表のヘッダー行", "agent": "writer", "record": False}
    before = reader.service.search(**query, version="v1")
    five.manager.prune(1)
    after = reader.service.search(**query, version="v1")
    assert [c.content for c in after.chunks] == [c.content for c in before.chunks]
    other = {**query, "query": "画面の応答時間", "agent": "impact"}
    with contextlib.suppress(UnknownVersionError):
        assert reader.service.search(**other, version="v1").version == "v1"
    with pytest.raises(UnknownVersionError):
        open_app(built).service.search(**query, version="v1")
    assert open_app(built).service.search(**query).version == "v5"


def test_a_version_pruned_before_its_indexes_were_read_is_unknown_not_damaged(five, built, open_app):
    reader = open_app(built)
    reader.versions.get("v1")
    five.manager.prune(1)
    with pytest.raises(UnknownVersionError, match="no version v1"):
        reader.service.search(session_id=None, query="画面の応答時間", agent="writer", version="v1")


PRUNER = """
import os, pathlib, shutil, sys
sys.path.insert(0, sys.argv[1])
import conftest
from kisoku.orchestration.bootstrap import Kisoku
root, at, steps = pathlib.Path(sys.argv[2]), int(sys.argv[3]), 0

def counted(function):
    def run(*arguments, **options):
        global steps
        steps += 1
        if steps == at:
            os._exit(9)
        return function(*arguments, **options)
    return run

for name in ("rename", "replace", "mkdir", "unlink"):
    setattr(pathlib.Path, name, counted(getattr(pathlib.Path, name)))
os.fsync, os.unlink, os.rmdir = counted(os.fsync), counted(os.unlink), counted(os.rmdir)
with Kisoku(conftest.quick_settings(root)) as app:
    steps = 0
    app.manager.prune(1)
print(steps)
"""


def prune_killed_at(root, at):
    done = subprocess.run(
        [sys.executable, "-P", "-c", PRUNER, str(TESTS), str(root), str(at)],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode in {0, 9}, done.stderr
    return int(done.stdout) if done.returncode == 0 else None


def test_killed_at_any_step_a_version_is_whole_or_gone(built, rules, tmp_path, open_app, build):
    edit(rules, 20)
    app = open_app(built)
    build(app, rules)
    app.close()
    steps = prune_killed_at(Path(shutil.copytree(built, tmp_path / "whole")), -1)
    points = sorted({*range(1, 16), *range(16, steps, max(1, steps // 6)), steps - 1, steps})
    seen = set()
    for at in points:
        root = Path(shutil.copytree(built, tmp_path / f"at-{at}"))
        assert prune_killed_at(root, at) is None
        app = open_app(root)
        versions = app.handbook_store.versions()
        seen.add(tuple(versions))
        for version in versions:
            assert app.service.search(
                session_id=None, query="表のヘッダー行", agent="writer", version=version, record=False
            ).chunks
        assert len(app.manager.list_versions()) == len(versions)
        # The next writer sweeps what is left, and prunes what is still there.
        app.manager.prune(1)
        for part in ("manifests", "chroma", "keyword", "chunks"):
            assert names(root, part) == ["v2"], at
        assert not (root / "staging").exists()
        assert app.handbook_store.pointer().previous is None
        app.close()
    assert seen == {("v1", "v2"), ("v2",)}
