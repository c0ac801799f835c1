"""Searching, looking up, feedback."""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from ...domain.errors import ConfigError
from ...domain.query import QueryDictionary
from ...domain.terms import TermFinder
from ...ports.query_transformer import QueryTransformerOptions
from ..retrieval.engine import RetrievalEngine, Understanding, engine_of
from ..retrieval.version import OpenVersions, SearchTools
from ..service import RagService, ServiceTools
from ..watching import Watching
from .conflicts import ConflictParts
from .telemetry import watching_of

if TYPE_CHECKING:
    from ...domain.evidence import Scale
    from ..feedback import FeedbackLoop
    from ..lookup import KnowledgeLookup


class SearchParts(ConflictParts):
    """The engine and the entrances of agents."""

    @cached_property
    def versions(self) -> OpenVersions:
        """Versions that are open for searching."""
        return OpenVersions(
            SearchTools(self.handbook_store, self.plugins, self.models, self.settings, self.sentence_store)
        )

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
        from ...config.dictionary import load_dictionary

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
    def watching(self) -> Watching:
        """Tells traces, metrics and logs of every search."""
        return watching_of(self.settings, self.new_id)

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
                watching=self.watching,
                chat=lambda: self.chat_model,
            )
        )

    @cached_property
    def lookup(self) -> "KnowledgeLookup":
        """The evidence-first tool of agents."""
        from ...domain.evidence import scale_of
        from ...domain.names import BUILTIN_VERSION
        from ..lookup import KnowledgeLookup, LookupTools
        from ..recorder import InvocationRecorder

        def scale(version: str) -> "Scale":
            model = "" if version == BUILTIN_VERSION else self.versions.get(version).manifest.embedding.model
            return scale_of(model)

        return KnowledgeLookup(
            LookupTools(
                service=self.service,
                sessions=self.sessions,
                recorder=InvocationRecorder(
                    self.sessions,
                    self.clock,
                    self.language,
                    price=self.settings.embedding.price_per_million_tokens,
                ),
                settings=self.settings.lookup,
                domains=self.understanding.domains if self.understanding else {},
                scale=scale,
                language=self.language,
                clock=self.clock,
                conflicts=self.conflicts if self.settings.conflicts.enabled else None,
                watching=self.watching,
            )
        )

    @cached_property
    def feedback(self) -> "FeedbackLoop":
        """What people say of searches.

        Raises:
            ConfigError: The session store given keeps no feedback.
        """
        from ...ports.feedback_store import FeedbackStore
        from ..feedback import FeedbackLoop, FeedbackTools

        if not isinstance(self.sessions, FeedbackStore):
            raise ConfigError("This session store keeps no feedback.")
        return FeedbackLoop(
            FeedbackTools(self.sessions, self.handbook_store, self.versions, self.service, self.clock, self.new_id)
        )
