"""Conflicts for people: asked once, carried to another session, shown, decided, and scanned before publishing."""

import json
import os
import pty
import select
import subprocess
import sys
import time

import pytest
from kisoku.domain.errors import BuildError, ConfigError, RetrievalError, SessionError, UnknownVersionError
from kisoku.ports.chat_model import ChatReply

HEADER = "表のヘッダー行は太字＋下線で記載する。"
PLAIN = "表のヘッダー行は太字のみとし、下線は付けない。"


def search(app, session, **options):
    return app.service.search(session_id=session, query="表のヘッダー行の書き方", agent="writer", **options)


def test_a_further_rule_of_a_decided_question_is_not_asked_and_is_overruled(built, rules, open_app, build, writers):
    """A third document repeats one side: the same question; once decided, the new rule shares the fate of its side."""
    app = open_app(built)
    (conflict,) = search(app, "s").conflicts
    adopted = next(m for m in conflict.members if m.document == "図表規則.xlsx")
    app.conflicts.resolve_conflict(conflict.conflict_id, adopted.chunk_id)
    (rules / "write" / "様式集.md").write_text(f"# 表\n\n## 表の書き方\n\n{HEADER}\n", encoding="utf-8")
    build(app, rules)
    chunks = search(app, "fresh").chunks  # of the version that has all three rules
    assert {c.doc_id for c in chunks if "ヘッダー行" in c.content} == {"記入規則.docx", "図表規則.xlsx", "様式集.md"}
    (again,) = app.conflicts.detect(chunks, "s")
    assert (again.conflict_id, again.status) == (conflict.conflict_id, "decided")
    (record,) = app.locks.session_metadata("s").conflict_decisions
    assert {m.document for m in record.conflicting_chunks} == {"記入規則.docx", "図表規則.xlsx", "様式集.md"}
    overruled = app.conflicts.overruled("s")
    assert {m.document for m in record.conflicting_chunks if m.rule_hash in overruled} == {"記入規則.docx", "様式集.md"}


def test_decisions_carry_over_to_a_session_of_a_later_version(built, rules, open_app, build):
    app = open_app(built)
    (conflict,) = search(app, "first").conflicts
    app.conflicts.resolve_conflict(conflict.conflict_id, "図表規則.xlsx", resolution_uri="a.docx#1")
    (rules / "write" / "新規則.md").write_text("# 追加\n\n頁番号は下部中央に置く。\n", encoding="utf-8")
    build(app, rules)
    result = app.decisions.carry_over("first", "second")
    (record,) = result.carried
    assert (result.known, result.lapsed) == ((), ())
    assert (record.session_id, record.carried_from) == ("second", "first")
    assert record.adopted is not None
    assert app.handbook_store.chunk(record.adopted).doc_id == "図表規則.xlsx"
    assert record.adopted.split("_")[1] == "v2"
    (met,) = search(app, "second").conflicts
    assert (met.conflict_id, met.status) == (record.conflict_id, "decided")
    assert app.conflicts.get_pending_conflicts("second") == []
    # Once more: nothing is decided twice.
    again = app.decisions.carry_over("first", "second")
    assert (again.carried, [r.conflict_id for r in again.known]) == ((), [record.conflict_id])


def test_a_decision_on_an_edited_rule_lapses(built, rules, open_app, build, writers):
    app = open_app(built)
    (conflict,) = search(app, "first").conflicts
    app.conflicts.resolve_conflict(conflict.conflict_id, "1")
    writers.excel(
        rules / "write" / "図表規則.xlsx",
        (("番号", "対象", "規則"), ("1", "表のヘッダー行", "表のヘッダー行には下線を付けない。")),
    )
    build(app, rules)
    result = app.decisions.carry_over("first", "second")
    assert (result.carried, result.known) == ((), ())
    (lapsed,) = result.lapsed
    assert [m.document for m in lapsed.missing] == ["図表規則.xlsx"]
    assert [c.status for c in search(app, "second").conflicts] == ["pending"]


def test_carrying_needs_two_sessions(built, open_app):
    app = open_app(built)
    with pytest.raises(SessionError, match="no session 'nowhere'"):
        app.decisions.carry_over("nowhere", "s")
    app.locks.lock_version("s")
    with pytest.raises(SessionError, match="to itself"):
        app.decisions.carry_over("s", "s")
    assert app.decisions.carry_over("s", "t").carried == ()


class Doubting:
    """A model that holds everything to be compatible."""

    name = "doubting"

    def complete(self, messages, *, max_tokens=1024):
        del messages, max_tokens
        return ChatReply('[{"case": 1, "verdict": "compatible", "reason": "bold either way"}]', self.name)


class Silent:
    """A model that is gone."""

    name = "silent"

    def complete(self, messages, *, max_tokens=1024):
        raise ConnectionError("connection refused")


@pytest.mark.parametrize(
    ("model", "found", "codes"),
    [(Doubting(), 0, set()), (Silent(), 1, {"conflict_model_unavailable"})],
)
def test_a_second_opinion(model, found, codes, built, open_app):
    app = open_app(built, parts={"chat_model": model}, conflicts={"judge": "llm"})
    result = search(app, "s")
    assert len(result.conflicts) == found
    assert {n.code for n in result.notices} == codes
    (details,) = [stage.details for stage in result.trace if stage.stage == "conflicts"]
    assert ("dropped" in details) == (found == 0)
    assert len(app.sessions.conflicts("s")) == found


def test_a_second_opinion_needs_a_model(built, open_app):
    with pytest.raises(ConfigError, match=r"conflicts\.judge is llm, and no chat model is configured"):
        search(open_app(built, conflicts={"judge": "llm"}), "s")


def test_closeness_of_clauses_by_the_embedder(built, open_app, embed_calls, broken_embedder):
    app = open_app(built, conflicts={"similarity": "embedding"})
    assert len(search(app, "s").conflicts) == 1
    assert any("ヘッダー行" in text for text in embed_calls.passages)
    broken_embedder["passages"] = RuntimeError("out of memory")
    other = open_app(built, conflicts={"similarity": "embedding"})
    result = search(other, "t")
    assert len(result.conflicts) == 1
    assert "conflict_model_unavailable" in {n.code for n in result.notices}


def test_a_scan_of_a_version_and_of_files_finds_the_same(built, rules, open_app):
    app = open_app(built)
    told = []
    version = app.conflict_scan.version(on_progress=lambda done, total: told.append((done, total)))
    files = app.conflict_scan.files([rules])
    for report in (version, files):
        (group,) = report.conflicts
        assert {m.rule for m in group.members} == {HEADER, next(m.rule for m in group.members if m.rule != HEADER)}
        assert any(PLAIN in m.rule for m in group.members)
    assert version.scope == "v1"
    assert (version.documents, files.documents) == (
        4,
        5,
    )  # a folder has no reference documents
    assert told[-1][0] == told[-1][1] == version.chunks
    assert {m.document for m in files.conflicts[0].members} == {"write/記入規則.docx", "write/図表規則.xlsx"}
    assert all(m.source_uri for m in files.conflicts[0].members)


def test_a_scan_needs_something_to_read(tmp_path, rules, built, open_app):
    with pytest.raises(RetrievalError, match="no handbook to scan"):
        open_app(tmp_path / "none").conflict_scan.version()
    app = open_app(built)
    with pytest.raises(UnknownVersionError):
        app.conflict_scan.version("v9")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BuildError, match="no rule to read"):
        app.conflict_scan.files([tmp_path / "empty"])
    (rules / "write" / "broken.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    report = app.conflict_scan.files([rules])
    assert [u.file for u in report.unread] == ["write/broken.xlsx"]
    assert len(report.conflicts) == 1


def test_the_page_shows_both_sides_and_escapes_them(counted, rules, writers, tmp_path):
    evil = "<script>alert(1)</script>"
    writers.word(rules / "write" / "evil.docx", ((evil, ("画面のタイムアウトは30秒とする。",)),))
    (rules / "write" / "other.md").write_text("# 画面\n\n画面のタイムアウトは60秒とする。\n", encoding="utf-8")
    page = tmp_path / "scan.html"
    code, out, _ = counted("conflicts", "scan", rules, "--html", page, "--json", "--fail-on-found")
    report = json.loads(out)
    assert code == 1
    assert len(report["conflicts"]) == 2
    text = page.read_text(encoding="utf-8")
    assert evil not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    for quote in ("画面のタイムアウトは30秒とする。", "画面のタイムアウトは60秒とする。", HEADER):
        assert quote in text
    assert "default-src 'none'" in text


def test_the_commands(counted, built, rules, tmp_path):
    root = ("--root", built)
    found = json.loads(counted("search", "表のヘッダー行", "--agent", "writer", "--session", "s", *root, "--json")[1])
    identity = found["conflicts"][0]["conflict_id"]
    code, out, _ = counted("conflicts", "show", identity, *root)
    assert code == 0
    shown = next(line for line in out.splitlines() if "記入規則.docx" in line)
    assert "図表規則.xlsx" in shown  # side by side, not one below the other
    code, _, err = counted("conflicts", "decide", identity, *root)
    assert (code, "is needed when nobody can be asked" in err) == (2, True)
    code, _, err = counted("conflicts", "decide", *root)
    assert (code, "name a conflict" in err) == (2, True)
    code, out, _ = counted("conflicts", "decide", identity, "図表規則.xlsx", *root, "--lang", "ja")
    assert (code, "採用：図表規則.xlsx" in out) == (0, True)
    code, out, _ = counted("conflicts", "show", identity, *root, "--json")
    assert json.loads(out)["decision"]["user_decision"].startswith("adopt:")
    code, out, _ = counted("conflicts", "list", "s", "--pending", *root)
    assert "no conflicts" in out
    code, out, _ = counted("conflicts", "carry", "s", "t", *root)
    assert "1 decisions carried over to t" in out
    code, out, _ = counted("conflicts", "carry", "s", "t", *root, "--json")
    assert len(json.loads(out)["known"]) == 1
    code, out, _ = counted("conflicts", "scan", *root)
    assert (code, "1 conflicts among 4 documents" in out) == (0, True)
    code, _, err = counted("conflicts", "scan", rules, "--version", "v1", *root)
    assert (code, "goes with a handbook" in err) == (2, True)
    code, _, err = counted("conflicts", "scan", *root, "--category", "wirte")
    assert (code, "There is no category 'wirte'" in err) == (1, True)
    code, _, err = counted("conflicts", "scan", *root, "--html", tmp_path / "no" / "page.html")
    assert (code, "cannot be written" in err) == (1, True)


def test_a_person_is_asked_in_a_terminal(counted, built):
    counted("search", "表のヘッダー行", "--agent", "writer", "--session", "s", "--root", built)
    environment = dict(os.environ) | {"KISOKU_LANGUAGE": "en", "COLUMNS": "120"}
    main, terminal = pty.openpty()
    command = [sys.executable, "-P", "-m", "kisoku", "conflicts", "decide", "--session", "s", "--root", str(built)]
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment)
    os.close(terminal)
    talk = Talk(main)
    assert "図表規則.xlsx" in talk.until("q = quit")
    os.write(main, b"7\n")
    assert "'7' is none of the choices" in talk.until("q = quit")
    os.write(main, b"1\n")
    talk.until("adopted")
    assert process.wait(timeout=60) == 0
    os.close(main)
    _, out, _ = counted("conflicts", "list", "s", "--root", built, "--json")
    assert [c["status"] for c in json.loads(out)] == ["decided"]


class Talk:
    """What a program writes to a terminal, read up to what is awaited."""

    def __init__(self, terminal):
        self._terminal = terminal
        self._unread = ""

    def until(self, awaited):
        """Return what came up to and with a text; fails after a minute."""
        end = time.monotonic() + 60
        while awaited not in self._unread:
            assert time.monotonic() < end, self._unread
            if select.select([self._terminal], [], [], 1)[0]:
                self._unread += os.read(self._terminal, 4096).decode("utf-8", "replace")
        text, awaited, self._unread = self._unread.partition(awaited)
        return text + awaited
