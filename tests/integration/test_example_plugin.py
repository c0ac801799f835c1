"""The example plugin as users have it: installed, found by its entry point, used in worker processes."""

import importlib.metadata
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples/kisoku-pdf"


def _installed() -> bool:
    try:
        importlib.metadata.version("kisoku-pdf")
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


pytestmark = pytest.mark.skipif(
    not _installed(), reason="kisoku-pdf is not installed: pip install -e examples/kisoku-pdf"
)


def kisoku(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "kisoku", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False)


@pytest.fixture(scope="module")
def writer():
    spec = importlib.util.spec_from_file_location("pdf_writer", EXAMPLE / "tests/pdf_writer.py")
    module = importlib.util.module_from_spec(spec)
    # Its dataclasses look their module up.
    sys.modules["pdf_writer"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def folder(tmp_path: Path, writer) -> Path:
    """A PDF, one with a password, one of pictures, and a Markdown file, all of one category."""
    rules = tmp_path / "rules/write"
    rules.mkdir(parents=True)
    line = writer.Line
    pages = [[line("第1章　日付", 700, size=16), line("日付は西暦で記入し、区切りに斜線を用いる。", 670)]]
    (rules / "日付.pdf").write_bytes(writer.pdf(pages))
    (rules / "secret.pdf").write_bytes(writer.pdf(pages, password=True))
    (rules / "scan.pdf").write_bytes(writer.pdf([[]]))
    (rules / "用語.md").write_text("# 用語\n\n略語は用語集の表記に限る。\n", encoding="utf-8")
    return tmp_path / "rules"


def test_it_is_listed_with_its_distribution() -> None:
    done = kisoku("plugins", "--json")
    assert done.returncode == 0, done.stderr
    plugin = next(plugin for plugin in json.loads(done.stdout) if plugin["name"] == "pdf")
    assert plugin == {
        "name": "pdf",
        "distribution": "kisoku-pdf",
        "version": importlib.metadata.version("kisoku-pdf"),
        "provides": {"kisoku_chunkers": ["pdf"]},
        "lifecycle": [],
        "failures": [],
    }


def test_chunks_come_from_worker_processes_with_typed_errors(folder: Path) -> None:
    done = kisoku("chunks", str(folder), "--jsonl")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    found = {line["file"]: line for line in lines}
    assert set(found) == {"write/日付.pdf", "write/secret.pdf", "write/scan.pdf", "write/用語.md"}
    chunk = found["write/日付.pdf"]
    assert chunk["content"] == "日付は西暦で記入し、区切りに斜線を用いる。"
    assert chunk["headings"] == ["第1章 日付"]
    assert chunk["source_uri"] == "日付.pdf#page!1"
    assert chunk["doc_type"] == "pdf"
    assert found["write/secret.pdf"]["error"].startswith("encrypted: ")
    assert found["write/scan.pdf"]["error"].startswith("unsupported: ")


def test_a_handbook_with_pdf_files_is_built_and_searched(folder: Path, tmp_path: Path) -> None:
    root = str(tmp_path / "handbook")
    built = kisoku("build", str(folder), "--root", root, "--on-error", "skip")
    assert built.returncode == 0, built.stdout + built.stderr
    searched = kisoku("search", "日付の区切り", "--agent", "writer", "--root", root, "--json")
    assert searched.returncode == 0, searched.stdout + searched.stderr
    assert "日付.pdf#page!1" in searched.stdout
