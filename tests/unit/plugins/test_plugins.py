"""Plugins: found by entry point, checked, reported by name when broken; the host goes on."""

import inspect
import re
import sys
import textwrap
import typing

import pytest
from kisoku.domain.errors import ConfigError, PluginError
from kisoku.plugins import specs
from kisoku.plugins.lifecycle import LIFECYCLE_HOOKS
from kisoku.plugins.manager import REGISTRATION_HOOKS, PluginManager
from kisoku.plugins.markers import hookimpl
from kisoku.ports.analyzer import AnalyzerOptions
from kisoku.ports.embedder import EmbedderOptions

BUILT_IN = {
    "kisoku_chunkers": {"word", "excel", "powerpoint", "markdown"},
    "kisoku_vector_stores": {"chroma", "numpy"},
    "kisoku_embedders": {"use", "e5", "sentence-transformers"},
    "kisoku_rerankers": {"cross-encoder", "sentence", "none"},
    "kisoku_keyword_indexes": {"bm25s", "rank_bm25"},
    "kisoku_analyzers": {"auto", "ja", "zh", "en", "bigram"},
}


@pytest.fixture
def distribution(tmp_path, monkeypatch):
    """Install tiny distributions, as pip would leave them, into a folder on the search path."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    modules = []

    def install(name, source, *, entry="mine", version="1.2"):
        module = name.replace("-", "_")
        modules.append(module)
        (site / f"{module}.py").write_text(textwrap.dedent(source), encoding="utf-8")
        info = site / f"{module}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[kisoku]\n{entry} = {module}\n")

    yield install
    for module in modules:
        sys.modules.pop(module, None)


def info(manager, name):
    (found,) = [p for p in manager.plugins() if p.name == name]
    return found


def works(manager):
    """The built-in adapters are all there, and one can be made."""
    for hook, names in BUILT_IN.items():
        assert names <= set(manager.names(hook))
    return manager.chunker("word").name == "word"


def test_built_in_adapters_come_through_the_same_door():
    manager = PluginManager(load_entry_points=False)
    assert works(manager)
    assert manager.failures == []
    assert manager.provider("kisoku_chunkers", "word").startswith("kisoku ")


def test_a_plugin_by_entry_point(distribution):
    distribution(
        "acme-analyzer",
        """
        from kisoku.plugins.markers import hookimpl

        class Lower:
            name = "lower"
            fingerprint = "lower 1"
            def analyze(self, text): return text.lower().split()
            analyze_query = analyze

        @hookimpl
        def kisoku_analyzers():
            return {"lower": lambda options: Lower()}
        """,
    )
    manager = PluginManager()
    plugin = info(manager, "mine")
    assert (plugin.distribution, plugin.version, plugin.failures) == ("acme-analyzer", "1.2", ())
    assert plugin.provides == {"kisoku_analyzers": ("lower",)}
    assert manager.provider("kisoku_analyzers", "lower") == "acme-analyzer 1.2"
    assert manager.analyzer("lower", AnalyzerOptions()).analyze("A B") == ["a", "b"]


@pytest.mark.parametrize(
    ("source", "hook", "cause"),
    [
        ("import no_such_module_anywhere", "", "ModuleNotFoundError: No module named 'no_such_module_anywhere'"),
        ("raise RuntimeError('first line\\nsecond')", "", "RuntimeError: first line"),
        ("def broken(:", "", "SyntaxError"),
        ("import sys; sys.exit('bye')", "", "SystemExit: bye"),
        (
            """
            from kisoku.plugins.markers import hookimpl
            @hookimpl
            def kisoku_chunkers(): raise ValueError('no licence')
            """,
            "kisoku_chunkers",
            "ValueError: no licence",
        ),
        (
            """
            from kisoku.plugins.markers import hookimpl
            @hookimpl
            def kisoku_chunkers(): return ['word']
            """,
            "kisoku_chunkers",
            "must return a mapping of factories by name, returned list",
        ),
        (
            """
            from kisoku.plugins.markers import hookimpl
            @hookimpl
            def kisoku_embedders(): return {'x': 'no factory', 7: print}
            """,
            "kisoku_embedders",
            "must map names to factories, but has 'x': str",
        ),
        (
            """
            from kisoku.plugins.markers import hookimpl
            @hookimpl
            def kisoku_chunkers(): return {'word': object}
            """,
            "kisoku_chunkers",
            "the name 'word' is already taken by plugin 'builtin'",
        ),
        (
            """
            from kisoku.plugins.markers import hookimpl
            @hookimpl
            def kisoku_chunker(): return {}
            """,
            "",
            "unknown hook 'kisoku_chunker'",
        ),
        (
            """
            from kisoku.plugins.markers import hookimpl
            @hookimpl
            def kisoku_chunkers(options): return {}
            """,
            "",
            "hookimpl definition: kisoku_chunkers(options)",
        ),
        ("def kisoku_chunkers(): return {}", "kisoku_chunkers", "is not marked with @hookimpl"),
    ],
    ids=[
        "missing module", "raises", "syntax", "exits", "hook raises", "no mapping", "no factories", "taken name",
        "unknown hook", "wrong signature", "unmarked",
    ],
)  # fmt: skip
def test_a_broken_plugin_is_reported_by_name_and_the_host_goes_on(distribution, source, hook, cause):
    distribution("acme-broken", source, entry="acme")
    manager = PluginManager()
    assert works(manager)
    plugin = info(manager, "acme")
    assert (plugin.distribution, plugin.version) == ("acme-broken", "1.2")
    assert plugin.failures[0].hook == hook
    assert cause in " ".join(f.cause for f in plugin.failures)
    assert all("\n" not in f.cause for f in plugin.failures)


def test_one_broken_plugin_leaves_the_next_alone(distribution):
    distribution("acme-a", "raise RuntimeError('x')", entry="a")
    distribution(
        "acme-b",
        "from kisoku.plugins.markers import hookimpl\n@hookimpl\ndef kisoku_chunkers(): return {'b': object}\n",
        entry="b",
    )
    manager = PluginManager()
    assert info(manager, "b").provides == {"kisoku_chunkers": ("b",)}
    assert info(manager, "a").failures


@pytest.mark.parametrize("entry", ["builtin", "same"])
def test_two_plugins_of_one_name_are_told_apart(distribution, entry):
    hook = "from kisoku.plugins.markers import hookimpl\n@hookimpl\ndef kisoku_chunkers(): return {%r: object}\n"
    distribution("acme-a", hook % "a", entry=entry)
    distribution("acme-b", hook % "b", entry=entry)
    manager = PluginManager()
    assert works(manager)
    assert manager.provider("kisoku_chunkers", "word").startswith("kisoku ")
    assert manager.provider("kisoku_chunkers", "a") == "acme-a 1.2"
    assert manager.provider("kisoku_chunkers", "b") == "acme-b 1.2"
    assert manager.failures == []


def manager_with(**hooks):
    manager = PluginManager(load_entry_points=False)
    plugin = type("P", (), {name: staticmethod(hookimpl(function)) for name, function in hooks.items()})()
    manager.register(plugin, "acme", ("acme-dist", "3"))
    return manager


class Chunker:
    name, doc_type, version, suffixes = "txt", "text", "1", frozenset({".rules"})

    def chunk(self, document, options, count_tokens):
        raise NotImplementedError


def test_a_factory_that_raises_names_plugin_and_adapter():
    def factory(options):
        raise RuntimeError("no GPU")

    manager = manager_with(kisoku_embedders=lambda: {"gpu": factory})
    with pytest.raises(PluginError, match="embedder 'gpu' of plugin 'acme' failed: RuntimeError: no GPU"):
        manager.embedder("gpu", EmbedderOptions())


def test_a_factory_that_returns_nonsense_is_told():
    manager = manager_with(kisoku_embedders=lambda: {"x": lambda options: 42})
    with pytest.raises(PluginError, match="Plugin 'acme' returned int as embedder 'x', not a Embedder"):
        manager.embedder("x", EmbedderOptions())


class RaisingProperty(Chunker):
    @property
    def suffixes(self):
        raise ValueError("not configured")


class NoSet(Chunker):
    suffixes = ".txt"


class NoDot(Chunker):
    suffixes = frozenset({"txt"})


class NoName(Chunker):
    name = None


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        (RaisingProperty, "not configured"),
        (NoSet, "no set of extensions"),
        (NoDot, "no set of extensions"),
        (NoName, "is no text"),
        (int, "returned int"),
    ],
)
def test_a_chunker_that_cannot_be_used_is_left_out_and_noted_once(kind, cause):
    manager = manager_with(kisoku_chunkers=lambda: {"txt": kind, "good": Chunker})
    for _ in range(2):
        assert set(manager.chunkers()) == BUILT_IN["kisoku_chunkers"] | {"good"}
    (failure,) = manager.failures
    assert (failure.plugin, failure.hook) == ("acme", "kisoku_chunkers")
    assert cause in failure.cause


@pytest.mark.parametrize(
    ("name", "hint"), [("wrod", "Did you mean 'word'?"), ("zzz", "Known: excel, markdown, powerpoint, word.")]
)
def test_an_unknown_adapter_names_the_nearest_or_all(name, hint):
    with pytest.raises(ConfigError, match=f"no chunker named '{name}'") as caught:
        PluginManager(load_entry_points=False).chunker(name)
    assert caught.value.hint == hint


def test_the_provider_of_an_adapter_that_is_gone_is_a_typed_error():
    with pytest.raises(ConfigError, match="no embedder named 'gone'"):
        PluginManager(load_entry_points=False).provider("kisoku_embedders", "gone")


def hooks():
    return {n: f for n, f in vars(specs).items() if n.startswith("kisoku_") and callable(f)}


PARAMETERS = dict.fromkeys(REGISTRATION_HOOKS, ())
"""Parameter names are part of the interface: pluggy calls by name."""
LIFECYCLE_PARAMETERS = {
    "kisoku_handbook_built": ("manifest",),
    "kisoku_session_started": ("session_id",),
    "kisoku_version_locked": ("session_id", "version"),
    "kisoku_before_search": ("query", "request"),
    "kisoku_after_search": ("result", "session_id"),
    "kisoku_conflicts_found": ("session_id", "chapter", "conflicts"),
    "kisoku_conflict_resolved": ("decision",),
    "kisoku_chapter_started": ("session_id", "chapter"),
    "kisoku_chapter_finished": ("session_id", "chapter", "draft", "findings"),
    "kisoku_document_finished": ("metadata",),
}


def test_the_parameter_names_of_every_registration_hook_are_pinned():
    found = {name: tuple(inspect.signature(function).parameters) for name, function in hooks().items()}
    assert {name: found[name] for name in REGISTRATION_HOOKS} == PARAMETERS


def test_the_parameter_names_of_every_lifecycle_hook_are_pinned():
    found = {name: tuple(inspect.signature(function).parameters) for name, function in hooks().items()}
    assert {name: found[name] for name in LIFECYCLE_HOOKS} == LIFECYCLE_PARAMETERS


@pytest.mark.parametrize("name", LIFECYCLE_HOOKS)
def test_every_lifecycle_hook_has_types_and_says_what_an_exception_does(name):
    function = hooks()[name]
    assert set(inspect.signature(function).parameters) < set(typing.get_type_hints(function))
    text = inspect.getdoc(function)
    assert all(part in text for part in ("When:", "Args:", "Returns:", "Raises:", "Reported"))
    assert all(f"    {argument}: " in text for argument in LIFECYCLE_PARAMETERS[name])


@pytest.mark.parametrize("name", sorted(hooks()))
def test_every_hook_says_when_and_what(name):
    text = inspect.getdoc(hooks()[name])
    assert "When:" in text
    assert re.search(r"Returns:|Args:", text)
