"""Labels, measures, comparison."""

import pytest
from kisoku.domain.chunks import RuleChunk
from kisoku.domain.errors import ConfigError
from kisoku.orchestration.evaluation.comparison import compare
from kisoku.orchestration.evaluation.labels import Gold, GoldPassage, LabelledQuery
from kisoku.orchestration.evaluation.records import judged_scores, passage_scores
from kisoku.orchestration.evaluation.report import EvaluationReport, QueryRecord, load_report, save_report


def gold(*passages: tuple[str, str]) -> Gold:
    return Gold.of([GoldPassage(doc=doc, all_of=(text,)) for doc, text in passages])


def chunk(number: int, doc: str, content: str, *headings: str) -> RuleChunk:
    return RuleChunk(
        chunk_id=f"rules-write_v1_{number:03}", doc_id=doc, doc_type="word", content=content, headings=headings,
        source_uri=doc, position=number, token_count=1, category="write", content_hash=f"{number:064x}",
    )  # fmt: skip


def test_a_chunk_holds_a_passage_whatever_its_width_and_marks():
    wanted = gold(("規則.docx", "ヘッダー行は太字(必須)"))
    assert wanted.holds("write/規則.docx", (), "| ヘッダー行は | **太字**（必須） |")
    assert wanted.holds("規則.DOCX", ("ヘッダー行は太字",), "(必須)")
    assert not wanted.holds("別.docx", (), "ヘッダー行は太字(必須)")
    assert not wanted.holds("規則.docx", (), "ヘッダー行は太字")


def test_labels_of_another_shape_are_no_labels():
    assert LabelledQuery.model_validate({"id": "a", "query": "q"}).gold is None
    assert LabelledQuery.model_validate({"id": "a", "query": "q", "gold": ["x"], "style": 3}).gold is None
    assert LabelledQuery.model_validate({"id": "a", "query": "q", "gold": []}).gold == ()
    labelled = {"id": "a", "query": "q", "gold": [{"doc": "d", "all_of": ["x"], "kind": "k"}]}
    assert LabelledQuery.model_validate(labelled).gold == (GoldPassage(doc="d", all_of=("x",)),)


def test_measures_of_passages():
    chunks = [chunk(1, "a", "nothing"), chunk(2, "a", "first rule"), chunk(3, "b", "second rule")]
    scores = passage_scores(gold(("a", "first"), ("b", "second"), ("c", "third")), chunks)
    # Gains at ranks 2 and 3 of three relevant items: (1/log2(3) + 1/log2(4)) / (1 + 1/log2(3) + 1/log2(4)).
    assert scores == pytest.approx(
        {"hit@1": 0, "hit@5": 1, "hit@10": 1, "mrr": 0.5, "ndcg@10": 1.1309298 / 2.1309298, "recall@10": 2 / 3}
    )
    assert passage_scores(gold(("a", "absent")), chunks) == dict.fromkeys(scores, 0.0)
    late = [chunk(n, "a", "x") for n in range(1, 11)] + [chunk(11, "a", "first rule")]
    assert passage_scores(gold(("a", "first")), late)["mrr"] == 0.0


def test_measures_of_judgements():
    scores = judged_scores(["x", "d1"], {"d1": 1.0})
    assert scores["mrr"] == 0.5
    assert (scores["hit@1"], scores["hit@5"], scores["hit@10"], scores["recall@10"]) == (0, 1, 1, 1)
    assert scores["ndcg@10"] == pytest.approx(0.6309298)


def record(name: str, mrr: float, *, answerable: bool = True, refused: bool = False) -> QueryRecord:
    scores = {"final": {"hit@1": float(mrr == 1), "hit@5": float(mrr >= 0.2), "mrr": mrr}} if answerable else {}
    return QueryRecord(
        id=name, query=name, answerable=answerable, refused=refused, gate="low_relevance" if refused else "",
        scores=scores, groups={"style": "keyword" if mrr == 1 else "question"}, milliseconds=10.0,
    )  # fmt: skip


def report(*records: QueryRecord) -> EvaluationReport:
    return EvaluationReport(kind="retrieval", source="q.jsonl", model="m", chunks=3, records=records)


def test_sums_of_a_report(tmp_path):
    made = report(
        record("a", 1.0), record("b", 0.0), record("c", 0.5, refused=True),
        record("u", 0, answerable=False, refused=True), record("v", 0, answerable=False),
    )  # fmt: skip
    assert made.stages() == {"final": pytest.approx({"hit@1": 1 / 3, "hit@5": 2 / 3, "mrr": 0.5})}
    assert made.effective_hit() == pytest.approx(1 / 3)
    refusals = made.refusals()
    assert (refusals.precision, refusals.recall) == (0.5, 0.5)
    assert refusals.false_refusals == pytest.approx(1 / 3)
    assert refusals.by_gate == {"low_relevance": 2}
    assert made.groups()["style"]["keyword"] == {"n": 1.0, "hit@1": 1.0, "hit@5": 1.0, "mrr": 1.0}
    assert made.latencies()["total"].p50 == 10.0
    save_report(made, tmp_path / "r.json")
    assert load_report(tmp_path / "r.json") == made
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(ConfigError, match="no report of an evaluation"):
        load_report(tmp_path / "bad.json")


def test_comparison_is_paired():
    old = report(*[record(f"q{n}", 0.0) for n in range(8)], record("same", 1.0), record("gone", 1.0))
    new = report(*[record(f"q{n}", 1.0) for n in range(8)], record("same", 1.0), record("new", 0.0))
    found = compare(new, old)
    assert found.queries == 9
    changes = {c.measure: c for c in found.changes}
    assert (changes["hit@5"].before, changes["hit@5"].after) == pytest.approx((1 / 9, 1.0))
    assert changes["hit@5"].p == pytest.approx(2 / 2**8)
    assert changes["mrr"].p == pytest.approx(2 / 2**8)
    assert set(changes) == {"hit@1", "hit@5", "mrr"}
    assert found.better == tuple(f"q{n}" for n in range(8))
    assert found.worse == ()
    assert compare(old, new).worse == found.better
    with pytest.raises(ConfigError, match="share no labelled query"):
        compare(report(record("x", 1.0)), old)
