"""Sentence vectors on disk: what is written is read back; damage is told."""

import hashlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kisoku.adapters.sentences.files import SentenceFiles
from kisoku.domain.errors import HandbookCorruptError
from kisoku.ports.sentence_store import SentenceStore, SentenceVectors

DIMENSION = 32


def unit_rows(count: int, seed: int = 1) -> np.ndarray:
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def key(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


SENTENCES = [f"文{number}。" for number in range(7)]
CHUNKS = {key("a"): ["文0。", "文1。"], key("b"): ["文0。", "文6。", "文2。"], key("c"): []}


@pytest.fixture
def store() -> SentenceStore:
    return SentenceFiles()


@pytest.fixture
def folder(store: SentenceStore, tmp_path: Path) -> Path:
    target = tmp_path / "rules-write"
    target.mkdir()
    rows = unit_rows(len(SENTENCES))
    store.write(target, DIMENSION, [(SENTENCES[:4], rows[:4]), (SENTENCES[4:], rows[4:])], CHUNKS)
    return target


@pytest.fixture
def opened(store: SentenceStore, folder: Path) -> SentenceVectors:
    found = store.open(folder)
    assert found is not None
    return found


def test_sentences_come_back_in_the_order_of_their_chunk(opened: SentenceVectors) -> None:
    rows = unit_rows(len(SENTENCES))
    first, unknown, third, empty = opened.of_chunks([key("a"), key("z"), key("b"), key("c")])
    assert unknown is None
    assert empty is not None
    assert empty.shape == (0, DIMENSION)
    for found, numbers in ((first, [0, 1]), (third, [0, 6, 2])):
        assert found is not None
        assert found.dtype == np.float32
        cosines = (found * rows[numbers]).sum(axis=1) / np.linalg.norm(found, axis=1)
        assert cosines.min() > 0.999
        assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=0.01)


def test_counts_and_what_is_known(opened: SentenceVectors) -> None:
    assert (opened.sentence_count, opened.chunk_count) == (7, 3)
    assert opened.known(["文3。", "文", "文6。"]) == [True, False, True]
    with pytest.raises(KeyError):
        opened.of_sentences(["文"])


def test_a_text_that_is_no_hash_is_an_unknown_chunk(opened: SentenceVectors) -> None:
    assert opened.of_chunks(["", "ABC", "文0。"]) == [None, None, None]


def test_the_nearest_rows_are_those_with_the_greatest_cosine(opened: SentenceVectors) -> None:
    rows, asked = unit_rows(len(SENTENCES)), unit_rows(3, seed=2)
    expected = np.argsort(-(asked @ rows.T), axis=1)
    for found, order in zip(opened.nearest(asked, 3), expected, strict=True):
        assert [number for number, _ in found] == order[:3].tolist()
    assert [len(found) for found in opened.nearest(asked, 100)] == [7, 7, 7]
    assert opened.nearest(asked[:0], 3) == []
    assert opened.nearest(asked, 0) == [[], [], []]


def test_writing_what_was_read_changes_nothing(store: SentenceStore, opened: SentenceVectors, tmp_path: Path) -> None:
    again = tmp_path / "again"
    again.mkdir()
    store.write(again, DIMENSION, [(SENTENCES, opened.of_sentences(SENTENCES))], CHUNKS)
    twice = store.open(again)
    assert twice is not None
    assert np.allclose(twice.of_sentences(SENTENCES), opened.of_sentences(SENTENCES), atol=1e-6)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1, 1, width=32), min_size=DIMENSION, max_size=DIMENSION))
def test_numbers_are_off_by_half_a_step_at_most(tmp_path_factory: pytest.TempPathFactory, values: list[float]) -> None:
    row = np.array([values], dtype=np.float32)
    folder = tmp_path_factory.mktemp("rows")
    SentenceFiles().write(folder, DIMENSION, [(["文"], row)], {})
    opened = SentenceFiles().open(folder)
    assert opened is not None
    step = float(np.abs(row).max()) / 127 or 1.0
    assert np.abs(opened.rows([0]) - row).max() <= step * 0.51


def test_nothing_is_written_and_opened_too(store: SentenceStore, tmp_path: Path) -> None:
    store.write(tmp_path, DIMENSION, [], {})
    opened = store.open(tmp_path)
    assert opened is not None
    assert (opened.sentence_count, opened.chunk_count) == (0, 0)
    assert opened.nearest(unit_rows(1), 3) == [[]]


def test_a_collection_without_vectors_is_none(store: SentenceStore, tmp_path: Path) -> None:
    assert store.open(tmp_path / "absent") is None


def test_rows_that_do_not_fit_are_refused(store: SentenceStore, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="2 sentences"):
        store.write(tmp_path, DIMENSION, [(["a", "b"], unit_rows(1))], {})


FILES = ("codes.i8", "scales.f4", "sentences.b16", "chunks.b32", "starts.i8", "places.i4", "seal.json")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("damage", ["flip", "truncate", "remove"])
def test_damage_to_any_file_is_told(store: SentenceStore, folder: Path, name: str, damage: str) -> None:
    path = folder / name
    data = bytearray(path.read_bytes())
    if damage == "remove":
        path.unlink()
    elif damage == "truncate":
        path.write_bytes(data[: len(data) // 2])
    else:
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    with pytest.raises(HandbookCorruptError):
        store.open(folder)
