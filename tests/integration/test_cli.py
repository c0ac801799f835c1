"""The command line: every command, JSON for programs, one clear sentence for what goes wrong."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMANDS = (
    "build", "search", "versions", "rollback", "chunks", "demo", "plugins", "trace", "eval retrieval", "eval beir",
    "eval conflicts", "conflicts list", "conflicts show", "conflicts decide", "conflicts carry",
    "conflicts scan", "config show",
)  # fmt: skip


def assert_one_sentence(result, *told):
    code, out, err = result
    assert code == 1, (out, err)
    assert out == ""
    lines = [line for line in err.splitlines() if line.strip()]
    assert lines
    assert lines[-1].startswith("error: ")
    assert "Traceback" not in err
    for text in told:
        assert text in err, err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(kisoku, command):
    code, out, _ = kisoku(*command.split(), "--help")
    assert code == 0
    assert re.search(rf"Usage: .*{command}", out)


def test_the_list_of_commands_is_whole(kisoku):
    _, out, _ = kisoku("--help")
    listed = set(re.findall(r"^\W*([a-z]+)  +[A-Z]", out, re.MULTILINE))
    assert {c.split()[0] for c in COMMANDS} <= listed


def test_build_search_versions_rollback(counted, rules, tmp_path):
    root = ("--root", tmp_path / "規則　集")
    code, out, _ = counted("build", rules, *root)
    assert code == 0
    assert "Built v1: 5 documents" in out
    code, out, _ = counted("build", rules, *root)
    assert (code, out.strip()) == (0, "No change: v1 is up to date (5 documents).")
    (rules / "ref" / "参考設計書.md").unlink()
    code, out, _ = counted("build", rules, *root, "--json")
    report = json.loads(out)
    assert (code, report["version"], report["previous"], report["deleted"]) == (0, "v2", "v1", ["参考設計書.md"])
    assert report["chunks"]["embedded"] == 0
    assert {d["state"] for d in report["documents"]} == {"unchanged"}

    code, out, _ = counted("search", "パスワードの長さ", "--agent", "impact", *root, "--trace")
    assert code == 0
    assert "命名規則.md" in out
    assert "rerank" in out
    code, out, _ = counted("search", "パスワードの長さ", "--agent", "impact", *root, "--json")
    found = json.loads(out)
    assert found["version"] == "v2"
    assert found["chunks"][0]["doc_id"] == "命名規則.md"
    code, out, _ = counted("search", "パスワードの長さ", "--agent", "impact", *root, "--context", "--lang", "ja")
    assert "【" in out
    assert "(出典: 命名規則.md" in out

    code, out, _ = counted("versions", *root, "--json")
    assert [(m["version"], m["active"]) for m in json.loads(out)] == [("v1", False), ("v2", True)]
    code, out, _ = counted("rollback", "v1", *root)
    assert (code, out.strip()) == (0, "Active: v1 (was v2). New sessions use it.")
    code, out, _ = counted("rollback", "v1", *root, "--json")
    assert json.loads(out) == {"version": "v1", "previous": "v1"}
    code, out, _ = counted("versions", *root)
    assert re.search(r"\*\s+v1", out)
    assert (tmp_path / "規則　集" / "active.json").is_file()


def test_conflicts_and_traces(counted, built):
    root = ("--root", built)
    _, out, _ = counted("search", "表のヘッダー行の下線", "--agent", "writer", "--session", "s", *root, "--json")
    found = json.loads(out)
    (conflict,) = found["conflicts"]
    code, out, _ = counted("conflicts", "list", "s", *root)
    assert code == 0
    assert conflict["conflict_id"] in out
    code, out, _ = counted("conflicts", "decide", conflict["conflict_id"], "記入規則.docx", *root, "--json")
    assert json.loads(out)["adopted"].startswith("rules-write_v1_")
    _, out, _ = counted("conflicts", "list", "s", *root, "--json")
    assert [g["status"] for g in json.loads(out)] == ["decided"]
    code, out, _ = counted("trace", *root)
    assert found["trace_id"] in out
    code, out, _ = counted("trace", found["trace_id"], *root, "--json")
    assert [s["stage"] for s in json.loads(out)["retrieval_details"]["stages"]][-1] == "conflicts"
    code, out, _ = counted("trace", found["trace_id"], *root)
    assert "fusion" in out
    assert_one_sentence(counted("trace", "nothing", *root), "There is no trace 'nothing'")
    assert_one_sentence(counted("conflicts", "decide", "c-0", "1", *root), "There is no conflict 'c-0'")
    assert_one_sentence(counted("conflicts", "decide", conflict["conflict_id"], "9", *root), "is no decision")


def test_plugins_and_config(kisoku, tmp_path):
    _, out, _ = kisoku("plugins", "--json")
    names = {p["name"]: p for p in json.loads(out)}
    assert names["builtin"]["provides"]["kisoku_chunkers"] == ["word", "excel", "powerpoint", "markdown"]
    assert kisoku("plugins")[0] == 0
    config = tmp_path / "c.yaml"
    config.write_text("retrieval: {top_k: 9}")
    _, out, _ = kisoku("config", "show", "--config", config, "--set", "rerank.candidates=7", "--json")
    shown = json.loads(out)
    assert shown["retrieval.top_k"] == {"value": 9, "from": str(config)}
    assert shown["rerank.candidates"] == {"value": 7, "from": "--set rerank.candidates"}
    assert shown["language"] == {"value": "en", "from": "variable KISOKU_LANGUAGE"}
    assert shown["keyword.adapter"]["from"] == "rag.yaml"
    assert kisoku("config", "show")[0] == 0


def test_chunks_as_json_lines(counted, rules):
    (rules / "write" / "空.docx").write_bytes(b"")
    (rules / "write" / "~$記入規則.docx").write_bytes(b"x")
    code, out, _ = counted("chunks", rules, "--jsonl")
    assert code == 0
    lines = [json.loads(line) for line in out.splitlines()]
    chunks, errors = [x for x in lines if "content" in x], [x for x in lines if "error" in x]
    for chunk in chunks:
        assert set(chunk) >= {"file", "content", "headings", "source_uri", "doc_type", "kind"}
    assert {c["file"] for c in chunks} == {
        "write/記入規則.docx", "write/図表規則.xlsx", "design/設計方針.pptx", "design/命名規則.md", "ref/参考設計書.md",
    }  # fmt: skip
    assert {e["file"]: e["error"].split(":")[0] for e in errors} == {
        "write/空.docx": "corrupt",
        "write/~$記入規則.docx": "skip",
    }
    assert all(e["message"] for e in errors)
    code, out, _ = counted("chunks", rules / "write" / "記入規則.docx", "--jsonl")
    assert {json.loads(line)["file"] for line in out.splitlines()} == {"記入規則.docx"}
    code, out, err = counted("chunks", rules)
    assert code == 0
    assert "空.docx: corrupt" in err


def test_eval_retrieval(counted, rules, tmp_path):
    queries, run_file, chunks_file = tmp_path / "q.jsonl", tmp_path / "run.jsonl", tmp_path / "chunks.jsonl"
    entries = [
        {"id": "q1", "query": "パスワードの長さ", "agent": "impact", "gold": ["x"]},
        {"id": "q2", "query": "文末の\u2028書き方", "context": {"chapter": "文体"}},
    ]
    queries.write_text(
        "\ufeff" + "\n\n".join(json.dumps(e, ensure_ascii=False) for e in entries) + "\n", encoding="utf-8"
    )
    arguments = ("--docs", rules, "--queries", queries, "--out", run_file)
    code, out, err = counted("eval", "retrieval", *arguments, "--chunks-out", chunks_file, "--agent-context", "--json")
    assert code == 0, err
    summary = json.loads(out)
    assert (summary["documents"], summary["queries"]) == (5, 2)
    lines = [json.loads(line) for line in run_file.read_text(encoding="utf-8").split("\n") if line]
    assert [line["id"] for line in lines] == ["q1", "q2"]
    for line in lines:
        assert set(line) == {"id", "chunks", "refused", "latency_ms"}
        assert 0 < len(line["chunks"]) <= 10
        assert set(line["chunks"][0]) == {"doc_id", "content", "score", "headings"}
    assert lines[0]["chunks"][0]["doc_id"] == "命名規則.md"
    chunks = [json.loads(line) for line in chunks_file.read_text(encoding="utf-8").split("\n") if line]
    assert len(chunks) == summary["chunks"]
    bad = tmp_path / "nowhere" / "run.jsonl"
    assert_one_sentence(
        counted("eval", "retrieval", "--docs", rules, "--queries", queries, "--out", bad), "cannot be written"
    )
    queries.write_text('{"id": "q1"}\n')
    assert_one_sentence(counted("eval", "retrieval", *arguments), "line 1: query: Field required")


def test_eval_beir(counted, tmp_path):
    def lines(name, entries):
        (tmp_path / name).write_text("\n".join(json.dumps(e, ensure_ascii=False) for e in entries), encoding="utf-8")

    lines("corpus.jsonl", [
        {"_id": "d1", "title": "表", "text": "表の見出しは太字にする。"},
        {"_id": "d2", "title": "図", "text": "図の題名は図の下に置く。"},
        {"_id": "d3", "title": "", "text": "パスワードは12文字以上とする。"},
    ])  # fmt: skip
    lines("queries.jsonl", [{"_id": "q1", "text": "パスワードの長さ"}, {"_id": "q2", "text": "図の題名はどこに置くか"},
                            {"_id": "q3", "text": "判定のない質問"}])  # fmt: skip
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td3\t1\nq2\td2\t2\nq2\td9\t0\n")
    code, out, err = counted("eval", "beir", tmp_path, "--json")
    assert code == 0, err
    report = json.loads(out)
    assert (report["queries"], report["passages"]) == (2, 3)
    stages = {s["stage"]: s for s in report["stages"]}
    assert {"vector", "keyword", "fusion", "final"} <= set(stages)
    assert stages["final"]["ndcg_10"] == stages["final"]["mrr_10"] == stages["final"]["recall_10"] == 1.0
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td3\n")
    assert_one_sentence(counted("eval", "beir", tmp_path), "line 2: expected query, passage, grade")
    assert_one_sentence(counted("eval", "beir", tmp_path / "qrels"), "no qrels.tsv")


@pytest.fixture
def bad(rules, built, tmp_path):
    """Arguments of every bad input, and what must be told."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "flat").mkdir()
    (tmp_path / "flat" / "a.docx").write_bytes(b"x")
    (rules / "write" / "空.docx").write_bytes(b"")
    file = tmp_path / "file"
    file.write_text("x")
    search = ("search", "表", "--root", built)
    return {
        "empty folder": (("build", tmp_path / "empty", "--root", built), ("is empty",)),
        "no folder": (("build", tmp_path / "none", "--root", built), ("does not exist",)),
        "no categories": (("build", tmp_path / "flat", "--root", built), ("no category", "write/, design/ or ref/")),
        "unreadable file": (("build", rules, "--root", built), ("空.docx: corrupt", "1 of 6 documents cannot be read")),
        "wrong on-error": (("build", rules, "--root", built, "--on-error", "ignore"), ("build.on_error",)),
        "unknown agent": ((*search, "--agent", "wirter"), ("Did you mean writer?",)),
        "unknown category": ((*search, "--agent", "qa", "--category", "rules"), ("write, design, ref",)),
        "empty query": (("search", " ", "--agent", "qa", "--root", built), ("The query is empty",)),
        "unknown version": ((*search, "--agent", "qa", "--version", "v9"), ("no version v9", "Versions: v1.")),
        "no version name": ((*search, "--agent", "qa", "--version", "latest"), ("no version name",)),
        "rollback to nothing": (("rollback", "v9", "--root", built), ("no version v9",)),
        "rollback without handbook": (("rollback", "v1", "--root", tmp_path / "new"), ("no version v1",)),
        "wrong key": ((*search, "--agent", "qa", "--set", "retrieval.topk=3"), ("Did you mean retrieval.top_k?",)),
        "wrong value": ((*search, "--agent", "qa", "--set", "retrieval.top_k=0"), ("greater than or equal to 1",)),
        "no assignment": ((*search, "--agent", "qa", "--set", "top"), ("no assignment",)),
        "wrong language": ((*search, "--agent", "qa", "--lang", "fr"), ("language",)),
        "no config": ((*search, "--agent", "qa", "--config", tmp_path / "no.yaml"), ("No such file",)),
        "no profile": ((*search, "--agent", "qa", "--profile", "bge"), ("Profiles: bge-m3",)),
        "top_k": ((*search, "--agent", "qa", "--top-k", "0"), ("between 1 and 100",)),
        "root is a file": (("build", rules, "--root", file, "--on-error", "skip"), ("cannot be created",)),
        "session root is a file": (
            ("search", "表", "--agent", "qa", "--session", "s", "--root", file), ("cannot be created",),
        ),
        "chunks of nothing": (("chunks", tmp_path / "none"), ("does not exist",)),
        "unknown embedder": (
            ("build", rules, "--root", built, "--set", "embedding.adapter=ues", "--on-error", "skip"),
            ("no embedder named 'ues'", "Did you mean 'use'?"),
        ),
        "unknown reranker": (("eval", "conflicts", "pears", file, "--out", tmp_path / "o"), ("Say pairs or sets",)),
        "queries missing": (
            ("eval", "retrieval", "--docs", rules, "--queries", tmp_path / "none", "--out", tmp_path / "o"),
            ("none cannot be read",),
        ),
    }  # fmt: skip


BAD = (
    "empty folder", "no folder", "no categories", "unreadable file", "wrong on-error", "unknown agent",
    "unknown category", "empty query", "unknown version", "no version name", "rollback to nothing",
    "rollback without handbook", "wrong key", "wrong value", "no assignment", "wrong language", "no config",
    "no profile", "top_k", "root is a file", "session root is a file", "chunks of nothing", "unknown embedder",
    "unknown reranker", "queries missing",
)  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_clear_sentence_and_nothing_is_lost(counted, bad, built, name):
    assert set(BAD) == set(bad)
    before = (built / "active.json").read_text()
    arguments, told = bad[name]
    assert_one_sentence(counted(*arguments), *told)
    assert (built / "active.json").read_text() == before
    assert (built / "manifests" / "v1.json").is_file()


def test_a_handbook_that_another_process_writes(counted, built, rules):
    code = (
        "import pathlib, sys, time\n"
        "from kisoku.adapters.handbook.filesystem import FilesystemHandbookStore\n"
        "with FilesystemHandbookStore(pathlib.Path(sys.argv[1])).write_lock():\n"
        "    print('held', flush=True); time.sleep(60)\n"
    )
    holder = subprocess.Popen([sys.executable, "-P", "-c", code, str(built)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "held\n"
        assert_one_sentence(counted("build", rules, "--root", built), f"is being written by process {holder.pid} on ")
    finally:
        holder.kill()
        holder.communicate()


def test_a_bad_document_can_be_skipped(counted, built, rules):
    (rules / "write" / "空.docx").write_bytes(b"")
    code, out, err = counted("build", rules, "--root", built, "--on-error", "skip")
    assert code == 0
    assert "Built v2" in out
    assert "left out 空.docx: corrupt" in err


def test_document_text_cannot_drive_the_terminal(counted, tmp_path):
    (tmp_path / "r" / "write").mkdir(parents=True)
    (tmp_path / "r" / "write" / "規則.md").write_text(
        "# 規則 [bold red]x[/]\n\n表の見出しは\u202e太字で書く。[link=http://x]y[/link]\n", encoding="utf-8"
    )
    root = ("--root", tmp_path / "h")
    code, _, err = counted("build", tmp_path / "r", *root)
    assert code == 0, err
    for arguments in (("search", "表の見出し", "--agent", "writer", *root), ("chunks", tmp_path / "r")):
        code, out, _ = counted(*arguments)
        assert code == 0
        assert "\u202e" not in out
        assert "[bold red]" in out


def script(*arguments, **options):
    """The installed command, in a process of its own."""
    environment = os.environ | {"KISOKU_LANGUAGE": "en"} | options.pop("env", {})
    return subprocess.run(
        [sys.executable, "-P", "-m", "kisoku", *map(str, arguments)],
        capture_output=True, text=True, timeout=120, check=False, env=environment, **options,
    )  # fmt: skip


def test_the_command_in_a_process_of_its_own(built, tmp_path):
    done = script("versions", "--root", built, "--json")
    assert done.returncode == 0, done.stderr
    assert [m["version"] for m in json.loads(done.stdout)] == ["v1"]
    done = script("rollback", "v9", "--root", built)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "error: The handbook has no version v9. Versions: v1.\n"
    done = script(
        "search", b"\xff\xfe".decode("utf-8", "surrogateescape"), "--agent", "qa", "--root", tmp_path / "none"
    )
    assert done.returncode == 0, done.stderr


def test_output_into_a_closed_pipe_is_no_traceback():
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "kisoku", "config", "show", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert "Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_ctrl_c_stops_without_a_traceback_and_nothing_is_left(rules, tmp_path):
    root = tmp_path / "h"
    for number in range(60):
        text = "\n\n".join(f"規則{number}-{n}は必ず守り、例外は記録する。" for n in range(60))
        (rules / "write" / f"規則{number}.md").write_text(f"# 規則\n\n{text}\n", encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "kisoku", "build", str(rules), "--root", str(root)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | {"KISOKU_BUILD__WORKERS": "0"},
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not (root / ".write.owner").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    # 130 for a shell, also when the process ends by the signal itself.
    assert process.returncode in {130, -signal.SIGINT}, (out, err)
    assert "Traceback" not in err
    assert [p for p in root.rglob("*") if p.is_file() and not p.name.startswith(".write.lock")] == []


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from kisoku.adapters.cli import main\n"
        "heavy = {'numpy', 'chromadb', 'docx', 'openpyxl', 'pptx', 'sudachipy', 'sqlalchemy', 'bm25s', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


def test_the_root_of_the_working_folder_is_the_default(tmp_path, built):
    (tmp_path / "here").mkdir()
    Path(built).rename(tmp_path / "here" / "kisoku-handbook")
    done = script("versions", "--json", cwd=tmp_path / "here")
    assert [m["version"] for m in json.loads(done.stdout)] == ["v1"]
