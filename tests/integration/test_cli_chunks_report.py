"""`kisoku chunks --report`, `--html`, `--json`: figures counted by hand, hostile text, chunkers that lose text."""

import dataclasses
import json
import re
import sys
from html.parser import HTMLParser

import openpyxl
import pytest
from kisoku.adapters.cli.main import run
from kisoku.domain.blocks import ExtractedDocument, Heading, Omission, Paragraph
from kisoku.domain.chunks import ChunkDraft, ChunkedDocument
from kisoku.plugins.manager import shared_manager
from kisoku.plugins.markers import hookimpl
from kisoku.plugins.toolkit import cut

# 章 + 一文目。 + 節 + 二文目です。 = 1 + 4 + 1 + 6 characters, marks aside.
MARKDOWN = "# 章\n\n一文目。\n\n## 節\n\n二文目です。\n"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>&\"'"


class _Lossy:
    """Reads lines and forgets every chunk that says so; `opaque` does not hand over what it read."""

    doc_type = "lossy"
    version = "1"

    def __init__(self, name: str) -> None:
        self.name = name
        self.suffixes = frozenset({f".{name}"})

    def chunk(self, document, options, count_tokens):
        lines = document.data.decode().splitlines()
        if self.name == "opaque":
            drafts = tuple(
                ChunkDraft(content=line, headings=("見出し",), token_count=count_tokens(line)) for line in lines
            )
            return ChunkedDocument(drafts, (Omission("脚注", "boilerplate"),))
        blocks = [block for n, line in enumerate(lines) for block in (Heading(f"H{n}", 1), Paragraph(line))]
        chunked = cut(ExtractedDocument(tuple(blocks)), options, count_tokens)
        return dataclasses.replace(chunked, chunks=tuple(c for c in chunked.chunks if "忘れる" not in c.content))


class _Plugin:
    @hookimpl
    def kisoku_chunkers(self):
        return {name: lambda name=name: _Lossy(name) for name in ("lossy", "opaque")}


if "lossy" not in shared_manager().names("kisoku_chunkers"):
    shared_manager().register(_Plugin(), "test-lossy", ("kisoku-lossy", "7"))


@pytest.fixture
def chunks(capfd, monkeypatch, tmp_path):
    """Run `kisoku chunks` in this process; returns exit code, output, errors."""
    monkeypatch.setenv("KISOKU_BUILD__WORKERS", "0")
    monkeypatch.setenv("KISOKU_LANGUAGE", "en")
    monkeypatch.setenv("KISOKU_EMBEDDING__ADAPTER", "counting")
    monkeypatch.setenv("KISOKU_ROOT", str(tmp_path / "handbook"))
    monkeypatch.setenv("COLUMNS", "160")

    def call(*arguments):
        from kisoku.adapters.cli import output

        output.console.cache_clear()
        output.error_console.cache_clear()
        monkeypatch.setattr(sys, "argv", ["kisoku", "chunks", *map(str, arguments)])
        capfd.readouterr()
        try:
            run()
            code = 0
        except SystemExit as ended:
            code = ended.code or 0
        out, err = capfd.readouterr()
        return code, out, err

    return call


@pytest.fixture
def rules_book(tmp_path):
    """A sheet with a hidden row and a hidden sheet: 6 characters hidden in the row, 4 in the sheet."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "規則"
    for row in (("番号", "規則"), ("1", "表は太字にする。"), ("2", "隠した規則"), ("3", "図は下に置く。")):
        sheet.append(row)
    sheet.row_dimensions[3].hidden = True
    hidden = book.create_sheet("旧版")
    hidden["A1"] = "古い規則"
    hidden.sheet_state = "hidden"
    book.save(tmp_path / "規則.xlsx")
    return tmp_path / "規則.xlsx"


class _Page(HTMLParser):
    """Tags, attributes and texts of a page, as a browser sees them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data):
        self.texts.append(data)


def report_of(chunks, *arguments):
    code, out, err = chunks("--report", "--json", *arguments)
    return code, json.loads(out)["files"], err


def test_json_has_outline_figures_chunks_and_nothing_lost(chunks, tmp_path):
    (tmp_path / "規則.md").write_text(MARKDOWN, encoding="utf-8")
    code, (file,), err = report_of(chunks, tmp_path / "規則.md", "--set", "chunking.min_tokens=0")
    assert (code, err) == (0, "")
    assert (file["chunker"], file["doc_type"], file["gaps"], file["left_out"]) == ("markdown", "markdown", [], [])
    summary = file["summary"]
    assert {key: summary[key] for key in ("chunks", "kinds", "coverage", "characters", "in_chunks", "lost")} == {
        "chunks": 2, "kinds": {"text": 2}, "coverage": 100.0, "characters": 12, "in_chunks": 12, "lost": 0,
    }  # fmt: skip
    assert [(e["text"], e["level"], e["chunks"], e["first_chunk"]) for e in file["outline"]] == [
        ("章", 1, 2, 0),
        ("節", 2, 1, 1),
    ]
    assert [(c["content"], c["headings"]) for c in file["chunks"]] == [
        ("一文目。", ["章"]),
        ("二文目です。", ["章", "節"]),
    ]
    counts = [c["token_count"] for c in file["chunks"]]
    assert summary["tokens"] == {"min": min(counts), "median": sum(counts) / 2, "max": max(counts)}


def test_the_report_reads_on_a_terminal(chunks, rules_book):
    code, out, err = chunks("--report", rules_book)
    assert (code, err) == (0, "")
    assert re.search(r"^  規則 \(\d\)$", out, re.MULTILINE)
    assert re.search(r"^coverage: +100\.0 % of \d+ characters$", out, re.MULTILINE)
    assert "left out: hidden (hidden sheets, rows, columns, slides or text), 3 texts, 10 characters" in out
    assert re.search(r"規則!B3 +隠した規則", out)
    assert re.search(r"旧版!A1 +古い規則", out)


def test_lost_text_is_told_first_and_exits_with_1(chunks, tmp_path):
    (tmp_path / "a.lossy").write_text("最初の文は残るはずである。\nこの文は忘れる。\n", encoding="utf-8")
    options = ("--set", "chunking.min_tokens=0", tmp_path / "a.lossy")
    code, out, err = chunks("--report", *options)
    # H1 and この文は忘れる。: 2 + 8 characters.
    assert code == 1
    assert "text lost: 10 characters" in err
    assert "lossy (kisoku-lossy 7)" in err
    assert out.index("LOST TEXT") < out.index("outline")
    assert "この文は忘れる。" in out
    code, (file,), _ = report_of(chunks, *options)
    assert code == 1
    assert file["summary"]["lost"] == 10
    assert [gap["text"] for gap in file["gaps"]] == ["H1", "この文は忘れる。"]


def test_lost_text_stands_on_the_page(chunks, tmp_path):
    (tmp_path / "a.lossy").write_text("最初の文は残るはずである。\nこの文は忘れる。\n", encoding="utf-8")
    page = tmp_path / "out.html"
    code, _, err = chunks("--html", page, "--set", "chunking.min_tokens=0", tmp_path / "a.lossy")
    assert code == 1
    assert "text lost" in err
    text = page.read_text(encoding="utf-8")
    assert text.index('role="alert"') < text.index("この文は忘れる。") < text.index("<article")


def test_a_chunker_that_does_not_say_what_it_read_has_unknown_coverage(chunks, tmp_path):
    (tmp_path / "a.opaque").write_text("一行目\n二行目\n", encoding="utf-8")
    code, out, _ = chunks("--report", tmp_path / "a.opaque")
    assert code == 0
    assert "coverage:       unknown" in out
    assert "見出し (2)" in out
    _, (file,), _ = report_of(chunks, tmp_path / "a.opaque")
    assert file["summary"]["coverage"] is None
    assert file["summary"]["left_out"] == 2
    page = tmp_path / "out.html"
    assert chunks("--html", page, tmp_path / "a.opaque")[0] == 0
    assert "unknown: this chunker" in page.read_text(encoding="utf-8")


def test_the_page_shows_chunks_and_what_was_left_out_in_place(chunks, rules_book, tmp_path):
    page = tmp_path / "out.html"
    code, out, _ = chunks("--html", page, rules_book, "--lang", "ja", "--set", "chunking.min_tokens=0")
    assert code == 0
    assert "書き出しました" in out
    text = page.read_text(encoding="utf-8")
    assert '<html lang="ja">' in text
    assert (
        text.index("表は太字にする。")
        < text.index("隠した規則")
        < text.index("図は下に置く。")
        < text.index("古い規則")
    )
    assert "規則.xlsx#規則!A1:B2" in text
    ids = re.findall(r'id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)


def test_hostile_text_is_text_on_the_page(chunks, tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "<b>&'"
    for row in (("番号", HOSTILE), ("1", f"値{HOSTILE}"), ("2", HOSTILE)):
        sheet.append(row)
    sheet.row_dimensions[3].hidden = True
    name = "x&\"'<i>.xlsx" if sys.platform != "win32" else "x&'.xlsx"
    book.save(tmp_path / name)
    (tmp_path / "a.lossy").write_text(f"残る。\n忘れる{HOSTILE}\x00\x1b[31m\n", encoding="utf-8")
    (tmp_path / "b.md").write_text(f"# `{HOSTILE}`\n\n`{HOSTILE}`\n", encoding="utf-8")
    target = tmp_path / "out.html"
    chunks("--html", target, tmp_path / name, tmp_path / "a.lossy", tmp_path / "b.md")
    text = target.read_text(encoding="utf-8")
    page = _Page(text)
    assert not {"script", "img", "i", "iframe", "object", "link"} & set(page.tags)
    assert not [attribute for attribute, _ in page.attributes if attribute.startswith("on")]
    assert {value[0] for attribute, value in page.attributes if attribute in {"href", "src"}} == {"#"}
    assert sum(HOSTILE in shown for shown in page.texts) >= 5
    assert not re.search(r"[\x00-\x08\x0b-\x1f]", text)
    assert "default-src 'none'" in text


def test_the_page_needs_nothing_from_outside(chunks, rules_book, tmp_path):
    page = tmp_path / "out.html"
    chunks("--html", page, rules_book)
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"https?:|url\(|@import|<link|<script", text)
    assert "prefers-color-scheme: dark" in text


def test_several_files_have_a_section_each_and_refused_ones_say_why(chunks, rules_book, tmp_path):
    (tmp_path / "規則.md").write_text(MARKDOWN, encoding="utf-8")
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 no package")
    page = tmp_path / "out.html"
    code, out, err = chunks("--report", "--html", page, tmp_path / "broken.docx", tmp_path / "規則.md", rules_book)
    assert code == 0
    assert "broken.docx: corrupt" in err
    assert out.count("coverage:") == 2
    text = page.read_text(encoding="utf-8")
    assert re.findall(r'<section id="(f\d)"><h1>([^<]+)</h1>', text) == [
        ("f1", "broken.docx"),
        ("f2", "規則.md"),
        ("f3", "規則.xlsx"),
    ]
    assert re.search(r'class="alarm">corrupt', text)


@pytest.mark.parametrize("options", [("--json",), ("--jsonl", "--report"), ("--jsonl", "--html", "x.html")])
def test_options_that_do_not_go_together_are_refused(chunks, rules_book, options):
    code, out, err = chunks(*options, rules_book)
    assert (code, out) == (2, "")
    assert "go with" in err or "goes with" in err


def test_a_page_that_cannot_be_written_is_one_sentence(chunks, rules_book, tmp_path):
    code, _, err = chunks("--html", tmp_path / "nowhere" / "out.html", rules_book)
    assert code == 1
    assert "cannot be written" in err
    assert "Traceback" not in err
