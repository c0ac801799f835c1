"""Write the pages that come out of the code: `python docs/generate.py` makes all of them anew.

A test compares the committed pages with what this module makes, so neither can fall behind.
"""  # noqa: INP001  # a script beside the pages, no package

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer
from kisoku.adapters.cli.main import app
from kisoku.config.settings import Settings
from pydantic import BaseModel

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # a script beside the pages may be run or loaded from anywhere

from reference import api_page, hooks_page, notices_page  # noqa: E402  # found by the line above

CONFIG = HERE.parent / "config"
_COMMENT = re.compile(r"^(?P<indent> *)(?:(?P<key>[\w-]+):)?(?P<rest>[^#]*?)(?:\s*#\s?(?P<comment>.*))?$")

CLI_HEAD = """# Command line

*Generated from the commands themselves by `python docs/generate.py`; a test compares.*

Results go to standard output, progress and notes to standard error, so that `--json` output can be piped. Exit codes:

| code | meaning |
|---|---|
| 0 | done; "no change" is done too |
| 1 | an error of kisoku, told in one sentence on standard error ([Errors](errors.md)) |
| 2 | the command line itself is wrong: unknown option, missing argument |
| 3 | `kisoku generate`: chapters wait for a decision, or have failed |
| 130 | stopped with Ctrl-C |

`python -m kisoku` is the same command. `kisoku --install-completion` sets up completion for the current shell (bash,
zsh, fish, PowerShell): commands and options, and the versions, sessions, conflicts and traces of the handbook that
`--root` names.

Tables, progress, questions, notices, errors and hints are in Japanese, Chinese or English: as `--lang` says, else
`language` in the settings (`KISOKU_LANGUAGE`), else the locale (`LC_ALL`, `LC_MESSAGES`, `LANG`), else English. What
`--help` and a wrong command line say is English, so is what libraries add as a cause. Under `--json` names, codes,
errors and reports are the same in every language; the notices of a result, and what explains a conflict, are sentences
for people there too, each beside its code.
"""

SETTINGS_HEAD = """# Settings

*Generated from `config/rag.yaml` and the settings model by `python docs/generate.py`; a test compares.*

Every setting has a default; kisoku runs without any configuration. Later sources win:

1. the documented defaults, `config/rag.yaml` in the package;
2. a profile: `--profile bge-m3`, or the path of a YAML file; `KISOKU_PROFILE` names it too;
3. a YAML file of your own: `--config my.yaml`, or `KISOKU_CONFIG`;
4. variables: `KISOKU_RETRIEVAL__TOP_K=8` sets `retrieval.top_k`; two underscores stand for the dot;
5. the command line: `--set retrieval.top_k=8`, as often as needed.

Values of variables and of `--set` are read as YAML: `--set 'keyword.options={}'`, `--set build.workers=null`. An
unknown key is an error that names the nearest known one. `kisoku config show` prints every value in effect and where
it came from. `kisoku config check` tells everything that is wrong at once: unknown keys, values, files that cannot be
read, adapters that no plugin offers, packages, weights of models and keys of services that are missing, databases and
caches that do not answer. It changes nothing, and its exit code is 1 when something will not do; with `--load` it loads
the embedding model as well.

Changes of `embedding`, `rerank.adapter`, `rerank.model`, `keyword`, `vector_store.adapter` and `chunking` take effect
with the next build, because a version is served by what its manifest records; all other settings take effect at once.
[Build and versions](build-and-versions.md#what-a-changed-setting-does) says what each change makes anew.
"""

# Where neither rag.yaml nor the name says enough.
MEANINGS: Mapping[str, str] = {
    "embedding.options": "Settings of the adapter's own, by name.",
    "rerank.batch_size": "Pairs per call of the model.",
    "rerank.device": "cpu, cuda, mps; empty chooses.",
    "rerank.options": "Settings of the adapter's own. `sentence` knows sentence_weight, lexical_weight, vector_weight, "
    "fused_weight, cache_mb, max_sentences; `cross-encoder` knows max_length (tokens).",
    "keyword.k1": "BM25: saturation of term frequency.",
    "keyword.b": "BM25: strength of length normalisation.",
    "keyword.options": "Settings of the analyzer's own.",
    "vector_store.chroma.persist_dir": "Folder of the store that `StorageAdapterFactory.create` opens; a handbook "
    "keeps its stores under its own root, one folder per version.",
    "vector_store.options": "Settings of the adapter's own. `chroma` knows max_neighbors, ef_construction, ef_search.",
    "chunking.overlap": "sliding: characters that two windows share.",
    "chunking.parent_overlap": "parent_child: characters that two parents share.",
    "chunking.child_chars": "parent_child: characters of a child, the piece that is searched.",
    "chunking.child_overlap": "parent_child: characters that two children share.",
    "retrieval.pipeline": "The stages of a search: `hybrid` fuses channels; `cascade` narrows down from words over "
    "meaning to windows and parents, with a gate at each step (made for `parent_child`).",
    "retrieval.related.enabled": "Count words that mean nearly the same as the query's, where the version keeps "
    "vectors of words.",
    "retrieval.vector.enabled": "Search by meaning (cosine of embeddings).",
    "retrieval.vector.top_k": "Chunks that the vector channel returns.",
    "retrieval.vector.weight": "Its weight in the fusion.",
    "retrieval.keyword.enabled": "Search by words (BM25).",
    "retrieval.keyword.top_k": "Chunks that the keyword channel returns.",
    "retrieval.keyword.weight": "Its weight in the fusion.",
    "retrieval.ngram.enabled": "Search by character bigrams (BM25), which find what a segmenter splits differently.",
    "retrieval.ngram.top_k": "Chunks that the bigram channel returns.",
    "retrieval.ngram.weight": "Its weight in the fusion.",
    "retrieval.fusion.k": "Constant of reciprocal rank fusion, 1 / (k + rank).",
    "retrieval.top_k": "Chunks in a result, where neither the caller nor the chapter says otherwise.",
    "build.document_seconds": "Seconds that parsing one document may take.",
    "build.document_memory_mb": "Memory that parsing one document may take, in megabytes.",
    "build.max_file_mb": "Size of a document, in megabytes.",
    "build.max_inflated_mb": "Size of an Office file's parts after decompression, in megabytes.",
    "conflicts.enabled": "Look for conflicts between the rules of one result.",
    "conflicts.min_confidence": "Conflicts below this confidence are not reported.",
}


def cli_page() -> str:
    """Return cli.md."""
    root = typer.main.get_command(app)
    sections = [CLI_HEAD, _toc(root)]
    sections.extend(_command(path, command) for path, command in _commands("kisoku", root))
    return "\n".join(sections)


def _commands(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Yield every command that does something, with its full name."""
    for name, child in getattr(command, "commands", {}).items():
        if hasattr(child, "commands"):
            if child.invoke_without_command:
                yield f"{path} {name}", child
            yield from _commands(f"{path} {name}", child)
        else:
            yield f"{path} {name}", child


def _toc(root: Any) -> str:
    rows = [
        f"| [`{path}`](#{path.replace(' ', '-')}) | {command.help.splitlines()[0]} |"
        for path, command in _commands("kisoku", root)
    ]
    return "\n".join(["| command | does |", "|---|---|", *rows, ""])


def _command(path: str, command: Any) -> str:
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    usage = " ".join([path, *(_usage(p) for p in arguments), *(_usage(p) for p in options if p.required), "[OPTIONS]"])
    lines = [f"## {path}", "", command.help, "", "```", usage, "```", ""]
    rows = [(f"`{p.name.upper()}`", p) for p in arguments]
    rows += [(", ".join(f"`{o}`" for o in p.opts), p) for p in options]
    if rows:
        lines += ["| argument or option | value | meaning |", "|---|---|---|"]
        lines += [f"| {shown} | {_kind(p)} | {_meaning(p)} |" for shown, p in rows]
        lines.append("")
    return "\n".join(lines)


def _usage(parameter: Any) -> str:
    if parameter.param_type_name == "option":
        return f"{parameter.opts[0]} {_kind(parameter).upper()}"
    name = parameter.name.upper() + ("…" if parameter.nargs == -1 else "")
    return name if parameter.required else f"[{name}]"


def _kind(parameter: Any) -> str:
    if getattr(parameter, "is_flag", False):
        return "flag"
    shown = str(parameter.type_descriptor.annotation)
    for word, kind in (("Path", "path"), ("int", "number"), ("float", "number")):
        if re.search(rf"\b{word}\b", shown):
            return kind
    return "text"


def _meaning(parameter: Any) -> str:
    notes = []
    if parameter.required:
        notes.append("required")
    if parameter.param_type_name == "option" and parameter.default not in {None, "", False}:
        notes.append(f"default {parameter.default}")
    text = _cell(parameter.help or "")
    return f"{text} ({', '.join(notes)})" if notes else text


def _cell(text: str) -> str:
    return text.replace("|", "&#124;").replace("<", "&lt;")


def settings_page() -> str:
    """Return settings.md.

    Raises:
        KeyError: A setting has no meaning: neither a comment in rag.yaml nor an entry in `MEANINGS`.
    """
    comments = _comments((CONFIG / "rag.yaml").read_text(encoding="utf-8"))
    parts = [SETTINGS_HEAD]
    section = ""
    for key, default, values in _settings(Settings, Settings.model_json_schema()):
        first = key.partition(".")[0] if "." in key else "general"
        if first != section:
            section = first
            parts += ["", f"## {section}", "", "| setting | default | values | meaning |", "|---|---|---|---|"]
        meaning = MEANINGS.get(key) or comments[key]
        parts.append(f"| `{key}` | {_default(default)} | {values} | {_cell(meaning)} |")
    for profile in sorted(CONFIG.glob("rag.*.yaml")):
        name = profile.name.removeprefix("rag.").removesuffix(".yaml")
        text = profile.read_text(encoding="utf-8").rstrip()
        parts += ["", f"## Profile {name}", "", f"`--profile {name}` sets:", "", "```yaml", text, "```"]
    return "\n".join(parts) + "\n"


def _settings(model: type[BaseModel], schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any, str]]:
    """Yield dotted key, default and allowed values of every single setting."""
    definitions = schema.get("$defs", {})
    properties = schema["properties"] if not path else definitions[model.__name__]["properties"]
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _settings(kind, schema, f"{path}{name}.")
        else:
            yield f"{path}{name}", field.get_default(call_default_factory=True), _values(properties[name])


def _values(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(str(v) for v in schema["enum"])
    if "const" in schema:
        return str(schema["const"])
    if "anyOf" in schema:
        return " or ".join(_values(option) for option in schema["anyOf"])
    names = {"integer": "whole number", "number": "number", "boolean": "true, false", "string": "text"}
    names |= {"object": "mapping", "array": "list", "null": "null"}
    shown = names[schema["type"]]
    if schema.get("format") == "path":
        shown = "path"
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"{shown} {low} to {high}"
    return f"{shown} from {low}" if low is not None else shown


def _default(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "`{" + ", ".join(f"{k}: {v}" for k, v in value.items()) + "}`"
    if isinstance(value, tuple):
        return "`[" + ", ".join(map(str, value)) + "]`"
    return f"`{value}`" if str(value) else "empty"


def _comments(text: str) -> dict[str, str]:
    """Return what rag.yaml says of each key; a line with nothing but a comment goes on with the one above."""
    found: dict[str, str] = {}
    path: list[tuple[int, str]] = []
    last = ""
    for line in text.splitlines():
        match = _COMMENT.match(line)
        if match is None or not line.strip():
            last = ""
            continue
        key, comment = match["key"], match["comment"]
        if key is None:
            if comment is not None and last:
                found[last] = f"{found[last]} {comment}"
            continue
        indent = len(match["indent"])
        path = [*((i, k) for i, k in path if i < indent), (indent, key)]
        last = ".".join(k for _, k in path) if comment else ""
        if comment:
            found[last] = comment
    return found


PAGES = {
    "cli.md": cli_page,
    "settings.md": settings_page,
    "hooks.md": hooks_page,
    "notices.md": notices_page,
    "api.md": api_page,
}


def main() -> None:
    """Write every generated page."""
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
