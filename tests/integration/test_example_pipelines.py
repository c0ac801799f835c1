"""The examples of host pipelines run as their README says, over the sample rules."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*command, cwd=None) -> str:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-P", *map(str, command)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
        env=environment,
        cwd=cwd,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def handbook(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("pipelines") / "handbook"
    run("-m", "kisoku", "build", EXAMPLES / "sample-rules/rules", "--root", root)
    return root


def test_the_host_pipeline_keeps_its_loop(handbook, tmp_path):
    told = run(EXAMPLES / "host-pipeline/pipeline.py", handbook, tmp_path / "document.md")
    assert told.startswith("rules: v1\n")
    assert "! 機能一覧: " in told
    assert "* 画面設計: " in told
    document = (tmp_path / "document.md").read_text(encoding="utf-8")
    assert "- [ ] 表のヘッダー行は太字＋下線で記載する。" in document
    metadata = json.loads(document.split("<!-- ")[1].split(" -->")[0])
    assert metadata["rule_version"] == "v1"
    adopted = {m["document"] for d in metadata["conflict_decisions"] for m in d["conflicting_chunks"]
               if m["chunk_id"] == d["adopted"]}  # fmt: skip
    assert adopted == {"記入規則.docx"}
    shown = json.loads(run("-m", "kisoku", "session", "show", "order-system-1", "--root", handbook, "--json"))
    assert [(c["task"]["title"], c["status"]) for c in shown["chapters"]] == [
        ("機能一覧", "finished"),
        ("画面設計", "finished"),
    ]
    assert shown["metadata"]["finished_at"]


@pytest.mark.skipif(importlib.util.find_spec("langgraph") is None, reason="langgraph is not installed")
def test_the_langgraph_pipeline_asks_writes_and_checks(handbook):
    told = run(EXAMPLES / "langgraph/pipeline.py", handbook)
    assert "? " in told
    assert "# 機能一覧" in told
    assert "impact: F001: " in told
    assert "rules v1, " in told
