"""The orchestrator on a real handbook: blocked chapters, bounded rounds, failures, and a process that is killed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field

import pytest
from kisoku.domain.errors import SessionError
from kisoku.domain.search import SearchContext
from kisoku.orchestration.generation.agents import AgentSet
from kisoku.orchestration.generation.observer import GenerationObserver
from kisoku.orchestration.generation.outline import Outline
from kisoku.plugins.manager import PluginManager, shared_manager
from kisoku.plugins.markers import hookimpl
from kisoku.ports.agents import ChapterTask, Finding

TABLES = ChapterTask("機能一覧", ("表のヘッダー行の書式",), ("IF001",), "在庫連携が止まったときの受注")
"""Its rules are in conflict: the header row is underlined in one document and not in the other."""
NAMES = ChapterTask("命名", ("文体と文の長さ",), (), "")
OUTLINE = Outline.of("概要設計書", TABLES, NAMES)


@dataclass
class Scripted:
    """Agents that write down what they are given and answer as they are told."""

    checks: list = field(default_factory=list)
    remarks: list = field(default_factory=list)
    calls: list = field(default_factory=list)

    def write(self, task, rules, findings=()):
        self.calls.append(("write", task.title, task.draft, tuple(f.message for f in findings)))
        return f"# {task.title}\n第{sum(c[0] == 'write' and c[1] == task.title for c in self.calls)}稿"

    def infer(self, task, draft, rules):
        self.calls.append(("infer", task.title))
        return self.remarks

    def check(self, task, draft, rules):
        self.calls.append(("check", task.title))
        return self.checks.pop(0) if self.checks else []

    def set(self):
        return AgentSet("scripted", self, self, self)


RETRIEVAL = {"top_k": 1, "chapter_top_k": {"機能一覧": 5}}
"""The handbook is so small that five rules of it always hold the conflict."""


@pytest.fixture
def app(built, open_app):
    return open_app(built, retrieval=RETRIEVAL)


def adopt_all(app, session, orchestrator, decision="1"):
    for group in app.conflicts.get_pending_conflicts(session):
        orchestrator.decide(group.conflict_id, decision)


def test_a_chapter_with_a_conflict_waits_and_the_others_go_on(app):
    orchestrator = app.orchestrator(app.agents("rules"))
    report = orchestrator.run(OUTLINE, "s")
    assert report.status == "blocked"
    tables, names = report.chapters
    assert (tables.status, tables.step, tables.draft) == ("blocked", "write", "")
    assert tables.blocking == tuple(g.conflict_id for g in report.pending)
    assert (names.status, names.rounds) == ("finished", 1)
    assert "一文は60文字以内とする。" in names.draft
    assert "モデルを使わない" in names.draft
    assert names.rules
    assert report.metadata.finished_at is None
    # Nothing changes until somebody decides.
    assert orchestrator.resume("s").chapters == report.chapters


def test_after_the_decision_it_goes_on_and_the_metadata_tell_everything(app):
    orchestrator = app.orchestrator(app.agents("rules"))
    pending = orchestrator.run(OUTLINE, "s").pending
    lost = next(m.rule for m in pending[0].members if m.document == "図表規則.xlsx")
    (place,) = [str(n) for n, m in enumerate(pending[0].members, start=1) if m.document == "記入規則.docx"]
    adopt_all(app, "s", orchestrator, place)
    report = orchestrator.run(OUTLINE, "s")
    assert report.status == "finished"
    tables = report.chapters[0]
    assert "表のヘッダー行は太字＋下線で記載する。" in tables.draft
    assert lost not in tables.draft
    assert any("IF001" in f.message for f in tables.remarks)
    assert not any(f.severity == "error" for f in tables.findings)
    (decision,) = report.metadata.conflict_decisions
    assert (decision.chapter, decision.resolution_uri) == ("機能一覧", "概要設計書#1")
    assert report.metadata.rule_version == "v1"
    assert report.metadata.finished_at is not None
    # Running it once more does nothing.
    assert orchestrator.run(OUTLINE, "s") == report


def test_rules_of_different_topics_meet_in_one_prompt_so_their_conflict_is_found(app):
    topics = ("数値の列は右寄せ、文字の列は左寄せ", "フローチャートは上から下へ流れるように描く")
    context = SearchContext(chapter="章")
    found = app.rules.find("s", "writer", topics, context, "ja")
    assert [len(r.chunks) for r in found.results] == [1, 1]
    assert [r.conflicts for r in found.results] == [(), ()]
    (group,) = app.conflicts.get_pending_conflicts("s")
    assert found.pending == (group.conflict_id,)
    assert (group.attribute, group.chapter) == ("underline", "章")


def test_agents_are_told_which_rule_lost(app):
    seen = []

    class Reader(Scripted):
        def write(self, task, rules, findings=()):
            seen.append(rules.text)
            return "text"

    orchestrator = app.orchestrator(Reader().set())
    orchestrator.run(OUTLINE, "s")
    adopt_all(app, "s", orchestrator, "記入規則.docx")
    orchestrator.resume("s")
    told = seen[-1].split("--- 規則の競合についての決定 ---")[1]
    assert "採用: 表のヘッダー行は太字＋下線で記載する。" in told
    assert "不採用(従わない): " in told
    assert "下線は付けない" in told.split("不採用(従わない)")[1]


def test_broken_rules_go_back_to_the_writer_a_bounded_number_of_times(app):
    broken = [Finding("「です」は規則に反する。", "rules-write_v1_001")]
    agents = Scripted(checks=[broken] * 9)
    report = app.orchestrator(agents.set(), max_rounds=2).run(Outline.of("書", NAMES), "s")
    (chapter,) = report.chapters
    assert report.status == "finished"
    assert (chapter.rounds, chapter.draft, chapter.findings) == (3, "# 命名\n第3稿", tuple(broken))
    writes = [c for c in agents.calls if c[0] == "write"]
    assert writes == [
        ("write", "命名", "", ()),
        ("write", "命名", "# 命名\n第1稿", ("「です」は規則に反する。",)),
        ("write", "命名", "# 命名\n第2稿", ("「です」は規則に反する。",)),
    ]


def test_a_mended_chapter_is_finished_and_hints_send_nothing_back(app):
    broken, hint = [Finding("x", "c")], [Finding("y", "c", "info")]
    agents = Scripted(checks=[broken, hint])
    (chapter,) = app.orchestrator(agents.set()).run(Outline.of("書", NAMES), "s").chapters
    assert (chapter.rounds, chapter.findings) == (2, tuple(hint))


def test_no_revision_is_asked_for_with_no_rounds(app):
    agents = Scripted(checks=[[Finding("x", "c")]])
    (chapter,) = app.orchestrator(agents.set(), max_rounds=0).run(Outline.of("書", NAMES), "s").chapters
    assert (chapter.status, chapter.rounds) == ("finished", 1)


def test_impact_is_asked_only_where_something_is_related(app):
    agents = Scripted()
    orchestrator = app.orchestrator(agents.set())
    orchestrator.run(OUTLINE, "s")
    adopt_all(app, "s", orchestrator)
    orchestrator.resume("s")
    assert [c for c in agents.calls if c[0] == "infer"] == [("infer", "機能一覧")]
    asked = [(i.agent, i.query) for i in reversed(app.sessions.invocations("s"))]
    assert ("impact", "在庫連携が止まったときの受注") in asked


@pytest.mark.parametrize(
    ("agent", "answer", "error"),
    [
        ("write", None, "The writer returned NoneType instead of a text."),
        ("write", "  ", "The writer returned an empty draft."),
        ("infer", "text", "The impact returned str instead of findings."),
        ("check", [{"message": "x"}], "The qa returned list instead of findings."),
        ("check", None, "The qa returned NoneType instead of findings."),
        ("check", RuntimeError("no GPU\nat all"), "The qa failed: RuntimeError: no GPU; at all"),
    ],
)
def test_an_agent_that_fails_fails_its_chapter_and_a_resume_tries_again(app, agent, answer, error):
    outline = Outline.of("書", ChapterTask("命名", ("文体と文の長さ",), ("S001",)), ChapterTask("文体", ("文体",)))
    agents = Scripted()
    calls = []

    def once(*arguments):
        calls.append(arguments[0].title)
        if len(calls) > 1:
            return "text" if agent == "write" else []
        if isinstance(answer, Exception):
            raise answer
        return answer

    setattr(agents, agent, once)
    orchestrator = app.orchestrator(agents.set())
    report = orchestrator.run(outline, "s")
    assert report.status == "failed"
    assert [(c.status, c.error) for c in report.chapters] == [("failed", error), ("finished", "")]
    again = orchestrator.resume("s")
    assert [(c.status, c.error) for c in again.chapters] == [("finished", "")] * 2
    assert again.status == "finished"


def test_a_session_writes_one_outline(app):
    orchestrator = app.orchestrator(Scripted().set())
    orchestrator.run(Outline.of("書", NAMES), "s")
    with pytest.raises(SessionError, match="from another outline"):
        orchestrator.run(OUTLINE, "s")
    with pytest.raises(SessionError, match="no document"):
        orchestrator.resume("t")
    app.locks.lock_version("t")
    app.locks.finish("t")
    with pytest.raises(SessionError, match="is finished"):
        orchestrator.run(OUTLINE, "t")
    app.host.session_started("u")
    app.host.chapter_started("u", "章")
    with pytest.raises(SessionError, match="chapters of a host pipeline"):
        orchestrator.run(OUTLINE, "u")


def test_a_session_that_was_finished_early_stays_as_it_is(app):
    orchestrator = app.orchestrator(app.agents("rules"))
    orchestrator.run(OUTLINE, "s")
    app.locks.finish("s")
    adopt_all(app, "s", orchestrator)
    report = orchestrator.resume("s")
    assert report.status == "finished"
    assert [c.status for c in report.chapters] == ["blocked", "finished"]


def test_without_a_handbook_the_minimum_rules_hold_and_it_is_told(tmp_path, open_app):
    app = open_app(tmp_path / "nothing")
    report = app.orchestrator(app.agents("rules")).run(Outline.of("書", NAMES), "s")
    assert report.status == "finished"
    assert report.metadata.rule_version == "v0"
    assert [n.code for n in report.chapters[0].notices] == ["no_rule_constraints"]


def test_text_that_no_database_takes_is_kept(app):
    class Odd(Scripted):
        def write(self, task, rules, findings=()):
            return "a\ud800b\0c"

    (chapter,) = app.orchestrator(Odd().set()).run(Outline.of("書", NAMES), "s").chapters
    assert chapter.draft == "a?b\N{REPLACEMENT CHARACTER}c"


def test_plugins_hear_of_chapters_once(built, open_app):
    events = []
    plugins = PluginManager(load_entry_points=False)
    plugins.register(shared_manager()._pluggy.get_plugin("test-counting"), "test-counting", ("kisoku-tests", "1"))

    class Listening:
        @hookimpl
        def kisoku_chapter_started(self, session_id, chapter):
            events.append(("started", chapter))

        @hookimpl
        def kisoku_chapter_finished(self, chapter, draft, findings):
            events.append(("finished", chapter, draft.splitlines()[0]))

        @hookimpl
        def kisoku_document_finished(self, metadata):
            events.append(("document", metadata.session_id))

    plugins.register(Listening(), "listening", ("listening", "1"))
    app = open_app(built, parts={"plugins": plugins}, retrieval=RETRIEVAL)
    orchestrator = app.orchestrator(Scripted().set())
    orchestrator.run(OUTLINE, "s")
    adopt_all(app, "s", orchestrator)
    orchestrator.resume("s")
    orchestrator.resume("s")
    assert events == [
        ("started", "機能一覧"),
        ("started", "命名"),
        ("finished", "命名", "# 命名"),
        ("finished", "機能一覧", "# 機能一覧"),
        ("document", "s"),
    ]
    assert plugins.failures == []


def test_the_observer_sees_every_step(app):
    class Watch(GenerationObserver):
        def __init__(self):
            self.seen = []

        def began(self, document, chapters, version):
            self.seen.append((document.title, len(chapters), version))

        def searched(self, chapter, result):
            self.seen.append((chapter.title, result.agent))

        def changed(self, chapter):
            self.seen.append((chapter.status, chapter.step))

    watch = Watch()
    app.orchestrator(Scripted().set(), observer=watch).run(Outline.of("書", NAMES), "s")
    assert watch.seen == [
        ("書", 1, "v1"),
        ("open", "write"),
        ("命名", "writer"),
        ("open", "infer"),
        ("open", "check"),
        ("命名", "qa"),
        ("finished", "check"),
    ]


# --- kill -9

SCRIPT = """
import os, signal, sys
from pathlib import Path
from kisoku.config.settings import Settings
from kisoku.orchestration.bootstrap import Kisoku
from kisoku.orchestration.generation.agents import AgentSet
from kisoku.orchestration.generation.outline import Outline
from kisoku.ports.agents import ChapterTask, Finding

root, place = sys.argv[1:]
chapters = [ChapterTask(f"章{n}", ("文体と文の長さ", "識別子"), ("IF001",), "在庫連携の停止") for n in (1, 2, 3)]


class Dying:
    def __init__(self, app):
        self.app, self.ready, self.counts = app, app.agents("rules"), {}

    def at(self, step, task):
        key = f"{step}-{task.title}"
        self.counts[key] = self.counts.get(key, 0) + 1
        if place == f"{key}-{self.counts[key]}":
            os.kill(os.getpid(), signal.SIGKILL)

    def write(self, task, rules, findings=()):
        self.at("write", task)
        text = self.ready.writer.write(task, rules, findings)
        return text + ("\\n(改訂: " + findings[0].message + ")" if findings else "")

    def infer(self, task, draft, rules):
        self.at("infer", task)
        return self.ready.impact.infer(task, draft, rules)

    def check(self, task, draft, rules):
        self.at("check", task)
        found = self.ready.qa.check(task, draft, rules)
        return found if "改訂" in draft else [*found, Finding("改訂せよ", rules.chunks[0].chunk_id)]


settings = Settings(
    root=Path(root), embedding={"adapter": "use"}, language="en", retrieval={"top_k": 1}
)
with Kisoku(settings) as app:
    agents = Dying(app)
    outline = Outline.of("概要設計書", *chapters)
    report = app.orchestrator(AgentSet("dying", agents, agents, agents)).run(outline, "s")
    print(report.model_dump_json())
"""


def run_script(root, place):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, "-P", "-c", textwrap.dedent(SCRIPT), str(root), place],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
        env=environment,
    )


def told(done):
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    for chapter in report["chapters"]:
        chapter.pop("updated_at")
    return report["status"], report["chapters"]


@pytest.fixture(scope="module")
def handbook(tmp_path_factory, rules_template):
    """A handbook with the bundled model, as fresh processes have it."""
    root = tmp_path_factory.mktemp("killed") / "handbook"
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-P", "-m", "kisoku", "build", str(rules_template), "--root", str(root)]
    done = subprocess.run(
        [*command, "--set", "embedding.adapter=use"], capture_output=True, timeout=300, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    return root


@pytest.fixture(scope="module")
def uninterrupted(handbook, tmp_path_factory):
    root = shutil.copytree(handbook, tmp_path_factory.mktemp("whole") / "handbook")
    return told(run_script(root, ""))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("places", [["write-章2-1"], ["infer-章2-1"], ["check-章2-1", "write-章2-1", "check-章3-1"]])
def test_a_killed_process_resumes_at_the_chapter_where_it_was(handbook, uninterrupted, tmp_path, places):
    root = shutil.copytree(handbook, tmp_path / "handbook")
    for place in places:
        assert run_script(root, place).returncode == -signal.SIGKILL
    status, chapters = told(run_script(root, ""))
    assert status == "finished"
    assert (status, chapters) == uninterrupted
    assert [c["rounds"] for c in chapters] == [2, 2, 2]
