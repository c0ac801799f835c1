"""Lifecycle hooks where things happen: build, lock, search, conflict, decision, document; broken plugins harm none."""

import json

import pytest
from kisoku.domain.search import SearchContext
from kisoku.plugins.lifecycle import LIFECYCLE_HOOKS
from kisoku.plugins.manager import PluginManager, shared_manager
from kisoku.plugins.markers import hookimpl

QUERY = "表のヘッダー行の書式"


@pytest.fixture
def plugins():
    """A manager of its own with the counting embedder."""
    manager = PluginManager(load_entry_points=False)
    manager.register(shared_manager()._pluggy.get_plugin("test-counting"), "test-counting", ("kisoku-tests", "1"))
    return manager


def add(manager, name, **hooks):
    marked = {hook: staticmethod(hookimpl(function)) for hook, function in hooks.items()}
    manager.register(type("P", (), marked)(), name, (name, "1"))


class Diary:
    """Writes down every event."""

    def __init__(self):
        self.events = []

    @hookimpl
    def kisoku_handbook_built(self, manifest):
        self.events.append(("built", manifest.version, manifest.active))

    @hookimpl
    def kisoku_session_started(self, session_id):
        self.events.append(("started", session_id))

    @hookimpl
    def kisoku_version_locked(self, session_id, version):
        self.events.append(("locked", session_id, version))

    @hookimpl
    def kisoku_before_search(self, query, request):
        self.events.append(("before", query, request.agent))

    @hookimpl
    def kisoku_after_search(self, result, session_id):
        self.events.append(("after", result.query, session_id))

    @hookimpl
    def kisoku_conflicts_found(self, session_id, chapter, conflicts):
        self.events.append(("conflicts", session_id, chapter, len(conflicts)))

    @hookimpl
    def kisoku_conflict_resolved(self, decision):
        self.events.append(("resolved", decision.user_decision))

    @hookimpl
    def kisoku_document_finished(self, metadata):
        self.events.append(("finished", metadata.rule_version, len(metadata.conflict_decisions)))


@pytest.fixture
def diary(plugins):
    diary = Diary()
    plugins.register(diary, "diary", ("diary", "1"))
    assert plugins.failures == []
    return diary


def test_everything_is_told_once_and_in_order(  # noqa: PLR0917  # fixtures
    plugins, diary, rules, tmp_path, open_app, build
):
    app = open_app(tmp_path / "handbook", parts={"plugins": plugins})
    assert build(app, rules).version == "v1"
    assert build(app, rules).version is None
    assert diary.events == [("built", "v1", True)]

    def search(session):
        return app.service.search(
            session_id=session, query=QUERY, agent="writer", context=SearchContext(chapter="機能一覧")
        )

    diary.events.clear()
    result = search("s")
    search("s")
    (conflict,) = result.conflicts
    app.conflicts.resolve_conflict(conflict.conflict_id, "annotate")
    app.locks.finish("s")
    app.locks.finish("s")
    searched = [("before", QUERY, "writer"), ("after", QUERY, "s")]
    assert diary.events == [
        ("started", "s"),
        ("locked", "s", "v1"),
        searched[0],
        ("conflicts", "s", "機能一覧", 1),
        searched[1],
        *searched,
        ("resolved", "annotate"),
        ("finished", "v1", 1),
    ]
    diary.events.clear()
    search(None)
    search(None)
    assert diary.events.count(("conflicts", None, "機能一覧", 1)) == 2


def test_a_changed_query_is_searched_and_the_callers_is_kept(plugins, built, open_app):
    add(plugins, "glossary", kisoku_before_search=lambda query: query.replace("オーダー", "受注"))
    app = open_app(built, parts={"plugins": plugins})
    plain = app.service.search(session_id=None, query="受注を受け付ける", agent="impact")
    changed = app.service.search(session_id="s", query="オーダーを受け付ける", agent="impact")
    assert changed.query == "オーダーを受け付ける"
    assert [c.chunk_id for c in changed.chunks] == [c.chunk_id for c in plain.chunks]
    assert [c.score for c in changed.chunks] == [c.score for c in plain.chunks]
    assert changed.trace[0].stage == "before_search"
    assert changed.trace[0].details == {"query": "受注を受け付ける", "changed_by": ["glossary"]}
    assert changed.notices == ()
    stored = json.loads(app.sessions.invocation(changed.trace_id).retrieval_details)
    assert stored["stages"][0]["stage"] == "before_search"


def fail():
    raise RuntimeError("no licence")


def test_a_plugin_that_always_fails_changes_nothing_and_is_told(plugins, rules, tmp_path, open_app, build):
    class Broken:
        """Every hook raises."""

    for hook in LIFECYCLE_HOOKS:
        setattr(Broken, hook, staticmethod(hookimpl(fail)))
    plugins.register(Broken(), "broken", ("acme-broken", "1.2"))
    app = open_app(tmp_path / "handbook", parts={"plugins": plugins})
    assert build(app, rules).version == "v1"
    result = app.service.search(session_id="s", query=QUERY, agent="writer")
    app.conflicts.resolve_conflict(result.conflicts[0].conflict_id, "1")
    assert app.locks.finish("s").rule_version == "v1"
    assert result.chunks
    details = [n.detail for n in result.notices if n.code == "plugin_failed"]
    told = "broken: kisoku_{}_search: RuntimeError: no licence"
    assert details == [told.format("before"), told.format("after")]
    assert result.trace[0].details["failed"] == ["broken: RuntimeError: no licence"]
    failed = {f.hook for f in plugins.failures}
    assert failed == set(LIFECYCLE_HOOKS) - {"kisoku_chapter_started", "kisoku_chapter_finished"}


def test_a_hook_may_search_itself(plugins, built, open_app):
    found = []

    def look(session_id):
        found.append(app.service.search(session_id=None, query=QUERY, agent="qa").chunks[0].chunk_id)

    add(plugins, "curious", kisoku_after_search=look)
    app = open_app(built, parts={"plugins": plugins})
    assert app.service.search(session_id=None, query=QUERY, agent="writer").notices == ()
    assert len(found) == 1
