"""Markdown and plain text: what a reader makes of them, and in which encodings."""

import pytest
from kisoku.adapters.chunking.markdown.chunker import MarkdownChunker
from kisoku.adapters.chunking.markdown.encoding import decode
from kisoku.adapters.chunking.markdown.plain import read_plain
from kisoku.adapters.chunking.markdown.reader import read_markdown
from kisoku.domain.blocks import Heading, Omission, Paragraph, Table
from kisoku.domain.chunks import ChunkingOptions
from kisoku.domain.errors import CorruptDocumentError
from kisoku.ports.chunker import SourceDocument


def test_headings_carry_level_and_number() -> None:
    blocks = read_markdown("# 総則\n\n### 3.2.1 表の *書き方*\n\n3. 列\n---\n").blocks
    assert blocks[0] == Heading("総則", 1)
    assert blocks[1] == Heading("3.2.1 表の 書き方", 3, "3.2.1")


def test_lists_keep_labels_numbers_and_depth() -> None:
    blocks = read_markdown("- 甲\n  - 乙\n\n    続き\n- [x] 丙\n\n3) 三\n4) 四\n").blocks
    assert [block.text for block in blocks if isinstance(block, Paragraph)] == [
        "- 甲",
        "  - 乙",
        "    続き",
        "- [x] 丙",
        "3) 三",
        "4) 四",
    ]
    assert {block.kind for block in blocks if isinstance(block, Paragraph)} == {"list"}


def test_a_table_has_header_rows_and_the_caption_above_it() -> None:
    blocks = read_markdown("本文。\n\n表5.1 項目\n\n|名|桁|\n|-|-|\n|甲|`1`|\n|乙||\n").blocks
    assert blocks == (
        Paragraph("本文。"),
        Table(("甲 | 1", "乙 |"), ("名 | 桁",), "表5.1 項目", number="5.1"),
    )


def test_text_is_what_a_reader_sees() -> None:
    text = (
        "**強調**と`code`、[内部](a.md)、[外部](https://a.example/b)、"
        "<https://a.example>、![図](x.png)。&amp;\n改行  \n終"
    )
    assert read_markdown(text).blocks == (
        Paragraph("強調とcode、内部、外部 (https://a.example/b)、https://a.example、図。&\n改行\n終"),
    )


def test_emphasis_that_touches_japanese_letters_is_emphasis() -> None:
    assert read_markdown("値は**「必須」**とする。").blocks == (Paragraph("値は「必須」とする。"),)
    assert read_markdown("2 ** 3と4 ** 5").blocks == (Paragraph("2 ** 3と4 ** 5"),)


def test_code_quotations_and_html_are_text() -> None:
    text = "```python\na = 1\n\nb = 2\n```\n\n> 引用\n> # 見出しでない\n\n<div>甲<br>乙</div>\n"
    assert [block.text for block in read_markdown(text).blocks if isinstance(block, Paragraph)] == [
        "a = 1\n\nb = 2",
        "引用",
        "見出しでない",
        "甲\n乙",
    ]


def test_front_matter_comments_and_link_definitions_are_omissions() -> None:
    document = read_markdown(
        '---\ntitle: "記入規則"\n---\n# 章\n\n本文<!-- 秘 -->。[a]\n\n<!-- 下書き -->\n\n[a]: /x "題"\n'
    )
    assert document.title == "記入規則"
    assert set(document.omissions) == {
        Omission('title: "記入規則"', "boilerplate"),
        Omission("秘", "comment"),
        Omission("下書き", "comment"),
        Omission("A: /x 題", "field-code"),
    }
    assert document.blocks == (Heading("章", 1), Paragraph("本文。a"))


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert read_markdown("---\n\n本文。\n").blocks == (Paragraph("本文。"),)


def test_plain_text_has_paragraphs_lists_and_numbered_headings() -> None:
    text = "第1章 総則\n\n一行目\n二行目\n\n1.2 適用\n\n・甲\n・乙\n\n3.1 これは文である。\n"
    assert read_plain(text).blocks == (
        Heading("第1章 総則", 1, "第1章"),
        Paragraph("一行目\n二行目"),
        Heading("1.2 適用", 2, "1.2"),
        Paragraph("・甲", "list"),
        Paragraph("・乙", "list"),
        Paragraph("3.1 これは文である。"),
    )


JAPANESE = "画面名は「入力画面」とし、ｶﾅは使わない。\n項目は半角で記入する。"
CHINESE = "请在表格中填写名称，不得为空。这是必须遵守的规则，不可以省略。"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *(
            (JAPANESE, encoding)
            for encoding in (
                "utf-8",
                "utf-8-sig",
                "utf-16",
                "utf-16-le",
                "utf-16-be",
                "utf-32",
                "cp932",
                "euc_jp",
            )
        ),
        (CHINESE, "gb18030"),
        (CHINESE, "utf-8"),
        ("plain ascii", "ascii"),
    ],
)
def test_the_encoding_is_found(text: str, encoding: str) -> None:
    if encoding in {"utf-16-le", "utf-16-be"}:
        text += "\nNo. 1"
    assert decode(SourceDocument("規則.txt", text.encode(encoding))) == text


def test_line_breaks_are_one_kind() -> None:
    assert decode(SourceDocument("a.md", b"a\r\nb\rc\n")) == "a\nb\nc\n"


@pytest.mark.parametrize("data", [b"\x00\x01\x02\x03" * 100, b"\xff\xff\xff\x81", b"\xef\xbb\xbf\xff"])
def test_what_is_no_text_is_corrupt(data: bytes) -> None:
    with pytest.raises(CorruptDocumentError) as caught:
        decode(SourceDocument("規則.md", data))
    assert caught.value.document == "規則.md"


def test_chunks_of_a_markdown_file() -> None:
    text = "# 1. 総則\n\n本文である。\n\n## 1.1 表\n\n次の表に示す。\n\n|名|\n|-|\n|甲|\n"
    result = MarkdownChunker().chunk(SourceDocument("規則.md", text.encode()), ChunkingOptions(min_tokens=2), len)
    assert [(chunk.headings, chunk.content, chunk.kind) for chunk in result.chunks] == [
        (("1. 総則",), "本文である。", "text"),
        (("1. 総則", "1.1 表"), "次の表に示す。\n名\n甲", "text"),
    ]
    assert [chunk.locator.uri("規則.md") for chunk in result.chunks] == ["規則.md#見出し!1", "規則.md#見出し!1.1"]
    assert result.title == "1. 総則"


def test_deep_nesting_is_survived() -> None:
    for text in (">" * 5000 + "a", "- " * 3000 + "a", "[" * 20000, "*a" * 20000, "<" * 20000):
        result = MarkdownChunker().chunk(SourceDocument("a.md", text.encode()), ChunkingOptions(), len)
        assert result.chunks
