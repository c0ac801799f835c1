"""Automatic numbers: expected values follow ECMA-376 17.9 and were counted by hand."""

import pytest
from kisoku.adapters.chunking.word.numerals import format_number
from kisoku.domain.blocks import Heading, Paragraph


def level(index, fmt, text, *, start=1, extra=""):
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{fmt}"/>{extra}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def abstract(number, *levels, extra=""):
    return f'<w:abstractNum w:abstractNumId="{number}">{extra}{"".join(levels)}</w:abstractNum>'


def num(number, abstract_number, overrides=""):
    return f'<w:num w:numId="{number}"><w:abstractNumId w:val="{abstract_number}"/>{overrides}</w:num>'


def item(text, num_id=1, ilvl=0, extra=""):
    run = f"<w:r><w:t>{text}</w:t></w:r>" if text else ""
    return (
        f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{ilvl}"/><w:numId w:val="{num_id}"/></w:numPr>{extra}</w:pPr>{run}</w:p>'
    )


DECIMAL = abstract(0, level(0, "decimal", "%1."), level(1, "decimal", "%1.%2."), level(2, "decimal", "%1.%2.%3."))


@pytest.fixture
def labels(read_word):
    def read(body, numbering, styles=""):
        document = read_word(body, {"styles": styles, "numbering": numbering})
        return [block.text.strip() for block in document.blocks]

    return read


def test_levels_count_and_restart_below_a_higher_one(labels):
    body = item("甲") + item("乙", ilvl=1) + item("丙", ilvl=1) + item("丁") + item("戊", ilvl=1)
    assert labels(body, DECIMAL + num(1, 0)) == ["1. 甲", "1.1. 乙", "1.2. 丙", "2. 丁", "2.1. 戊"]


def test_a_skipped_level_counts_as_begun(labels):
    body = item("甲") + item("乙", ilvl=2) + item("丙", ilvl=1)
    assert labels(body, DECIMAL + num(1, 0)) == ["1. 甲", "1.1.1. 乙", "1.2. 丙"]


def test_instances_of_one_definition_share_their_counters(labels):
    body = item("甲", 1) + item("乙", 2) + item("丙", 1)
    assert labels(body, DECIMAL + num(1, 0) + num(2, 0)) == ["1. 甲", "2. 乙", "3. 丙"]


def test_a_start_override_restarts_its_level_once_and_leaves_the_levels_above(labels):
    override = "".join(f'<w:lvlOverride w:ilvl="{i}"><w:startOverride w:val="1"/></w:lvlOverride>' for i in range(3))
    body = (
        item("章")
        + item("節", ilvl=1)
        + item("節", ilvl=1)
        + item("項", 2, ilvl=2)
        + item("項", 2, ilvl=2)
        + item("節", ilvl=1)
    )
    assert labels(body, DECIMAL + num(1, 0) + num(2, 0, override)) == [
        "1. 章", "1.1. 節", "1.2. 節", "1.2.1. 項", "1.2.2. 項", "1.3. 節",
    ]  # fmt: skip


def test_an_override_can_redefine_a_level(labels):
    override = f'<w:lvlOverride w:ilvl="0">{level(0, "upperRoman", "第%1条", start=4)}</w:lvlOverride>'
    assert labels(item("甲"), DECIMAL + num(1, 0, override)) == ["第IV条 甲"]


def test_restart_zero_never_restarts(labels):
    numbering = abstract(
        0, level(0, "decimal", "%1."), level(1, "decimal", "(%2)", extra='<w:lvlRestart w:val="0"/>')
    ) + num(1, 0)
    body = item("甲") + item("乙", ilvl=1) + item("丙") + item("丁", ilvl=1)
    assert labels(body, numbering) == ["1. 甲", "(1) 乙", "2. 丙", "(2) 丁"]


def test_legal_numbering_shows_all_counters_as_digits(labels):
    numbering = abstract(0, level(0, "upperRoman", "%1"), level(1, "decimal", "%1.%2", extra="<w:isLgl/>")) + num(1, 0)
    assert labels(item("甲") + item("乙", ilvl=1), numbering) == ["I 甲", "1.1 乙"]


def test_a_numbering_style_link_leads_to_the_definition(labels):
    styles = (
        '<w:style w:type="numbering" w:styleId="L"><w:name w:val="MyList"/>'
        '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>'
    )
    numbering = (
        abstract(0, extra='<w:numStyleLink w:val="L"/>')
        + abstract(1, level(0, "japaneseCounting", "第%1章"), extra='<w:styleLink w:val="L"/>')
        + num(1, 0)
        + num(2, 1)
    )
    assert labels(item("総則"), numbering, styles) == ["第一章 総則"]


def test_the_level_of_a_style_follows_from_the_link_of_the_definition(labels):
    styles = (
        '<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/>'
        '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="C"><w:name w:val="C"/><w:basedOn w:val="A"/>'
        '<w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr></w:style>'
    )
    numbering = abstract(
        0,
        level(0, "decimal", "%1", extra='<w:pStyle w:val="A"/>'),
        level(1, "decimal", "%1-%2", extra='<w:pStyle w:val="B"/>'),
    ) + num(1, 0)

    def styled(style, text):
        return f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'

    body = styled("A", "甲") + styled("B", "乙") + styled("C", "番号なし")
    assert labels(body, numbering, styles) == ["1 甲", "1-1 乙", "番号なし"]


def test_number_zero_switches_numbering_off(labels):
    assert labels(item("甲", 0) + item("乙"), DECIMAL + num(1, 0)) == ["甲", "1. 乙"]


def test_empty_paragraphs_count_but_mere_section_breaks_do_not(labels):
    body = item("甲") + item("") + item("乙") + item("", extra="<w:sectPr/>") + item("丙")
    assert labels(body, DECIMAL + num(1, 0)) == ["1. 甲", "3. 乙", "4. 丙"]


def test_a_deleted_item_does_not_count(labels):
    deleted = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:del w:id="1"/></w:rPr></w:pPr>'
        '<w:del w:id="2"><w:r><w:delText>消</w:delText></w:r></w:del></w:p>'
    )
    assert labels(item("甲") + deleted + item("乙"), DECIMAL + num(1, 0)) == ["1. 甲", "2. 乙"]


def test_bullets_of_symbol_fonts_become_signs(labels):
    font = '<w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/></w:rPr>'
    one = level(0, "bullet", "\uf06e").replace("</w:lvl>", f"{font}</w:lvl>")
    assert labels(item("甲") + item("乙", ilvl=1), abstract(0, one, level(1, "bullet", "・")) + num(1, 0)) == [
        "■ 甲",
        "・ 乙",
    ]


def test_a_custom_format_pads_with_zeros(labels):
    custom = (
        '<w:lvl w:ilvl="0"><w:start w:val="7"/><mc:AlternateContent><mc:Choice Requires="w14">'
        '<w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice><mc:Fallback>'
        '<w:numFmt w:val="decimal"/></mc:Fallback></mc:AlternateContent><w:lvlText w:val="R-%1"/></w:lvl>'
    )
    assert labels(item("甲"), abstract(0, custom) + num(1, 0)) == ["R-007 甲"]


def test_a_level_without_format_shows_the_rest_of_its_pattern(labels):
    assert labels(item("甲"), abstract(0, level(0, "none", "付則")) + num(1, 0)) == ["付則 甲"]


def test_text_boxes_count_apart_from_the_body(labels):
    content = f"<w:txbxContent>{item('箱')}</w:txbxContent>"
    box = f"<w:p><w:r><w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict></w:r></w:p>"
    assert labels(item("甲") + box + item("乙"), DECIMAL + num(1, 0)) == ["1. 甲", "1. 箱", "2. 乙"]


def test_headings_carry_their_number_and_items_are_lists(read_word):
    styles = (
        '<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/><w:pPr><w:numPr>'
        '<w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
    )
    body = '<w:p><w:pPr><w:pStyle w:val="1"/></w:pPr><w:r><w:t>総則</w:t></w:r></w:p>' + item("項目", 2)
    numbering = abstract(0, level(0, "decimalFullWidth", "%1．")) + abstract(1, level(0, "decimal", "(%1)"))
    document = read_word(body, {"styles": styles, "numbering": numbering + num(1, 0) + num(2, 1)})
    assert document.blocks == (
        Heading("１． 総則", level=1, number="1"),
        Paragraph("(1) 項目", kind="list"),
    )


@pytest.mark.parametrize(
    ("number", "kind", "shown"),
    [
        (3, "decimal", "3"),
        (3, "decimalZero", "03"),
        (12, "decimalZero", "12"),
        (10, "decimalFullWidth", "１０"),
        (1, "upperLetter", "A"),
        (27, "lowerLetter", "aa"),
        (53, "upperLetter", "AAA"),
        (4, "lowerRoman", "iv"),
        (1994, "upperRoman", "MCMXCIV"),
        (3, "aiueo", "ｳ"),
        (3, "aiueoFullWidth", "ウ"),
        (4, "iroha", "ﾆ"),
        (4, "irohaFullWidth", "ニ"),
        (10, "japaneseCounting", "十"),
        (21, "japaneseCounting", "二十一"),
        (111, "japaneseCounting", "百十一"),
        (10, "ideographDigital", "一〇"),
        (12, "chineseCountingThousand", "十二"),
        (105, "chineseCountingThousand", "一百零五"),
        (20, "decimalEnclosedCircle", "⑳"),
        (21, "decimalEnclosedCircle", "㉑"),
        (2, "decimalEnclosedParen", "⑵"),
        (1, "ideographTraditional", "甲"),
        (12, "ideographZodiac", "亥"),
        (11, "ordinal", "11th"),
        (22, "ordinal", "22nd"),
        (21, "cardinalText", "Twenty-one"),
        (20, "ordinalText", "Twentieth"),
        (5, "numberInDash", "- 5 -"),
        (5, "none", ""),
        (5, "someFutureFormat", "5"),
    ],
)
def test_number_formats(number, kind, shown):
    assert format_number(number, kind) == shown
