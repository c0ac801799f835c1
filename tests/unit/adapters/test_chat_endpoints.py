"""Chat models over HTTP, against a real server on loopback that misbehaves."""

import time
from email.utils import formatdate

import pytest
from kisoku.adapters.chat.ollama import OllamaChat
from kisoku.adapters.chat.openai_compatible import OpenAICompatibleChat
from kisoku.config.settings import ChatSettings
from kisoku.domain.endpoints import Endpoint, Retries, retry_after_seconds
from kisoku.domain.errors import ConfigError, ModelError, TransientModelError
from kisoku.orchestration.chat import chat_of
from kisoku.plugins.manager import PluginManager
from kisoku.ports.chat_model import ChatMessage, ChatModel
from kisoku.testing.model_server import Behaviour, ModelServer

KEY = "sk-test-0123456789"
QUESTION = [ChatMessage("system", "規則だけから答える。"), ChatMessage("user", "表の見出しは？")]


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


@pytest.fixture(params=["openai-compatible", "ollama"])
def chat(request, server, monkeypatch):
    """One of the adapters over the server."""
    monkeypatch.setenv("KISOKU_TEST_KEY", KEY)
    options = {"model": "m1", "api_key_env": "KISOKU_TEST_KEY", "timeout_seconds": 0.4}
    if request.param == "ollama":
        return OllamaChat({**options, "base_url": server.url})
    return OpenAICompatibleChat({**options, "base_url": f"{server.url}/v1"})


def test_a_good_answer(chat, server):
    server.reply = "太字とする。"
    assert isinstance(chat, ChatModel)
    reply = chat.complete(QUESTION, max_tokens=77)
    assert (reply.text, reply.model, reply.prompt_tokens, reply.completion_tokens) == ("太字とする。", "m1", 1000, 100)
    assert not reply.truncated
    (asked,) = server.requests
    assert [m["role"] for m in asked.body["messages"]] == ["system", "user"]
    assert 77 in (asked.body.get("max_tokens"), asked.body.get("options", {}).get("num_predict"))
    assert asked.headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503])
def test_a_status_that_may_pass_is_transient(chat, server, status):
    server.next(Behaviour(status=status, body={"error": "busy"}))
    with pytest.raises(TransientModelError, match=f"status {status}"):
        chat.complete(QUESTION)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_status_that_stays_is_permanent(chat, server, status):
    server.next(Behaviour(status=status, body={"error": f"no, {KEY} is wrong"}))
    with pytest.raises(ModelError, match=f"status {status}") as caught:
        chat.complete(QUESTION)
    assert not isinstance(caught.value, TransientModelError)
    assert KEY not in str(caught.value)


def test_spent_credit_is_permanent(chat, server):
    server.next(Behaviour(status=429, body={"error": {"code": "insufficient_quota"}}))
    with pytest.raises(ModelError) as caught:
        chat.complete(QUESTION)
    assert not isinstance(caught.value, TransientModelError)


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(seconds=1.5),
        Behaviour(cut=True),
        Behaviour(body='{"choices": [{"mess'),
        Behaviour(body="<html>gateway</html>", headers={"content-type": "text/html"}),
        Behaviour(body={"choices": [], "message": None}),
        Behaviour(body={"choices": [{"message": {"content": None}}], "message": {"content": ""}}),
        Behaviour(body={"choices": "none", "message": "none"}),
        Behaviour(body=[1, 2]),
        Behaviour(body="null"),
    ],
    ids=["slow", "cut", "garbage", "html", "empty", "no-content", "odd", "list", "null"],
)
def test_what_is_no_answer_is_transient(chat, server, behaviour):
    server.next(behaviour)
    with pytest.raises(TransientModelError):
        chat.complete(QUESTION)


def test_nobody_there_is_transient(server):
    gone = OllamaChat({"model": "m1", "base_url": "http://127.0.0.1:9"})
    with pytest.raises(TransientModelError, match="cannot be reached"):
        gone.complete(QUESTION)


def test_an_unknown_option_is_named():
    with pytest.raises(ConfigError, match="temprature"):
        OllamaChat({"model": "m1", "temprature": 1})


# --- retries and failover


def providers(*servers, **values):
    return ChatSettings.model_validate(
        {
            "providers": [
                {"adapter": "openai-compatible", "model": f"m{n}", "base_url": f"{s.url}/v1", "timeout_seconds": 0.4}
                | values
                for n, s in enumerate(servers, start=1)
            ]
        }
    )


@pytest.fixture
def plugins():
    return PluginManager(load_entry_points=False)


def opened(settings, plugins, environment=None):
    """The failover with the pauses written down instead of slept."""
    chat = chat_of(settings, plugins, environment or {})
    pauses = []
    chat._sleep = pauses.append
    return chat, pauses


def test_retry_after_is_honoured(server, plugins):
    chat, pauses = opened(providers(server), plugins)
    server.next(Behaviour(status=429, headers={"retry-after": "7"}))
    assert chat.complete(QUESTION).text == "answer"
    assert pauses == [7.0]


def test_pauses_double_and_end(server, plugins):
    chat, pauses = opened(providers(server, max_retries=3), plugins)
    server.always(lambda _: Behaviour(status=500))
    with pytest.raises(TransientModelError):
        chat.complete(QUESTION)
    assert len(server.requests) == 4
    assert all(0.75 * full <= pause <= full for pause, full in zip(pauses, [0.5, 1.0, 2.0], strict=True))


def test_a_pause_of_an_hour_is_not_waited_for(plugins):
    with ModelServer() as first, ModelServer() as second:
        chat, pauses = opened(providers(first, second), plugins)
        first.next(Behaviour(status=429, headers={"Retry-After": "3600"}))
        assert chat.complete(QUESTION).provider == "openai-compatible/m2"
    assert pauses == []
    assert len(first.requests) == 1


def test_the_next_provider_answers(plugins):
    with ModelServer() as first, ModelServer() as second:
        chat, _ = opened(providers(first, second, max_retries=1), plugins)
        first.always(lambda _: Behaviour(status=503))
        second.reply = "second"
        assert chat.complete(QUESTION).text == "second"
        assert (len(first.requests), len(second.requests)) == (2, 1)


def test_a_refused_key_is_not_tried_again(plugins):
    with ModelServer() as first, ModelServer() as second:
        chat, _ = opened(providers(first, second), plugins)
        first.always(lambda _: Behaviour(status=401))
        chat.complete(QUESTION)
    assert len(first.requests) == 1


def test_all_failing_names_each(plugins):
    with ModelServer() as first, ModelServer() as second:
        chat, _ = opened(providers(first, second, max_retries=0), plugins)
        first.always(lambda _: Behaviour(status=401))
        second.always(lambda _: Behaviour(status=500))
        with pytest.raises(TransientModelError, match=r"m1 at .*401.*m2 at .*500"):
            chat.complete(QUESTION)


def test_a_provider_without_a_key_is_skipped_and_said_once(server, plugins):
    values = providers(server, server).model_dump()
    values["providers"][0]["api_key_env"] = "KISOKU_TEST_NO_KEY"
    chat, _ = opened(ChatSettings.model_validate(values), plugins)
    assert chat.complete(QUESTION).provider == "openai-compatible/m2"
    assert chat.news() == (("openai-compatible/m1", "KISOKU_TEST_NO_KEY"),)
    assert chat.news() == ()


def test_no_key_at_all_names_the_variables(server, plugins):
    chat = chat_of(providers(server, api_key_env="KISOKU_TEST_NO_KEY"), plugins, {})
    with pytest.raises(ModelError, match="KISOKU_TEST_NO_KEY"):
        chat.complete(QUESTION)
    assert server.requests == []


def test_no_provider_is_no_chat(plugins):
    assert chat_of(ChatSettings(), plugins, {}) is None


def test_cost_is_of_the_price_table(server, plugins):
    chat, _ = opened(providers(server, price_per_million_prompt=3.0, price_per_million_completion=15.0), plugins)
    # 1000 tokens read at 3 per million, 100 written at 15 per million.
    assert chat.complete(QUESTION).cost == pytest.approx(0.0045)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("5", 5.0), ("0.5", 0.5), ("-3", 0.0), ("soon", None), ("", None), ("inf", None)],
)
def test_retry_after(value, seconds):
    assert retry_after_seconds({"Retry-After": value}) == seconds


def test_retry_after_as_a_date():
    header = {"retry-after": formatdate(1_000_060, usegmt=True)}
    assert retry_after_seconds(header, now=lambda: 1_000_000) == pytest.approx(60)


def test_retries_return_the_first_success():
    pauses = []
    answers = iter([TransientModelError("a"), "done"])

    def call():
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    assert Retries(2, sleep=pauses.append).run(call) == "done"
    assert len(pauses) == 1


def test_a_key_is_shown_nowhere(monkeypatch):
    monkeypatch.setenv("KISOKU_TEST_KEY", KEY)
    endpoint = Endpoint(model="m", api_key_env="KISOKU_TEST_KEY")
    assert KEY not in repr(endpoint) + str(endpoint.model_dump()) + endpoint.label
    assert endpoint.redacted(f"key {KEY}") == "key ***"


def test_timeout_is_kept(chat, server):
    server.next(Behaviour(seconds=5))
    began = time.perf_counter()
    with pytest.raises(TransientModelError):
        chat.complete(QUESTION)
    assert time.perf_counter() - began < 4
