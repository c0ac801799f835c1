"""What `inspect` refuses and lets pass, on files made here."""

import io
import sys
import zipfile
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from kisoku.adapters.chunking.guard import ParseLimits, inspect
from kisoku.domain.errors import (
    CorruptDocumentError,
    DocumentError,
    DocumentTooLargeError,
    EncryptedDocumentError,
    SkippedDocumentError,
    UnsupportedDocumentError,
)
from kisoku.ports.chunker import SourceDocument

GOLD = Path(__file__).parents[3] / "../shared/data/chunk-gold"
LIMITS = ParseLimits()


def word() -> bytes:
    document = docx.Document()
    document.add_heading("総則", 1)
    document.add_paragraph("本文である。")
    return saved(document)


def excel() -> bytes:
    book = openpyxl.Workbook()
    book.active["A1"] = "項目"
    return saved(book)


def saved(document) -> bytes:
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()


def repacked(data: bytes, change: dict[str, bytes | None]) -> bytes:
    """The package with parts replaced, added or (None) left out."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in change:
                new.writestr(name, old.read(name))
        for name, part in change.items():
            if part is not None:
                new.writestr(name, part)
    return target.getvalue()


def ole2(*streams: str) -> bytes:
    """An OLE2 header sector and a directory with the streams' entries, as in [MS-CFB] 2.6.1."""
    directory = b"".join(name.encode("utf-16-le").ljust(64, b"\0") + bytes(64) for name in ("Root Entry", *streams))
    return bytes.fromhex("d0cf11e0a1b11ae1").ljust(512, b"\0") + directory


def refused(name: str, data: bytes, limits: ParseLimits = LIMITS) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        inspect(SourceDocument(name, data), limits)
    assert caught.value.document == name
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("規則.docx", word()),
        ("規則.xlsx", excel()),
        ("規則.pptx", saved(pptx.Presentation())),
        ("規則.md", "# 規則".encode()),
        ("規則.pdf", b"%PDF-1.7"),
    ],
)
def test_good_documents_pass_unchanged(name: str, data: bytes) -> None:
    document = SourceDocument(name, data)
    assert inspect(document, LIMITS) is document


@pytest.mark.parametrize("name", ["~$規則.docx", "a/~$規則.docx", ".規則.docx", ".git/規則.md", "a\\.b\\c.md"])
def test_lock_and_hidden_files_are_skipped(name: str) -> None:
    assert isinstance(refused(name, b"x"), SkippedDocumentError)


def test_a_leading_dot_slash_is_not_hidden() -> None:
    document = SourceDocument("./規則.md", b"x")
    assert inspect(document, LIMITS) is document


@pytest.mark.parametrize("name", ["規則.docx", "規則.xls", "規則.pptx"])
def test_encrypted_office_files_are_told_from_legacy_ones(name: str) -> None:
    assert isinstance(refused(name, ole2("EncryptionInfo", "EncryptedPackage")), EncryptedDocumentError)


@pytest.mark.parametrize(
    ("name", "stream", "target"),
    [
        ("規則.doc", "WordDocument", ".docx"),
        ("規則.docx", "WordDocument", ".docx"),
        ("規則.xls", "Workbook", ".xlsx"),
        ("規則.xls", "Book", ".xlsx"),
        ("規則.ppt", "PowerPoint Document", ".pptx"),
    ],
)
def test_legacy_files_say_what_to_save_them_as(
    name: str, stream: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    error = refused(name, ole2(stream))
    assert isinstance(error, UnsupportedDocumentError)
    assert target in error.hint


def office(folder: Path, script: str) -> str:
    """A search path with a program that stands where LibreOffice would."""
    program = folder / "soffice"
    program.write_text(f"#!{sys.executable}\nimport sys, pathlib\n{script}")
    program.chmod(0o755)
    return str(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a script as a program")
def test_legacy_files_are_converted_where_libreoffice_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "converted.docx").write_bytes(word())
    script = (
        "source = pathlib.Path(sys.argv[-1]); out = pathlib.Path(sys.argv[sys.argv.index('--outdir') + 1])\n"
        "assert source.read_bytes()[:4] == bytes.fromhex('d0cf11e0')\n"
        "out.mkdir(); kind = sys.argv[sys.argv.index('--convert-to') + 1]\n"
        f"data = pathlib.Path({str(tmp_path / 'converted.docx')!r}).read_bytes()\n"
        "(out / (source.stem + '.' + kind)).write_bytes(data)\n"
    )
    monkeypatch.setenv("PATH", office(tmp_path, script))
    result = inspect(SourceDocument("../規則.doc", ole2("WordDocument")), LIMITS)
    assert result == SourceDocument("../規則.doc", (tmp_path / "converted.docx").read_bytes())


@pytest.mark.skipif(sys.platform == "win32", reason="needs a script as a program")
@pytest.mark.parametrize(
    ("script", "error"),
    [("sys.exit(0)", CorruptDocumentError), ("import time; time.sleep(30)", DocumentTooLargeError)],
)
def test_a_conversion_that_fails_or_hangs_is_that_documents_error(
    script: str, error: type[DocumentError], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", office(tmp_path, script))
    assert isinstance(refused("規則.doc", ole2("WordDocument"), ParseLimits(seconds=1)), error)


def test_a_stream_name_in_running_text_is_no_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    data = ole2("WordDocument") + b"xyz" + "EncryptedPackage\0".encode("utf-16-le")
    assert isinstance(refused("規則.doc", data), UnsupportedDocumentError)


def test_binary_workbooks_are_unsupported() -> None:
    types = b'<Types><Override ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>'
    data = repacked(excel(), {"[Content_Types].xml": types})
    assert isinstance(refused("規則.xlsb", data), UnsupportedDocumentError)
    assert isinstance(refused("規則.xlsx", data), UnsupportedDocumentError)


def test_open_document_files_are_unsupported() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
    assert isinstance(refused("規則.docx", target.getvalue()), UnsupportedDocumentError)


@pytest.mark.parametrize("part", [0.3, 0.7, 0.95])
def test_truncated_files_are_corrupt(part: float) -> None:
    data = word()
    assert isinstance(refused("規則.docx", data[: int(len(data) * part)]), CorruptDocumentError)


@pytest.mark.parametrize("data", [b"", b"plain text", b"%PDF-1.7", b"{\\rtf1", b"<html>", b"PK\x03\x04"])
def test_what_is_no_archive_is_corrupt(data: bytes) -> None:
    assert isinstance(refused("規則.docx", data), CorruptDocumentError)


def test_a_misnamed_office_file_says_what_it_is() -> None:
    error = refused("規則.xlsx", word())
    assert isinstance(error, CorruptDocumentError)
    assert "Word" in error.message
    assert ".docx" in error.hint


def test_damaged_bytes_inside_a_part_are_corrupt() -> None:
    data = bytearray(word())
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        entry = archive.getinfo("word/document.xml")
    start = entry.header_offset + 30 + len(entry.filename)
    data[start + 20 : start + 60] = bytes(40)
    assert isinstance(refused("規則.docx", bytes(data)), CorruptDocumentError)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-8-sig"])
def test_document_types_and_entities_are_refused_in_any_encoding(encoding: str) -> None:
    xml = '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>'
    data = repacked(word(), {"word/footnotes.xml": xml.encode(encoding)})
    error = refused("規則.docx", data)
    assert isinstance(error, CorruptDocumentError)
    assert "word/footnotes.xml" in error.message


def test_an_endless_prolog_hides_nothing() -> None:
    xml = b"<?xml version='1.0'?><!--" + b" " * 100_000 + b"--><!DOCTYPE a []><a/>"
    assert isinstance(refused("規則.docx", repacked(word(), {"word/x.xml": xml})), CorruptDocumentError)


def test_text_about_entities_is_no_entity() -> None:
    xml = b"<a>&lt;!DOCTYPE a&gt; <!-- <!ENTITY --></a>"
    document = SourceDocument("規則.docx", repacked(word(), {"customXml/item1.xml": xml}))
    assert inspect(document, LIMITS) is document


def test_file_size_entries_inflated_size_and_ratio_are_limited() -> None:
    data = word()
    many = repacked(data, {f"word/media/{n}.png": b"" for n in range(50)})
    big = repacked(data, {"word/media/a.png": bytes(30_000_000)})
    for limits, bytes_ in [
        (ParseLimits(max_file_bytes=1000), data),
        (ParseLimits(max_entries=30), many),
        (ParseLimits(max_inflated_bytes=20_000_000), big),
        (ParseLimits(max_ratio=100), big),
    ]:
        assert isinstance(refused("規則.docx", bytes_, limits), DocumentTooLargeError)


def test_a_size_that_the_archive_lies_about_is_found() -> None:
    data = bytearray(repacked(word(), {"word/media/a.png": bytes(3_000_000)}))
    # The declared size in the central directory becomes 10 bytes; the stream still holds three million.
    at = data.rfind(b"word/media/a.png") - 46
    assert data[at : at + 4] == b"PK\x01\x02"
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    assert isinstance(refused("規則.docx", bytes(data)), CorruptDocumentError)


def shared_strings_book(length: int, references: int) -> bytes:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    cells = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, references + 1))
    sheet = f'<worksheet xmlns="{main}"><sheetData>{cells}</sheetData></worksheet>'
    strings = f'<sst xmlns="{main}"><si><r><t>{"a" * length}</t></r></si></sst>'
    return repacked(excel(), {"xl/worksheets/sheet1.xml": sheet.encode(), "xl/sharedStrings.xml": strings.encode()})


def test_shared_strings_count_as_often_as_they_are_shown() -> None:
    limits = ParseLimits(max_characters=1_000_000)
    small = SourceDocument("規則.xlsx", shared_strings_book(1000, 1000))
    assert inspect(small, limits) is small
    assert isinstance(refused("規則.xlsx", shared_strings_book(1000, 1001), limits), DocumentTooLargeError)


def strict(data: bytes) -> bytes:
    """The package as a strict one, by the renaming of ISO/IEC 29500-1 annex A."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            for family in (b"spreadsheetml", b"wordprocessingml", b"drawingml", b"officeDocument"):
                part = part.replace(
                    b"http://schemas.openxmlformats.org/" + family + b"/2006/",
                    b"http://purl.oclc.org/ooxml/" + family + b"/",
                )
            new.writestr(name, part.replace(b"extended-properties", b"extendedProperties"))
    return target.getvalue()


def test_strict_files_are_made_transitional() -> None:
    book = inspect(SourceDocument("規則.xlsx", strict(excel())), LIMITS)
    assert openpyxl.load_workbook(io.BytesIO(book.data)).active["A1"].value == "項目"
    text = inspect(SourceDocument("規則.docx", strict(word())), LIMITS)
    assert [p.text for p in docx.Document(io.BytesIO(text.data)).paragraphs] == ["総則", "本文である。"]
    assert inspect(SourceDocument("規則.docx", strict(word())), LIMITS) == text


def test_text_files_are_limited_too() -> None:
    limits = ParseLimits(max_characters=10)
    assert isinstance(refused("規則.md", b"x" * 41, limits), DocumentTooLargeError)


@pytest.mark.skipif(not GOLD.is_dir(), reason="the gold files are not beside the repository")
def test_gold_files_are_refused_as_expected() -> None:
    import json

    lines = (GOLD / "probes.jsonl").read_text(encoding="utf-8").splitlines()
    expected = {p["file"]: p["expect_error"] for p in map(json.loads, lines) if "expect_error" in p}
    for path in sorted((GOLD / "files").rglob("*.*")):
        name = path.relative_to(GOLD / "files").as_posix()
        document = SourceDocument(name, path.read_bytes())
        if name in expected:
            assert refused(name, document.data).category in expected[name].split("|")
        else:
            inspect(document, LIMITS)
