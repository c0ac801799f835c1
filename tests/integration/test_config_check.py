"""`kisoku config check`: every fault of the settings, and whether what they name is there."""

import json

import pytest


@pytest.fixture
def check(kisoku, tmp_path):
    def call(*arguments):
        code, out, err = kisoku("config", "check", "--root", tmp_path / "h", "--json", *arguments)
        return code, json.loads(out) if out else {}, err

    return call


def told(found, part):
    return [f"{f['message']} {f['hint']}".strip() for f in found["faults"] if f["part"] == part]


def test_defaults_are_in_order_and_nothing_is_created(check, kisoku, tmp_path):
    assert check() == (0, {"ok": True, "faults": []}, "")
    assert kisoku("config", "check", "--root", tmp_path / "h")[:2] == (0, "The settings are in order.\n")
    assert not (tmp_path / "h").exists()


def test_every_fault_is_told_with_the_nearest_key(check, tmp_path, monkeypatch):
    config = tmp_path / "c.yaml"
    config.write_text("retrieval: {topk: 3, top_k: 0}\nbuild: {on_error: explode}\n")
    monkeypatch.setenv("KISOKU_RERANK__CANDIDATE", "5")
    code, found, _ = check("--config", config, "--set", "no assignment", "--set", "keyword.b=2")
    assert (code, found["ok"]) == (1, False)
    sentences = told(found, "settings")
    assert sentences == [
        f"There is no setting retrieval.topk ({config}). Did you mean retrieval.top_k?",
        "There is no setting rerank.candidate (variable KISOKU_RERANK__CANDIDATE). Did you mean rerank.candidates?",
        "--set 'no assignment' is no assignment. Write it as --set retrieval.top_k=8.",
        "The setting keyword.b (from --set keyword.b) is wrong: Input should be less than or equal to 1; got 2.",
        f"The setting retrieval.top_k (from {config}) is wrong: Input should be greater than or equal to 1; got 0.",
        f"The setting build.on_error (from {config}) is wrong: Input should be 'fail' or 'skip'; got 'explode'.",
    ]


def test_files_that_cannot_be_read(check, tmp_path):
    lexicon = tmp_path / "ja-own.yaml"
    lexicon.write_text("words: [unclosed")
    missing = tmp_path / "none.yaml"
    code, found, _ = check(
        "--set", f"query.dictionaries=[{missing}]",
        "--set", f"conflicts.lexicon=[{lexicon}]",
        "--set", f"gates.profile={missing}",
    )  # fmt: skip
    assert code == 1
    assert "none.yaml cannot be read: No such file" in told(found, "query")[0]
    assert "ja-own.yaml is no valid YAML" in told(found, "conflicts")[0]
    assert "none.yaml cannot be read: No such file" in told(found, "gates")[0]


def test_adapters_keys_and_services_that_are_not_there(check, monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    code, found, _ = check(
        "--set", "chat.providers=[{adapter: openai-compatible, model: m, api_key_env: NO_SUCH_KEY}]",
        "--set", "rerank.adapter=crossencoder",
        "--set", "vector_store.adapter=croma",
        "--set", "keyword.analyzer=sudachy",
        "--set", "embedding.adapter=ues",
        "--set", "sessions.url=postgresql://nobody:secret@127.0.0.1:1/x",
        "--set", "cache.redis_url=redis://127.0.0.1:1/0",
    )  # fmt: skip
    assert code == 1
    assert told(found, "chat") == [
        "The chat model openai-compatible/m is left out: its key is missing. Set NO_SUCH_KEY."
    ]
    assert "Did you mean 'cross-encoder'?" in told(found, "rerank")[0]
    assert "Did you mean 'chroma'?" in told(found, "vector_store")[0]
    assert "no analyzer named 'sudachy'" in told(found, "keyword")[0]
    assert "Did you mean 'use'?" in told(found, "embedding")[0]
    assert "postgresql://nobody:***@127.0.0.1:1/x failed" in told(found, "sessions")[0]
    assert "The cache cannot be reached" in told(found, "cache")[0]


def test_a_missing_key_beside_a_usable_model_is_a_note(check, monkeypatch):
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    missing = "{adapter: openai-compatible, model: a, api_key_env: NO_SUCH_KEY}"
    code, found, _ = check("--set", f"chat.providers=[{missing}, {{adapter: openai-compatible, model: b}}]")
    assert (code, found["ok"]) == (0, True)
    assert [(f["part"], f["severity"]) for f in found["faults"]] == [("chat", "note")]


def test_a_judge_without_a_model(check):
    code, found, _ = check("--set", "conflicts.judge=llm")
    assert code == 1
    assert told(found, "conflicts")[0].startswith("conflicts.judge is llm, and no chat model is configured.")


def test_a_root_that_cannot_be_used(kisoku, tmp_path):
    (tmp_path / "file").write_text("x")
    code, out, _ = kisoku("config", "check", "--root", tmp_path / "file" / "h", "--json")
    assert code == 1
    assert "is no folder" in json.loads(out)["faults"][0]["message"]


def test_the_models_are_loaded_when_asked(check, monkeypatch):
    code, found, _ = check("--load")
    assert (code, found["faults"]) == (0, [])
