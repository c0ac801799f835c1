"""The only place where things are wired. Keyword arguments override parts, for tests and hosts.

What a search does not use is imported where it is used: a search in a fresh process waits for every import.
"""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ..config.loading import load_settings
from ..domain.errors import ConfigError
from ..domain.notices import Language
from ..plugins.manager import shared_manager
from ..ports.vector_store import VectorStoreAdapter, VectorStoreOptions
from .wiring.searching import SearchParts

if TYPE_CHECKING:
    from .generation.agents import AgentSet
    from .generation.observer import GenerationObserver
    from .generation.orchestrator import GenerationOrchestrator
    from .generation.rules import RuleLookup
    from .host import Host


class Kisoku(SearchParts):
    """Every use case over one handbook, each made when it is first asked for.

    Example:
        >>> from kisoku import Kisoku
        >>> app = Kisoku.open(root="handbook")  # doctest: +SKIP
        >>> app.service.search(session_id=None, query="表の書き方", agent="writer")  # doctest: +SKIP
    """

    @classmethod
    def open(
        cls, root: Path | str | None = None, *, config: Path | None = None, profile: str | None = None
    ) -> "Kisoku":
        """Open a handbook with the settings of files and environment; the folder need not exist yet.

        Raises:
            ConfigError: A setting is wrong.
        """
        overrides: dict[str, object] = {} if root is None else {"root": Path(root)}
        return cls(load_settings(config=config, profile=profile, overrides=overrides).settings)

    @cached_property
    def rules(self) -> "RuleLookup":
        """Rules of several topics as one pack for an agent."""
        from .generation.rules import RuleLookup

        detect, budget = self.settings.conflicts.enabled, self.settings.chat.evidence_characters
        return RuleLookup(self.service, self.conflicts, self.sessions, detect, budget)

    @cached_property
    def host(self) -> "Host":
        """The calls of a pipeline that keeps its own loop."""
        from .host import Host

        lifecycle, language = self.plugins.lifecycle, self.language
        return Host(self.service, self.locks, self.sessions, self.rules, lifecycle, self.clock, language)

    def agents(self, name: str, language: Language = "ja") -> "AgentSet":
        """Return the ready agents of a name: `rules` without a model, `llm` on the configured chat model.

        Raises:
            ConfigError: There are none of that name, or no chat model is configured.
        """
        from .generation.agents import LLM, RULES, rule_agents

        if name == RULES:
            return rule_agents(self.conflicts.detector)
        if name != LLM:
            raise ConfigError(f"There are no agents named {name!r}.", hint=f"Agents: {RULES}, {LLM}.")
        if self.chat_model is None:
            raise ConfigError(
                "The agents `llm` need a chat model, and none is configured.",
                hint="Name one in chat.providers, or use the agents `rules`.",
            )
        from .generation.chat_agents import llm_agents

        max_tokens = self.settings.chat.max_tokens
        return llm_agents(self.chat_model, self.conflicts.detector, language, max_tokens=max_tokens)

    def orchestrator(
        self, agents: "AgentSet", *, max_rounds: int = 2, observer: "GenerationObserver | None" = None
    ) -> "GenerationOrchestrator":
        """Return an orchestrator that writes documents with these agents, ready ones or the host's own."""
        from .generation.orchestrator import GenerationOrchestrator, GenerationTools

        lifecycle = self.plugins.lifecycle
        tools = GenerationTools(self.sessions, self.locks, self.conflicts, self.rules, lifecycle, self.clock)
        return GenerationOrchestrator(tools, agents, max_rounds=max_rounds, observer=observer)

    def close(self) -> None:
        """Release files and connections; what was never used is not opened for it."""
        for name in ("versions", "sessions"):
            if name in self.__dict__:
                getattr(self, name).close()
        for cache in self.__dict__.get("query_caches", ()):
            cache.close()
        if "watching" in self.__dict__:
            self.watching.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class StorageAdapterFactory:
    """Creates a vector store from a configuration (requirements, rag-layer §9.5)."""

    @staticmethod
    def create(config: Mapping[str, Any]) -> VectorStoreAdapter:
        """Return the adapter that `vector_store.adapter` names, over `vector_store.<adapter>.persist_dir`.

        Raises:
            ConfigError: The adapter is unknown or its folder is not given.
        """
        section = config.get("vector_store", {})
        name = section.get("adapter", "chroma")
        folder = section.get(name, {}).get("persist_dir")
        if not folder:
            raise ConfigError(f"vector_store.{name}.persist_dir is not set.", hint="Name the folder of the store.")
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        options = {k: v for k, v in section.get(name, {}).items() if k != "persist_dir"}
        return shared_manager().vector_store(name, VectorStoreOptions(path, options=options))
