"""Every built-in chunker keeps the contract of its port."""

import io

import docx
import openpyxl
import pptx
import pytest
from kisoku.adapters.chunking.excel.chunker import ExcelChunker
from kisoku.adapters.chunking.markdown.chunker import MarkdownChunker
from kisoku.adapters.chunking.powerpoint.chunker import PowerPointChunker
from kisoku.adapters.chunking.word.chunker import WordChunker
from kisoku.ports.chunker import Chunker, SourceDocument
from kisoku.testing.chunker import ChunkerContract
from openpyxl.comments import Comment

SENTENCES = tuple(
    f"第{n}の規則として、画面名は「画面{n}」のように全角{n + 3}文字以内で入力する。" for n in range(1, 41)
)
ROWS = tuple((f"項目{n}", f"{n}桁", f"項目{n}は必ず入力し、空欄を残さない。") for n in range(1, 31))


def saved(document, name: str) -> SourceDocument:
    target = io.BytesIO()
    document.save(target)
    return SourceDocument(name, target.getvalue())


class TestMarkdownChunker(ChunkerContract):
    @pytest.fixture
    def chunker(self) -> Chunker:
        return MarkdownChunker()

    @pytest.fixture
    def sample(self) -> SourceDocument:
        rows = "\n".join(f"| {' | '.join(row)} |" for row in ROWS)
        text = (
            f"---\ntitle: 記入規則\n---\n# 1. 総則\n\n{''.join(SENTENCES[:20])}\n\n## 1.1 表\n\n次の表に示す。\n\n"
            f"| 名 | 桁 | 説明 |\n|---|---|---|\n{rows}\n\n## 1.2 列挙\n\n"
            + "\n".join(f"- {sentence}" for sentence in SENTENCES[20:])
        )
        return SourceDocument("記入規則.md", text.encode())

    @pytest.fixture
    def texts(self) -> tuple[str, ...]:
        return (*SENTENCES, *(row[2] for row in ROWS), "1. 総則", "1.1 表", "1.2 列挙", "次の表に示す。")


class TestPlainText(ChunkerContract):
    @pytest.fixture
    def chunker(self) -> Chunker:
        return MarkdownChunker()

    @pytest.fixture
    def sample(self) -> SourceDocument:
        text = "第1章 総則\r\n\r\n" + "\r\n".join(SENTENCES[:20]) + "\r\n\r\n1.1 細則\r\n\r\n" + "".join(SENTENCES[20:])
        return SourceDocument("記入規則.txt", text.encode("cp932"))

    @pytest.fixture
    def texts(self) -> tuple[str, ...]:
        return (*SENTENCES, "第1章 総則", "1.1 細則")


class TestWordChunker(ChunkerContract):
    @pytest.fixture
    def chunker(self) -> Chunker:
        return WordChunker()

    @pytest.fixture
    def sample(self) -> SourceDocument:
        document = docx.Document()
        document.add_heading("総則", 1)
        for sentence in SENTENCES[:20]:
            document.add_paragraph(sentence)
        document.add_heading("表", 2)
        table = document.add_table(rows=1, cols=3)
        for cell, text in zip(table.rows[0].cells, ("名", "桁", "説明"), strict=True):
            cell.text = text
        for row in ROWS:
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
        document.add_heading("列挙", 2)
        for sentence in SENTENCES[20:]:
            document.add_paragraph(sentence, style="List Bullet")
        return saved(document, "記入規則.docx")

    @pytest.fixture
    def texts(self) -> tuple[str, ...]:
        return (*SENTENCES, *(row[2] for row in ROWS), "総則", "列挙")


class TestExcelChunker(ChunkerContract):
    @pytest.fixture
    def chunker(self) -> Chunker:
        return ExcelChunker()

    @pytest.fixture
    def sample(self) -> SourceDocument:
        book = openpyxl.Workbook()
        sheet = book.active
        sheet.title = "項目一覧"
        sheet.append(("名称", "桁数", "説明"))
        for row in ROWS:
            sheet.append(row)
        sheet["B1"].comment = Comment("桁数は半角数字で記入する。", "author")
        second = book.create_sheet("規則")
        for n, sentence in enumerate(SENTENCES, start=1):
            second.cell(n, 1, sentence)
        return saved(book, "図表規則.xlsx")

    @pytest.fixture
    def texts(self) -> tuple[str, ...]:
        return (*SENTENCES, *(row[2] for row in ROWS), "桁数は半角数字で記入する。")


class TestPowerPointChunker(ChunkerContract):
    @pytest.fixture
    def chunker(self) -> Chunker:
        return PowerPointChunker()

    @pytest.fixture
    def sample(self) -> SourceDocument:
        deck = pptx.Presentation()
        for n in range(0, 40, 8):
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text = f"方針{n}"
            slide.placeholders[1].text = "\n".join(SENTENCES[n : n + 8])
            slide.notes_slide.notes_text_frame.text = f"ノート{n}では背景を説明する。"
        return saved(deck, "方針.pptx")

    @pytest.fixture
    def texts(self) -> tuple[str, ...]:
        return (*SENTENCES, *(f"方針{n}" for n in range(0, 40, 8)), "ノート8では背景を説明する。")
