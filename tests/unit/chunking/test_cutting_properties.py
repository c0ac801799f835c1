"""Properties of every strategy on documents of any shape: nothing lost, nothing twice, limits and order kept."""

import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kisoku.adapters.chunking.cutting.boundaries import sentences
from kisoku.adapters.chunking.cutting.coverage import coverage
from kisoku.adapters.chunking.cutting.cutter import cut
from kisoku.domain.blocks import Anchor, ExtractedDocument, Heading, Paragraph, Table
from kisoku.domain.chunks import ChunkedDocument, ChunkingOptions

SMALL = {
    "max_tokens": 48,
    "min_tokens": 8,
    "size": 60,
    "overlap": 12,
    "overlap_tokens": 10,
    "parent_chars": 150,
    "parent_overlap": 30,
    "child_chars": 50,
    "child_overlap": 10,
}
EXAMPLES = 25  # of each property and strategy; the whole file takes some ten seconds
STRATEGIES = ("heading", "sliding", "token", "hybrid", "parent_child")
WINDOWS = ("sliding", "token", "parent_child")


def count(text: str) -> int:
    """One token a CJK character or sign, one for a word or number: monotone, unlike the number of characters."""
    return len(re.findall(r"[0-9A-Za-z]+|[^\s0-9A-Za-z]", text))


pieces = st.sampled_from(
    [
        "画面名を入力する。",
        "値は3.25以下、または1,000とする。",
        "「保存する。」と表示し、終了する。",
        "ＡＢＣ（全角）は使わない。",
        "See Fig. 3, e.g. the table below. ",
        "It must not exceed 40 characters! ",
        "データベース",
        "；次に、",
        "\n",
        "本当か？",
        "以下の表に示す。",
    ]
)
texts = st.lists(pieces, max_size=12).map("".join)


@st.composite
def documents(draw: st.DrawFn) -> ExtractedDocument:
    """Any order of headings, paragraphs and tables; every paragraph and row marked by a unique word."""
    blocks: list[Heading | Paragraph | Table] = []
    mark = iter(range(10_000))
    for kind in draw(st.lists(st.sampled_from("HHPPPLTC"), max_size=14)):
        at = Anchor(sheet="表", cells=f"B{len(blocks) + 1}")
        if kind in "HC":
            level = 1 if kind == "C" else draw(st.integers(1, 4))
            blocks.append(Heading(f"見出し H{next(mark)}", level, container=kind == "C", anchor=at))
        elif kind in "PL":
            text = f"P{next(mark)} " + draw(texts)
            blocks.append(Paragraph(text, "list" if kind == "L" else "text", at))
        else:
            rows = tuple(f"R{next(mark)}\t" + draw(texts) for _ in range(draw(st.integers(1, 8))))
            header = draw(st.sampled_from([(), ("列名\t説明",)]))
            caption = draw(st.sampled_from(["", "表1 一覧"]))
            notes = draw(st.sampled_from([(), ("※注意",)]))
            blocks.append(Table(rows, header, caption, notes, anchor=at))
    return ExtractedDocument(tuple(blocks))


def options(strategy: str) -> ChunkingOptions:
    return ChunkingOptions.model_validate({"strategy": strategy, **SMALL})


def leaves(result: ChunkedDocument) -> list[str]:
    return [chunk.content for chunk in result.chunks if not chunk.is_parent]


def marks(document: ExtractedDocument) -> list[str]:
    """The unique words of paragraphs and rows, in document order."""
    found: list[str] = []
    for block in document.blocks:
        if isinstance(block, Paragraph):
            found += re.findall(r"P\d+", block.text)
        elif isinstance(block, Table):
            found += [word for row in block.rows for word in re.findall(r"R\d+", row)]
    return found


@pytest.mark.parametrize("slides", [False, True])
@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(document=documents())
def test_no_text_is_lost(strategy: str, slides: bool, document: ExtractedDocument) -> None:
    result = cut(document, options(strategy), count, slides=slides)
    assert coverage(document, result).missing == ()


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(document=documents())
def test_limit_is_kept_and_counted(strategy: str, document: ExtractedDocument) -> None:
    result = cut(document, options(strategy), count)
    for chunk in result.chunks:
        assert chunk.token_count == count(chunk.content)
        assert chunk.is_parent or chunk.token_count <= SMALL["max_tokens"]
        assert chunk.content == chunk.content.strip()


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(document=documents())
def test_order_is_kept(strategy: str, document: ExtractedDocument) -> None:
    result = cut(document, options(strategy), count)
    seen = list(dict.fromkeys(re.findall(r"\b[PR]\d+\b", "\n".join(leaves(result)))))
    assert seen == marks(document)


@settings(max_examples=EXAMPLES, deadline=None)
@given(document=documents())
def test_heading_strategy_repeats_nothing_but_table_headers(document: ExtractedDocument) -> None:
    result = cut(document, options("heading"), count)
    words = Counter(re.findall(r"\b[PRH]\d+\b", "\n".join(leaves(result))))
    assert max(words.values(), default=1) == 1
    whole = len("".join("".join(leaves(result)).replace("列名\t説明", "").split()))
    assert whole <= len("".join(_text(document).replace("列名\t説明", "").split()))


@pytest.mark.parametrize("strategy", WINDOWS)
@settings(max_examples=EXAMPLES, deadline=None)
@given(document=documents())
def test_windows_overlap_no_more_than_asked(strategy: str, document: ExtractedDocument) -> None:
    result = cut(document, options(strategy), count)
    most = {"sliding": 12, "token": 10, "parent_child": 10}[strategy]
    measure = count if strategy == "token" else len
    for before, after in zip(result.chunks, result.chunks[1:], strict=False):
        same_parent = before.parent == after.parent and not before.is_parent and not after.is_parent
        if same_parent and (strategy != "parent_child" or before.parent is not None):
            shared = before.content[max(0, len(before.content) - (before.end - after.start)) :]
            assert before.end <= after.start or measure(shared) <= most
            assert before.end < after.end


@pytest.mark.parametrize("strategy", ["hybrid", "parent_child"])
@settings(max_examples=EXAMPLES, deadline=None)
@given(document=documents())
def test_children_come_after_their_parent_and_are_part_of_it(strategy: str, document: ExtractedDocument) -> None:
    result = cut(document, options(strategy), count)
    for index, chunk in enumerate(result.chunks):
        if chunk.parent is not None:
            parent = result.chunks[chunk.parent]
            assert chunk.parent < index
            assert parent.is_parent
            assert not chunk.is_parent
            assert all(line in parent.content for line in chunk.content.split("\n"))


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(document=documents())
def test_offsets_point_at_the_content(strategy: str, document: ExtractedDocument) -> None:
    text = _text(document)
    for chunk in cut(document, options(strategy), count).chunks:
        if chunk.start >= 0:
            assert text[chunk.start : chunk.end] == chunk.content


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(document=documents())
def test_quotations_and_numbers_stay_whole(strategy: str, document: ExtractedDocument) -> None:
    for content in leaves(cut(document, options(strategy), count)):
        assert content.count("「") == content.count("」")
        assert not re.search(r"(?:3\.|1,|\.25|,000)$", re.sub(r"3\.25|1,000", "", content))


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="あア漢、。！？「」（）()A1.,! \n", max_size=80))
def test_sentences_joined_are_the_text(text: str) -> None:
    parts = sentences(text)
    assert "".join(parts) == text
    assert all(parts)


@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=EXAMPLES, deadline=None)
@given(text=st.text(max_size=400))
def test_any_text_is_cut_without_loss(strategy: str, text: str) -> None:
    document = ExtractedDocument((Heading("章", 1), Paragraph(text)))
    result = cut(document, options(strategy), len)
    squeezed = "".join(text.split())
    assert coverage(document, result).complete
    if strategy == "heading" and squeezed:
        assert "".join("".join(leaves(result)).split()) == squeezed


def _text(document: ExtractedDocument) -> str:
    """The extracted text by its definition: block texts joined by line breaks, containers left out."""
    parts: list[str] = []
    for block in document.blocks:
        if isinstance(block, Table):
            parts += [block.caption, "\n".join(block.header), *block.rows, "\n".join(block.notes)]
        elif not (isinstance(block, Heading) and block.container):
            parts.append(block.text)
    return "\n".join(part for part in parts if part.strip())
