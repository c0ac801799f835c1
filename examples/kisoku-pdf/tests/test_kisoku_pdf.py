"""The plugin proves itself: kisoku's contract tests for chunkers, then what is particular to PDF."""

import importlib.metadata
import re

import pytest
from kisoku.domain.chunks import ChunkedDocument, ChunkingOptions
from kisoku.domain.errors import CorruptDocumentError, EncryptedDocumentError, UnsupportedDocumentError
from kisoku.plugins.manager import PluginManager
from kisoku.ports.chunker import Chunker, SourceDocument
from kisoku.testing.chunker import ChunkerContract, count_tokens
from kisoku_pdf.chunker import PdfChunker
from pdf_writer import LATIN, LATIN_BOLD, Line, pdf

WIDE = 45
"""Characters of 10 points between the margins, 72 and 522 points."""


def cut(data: bytes, name: str = "規則.pdf", **options: object) -> ChunkedDocument:
    return PdfChunker().chunk(SourceDocument(name, data), ChunkingOptions.model_validate(options), count_tokens)


def paragraph(text: str, y: float, *, x: float = 72) -> list[Line]:
    """Return a paragraph broken at the right margin as a word processor breaks it."""
    return [Line(text[at : at + WIDE], y - 16 * n, x) for n, at in enumerate(range(0, len(text), WIDE))]


SENTENCES = [
    "この規則は、基本設計書を作成する者が守るべき事項を定めるものであり、社内のすべての部署に適用する。",
    "画面項目の名称は全角二十文字以内とし、略語を用いるときは用語集に登録された表記に限るものとする。",
    "日付は西暦で記入し、年月日の区切りには斜線を用いること。和暦を併記してはならない。ただし法令が求める場合を除く。",
]


@pytest.fixture(scope="module")
def rules() -> bytes:
    """Three pages: title, two chapters, sections; a header and a numbered footer on each."""
    furniture = [[Line("設計書記入規則　第二版", 805, size=8), Line(f"- {n} -", 30, 280, 8)] for n in (1, 2, 3)]
    first = [Line("設計書記入規則", 740, 200, 20), Line("第1章　総則", 700, size=14), *paragraph(SENTENCES[0], 670)]
    second = [
        Line("第2章　記入", 760, size=14),
        Line("2.1　画面項目", 730, size=12),
        *paragraph(SENTENCES[1], 700),
    ]
    third = [Line("2.2　日付", 760, size=12), *paragraph(SENTENCES[2], 730), Line("(1) 斜線は半角とする", 680)]
    pages = [[top, *page, foot] for (top, foot), page in zip(furniture, (first, second, third), strict=True)]
    return pdf(pages, title="設計書 記入規則")


class TestPdfChunker(ChunkerContract):
    """The contract of the port, on the document above."""

    @pytest.fixture
    def chunker(self) -> Chunker:
        """The chunker under test."""
        return PdfChunker()

    @pytest.fixture
    def sample(self, rules: bytes) -> SourceDocument:
        """A document with everything that the chunker knows."""
        return SourceDocument("規則.pdf", rules)

    @pytest.fixture
    def texts(self) -> tuple[str, ...]:
        """What must not be lost."""
        single = [sentence for text in SENTENCES for sentence in re.findall("[^。]+。", text)]
        return (*single, "設計書記入規則　第二版", "第1章　総則", "2.2　日付", "(1) 斜線は半角とする")


def test_headings_by_size_and_number_give_the_path_and_pages_the_place(rules: bytes) -> None:
    found = cut(rules, min_tokens=0)
    assert found.title == "設計書 記入規則"
    places = {chunk.content: (chunk.headings, chunk.locator.uri("規則.pdf")) for chunk in found.chunks}
    assert next(v for k, v in places.items() if SENTENCES[0] in k) == (
        ("設計書記入規則", "第1章 総則"),
        "規則.pdf#page!1",
    )
    assert next(v for k, v in places.items() if SENTENCES[1] in k) == (
        ("設計書記入規則", "第2章 記入", "2.1 画面項目"),
        "規則.pdf#page!2",
    )
    assert next(v for k, v in places.items() if SENTENCES[2] in k) == (
        ("設計書記入規則", "第2章 記入", "2.2 日付"),
        "規則.pdf#page!3",
    )


def test_running_headers_and_page_numbers_are_boilerplate(rules: bytes) -> None:
    omissions = [(omission.text, omission.reason, omission.anchor.page) for omission in cut(rules).omissions]
    assert omissions == [
        entry
        for page in (1, 2, 3)
        for entry in (
            ("設計書記入規則　第二版", "boilerplate", page),
            (f"- {page} -", "boilerplate", page),
        )
    ]


def test_a_paragraph_that_crosses_a_page_is_one() -> None:
    text = "表の幅は本文の幅に合わせ、列の幅は見出しが折り返さないように定める。" * 2 + "例外は認めない。"
    lines = paragraph(text, 100)
    later = [Line(lines[-1].text, 770)]
    found = cut(pdf([[*lines[:-1]], later]))
    assert [chunk.content for chunk in found.chunks] == [text]
    assert found.chunks[0].locator.pages == (1, 1)


def test_hyphenated_english_is_made_whole_and_other_lines_get_a_space() -> None:
    lines = (
        "Names of screen items must not exceed twenty characters and shall follow the regis-",
        "tered spelling of the glossary, which every department keeps for its own documents and",
        "publishes once a year.",
    )
    page = [Line(line, 700 - 12 * n, font=LATIN) for n, line in enumerate(lines)]
    (chunk,) = cut(pdf([page])).chunks
    assert chunk.content == f"{lines[0][:-1]}{lines[1]} {lines[2]}"


def test_bold_lines_and_numbers_with_parts_are_headings_but_numbered_sentences_are_not() -> None:
    body = "The layout follows the template of the department and keeps its margins."
    page = [
        Line("1 Scope", 780, font=LATIN_BOLD),
        Line(body, 760, font=LATIN),
        Line("1.1 Limits", 730, font=LATIN),
        Line("1. Fill in every cell of the table.", 710, font=LATIN),
        Line("2. Leave none empty.", 690, font=LATIN),
    ]
    found = cut(pdf([page]), min_tokens=0)
    assert [(chunk.headings, chunk.content) for chunk in found.chunks] == [
        (("1 Scope",), body),
        (("1 Scope", "1.1 Limits"), "1. Fill in every cell of the table.\n2. Leave none empty."),
    ]


def test_a_pdf_with_a_password_says_so() -> None:
    with pytest.raises(EncryptedDocumentError, match="password") as caught:
        cut(pdf([[Line("秘密", 700)]], password=True))
    assert caught.value.document == "規則.pdf"


def test_scanned_pages_ask_for_ocr() -> None:
    with pytest.raises(UnsupportedDocumentError, match="OCR"):
        cut(pdf([[], []]))


@pytest.mark.parametrize("data", [b"PK\x03\x04 a renamed Word file", b"%PDF-1.7\nnothing else"])
def test_what_is_no_pdf_is_corrupt(data: bytes) -> None:
    with pytest.raises(CorruptDocumentError):
        cut(data)


def test_kisoku_finds_the_plugin() -> None:
    plugin = next(plugin for plugin in PluginManager().plugins() if plugin.name == "pdf")
    assert (plugin.distribution, plugin.version) == ("kisoku-pdf", importlib.metadata.version("kisoku-pdf"))
    assert plugin.provides == {"kisoku_chunkers": ("pdf",)}
    assert plugin.failures == ()
