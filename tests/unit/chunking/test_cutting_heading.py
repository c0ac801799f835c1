"""Strategy `heading`: what becomes a chunk, what stays together, where it says it stands."""

import pytest
from kisoku.adapters.chunking.cutting.coverage import coverage
from kisoku.adapters.chunking.cutting.cutter import cut
from kisoku.domain.blocks import Anchor, Block, ExtractedDocument, Heading, Omission, Paragraph, Table
from kisoku.domain.chunks import ChunkDraft, ChunkingOptions

LONG = "この規則はすべての画面設計書に適用し、例外を認めない。"  # 27 characters


def chunks(*blocks: Block, most: int = 100, least: int = 20, slides: bool = False) -> tuple[ChunkDraft, ...]:
    options = ChunkingOptions(max_tokens=most, min_tokens=least, overlap_tokens=0)
    document = ExtractedDocument(blocks)
    result = cut(document, options, len, slides=slides)
    assert coverage(document, result).complete
    return result.chunks


def contents(found: tuple[ChunkDraft, ...]) -> list[str]:
    return [chunk.content for chunk in found]


def test_a_section_is_a_chunk_under_all_its_headings() -> None:
    found = chunks(
        Heading("1 総則", 1, "1"),
        Heading("1.2 適用", 2, "1.2"),
        Paragraph(LONG),
        Paragraph("二つ目の段落。"),
        Heading("1.2.0.1 飛び級", 4, "1.2.0.1"),
        Paragraph(LONG),
        Heading("2 次章", 1, "2"),
        Paragraph(LONG),
    )
    assert [chunk.headings for chunk in found] == [
        ("1 総則", "1.2 適用"),
        ("1 総則", "1.2 適用", "1.2.0.1 飛び級"),
        ("2 次章",),
    ]
    assert found[0].content == f"{LONG}\n二つ目の段落。"
    assert [chunk.locator.heading for chunk in found] == ["1.2", "1.2.0.1", "2"]
    # "1 総則\n1.2 適用\n" are 12 characters.
    assert (found[0].start, found[0].end) == (12, 12 + len(found[0].content))


def test_a_long_section_is_cut_between_paragraphs_then_sentences() -> None:
    found = chunks(Heading("章", 1), Paragraph(LONG * 3), Paragraph(LONG * 4), Paragraph(LONG))
    assert contents(found) == [LONG * 3, LONG * 3, f"{LONG}\n{LONG}"]


def test_short_subsections_are_quoted_together_with_their_headings() -> None:
    found = chunks(
        Heading("3 命名", 1, "3"),
        Heading("3.1 論理名", 2, "3.1"),
        Paragraph("全角とする。"),
        Heading("3.2 物理名", 2, "3.2"),
        Paragraph("半角とする。"),
        Heading("3.3 事例", 2, "3.3"),
        Paragraph("別紙。"),
        Heading("4 章", 1, "4"),
        Paragraph("短い章。"),
        Heading("5 章", 1, "5"),
        Paragraph("短い章。"),
    )
    assert contents(found) == [
        "3.1 論理名\n全角とする。\n3.2 物理名\n半角とする。\n3.3 事例\n別紙。",
        "短い章。",
        "短い章。",
    ]
    assert found[0].headings == ("3 命名",)
    assert found[0].locator.heading == "3"


def test_a_heading_without_text_is_not_lost() -> None:
    found = chunks(Heading("1 総則", 1, "1"), Paragraph(LONG), Heading("1.1 空の節", 2, "1.1"), Heading("終", 1))
    assert contents(found) == [LONG, "1.1 空の節", "終"]
    assert [chunk.headings for chunk in found] == [("1 総則",), ("1 総則",), ()]


def test_a_container_is_in_the_path_and_not_in_the_text() -> None:
    found = chunks(
        Heading("画面一覧", 1, container=True, anchor=Anchor(sheet="画面一覧")),
        Heading("空のシート", 1, container=True),
        Heading("規則", 1, container=True),
        Paragraph("短い。", anchor=Anchor(sheet="規則", cells="B5")),
        Paragraph("次。", anchor=Anchor(sheet="規則", cells="C7:D9")),
    )
    assert [(chunk.content, chunk.headings) for chunk in found] == [("短い。\n次。", ("規則",))]
    assert found[0].locator.uri("図表規則.xlsx") == "図表規則.xlsx#規則!B5:D9"
    assert found[0].start == 0


def test_a_table_is_one_chunk_with_lead_in_caption_and_notes() -> None:
    table = Table(("甲 | 1", "乙 | 2"), ("名 | 桁",), "表5.1 項目", ("※桁は半角",), "5.1")
    found = chunks(Heading("5 表", 1, "5"), Paragraph(LONG), Paragraph("以下の表に示す。"), table)
    assert contents(found) == [LONG, "以下の表に示す。\n表5.1 項目\n名 | 桁\n甲 | 1\n乙 | 2\n※桁は半角"]
    assert [chunk.kind for chunk in found] == ["text", "table"]
    assert found[1].locator.uri("記入規則.docx") == "記入規則.docx#表!5.1"


def test_a_long_table_is_cut_between_rows_under_its_header() -> None:
    rows = tuple(f"項目{n:02} | {LONG}" for n in range(5))  # 34 characters each
    places = tuple(Anchor(sheet="表", cells=f"B{n}:C{n}") for n in range(10, 15))
    table = Table(rows, ("名 | 説明",), "表1", ("※注",), "1", places, Anchor(sheet="表", cells="B9:C14"))
    found = chunks(table, most=80)
    assert contents(found) == [
        f"表1\n名 | 説明\n{rows[0]}\n{rows[1]}",
        f"名 | 説明\n{rows[2]}\n{rows[3]}",
        f"名 | 説明\n{rows[4]}\n※注",
    ]
    assert [chunk.locator.cells for chunk in found] == ["B10:C11", "B12:C13", "B14:C14"]
    assert [chunk.start for chunk in found] == [0, -1, -1]


def test_a_row_is_cut_only_when_it_alone_is_too_long() -> None:
    row = "説明: " + LONG * 3 + "\n備考: " + LONG
    found = chunks(Table(("甲: 一", row, "乙: 二")), most=64, least=5)
    assert found[0].content == "甲: 一"
    assert "".join("".join(contents(found)).split()) == "".join(("甲: 一" + row + "乙: 二").split())
    assert all(chunk.content.endswith(("。", "二", "一")) for chunk in found)


def test_two_tables_stay_apart_and_short_text_joins_one() -> None:
    first = Table((f"甲 | {LONG}",), ("名 | 説明",))
    second = Table((f"乙 | {LONG}",), ("名 | 説明",))
    found = chunks(Heading("章", 1), first, Paragraph("※短い注"), second, Paragraph("短い文。"))
    assert contents(found) == [
        f"名 | 説明\n甲 | {LONG}\n※短い注",
        f"名 | 説明\n乙 | {LONG}\n短い文。",
    ]


def test_boilerplate_mixes_with_nothing() -> None:
    found = chunks(Paragraph("改版履歴", "boilerplate"), Paragraph("短い。"), Paragraph("社外秘", "boilerplate"))
    assert [(chunk.content, chunk.kind) for chunk in found] == [
        ("改版履歴", "boilerplate"),
        ("短い。", "text"),
        ("社外秘", "boilerplate"),
    ]


def test_a_chunk_of_one_kind_carries_it() -> None:
    found = chunks(Heading("章", 1), Paragraph("・甲とする。", "list"), Paragraph("・乙とする。", "list"))
    assert [chunk.kind for chunk in found] == ["list"]


def test_slides_stand_alone_unless_two_are_short() -> None:
    def slide(number: int, title: str, *lines: str) -> list[Block]:
        at = Anchor(slide=number)
        return [*([Heading(title, 1, anchor=at)] if title else []), *(Paragraph(line, anchor=at) for line in lines)]

    found = chunks(
        *slide(1, "方針", "要点のみ。"),
        *slide(2, "目的", "統一する。"),
        *slide(3, "範囲", LONG),
        *slide(4, "", LONG),
        *slide(5, "質疑"),
        slides=True,
    )
    assert [(chunk.content, chunk.headings, chunk.locator.slides) for chunk in found] == [
        ("要点のみ。\n目的\n統一する。", ("方針",), (1, 2)),
        (LONG, ("範囲",), (3, 3)),
        (LONG, (), (4, 4)),
        ("質疑", (), (5, 5)),
    ]
    assert {chunk.kind for chunk in found} == {"slide"}
    assert found[0].locator.uri("方針.pptx") == "方針.pptx#slide!1-2"


@pytest.mark.parametrize("most", [20, 40])
def test_a_quotation_over_the_limit_stays_whole(most: int) -> None:
    quotation = f"「{LONG * 2}」"
    found = chunks(Paragraph(f"前文。{quotation}後文。"), most=most, least=2)
    assert any(quotation in content for content in contents(found))


def test_coverage_names_what_is_missing() -> None:
    document = ExtractedDocument((Heading("章", 1), Paragraph(LONG)), (Omission("隠し", "hidden"),))
    whole = cut(document, ChunkingOptions(), len)
    other = cut(ExtractedDocument((Heading("章", 1), Paragraph("別の文。"))), ChunkingOptions(), len)
    assert coverage(document, whole).complete
    assert coverage(document, whole).omitted == 2
    assert coverage(document, other).missing == (LONG,)
