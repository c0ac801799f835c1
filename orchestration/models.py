"""Which models serve: from settings when a version is built, from its manifest when it is searched."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from ..config.settings import Settings
from ..domain.manifest import EmbeddingInfo, RerankInfo
from ..plugins.manager import PluginManager
from ..ports.embedder import Embedder, EmbedderOptions
from ..ports.reranker import Reranker, RerankerOptions
from ..ports.vector_cache import QueryVectorCache
from .chat import chat_of
from .retrieval.cached_embedder import CachedEmbedder

BUNDLED_MODEL = "use-multilingual-v3"
"""The embedding model of the base install; docs/decisions.md says why it is this one."""
PRODUCTION_MODEL = "BAAI/bge-m3"
PRODUCTION_RERANKER = "BAAI/bge-reranker-v2-m3"
_BUNDLED_ADAPTERS = {"use-multilingual-v3": "use", "multilingual-e5-small-q4": "e5"}
_BUNDLED_RERANKERS = {"use-multilingual-v3": "sentence"}
"""Comparing sentences needs a model that embeds thousands of characters while somebody waits; e5 takes seconds."""
_GENERAL_ADAPTER = "sentence-transformers"

_CONNECTION = re.compile(
    r"url|endpoint|host|port$|proxy|key|token$|secret|password|header|timeout|retr|cache|device|thread|batch",
    re.IGNORECASE,
)
"""Names of options that say how a model is reached and run; a version does not record them."""

WeightsPresent = Callable[[str], bool]
"""Says whether a model of sentence-transformers can be loaded on this machine without a network."""


@dataclass(frozen=True, slots=True)
class EmbeddingChoice:
    """An embedding adapter and model, and why they were chosen in one sentence."""

    adapter: str
    model: str
    reason: str


def choose_embedding(settings: Settings, weights_present: WeightsPresent) -> EmbeddingChoice:
    """Resolve `embedding.adapter` and `embedding.model`, either of which may be `auto`."""
    wanted = settings.embedding
    if wanted.model == "auto":
        by_adapter = next((m for m, a in _BUNDLED_ADAPTERS.items() if a == wanted.adapter), None)
        if by_adapter is not None:
            return EmbeddingChoice(wanted.adapter, by_adapter, f"the model of adapter {wanted.adapter}")
        if wanted.adapter == _GENERAL_ADAPTER:
            return EmbeddingChoice(wanted.adapter, PRODUCTION_MODEL, f"the default of adapter {wanted.adapter}")
        if wanted.adapter != "auto":
            return EmbeddingChoice(wanted.adapter, "", f"the default of adapter {wanted.adapter}")
        if weights_present(PRODUCTION_MODEL):
            return EmbeddingChoice(_GENERAL_ADAPTER, PRODUCTION_MODEL, "its weights are on this machine")
        return EmbeddingChoice(
            _BUNDLED_ADAPTERS[BUNDLED_MODEL], BUNDLED_MODEL, f"bundled; {PRODUCTION_MODEL} is not on this machine"
        )
    adapter = wanted.adapter
    if adapter == "auto":
        adapter = _BUNDLED_ADAPTERS.get(wanted.model, _GENERAL_ADAPTER)
    return EmbeddingChoice(adapter, wanted.model, "as configured")


def choose_reranker(settings: Settings, embedding: EmbeddingChoice) -> RerankInfo:
    """Resolve `rerank.adapter` and `rerank.model`.

    `auto` is the cross-encoder beside bge-m3 or where a model is named, sentence similarity beside USE, else none.
    """
    wanted = settings.rerank
    adapter = wanted.adapter
    if adapter == "auto":
        named = wanted.model != "auto"
        adapter = (
            "cross-encoder"
            if named or embedding.model == PRODUCTION_MODEL
            else _BUNDLED_RERANKERS.get(embedding.model, "none")
        )
    if wanted.model != "auto":
        return RerankInfo(adapter=adapter, model=wanted.model)
    default = {"cross-encoder": PRODUCTION_RERANKER, "sentence": f"sentence/{embedding.model}"}
    return RerankInfo(adapter=adapter, model=default.get(adapter, adapter))


def recorded_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of an embedder that decide its vectors, without addresses, keys and time limits."""
    return {
        name: recorded_options(value) if isinstance(value, Mapping) else value
        for name, value in options.items()
        if not _CONNECTION.search(name)
    }


@dataclass(frozen=True, slots=True)
class _Hashed:
    """Options of an embedder; equal when their text is."""

    options: EmbedderOptions = field(compare=False)
    text: str
    model: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "model", self.options.model)


class Models:
    """Creates embedders and rerankers, each once per process."""

    def __init__(self, plugins: PluginManager, settings: Settings, caches: Sequence[QueryVectorCache] = ()) -> None:
        self._plugins = plugins
        self._settings = settings
        self._caches = tuple(caches)
        self._embedder = lru_cache(maxsize=4)(self._create_embedder)
        self._reranker = lru_cache(maxsize=4)(self._create_reranker)

    def embedder_options(self, model: str, recorded: Mapping[str, Any] | None = None) -> EmbedderOptions:
        """Return what the factory of an embedder gets for a model.

        Args:
            model: Its name.
            recorded: Options of the version that is searched: they decide what vectors mean; how the model is reached
                is today's to say. None for today's options throughout.
        """
        wanted = self._settings.embedding
        options = dict(wanted.options)
        if recorded is not None:
            options = {name: value for name, value in options.items() if _CONNECTION.search(name)} | dict(recorded)
        return EmbedderOptions(
            model=model,
            batch_size=wanted.batch_size,
            threads=wanted.threads,
            device=wanted.device,
            options=options,
        )

    def embedder(self, adapter: str, model: str, recorded: Mapping[str, Any] | None = None) -> Embedder:
        """Return the embedder of an adapter and model, one for equal options; nothing is loaded yet.

        Args:
            adapter: Its name.
            model: The model's name.
            recorded: Options that a version records, as for `embedder_options`.

        Raises:
            ConfigError: No plugin offers the adapter.
        """
        options = self.embedder_options(model, recorded)
        return self._embedder(adapter, _Hashed(options, json.dumps(options.options, sort_keys=True, default=repr)))

    def named(self, choice: EmbeddingChoice) -> EmbeddingChoice:
        """Return a choice with the model's full name where it was left to the adapter; nothing is loaded.

        Raises:
            ConfigError: No plugin offers the adapter.
        """
        return choice if choice.model else replace(choice, model=self.embedder(choice.adapter, "").name)

    def _create_embedder(self, adapter: str, wanted: "_Hashed") -> Embedder:
        embedder = self._plugins.embedder(adapter, wanted.options)
        # The reranker gets the same object, so that what the query stage embedded is not embedded again.
        if not self._caches:
            return embedder
        # Options such as a shortened dimension make other vectors of the same model; shared caches keep them apart.
        deciding = recorded_options(wanted.options.options)
        variant = json.dumps(deciding, sort_keys=True, default=repr) if deciding else ""
        return CachedEmbedder(embedder, self._caches, variant=f"{adapter}{variant}")

    def reranker(self, info: RerankInfo, embedding: EmbeddingInfo) -> Reranker:
        """Return the reranker of a version; nothing is loaded yet.

        Raises:
            ConfigError: No plugin offers the adapter.
        """
        embedder = self.embedder(embedding.adapter, embedding.model, embedding.options)
        return self._reranker(info.adapter, info.model, embedder)

    def _create_reranker(self, adapter: str, model: str, embedder: Embedder) -> Reranker:
        wanted = self._settings.rerank
        options = dict(wanted.options)
        if adapter == "llm" and "chat_model" not in options:
            options["chat_model"] = chat_of(self._settings.chat, self._plugins)
        return self._plugins.reranker(
            adapter,
            RerankerOptions(
                model="" if adapter in {"sentence", "none"} else model,
                embedder=embedder,
                batch_size=wanted.batch_size,
                threads=self._settings.embedding.threads,
                device=wanted.device,
                options=options,
            ),
        )
