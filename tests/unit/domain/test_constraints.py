"""Constraints of rules: values, polarity, splitting, grouping."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.constraints.claims import EnumClaim, FlagClaim
from kisoku.domain.constraints.clauses import split_clauses
from kisoku.domain.constraints.extraction import extract
from kisoku.domain.constraints.measures import QuantityClaim
from kisoku.domain.constraints.ordering import OrderClaim
from kisoku.domain.constraints.splitting import split_rules
from kisoku.domain.constraints.text import language_of, normalise, scan
from kisoku.domain.constraints.values import find_quantities, number_of, same_amount
from kisoku.domain.constraints.wording import find_choices, find_date_patterns
from kisoku.domain.errors import ConfigError
from kisoku.orchestration.evaluation.conflicts import predict_pairs, predict_sets

DATA = Path(__file__).parents[3] / "../shared/data/conflicts"


def _rule(text: str, document: str = "規則.docx", key: str = "0") -> RuleText:
    return RuleText(key=key, document=document, text=text)


def _claims(text: str) -> list[object]:
    return [constraint.claim for constraint in extract(_rule(text), load_lexicon()).constraints]


@pytest.mark.parametrize(
    ("text", "amount", "dimension"),
    [
        ("10.5ポイント", 10.5, "length"),
        ("１０．５pt", 10.5, "length"),
        ("五号", 10.5, "length"),
        ("小四", 12, "length"),
        ("15Q", 15 * 0.25 * 72 / 25.4, "length"),
        ("3cm", 3 * 72 / 2.54, "length"),
        ("30mm", 30 * 72 / 25.4, "length"),
        ("500ms", 0.5, "duration"),
        ("半年", 6 * 30 * 86400, "duration"),
        ("6か月", 6 * 30 * 86400, "duration"),
        ("三个工作日", 3 * 1.4 * 86400, "duration"),
        ("five working days", 5 * 1.4 * 86400, "duration"),
        ("half an hour", 1800, "duration"),
        ("1MB", 1024, "size"),
        ("512KB", 512, "size"),
        ("二十五文字", 25, "char"),
        ("1,000件", 1000, "item"),
        ("午後6時30分", 18.5, "clock"),
        ("9:30 pm", 21.5, "clock"),
        ("80％", 80, "percent"),
        ("見出し3まで", 3, "level"),
        ("「1.1.1」の階層", 3, "level"),
    ],
)
def test_quantity(text: str, amount: float, dimension: str) -> None:
    (found,) = find_quantities(normalise(text), load_lexicon())
    assert found.dimension == dimension
    assert found.amount == pytest.approx(amount, rel=1e-3)


@given(st.integers(min_value=1, max_value=9999))
def test_kanji_numerals_mean_what_digits_mean(number: int) -> None:
    digits, places = "〇一二三四五六七八九", ("", "十", "百", "千")
    written = "".join(
        digits[int(digit)] + places[len(str(number)) - 1 - position]
        for position, digit in enumerate(str(number))
        if digit != "0"
    )
    assert number_of(written) == number


@pytest.fixture(scope="module")
def _loaded() -> None:
    # Loading takes longer than one example may.
    for text in ("表", "图表", "table"):
        extract(_rule(text), load_lexicon())


@pytest.mark.usefixtures("_loaded")
@given(st.text(max_size=80))
def test_any_text_is_read_without_error(text: str) -> None:
    extract(_rule(text or "x"), load_lexicon())


@given(st.text(alphabet="表図ヘッダー下線なしtabs 10pt、。は", max_size=60))
def test_words_found_lie_in_order_within_the_text(text: str) -> None:
    normal = normalise(text)
    hits = scan(normal, load_lexicon().index("ja"))
    ends = [0, *(hit.end for hit in hits)]
    assert all(before <= hit.start < hit.end <= len(normal) for before, hit in zip(ends, hits, strict=False))


@pytest.mark.parametrize(
    ("text", "operator", "amount"),
    [
        ("パスワードは12文字以上とする。", ">=", 12),
        ("パスワードは12文字未満のものを登録できない。", ">=", 12),
        ("9文字以下のパスワードは使えない。", ">=", 10),
        ("1行は80文字を超えないこと。", "<=", 80),
        ("密码不得少于8位。", ">=", 8),
        ("每行代码不超过120个字符。", "<=", 120),
        ("No line may be longer than 100 characters.", "<=", 100),
        ("Titles have at least 5 characters.", ">=", 5),
        ("コードは4桁とする。", "=", 4),
    ],
)
def test_operator(text: str, operator: str, amount: float) -> None:
    (claim,) = (claim for claim in _claims(text) if isinstance(claim, QuantityClaim))
    assert (claim.quantity.operator, claim.quantity.amount) == (operator, amount)


@pytest.mark.parametrize(
    ("text", "flag", "on"),
    [
        ("見出しには下線を付ける。", "underline", True),
        ("見出しに下線は付けない。", "underline", False),
        ("表頭は太字、下線なしとする。", "bold", True),
        ("表頭は太字、下線なしとする。", "underline", False),
        ("外部キーを省略してはならない。", "foreign-key", True),
        ("禁止使用外键。", "foreign-key", False),
        ("Do not use stored procedures.", "stored-procedure", False),
        ("Merged cells are not allowed.", "cell-merge", False),
        ("Headings are underlined.", "underline", True),
    ],
)
def test_flag(text: str, flag: str, on: bool) -> None:
    assert FlagClaim(flag, on) in _claims(text)


@pytest.mark.parametrize(
    ("text", "values", "allowed", "denied"),
    [
        ("コメントは英語ではなく日本語で書く。", "natural-language", {"japanese"}, {"english"}),
        ("注释不得使用中文以外的文字。", "natural-language", {"chinese"}, set()),
        ("Comments are in English, not in Japanese.", "natural-language", {"english"}, {"japanese"}),
        ("ログのファイルはUTF-8で出力する。", "charset", {"utf-8"}, set()),
    ],
)
def test_value_set(text: str, values: str, allowed: set[str], denied: set[str]) -> None:
    claims = [claim for claim in _claims(text) if isinstance(claim, EnumClaim) and claim.attribute == values]
    assert set().union(*(claim.allowed for claim in claims)) == allowed
    assert set().union(*(claim.denied for claim in claims)) == denied


@pytest.mark.parametrize(
    "text",
    [
        "社内レビューの後にお客様レビューを行う。",
        "お客様レビューに先立ち社内レビューを行う。",
        "社内レビュー、お客様レビューの順に行う。",
        "先内部评审，后客户评审。",
        "The internal review takes place before the customer review.",
        "The customer review follows after the internal review.",
    ],
)
def test_order(text: str) -> None:
    (claim,) = (claim for claim in _claims(text) if isinstance(claim, OrderClaim))
    assert "internal-review" in claim.earlier
    assert "customer-review" in claim.later


def test_table_row_becomes_one_rule_a_cell_with_its_subject() -> None:
    rules = split_rules(_rule("対象: 図 | 位置: 下 | 太字: なし"))
    assert [(rule.text, rule.subject) for rule in rules] == [
        ("位置: 下", "図"),
        ("太字は使用しないこと。", "図"),
    ]


def test_bullets_numbers_and_examples_are_stripped() -> None:
    rules = split_rules(_rule("・図は中央に置く。\n2) 名前は小文字とする（例：abc）。\n例：これは例"))
    assert [rule.text for rule in rules] == ["図は中央に置く。", "名前は小文字とする。"]


def test_clauses_part_at_topics_and_predicates_but_not_in_enumerations() -> None:
    text = "文字列は左寄せ、数値は右寄せとし、英大文字、記号を含めない"
    assert split_clauses(text, "ja") == ("文字列は左寄せ", "数値は右寄せとし", "英大文字、記号を含めない")


@pytest.mark.parametrize(
    ("text", "language"),
    [("表の書式", "ja"), ("文字", "zh"), ("単体試験", "ja"), ("单元测试", "zh"), ("Table 3", "en")],
)
def test_language(text: str, language: str) -> None:
    assert language_of(text) == language


def test_complete_lists_and_date_patterns() -> None:
    assert find_choices("状況: 未着手、対応中、完了の3つのみ") == {"未着手", "対応中", "完了"}
    assert [pattern.text for pattern in find_date_patterns("日付はyyyy/mm/ddで書く")] == ["yyyy/mm/dd"]
    assert [pattern.text for pattern in find_date_patterns("「2024年4月1日」のように書く")] == ["yyyy年mm月dd日"]


def test_a_month_is_thirty_days_and_a_week_five_business_days() -> None:
    assert same_amount(365 * 86400, 12 * 30 * 86400, "duration")
    assert same_amount(7 * 86400, 5 * 1.4 * 86400, "duration")
    assert not same_amount(3 * 86400, 5 * 86400, "duration")


@pytest.mark.parametrize("piece", ["「あ」", "値は10文字以上、", "あ、い", "one of a, b, ", "1.1.1", "("])
def test_an_endless_sentence_is_not_read_to_its_end(piece: str) -> None:
    rules = split_rules(_rule(piece * 3000))
    assert all(len(rule.text) <= 600 for rule in rules)


def test_group_holds_every_rule_of_either_side_and_nothing_else() -> None:
    texts = (
        _rule("図の名称は図の下に書く。", "甲.docx", "a"),
        _rule("図の名称は図の上に書く。", "乙.docx", "b"),
        _rule("図の名称は図の下とする。", "丙.docx", "c"),
        _rule("表の名称は表の上に書く。", "丁.docx", "d"),
    )
    (group,) = detect_conflicts(texts, load_lexicon())
    assert [member.chunk_id for member in group.members] == ["a", "b", "c"]
    assert group.attribute == "position-v"
    assert group.members[1].value == "above"
    assert "乙.docx" in group.explanation


def test_the_same_rule_in_another_chunk_has_the_same_rule_hash() -> None:
    first = detect_conflicts(
        (_rule("図の名称は図の下に書く。", "甲.docx"), _rule("図の名称は図の上に書く。", "乙.docx", "1")),
        load_lexicon(),
    )
    second = detect_conflicts(
        (_rule("前置き。\n図の名称は図の下に書く。", "甲.docx"), _rule("図の名称は図の上に書く。", "乙.docx", "1")),
        load_lexicon(),
    )
    assert [m.rule_hash for m in first[0].members] == [m.rule_hash for m in second[0].members]


def test_confidence_threshold_drops_weaker_clashes() -> None:
    texts = (_rule("図の名称は図の下に書く。", "甲.docx"), _rule("図の名称は図の上に書く。", "乙.docx", "1"))
    assert detect_conflicts(texts, load_lexicon(), min_confidence=0.9)
    assert not detect_conflicts(texts, load_lexicon(), min_confidence=1.0)


def test_similarity_can_align_targets_that_share_no_word() -> None:
    texts = (_rule("甲乙丙は中央揃えとする。", "甲.docx"), _rule("丁戊己は右寄せとする。", "乙.docx", "1"))
    assert not detect_conflicts(texts, load_lexicon())
    assert detect_conflicts(texts, load_lexicon(), similarity=lambda _a, _b: 1.0)


@pytest.mark.parametrize(
    ("line", "message"),
    [("{", "line 2"), ('{"id": "x"}', "line 2: a: Field required"), ('{"id": 1, "a": {}, "b": {}}', "line 2")],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    good = '{"id": "p", "a": {"doc": "d", "text": "t"}, "b": {"doc": "e", "text": "u"}}'
    path = tmp_path / "pairs.jsonl"
    path.write_text(f"{good}\n{line}\n", encoding="utf-8")
    predictions = predict_pairs(path, load_lexicon())
    assert next(predictions).conflict is False
    with pytest.raises(ConfigError, match=message):
        next(predictions)


@pytest.mark.parametrize("language", ["ja", "zh", "en", "mixed"])
def test_yardstick_pairs(language: str) -> None:
    path = DATA / "dev.jsonl"
    if not path.exists():
        pytest.skip("the labelled pairs are not here")
    gold = {row["id"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    said = [line for line in predict_pairs(path, load_lexicon()) if gold[line.id]["lang"] == language]
    hits = [gold[line.id]["conflict"] for line in said if line.conflict]
    wanted = sum(gold[line.id]["conflict"] for line in said)
    assert sum(hits) / len(hits) >= 0.92
    assert sum(hits) / wanted >= 0.70


def test_yardstick_sets_have_few_false_alarms() -> None:
    path = DATA / "groups_dev.jsonl"
    if not path.exists():
        pytest.skip("the labelled sets are not here")
    gold = {row["id"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    alarms = 0
    for line in predict_sets(path, load_lexicon()):
        wanted = [set(conflict["members"]) for conflict in gold[line.id]["conflicts"]]
        alarms += sum(all(len(set(group) & members) < 2 for members in wanted) for group in line.groups)
    assert alarms / len(gold) <= 0.15
