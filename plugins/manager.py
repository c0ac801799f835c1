"""Finding plugins and creating adapters from what they offer."""

import difflib
import importlib.metadata
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

import pluggy

from ..domain.conflicts import LexiconPart
from ..domain.errors import ConfigError, KisokuError, PluginError
from ..ports.analyzer import Analyzer, AnalyzerOptions
from ..ports.chat_model import ChatModel
from ..ports.chunker import Chunker
from ..ports.embedder import Embedder, EmbedderOptions
from ..ports.keyword_index import KeywordIndex, KeywordIndexOptions
from ..ports.query_transformer import QueryTransformer, QueryTransformerOptions
from ..ports.reranker import Reranker, RerankerOptions
from ..ports.vector_store import VectorStoreAdapter, VectorStoreOptions
from . import defaults, specs
from .lifecycle import LIFECYCLE_HOOKS, Lifecycle, Listener, PluginFailure, listener_of, one_line, wrong_listener
from .markers import PROJECT

REGISTRATION_HOOKS = (
    "kisoku_chunkers",
    "kisoku_vector_stores",
    "kisoku_embedders",
    "kisoku_rerankers",
    "kisoku_keyword_indexes",
    "kisoku_analyzers",
    "kisoku_chat_models",
    "kisoku_query_transformers",
    "kisoku_lexicons",
)

_MOST_FAILURES = 20
"""Kept of one hook of one plugin: the text of an error may differ with every search."""
_UNMARKED = "is not marked with @hookimpl (from kisoku.plugins.markers import hookimpl)"

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class PluginInfo:
    """An installed plugin.

    Attributes:
        name: Entry-point name, `builtin` for kisoku's own.
        distribution: Name of the distribution it comes from.
        version: Version of that distribution.
        provides: Adapter names by hook.
        failures: What went wrong in it.
        lifecycle: Lifecycle hooks that it implements.
    """

    name: str
    distribution: str
    version: str
    provides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    failures: tuple[PluginFailure, ...] = ()
    lifecycle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Offer:
    factory: Callable[..., Any]
    plugin: str


class PluginManager:
    """Loads plugins once and creates adapters by name.

    Built-in adapters come first, then entry points of the group `kisoku` in alphabetical order. A broken plugin is
    noted in `failures` and left out; it never takes the host down.
    """

    def __init__(self, *, load_entry_points: bool = True) -> None:
        self._pluggy = pluggy.PluginManager(PROJECT)
        self._pluggy.add_hookspecs(specs)
        self.failures: list[PluginFailure] = []
        self._distributions: dict[str, tuple[str, str]] = {}
        self._offers: dict[str, dict[str, _Offer]] = {hook: {} for hook in REGISTRATION_HOOKS}
        self._order: list[str] = []
        self._listeners: dict[str, tuple[Listener, ...]] = dict.fromkeys(LIFECYCLE_HOOKS, ())
        self.lifecycle = Lifecycle(lambda hook: self._listeners[hook], self._note_failure)
        self.register(defaults, "builtin", ("kisoku", _own_version()))
        if load_entry_points:
            for point in sorted(importlib.metadata.entry_points(group=PROJECT), key=lambda p: p.name):
                self._load(point)

    def _load(self, point: importlib.metadata.EntryPoint) -> None:
        source = (point.dist.name, point.dist.version) if point.dist else ("?", "?")
        try:
            plugin = point.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001  # an import may raise anything; it is reported
            name = self._free_name(point.name, source)
            self._distributions[name] = source
            self._order.append(name)
            self._note(name, "", one_line(error))
            return
        self.register(plugin, point.name, source)

    def _free_name(self, name: str, source: tuple[str, str]) -> str:
        """Return the name, with its distribution when another plugin has it already."""
        candidates = (name, f"{name} ({source[0]})", *(f"{name} ({source[0]}) {n}" for n in range(2, 1000)))
        return next(c for c in candidates if c not in self._distributions)

    def _note(self, plugin: str, hook: str, cause: str) -> None:
        self._note_failure(PluginFailure(plugin, hook, cause))

    def _note_failure(self, failure: PluginFailure) -> None:
        alike = [f for f in self.failures if (f.plugin, f.hook) == (failure.plugin, failure.hook)]
        if failure not in alike and len(alike) < _MOST_FAILURES:
            self.failures.append(failure)

    def register(self, plugin: object, name: str, distribution: tuple[str, str] = ("", "")) -> None:
        """Register a plugin object under a name; what is wrong with it goes to `failures`.

        A name that another plugin has already is followed by the distribution.
        """
        name = self._free_name(name, distribution)
        self._distributions[name] = distribution
        self._order.append(name)
        try:
            self._pluggy.register(plugin, name=name)
            self._pluggy.check_pending()
        except Exception as error:  # noqa: BLE001  # pluggy raises for wrong signatures and unknown hooks
            if self._pluggy.has_plugin(name):
                self._pluggy.unregister(name=name)
            self._note(name, "", one_line(error))
            return
        for hook in REGISTRATION_HOOKS:
            self._collect(plugin, name, hook)
        for hook in LIFECYCLE_HOOKS:
            self._listen(plugin, name, hook)

    def _listen(self, plugin: object, name: str, hook: str) -> None:
        """Take up who listens to a lifecycle hook, and note an implementation that cannot be called."""
        if getattr(plugin, hook, None) is None:
            return
        if self._pluggy.parse_hookimpl_opts(plugin, hook) is None:
            self._note(name, hook, _UNMARKED)
            return
        caller = getattr(self._pluggy.hook, hook)
        working = []
        for implementation in caller.get_hookimpls():
            problem = wrong_listener(implementation)
            if problem:
                self._note(implementation.plugin_name, hook, problem)
            else:
                working.append(implementation)
        working.sort(key=lambda i: (not i.tryfirst, i.trylast, self._order.index(i.plugin_name)))
        self._listeners[hook] = tuple(listener_of(i) for i in working)

    def _collect(self, plugin: object, name: str, hook: str) -> None:
        implementation = getattr(plugin, hook, None)
        if implementation is None:
            return
        if self._pluggy.parse_hookimpl_opts(plugin, hook) is None:
            self._note(name, hook, _UNMARKED)
            return
        try:
            offers = implementation()
        except (Exception, SystemExit) as error:  # noqa: BLE001  # reported by name, the rest goes on
            self._note(name, hook, one_line(error))
            return
        if not isinstance(offers, Mapping):
            self._note(name, hook, f"must return a mapping of factories by name, returned {type(offers).__name__}")
            return
        for key, factory in offers.items():
            if not isinstance(key, str) or not key.strip() or not callable(factory):
                self._note(name, hook, f"must map names to factories, but has {key!r}: {type(factory).__name__}")
                continue
            taken = self._offers[hook].get(key)
            if taken is not None:
                self._note(name, hook, f"the name {key!r} is already taken by plugin {taken.plugin!r}")
                continue
            self._offers[hook][key] = _Offer(factory, name)

    def plugins(self) -> tuple[PluginInfo, ...]:
        """Return every plugin found, broken ones included, in the order of loading."""
        found = []
        for name in self._order:
            provides = {
                hook: keys
                for hook, offers in self._offers.items()
                if (keys := tuple(k for k, offer in offers.items() if offer.plugin == name))
            }
            failures = tuple(f for f in self.failures if f.plugin == name)
            heard = tuple(h for h, listeners in self._listeners.items() if any(x.plugin == name for x in listeners))
            found.append(PluginInfo(name, *self._distributions[name], provides, failures, heard))
        return tuple(found)

    def names(self, hook: str) -> tuple[str, ...]:
        """Return the adapter names offered through a registration hook."""
        return tuple(self._offers[hook])

    def provider(self, hook: str, name: str) -> str:
        """Return `distribution version` of the plugin that offers an adapter, for manifests and traces.

        Raises:
            ConfigError: No plugin offers it.
        """
        return " ".join(self._distributions[self._offer(hook, name).plugin]).strip()

    def _offer(self, hook: str, name: str) -> _Offer:
        offer = self._offers[hook].get(name)
        if offer is None:
            what = hook.removeprefix("kisoku_").replace("indexes", "index").removesuffix("s").replace("_", " ")
            known = ", ".join(sorted(self._offers[hook])) or "none"
            near = difflib.get_close_matches(name, self._offers[hook], n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known: {known}."
            raise ConfigError(f"There is no {what} named {name!r}.", hint=hint)
        return offer

    def _create(self, hook: str, name: str, what: str, kind: type[_T], *arguments: object) -> _T:
        offer = self._offer(hook, name)
        try:
            adapter = offer.factory(*arguments)
            # A protocol with properties reads them for this check.
            fits = isinstance(adapter, kind)
        except KisokuError:
            raise
        except Exception as error:
            raise PluginError(f"The {what} {name!r} of plugin {offer.plugin!r} failed: {one_line(error)}") from error
        if not fits:
            shown = type(adapter).__name__
            raise PluginError(f"Plugin {offer.plugin!r} returned {shown} as {what} {name!r}, not a {kind.__name__}.")
        return cast("_T", adapter)

    def chunker(self, name: str) -> Chunker:
        """Create a chunker by name."""
        return self._create("kisoku_chunkers", name, "chunker", Chunker)  # type: ignore[type-abstract]  # a protocol

    def vector_store(self, name: str, options: VectorStoreOptions) -> VectorStoreAdapter:
        """Open a vector store by name."""
        kind = VectorStoreAdapter
        return self._create("kisoku_vector_stores", name, "vector store", kind, options)  # type: ignore[type-abstract]  # an ABC

    def embedder(self, name: str, options: EmbedderOptions) -> Embedder:
        """Create an embedder by name."""
        return self._create("kisoku_embedders", name, "embedder", Embedder, options)  # type: ignore[type-abstract]  # an ABC

    def reranker(self, name: str, options: RerankerOptions) -> Reranker:
        """Create a reranker by name."""
        return self._create("kisoku_rerankers", name, "reranker", Reranker, options)  # type: ignore[type-abstract]  # an ABC

    def keyword_index(self, name: str, options: KeywordIndexOptions) -> KeywordIndex:
        """Create an empty keyword index by name."""
        kind = KeywordIndex
        return self._create("kisoku_keyword_indexes", name, "keyword index", kind, options)  # type: ignore[type-abstract]  # an ABC

    def analyzer(self, name: str, options: AnalyzerOptions) -> Analyzer:
        """Create an analyzer by name."""
        return self._create("kisoku_analyzers", name, "analyzer", Analyzer, options)  # type: ignore[type-abstract]  # a protocol

    def chat_model(self, name: str, options: Mapping[str, object]) -> ChatModel:
        """Create a chat model by name."""
        return self._create("kisoku_chat_models", name, "chat model", ChatModel, options)  # type: ignore[type-abstract]  # a protocol

    def query_transformer(self, name: str, options: QueryTransformerOptions) -> QueryTransformer:
        """Create a way of understanding queries by name."""
        kind = QueryTransformer
        return self._create("kisoku_query_transformers", name, "query transformer", kind, options)  # type: ignore[type-abstract]  # an ABC

    def lexicons(self) -> tuple[LexiconPart, ...]:
        """Return what plugins add to the lexicon of the conflict detector; what fails is noted and left out."""
        working = []
        for name, offer in self._offers["kisoku_lexicons"].items():
            try:
                source = offer.factory()
            except Exception as error:  # noqa: BLE001  # reported by name, the rest goes on
                self._note(offer.plugin, "kisoku_lexicons", one_line(error))
                continue
            if isinstance(source, str):
                source = Path(source)
            if not isinstance(source, Path | Mapping):
                shown = type(source).__name__
                self._note(offer.plugin, "kisoku_lexicons", f"must give a path or a mapping as {name!r}, gave {shown}")
                continue
            working.append(LexiconPart(name, offer.plugin, source))
        return tuple(working)

    def reject_lexicon(self, part: LexiconPart, error: KisokuError) -> None:
        """Note that an extension of the lexicon cannot be used."""
        self._note(part.plugin, "kisoku_lexicons", error.message)

    def chunkers(self) -> dict[str, Chunker]:
        """Create every chunker offered; one that fails is noted in `failures` and left out.

        An extension that an earlier chunker reads is noted too; the chunker stays for its other ones.
        """
        working: dict[str, Chunker] = {}
        readers: dict[str, str] = {}
        for name in self.names("kisoku_chunkers"):
            plugin = self._offers["kisoku_chunkers"][name].plugin
            try:
                chunker = self.chunker(name)
            except KisokuError as error:
                self._note(plugin, "kisoku_chunkers", error.message)
                continue
            wrong = _wrong_description(chunker)
            if wrong:
                self._note(plugin, "kisoku_chunkers", f"The chunker {name!r} {wrong}.")
                continue
            working[name] = chunker
            for suffix in sorted(chunker.suffixes):
                reader = readers.setdefault(suffix, name)
                if reader != name:
                    taken = f"The chunker {name!r} claims {suffix}, which the chunker {reader!r} reads already."
                    self._note(plugin, "kisoku_chunkers", taken)
        return working


def _wrong_description(chunker: Chunker) -> str:
    """Return what is wrong with the properties of a chunker, "" when nothing is."""
    texts: tuple[object, ...] = (chunker.name, chunker.doc_type, chunker.version)
    if not all(isinstance(text, str) and text for text in texts):
        return "has a name, doc_type or version that is no text"
    suffixes: object = chunker.suffixes
    if not isinstance(suffixes, AbstractSet) or not all(isinstance(s, str) and s.startswith(".") for s in suffixes):
        return 'has suffixes that are no set of extensions like ".docx"'
    return ""


def _own_version() -> str:
    return importlib.metadata.version("kisoku")


@lru_cache(maxsize=1)
def shared_manager() -> PluginManager:
    """Return the process-wide manager; worker processes make their own."""
    return PluginManager()
