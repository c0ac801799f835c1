"""Every sentence of the command line is there in Japanese and Chinese, and errors find theirs."""

import ast
import re
import string
import typing
from pathlib import Path

import pytest
import typer
from kisoku.adapters.cli import main, messages
from kisoku.adapters.cli.output import counted
from kisoku.domain import errors
from kisoku.domain.errors import ConfigError, UnknownVersionError
from kisoku.domain.evidence import CompletenessHint, RelevanceLevel
from kisoku.orchestration.doctor.report import Check

ROOT = Path(__file__).parents[4]
PRODUCT = ("domain", "ports", "config", "plugins", "orchestration", "adapters")
DOCUMENT_ERRORS = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.DocumentError)
}
ERRORS = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.KisokuError)
}
SAME_EVERYWHERE = re.compile(r"[\W\d_]*(?:nDCG|MRR|mrr|ndcg|recall|hit|ms|MB|sha256|p|n)?[@\d\W]*")
"""Names of measures and units, which every language writes alike."""


def pieces(node, constants=()) -> list[str]:
    """The texts that an expression can make; `{}` for what is only known when it runs."""
    if isinstance(node, ast.Name) and node.id in constants:
        # Names of the module and of its functions alike: what is assigned to it anywhere.
        return [text for value in constants[node.id] for text in pieces(value)]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return ["".join(v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)]
    if isinstance(node, ast.IfExp):
        return [*pieces(node.body), *pieces(node.orelse)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [left + right for left in pieces(node.left) for right in pieces(node.right)]
    return ["{}"]


def calls():
    for folder in PRODUCT:
        for path in sorted((ROOT / folder).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            constants = assigned(tree)
            for node in ast.walk(tree):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                    yield path.relative_to(ROOT).as_posix(), node, name, constants


def assigned(tree) -> dict[str, list]:
    """What is assigned to each name, `text, hint = "…", "…"` included."""
    found: dict[str, list] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts, strict=False))
            for name, value in pairs:
                if isinstance(name, ast.Name):
                    found.setdefault(name.id, []).append(value)
    return found


def error_sentences() -> dict[str, str]:
    """Every message and hint of an error that stands in the code, and where."""
    found = {}
    for where, node, name, constants in calls():
        if name in ERRORS:
            given = [*node.args[1 if name in DOCUMENT_ERRORS else 0 :][:1]]
            for expression in (*given, *(k.value for k in node.keywords if k.arg == "hint")):
                found |= {
                    text: f"{where}:{node.lineno}" for text in pieces(expression, constants) if re.search(r"\w", text)
                }
        if name == "Finding":
            for keyword in node.keywords:
                if keyword.arg in {"message", "hint"}:
                    found |= {
                        t: f"{where}:{node.lineno}" for t in pieces(keyword.value, constants) if re.search(r"\w", t)
                    }
    return found


def own_sentences() -> dict[str, str]:
    """Everything that the command line itself says."""
    found = {}
    for where, node, name, _ in calls():
        if not where.startswith("adapters/cli/"):
            continue
        expressions = {"tr": node.args[:1], "steps": node.args[:1], "table": node.args[1:]}.get(name, [])
        texts = [text.rstrip("#") for expression in expressions for text in pieces(expression)]
        if name == "counted":
            texts += [f"{{count}} {text}s" for text in pieces(node.args[1])]
        found |= {text: f"{where}:{node.lineno}" for text in texts if text.strip("{}") and "{}" not in text}
    return found


def bare(text: str) -> str:
    return re.sub(r"\{\w*(?:[:!][^{}]*)?\}", "{}", text)


def fields(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


@pytest.fixture(autouse=True)
def _english_afterwards():
    yield
    messages.forget_language()


def test_every_error_and_hint_has_a_translation():
    known = {bare(text) for text in messages.catalogue()}
    # Fixed text joined with an argument may be listed with what the argument can be.
    fixed = {text: where for text, where in error_sentences().items() if re.search("[A-Za-z]", text)}
    missing = {text: where for text, where in fixed.items() if bare(text) not in known and not said(text)}
    assert missing == {}


def said(text: str) -> bool:
    """Whether an error with arguments such as these is told in Japanese."""
    messages.choose_language("ja")
    example = text.replace("{}", "x")
    return messages.localised(example) != example


def test_everything_the_command_line_says_has_a_translation():
    known = messages.catalogue()
    missing = {
        text: where for text, where in own_sentences().items()
        if text not in known and not SAME_EVERYWHERE.fullmatch(text)
    }  # fmt: skip
    assert missing == {}


@pytest.mark.parametrize(
    "words",
    [
        ("new", "changed", "unchanged", "rechunked", "deleted"),
        ("active", "locked", "newest"),
        ("reading", "embedding", "sentences", "words", "indexing", "publishing"),
        ("pending", "decided"),
        (*typing.get_args(RelevanceLevel), *typing.get_args(CompletenessHint)),
        typing.get_args(Check),
    ],
)
def test_words_that_come_out_of_reports_have_a_translation(words):
    assert [word for word in words if word not in messages.catalogue()] == []


def leaves(command, path=()):
    children = getattr(command, "commands", None)
    if children is None:
        yield path, command
        return
    if command.invoke_without_command:
        yield path, command
    for name, child in children.items():
        yield from leaves(child, (*path, name))


def test_every_command_takes_a_language():
    without = [
        " ".join(path)
        for path, command in leaves(typer.main.get_command(main.app))
        if not any("--lang" in parameter.opts for parameter in command.params)
    ]
    assert without == []


def test_every_translation_is_there_in_both_languages_with_the_places_of_the_english():
    for english, told in messages.catalogue().items():
        assert set(told) == {"ja", "zh"}, english
        for text in told.values():
            assert text.strip(), english
            if english.startswith(("Write for example", "Restore it; it holds", "Name one in a configuration file")):
                continue  # braces of YAML and JSON
            assert fields(text) == fields(english), english


def test_translations_are_in_the_language():
    kana = re.compile(r"[\u3040-\u30ff]")
    han = re.compile(r"[\u3400-\u9fff]")
    letters = re.compile(r"[A-Za-z]{2,}")
    for english, told in messages.catalogue().items():
        assert not kana.search(told["zh"]), told["zh"]
        if letters.search(re.sub(r"\{[^{}]*\}", "", english)) and not SAME_EVERYWHERE.fullmatch(english):
            assert kana.search(told["ja"]) or han.search(told["ja"]), told["ja"]
            assert han.search(told["zh"]), told["zh"]


def test_errors_are_told_in_the_language_and_stay_english_for_programs():
    error = UnknownVersionError("The handbook has no version v9.", hint="Versions: v1, v2.")
    messages.choose_language("ja")
    assert messages.error_text(error) == "ハンドブックに版 v9 はありません。版：v1, v2。"
    messages.choose_language("zh")
    assert messages.error_text(error) == "手册没有版本 v9。现有版本：v1, v2。"
    messages.choose_language("en")
    assert messages.error_text(error) == "The handbook has no version v9. Versions: v1, v2."
    assert str(error) == "The handbook has no version v9. Versions: v1, v2."


def test_arguments_that_are_sentences_are_told_too():
    messages.choose_language("ja")
    message = "The setting retrieval.top_k (from --set retrieval.top_k) is wrong: "
    message += "Input should be greater than or equal to 1; got 0."
    told = "設定 retrieval.top_k（--set retrieval.top_k）が正しくありません：1 以上にしてください（指定値：0）。"
    assert messages.error_text(ConfigError(message)) == told


def test_what_no_template_fits_stays_as_it_is():
    messages.choose_language("zh")
    assert messages.localised("Something that a library says") == "Something that a library says"
    assert messages.localised("") == ""
    assert messages.localised("The handbook has no version {x}{{.") == "手册没有版本 {x}{{。"


def test_numbers_of_things():
    messages.choose_language("en")
    assert (counted(1, "rule"), counted(1200, "rule")) == ("1 rule", "1,200 rules")
    messages.choose_language("ja")
    assert counted(1200, "document") == "1,200 文書"


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({"KISOKU_LANGUAGE": "zh", "LANG": "ja_JP.UTF-8"}, "zh"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LC_MESSAGES": "zh_TW.UTF-8", "LANG": "en_US.UTF-8"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"KISOKU_LANGUAGE": "fr", "LANG": "ja_JP.UTF-8"}, "ja"),
    ],
)
def test_the_language_of_the_environment(monkeypatch, variables, language):
    for name in ("KISOKU_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    messages.forget_language()
    assert messages.spoken() == language
