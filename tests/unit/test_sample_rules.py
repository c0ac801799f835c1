"""The sample rules: reproducible, small, with the planted conflicts and golds in place."""

import filecmp
import html
import json
import re
import subprocess
import sys
import unicodedata
import zipfile
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[2] / "examples" / "sample-rules"
FILES = sorted(path.relative_to(SAMPLE) for part in ("rules", "update") for path in (SAMPLE / part).rglob("*.*"))


def texts(path: Path) -> list[str]:
    """All text runs of an Office file, in package order, independent of kisoku's readers."""
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8").splitlines()
    found = []
    with zipfile.ZipFile(path) as package:
        for name in sorted(package.namelist()):
            if re.match(r"(word/document|xl/(sharedStrings|worksheets/sheet|comments)|ppt/(notesS|s)lides/)", name):
                xml = package.read(name).decode("utf-8")
                found += map(html.unescape, re.findall(r"<(?:\w+:)?t(?: [^>]*)?>([^<]+)<", xml))
    return found


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    out = tmp_path_factory.mktemp("sample")
    subprocess.run([sys.executable, str(SAMPLE / "generate.py"), str(out)], check=True, timeout=120)
    return out


def test_eight_rule_files_and_one_update():
    assert len([path for path in FILES if path.parts[0] == "rules"]) == 8
    assert [path.as_posix() for path in FILES if path.parts[0] == "update"] == ["update/図表規則.xlsx"]


def test_all_files_together_are_small():
    assert sum((SAMPLE / path).stat().st_size for path in FILES) < 300_000


@pytest.mark.parametrize("path", FILES, ids=str)
def test_generator_reproduces_the_texts(generated, path):
    assert texts(generated / path) == texts(SAMPLE / path)
    assert texts(SAMPLE / path)


def test_generator_is_deterministic(generated, tmp_path):
    subprocess.run([sys.executable, str(SAMPLE / "generate.py"), str(tmp_path)], check=True, timeout=120)
    names = [path.as_posix() for path in FILES]
    _, different, missing = filecmp.cmpfiles(generated, tmp_path, names, shallow=False)
    assert (different, missing) == ([], [])


def test_update_changes_one_rule_only():
    old = texts(SAMPLE / "rules/write/図表規則.xlsx")
    new = texts(SAMPLE / "update/図表規則.xlsx")
    assert old == new  # the length is a number, in no text run
    with (
        zipfile.ZipFile(SAMPLE / "rules/write/図表規則.xlsx") as before,
        zipfile.ZipFile(SAMPLE / "update/図表規則.xlsx") as after,
    ):
        changed = [name for name in before.namelist() if before.read(name) != after.read(name)]
        assert len(changed) == 1
        values = [re.findall(r"<v>(\d+)</v>", package.read(changed[0]).decode()) for package in (before, after)]
    assert [pair for pair in zip(*values, strict=True) if pair[0] != pair[1]] == [("60", "80")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("表のヘッダー行は太字＋下線で記載する。", "表のヘッダー行は太字のみとし、下線は付けない。"),
        ("図の表題は30文字以内とする。", "図の表題は20文字以内とする。"),
    ],
)
def test_planted_conflicts_are_there(first, second):
    assert first in texts(SAMPLE / "rules/write/記入規則.docx")
    assert second in texts(SAMPLE / "rules/write/図表規則.xlsx")


def acceptance() -> list[dict]:
    return [json.loads(line) for line in (SAMPLE / "acceptance.jsonl").read_text(encoding="utf-8").splitlines()]


def test_every_gold_is_in_its_document():
    def squeeze(text: str) -> str:
        return re.sub(r"[\s|]+", "", unicodedata.normalize("NFKC", text))

    documents = {path.name: squeeze("".join(texts(SAMPLE / path))) for path in FILES if path.parts[0] == "rules"}
    for query in acceptance():
        for gold in query["gold"]:
            for text in gold["all_of"]:
                assert squeeze(text) in documents[gold["doc"]], (query["id"], text)


def test_acceptance_set_covers_the_three_kinds_and_agents():
    queries = acceptance()
    assert len(queries) >= 30
    assert {query["kind"] for query in queries} == {"paraphrase", "mixed", "katakana"}
    assert {query["agent"] for query in queries} == {"writer", "impact", "qa"}
    assert len({query["id"] for query in queries}) == len(queries)
