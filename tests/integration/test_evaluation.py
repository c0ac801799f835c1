"""kisoku eval and kisoku feedback on labelled sets, as the command line runs them."""

import json

import pytest
import yaml

QUERIES = [
    {"id": "q1", "query": "パスワードの文字数", "agent": "impact", "style": "keyword", "lang": "ja",
     "gold": [{"doc": "命名規則.md", "all_of": ["パスワードは12文字以上"]}]},
    {"id": "q2", "query": "表のヘッダー行をどう書くか", "agent": "writer", "style": "question", "lang": "ja",
     "gold": [{"doc": "記入規則.docx", "all_of": ["太字＋下線"]}, {"doc": "図表規則.xlsx", "all_of": ["太字のみ"]}]},
    {"id": "q3", "query": "画面の応答は何秒以内か", "agent": "impact", "style": "question", "lang": "ja",
     "gold": [{"doc": "設計方針.pptx", "all_of": ["3秒以内"]}]},
    {"id": "u1", "query": "Kafkaのトピック名", "agent": "impact", "style": "question", "lang": "ja", "gold": []},
    {"id": "n1", "query": "図の表題", "agent": "writer"},
]  # fmt: skip


@pytest.fixture
def queries(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(json.dumps(q, ensure_ascii=False) for q in QUERIES), encoding="utf-8")
    return path


def done(answer):
    code, out, err = answer
    assert code == 0, err
    return json.loads(out) if out.lstrip().startswith("{") else out


def test_labelled_queries_are_scored_stage_by_stage(counted, built, queries, tmp_path):
    run = tmp_path / "run.jsonl"
    found = done(counted("eval", "retrieval", "--root", built, "--queries", queries, "--out", run, "--json"))
    evaluation = found["evaluation"]
    assert (evaluation["labelled"], evaluation["answerable"]) == (4, 3)
    assert {"vector", "keyword", "ngram", "fusion", "final"} <= set(evaluation["stages"])
    assert evaluation["stages"]["final"]["hit@5"] == 1.0
    assert set(evaluation["groups"]) == {"style", "agent", "lang"}
    assert evaluation["groups"]["style"]["question"]["n"] == 2
    assert evaluation["refusals"]["recall"] == 0.0
    assert {"query", "channels", "fusion", "rerank", "answerability", "total"} <= set(evaluation["latency_ms"])
    assert len(run.read_text(encoding="utf-8").splitlines()) == 5
    assert "final" in done(counted("eval", "retrieval", "--root", built, "--queries", queries))


def test_a_run_is_compared_with_a_baseline(counted, built, queries, tmp_path):
    saved = tmp_path / "base.json"
    common = ("eval", "retrieval", "--root", built, "--queries", queries)
    off = ("--set", "retrieval.vector.enabled=false", "--set", "rerank.enabled=false")
    done(counted(*common, *off, "--save", saved, "--json"))
    found = done(counted(*common, "--baseline", saved, "--json"))["comparison"]
    assert found["queries"] == 3
    assert {c["measure"] for c in found["changes"]} == {"hit@1", "hit@5", "hit@10", "mrr", "ndcg@10"}
    assert all(0 < c["p"] <= 1 for c in found["changes"])
    same = done(counted(*common, *off, "--baseline", saved, "--json"))["comparison"]
    assert same["better"] == same["worse"] == []
    assert all(c["p"] == 1 and c["before"] == c["after"] for c in same["changes"])
    assert "against base.json" in done(counted(*common, "--baseline", saved))


def test_ablation_turns_one_part_off_at_a_time(counted, built, queries):
    found = done(counted("eval", "retrieval", "--root", built, "--queries", queries, "--ablate", "--json"))["ablation"]
    names = [row["switch"] for row in found]
    assert names[0] == "as set"
    assert {"no vector", "no keyword", "no ngram", "no rerank", "no gate", "no query understanding", "rrf"} <= set(
        names
    )
    assert "weighted" not in names
    assert all(row["comparison"]["queries"] == 3 for row in found[1:])


def test_one_handbook_is_named(counted, built, rules, queries, tmp_path):
    for wrong in ((), ("--root", built, "--docs", rules)):
        code, _, err = counted("eval", "retrieval", "--queries", queries, *wrong)
        assert code == 1
        assert "either --docs or --root" in err
    code, _, err = counted("eval", "retrieval", "--queries", queries, "--root", tmp_path / "nothing")
    assert code == 1
    assert "holds no handbook" in err


def test_calibration_writes_a_profile_that_search_uses(counted, built, tmp_path):
    known = [
        ("パスワードの文字数", "命名規則.md", "12文字以上"),
        ("テーブル名の付け方", "命名規則.md", "アンダースコア"),
        ("画面の応答時間", "設計方針.pptx", "3秒以内"),
        ("夜間バッチの再実行", "設計方針.pptx", "再実行"),
        ("一覧の検索に索引を使う", "設計方針.pptx", "索引"),
        ("在庫連携が止まったとき", "設計方針.pptx", "受注を受け付ける"),
    ]
    unknown = [
        "Kafkaのトピック名",
        "ダークモードの配色",
        "議事録は何日後までに配るか",
        "Oracleの表領域",
        "宇宙船の燃料",
    ]
    lines = [{"id": f"a{n}", "query": q, "agent": "impact", "gold": [{"doc": d, "all_of": [t]}]}
             for n, (q, d, t) in enumerate(known)]  # fmt: skip
    lines += [{"id": f"u{n}", "query": q, "agent": "impact", "gold": []} for n, q in enumerate(unknown)]
    path, profile = tmp_path / "labelled.jsonl", tmp_path / "mine.yaml"
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    arguments = ("eval", "calibrate", "--root", built, "--queries", path)
    found = done(counted(*arguments, "--out", profile, "--json"))
    assert (found["answerable"], found["unanswerable"]) == (6, 5)
    assert found["variants"][0]["roc_area"] > 0.8
    assert found["cascade"]["retrieval.cascade.vector_least"] is not None
    written = yaml.safe_load(profile.read_text(encoding="utf-8"))
    assert written["model"] == "counting-use"
    search = ("search", "Kafkaのトピック名", "--agent", "impact", "--root", built, "--json")
    use = ("--set", f"gates.profile={profile}", "--set", "gates.least_chunks=0")
    assert done(counted(*search, *use))["refused"] is True
    assert done(counted(*search))["refused"] is False
    assert "ROC area" in done(counted(*arguments))


def test_beir_sets_are_saved_and_compared(counted, tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    texts = {"d1": "表の見出しは太字にする。", "d2": "図の題名は図の下に置く。", "d3": "パスワードは12文字以上とする。"}
    corpus = [json.dumps({"_id": i, "text": t}, ensure_ascii=False) for i, t in texts.items()]
    (folder / "corpus.jsonl").write_text("\n".join(corpus), encoding="utf-8")
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "パスワード"}', encoding="utf-8")
    (folder / "qrels.tsv").write_text("query\tpassage\tgrade\nq1\td3\t1\n")
    saved = tmp_path / "b.json"
    found = done(counted("eval", "beir", folder, "--save", saved, "--json"))
    assert found["refused"] == 0
    again = done(counted("eval", "beir", folder, "--baseline", saved, "--ablate", "--json"))
    assert again["comparison"]["queries"] == 1
    assert again["ablation"][0]["switch"] == "as set"


def test_feedback_separates_what_is_not_found_from_what_is_broken(counted, built, tmp_path):
    at = ("--root", built)
    assert "no feedback yet" in done(counted("feedback", "report", *at))
    chunk = done(counted("search", "パスワードの文字数", "--agent", "impact", *at, "--json"))["chunks"][0]["chunk_id"]
    stored = done(counted("feedback", "add", "パスワードの文字数", "--agent", "impact", "--chunk", chunk,
                          "--verdict", "broken", *at, "--json"))  # fmt: skip
    assert stored["expected"]["content_hash"]
    secret = {"doc": "命名規則.md", "contains": ["12文字以上"]}
    lines = [
        {"query": "合言葉の長さ", "agent": "writer", "expected": secret},
        {"query": "合言葉に混ぜる字", "agent": "writer", "expected": secret},
        {"query": "何か", "expected": {"doc": "ない.docx", "contains": ["x"]}},
        {"query": "一文の長さ", "agent": "writer", "verdict": "ok",
         "expected": {"doc": "記入規則.docx", "contains": ["60文字以内"]}},
    ]  # fmt: skip
    file = tmp_path / "remarks.jsonl"
    file.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    assert done(counted("feedback", "import", file, *at, "--json")) == {"lines": 4, "new": 4}
    assert done(counted("feedback", "import", file, *at, "--json")) == {"lines": 4, "new": 0}
    synonyms = tmp_path / "synonyms.yaml"
    report = done(counted("feedback", "report", *at, "--synonyms-out", synonyms, "--json"))
    # The writer reads other categories than the one that the rule of passwords is in.
    assert report["counts"] == {"not_retrieved": 2, "refused": 0, "not_in_handbook": 1, "broken": 1, "obeyed": 1}
    assert ("合言葉", 2) in {(s["asked"], s["misses"]) for s in report["synonyms"]}
    assert any(group[0] == "合言葉" for group in yaml.safe_load(synonyms.read_text(encoding="utf-8"))["synonyms"])
    assert "retrieved but broken: 1" in done(counted("feedback", "report", *at))
    # The file is one that query understanding reads.
    done(
        counted(
            "search", "合言葉の長さ", "--agent", "impact", *at, "--set", f"query.dictionaries=[{synonyms}]", "--json"
        )
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("add", "q"), "The rule is not named"),
        (("add", "q", "--chunk", "rules-write_v9_001"), "There is no chunk"),
        (("add", "q", "--doc", "d", "--contains", "x", "--verdict", "bad"), "no verdict"),
        (("add", "q", "--doc", "d", "--contains", "x", "--agent", "boss"), "agent"),
        (("import", "nowhere.jsonl"), "cannot be read"),
    ],
)
def test_feedback_that_does_not_fit_is_told(counted, built, arguments, message):
    code, _, err = counted("feedback", *arguments, "--root", built)
    assert code == 1
    assert message in err
    assert "Traceback" not in err


def test_a_bad_line_stores_nothing(counted, built, tmp_path):
    file = tmp_path / "bad.jsonl"
    for line, message in (
        ("{", "line 2: no JSON"),
        ("[]", "a JSON object"),
        ('{"query": "q", "expected": {}}', "named by"),
    ):
        good = '{"query": "q", "expected": {"doc": "d", "contains": ["x"]}}'
        file.write_text(f"{good}\n{line}\n")
        code, _, err = counted("feedback", "import", file, "--root", built)
        assert code == 1
        assert message in err
    assert "no feedback yet" in counted("feedback", "report", "--root", built)[1]
