"""The only place where things are wired. Keyword arguments override parts, for tests and hosts."""

import functools
import locale
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version as distribution_version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

from ..config.loading import load_settings
from ..config.settings import Settings
from ..domain.conflicts import ConflictGroup, RuleText
from ..domain.errors import ConfigError
from ..domain.evidence import Scale, scale_of
from ..domain.names import BUILTIN_VERSION
from ..domain.notices import LANGUAGES, Language
from ..domain.query import QueryDictionary
from ..domain.terms import TermFinder
from ..plugins.manager import PluginManager, shared_manager
from ..ports.chat_model import ChatModel
from ..ports.handbook_store import HandbookStore
from ..ports.query_transformer import QueryTransformerOptions
from ..ports.sentence_store import SentenceStore
from ..ports.session_store import SessionStore
from ..ports.vector_cache import QueryVectorCache
from ..ports.vector_store import VectorStoreAdapter, VectorStoreOptions
from ..ports.version_archive import VersionArchive
from ..ports.worker_pool import TaskOutcome, WorkerPool
from .building.parsing import ChunkerRoutes, Inspect
from .building.tools import BuildTools
from .carry_over import DecisionCarrier
from .chat import chat_of
from .chunking import ChunkingTools
from .conflict_judge import ConflictJudge
from .conflict_scan import ConflictScan, OnProgress
from .conflict_similarity import EmbeddingSimilarity
from .conflicts import ConflictHandler, Detector
from .generation.agents import LLM, RULES, AgentSet, rule_agents
from .generation.observer import GenerationObserver
from .generation.orchestrator import GenerationOrchestrator, GenerationTools
from .generation.rules import RuleLookup
from .doctor.doctor import HandbookDoctor
from .feedback import FeedbackLoop, FeedbackTools
from .handbook import RuleHandbookManager
from .host import Host
from .lookup import KnowledgeLookup, LookupTools
from .models import Models, choose_embedding
from .recorder import InvocationRecorder
from .retrieval.engine import RetrievalEngine, Understanding, engine_of
from .retrieval.version import OpenVersions, SearchTools
from .service import RagService, ServiceTools
from .sessions import SessionVersion

if TYPE_CHECKING:
    from ..domain.constraints.lexicon import Lexicon

_A = TypeVar("_A")
_R = TypeVar("_R")
_MEGABYTE = 1_000_000


def utc_now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def new_trace_id() -> str:
    """Return 32 random hex digits, the format of an OpenTelemetry trace id."""
    return uuid.uuid4().hex


def resolve_language(settings: Settings) -> Language:
    """Return the language of messages: as set, else by the locale, else English."""
    if settings.language != "auto":
        return settings.language
    name = (locale.getlocale()[0] or "").lower()
    return next((language for language in LANGUAGES if name.startswith(language)), "en")


@dataclass(frozen=True, slots=True)
class _SubprocessPool:
    """The parse pool of the chunking adapters behind its port."""

    settings: Settings

    def run(self, task: Callable[[_A], _R], items: Iterable[tuple[str, _A]]) -> Iterator[TaskOutcome[_R]]:
        from ..adapters.chunking.pool import ParsePool

        pool = ParsePool(task, workers=self.settings.build.workers, limits=_limits(self.settings))
        return pool.run(items)


def _limits(settings: Settings) -> Any:
    from ..adapters.chunking.guard import ParseLimits

    build = settings.build
    return ParseLimits(
        max_file_bytes=build.max_file_mb * _MEGABYTE,
        max_inflated_bytes=build.max_inflated_mb * _MEGABYTE,
        memory_bytes=build.document_memory_mb * _MEGABYTE,
        seconds=build.document_seconds,
    )


def _weights_present(model: str) -> bool:
    from ..adapters.embedding.sentence_transformers import weights_present

    return weights_present(model)


class Kisoku:
    """Every use case over one handbook, each made when it is first asked for.

    Example:
        >>> from kisoku import Kisoku
        >>> app = Kisoku.open(root="handbook")  # doctest: +SKIP
        >>> app.service.search(session_id=None, query="表の書き方", agent="writer")  # doctest: +SKIP
    """

    def __init__(
        self,
        settings: Settings,
        *,
        plugins: PluginManager | None = None,
        clock: Callable[[], datetime] = utc_now,
        new_id: Callable[[], str] = new_trace_id,
        handbook_store: HandbookStore | None = None,
        session_store: SessionStore | None = None,
        pool: WorkerPool | None = None,
        detector: Detector | None = None,
        models: Models | None = None,
        chat_model: ChatModel | None = None,
    ) -> None:
        self.settings = settings
        self.plugins = plugins or shared_manager()
        self.clock = clock
        self.new_id = new_id
        self._handbook_store = handbook_store
        self._session_store = session_store
        self._pool = pool
        self._detector = detector
        self._models = models
        self._chat_model = chat_model

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
    def language(self) -> Language:
        """Language of notices."""
        return resolve_language(self.settings)

    @cached_property
    def handbook_store(self) -> HandbookStore:
        """Versions on disk."""
        if self._handbook_store is not None:
            return self._handbook_store
        from ..adapters.handbook.filesystem import FilesystemHandbookStore

        return FilesystemHandbookStore(self.settings.root)

    @cached_property
    def sentence_store(self) -> SentenceStore:
        """Sentence vectors of versions."""
        from ..adapters.sentences.files import SentenceFiles

        return SentenceFiles()

    @cached_property
    def sessions(self) -> SessionStore:
        """The session database."""
        if self._session_store is not None:
            return self._session_store
        from ..adapters.sessions.sql import SqlSessionStore, sqlite_url

        url = self.settings.sessions.url
        if not url:
            url = sqlite_url(self.settings.root / "sessions.db")
        return SqlSessionStore(url)

    @cached_property
    def chat_model(self) -> ChatModel | None:
        """The chat model: the one given, else those of `chat.providers` in order; None when there is none."""
        return self._chat_model or chat_of(self.settings.chat, self.plugins)

    @cached_property
    def models(self) -> Models:
        """Embedders and rerankers."""
        return self._models or Models(self.plugins, self.settings, self.query_caches)

    @cached_property
    def query_caches(self) -> tuple[QueryVectorCache, ...]:
        """Levels of the cache of query embeddings, the nearest first.

        Raises:
            ConfigError: `cache.redis_url` is wrong, or the `redis` extra is not installed.
        """
        from ..adapters.cache.memory import MemoryVectorCache

        cache = self.settings.cache
        levels: list[QueryVectorCache] = [MemoryVectorCache(cache.query_embeddings)] if cache.query_embeddings else []
        if cache.redis_url:
            from ..adapters.cache.redis import RedisVectorCache

            levels.append(RedisVectorCache(cache.redis_url, ttl_seconds=max(1, round(cache.ttl_hours * 3600))))
        return tuple(levels)

    @cached_property
    def inspect(self) -> Inspect:
        """The check before parsing."""
        from ..adapters.chunking.guard import inspect

        return functools.partial(inspect, limits=_limits(self.settings))

    @cached_property
    def pool(self) -> WorkerPool:
        """Worker processes for parsing."""
        return self._pool or _SubprocessPool(self.settings)

    @cached_property
    def routes(self) -> ChunkerRoutes:
        """Which chunker reads what."""
        return ChunkerRoutes(self.plugins)

    @cached_property
    def chunking_tools(self) -> ChunkingTools:
        """What cutting files without a handbook needs."""
        from ..adapters.chunking.cutting.accounting import account

        return ChunkingTools(
            self.settings, self.routes, self.models, self.pool, self.inspect, _weights_present, account
        )

    @cached_property
    def build_tools(self) -> BuildTools:
        """What a build needs."""
        return BuildTools(
            plugins=self.plugins,
            settings=self.settings,
            models=self.models,
            pool=self.pool,
            inspect=self.inspect,
            weights_present=_weights_present,
            clock=self.clock,
            tool_version=distribution_version("kisoku"),
            sentences=self.sentence_store,
            archives=self.archives,
        )

    @cached_property
    def archives(self) -> VersionArchive:
        """Versions as single files."""
        from ..adapters.handbook.archive import ZipVersionArchive

        return ZipVersionArchive()

    @cached_property
    def manager(self) -> RuleHandbookManager:
        """Builds and versions."""

        def locked() -> set[str]:
            return {record.version for record in self.sessions.sessions() if record.finished_at is None}

        return RuleHandbookManager(self.handbook_store, self.build_tools, locked)

    @cached_property
    def doctor(self) -> HandbookDoctor:
        """Looks the handbook over and repairs it."""
        from ..adapters.handbook.care import FilesystemHandbookCare

        care = FilesystemHandbookCare(self.settings.root)
        return HandbookDoctor(care, self.handbook_store, self.build_tools, self.sessions)

    @cached_property
    def locks(self) -> SessionVersion:
        """Version locks of sessions."""
        return SessionVersion(self.handbook_store, self.sessions, self.clock, self.plugins.lifecycle)

    @cached_property
    def conflicts(self) -> ConflictHandler:
        """Conflicts and decisions."""
        detector = self._detector or self._rule_detector()
        return ConflictHandler(
            self.sessions,
            detector,
            self.clock,
            judge=self._conflict_judge(),
            similarity=self._clause_similarity,
            lifecycle=self.plugins.lifecycle,
        )

    @cached_property
    def decisions(self) -> DecisionCarrier:
        """Decisions carried from one session to another."""
        return DecisionCarrier(self.handbook_store, self.sessions, self.locks)

    @cached_property
    def conflict_scan(self) -> ConflictScan:
        """All rules against each other."""
        return ConflictScan(self.handbook_store, self.chunking_tools, self._scan)

    def _scan(self, texts: Sequence[RuleText], *, on_progress: OnProgress) -> Sequence[ConflictGroup]:
        from ..domain.constraints.scan import scan_conflicts

        settings = self.settings.conflicts
        return scan_conflicts(
            texts,
            self._lexicon,
            min_confidence=settings.min_confidence,
            similarity=self._clause_similarity,
            language=self.settings.language,
            on_progress=on_progress,
        )

    @cached_property
    def _clause_similarity(self) -> EmbeddingSimilarity | None:
        if self.settings.conflicts.similarity == "none":
            return None
        choice = self.models.named(choose_embedding(self.settings, _weights_present))
        return EmbeddingSimilarity(self.models.embedder(choice.adapter, choice.model))

    def _conflict_judge(self) -> ConflictJudge | None:
        """Return the second opinion, when one is asked for.

        Raises:
            ConfigError: `conflicts.judge` is `llm` and no chat model is configured.
        """
        if self.settings.conflicts.judge == "none":
            return None
        if self.chat_model is None:
            raise ConfigError(
                "conflicts.judge is llm, and no chat model is configured.",
                hint="Name one in chat.providers, or set conflicts.judge to none.",
            )
        return ConflictJudge(self.chat_model)

    def _rule_detector(self) -> Detector:
        settings = self.settings.conflicts

        def detect(texts: Sequence[RuleText]) -> Sequence[ConflictGroup]:
            # Reading the lexicon costs a while; a search without candidates never needs it.
            from ..domain.constraints.detect import detect_conflicts

            return detect_conflicts(
                texts,
                self._lexicon,
                min_confidence=settings.min_confidence,
                similarity=self._clause_similarity,
                language=self.settings.language,
            )

        return detect

    @cached_property
    def _lexicon(self) -> "Lexicon":
        """Words of the bundled lexicon, of plugins and of the deployment."""
        from ..config.lexicon import load_lexicon

        return load_lexicon(
            self.settings.conflicts.lexicon, self.plugins.lexicons(), on_error=self.plugins.reject_lexicon
        )

    @cached_property
    def versions(self) -> OpenVersions:
        """Versions that are open for searching."""
        return OpenVersions(SearchTools(self.handbook_store, self.plugins, self.models, self.settings, self.sentence_store))

    @cached_property
    def engine(self) -> RetrievalEngine:
        """The stages of a search."""
        return engine_of(self.settings, self.language, self.understanding)

    @cached_property
    def dictionary(self) -> QueryDictionary:
        """Vocabulary for understanding queries.

        Raises:
            ConfigError: A file of `query.dictionaries` is malformed.
        """
        from ..config.dictionary import load_dictionary

        return load_dictionary(self.settings.query.dictionaries, bundled=self.settings.query.bundled_dictionary)

    @cached_property
    def understanding(self) -> Understanding | None:
        """What understands queries, None when it is switched off."""
        query = self.settings.query
        if query.mode == "off":
            return None
        options = QueryTransformerOptions(self.dictionary, self.chat_model, query.max_added, query.options)
        transformer = self.plugins.query_transformer(query.mode, options)
        fallback = transformer
        if query.mode != "rules":
            fallback = self.plugins.query_transformer("rules", replace(options, options={}))
        domains = {name: TermFinder(domain.terms) for name, domain in self.dictionary.domains.items()}
        return Understanding(transformer, fallback, domains, query.timeout_ms)

    @cached_property
    def service(self) -> RagService:
        """The agents' entrance."""
        return RagService(
            ServiceTools(
                handbook=self.handbook_store,
                versions=self.versions,
                engine=self.engine,
                sessions=self.sessions,
                locks=self.locks,
                conflicts=self.conflicts,
                settings=self.settings,
                language=self.language,
                clock=self.clock,
                new_id=self.new_id,
                lifecycle=self.plugins.lifecycle,
                chat=lambda: self.chat_model,
            )
        )

    @cached_property
    def lookup(self) -> KnowledgeLookup:
        """The evidence-first tool of agents."""

        def scale(version: str) -> Scale:
            model = "" if version == BUILTIN_VERSION else self.versions.get(version).manifest.embedding.model
            return scale_of(model)

        return KnowledgeLookup(
            LookupTools(
                service=self.service,
                sessions=self.sessions,
                recorder=InvocationRecorder(self.sessions, self.clock, self.language),
                settings=self.settings.lookup,
                domains=self.understanding.domains if self.understanding else {},
                scale=scale,
                language=self.language,
                clock=self.clock,
                conflicts=self.conflicts if self.settings.conflicts.enabled else None,
            )
        )

    @cached_property
    def rules(self) -> RuleLookup:
        """Rules of several topics as one pack for an agent."""
        detect, budget = self.settings.conflicts.enabled, self.settings.chat.evidence_characters
        return RuleLookup(self.service, self.conflicts, self.sessions, detect, budget)

    @cached_property
    def host(self) -> Host:
        """The calls of a pipeline that keeps its own loop."""
        lifecycle, language = self.plugins.lifecycle, self.language
        return Host(self.service, self.locks, self.sessions, self.rules, lifecycle, self.clock, language)

    def agents(self, name: str, language: Language = "ja") -> AgentSet:
        """Return the ready agents of a name: `rules` without a model, `llm` on the configured chat model.

        Raises:
            ConfigError: There are none of that name, or no chat model is configured.
        """
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
        self, agents: AgentSet, *, max_rounds: int = 2, observer: GenerationObserver | None = None
    ) -> GenerationOrchestrator:
        """Return an orchestrator that writes documents with these agents, ready ones or the host's own."""
        lifecycle = self.plugins.lifecycle
        tools = GenerationTools(self.sessions, self.locks, self.conflicts, self.rules, lifecycle, self.clock)
        return GenerationOrchestrator(tools, agents, max_rounds=max_rounds, observer=observer)

    @cached_property
    def feedback(self) -> FeedbackLoop:
        """What people say of searches.

        Raises:
            ConfigError: The session store given keeps no feedback.
        """
        from ..ports.feedback_store import FeedbackStore

        if not isinstance(self.sessions, FeedbackStore):
            raise ConfigError("This session store keeps no feedback.")
        return FeedbackLoop(
            FeedbackTools(self.sessions, self.handbook_store, self.versions, self.service, self.clock, self.new_id)
        )

    def close(self) -> None:
        """Release files and connections; what was never used is not opened for it."""
        for name in ("versions", "sessions"):
            if name in self.__dict__:
                getattr(self, name).close()
        for cache in self.__dict__.get("query_caches", ()):
            cache.close()

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
