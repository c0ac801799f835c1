"""Stores, models and locks: what every use case stands on."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cached_property

from ...config.language import environment_language
from ...config.settings import Settings
from ...domain.notices import Language
from ...plugins.manager import PluginManager, shared_manager
from ...ports.chat_model import ChatModel
from ...ports.handbook_store import HandbookStore
from ...ports.sentence_store import SentenceStore
from ...ports.session_store import SessionStore
from ...ports.vector_cache import QueryVectorCache
from ...ports.version_archive import VersionArchive
from ...ports.worker_pool import WorkerPool
from ..chat import chat_of
from ..conflicts import Detector
from ..models import Models
from ..sessions import SessionVersion


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
    return environment_language()


def weights_of_model(model: str) -> bool:
    """Return whether the weights of a model of sentence-transformers are on this machine."""
    from ...adapters.embedding.sentence_transformers import weights_present

    return weights_present(model)


class Parts:
    """Stores, models and locks over one handbook, each made when it is first asked for."""

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

    @cached_property
    def language(self) -> Language:
        """Language of notices."""
        return resolve_language(self.settings)

    @cached_property
    def handbook_store(self) -> HandbookStore:
        """Versions on disk."""
        if self._handbook_store is not None:
            return self._handbook_store
        from ...adapters.handbook.filesystem import FilesystemHandbookStore

        return FilesystemHandbookStore(self.settings.root)

    @cached_property
    def sentence_store(self) -> SentenceStore:
        """Sentence vectors of versions."""
        from ...adapters.sentences.files import SentenceFiles

        return SentenceFiles()

    @cached_property
    def sessions(self) -> SessionStore:
        """The session database."""
        if self._session_store is not None:
            return self._session_store
        from ...adapters.sessions.sql import SqlSessionStore, sqlite_url

        url = self.settings.sessions.url
        if not url:
            url = sqlite_url(self.settings.root / "sessions.db")
        return SqlSessionStore(url)

    @cached_property
    def chat_model(self) -> ChatModel | None:
        """The chat model: the one given, else those of `chat.providers` in order; None when there is none."""
        return self._chat_model or chat_of(self.settings.chat, self.plugins)

    @cached_property
    def query_caches(self) -> tuple[QueryVectorCache, ...]:
        """Levels of the cache of query embeddings, the nearest first.

        Raises:
            ConfigError: `cache.redis_url` is wrong, or the `redis` extra is not installed.
        """
        from ...adapters.cache.memory import MemoryVectorCache

        cache = self.settings.cache
        levels: list[QueryVectorCache] = [MemoryVectorCache(cache.query_embeddings)] if cache.query_embeddings else []
        if cache.redis_url:
            from ...adapters.cache.redis import RedisVectorCache

            levels.append(RedisVectorCache(cache.redis_url, ttl_seconds=max(1, round(cache.ttl_hours * 3600))))
        return tuple(levels)

    @cached_property
    def models(self) -> Models:
        """Embedders and rerankers."""
        return self._models or Models(self.plugins, self.settings, self.query_caches)

    @cached_property
    def locks(self) -> SessionVersion:
        """Version locks of sessions."""
        return SessionVersion(self.handbook_store, self.sessions, self.clock, self.plugins.lifecycle)

    @cached_property
    def archives(self) -> VersionArchive:
        """Versions as single files."""
        from ...adapters.handbook.archive import ZipVersionArchive

        return ZipVersionArchive()
