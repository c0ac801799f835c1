"""Names of documents, versions and chunks."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kisoku.domain.errors import HandbookError, UnknownVersionError
from kisoku.domain.names import (
    chunk_id,
    collection_name,
    document_name,
    split_chunk_id,
    version_name,
    version_number,
)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "　",
        ".",
        "..",
        "../秘密.docx",
        "a/b.docx",
        "a\\b.docx",
        "/etc/passwd",
        "C:evil.docx",
        "C:\\evil.docx",
        "a\x00.docx",
        "a\n.docx",
        "a\x1b[2J.docx",
        "a\x7f.docx",
        "\ud800.docx",
        "CON",
        "con.docx",
        "nul .txt",
        "COM1.xlsx",
        "規" * 81,
    ],
)
def test_hostile_names_are_refused(name):
    with pytest.raises(HandbookError) as caught:
        document_name(name)
    message = str(caught.value)
    assert message.isascii() or "\n" not in message
    assert all(c.isprintable() for c in message)


@pytest.mark.parametrize(
    "name",
    [
        "記入規則.docx",
        "表 の 規則（改訂）.xlsx",
        "rules-v2.final.md",
        "規" * 80,
        "CONSOLE.docx",
        "ＡＢＣ：規則.docx",
        "~$x.docx",
    ],
)
def test_ordinary_names_stay_as_they_are(name):
    assert document_name(name) == name


def test_one_name_has_one_spelling():
    decomposed = unicodedata.normalize("NFD", "ガイド.docx")
    assert decomposed != "ガイド.docx"
    assert document_name(decomposed) == "ガイド.docx"


@given(st.text())
def test_any_text_is_refused_or_safe(text):
    try:
        name = document_name(text)
    except HandbookError:
        return
    assert name == unicodedata.normalize("NFC", name)
    assert not set(name) & set("/\\\x00")
    assert name not in {".", ".."}
    assert 0 < len(name.encode()) <= 240
    assert document_name(name) == name


@pytest.mark.parametrize(
    "version", ["", "3", "v", "v01", "V1", "v-1", "v1 ", "v1\n", "latest", "v１", "v9999999999", "../v1"]
)
def test_no_version_names(version):
    with pytest.raises(UnknownVersionError):
        version_number(version)


@given(st.integers(0, 999_999_999))
def test_versions_go_both_ways(number):
    assert version_number(version_name(number)) == number


def test_ids_as_the_requirements_write_them():
    assert chunk_id("write", "v3", 1) == "rules-write_v3_001"
    assert chunk_id("design", "v12", 1234) == "rules-design_v12_1234"
    assert chunk_id("ref", "v1", 20) == "ref-docs_v1_020"
    assert collection_name("write") == "rules-write"
    assert collection_name("ref", "v3") == "ref-docs-v3"


@given(st.sampled_from(["write", "design", "ref"]), st.integers(0, 10**6), st.integers(1, 10**6))
def test_chunk_ids_go_both_ways(category, version, number):
    assert split_chunk_id(chunk_id(category, f"v{version}", number)) == (category, f"v{version}", number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "rules-write",
        "rules-write_v3",
        "rules-write_v3_",
        "rules-write_3_001",
        "rules-write_v3_００１",
        "rules-write_v3_1_2",
        "other_v3_001",
        "rules-write_v3_../001",
    ],
)
def test_no_chunk_ids(text):
    with pytest.raises(HandbookError, match="no chunk id"):
        split_chunk_id(text)
