"""What differs between two versions, and lists of versions with a damaged one among them."""

import json

import pytest
from kisoku.adapters.cli.main import app as cli
from kisoku.domain.errors import HandbookCorruptError, UnknownVersionError
from typer.testing import CliRunner

RULES = """# 命名規則

## テーブル名

テーブル名は英小文字とアンダースコアで付け、30文字以内とする。単数形を使い、略語は用語集に載せたものに限る。

## パスワード

パスワードは14文字以上とし、英大文字、英小文字、数字を混ぜる。平文で保存してはならない。

## 監査

監査の記録は七年のあいだ保存し、変更した者の名前と時刻を残さなければならない。
"""


@pytest.fixture
def edited(built, rules, open_app, build):
    """v2: one number changed and a section added in one document, one document gone, one new."""
    (rules / "design" / "命名規則.md").write_text(RULES, encoding="utf-8")
    (rules / "write" / "図表規則.xlsx").unlink()
    (rules / "ref" / "新しい設計書.md").write_text("# 新しい設計書\n\n検索画面の過去の例である。\n", encoding="utf-8")
    app = open_app(built)
    assert build(app, rules).version == "v2"
    return app


def test_documents_and_chunks_that_differ(edited):
    found = edited.manager.diff("v1", "v2")
    assert {d.name: d.change for d in found.documents} == {
        "命名規則.md": "changed", "図表規則.xlsx": "removed", "新しい設計書.md": "added",
    }  # fmt: skip
    assert found.unchanged_documents == 3
    naming = next(d for d in found.documents if d.name == "命名規則.md")
    assert naming.unchanged_chunks == 1
    changed, added = sorted(naming.chunks, key=lambda c: c.change, reverse=True)
    assert (changed.change, added.change) == ("changed", "added")
    assert changed.before.headings == changed.after.headings
    assert "監査の記録" in added.after.content
    assert added.before is None
    (minus,) = [line for line in changed.diff if line.startswith("-")]
    (plus,) = [line for line in changed.diff if line.startswith("+")]
    assert (minus[1:].replace("12文字", "14文字"), "12文字" in minus) == (plus[1:], True)
    gone = next(d for d in found.documents if d.name == "図表規則.xlsx")
    assert {c.change for c in gone.chunks} == {"removed"}
    assert (found.count("changed"), found.count("removed")) == (1, len(gone.chunks))
    assert found.recipe == ()


def test_the_other_way_round_added_is_removed(edited):
    there, back = edited.manager.diff("v1", "v2"), edited.manager.diff("v2", "v1")
    assert back.count("added") == there.count("removed")
    assert back.count("removed") == there.count("added")
    assert back.count("changed") == there.count("changed")


def test_a_version_does_not_differ_from_itself(edited):
    found = edited.manager.diff("v2", "v2")
    assert (found.documents, found.unchanged_documents) == ((), 5)


def test_a_document_that_changed_its_category_is_told_as_moved(built, rules, open_app, build):
    (rules / "design" / "命名規則.md").rename(rules / "write" / "命名規則.md")
    app = open_app(built)
    build(app, rules)
    (moved,) = app.manager.diff("v1", "v2").documents
    assert (moved.name, moved.change, moved.moved, moved.chunks) == ("命名規則.md", "changed", ("design", "write"), ())


def test_what_else_than_documents_differs(built, rules, open_app, build):
    app = open_app(built, chunking={"by_type": {"word": {"min_tokens": 0}}})
    build(app, rules)
    assert app.manager.diff("v1", "v2").recipe == ("Chunking options of word differ.",)


def test_versions_that_are_missing_or_damaged(edited, built):
    with pytest.raises(UnknownVersionError):
        edited.manager.diff("v1", "v9")
    (built / "chunks" / "v1" / "rules-write" / "chunk_001.json").write_text("{", encoding="utf-8")
    with pytest.raises(HandbookCorruptError):
        edited.manager.diff("v1", "v2")


def run(*arguments):
    return CliRunner().invoke(cli, [str(a) for a in arguments])


def test_the_list_survives_a_damaged_manifest(edited, built):
    (built / "manifests" / "v1.json").write_bytes(b"\x00\x01")
    states = {s.version: s for s in edited.manager.version_states()}
    assert states["v1"].manifest is None
    assert "v1.json is damaged" in states["v1"].damage.replace("cannot be read", "is damaged")
    assert (states["v2"].active, states["v2"].damage) == (True, "")
    result = run("versions", "--root", built, "--json")
    assert result.exit_code == 0
    damaged, whole = json.loads(result.stdout)
    assert (damaged["version"], damaged["active"]) == ("v1", False)
    assert damaged["damaged"]
    assert (whole["version"], whole["active"]) == ("v2", True)
    table = run("versions", "--root", built)
    assert table.exit_code == 0
    assert "damaged" in table.stdout


def test_plain_versions_still_lists(edited, built):
    listed = run("versions", "--root", built)
    assert listed.exit_code == 0
    assert [line.split()[:2] for line in listed.stdout.splitlines() if " v" in line][-1][:2] == ["*", "v2"]


def test_versions_show_and_diff_on_the_command_line(edited, built):
    shown = run("versions", "show", "active", "--root", built)
    assert shown.exit_code == 0
    assert "v2 (active)" in shown.stdout
    assert "reuse_from_v1" in shown.stdout
    manifest = json.loads(run("versions", "show", "v1", "--root", built, "--json").stdout)
    assert len(manifest["source_files"]) == 5
    text = run("versions", "diff", "v1", "active", "--root", built).stdout
    assert "~ 命名規則.md" in text
    assert "- 図表規則.xlsx" in text
    assert "+ 新しい設計書.md" in text
    assert "14文字以上" in text
    assert "監査の記録" not in text
    assert "監査の記録" in run("versions", "diff", "v1", "v2", "--full", "--root", built).stdout
    diff = json.loads(run("versions", "diff", "v1", "v2", "--root", built, "--json").stdout)
    assert (diff["before"], diff["after"], diff["unchanged_documents"]) == ("v1", "v2", 3)


def test_export_import_prune_and_reindex_on_the_command_line(edited, built, tmp_path):
    target = tmp_path / "rules.kisoku"
    exported = json.loads(run("export", "active", target, "--root", built, "--json").stdout)
    assert (exported["version"], exported["bytes"]) == ("v2", target.stat().st_size)
    imported = json.loads(run("import", target, "--root", built, "--json").stdout)
    assert (imported["version"], imported["exported_as"], imported["active"]) == ("v3", "v2", False)
    assert "kisoku rollback v4" in run("import", target, "--root", built).stdout
    planned = json.loads(run("prune", "--keep", "1", "--dry-run", "--root", built, "--json").stdout)
    assert (planned["removed"], planned["dry_run"]) == (["v1", "v3"], True)
    assert "Deleted 2 versions" in run("prune", "--keep", "1", "--root", built).stdout
    assert edited.handbook_store.versions() == ["v2", "v4"]
    # In one process, so that the embedder of the tests is known.
    adapter = ("--root", built, "--set", "embedding.adapter=counting", "--set", "build.workers=0")
    removed = json.loads(run("reindex", "記入規則.docx", "--remove", *adapter, "--json").stdout)
    assert (removed["version"], removed["deleted"]) == ("v5", ["記入規則.docx"])
    assert run("reindex", "x.md", *adapter).exit_code == 2
    new = tmp_path / "用語.md"
    new.write_text("# 用語\n\n用語は用語集の表記に合わせ、略語を使わない。\n", encoding="utf-8")
    added = json.loads(run("reindex", "用語.md", "--from", new, "--category", "write", *adapter, "--json").stdout)
    assert {d["name"]: d["state"] for d in added["documents"]}["用語.md"] == "new"
