"""The tokenizer is the cost of cutting: how often it reads a document, and that estimates never break a limit."""

import pytest
from kisoku.adapters.chunking.cutting.cutter import cut
from kisoku.domain.blocks import ExtractedDocument, Heading, Paragraph, Table
from kisoku.domain.chunks import ChunkingOptions

OPTIONS = ChunkingOptions(max_tokens=100, min_tokens=10, overlap_tokens=10)


class Counter:
    """Counts like a tokenizer and remembers how many characters it was given."""

    def __init__(self, tokens):
        self.tokens = tokens
        self.read = 0

    def __call__(self, text):
        self.read += len(text)
        return self.tokens(text)


def words(text):
    """End marks, and one token two characters of a word: additive over white space, as SentencePiece is."""
    return 2 + sum((len(word) + 1) // 2 for word in text.split())


TOKENIZERS = {
    "words": words,
    "characters": len,
    "four bytes": lambda text: len(text.encode()) // 4,
    "dear line breaks": lambda text: words(text) + 3 * text.count("\n"),
    "dear starts": lambda text: words(text) + 20,
    "cheap in bulk": lambda text: words(text) // (1 if len(text) < 60 else 2),
}


def table(rows):
    lines = (f"番号: {n}\n規則: 項目{n}は必ず{n % 7}桁で入力する" for n in range(rows))
    return Table(rows=tuple(lines), header=("規則の表",))


@pytest.mark.parametrize("rows", [3, 300, 3000])
def test_a_table_is_read_by_the_tokenizer_about_twice(rows):
    counter = Counter(words)
    chunked = cut(ExtractedDocument((Heading("章", 1), table(rows))), OPTIONS, counter)
    written = sum(len(chunk.content) for chunk in chunked.chunks)
    assert counter.read <= 2.1 * written + 200


def test_sections_that_fit_are_read_by_the_tokenizer_about_once():
    blocks = [b for n in range(100) for b in (Heading(f"{n}", 1), Paragraph(f"第{n}条は、" + "規則を定める。" * 8))]
    counter = Counter(words)
    chunked = cut(ExtractedDocument(tuple(blocks)), OPTIONS, counter)
    assert counter.read <= 1.3 * sum(len(chunk.content) for chunk in chunked.chunks)


def test_a_line_that_was_counted_in_another_document_is_known():
    counter = Counter(words)
    document = ExtractedDocument((table(300),))
    first = cut(document, OPTIONS, counter)
    once = counter.read
    assert cut(document, OPTIONS, counter) == first
    assert counter.read - once <= 0.6 * once


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_limits_hold_whatever_the_tokenizer_makes_of_line_breaks(tokenizer):
    count = TOKENIZERS[tokenizer]
    prose = tuple(Paragraph("一文目は短い。二文目はそれより少し長い文である。\n" * n) for n in (1, 3, 9, 30))
    chunked = cut(ExtractedDocument((Heading("章", 1), *prose, table(40), *prose)), OPTIONS, count)
    assert [chunk.token_count for chunk in chunked.chunks] == [count(chunk.content) for chunk in chunked.chunks]
    assert max(chunk.token_count for chunk in chunked.chunks) <= OPTIONS.max_tokens


def test_table_pieces_are_as_full_as_rows_allow():
    chunked = cut(ExtractedDocument((table(300),)), OPTIONS, words)
    row = words(table(2).rows[1]) - 2
    assert all(chunk.token_count > OPTIONS.max_tokens - row - 3 for chunk in chunked.chunks[:-1])
