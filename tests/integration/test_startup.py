"""What a search in a fresh process leaves alone; how long that takes is measured by benchmarks/startup.py."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from kisoku import Kisoku
from kisoku.config.loading import load_settings
from kisoku.orchestration.building.progress import BuildReport

QUERY = "表の見出し行は塗りつぶす？"
HEAVY = (
    # Chroma's client with what it brings; a published version is read without it.
    "chromadb", "opentelemetry", "grpc", "httpx", "jsonschema", "posthog", "onnxruntime", "tokenizers",
    # Readers of documents, and the writer's lock.
    "docx", "openpyxl", "pptx", "lxml", "filelock",
    # Other models, servers, and the tokenizer of a language that was not asked for.
    "torch", "transformers", "sentence_transformers", "openai", "mcp", "redis", "structlog", "scipy", "numba",
    # Parts of kisoku that write, build or repair.
    "kisoku.orchestration.generation", "kisoku.orchestration.building.build", "kisoku.orchestration.building.plan",
    "kisoku.orchestration.doctor", "kisoku.orchestration.evaluation", "kisoku.orchestration.handbook",
    "kisoku.orchestration.lookup", "kisoku.orchestration.conflict_scan", "kisoku.adapters.chunking",
)  # fmt: skip


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory, build: Callable[..., BuildReport]) -> Path:
    """A handbook with the bundled model and the settings that kisoku comes with."""
    folder = tmp_path_factory.mktemp("startup")
    rules = folder / "rules" / "write"
    rules.mkdir(parents=True)
    (rules / "表.md").write_text("# 表\n\n表の見出し行は灰色で塗りつぶす。\n", encoding="utf-8")
    root = folder / "handbook"
    with Kisoku(load_settings(environment={}, overrides={"root": root}).settings) as app:
        build(app, rules.parent)
    return root


@pytest.mark.parametrize("options", [[], ["--json"], ["--trace"]])
def test_a_search_loads_nothing_that_it_does_not_use(embedded: Path, options: list[str]) -> None:
    arguments = [
        "kisoku",
        "search",
        "表の見出し行は塗りつぶす？",
        "--agent",
        "writer",
        "--root",
        str(embedded),
        *options,
    ]
    code = (
        "import sys\nfrom kisoku.adapters.cli.main import run\n"
        f"sys.argv = {arguments!r}\n"
        "try:\n    run()\nexcept SystemExit as ended:\n    assert not ended.code\n"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert "灰色で塗りつぶす" in done.stdout, done.stderr
    assert done.stderr.splitlines()[-1] == "[]"
