"""Snippets: the part of a long text around what was looked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kisoku.domain.snippets import snippet

RULES = [
    "本文は「である調」で書く。",
    "一文は60文字以内とする。",
    "表のヘッダー行は太字とする。",
    "図の表題は図の下に置く。",
    "用語は用語集に従う。",
]
TEXT = "".join(RULES)


def test_a_short_text_stays_whole():
    assert snippet(TEXT, ["表題"], len(TEXT)).text == TEXT


def test_the_sentence_with_the_term_stands_between_ellipses():
    found = snippet(TEXT, ["ヘッダー行"], len(RULES[2]))
    assert found.text == f"…{RULES[2]}…"
    assert TEXT[found.start : found.end] == RULES[2]


def test_what_leads_up_to_it_and_what_follows_fills_the_rest():
    assert snippet(TEXT, ["用語集"], len(RULES[3]) + len(RULES[4])).text == f"…{RULES[3]}{RULES[4]}"
    assert snippet(TEXT, ["である調"], len(RULES[0]) + len(RULES[1])).text == f"{RULES[0]}{RULES[1]}…"


def test_the_window_with_most_different_terms_wins():
    text = "主キーは短く。" * 3 + "索引は一つ。" + "主キーと索引を分ける。" + "終わり。" * 5
    assert "主キーと索引を分ける。" in snippet(text, ["主キー", "索引"], 12).text


def test_width_and_case_do_not_matter():
    text = "最初の文。" * 20 + "ＰＫはIDとする。" + "最後の文。" * 20
    assert "ＰＫはIDとする。" in snippet(text, ["pk"], 30).text


def test_without_a_term_the_beginning_is_given():
    assert snippet(TEXT, ["存在しない語"], 30).text.startswith(RULES[0])
    assert snippet(TEXT, [], 30).text.startswith(RULES[0])


def test_one_endless_sentence_is_cut_around_the_term():
    text = "あ" * 500 + "主キー" + "い" * 500
    found = snippet(text, ["主キー"], 100)
    assert "主キー" in found.text
    assert found.end - found.start == 100
    assert found.text.startswith("…")
    assert found.text.endswith("…")


def test_rows_of_a_table_are_not_cut_inside():
    rows = [f"番号: {n} / 対象: 項目{n} / 規則: 規則の本文その{n}である" for n in range(30)]
    lines = snippet("\n".join(rows), ["項目17"], 120).text.strip("…").splitlines()
    assert rows[17] in lines
    assert set(lines) <= set(rows)


@given(
    st.text(alphabet="主キー索引。\n 「」.aB…", max_size=200),
    st.lists(st.text(max_size=3), max_size=3),
    st.integers(1, 60),
)
def test_a_snippet_is_a_part_of_the_text_within_the_size(text, terms, size):
    found = snippet(text, terms, size)
    assert 0 <= found.start <= found.end <= len(text)
    assert found.end - found.start <= max(size, 0) or len(text) <= size
    assert text[found.start : found.end] in found.text


@pytest.mark.parametrize("text", ["", " \n ", "。。。。"])
def test_texts_without_words_are_no_trouble(text):
    assert snippet(text, ["a"], 2).text.strip("…") in text
