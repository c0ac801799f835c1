"""Chunkers of third parties that misbehave in use: each is told by name, the host and the other documents go on.

Faults at import and registration are in the unit tests of the plugin manager.
"""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

SECONDS = 3
HEADER = """
    import os, sys, time
    from kisoku import hookimpl
    from kisoku.domain.blocks import Omission
    from kisoku.domain.chunks import ChunkDraft, ChunkedDocument
    from kisoku.domain.errors import DocumentTooLargeError

    class Chunker:
        doc_type = "odd"
        version = "1"

        def __init__(self, name, suffix):
            self.name = name
            self.suffixes = frozenset({suffix})

    class Sub(ChunkDraft):
        pass

    class Unusual(DocumentTooLargeError):
        def __init__(self, pages):
            self.pages = pages

        def __str__(self):
            return f"It has {self.pages} pages."

    def answer(*drafts):
        return ChunkedDocument(drafts)

    @hookimpl
    def kisoku_chunkers():
        return {NAME: lambda: Mine(NAME, SUFFIX)}
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS is enforced on Linux only")

# What the chunker does with a document, and what is told: category and a part of the message.
FAULTS = {
    "raises": ("raise RuntimeError('no licence\\nsecond line')", "corrupt", "failed .*RuntimeError: no licence"),
    "exits": ("sys.exit('enough')", "corrupt", "failed .*SystemExit: enough"),
    "recurses": ("return self.chunk(document, options, count)", "corrupt", "failed .*RecursionError"),
    "none": ("return None", "corrupt", "returned NoneType instead of a ChunkedDocument"),
    "strings": ("return answer('text')", "corrupt", "returned str instead of chunk drafts"),
    "foreign": ("return answer(Sub(content='text'))", "corrupt", "returned Sub instead of chunk drafts"),
    "orphan": ("return answer(ChunkDraft(content='text', parent=7))", "corrupt", r"a chunk whose parent \(7\)"),
    "blank": ("return answer(ChunkDraft(content=' '))", "corrupt", "returned a chunk without text"),
    "omits": ("return ChunkedDocument((), ('text',))", "corrupt", "failed .*AttributeError"),
    "unusual": ("raise Unusual(7000)", "too-large", "It has 7000 pages"),
    "dies": ("os._exit(3)", "too-large", r"ended the process .*exit code 3"),
    "hangs": ("time.sleep(600)", "too-large", f"took longer than {SECONDS} seconds"),
    "spins": ("while True: pass", "too-large", f"took longer than {SECONDS} seconds"),
    "eats": ("eaten = [bytes(10**7) for _ in range(10**4)]", "too-large", "more memory"),
}


def install(site: Path, name: str, source: str, *, entry: str = "") -> None:
    """Leave a distribution as pip would: module, metadata, entry point."""
    module = name.replace("-", "_")
    (site / f"{module}.py").write_text(source, encoding="utf-8")
    info = site / f"{module}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(f"[kisoku]\n{entry or module} = {module}\n")


def chunker(name: str, body: str, suffix: str = "") -> str:
    source = textwrap.dedent(HEADER).replace("NAME", repr(name)).replace("SUFFIX", repr(suffix or f".{name}"))
    return f"{source}\nclass Mine(Chunker):\n    def chunk(self, document, options, count):\n        {body}\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """Every broken plugin at once, a good one, one that claims a built-in's extension, one of a wrong signature."""
    site = tmp_path_factory.mktemp("site")
    for name, (body, _, _) in FAULTS.items():
        install(site, f"acme-{name}", chunker(name, body))
    install(site, "acme-good", chunker("good", "return answer(ChunkDraft(content='read by a plugin', token_count=4))"))
    greedy = chunker("greedy", "return answer(ChunkDraft(content='stolen'))", ".md")
    install(site, "acme-greedy", greedy.replace("frozenset({suffix})", "frozenset({suffix, '.greedy'})"))
    install(
        site, "acme-wrong", chunker("wrong", "return None").replace("kisoku_chunkers()", "kisoku_chunkers(options)")
    )
    return site


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("documents") / "rules"
    (folder / "write").mkdir(parents=True)
    for name in (*FAULTS, "good", "greedy", "wrong"):
        (folder / f"write/a.{name}").write_text("text")
    (folder / "write/a.md").write_text("# 規則\n\n日付は西暦で書く。\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def kisoku(site: Path):
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "kisoku", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False, env=environment
        )

    return run


LIMITS = ("--set", f"build.document_seconds={SECONDS}", "--set", "build.document_memory_mb=1000")


@pytest.fixture(scope="module")
def chunked(kisoku, folder: Path) -> dict[str, dict[str, object]]:
    """One run over all documents."""
    done = kisoku("chunks", str(folder), "--jsonl", *LIMITS)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {str(line["file"]).removeprefix("write/"): line for line in lines}


@pytest.mark.parametrize("name", [pytest.param(name, marks=LINUX if name == "eats" else ()) for name in FAULTS])
def test_a_chunker_that_fails_is_named_with_distribution_and_version(chunked, name: str) -> None:
    _, category, part = FAULTS[name]
    line = chunked[f"a.{name}"]
    assert str(line["error"]).startswith(f"{category}: ")
    message = str(line["message"])
    assert re.search(part, message)
    assert f"chunker '{name}' of acme-{name} 1.2" in message
    assert "\n" not in message


def test_the_other_documents_are_read(chunked) -> None:
    assert chunked["a.good"]["content"] == "read by a plugin"
    assert chunked["a.good"]["doc_type"] == "odd"
    assert chunked["a.md"]["content"] == "日付は西暦で書く。"


def test_a_built_in_keeps_its_extension_and_the_plugin_its_other_ones(chunked) -> None:
    assert chunked["a.md"]["doc_type"] == "markdown"
    assert chunked["a.greedy"]["content"] == "stolen"


def test_a_plugin_with_a_wrong_signature_reads_nothing(chunked) -> None:
    assert str(chunked["a.wrong"]["error"]).startswith("unsupported: ")


def test_kisoku_plugins_lists_what_is_wrong(kisoku) -> None:
    done = kisoku("plugins", "--json")
    assert done.returncode == 0, done.stderr
    found = {plugin["distribution"]: plugin for plugin in json.loads(done.stdout)}
    assert {plugin["version"] for name, plugin in found.items() if name.startswith("acme-")} == {"1.2"}
    assert found["acme-good"]["failures"] == []
    assert found["acme-good"]["provides"] == {"kisoku_chunkers": ["good"]}
    (greedy,) = found["acme-greedy"]["failures"]
    assert greedy["cause"] == "The chunker 'greedy' claims .md, which the chunker 'markdown' reads already."
    (wrong,) = found["acme-wrong"]["failures"]
    assert "kisoku_chunkers(options)" in wrong["cause"]
    assert found["acme-wrong"]["provides"] == {}


def test_a_build_goes_on_without_the_documents_of_broken_plugins(kisoku, folder: Path, tmp_path: Path) -> None:
    root = str(tmp_path / "handbook")
    done = kisoku("build", str(folder), "--root", root, "--on-error", "skip", "--json", *LIMITS)
    assert done.returncode == 0, done.stdout + done.stderr
    failures = {failure["name"]: failure for failure in json.loads(done.stdout)["failures"]}
    assert set(failures) == {f"a.{name}" for name in (*FAULTS, "wrong")}
    for name in FAULTS:
        assert f"chunker '{name}' of acme-{name} 1.2" in failures[f"a.{name}"]["message"]
    searched = kisoku("search", "日付", "--agent", "writer", "--root", root, "--json")
    assert searched.returncode == 0, searched.stdout + searched.stderr
    assert "日付は西暦で書く。" in searched.stdout


# --- lifecycle hooks

LISTENERS = {
    # Distribution: what it hears and how it fails, what is told.
    "acme-raises": (
        "def kisoku_before_search(query):\n    raise RuntimeError('no licence\\nsecond line')",
        "no licence",
    ),
    "acme-quits": ("def kisoku_before_search(query):\n    sys.exit('enough')", "SystemExit: enough"),
    "acme-number": ("def kisoku_before_search(query):\n    return 42", "returned int instead of a query or None"),
    "acme-slow": ("def kisoku_before_search(query):\n    time.sleep(1.1)", "kept its caller waiting over 1 s"),
    "acme-after": ("def kisoku_after_search(result):\n    result.chunks[0].content = 'changed'", "ValidationError"),
    "acme-talks": ("def kisoku_session_started(session_id):\n    return session_id", "this hook returns nothing"),
    "acme-deep": ("def kisoku_version_locked():\n    return kisoku_version_locked()", "RecursionError"),
}
SILENT = {
    "acme-async": ("async def kisoku_before_search(query):\n    return query", "is async"),
    "acme-signature": ("def kisoku_before_search(text):\n    return text", "kisoku_before_search(text)"),
    "acme-misspelt": ("def kisoku_before_serach(query):\n    return query", "unknown hook 'kisoku_before_serach'"),
    "acme-unmarked": ("", "is not marked with @hookimpl"),
}
"""Found out when they are loaded; these hear nothing."""


@pytest.fixture(scope="module")
def hearing(tmp_path_factory):
    """Run kisoku with every plugin that fails at a lifecycle hook, and one that works, over a handbook."""
    site = tmp_path_factory.mktemp("listeners")
    head = "import sys, time\nfrom kisoku import hookimpl\n\n@hookimpl\n"
    for name, (source, _) in (LISTENERS | SILENT).items():
        install(site, name, head + source if source else "def kisoku_before_search(query):\n    return query\n")
    good = head + "def kisoku_before_search(query, request):\n    return query + 'の書き方'\n"
    install(site, "zeta-good", good)
    folder = tmp_path_factory.mktemp("heard") / "rules"
    (folder / "write").mkdir(parents=True)
    (folder / "write/a.md").write_text("# 規則\n\n日付は西暦で書く。\n", encoding="utf-8")
    root = str(folder.parent / "handbook")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "kisoku", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
        return subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False, env=environment
        )

    built = run("build", str(folder), "--root", root)
    assert built.returncode == 0, built.stderr
    return lambda *arguments: run(*arguments, *(() if arguments[0] == "plugins" else ("--root", root)))


def test_a_search_goes_on_whatever_listeners_do(hearing) -> None:
    done = hearing("search", "日付", "--agent", "writer", "--session", "s", "--lang", "en", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout)
    assert result["chunks"][0]["content"] == "日付は西暦で書く。"
    assert result["query"] == "日付"
    stage = result["trace"][0]
    assert stage["stage"] == "before_search"
    assert (stage["details"]["query"], stage["details"]["changed_by"]) == ("日付の書き方", ["zeta_good"])
    notices = [n["detail"] for n in result["notices"] if n["code"] == "plugin_failed"]
    for name in ("acme-raises", "acme-quits", "acme-number", "acme-after"):
        (told,) = [n for n in notices if n.startswith(name.replace("-", "_"))]
        assert LISTENERS[name][1] in told
        assert "\n" not in told
    for name, (_, cause) in LISTENERS.items():
        assert re.search(rf"plugin {name.replace('-', '_')}: kisoku_\w+: .*{re.escape(cause)}", done.stderr), name
    assert "Traceback" not in done.stderr


def test_kisoku_plugins_lists_who_hears_what_and_who_cannot(hearing) -> None:
    done = hearing("plugins", "--json")
    assert done.returncode == 0, done.stderr
    found = {plugin["distribution"]: plugin for plugin in json.loads(done.stdout)}
    assert found["zeta-good"]["lifecycle"] == ["kisoku_before_search"]
    assert found["zeta-good"]["failures"] == []
    assert found["acme-after"]["lifecycle"] == ["kisoku_after_search"]
    for name, (_, cause) in SILENT.items():
        assert found[name]["lifecycle"] == []
        assert any(cause in failure["cause"] for failure in found[name]["failures"]), name
    table = hearing("plugins")
    assert "hears: before_search" in table.stdout
