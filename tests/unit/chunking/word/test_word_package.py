"""Opening files: every kind of Word package, and what is refused."""

import io
import re
import zipfile

import docx
import pytest
from kisoku.adapters.chunking.word.chunker import WordChunker
from kisoku.adapters.chunking.word.reader import read_document
from kisoku.domain.blocks import Heading, Paragraph, Table
from kisoku.domain.chunks import ChunkingOptions
from kisoku.domain.errors import CorruptDocumentError, EncryptedDocumentError, UnsupportedDocumentError
from kisoku.ports.chunker import Chunker, SourceDocument

OPTIONS = ChunkingOptions()
BODY = "<w:p><w:r><w:t>本文</w:t></w:r></w:p>"


def rewritten(data, change):
    """Return the archive with every entry's (name, bytes) changed; None drops it."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            changed = change(name, old.read(name))
            if changed is not None:
                new.writestr(name, changed)
    return out.getvalue()


def office_file():
    document = docx.Document()
    document.core_properties.title = "設計書の記入規則"
    document.add_heading("総則", 1)
    document.add_paragraph("設計書は日本語で書く。")
    table = document.add_table(rows=2, cols=2)
    for number, text in enumerate(("項目", "桁数", "名称", "20")):
        table.cell(number // 2, number % 2).text = text
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def test_a_file_of_python_docx():
    extracted = read_document(SourceDocument("規則.docx", office_file()), OPTIONS)
    assert extracted.title == "設計書の記入規則"
    assert extracted.blocks == (
        Heading("総則", level=1),
        Paragraph("設計書は日本語で書く。"),
        Table(rows=("項目 | 桁数", "名称 | 20")),
    )


@pytest.mark.parametrize(
    "content_type",
    [
        "application/vnd.ms-word.document.macroEnabled.main+xml",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
        "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
    ],
)
def test_macro_documents_and_templates_open_alike(content_type):
    plain = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    data = rewritten(office_file(), lambda _, content: content.replace(plain.encode(), content_type.encode()))
    extracted = read_document(SourceDocument("規則.dotm", data), OPTIONS)
    assert extracted.blocks[0] == Heading("総則", level=1)


def test_strict_files_are_read_like_transitional_ones():
    def strict(_, content):
        return re.sub(
            rb"http://schemas\.openxmlformats\.org/(wordprocessingml|officeDocument|drawingml)/2006/",
            rb"http://purl.oclc.org/ooxml/\1/",
            content,
        )

    data = rewritten(office_file(), strict)
    assert b"purl.oclc.org" in zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml")
    assert read_document(SourceDocument("規則.docx", data), OPTIONS).blocks[:2] == (
        Heading("総則", level=1),
        Paragraph("設計書は日本語で書く。"),
    )


def test_a_dangling_relationship_costs_only_its_part():
    data = rewritten(office_file(), lambda name, content: None if name == "word/styles.xml" else content)
    assert Paragraph("設計書は日本語で書く。") in read_document(SourceDocument("規則.docx", data), OPTIONS).blocks


def test_a_truncated_file_is_corrupt(build_word):
    document = build_word(BODY, name="切れた.docx")
    with pytest.raises(CorruptDocumentError, match=r"切れた\.docx") as caught:
        read_document(SourceDocument(document.name, document.data[:-30]), OPTIONS)
    assert caught.value.document == "切れた.docx"
    assert caught.value.hint


def test_a_damaged_part_is_corrupt(build_word):
    document = build_word("<w:p>")
    with pytest.raises(CorruptDocumentError, match=r"word/document\.xml"):
        read_document(document, OPTIONS)


def test_a_package_without_a_document_is_corrupt():
    buffer = io.BytesIO()
    zipfile.ZipFile(buffer, "w").close()
    with pytest.raises(CorruptDocumentError, match="no main document part"):
        read_document(SourceDocument("空.docx", buffer.getvalue()), OPTIONS)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE d SYSTEM "http://localhost:9/evil.dtd">',
    ],
)
def test_entities_are_refused(build_word, declaration):
    document = build_word(BODY)
    data = rewritten(
        document.data,
        lambda name, content: declaration.encode() + content if name == "word/document.xml" else content,
    )
    with pytest.raises(CorruptDocumentError, match="document type"):
        read_document(SourceDocument("攻撃.docx", data), OPTIONS)


def test_an_encrypted_file_and_a_legacy_file_are_told_apart():
    ole2 = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512)
    encrypted = ole2 + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(EncryptedDocumentError):
        read_document(SourceDocument("秘.docx", encrypted), OPTIONS)
    with pytest.raises(UnsupportedDocumentError):
        read_document(SourceDocument("旧.docx", ole2 + "WordDocument".encode("utf-16-le")), OPTIONS)


def test_another_office_file_is_unsupported(build_word):
    data = rewritten(
        build_word(BODY).data,
        lambda name, content: b'<workbook xmlns="x"/>' if name == "word/document.xml" else content,
    )
    with pytest.raises(UnsupportedDocumentError):
        read_document(SourceDocument("表.docx", data), OPTIONS)


def test_the_chunker_keeps_its_port():
    chunker = WordChunker()
    assert isinstance(chunker, Chunker)
    assert (chunker.name, chunker.doc_type) == ("word", "word")
    assert chunker.suffixes == {".docx", ".docm", ".dotx", ".dotm", ".doc", ".dot"}


def test_chunks_carry_path_number_and_source():
    def word(*paragraphs):
        document = docx.Document()
        for text, level in paragraphs:
            if level:
                document.add_heading(text, level)
            else:
                document.add_paragraph(text)
        buffer = io.BytesIO()
        document.save(buffer)
        return SourceDocument("記入規則.docx", buffer.getvalue())

    text = "表には必ず表題を付け、番号は章ごとに振り直す。" * 3
    result = WordChunker().chunk(word(("3 書式", 1), ("3.2 表の書き方", 2), (text, 0)), OPTIONS, len)
    (chunk,) = [c for c in result.chunks if text in c.content]
    assert chunk.headings == ("3 書式", "3.2 表の書き方")
    assert chunk.locator.uri("記入規則.docx") == "記入規則.docx#見出し!3.2"
