"""Commands in the three languages: what people read changes, what programs read does not; Tab completes."""

import json
import os
import subprocess
import sys

import pytest

JAPANESE = {
    "build": "v1 をビルドしました：5 文書、",
    "again": "変更はありません。v1 は最新です（5 文書）。",
    "versions": "作成日時",
    "unknown": "エラー: ハンドブックに版 v9 はありません。版：v1。",
    "setting": "エラー: 設定 retrieval.topk はありません（--set retrieval.topk）。retrieval.top_k ではありませんか。",
    "search": "（版 v1、qa、write, design、",
    "rollback": "v1 はすでに有効です。",
}
CHINESE = {
    "build": "已构建 v1：5 份文档，",
    "again": "没有变化：v1 已是最新（5 份文档）。",
    "versions": "创建时间",
    "unknown": "错误: 手册没有版本 v9。现有版本：v1。",
    "setting": "错误: 没有设置项 retrieval.topk（--set retrieval.topk）。是否想写 retrieval.top_k？",
    "search": "（版本 v1，qa，write, design，",
    "rollback": "v1 已是当前版本。",
}


@pytest.mark.parametrize(("language", "said"), [("ja", JAPANESE), ("zh", CHINESE)])
def test_commands_in_a_language(counted, rules, tmp_path, language, said):
    common = ("--root", tmp_path / "h", "--lang", language)
    search = ("search", "パスワードの長さ", "--agent", "qa", *common)
    assert said["build"] in counted("build", rules, *common)[1]
    assert said["again"] in counted("build", rules, *common)[1]
    assert said["versions"] in counted("versions", *common)[1]
    assert said["search"] in counted(*search)[1]
    assert said["rollback"] in counted("rollback", "v1", *common)[1]
    code, out, err = counted("rollback", "v9", *common)
    assert (code, out, err.strip()) == (1, "", said["unknown"])
    code, _, err = counted(*search, "--set", "retrieval.topk=3")
    assert (code, err.strip()) == (1, said["setting"])


def test_the_language_of_a_settings_file_and_of_the_locale(counted, built, tmp_path, monkeypatch):
    config = tmp_path / "c.yaml"
    config.write_text("language: zh\n")
    monkeypatch.delenv("KISOKU_LANGUAGE")
    assert "已是当前版本" in counted("rollback", "v1", "--root", built, "--config", config)[1]
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert "すでに有効です" in counted("rollback", "v1", "--root", built)[1]
    assert "提供内容" in counted("plugins")[1]


@pytest.mark.parametrize(
    "command",
    [
        ("versions",),
        ("versions", "show", "v1"),
        ("config", "show"),
        ("config", "check"),
        ("plugins",),
        ("doctor",),
        ("prune", "--keep", "1", "--dry-run"),
        ("session", "list"),
    ],
    ids=" ".join,
)
def test_json_is_the_same_in_every_language(counted, built, command):
    place = () if command == ("plugins",) else ("--root", built)
    answers = [counted(*command, *place, "--lang", language, "--json") for language in ("en", "ja", "zh")]
    assert {code for code, _, _ in answers} == {0}
    values = [json.loads(out) for _, out, _ in answers]
    if command == ("config", "show"):
        for value in values:
            del value["language"]
    assert values[0] == values[1] == values[2]


def completed(words, folder):
    environment = os.environ | {
        "_KISOKU_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    code = (
        "import sys\nfrom kisoku.adapters.cli.main import run\n"
        "sys.argv = ['kisoku']\ntry:\n    run()\nfinally:\n"
        "    heavy = {'numpy', 'chromadb', 'sqlalchemy'} & set(sys.modules)\n"
        "    assert not heavy, heavy\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        capture_output=True, text=True, timeout=60, check=False, env=environment, cwd=folder,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


def test_tab_completes_names_of_the_handbook(counted, built, tmp_path):
    counted("search", "表のヘッダー行の下線", "--agent", "writer", "--session", "order-01", "--root", built)
    counted("search", "表のヘッダー行の下線", "--agent", "writer", "--session", "other", "--root", built)
    root = f"--root {built}"
    assert completed("kisoku roll", tmp_path) == ["rollback"]
    assert completed(f"kisoku rollback {root} v", tmp_path) == ["v1"]
    assert completed(f"kisoku versions show {root} ", tmp_path) == ["active", "v1"]
    assert completed(f"kisoku conflicts list {root} or", tmp_path) == ["order-01"]
    assert sorted(completed(f"kisoku session show {root} o", tmp_path)) == ["order-01", "other"]
    (conflict, *_) = completed(f"kisoku conflicts show {root} c-", tmp_path)
    assert conflict.startswith("c-")
    assert completed("kisoku search --agent ", tmp_path) == ["writer", "impact", "qa"]
    assert completed("kisoku search --category d", tmp_path) == ["design"]
    assert completed("kisoku search --lang ", tmp_path) == ["ja", "zh", "en"]
    assert completed("kisoku search --set conflicts.j", tmp_path) == ["conflicts.judge="]


def test_tab_without_a_handbook_offers_nothing(tmp_path):
    assert completed("kisoku rollback ", tmp_path) == []
    assert completed("kisoku session show ", tmp_path) == []
    (tmp_path / "kisoku-handbook").mkdir()
    (tmp_path / "kisoku-handbook" / "sessions.db").write_bytes(b"no database at all")
    assert completed("kisoku session show ", tmp_path) == []
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["kisoku-handbook", "sessions.db"]
