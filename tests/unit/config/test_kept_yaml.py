import json
import os
import subprocess
import sys
import zlib
from datetime import date
from pathlib import Path

import kisoku
import pytest
import yaml
from kisoku.config.kept_yaml import load_kept_yaml
from kisoku.config.user_cache import user_cache

TEXT = "規則: [表, 図]\nlimits: {rows: 20, ratio: 0.5, on: true, none: null}\n"
VALUES = {"規則": ["表", "図"], "limits": {"rows": 20, "ratio": 0.5, True: True, "none": None}}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "kisoku" / "yaml"


def entries(cache: Path) -> list[Path]:
    return sorted(cache.iterdir()) if cache.exists() else []


def test_a_text_is_kept_and_read_again(cache: Path) -> None:
    text = TEXT.replace("on:", "set:")
    values = {"規則": ["表", "図"], "limits": {"rows": 20, "ratio": 0.5, "set": True, "none": None}}
    assert load_kept_yaml(text) == values
    [entry] = entries(cache)
    kept = entry.read_bytes()
    assert json.loads(kept[8:]) == values
    # What is read the second time is the entry, as another value in it shows.
    other = json.dumps(["told by the entry"]).encode()
    entry.write_bytes(f"{zlib.crc32(other):08x}".encode() + other)
    assert load_kept_yaml(text) == ["told by the entry"]
    assert load_kept_yaml(text + "# changed\n") == values


@pytest.mark.parametrize("damage", [b"", b"0000", b'00000000{"a": 1}', b"zzzzzzzz{}", b"\xff" * 40])
def test_a_damaged_entry_is_parsed_again_and_replaced(cache: Path, damage: bytes) -> None:
    assert load_kept_yaml("a: 2\n") == {"a": 2}
    [entry] = entries(cache)
    whole = entry.read_bytes()
    entry.write_bytes(damage)
    assert load_kept_yaml("a: 2\n") == {"a": 2}
    assert entries(cache) == [entry]
    assert entry.read_bytes() == whole


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (TEXT, VALUES),
        ("1: a\n", {1: "a"}),
        ("d: 2026-04-01\n", {"d": date(2026, 4, 1)}),
        ("s: !!set {a}\n", {"s": {"a"}}),
    ],
)
def test_what_json_cannot_hold_is_not_kept(cache: Path, text: str, values: object) -> None:
    assert load_kept_yaml(text) == values
    assert load_kept_yaml(text) == values
    assert entries(cache) == []


def test_no_yaml_is_an_error_each_time(cache: Path) -> None:
    for _ in range(2):
        with pytest.raises(yaml.YAMLError):
            load_kept_yaml("a: [1\n")
    assert entries(cache) == []


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert load_kept_yaml("a: 1\n") == {"a": 1}


def test_the_bundled_files_say_the_same_from_the_cache(cache: Path) -> None:
    script = (
        "from kisoku.config.lexicon import load_lexicon\nfrom kisoku.config.loading import load_settings\n"
        "from kisoku.config.dictionary import load_dictionary\n"
        "print(load_lexicon().model_dump_json(), load_settings(environment={}).settings, load_dictionary())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    said = [
        subprocess.run(
            [sys.executable, "-P", "-c", script], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert said[0] == said[1]
    bundled = Path(kisoku.__file__).parent / "config"
    assert len(entries(cache)) >= len(list((bundled / "lexicon").glob("*.yaml"))) + 2


def test_the_folder_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert user_cache() == tmp_path / ".cache" / "kisoku"
