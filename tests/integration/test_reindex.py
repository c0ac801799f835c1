"""One document alone: changed, added, removed; the others are not read."""

import pytest
from kisoku.domain.errors import BuildError, HandbookError, NoHandbookError

NEW = "# 用語\n\n## 表記\n\n用語は用語集の表記に合わせ、略語を使わない。\n".encode()


def documents(app, version):
    return {s.name: s.built for s in app.manager.get_version(version).source_files}


def test_a_changed_document_makes_a_version_in_which_it_alone_differs(built, open_app, embed_calls):
    app = open_app(built)
    text = "# 命名規則\n\n## テーブル名\n\nテーブル名は大文字で付ける。数字で始めない。\n"
    report = app.manager.reindex("命名規則.md", text.encode())
    assert (report.version, report.previous) == ("v2", "v1")
    assert {d.name: d.state for d in report.documents if d.state != "unchanged"} == {"命名規則.md": "changed"}
    built_as = documents(app, "v2")
    assert built_as.pop("命名規則.md") == "rebuilt"
    assert set(built_as.values()) == {"reuse_from_v1"}
    assert len(built_as) == 4
    assert len(embed_calls.passages) == report.embedded == 1
    found = app.service.search(session_id=None, query="テーブル名は大文字", agent="impact")
    assert (found.version, found.chunks[0].doc_id, found.notices) == ("v2", "命名規則.md", ())


def test_the_same_bytes_make_no_version(built, rules, open_app):
    report = open_app(built).manager.reindex("命名規則.md", rules / "design" / "命名規則.md")
    assert report.version is None
    assert open_app(built).manager.get_latest_version() == "v1"


def test_a_new_document_needs_a_category(built, open_app):
    app = open_app(built)
    with pytest.raises(HandbookError, match="category has to be named"):
        app.manager.reindex("用語.md", NEW)
    assert app.manager.reindex("用語.md", NEW, category="write").version == "v2"
    assert app.manager.get_version("v2").source("用語.md").type == "write"


def test_removing_a_document(built, rules, open_app, build):
    app = open_app(built)
    report = app.manager.remove_document("図表規則.xlsx")
    assert (report.version, report.deleted) == ("v2", ("図表規則.xlsx",))
    assert "図表規則.xlsx" not in documents(app, "v2")
    assert "図表規則.xlsx" in documents(app, "v1")
    with pytest.raises(HandbookError, match="no document"):
        app.manager.remove_document("図表規則.xlsx")
    # A build of the whole folder agrees with what single changes made of it.
    (rules / "write" / "図表規則.xlsx").unlink()
    assert build(app, rules).version is None


def test_the_last_document_cannot_be_removed(tmp_path, open_app, build):
    folder = tmp_path / "r" / "write"
    folder.mkdir(parents=True)
    (folder / "用語.md").write_bytes(NEW)
    app = open_app(tmp_path / "h")
    build(app, tmp_path / "r")
    with pytest.raises(BuildError, match="no document to build from"):
        app.manager.remove_document("用語.md")
    assert app.manager.get_latest_version() == "v1"


def test_a_file_known_from_the_last_build_need_not_be_named_again(tmp_path, rules, open_app, build):
    app = open_app(tmp_path / "h")
    build(app, rules)
    (rules / "design" / "命名規則.md").write_bytes(NEW)
    assert app.manager.reindex("命名規則.md").version == "v2"
    with pytest.raises(HandbookError, match="no file to read"):
        app.manager.reindex("他.md")


def test_changed_settings_ask_for_a_build_of_the_whole_folder(built, open_app):
    app = open_app(built, chunking={"by_type": {"word": {"min_tokens": 0}}})
    with pytest.raises(HandbookError) as caught:
        app.manager.reindex("命名規則.md", NEW)
    assert "記入規則.docx" in caught.value.message
    assert "chunking options of word changed" in caught.value.message
    assert caught.value.hint == "Build the whole folder: kisoku build DIR"
    assert app.manager.get_latest_version() == "v1"


def test_an_unreadable_document_leaves_the_version_as_it_is(built, open_app):
    app = open_app(built)
    with pytest.raises(BuildError) as caught:
        app.manager.reindex("図表規則.xlsx", b"PK\x03\x04 half a file")
    assert [e.document for e in caught.value.failures] == ["図表規則.xlsx"]
    assert app.manager.get_latest_version() == "v1"


def test_without_a_handbook(tmp_path, open_app):
    with pytest.raises(NoHandbookError):
        open_app(tmp_path / "h").manager.reindex("用語.md", NEW, category="write")


def test_failures_of_other_documents_stay_on_record(rules, tmp_path, open_app, build):
    (rules / "write" / "壊れ.docx").write_bytes(b"no document")
    app = open_app(tmp_path / "h", build={"on_error": "skip"})
    build(app, rules)
    app.manager.reindex("命名規則.md", NEW)
    assert [f.name for f in app.manager.get_version("v2").failures] == ["壊れ.docx"]
    app.manager.remove_document("壊れ.docx")
    assert app.manager.get_version("v3").failures == ()
