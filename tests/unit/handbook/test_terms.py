"""Terms kept for the next build: a copy of what can be made again, so damage means "empty"."""

import pytest
from kisoku.adapters.handbook.terms import read_terms, terms_file, write_terms

TERMS = {"a" * 64: ["表", "ヘッダー行", "f001"], "b" * 64: [], "c" * 64: ["3.2"]}


def test_terms_come_back_as_they_were(tmp_path):
    path = terms_file(tmp_path, "rules-write")
    write_terms(path, "auto 1", TERMS)
    assert path.name == "rules-write.terms"
    assert read_terms(path, "auto 1") == TERMS


def test_terms_of_another_analyzer_do_not_count(tmp_path):
    write_terms(tmp_path / "t", "auto 1", TERMS)
    assert read_terms(tmp_path / "t", "auto 2") == {}


@pytest.mark.parametrize(
    "damage", [lambda b: b[:-1], lambda b: b.replace(b"f001", b"f002"), lambda _: b"", lambda _: b"\xff\n"]
)
def test_damaged_terms_do_not_count(tmp_path, damage):
    path = tmp_path / "t"
    write_terms(path, "auto 1", TERMS)
    path.write_bytes(damage(path.read_bytes()))
    assert read_terms(path, "auto 1") == {}


def test_missing_terms_do_not_count(tmp_path):
    assert read_terms(tmp_path / "t", "auto 1") == {}


def test_texts_whose_terms_hold_white_space_are_left_out(tmp_path):
    write_terms(tmp_path / "t", "x", {"a": ["two words"], "b": [""], "c": ["good"], "d": ["line\nbreak"]})
    assert read_terms(tmp_path / "t", "x") == {"c": ["good"]}
