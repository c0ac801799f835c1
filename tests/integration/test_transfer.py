"""A version as one file: what comes out is what went in, and nothing that was tampered with comes in."""

import json
import zipfile

import pytest
from kisoku.adapters.handbook.archive import INDEX_NAME, ZipVersionArchive
from kisoku.domain.errors import HandbookCorruptError, HandbookError, HandbookSchemaError, UnknownVersionError

QUERY = {"session_id": None, "query": "表のヘッダー行の下線", "agent": "writer", "record": False}


@pytest.fixture
def exported(built, tmp_path, open_app):
    target = tmp_path / "rules.kisoku"
    report = open_app(built).manager.export_version("v1", target)
    assert report.size == target.stat().st_size
    return target


def contents(app, version):
    return [
        chunk.model_copy(update={"chunk_id": chunk.chunk_id.replace(f"_{version}_", "_")})
        for category in app.manager.get_version(version).categories
        for chunk in app.handbook_store.chunks(version, category)
    ]


def state(root):
    return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if not p.name.startswith(".write"))


def rewritten(source, change):
    """Write the export anew with its entries changed; `change` gets them by name and may do what it likes."""
    with zipfile.ZipFile(source) as package:
        entries = {name: package.read(name) for name in package.namelist()}
    change(entries)
    with zipfile.ZipFile(source, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in entries.items():
            package.writestr(name, data)


def with_index(change):
    def apply(entries):
        index = json.loads(entries[INDEX_NAME])
        change(index, entries)
        entries[INDEX_NAME] = json.dumps(index).encode()

    return apply


def test_into_an_empty_handbook(built, exported, tmp_path, open_app, embed_calls):
    app = open_app(tmp_path / "other")
    report = app.manager.import_version(exported)
    assert (report.version, report.exported_as, report.active) == ("v1", "v1", True)
    assert embed_calls.passages == []
    origin = open_app(built)
    assert contents(app, "v1") == contents(origin, "v1")
    assert (report.documents, report.chunks) == (5, len(contents(origin, "v1")))
    here, there = app.service.search(**QUERY), origin.service.search(**QUERY)
    assert [(c.content, c.score) for c in here.chunks] == [(c.content, c.score) for c in there.chunks]
    assert here.notices == there.notices == ()
    expected = origin.manager.get_version("v1").stored()
    assert app.manager.get_version("v1").stored() == expected


def test_beside_versions_of_its_own_it_gets_the_next_number_and_stays_in_the_background(  # noqa: PLR0917  # fixtures
    built, exported, rules, open_app, build, embed_calls
):
    (rules / "design" / "命名規則.md").write_text("# 命名規則\n\n列名はスネークケースで付ける。\n", encoding="utf-8")
    app = open_app(built)
    build(app, rules)
    embed_calls.clear()
    report = app.manager.import_version(exported)
    assert (report.version, report.exported_as, report.active) == ("v3", "v1", False)
    assert app.manager.get_latest_version() == "v2"
    assert embed_calls.passages == []
    assert contents(app, "v3") == contents(app, "v1")
    assert {c.chunk_id.split("_")[1] for c in app.handbook_store.chunks("v3", "write")} == {"v3"}
    vectors = app.versions.get("v3").vectors()
    assert vectors.collections() == ["ref-docs-v3", "rules-design-v3", "rules-write-v3"]
    found = app.service.search(**QUERY, version="v3")
    first = app.service.search(**QUERY, version="v1")
    assert [c.content for c in found.chunks] == [c.content for c in first.chunks]
    assert found.notices == ()
    app.manager.rollback_to("v3")
    assert build(app, rules).version == "v4"


def test_activate_makes_it_the_active_one(built, exported, open_app):
    app = open_app(built)
    assert app.manager.import_version(exported, activate=True).active
    pointer = app.handbook_store.pointer()
    assert (pointer.version, pointer.previous) == ("v2", "v1")


def test_the_same_version_gives_the_same_entries(built, tmp_path, open_app):
    app = open_app(built)
    for name in ("a", "b"):
        app.manager.export_version("v1", tmp_path / name)
    entries = []
    for name in ("a", "b"):
        with zipfile.ZipFile(tmp_path / name) as package:
            entries.append({i.filename: (i.CRC, i.date_time) for i in package.infolist()})
    # Chroma writes bytes of no meaning whenever it is opened.
    differ = {name for name in entries[0] if entries[0][name] != entries[1][name]}
    assert {name.split("/")[0] for name in differ} <= {INDEX_NAME, "chroma"}
    assert entries[0].keys() == entries[1].keys()


def test_an_import_builds_on_like_any_version(  # noqa: PLR0917  # fixtures
    exported, rules, tmp_path, open_app, build, embed_calls
):
    app = open_app(tmp_path / "other")
    app.manager.import_version(exported)
    assert build(app, rules).version is None
    (rules / "design" / "命名規則.md").write_text("# 命名規則\n\n列名はスネークケースで付ける。\n", encoding="utf-8")
    assert build(app, rules).embedded == len(embed_calls.passages) == 1


def flip(path, at):
    data = bytearray(path.read_bytes())
    data[int(at * len(data))] ^= 0x10
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused(share, built, exported, open_app):
    data = exported.read_bytes()
    exported.write_bytes(data[: int(share * len(data))])
    before = state(built)
    with pytest.raises(HandbookCorruptError):
        open_app(built).manager.import_version(exported)
    assert state(built) == before


@pytest.mark.parametrize("at", [0.01, 0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_flipped_bit_is_refused_or_does_not_matter(at, built, exported, tmp_path, open_app):
    flip(exported, at)
    app = open_app(tmp_path / "other")
    try:
        app.manager.import_version(exported)
    except HandbookError:
        assert app.handbook_store.pointer() is None
    else:
        # A bit of a zip's time stamps and the like.
        assert contents(app, "v1") == contents(open_app(built), "v1")


def escape(index, entries):
    index["files"]["chunks/v1/../../../escaped.json"] = index["files"]["manifests/v1.json"]
    entries["chunks/v1/../../../escaped.json"] = entries["manifests/v1.json"]


def absolute(index, entries):
    index["files"]["/tmp/escaped.json"] = index["files"]["manifests/v1.json"]  # noqa: S108  # refused
    entries["/tmp/escaped.json"] = entries["manifests/v1.json"]  # noqa: S108  # refused


def active_pointer(index, entries):
    index["files"]["active.json"] = index["files"]["manifests/v1.json"]
    entries["active.json"] = entries["manifests/v1.json"]


def other_version(index, entries):
    index["files"]["chunks/v9/rules-write/chunk_001.json"] = index["files"]["manifests/v1.json"]
    entries["chunks/v9/rules-write/chunk_001.json"] = entries["manifests/v1.json"]


def unlisted(_, entries):
    entries["chunks/v1/rules-write/chunk_999.json"] = b"{}"


def missing(_, entries):
    del entries["manifests/v1.json"]


def larger(_, entries):
    entries["manifests/v1.json"] += b" "


def unsafe_version(index, _):
    index["version"] = "../v1"


def without_a_chunk(index, entries):
    del index["files"]["chunks/v1/rules-write/chunk_001.json"]
    del entries["chunks/v1/rules-write/chunk_001.json"]


@pytest.mark.parametrize(
    "change",
    [escape, absolute, active_pointer, other_version, unlisted, missing, larger, unsafe_version, without_a_chunk],
)
def test_a_file_that_was_tampered_with_is_refused(change, built, exported, tmp_path, open_app):
    rewritten(exported, with_index(change))
    before, around = state(built), {p.name for p in tmp_path.iterdir()}
    with pytest.raises(HandbookCorruptError):
        open_app(built).manager.import_version(exported)
    assert state(built) == before
    assert {p.name for p in tmp_path.iterdir()} == around


def test_another_schema_is_named(built, exported, open_app):
    rewritten(exported, with_index(lambda index, _: index.update(schema_version=99)))
    with pytest.raises(HandbookSchemaError, match="format 1/99"):
        open_app(built).manager.import_version(exported)


def test_a_file_that_would_fill_the_disk_is_refused_before_it_is_unpacked(built, exported, open_app):
    def huge(index, _):
        index["files"]["manifests/v1.json"]["size"] = 1 << 60

    rewritten(exported, with_index(huge))
    with pytest.raises(HandbookError, match="are free"):
        open_app(built).manager.import_version(exported)


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + bytes(18), b"no zip at all"])
def test_files_that_are_no_export(content, tmp_path, open_app):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(HandbookCorruptError):
        open_app(tmp_path / "h").manager.import_version(tmp_path / "x")
    assert open_app(tmp_path / "h").handbook_store.versions() == []


def test_a_missing_file_and_a_missing_version(built, tmp_path, open_app):
    manager = open_app(built).manager
    with pytest.raises(HandbookError, match="does not exist"):
        manager.import_version(tmp_path / "nothing.kisoku")
    with pytest.raises(UnknownVersionError):
        manager.export_version("v7", tmp_path / "x")
    with pytest.raises(HandbookError, match="cannot be written"):
        manager.export_version("v1", tmp_path / "no-folder" / "x")


def test_a_damaged_version_is_not_exported(built, tmp_path, open_app):
    (built / "chunks" / "v1" / "rules-write" / "chunk_001.json").unlink()
    with pytest.raises(HandbookCorruptError):
        open_app(built).manager.export_version("v1", tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_an_export_that_fails_leaves_the_old_file(built, exported, open_app, monkeypatch):
    before = exported.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    manifest = open_app(built).manager.get_version("v1")
    with pytest.raises(HandbookError, match="No space left"):
        ZipVersionArchive().write(exported, manifest, [])
    assert exported.read_bytes() == before
    assert [p.name for p in exported.parent.iterdir() if p.name.endswith(".new")] == []
