"""Sentence ends and places where no cut may be, in Japanese, Chinese and English."""

import pytest
from kisoku.adapters.chunking.cutting.boundaries import CLAUSE, NEVER, is_lead_in, ranks, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("画面名を入力する。空欄は不可。", ["画面名を入力する。", "空欄は不可。"]),
        ("「保存する。」と表示する。次へ進む。", ["「保存する。」と表示する。", "次へ進む。"]),
        ("値は3.2以下とする。１．５倍にする。", ["値は3.2以下とする。", "１．５倍にする。"]),
        ("本当か？はい！終わり", ["本当か？", "はい！", "終わり"]),
        ("使用しない（例外を除く。）。次の文。", ["使用しない（例外を除く。）。", "次の文。"]),
        ("使用しない。（例外を除く。）「次」の文。", ["使用しない。", "（例外を除く。）", "「次」の文。"]),
        ("（甲である。乙である。）丙。", ["（甲である。乙である。）", "丙。"]),
        ("『甲。乙。』を使う。丙。", ["『甲。乙。』を使う。", "丙。"]),
        ("「閉じない。次の文。", ["「閉じない。", "次の文。"]),
        ("请填写名称。不得为空！“是。”然后继续。", ["请填写名称。", "不得为空！", "“是。”", "然后继续。"]),
        ("一行目\n二行目", ["一行目\n", "二行目"]),
        ("Use Fig. 3, e.g. the table. It is 3.2 m. Done!", ["Use Fig. 3, e.g. the table. ", "It is 3.2 m. ", "Done!"]),
        ("See www.example.com/a?b=1 for it. Next.", ["See www.example.com/a?b=1 for it. ", "Next."]),
        ("By J. Smith et al. and others. End.", ["By J. Smith et al. and others. ", "End."]),
        ("1. Open the file. 2. Close it.", ["1. Open the file. ", "2. Close it."]),
        ("Really?! Yes.", ["Really?! ", "Yes."]),
        ('He said "no." Then he left.', ['He said "no." ', "Then he left."]),
        ("", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("値は「甲、乙。丙」とする", "「甲、乙。丙」"),
        ("『甲「乙」丙』とする", "『甲「乙」丙』"),
        ("合計1,234.56円", "1,234.56"),
        ("２０２６/０４/０１から", "２０２６/０４/０１"),
        ("時刻12:30に", "12:30"),
        ("割合50%まで", "50%"),
    ],
)
def test_no_cut_inside_a_quotation_or_number(text: str, piece: str) -> None:
    marks = ranks(text)
    start = text.index(piece)
    assert set(marks[start + 1 : start + len(piece)]) == {NEVER}
    assert marks[start] != NEVER
    assert marks[start + len(piece)] != NEVER


def test_an_endless_row_of_digits_is_no_number() -> None:
    assert NEVER not in ranks("1" * 1000)


def test_clauses_end_behind_commas_but_not_in_numbers() -> None:
    text = "甲、乙は1,000とし; then, go"
    assert [at for at, rank in enumerate(ranks(text)) if rank == CLAUSE] == [
        text.index("乙"),
        text.index("then"),
        text.index("go"),
    ]


def test_unbalanced_brackets_cost_no_time() -> None:
    assert len(ranks("（「" * 20_000 + "』】" * 20_000)) == 80_001


@pytest.mark.parametrize(
    "text",
    [
        "以下の表に示す。",
        "次のとおりとする。",
        "項目は下表を参照すること。",
        "桁数：",
        "如下所示：",
        "The codes are as follows:",
    ],
)
def test_lead_ins(text: str) -> None:
    assert is_lead_in(text)


@pytest.mark.parametrize("text", ["画面名を入力する。", "表示は青とする。", "End of file."])
def test_no_lead_ins(text: str) -> None:
    assert not is_lead_in(text)
