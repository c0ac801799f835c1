"""Sessions: locked to one version for their whole life; decisions travel with the document."""

import pytest
from kisoku.domain.errors import ConflictError, SessionError, UnknownVersionError
from kisoku.domain.search import SearchContext

QUERY = "表のヘッダー行の書式"


@pytest.fixture
def edited(rules):
    def edit(text="列名はスネークケースで付け、三十文字を超えない。"):
        (rules / "design" / "命名規則.md").write_text(f"# 命名規則\n\n{text}\n", encoding="utf-8")

    return edit


def search(app, session, **options):
    return app.service.search(session_id=session, query=QUERY, agent="writer", **options)


def test_the_first_search_locks_the_active_version(built, open_app):
    app = open_app(built)
    assert search(app, "s").version == "v1"
    assert app.locks.get_locked_version("s") == "v1"


def test_a_session_keeps_its_version_after_builds_and_rollbacks(built, rules, edited, open_app, build):
    app = open_app(built)
    app.locks.lock_version("old")
    edited()
    build(app, rules)
    app.locks.lock_version("new")
    app.manager.rollback_to("v1")
    assert (search(app, "old").version, search(app, "new").version, search(app, "third").version) == ("v1", "v2", "v1")
    app.manager.rollback_to("v2")
    assert (search(app, "old").version, search(app, "new").version, search(app, "third").version) == ("v1", "v2", "v1")
    assert search(app, "fourth").version == "v2"
    app.close()
    again = open_app(built)
    assert (search(again, "old").version, search(again, "new").version) == ("v1", "v2")


def test_lock_semantics(built, rules, edited, open_app, build):
    app = open_app(built)
    edited()
    build(app, rules)
    assert app.locks.lock_version("s", "v1") == "v1"
    assert app.locks.lock_version("s") == "v1"
    assert app.locks.lock_version("s", "v1") == "v1"
    with pytest.raises(SessionError, match="locked to v1 and cannot change to v2"):
        app.locks.lock_version("s", "v2")
    with pytest.raises(SessionError, match="locked to v1"):
        search(app, "s", version="v2")
    assert search(app, "s", version="v1").version == "v1"


@pytest.mark.parametrize("version", ["v9", "latest", "", "../v1"])
def test_locking_to_a_version_that_is_none(version, built, open_app):
    app = open_app(built)
    with pytest.raises(UnknownVersionError):
        app.locks.lock_version("s", version)
    with pytest.raises(SessionError, match="no session 's'"):
        app.locks.get_locked_version("s")


@pytest.mark.parametrize("name", ["", " ", "　"])
def test_a_session_needs_a_name(name, built, open_app):
    with pytest.raises(SessionError, match="needs a name"):
        open_app(built).locks.lock_version(name)


def test_a_session_without_a_handbook_stays_without(tmp_path, rules, open_app, build):
    app = open_app(tmp_path / "h")
    assert app.locks.lock_version("early") == "v0"
    build(app, rules)
    early = search(app, "early")
    assert (early.version, early.no_rule_constraints) == ("v0", True)
    late = search(app, "late")
    assert (late.version, late.no_rule_constraints) == ("v1", False)


def test_metadata_tells_version_and_decisions(built, open_app):
    app = open_app(built)
    result = search(app, "s", context=SearchContext(chapter="画面一覧"))
    (conflict,) = result.conflicts
    assert conflict.status == "pending"
    assert {m.document for m in conflict.members} == {"記入規則.docx", "図表規則.xlsx"}
    record = app.conflicts.resolve_conflict(conflict.conflict_id, "記入規則.docx", resolution_uri="設計書.docx#2")
    metadata = app.locks.finish("s")
    assert metadata.rule_version == "v1"
    assert metadata.conflict_decisions == (record,)
    assert metadata.finished_at is not None
    assert record.chapter == "画面一覧"
    assert record.resolution_uri == "設計書.docx#2"
    assert app.locks.session_metadata("s") == metadata
    with pytest.raises(SessionError, match="no session 'other'"):
        app.locks.session_metadata("other")


def test_a_decided_conflict_comes_back_decided(built, open_app):
    app = open_app(built)
    (conflict,) = search(app, "s").conflicts
    app.conflicts.resolve_conflict(conflict.conflict_id, "1")
    assert app.conflicts.get_pending_conflicts("s") == []
    (again,) = search(app, "s").conflicts
    assert (again.conflict_id, again.status) == (conflict.conflict_id, "decided")
    (elsewhere,) = search(app, "other").conflicts
    assert elsewhere.status == "pending"


@pytest.mark.parametrize("decision", ["", "0", "3", "adopt:", "adopt:nothing", "記入規則", "rules-write_v1_999"])
def test_a_decision_that_names_no_member_is_refused(decision, built, open_app):
    app = open_app(built)
    (conflict,) = search(app, "s").conflicts
    with pytest.raises(ConflictError, match="is no decision"):
        app.conflicts.resolve_conflict(conflict.conflict_id, decision)
    assert len(app.conflicts.get_pending_conflicts("s")) == 1


def test_every_way_to_decide(built, open_app):
    app = open_app(built)
    (conflict,) = search(app, "s").conflicts
    first = conflict.members[0]
    for decision in ("1", "adopt:1", first.chunk_id, f"adopt:{first.chunk_id}", first.document):
        assert app.conflicts.resolve_conflict(conflict.conflict_id, decision).adopted == first.chunk_id
    annotated = app.conflicts.resolve_conflict(conflict.conflict_id, "annotate")
    assert (annotated.adopted, annotated.user_decision) == (None, "annotate")
    assert app.locks.session_metadata("s").conflict_decisions == (annotated,)


def test_an_unknown_conflict(built, open_app):
    with pytest.raises(ConflictError, match="no conflict 'c-0'"):
        open_app(built).conflicts.resolve_conflict("c-0", "1")


def test_decisions_survive_a_new_version(built, rules, edited, open_app, build):
    app = open_app(built)
    (conflict,) = search(app, "s").conflicts
    app.conflicts.resolve_conflict(conflict.conflict_id, "2")
    edited()
    build(app, rules)
    (again,) = search(app, "s").conflicts
    assert again.status == "decided"
    assert app.locks.session_metadata("s").rule_version == "v1"
