"""The unpacked model in the user's cache: same vectors, and never in the way."""

from pathlib import Path

import numpy as np
import pytest
from kisoku.adapters.embedding.use import UseEmbedder
from kisoku.adapters.embedding.use_cache import UnpackedCache, cache_folder
from kisoku.ports.embedder import EmbedderOptions

TEXTS = ["表の罫線", "Font size ｱｲｳ ㌖", "", "規則" * 200]


def embedder(cache: object) -> UseEmbedder:
    return UseEmbedder(EmbedderOptions(options={"cache": cache}))


@pytest.fixture(scope="module")
def filled(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    embedder(str(folder)).warm_up()
    assert len(list(folder.iterdir())) == 2
    return folder


@pytest.fixture(scope="module")
def expected() -> np.ndarray:
    return embedder(False).embed_passages(TEXTS)


def test_vectors_and_tokens_are_the_same(filled, expected):
    model = embedder(str(filled))
    assert np.array_equal(model.embed_passages(TEXTS), expected)
    assert [model.count_tokens(text) for text in TEXTS] == [embedder(False).count_tokens(text) for text in TEXTS]


@pytest.mark.parametrize("damage", ["truncate", "flip", "empty", "remove"])
def test_a_damaged_entry_is_passed_over(filled, expected, tmp_path, damage):
    copy = tmp_path / "cache"
    for entry in filled.iterdir():
        (copy / entry.name).mkdir(parents=True)
        for file in entry.iterdir():
            data = bytearray(file.read_bytes())
            if file.name == "values":
                if damage == "remove":
                    continue
                if damage == "truncate":
                    data = data[: len(data) // 2]
                elif damage == "flip":
                    data[len(data) // 2] ^= 1
                else:
                    data = bytearray()
            (copy / entry.name / file.name).write_bytes(data)
    assert np.array_equal(embedder(str(copy)).embed_passages(TEXTS), expected)


def test_a_folder_that_cannot_be_written_is_done_without(expected, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    assert np.array_equal(embedder(str(blocked)).embed_passages(TEXTS), expected)


def test_another_file_is_another_entry(tmp_path):
    source = tmp_path / "model.bin"
    source.write_bytes(b"1")
    cache = UnpackedCache(tmp_path / "cache")
    cache.keep(source, {"a": 1, "m": np.arange(3), "l": [np.arange(2)]})
    found = cache.attributes(source)
    assert found is not None
    assert (found["a"], found["m"].tolist(), found["l"][0].tolist()) == (1, [0, 1, 2], [0, 1])
    source.write_bytes(b"22")
    assert cache.attributes(source) is None


def test_the_folder_follows_the_option_and_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder(None) == tmp_path / "kisoku"
    assert cache_folder("/elsewhere") == Path("/elsewhere")
    assert cache_folder(False) is None
