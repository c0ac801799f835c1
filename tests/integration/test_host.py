"""A pipeline with its own loop: it tells kisoku what happens, and nothing else of it changes."""

import threading

import pytest
from kisoku.domain.errors import RetrievalError, SessionError
from kisoku.domain.search import SearchContext
from kisoku.plugins.manager import PluginManager, shared_manager
from kisoku.plugins.markers import hookimpl
from kisoku.ports.agents import Finding


@pytest.fixture
def app(built, open_app):
    return open_app(built)


def test_a_loop_of_ones_own(app):
    host = app.host
    assert host.session_started("doc-1") == "v1"
    host.chapter_started("doc-1", "機能一覧")
    found = host.rules_for("doc-1", "機能一覧", ["表のヘッダー行の書式", "文体"])
    assert [r.query for r in found.results] == ["表のヘッダー行の書式", "文体"]
    (conflict,) = found.pending
    app.conflicts.resolve_conflict(conflict, "記入規則.docx")
    found = host.rules_for("doc-1", "機能一覧", ["表のヘッダー行の書式", "文体"])
    assert found.pending == ()
    assert "表のヘッダー行は太字＋下線で記載する。" in found.pack.text
    assert len(found.pack.overruled) == 1
    result = host.search("doc-1", "在庫連携", agent="impact", context=SearchContext(elements=("IF001",)))
    assert result.version == "v1"
    host.chapter_finished("doc-1", "機能一覧", "本文", [Finding("直す", "c", "info")])
    host.chapter_finished("doc-1", "概要")
    metadata = host.document_finished("doc-1")
    assert metadata.rule_version == "v1"
    assert [d.conflict_id for d in metadata.conflict_decisions] == [conflict]
    kept = [(c.number, c.title, c.status, c.draft, len(c.findings)) for c in app.sessions.chapters("doc-1")]
    assert kept == [(1, "機能一覧", "finished", "本文", 1), (2, "概要", "finished", "", 0)]
    assert host.document_finished("doc-1") == metadata


def test_calls_in_a_wrong_order_say_so(app):
    host = app.host
    for call in (
        lambda: host.search("x", "表", agent="writer"),
        lambda: host.rules_for("x", "章", ["表"]),
        lambda: host.chapter_started("x", "章"),
        lambda: host.chapter_finished("x", "章"),
        lambda: host.document_finished("x"),
    ):
        with pytest.raises(SessionError, match="no session 'x'"):
            call()
    host.session_started("x")
    with pytest.raises(SessionError, match="needs a title"):
        host.chapter_started("x", " ")
    with pytest.raises(RetrievalError, match="empty"):
        host.rules_for("x", "章", ["表", " "])
    host.document_finished("x")
    with pytest.raises(SessionError, match="is finished"):
        host.chapter_started("x", "章")


def test_plugins_hear_of_the_host(built, open_app):
    events = []
    plugins = PluginManager(load_entry_points=False)
    plugins.register(shared_manager()._pluggy.get_plugin("test-counting"), "test-counting", ("kisoku-tests", "1"))

    class Listening:
        @hookimpl
        def kisoku_session_started(self, session_id):
            events.append(session_id)

        @hookimpl
        def kisoku_chapter_started(self, chapter):
            events.append(f"+{chapter}")

        @hookimpl
        def kisoku_chapter_finished(self, chapter, draft, findings):
            events.append((chapter, draft, len(findings)))

        @hookimpl
        def kisoku_document_finished(self, metadata):
            events.append(metadata.rule_version)

    plugins.register(Listening(), "listening", ("listening", "1"))
    host = open_app(built, parts={"plugins": plugins}).host
    for _ in range(2):
        host.session_started("s")
        host.chapter_started("s", "章")
    host.chapter_finished("s", "章", "本文", [Finding("x", "c")])
    host.chapter_finished("s", "章", "改訂")
    host.document_finished("s")
    host.document_finished("s")
    assert events == ["s", "+章", ("章", "本文", 1), ("章", "改訂", 0), "v1"]


def test_chapters_of_several_threads_keep_their_places(app):
    app.host.session_started("s")
    threads = [threading.Thread(target=app.host.chapter_started, args=("s", f"章{n}")) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    chapters = app.sessions.chapters("s")
    assert [c.number for c in chapters] == list(range(1, 9))
    assert {c.title for c in chapters} == {f"章{n}" for n in range(8)}
