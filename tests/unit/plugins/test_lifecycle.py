"""Lifecycle hooks: every plugin hears, in a known order; whatever one does, its caller goes on."""

import logging
import warnings

import pytest
from kisoku.domain.search import SearchRequest
from kisoku.plugins.lifecycle import Lifecycle, Listener, silent
from kisoku.plugins.manager import PluginManager
from kisoku.plugins.markers import hookimpl

REQUEST = SearchRequest(query="表の書式", agent="writer", categories=("write",), top_k=5)


def plugin(**hooks):
    return type("P", (), {name: staticmethod(function) for name, function in hooks.items()})()


def manager_with(*plugins):
    manager = PluginManager(load_entry_points=False)
    for number, hooks in enumerate(plugins, start=1):
        marked = {name: hookimpl(function) for name, function in hooks.items()}
        manager.register(plugin(**marked), f"p{number}", (f"dist-{number}", "1"))
    return manager


def causes(manager):
    return [(f.plugin, f.hook, f.cause) for f in manager.failures]


def test_a_hook_hears_what_it_asks_for_by_name():
    heard = []
    manager = manager_with(
        {"kisoku_version_locked": lambda session_id, version: heard.append((session_id, version))},
        {"kisoku_version_locked": lambda version: heard.append(f"{version}!")},
        {"kisoku_version_locked": lambda: heard.append("something")},
    )
    manager.lifecycle.version_locked("s", "v3")
    assert heard == [("s", "v3"), "v3!", "something"]
    assert [p.lifecycle for p in manager.plugins()] == [(), *[("kisoku_version_locked",)] * 3]
    assert manager.failures == []


def test_queries_form_a_chain_in_the_order_of_loading_and_first_and_last_are_kept():
    manager = PluginManager(load_entry_points=False)

    def adding(letter):
        return lambda query, request: f"{query}{letter}" if request.query == "表の書式" else None

    manager.register(plugin(kisoku_before_search=hookimpl(trylast=True)(adding("z"))), "last")
    manager.register(plugin(kisoku_before_search=hookimpl(adding("a"))), "one")
    manager.register(plugin(kisoku_before_search=hookimpl(lambda query: None)), "nothing")
    manager.register(plugin(kisoku_before_search=hookimpl(adding("b"))), "two")
    manager.register(plugin(kisoku_before_search=hookimpl(tryfirst=True)(adding("!"))), "first")
    heard = manager.lifecycle.before_search(REQUEST)
    assert (heard.query, heard.changed_by, heard.failures) == ("表の書式!abz", ("first", "one", "two", "last"), ())


def raising(error):
    def hook():
        raise error

    return hook


@pytest.mark.parametrize(
    ("hook", "cause"),
    [
        (raising(ValueError("no\nlicence")), "ValueError: no; licence"),
        (raising(SystemExit("bye")), "SystemExit: bye"),
        (raising(RecursionError("deep")), "RecursionError: deep"),
        (lambda: 42, "returned int instead of a query or None"),
        (lambda: "  ", "returned an empty query"),
        (lambda: "あ" * 10_001, "returned a query of 10001 characters; at most 10000 are searched"),
        (lambda: "a\ud800", "returned a query that is no valid text"),
    ],
)
def test_a_bad_answer_leaves_the_query_to_the_next_plugin(hook, cause):
    manager = manager_with({"kisoku_before_search": hook}, {"kisoku_before_search": lambda query: query + "と位置"})
    heard = manager.lifecycle.before_search(REQUEST)
    assert (heard.query, heard.changed_by) == ("表の書式と位置", ("p2",))
    assert [f.cause for f in heard.failures] == [cause]
    assert causes(manager) == [("p1", "kisoku_before_search", cause)]
    assert [p.failures for p in manager.plugins() if p.name == "p1"] == [heard.failures]


def test_ctrl_c_in_a_hook_is_the_users():
    manager = manager_with({"kisoku_session_started": raising(KeyboardInterrupt())})
    with pytest.raises(KeyboardInterrupt):
        manager.lifecycle.session_started("s")


def test_a_notification_that_returns_something_is_reported_and_logged(caplog):
    manager = manager_with({"kisoku_session_started": lambda: "hello"})
    with caplog.at_level(logging.WARNING, "kisoku.plugins"):
        manager.lifecycle.session_started("s")
    assert causes(manager) == [("p1", "kisoku_session_started", "returned str; this hook returns nothing")]
    assert "plugin p1: kisoku_session_started: returned str" in caplog.text


def test_async_hooks_and_wrappers_are_reported_when_they_are_registered():
    async def later(session_id):
        raise AssertionError

    manager = PluginManager(load_entry_points=False)
    manager.register(plugin(kisoku_session_started=hookimpl(later)), "later")

    def around():
        yield

    manager.register(plugin(kisoku_session_started=hookimpl(wrapper=True)(around)), "around")
    manager.register(plugin(kisoku_session_started=lambda: None), "unmarked")
    manager.lifecycle.session_started("s")
    assert {f.plugin: f.cause for f in manager.failures} == {
        "later": "is async; lifecycle hooks are called synchronously",
        "around": "is a hook wrapper; lifecycle hooks are called one by one, so there is nothing to wrap",
        "unmarked": "is not marked with @hookimpl (from kisoku.plugins.markers import hookimpl)",
    }
    assert all(p.lifecycle == () for p in manager.plugins())


def test_a_coroutine_in_disguise_is_closed():
    async def later():
        raise AssertionError

    def hook():
        return later()

    manager = manager_with({"kisoku_session_started": hook})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        manager.lifecycle.session_started("s")
    assert causes(manager)[0][2] == "returned a coroutine; hooks are called synchronously"


def test_unknown_arguments_are_reported_with_the_signature():
    manager = manager_with({"kisoku_version_locked": lambda handbook: None})
    assert "Argument(s) {'handbook'}" in manager.failures[0].cause
    assert [p.lifecycle for p in manager.plugins()] == [(), ()]


def test_a_slow_hook_is_reported_once():
    times = iter([0.0, 1.5, 10.0, 12.0, 20.0, 20.9])
    noted = []
    lifecycle = Lifecycle(lambda _: [Listener("p", lambda: None, ())], noted.append, lambda: next(times))
    for _ in range(3):
        lifecycle.session_started("s")
    assert [f.cause for f in noted] == ["is slow: it kept its caller waiting over 1 s"] * 2
    assert len(set(noted)) == 1


def test_a_hook_does_not_hear_what_it_causes_itself():
    heard = []

    def hook(session_id):
        heard.append(session_id)
        manager.lifecycle.session_started(f"{session_id}+")

    manager = manager_with({"kisoku_session_started": hook})
    manager.lifecycle.session_started("s")
    manager.lifecycle.session_started("t")
    assert heard == ["s", "t"]


def test_failures_of_one_hook_are_kept_up_to_a_bound():
    def hook(session_id):
        raise ValueError(session_id)

    manager = manager_with({"kisoku_session_started": hook}, {"kisoku_session_started": lambda: 1})
    for number in range(50):
        manager.lifecycle.session_started(str(number))
    assert [f.plugin for f in manager.failures].count("p1") == 20
    assert [f.plugin for f in manager.failures].count("p2") == 1


def test_nobody_listens_to_silence():
    assert silent().before_search(REQUEST).query == REQUEST.query
    assert silent().conflicts_found("s", "", ()) is None
