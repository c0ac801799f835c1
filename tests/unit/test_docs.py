"""The documentation is held to the code: generated pages, names, links, and every snippet that can run."""

import importlib.metadata
import importlib.util
import inspect
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
import typing
from pathlib import Path

import kisoku
import pytest
import typer
import yaml
from kisoku.adapters.cli.main import app
from kisoku.config.lexicon import load_lexicon
from kisoku.config.settings import Settings
from kisoku.domain import errors
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.notices import NoticeCode
from kisoku.domain.search import SearchContext
from kisoku.plugins import specs
from kisoku.plugins.lifecycle import LIFECYCLE_HOOKS
from kisoku.plugins.manager import REGISTRATION_HOOKS, PluginManager
from pydantic import BaseModel

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(DOCS.glob("*.md")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "examples/README.md", "benchmarks/README.md")),
]
TEXT = {page: page.read_text(encoding="utf-8") for page in PAGES}
EVERYTHING = "\n".join(TEXT.values())
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return [body for found, body in FENCE.findall(text) if found == language]


def generator():
    spec = importlib.util.spec_from_file_location("kisoku_docs_generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def commands(command, path=("kisoku",)):
    children = getattr(command, "commands", None)
    if children is None:
        yield path, command
        return
    if command.invoke_without_command:
        yield path, command
    for name, child in children.items():
        yield from commands(child, (*path, name))


COMMANDS = dict(commands(typer.main.get_command(app)))


def setting_keys(model=Settings, path=""):
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from setting_keys(kind, f"{path}{name}.")
        else:
            yield f"{path}{name}"


# --- generated pages


@pytest.mark.parametrize("name", ["cli.md", "settings.md", "hooks.md", "notices.md", "api.md"])
def test_generated_page_is_up_to_date(name):
    assert page(name) == generator().PAGES[name](), "run: python docs/generate.py"


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_command_and_option_is_documented(path):
    section = page("cli.md").split(f"\n## {' '.join(path)}\n", 1)[1].split("\n## ", 1)[0]
    for parameter in COMMANDS[path].params:
        for option in parameter.opts if parameter.param_type_name == "option" else [parameter.name.upper()]:
            assert f"`{option}`" in section


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_option_has_help(path):
    assert COMMANDS[path].help
    assert [p.name for p in COMMANDS[path].params if not p.help] == []


def test_every_setting_is_documented_with_a_meaning():
    rows = dict(re.findall(r"^\| `([\w.]+)` \|.*\| (.+) \|$", page("settings.md"), re.MULTILINE))
    assert sorted(rows) == sorted(setting_keys())
    assert all(meaning.strip() for meaning in rows.values())


def test_settings_named_anywhere_exist():
    keys = set(setting_keys())
    sections = {key.rpartition(".")[0] for key in keys} | {key.partition(".")[0] for key in keys}
    tops = "|".join(Settings.model_fields)
    named = set(re.findall(rf"`((?:{tops})\.[\w.]+)`", EVERYTHING)) | set(re.findall(r"--set '?([\w.]+)=", EVERYTHING))
    methods = {name for name in named if hasattr(kisoku.RagService, name.rpartition(".")[2])}
    known = keys | sections | {"conflicts.overruled"} | methods
    assert {name for name in named if name not in known} == set()


# --- names


@pytest.mark.parametrize("hook", [*REGISTRATION_HOOKS, *LIFECYCLE_HOOKS])
def test_every_hook_is_documented_with_its_arguments(hook):
    arguments = ", ".join(inspect.signature(getattr(specs, hook)).parameters)
    text = page("write-a-plugin.md")
    assert f"### `{hook}({arguments})`" in text
    assert f"| `{hook}({arguments})` |" in text


def test_every_specification_is_a_known_hook():
    assert {name for name in vars(specs) if name.startswith("kisoku_")} == {*REGISTRATION_HOOKS, *LIFECYCLE_HOOKS}


@pytest.mark.parametrize("name", kisoku.__all__)
def test_every_public_name_is_mentioned(name):
    assert re.search(rf"\b{name}\b", EVERYTHING)


def subclasses(kind):
    return [kind, *(x for child in kind.__subclasses__() for x in subclasses(child))]


@pytest.mark.parametrize(
    "error", [e for e in subclasses(errors.KisokuError) if e.__module__ == errors.__name__], ids=lambda e: e.__name__
)
def test_every_error_is_documented(error):
    text = page("errors.md")
    assert re.search(rf"\b{error.__name__}\b", text)
    if issubclass(error, errors.DocumentError) and error is not errors.DocumentError:
        assert f"| `{error.__name__}` | `{error.category}` |" in text
    elif error is not errors.KisokuError:
        assert f"| `{error.__name__}` | `{error.code}` |" in text


def test_every_notice_and_context_field_is_documented():
    text = page("search.md")
    assert [code for code in typing.get_args(NoticeCode) if f"`{code}`" not in text] == []
    assert [name for name in SearchContext.model_fields if f"`{name}`" not in text] == []


def test_every_extension_is_documented():
    table = page("build-and-versions.md").split("| format | extensions |", 1)[1].split("\n\n", 1)[0]
    chunkers = PluginManager(load_entry_points=False).chunkers().values()
    assert set(re.findall(r"`(\.\w+)`", table)) == {suffix for chunker in chunkers for suffix in chunker.suffixes}


# --- dependencies


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    return {re.match(r"[\w.-]+", line)[0] for line in lines}


def dependency_rows() -> dict[str, list[str]]:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page("dependencies.md").splitlines()]
    return {row[0]: row for row in rows if len(row) >= 5 and row[0] not in {"package", "---"}}


def test_dependencies_are_those_of_the_project():
    assert set(dependency_rows()) == declared()
    assert all(all(row) for row in dependency_rows().values())


def test_licences_are_those_of_the_metadata():
    families = {
        "Apache": "apache",
        "MIT": "mit",
        "BSD": "bsd",
        "PSF": "psf|python software",
        "MPL": "mpl|mozilla",
        "LGPL": "lgpl",
    }
    for name, row in dependency_rows().items():
        try:
            metadata = importlib.metadata.metadata(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # an extra that is not installed here
        known = " ".join(
            (
                metadata.get("License-Expression") or "",
                (metadata.get("License") or "")[:200],
                *(c for c in metadata.get_all("Classifier") or [] if c.startswith("License")),
            )
        ).lower()
        documented = next(cell for cell in row if re.match("|".join(families), cell))
        for family, pattern in families.items():
            if family in documented:
                assert re.search(pattern, known), (name, documented, known)


# --- links and style


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", TEXT[path])):
        assert not target.startswith(("/", "http")), target
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        assert found.exists(), target
        if anchor:
            assert anchor in anchors(found.read_text(encoding="utf-8")), target


def test_every_page_is_linked_from_the_readme():
    linked = {(ROOT / target).resolve() for target in re.findall(r"\]\(([^)\s#]+)\)", TEXT[ROOT / "README.md"])}
    assert {p for p in PAGES if p.name != "README.md" or p.parent != ROOT} - linked == set()


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_no_machine_paths_no_open_points(path):
    text = TEXT[path]
    assert re.findall(r"(?<![\w.])/(?:home|root|work|tmp|usr|opt|var|Users|mnt)/\S*|\b[A-Z]:\\\\", text) == []
    assert re.findall(r"\b(?:TODO|FIXME|TBD|XXX)\b", text) == []
    assert [line for line in text.splitlines() if line != line.rstrip()] == []


def navigation(entries) -> list[str]:
    return [
        page
        for entry in entries
        for found in (entry.values() if isinstance(entry, dict) else [entry])
        for page in ([found] if isinstance(found, str) else navigation(found))
    ]


def site_hooks():
    spec = importlib.util.spec_from_file_location("kisoku_docs_site", DOCS / "site_hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_site_has_every_page_once():
    listed = navigation(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    assert len(listed) == len(set(listed))
    assert set(listed) == {p.name for p in DOCS.glob("*.md")} | set(site_hooks().OUTSIDE.values())


def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("mkdocs", reason="mkdocs comes with the dev extra")
    site = tmp_path / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(site)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {p.name for p in site.glob("*.html")}
    assert {"index.html", "architecture.html", "api.html", "changelog.html"} <= pages
    # Nothing is loaded from elsewhere: the site works without a network.
    loaded = re.compile(r"""<(?:script|link|img)[^>]+(?:src|href)=["']https?://""")
    assert [p.name for p in site.rglob("*.html") if loaded.search(p.read_text(encoding="utf-8"))] == []


def test_every_port_and_adapter_folder_is_in_the_architecture():
    table = page("architecture.md").split("## Ports and adapters", 1)[1].split("\n## ", 1)[0]
    ports = {p.stem for p in (ROOT / "ports").glob("*.py")} - {"__init__", "vectors", "numeric_threads"}
    assert {
        name for row in re.findall(r"^\| (`.+?`) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    } == ports
    folders = {p.name for p in (ROOT / "adapters").iterdir() if (p / "__init__.py").is_file()} - {"cli", "mcp"}
    assert set(re.findall(r"`adapters/(\w+)`", table)) == folders
    drawn = (DOCS / "images" / "house.svg").read_text(encoding="utf-8")
    assert [name for name in folders if f">{name}<" not in drawn] == []


# --- commands and snippets


def command_lines():
    for path, text in TEXT.items():
        lines = [line for _, body in FENCE.findall(text) for line in body.splitlines()]
        lines += [line.strip() for line in text.splitlines() if line.startswith("    kisoku ")]
        lines += re.findall(r"`(kisoku [^`]+)`", FENCE.sub("", text))
        for line in lines:
            if line.startswith("kisoku ") and path.name != "cli.md":
                yield path.name, line


@pytest.mark.parametrize(("where", "line"), sorted(set(command_lines())))
def test_documented_commands_exist(where, line):
    words = shlex.split(line, comments=True)
    named = next((path for path in COMMANDS if words[: len(path)] == list(path)), None)
    if named is None:
        # A group or the bare command, named in running text.
        assert any(path[: len(words)] == tuple(words) for path in COMMANDS) or words[1].startswith("--"), where
        return
    options = {option for parameter in COMMANDS[named].params for option in parameter.opts}
    assert [word for word in words if word.startswith("--") and word not in options] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_python_snippets_compile(path):
    for number, body in enumerate(blocks(TEXT[path], "python")):
        compile(body, f"{path.name}:{number}", "exec")


def run(command: list[str], folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("KISOKU_")}
    environment |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(folder),
        "PYTHONUTF8": "1",
        "LC_ALL": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def run_snippets(text: str, folder: Path) -> tuple[str, str]:
    """Run the shell snippets of a page in order, then its Python snippets, each as a user would."""
    shell = run(["bash", "-e", "-c", "\n".join(blocks(text, "sh"))], folder)
    script = folder / "snippet.py"
    script.write_text("\n".join(blocks(text, "python")), encoding="utf-8")
    return shell, run([sys.executable, str(script)], folder)


@pytest.fixture(scope="module")
def readme_folder(tmp_path_factory):
    """The folder in which the snippets of the README ran."""
    folder = tmp_path_factory.mktemp("readme")
    shell, python = run_snippets(TEXT[ROOT / "README.md"], folder)
    (folder / "shell.txt").write_text(shell, encoding="utf-8")
    (folder / "python.txt").write_text(python, encoding="utf-8")
    return folder


def test_readme_snippets_run(readme_folder):
    shell = (readme_folder / "shell.txt").read_text(encoding="utf-8")
    assert "Built v1" in shell
    assert "Built v2" in shell
    assert "embedded 1," in shell
    assert "Active: v1 (was v2)" in shell
    python = (readme_folder / "python.txt").read_text(encoding="utf-8")
    assert "表のヘッダー行は太字とし、下線を引く。" in python
    assert '"rule_version": "v1"' in python


def test_getting_started_snippets_run(tmp_path):
    shell, python = run_snippets(page("getting-started.md"), tmp_path)
    assert "Built v1: 8 documents" in shell
    assert "Built v2: 8 documents" in shell
    assert "No change: v2 is up to date" in shell
    assert "c-" in shell.split("Active: v1 (was v2)")[1]
    assert "conflict:" in python
    assert '"adopted": "rules-write_v3_' in python


def test_pipeline_snippets_run(readme_folder):
    text = page("embed-in-a-pipeline.md")
    wanted = [b for b in blocks(text, "python") if b.startswith("from kisoku import S")]
    assert len(wanted) == 3
    script = "\n".join(
        [
            "from kisoku import Kisoku",
            'app = Kisoku.open(root="kisoku-handbook")',
            'session_id, paragraph = "pipeline", "図の表題は60文字とする。"',
            *wanted,
            'prompt, conflicts = rules_for_chapter(app, session_id, "機能一覧", ["表の書式", "図の表題"])',
            'assert "出典" in prompt and conflicts == []',
            'assert impact.chunks[0].category == "design" and qa.chunks and lost == frozenset()',
            "app.close()",
        ]
    )
    run([sys.executable, "-c", script], readme_folder)


def test_plugin_example_keeps_its_contract(tmp_path):
    files = {}
    for body in blocks(page("write-a-plugin.md"), "python"):
        name = re.match(r"# (\S+\.py)\n", body)[1]
        files[name] = body
        (tmp_path / name).write_text(body, encoding="utf-8")
    assert sorted(files) == ["kisoku_csv.py", "kisoku_journal.py", "test_kisoku_csv.py"]
    run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_kisoku_csv.py"], tmp_path)
    script = (
        "import kisoku_csv\nfrom kisoku.plugins.manager import PluginManager\n"
        "plugins = PluginManager(load_entry_points=False)\nplugins.register(kisoku_csv, 'csv')\n"
        "assert plugins.failures == []\nassert plugins.chunkers()['csv'].suffixes == {'.csv'}"
    )
    run([sys.executable, "-c", script], tmp_path)


@pytest.fixture(scope="module")
def contradicting(tmp_path_factory):
    """A folder with a handbook of two documents that contradict each other."""
    folder = tmp_path_factory.mktemp("contradicting")
    (folder / "rules/write").mkdir(parents=True)
    rules = {"記入規則": "表のヘッダー行は太字とし、下線を引く。", "図表規則": "表のヘッダー行に下線は付けない。"}
    for name, rule in rules.items():
        (folder / f"rules/write/{name}.md").write_text(f"# 表\n\n{rule}\n", encoding="utf-8")
    run(["kisoku", "build", "rules", "--root", "handbook"], folder)
    return folder


def test_listener_example_hears(contradicting, tmp_path):
    (source,) = [b for b in blocks(page("write-a-plugin.md"), "python") if b.startswith("# kisoku_journal.py")]
    (contradicting / "kisoku_journal.py").write_text(source, encoding="utf-8")
    script = "\n".join(
        [
            "import os, kisoku_journal",
            "from kisoku import Kisoku",
            f"os.environ['JOURNAL'] = {str(tmp_path / 'journal.jsonl')!r}",
            'with Kisoku.open(root="handbook") as app:',
            '    app.plugins.register(kisoku_journal, "journal")',
            "    assert app.plugins.failures == []",
            '    found = app.host.session_started("journal") and app.host.rules_for("journal", "章", ["DBの表の書式"])',
            '    assert found.results[0].trace[0].details["query"] == "データベースの表の書式"',
            "    assert len(found.pending) == 1",
            '    app.host.document_finished("journal")',
        ]
    )
    run([sys.executable, "-c", script], contradicting)
    lines = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines[0]["event"] == "conflict"
    assert lines[-1] == {"event": "finished", "session": "journal", "rules": lines[-1]["rules"], "decisions": []}


def test_loop_of_the_host_snippet_runs(contradicting):
    wanted = [b for b in blocks(page("embed-in-a-pipeline.md"), "python") if "\nCHAPTERS = " in b]
    assert len(wanted) == 1
    last = 'assert len(generate("handbook", "ten-minutes").conflict_decisions) == 1'
    told = run([sys.executable, "-c", f"{wanted[0]}\n{last}"], contradicting)
    assert re.search(r"^1 .+\n2 .+", told)


def test_conflict_examples_are_judged_as_documented():
    table = re.findall(r"^\| (.+。) \| (.+。) \| (conflict|none): .+ \|$", page("conflicts.md"), re.MULTILINE)
    assert len(table) == 7
    lexicon = load_lexicon()
    for left, right, verdict in table:
        texts = [RuleText(key=d, document=d, text=t) for d, t in (("A.docx", left), ("B.docx", right))]
        assert bool(detect_conflicts(texts, lexicon)) == (verdict == "conflict"), (left, right)


@pytest.mark.parametrize("package", ["kisoku.testing.chunker", "kisoku.testing.embedder", "kisoku.testing.reranker"])
def test_contract_classes_are_documented(package):
    module = importlib.import_module(package)
    names = [name for name in vars(module) if name.endswith("Contract")]
    assert names
    assert all(f"`{package}.{name}`" in page("write-a-plugin.md") for name in names)
