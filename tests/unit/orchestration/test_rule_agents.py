"""Agents without a model: what they list, name and find, and what raises no alarm."""

import pytest
from kisoku.config.lexicon import load_lexicon
from kisoku.domain.chunks import RuleChunk
from kisoku.domain.conflicts import rule_hash
from kisoku.domain.constraints.detect import detect_conflicts
from kisoku.orchestration.rule_agents import DISCLAIMER, RuleImpact, RuleQa, RuleWriter
from kisoku.ports.agents import ChapterTask, RulePack

CAPTION = "図の表題は20文字以内とする。"
BORDER = "番号: 2.1 / 対象: 表の罫線 / 規則: 外枠は太線、内側は細線とする。 / 区分: 必須 / 例: 外枠1.5pt、内側0.5pt"
TASK = ChapterTask("画面設計", elements=("S001",))


def chunk(number: int, content: str) -> RuleChunk:
    return RuleChunk.model_construct(
        chunk_id=f"c{number}",
        doc_id="規則.docx",
        headings=("6 図",),
        content=content,
        content_hash="h",
        source_uri=f"規則.docx#{number}",
    )


@pytest.fixture(scope="module")
def qa():
    lexicon = load_lexicon()
    return RuleQa(lambda texts: detect_conflicts(texts, lexicon))


def pack(*contents, overruled=frozenset()):
    return RulePack(tuple(chunk(n, c) for n, c in enumerate(contents, start=1)), "", overruled)


def test_the_writer_says_what_it_is_and_leaves_out_what_lost():
    lost = rule_hash("規則.docx", CAPTION)
    text = RuleWriter().write(TASK, pack(CAPTION, "画面には番号を付ける。", overruled=frozenset({lost})))
    assert text.splitlines() == ["# 画面設計", DISCLAIMER, "- 画面には番号を付ける。〔規則.docx#2〕"]


def test_impact_names_rules_that_mention_an_element():
    found = RuleImpact().infer(TASK, "", pack("画面（S001）は3秒以内に応答する。", "帳票はPDFとする。"))
    assert [(f.message, f.chunk_id, f.severity) for f in found] == [
        ("S001: 画面（S001）は3秒以内に応答する。", "c1", "info")
    ]


def test_a_statement_that_breaks_a_rule_is_found_with_its_source(qa):
    (finding,) = qa.check(TASK, "図の表題は60文字以内とする。", pack(CAPTION))
    assert (finding.chunk_id, finding.severity) == ("c1", "error")
    assert "規則.docx#1" in finding.message


@pytest.mark.parametrize(
    "draft", ["図の表題は20文字以内とする。", "図の番号は章ごとに付ける。", DISCLAIMER, "〔図の表題は60文字〕"]
)
def test_a_draft_that_breaks_nothing_raises_no_alarm(qa, draft):
    assert list(qa.check(TASK, draft, pack(CAPTION))) == []


def test_a_rule_that_lost_its_decision_raises_no_alarm(qa):
    overruled = frozenset({rule_hash("規則.docx", CAPTION)})
    assert list(qa.check(TASK, "図の表題は60文字以内とする。", pack(CAPTION, overruled=overruled))) == []


def test_what_the_writer_lists_passes_its_own_check(qa):
    rules = pack(BORDER, CAPTION)
    assert list(qa.check(TASK, RuleWriter().write(TASK, rules), rules)) == []
