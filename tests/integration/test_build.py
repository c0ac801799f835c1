"""Building: what a version is made of, and what stops a build."""

import json
import re
import zipfile
from pathlib import Path

import chromadb
import pytest
from kisoku.domain.errors import BuildError, ConfigError, HandbookError, ModelError
from kisoku.orchestration.building.collect import collect_documents
from kisoku.orchestration.building.documents import UploadedFile

DOCUMENTS = {"記入規則.docx", "図表規則.xlsx", "設計方針.pptx", "命名規則.md", "参考設計書.md"}


def tree(root: Path) -> set[str]:
    return {p.relative_to(root).as_posix() for p in root.rglob("*") if not p.name.startswith((".write", "sessions.db"))}


def test_a_first_build_makes_v1_active(rules, tmp_path, open_app, build):
    app = open_app(tmp_path / "h")
    report = build(app, rules)
    assert (report.version, report.previous, report.deleted, report.failures) == ("v1", None, (), ())
    assert {d.name for d in report.documents} == DOCUMENTS
    assert {d.state for d in report.documents} == {"new"}
    assert report.embedded == report.chunks > 0
    assert report.reused == report.dropped == 0
    assert app.manager.get_latest_version() == "v1"
    pointer = json.loads((tmp_path / "h" / "active.json").read_text())
    assert pointer.pop("crc32") > 0
    assert pointer == {"version": "v1", "previous": None, "last": 1}


def test_the_manifest_has_the_fields_of_the_requirements(built, rules, open_app):
    raw = json.loads((built / "manifests" / "v1.json").read_text(encoding="utf-8"))
    assert raw["version"] == "v1"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", raw["created_at"])
    assert {f["name"] for f in raw["source_files"]} == DOCUMENTS
    for file in raw["source_files"]:
        assert re.fullmatch(r"sha256:[0-9a-f]{64}", file["hash"])
        assert file["built"] == "rebuilt"
        assert file["chunk_count"] > 0
    assert {f["name"]: f["type"] for f in raw["source_files"]} == {
        "記入規則.docx": "write", "図表規則.xlsx": "write", "設計方針.pptx": "design", "命名規則.md": "design",
        "参考設計書.md": "ref",
    }  # fmt: skip
    assert set(raw["collections"]) == {"rules-write", "rules-design", "ref-docs"}
    for collection in raw["collections"].values():
        assert collection["embedding_model"] == "counting-use"
        assert collection["rerank_model"] == raw["reranker"]["model"]
    assert raw["embedding"]["dimension"] == 512
    assert raw["embedding"]["provider"] == "kisoku-tests 1"
    assert "active" not in raw
    shown = open_app(built).manager.get_version("v1")
    assert (shown.active, shown.active_previous) == (True, None)


def test_the_hash_is_that_of_the_file(built, rules):
    import hashlib

    raw = json.loads((built / "manifests" / "v1.json").read_text(encoding="utf-8"))
    for file in raw["source_files"]:
        data = (rules / file["type"] / file["name"]).read_bytes()
        assert file["hash"] == "sha256:" + hashlib.sha256(data).hexdigest()


def test_every_chunk_is_a_readable_file(built):
    manifest = json.loads((built / "manifests" / "v1.json").read_text(encoding="utf-8"))
    for collection, info in manifest["collections"].items():
        files = sorted((built / "chunks" / "v1" / collection).iterdir())
        assert [f.name for f in files] == [f"chunk_{n:03d}.json" for n in range(1, info["chunk_count"] + 1)]
        for number, file in enumerate(files, start=1):
            chunk = json.loads(file.read_text(encoding="utf-8"))
            assert chunk["chunk_id"] == f"{collection}_v1_{number:03d}"
            assert chunk["source_uri"].startswith(chunk["doc_id"])
    text = (built / "chunks" / "v1" / "rules-write").iterdir()
    assert any("下線" in f.read_text(encoding="utf-8") for f in text)


def test_collections_in_chroma_have_the_names_of_the_requirements(built):
    client = chromadb.PersistentClient(path=str(built / "chroma" / "v1"))
    manifest = json.loads((built / "manifests" / "v1.json").read_text(encoding="utf-8"))
    try:
        found = {c.name: c.count() for c in client.list_collections()}
    finally:
        client.close()
    assert found == {
        f"{name}-v1": manifest["collections"][name]["chunk_count"]
        for name in ("rules-write", "rules-design", "ref-docs")
    }


def test_the_api_of_the_requirements(tmp_path, open_app):
    app = open_app(tmp_path / "h")
    files = [UploadedFile("規則.md", "# 規則\n\n表の見出しは太字で書き、下線を付けない。罫線は細線とする。\n".encode())]
    assert app.manager.build_handbook(files, {"規則.md": "write"}) == "v1"
    assert app.manager.build_handbook(files, {"規則.md": "write"}) is None
    assert [m.version for m in app.manager.list_versions()] == ["v1"]


def test_progress_is_told_in_order(rules, tmp_path, open_app, build):
    told = []
    build(open_app(tmp_path / "h"), rules, on_progress=told.append)
    stages = [p.stage for p in told]
    assert sorted(set(stages), key=stages.index) == ["parse", "embed", "index", "publish"]
    for stage in set(stages):
        mine = [p for p in told if p.stage == stage]
        assert [p.done for p in mine] == sorted(p.done for p in mine)
        assert mine[-1].done == mine[-1].total


@pytest.mark.parametrize("stage", ["parse", "embed", "index", "publish"])
def test_ctrl_c_leaves_nothing_behind(stage, rules, built, open_app, build):
    before = tree(built)
    (rules / "design" / "命名規則.md").write_text(
        "# 命名規則\n\n表の名前は英小文字で付け、略語は使わない。\n", encoding="utf-8"
    )

    def stop(progress):
        if progress.stage == stage and progress.done == 0:
            raise KeyboardInterrupt

    app = open_app(built)
    with pytest.raises(KeyboardInterrupt):
        build(app, rules, on_progress=stop)
    assert tree(built) == before
    assert app.manager.get_latest_version() == "v1"
    assert build(app, rules).version == "v2"


def test_ctrl_c_in_the_first_build_leaves_nothing_behind(rules, tmp_path, open_app, build):
    def stop(progress):
        if progress.stage == "publish":
            raise KeyboardInterrupt

    app = open_app(tmp_path / "h")
    with pytest.raises(KeyboardInterrupt):
        build(app, rules, on_progress=stop)
    assert [p for p in tree(tmp_path / "h") if (tmp_path / "h" / p).is_file()] == []
    assert build(app, rules).version == "v1"


def break_files(rules: Path) -> None:
    (rules / "write" / "記入規則.docx").write_bytes(b"PK\x03\x04 broken")
    (rules / "design" / "暗号.xlsx").write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + b"\x00" * 2000)
    (rules / "design" / "空.docx").write_bytes(b"")
    (rules / "ref" / "写真.jpg").write_bytes(b"\xff\xd8\xff\xe0")


BROKEN = {"記入規則.docx", "暗号.xlsx", "空.docx", "写真.jpg"}


def test_on_error_fail_lists_every_bad_document_and_keeps_the_old_version(rules, built, open_app, build):
    before = tree(built)
    break_files(rules)
    app = open_app(built)
    with pytest.raises(BuildError) as caught:
        build(app, rules)
    assert {f.document for f in caught.value.failures} == BROKEN
    assert "4 of 8 documents" in caught.value.message
    assert tree(built) == before
    assert app.manager.get_latest_version() == "v1"


def test_on_error_skip_records_the_failures_and_then_sees_no_change(rules, built, open_app, build):
    break_files(rules)
    app = open_app(built, build={"on_error": "skip"})
    report = build(app, rules)
    assert (report.version, report.deleted) == ("v2", ("記入規則.docx",))
    assert {f.document for f in report.failures} == BROKEN
    manifest = app.manager.get_version("v2")
    assert {f.name for f in manifest.failures} == BROKEN
    assert {f.category for f in manifest.failures} <= {"encrypted", "corrupt", "unsupported"}
    assert all(f.message for f in manifest.failures)
    again = build(app, rules)
    assert again.version is None
    assert {f.document for f in again.failures} == BROKEN


def test_a_mended_document_comes_back(rules, rules_template, built, open_app, build):
    app = open_app(built, build={"on_error": "skip"})
    good = (rules / "write" / "記入規則.docx").read_bytes()
    (rules / "write" / "記入規則.docx").write_bytes(good[:200])
    assert build(app, rules).version == "v2"
    (rules / "write" / "記入規則.docx").write_bytes(good)
    report = build(app, rules)
    assert report.version == "v3"
    assert report.failures == ()
    assert {d.name: d.state for d in report.documents}["記入規則.docx"] == "new"


def test_when_every_document_fails_there_is_no_version(tmp_path, open_app, build):
    (tmp_path / "r" / "write").mkdir(parents=True)
    (tmp_path / "r" / "write" / "a.docx").write_bytes(b"")
    app = open_app(tmp_path / "h", build={"on_error": "skip"})
    with pytest.raises(BuildError) as caught:
        build(app, tmp_path / "r")
    assert [f.document for f in caught.value.failures] == ["a.docx"]
    assert app.manager.list_versions() == []


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs a file that opens and cannot be read")
def test_a_file_that_cannot_be_read_is_listed_with_the_others(rules, built, open_app, build):
    (rules / "write" / "不可.docx").symlink_to("/proc/self/mem")
    (rules / "write" / "空.docx").write_bytes(b"")
    app = open_app(built)
    with pytest.raises(BuildError) as caught:
        build(app, rules)
    assert {f.document for f in caught.value.failures} == {"不可.docx", "空.docx"}
    skipping = open_app(built, build={"on_error": "skip"})
    assert {f.document for f in build(skipping, rules).failures} == {"不可.docx", "空.docx"}


def test_lock_files_hidden_files_and_dead_links_are_skipped_and_told(rules, tmp_path, open_app, build):
    (rules / "write" / "~$記入規則.docx").write_bytes(b"x")
    (rules / "write" / ".DS_Store").write_bytes(b"x")
    (rules / ".git").mkdir()
    (rules / ".git" / "config").write_text("x")
    (rules / "読んで.txt").write_text("x")
    (rules / "write" / "無い.docx").symlink_to(tmp_path / "nowhere")
    skipped = dict(collect_documents(rules).skipped)
    assert skipped == {
        "write/~$記入規則.docx": "lock file of an open editor",
        "write/.DS_Store": "hidden",
        ".git/config": "hidden",
        "読んで.txt": "in no category",
        "write/無い.docx": "link to a file that does not exist",
    }
    assert {d.name for d in build(open_app(tmp_path / "h"), rules).documents} == DOCUMENTS


def test_lock_files_handed_in_by_the_api_are_skipped_too(tmp_path, open_app):
    app = open_app(tmp_path / "h")
    files = [
        UploadedFile("~$規則.docx", b"x"),
        UploadedFile("規則.md", "# 規則\n\n表の見出しは太字で書き、下線を付けない。\n".encode()),
    ]
    report = app.manager.build(files, {"~$規則.docx": "write", "規則.md": "write"})
    assert [e.document for e in report.skipped] == ["~$規則.docx"]
    assert [d.name for d in report.documents] == ["規則.md"]


def test_an_empty_folder(tmp_path, open_app, build):
    (tmp_path / "r").mkdir()
    with pytest.raises(BuildError, match="is empty"):
        build(open_app(tmp_path / "h"), tmp_path / "r")
    assert not (tmp_path / "h").exists()


def test_a_folder_without_categories(tmp_path, open_app, build):
    (tmp_path / "r" / "rules").mkdir(parents=True)
    (tmp_path / "r" / "rules" / "a.md").write_text("# a")
    with pytest.raises(BuildError, match=r"no category: there is no folder write/, design/ or ref/"):
        build(open_app(tmp_path / "h"), tmp_path / "r")


def test_a_folder_that_is_none(tmp_path, open_app, build):
    with pytest.raises(BuildError, match="does not exist"):
        build(open_app(tmp_path / "h"), tmp_path / "r")
    (tmp_path / "file").write_text("x")
    with pytest.raises(BuildError, match="is no folder"):
        build(open_app(tmp_path / "h"), tmp_path / "file")


def test_two_documents_of_one_name(rules, tmp_path, open_app, build):
    (rules / "design" / "記入規則.docx").write_bytes(b"x")
    with pytest.raises(BuildError, match=r"Two documents are called '記入規則\.docx'"):
        build(open_app(tmp_path / "h"), rules)


def test_names_that_differ_only_in_their_spelling_are_one(tmp_path, open_app):
    files = [UploadedFile("ガ.md", b"# a"), UploadedFile("カ\u3099.md", b"# b")]
    with pytest.raises(HandbookError, match="Two documents are called"):
        open_app(tmp_path / "h").manager.build(files, {"ガ.md": "write"})


def test_a_mapping_file_gives_the_categories(rules, tmp_path, open_app, build):
    flat = tmp_path / "flat"
    flat.mkdir()
    for path in [p for p in rules.rglob("*") if p.is_file()]:
        path.replace(flat / path.name)
    (flat / "handbook.yaml").write_text(
        'categories:\n  design: ["*.pptx", "命名*"]\n  write: ["*規則.*"]\n', encoding="utf-8"
    )
    report = build(open_app(tmp_path / "h"), flat)
    assert {d.name: d.category for d in report.documents} == {
        "設計方針.pptx": "design", "命名規則.md": "design", "記入規則.docx": "write", "図表規則.xlsx": "write",
    }  # fmt: skip
    assert collect_documents(flat).skipped == (("参考設計書.md", "in no category"),)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("categories: {wirte: ['*']}", "categories.wirte"),
        ("categories: {}", "categories"),
        ("", "handbook.yaml"),
        ("categories: {write: '*'}", "categories.write"),
        ("a: [", "no valid YAML"),
        ("folders: {write: ['*']}", "categories"),
    ],
)
def test_a_malformed_mapping_is_told(rules, text, told):
    (rules / "handbook.yaml").write_text(text)
    with pytest.raises(ConfigError, match=told) as caught:
        collect_documents(rules)
    assert "\n" not in str(caught.value)


def test_a_mapping_that_is_a_folder_is_told(rules):
    (rules / "handbook.yaml").mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        collect_documents(rules)


def test_a_document_without_text_is_no_fault(tmp_path, open_app, build, writers):
    (tmp_path / "r" / "write").mkdir(parents=True)
    writers.word(tmp_path / "r" / "write" / "空白.docx", ())
    writers.excel(tmp_path / "r" / "write" / "図表規則.xlsx")
    report = build(open_app(tmp_path / "h"), tmp_path / "r")
    assert {d.name: d.chunks for d in report.documents}["空白.docx"] == 0
    assert build(open_app(tmp_path / "h"), tmp_path / "r").version is None


def test_a_zip_bomb_ends_as_an_error_of_that_file(rules, built, open_app, build):
    bomb = rules / "write" / "爆弾.docx"
    bomb.write_bytes((rules / "write" / "記入規則.docx").read_bytes())
    with zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/media/image1.bin", b"0" * 60_000_000)
    app = open_app(built, build={"max_inflated_mb": 20})
    with pytest.raises(BuildError) as caught:
        build(app, rules)
    assert [(f.document, f.category) for f in caught.value.failures] == [("爆弾.docx", "too-large")]


@pytest.mark.parametrize("error", [RuntimeError("CUDA gone"), OSError("model file")])
def test_a_model_that_fails_is_a_typed_error_and_keeps_the_old_version(  # noqa: PLR0917  # fixtures
    rules, built, open_app, build, broken_embedder, error
):
    before = tree(built)
    (rules / "design" / "命名規則.md").write_text("# 命名規則\n\n新しい規則の本文をここに書く。\n", encoding="utf-8")
    broken_embedder["passages"] = error
    with pytest.raises(ModelError, match="counting-use failed"):
        build(open_app(built), rules)
    assert tree(built) == before


def test_a_root_that_is_a_file_is_told(rules, tmp_path, open_app, build):
    (tmp_path / "h").write_text("x")
    with pytest.raises(HandbookError, match="cannot be created"):
        build(open_app(tmp_path / "h"), rules)
