"""The account of documents whose every character was counted by hand, and what a report makes of it."""

import dataclasses

from kisoku.adapters.chunking.cutting.accounting import account
from kisoku.adapters.chunking.cutting.cutter import cut
from kisoku.domain.accounting import Account
from kisoku.domain.blocks import Anchor, ExtractedDocument, Heading, Omission, Paragraph, Table
from kisoku.domain.chunks import ChunkDraft, ChunkedDocument, ChunkingOptions
from kisoku.orchestration.chunk_report import LONGEST_TEXT, FileReport, TokenFigures, _bounded, _outline_of

# 章一 + ああああ。 + 節二 + いいい。 = 2 + 5 + 2 + 4 characters; the omission has 3 and a space.
SMALL = ExtractedDocument(
    (
        Heading("章一", 1),
        Paragraph("ああああ。", anchor=Anchor(sheet="表", cells="A2")),
        Heading("節二", 2),
        Paragraph("いいい。", anchor=Anchor(sheet="表", cells="A4")),
    ),
    (Omission("頁 一二", "boilerplate"),),
)
APART = ChunkingOptions(min_tokens=0)


def small(options: ChunkingOptions = APART) -> ChunkedDocument:
    return cut(SMALL, options, len)


def test_every_character_is_counted_once() -> None:
    found = account(SMALL, small())
    assert (found.characters, found.chunked, found.omitted, found.missing) == (16, 13, 3, 0)
    assert found.gaps == ()


def test_a_lost_chunk_is_a_gap_with_its_place() -> None:
    chunked = small()
    found = account(SMALL, dataclasses.replace(chunked, chunks=chunked.chunks[:1]))
    # The heading of the lost chunk is lost with it.
    assert [(gap.text, gap.characters, gap.anchor.cells) for gap in found.gaps] == [
        ("節二", 2, None),
        ("いいい。", 4, "A4"),
    ]
    assert (found.characters, found.chunked, found.missing) == (16, 7, 6)


def test_a_lost_table_row_is_told_by_its_own_place() -> None:
    table = Table(
        rows=("い: 一", "ろ: 二", "は: 三"),
        row_anchors=tuple(Anchor(sheet="表", cells=f"A{row}") for row in (2, 3, 4)),
        anchor=Anchor(sheet="表", cells="A2:A4"),
    )
    document = ExtractedDocument((table,))
    found = account(document, ChunkedDocument((ChunkDraft(content="い: 一\nは: 三"),)))
    assert [(gap.text, gap.anchor.cells) for gap in found.gaps] == [("ろ:二", "A3")]
    assert found.characters == 9


def test_the_outline_counts_the_chunks_of_a_section_and_those_below() -> None:
    outline = account(SMALL, small()).outline
    assert [(e.text, e.level, e.chunks, e.before, e.inside) for e in outline] == [
        ("章一", 1, 2, 0, False),
        ("節二", 2, 1, 1, False),
    ]


def test_a_heading_inside_a_chunk_says_so() -> None:
    document = ExtractedDocument(
        (Heading("章", 1), Heading("節一", 2), Paragraph("ああ。"), Heading("節二", 2), Paragraph("いい。"))
    )
    chunked = cut(document, ChunkingOptions(min_tokens=20), len)
    assert [chunk.content for chunk in chunked.chunks] == ["節一\nああ。\n節二\nいい。"]
    assert [(e.text, e.chunks, e.inside) for e in account(document, chunked).outline] == [
        ("章", 1, False),
        ("節一", 1, False),
        ("節二", 1, True),
    ]


def test_pieces_of_a_long_table_belong_to_the_section_of_their_rows() -> None:
    rows = tuple(f"行{n:02d}" + "あ" * 10 for n in range(8))  # 13 characters each
    document = ExtractedDocument(
        (Heading("表の章", 1), Table(rows=rows, header=("見出し行",)), Heading("次の章", 1), Paragraph("終わり。"))
    )
    chunked = cut(document, ChunkingOptions(min_tokens=0, max_tokens=48, overlap_tokens=8), len)
    # Header, line break and three rows with their breaks: 4 + 1 + 41 = 46 of 48.
    assert [chunk.content.count("行") - 1 for chunk in chunked.chunks[:-1]] == [3, 3, 2]
    assert [(e.text, e.chunks, e.before) for e in account(document, chunked).outline] == [
        ("表の章", 3, 0),
        ("次の章", 1, 3),
    ]


def test_parents_are_not_counted_as_chunks_of_a_section() -> None:
    document = ExtractedDocument((Heading("章", 1), Paragraph("これは十文字の文だ。" * 30)))
    options = ChunkingOptions(
        strategy="parent_child", parent_chars=400, parent_overlap=0, child_chars=100, child_overlap=0
    )
    chunked = cut(document, options, len)
    children = [chunk for chunk in chunked.chunks if not chunk.is_parent]
    assert len(children) < len(chunked.chunks)
    assert account(document, chunked).outline[0].chunks == len(children)


def test_figures_of_a_report() -> None:
    drafts = (
        ChunkDraft(content="親", token_count=900, is_parent=True),
        ChunkDraft(content="子", token_count=10, parent=0),
        ChunkDraft(content="子", token_count=30, parent=0, kind="table"),
        ChunkDraft(content="子", token_count=50, parent=0, kind="table"),
    )
    left_out = _bounded((Omission("あ い", "hidden"), Omission("うえおか", "duplicate"), Omission("き", "hidden")))
    report = FileReport("a", "a", drafts=drafts, left_out=left_out, account=Account(200, 150, 40))
    assert report.kinds == {"table": 2, "parent": 1, "text": 1}
    assert report.tokens == TokenFigures(10, 30, 50)
    assert report.coverage == 95.0
    assert report.has_gap
    assert [(reason, [item.characters for item in items]) for reason, items in report.by_reason.items()] == [
        ("duplicate", [4]),
        ("hidden", [2, 1]),
    ]


def test_without_an_account_coverage_is_unknown_and_no_gap_is_claimed() -> None:
    report = FileReport("a", "a", drafts=(ChunkDraft(content="本文"),))
    assert report.coverage is None
    assert not report.has_gap


def test_an_empty_document_is_covered() -> None:
    report = FileReport("a", "a", account=account(ExtractedDocument(()), ChunkedDocument(())))
    assert report.coverage == 100.0
    assert report.tokens is None


def test_left_out_texts_are_bounded_but_counted_whole() -> None:
    items = _bounded([Omission("あ" * 5000, "hidden")] * 300)
    assert len(items) == 300
    assert {item.characters for item in items} == {5000}
    assert max(len(item.text) for item in items) == LONGEST_TEXT
    assert sum(len(item.text) for item in items) <= 402_000


def test_the_outline_of_heading_paths_counts_each_section_where_it_stands() -> None:
    paths = (("A",), ("A", "B"), ("A", "B"), ("C",), ("A",))
    drafts = [ChunkDraft(content="x", headings=path) for path in paths]
    assert [(e.text, e.level, e.chunks, e.before) for e in _outline_of(drafts)] == [
        ("A", 1, 3, 0),
        ("B", 2, 2, 1),
        ("C", 1, 1, 3),
        ("A", 1, 1, 4),
    ]
