"""Terms of a vocabulary in texts of three scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kisoku.domain.terms import TermFinder, folded


@pytest.mark.parametrize(
    ("terms", "text", "found"),
    [
        (["主キー"], "テーブルの主キーの命名", ["主キー"]),
        (["キー"], "キーワードの索引", []),
        (["キー"], "主キーとキー", ["キー"]),
        (["表"], "代表の表題", []),
        (["表"], "この表を見る", ["表"]),
        (["画面"], "受注検索画面の項目", ["画面"]),
        (["DB"], "ＤＢ設計とdbの名前", ["db"]),
        (["DB"], "MongoDB", []),
        (["IF"], "IF-010 の電文", []),
        (["IF"], "IF の電文", ["if"]),
        (["I/F"], "I/F の電文", ["i/f"]),
        (["primary key"], "Primary  Keys are short", ["primary key"]),
        (["table"], "tables and stable", ["table"]),
        (["class"], "classes", ["class"]),
        (["入力", "入力欄"], "入力欄と入力", ["入力欄", "入力"]),
        (["ｶﾗﾑ"], "カラムの型", ["カラム"]),
        (["a.b"], "axb a.b", ["a.b"]),
        ([], "何でも", []),
    ],
)
def test_terms_are_found_where_words_begin_and_end(terms, text, found):
    assert TermFinder(terms).find(text) == found


def test_each_term_is_told_once_in_order():
    assert TermFinder(["索引", "主キー"]).find("主キーと索引と主キー") == ["主キー", "索引"]


@given(st.lists(st.text(min_size=1, max_size=6), max_size=6), st.text(max_size=40))
def test_what_is_found_is_in_the_vocabulary(terms, text):
    assert set(TermFinder(terms).find(text)) <= {" ".join(folded(term).split()) for term in terms}
