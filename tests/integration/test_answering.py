"""Answers from the rules: a real handbook, and a chat server on loopback."""

import json

import pytest
from kisoku.adapters.cli.main import app as cli
from kisoku.domain.answers import NO_ANSWER, Citation, check_citations, pack_evidence
from kisoku.domain.errors import ConfigError
from kisoku.testing.model_server import Behaviour, ModelServer
from typer.testing import CliRunner

QUESTION = "表のヘッダー行の書式は？"


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


def provider(server, **values):
    return {
        "adapter": "openai-compatible",
        "model": "m1",
        "base_url": f"{server.url}/v1",
        "max_retries": 0,
        "timeout_seconds": 5,
    } | values


@pytest.fixture
def ask(server, open_app, built):
    """Ask the server over the sample handbook."""

    def ask_(query=QUESTION, *, chat=None, settings=None, **options):
        sections = {"gates": {"enabled": False}} if settings is None else settings
        app = open_app(built, chat={"providers": [provider(server)]} | (chat or {}), **sections)
        return app.service.answer(session_id=None, query=query, **({"agent": "writer"} | options))

    return ask_


def test_an_answer_cites_the_rules_it_was_given(ask, server):
    server.reply = "太字＋下線とする[R1]。"
    answer = ask()
    assert (answer.answered, answer.text) == (True, "太字＋下線とする[R1]。")
    (citation,) = answer.citations
    assert (citation.label, citation.chunk_id) == ("R1", answer.result.chunks[0].chunk_id)
    assert citation.source_uri == answer.result.chunks[0].source_uri
    assert (answer.model, answer.prompt_tokens, answer.completion_tokens) == ("m1", 1000, 100)
    assert not {"answer_uncited", "answer_citation_removed"} & {n.code for n in answer.notices}


def test_the_model_gets_fenced_rules_and_the_question(ask, server):
    answer = ask()
    (asked,) = server.requests
    system, user = asked.body["messages"]
    assert "nothing else" in system["content"]
    assert user["content"].endswith(QUESTION)
    for citation, chunk in zip(answer.given, answer.result.chunks, strict=False):
        assert f"[{citation.label}] 【" in user["content"]
        assert f"```\n{chunk.content}\n```" in user["content"]


def test_a_citation_of_nothing_is_taken_out_and_said(ask, server):
    server.reply = "太字とする[R1, R9]。下線も付ける[R77]。"
    answer = ask()
    assert answer.text == "太字とする[R1]。下線も付ける。"
    assert answer.removed_citations == ("R9", "R77")
    (told,) = [n for n in answer.notices if n.code == "answer_citation_removed"]
    assert told.detail == "R9, R77"


def test_an_answer_without_citations_is_flagged(ask, server):
    server.reply = "太字とする。"
    answer = ask()
    assert answer.answered
    assert answer.citations == ()
    assert "answer_uncited" in [n.code for n in answer.notices]


def test_rules_that_do_not_answer_give_no_answer(ask, server):
    server.reply = NO_ANSWER
    answer = ask()
    assert (answer.answered, answer.refused, answer.citations) == (False, False, ())
    assert answer.text == "No rule is related closely enough to the question."
    assert answer.completion_tokens == 100


def test_a_refused_search_calls_no_model(ask, server):
    settings = {"retrieval": {"pipeline": "cascade", "cascade": {"vector_least": 0.999, "keyword_least": 0}}}
    answer = ask(settings=settings)
    assert (answer.refused, answer.gate, answer.answered) == (True, "vector_low_score", False)
    assert answer.text == "No rule is close enough in meaning to the question; the search was refused."
    assert server.requests == []


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(status=500),
        Behaviour(status=401),
        Behaviour(cut=True),
        Behaviour(body="{"),
        Behaviour(body={"choices": []}),
    ],
    ids=["500", "401", "cut", "garbage", "empty"],
)
def test_a_failing_model_leaves_the_rules(ask, server, behaviour):
    server.next(behaviour)
    answer = ask()
    assert (answer.text, answer.answered) == ("", False)
    assert [n.code for n in answer.notices][-1] == "answer_unavailable"
    assert len(answer.given) == len(answer.result.chunks) > 0


def test_without_a_chat_model_the_error_says_how_to_name_one(open_app, built):
    with pytest.raises(ConfigError, match=r"chat: \{providers: \[\{adapter: openai-compatible"):
        open_app(built).service.answer(session_id=None, query=QUESTION)


def test_without_a_key_the_error_names_the_variable(ask, server):
    with pytest.raises(ConfigError, match="KISOKU_TEST_NO_KEY"):
        ask(chat={"providers": [provider(server, api_key_env="KISOKU_TEST_NO_KEY")]})


def test_the_second_provider_answers_and_the_first_is_named_once(ask, server):
    server.reply = "太字[R1]"
    providers = [provider(server, api_key_env="KISOKU_TEST_NO_KEY", model="m0"), provider(server)]
    answer = ask(chat={"providers": providers})
    (told,) = [n for n in answer.notices if n.code == "chat_provider_skipped"]
    assert told.detail == "openai-compatible/m0 (KISOKU_TEST_NO_KEY)"
    assert answer.provider == "openai-compatible/m1"


def test_cost_comes_from_the_price_table(ask, server):
    priced = provider(server, price_per_million_prompt=2.0, price_per_million_completion=8.0)
    # 1000 tokens at 2 and 100 at 8 per million.
    assert ask(chat={"providers": [priced]}).cost == pytest.approx(0.0028)


def test_evidence_stays_within_its_budget(ask, server):
    answer = ask(chat={"evidence_characters": 400})
    assert 0 < len(answer.given) < len(answer.result.chunks)
    packed = pack_evidence(answer.result, 400, "en")
    assert len(packed.text.partition("\nThese rules contradict")[0]) <= 400
    assert packed.given == answer.given


# --- citations


GIVEN = tuple(
    Citation(label=f"R{n}", chunk_id=f"rules-write_v1_00{n}", doc_id="a.docx", source_uri="a.docx") for n in (1, 2, 3)
)


@pytest.mark.parametrize(
    ("text", "clean", "cited", "removed"),
    [
        ("太字[R1]。", "太字[R1]。", ["R1"], []),
        ("Bold [R2][R1].", "Bold [R2][R1].", ["R1", "R2"], []),
        ("太字【R１】", "太字[R1]", ["R1"], []),
        ("太字［R1、R3］", "太字[R1, R3]", ["R1", "R3"], []),
        ("太字[r2; R2]", "太字[R2]", ["R2"], []),
        ("Bold [rules-write_v1_003].", "Bold [R3].", ["R3"], []),
        ("Bold [rules-write_v9_001].", "Bold.", [], ["rules-write_v9_001"]),
        ("「[1]」と書く[R4]", "「[1]」と書く", [], ["R4"]),
        ("<think>[R1]?</think>太字[R2]", "太字[R2]", ["R2"], []),
        ("配列 a[R] は対象外", "配列 a[R] は対象外", [], []),
    ],
)
def test_citations(text, clean, cited, removed):
    checked = check_citations(text, GIVEN)
    assert checked.text == clean
    assert [c.label for c in checked.citations] == cited
    assert list(checked.removed) == removed


# --- the command


@pytest.fixture
def run(server, built, tmp_path):
    config = tmp_path / "chat.yaml"
    config.write_text(
        json.dumps({"chat": {"providers": [provider(server)]}, "embedding": {"adapter": "counting"}}), encoding="utf-8"
    )

    def run_(*arguments, config=config):
        words = ["ask", *arguments, "--root", str(built), "--lang", "en"]
        return CliRunner().invoke(cli, [*words, *(["--config", str(config)] if config else [])])

    return run_


def test_ask_prints_answer_and_sources(run, server):
    server.reply = "太字＋下線とする[R1]。"
    done = run(QUESTION, "--agent", "writer")
    assert done.exit_code == 0
    assert "太字＋下線とする[R1]。" in done.stdout
    assert "記入規則.docx#" in done.stdout or "図表規則.xlsx#" in done.stdout


def test_ask_json(run, server):
    server.reply = "太字＋下線とする[R1]。"
    done = run(QUESTION, "--agent", "writer", "--json")
    answer = json.loads(done.stdout)
    assert answer["answered"] is True
    assert answer["citations"][0]["chunk_id"] == answer["result"]["chunks"][0]["chunk_id"]


def test_ask_shows_the_rules_when_the_model_fails(run, server):
    server.next(Behaviour(status=500))
    done = run(QUESTION, "--agent", "writer")
    assert done.exit_code == 0
    assert "R1" in done.stdout
    assert "unavailable" in done.stderr


def test_ask_without_a_model_is_one_sentence(run):
    done = run(QUESTION, config=None)
    assert isinstance(done.exception, ConfigError)
