"""The hooks: what plugins can offer, then what they can hear.

Registration hooks return named factories; a name that two plugins claim is reported and the first one found
(built-ins before third parties) keeps it. Nothing heavy may be imported in a hook: a factory is called when, and only
when, the configuration or a manifest names it.

A hook that raises, or returns something else than its mapping, is reported by `kisoku plugins` with the plugin, its
distribution and version; the rest of kisoku goes on without it.

Lifecycle hooks tell what happens. Each plugin is called by itself, in the order of loading (`tryfirst` and `trylast`
are kept), in the thread of whoever caused the event and after what it tells is stored; a process that is killed at
that very moment leaves the call out. Whatever a lifecycle hook raises is reported by `kisoku plugins` and in the log of
that process, never raised to the caller. An implementation may take any of the arguments, by name.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..domain.conflicts import ConflictGroup, DecisionRecord
from ..domain.manifest import Manifest
from ..domain.search import SearchRequest, SearchResult
from ..domain.sessions import SessionMetadata
from ..ports.agents import Finding
from ..ports.analyzer import Analyzer, AnalyzerOptions
from ..ports.chat_model import ChatModel
from ..ports.chunker import Chunker
from ..ports.embedder import Embedder, EmbedderOptions
from ..ports.keyword_index import KeywordIndex, KeywordIndexOptions
from ..ports.query_transformer import QueryTransformer, QueryTransformerOptions
from ..ports.reranker import Reranker, RerankerOptions
from ..ports.vector_store import VectorStoreAdapter, VectorStoreOptions
from .markers import hookspec

ChunkerFactory = Callable[[], Chunker]
VectorStoreFactory = Callable[[VectorStoreOptions], VectorStoreAdapter]
EmbedderFactory = Callable[[EmbedderOptions], Embedder]
RerankerFactory = Callable[[RerankerOptions], Reranker]
KeywordIndexFactory = Callable[[KeywordIndexOptions], KeywordIndex]
AnalyzerFactory = Callable[[AnalyzerOptions], Analyzer]
ChatModelFactory = Callable[[Mapping[str, object]], ChatModel]
LexiconFactory = Callable[[], str | Path | Mapping[str, object]]
QueryTransformerFactory = Callable[[QueryTransformerOptions], QueryTransformer]


@hookspec
def kisoku_chunkers() -> Mapping[str, ChunkerFactory]:  # type: ignore[empty-body]  # a specification has no body
    """Offer chunkers.

    When: once per process, at the first document.

    Returns:
        Factories by name; each is called without arguments, also in worker processes, so it must be importable there.
    """


@hookspec
def kisoku_vector_stores() -> Mapping[str, VectorStoreFactory]:  # type: ignore[empty-body]  # as above
    """Offer vector stores.

    When: at the first build or search.

    Returns:
        Factories by name; each gets `VectorStoreOptions` with the folder of one version.
    """


@hookspec
def kisoku_embedders() -> Mapping[str, EmbedderFactory]:  # type: ignore[empty-body]  # as above
    """Offer embedding models.

    When: at the first build or search.

    Returns:
        Factories by name; each gets `EmbedderOptions`.
    """


@hookspec
def kisoku_rerankers() -> Mapping[str, RerankerFactory]:  # type: ignore[empty-body]  # as above
    """Offer rerankers.

    When: at the first search.

    Returns:
        Factories by name; each gets `RerankerOptions` with the version's own embedder.
    """


@hookspec
def kisoku_keyword_indexes() -> Mapping[str, KeywordIndexFactory]:  # type: ignore[empty-body]  # as above
    """Offer keyword indexes.

    When: at the first build or search.

    Returns:
        Factories by name; each gets `KeywordIndexOptions` and returns an empty index.
    """


@hookspec
def kisoku_analyzers() -> Mapping[str, AnalyzerFactory]:  # type: ignore[empty-body]  # as above
    """Offer analyzers.

    When: at the first build or search.

    Returns:
        Factories by name; each gets `AnalyzerOptions`.
    """


@hookspec
def kisoku_chat_models() -> Mapping[str, ChatModelFactory]:  # type: ignore[empty-body]  # as above
    """Offer chat models.

    When: when the configuration names one.

    Returns:
        Factories by name; each gets a mapping of options.
    """


@hookspec
def kisoku_handbook_built(manifest: Manifest) -> None:
    """Hear that a version was published.

    When: after a build that made a new version, which is active by then; not after a build that changed nothing.

    Args:
        manifest: The new version: its name, documents, figures.

    Returns:
        Nothing.

    Raises:
        Exception: Reported; the version stays published.
    """


@hookspec
def kisoku_session_started(session_id: str) -> None:
    """Hear that a session came into being, just before `kisoku_version_locked`.

    When: once in a session's life, by whatever locks it first: the host, the orchestrator, or a search.

    Args:
        session_id: The session.

    Returns:
        Nothing.

    Raises:
        Exception: Reported; the session goes on.
    """


@hookspec
def kisoku_version_locked(session_id: str, version: str) -> None:
    """Hear which version a session is locked to for its whole life.

    When: once in a session's life, after the lock is stored.

    Args:
        session_id: The session.
        version: The version, `v0` for the built-in minimum rules.

    Returns:
        Nothing.

    Raises:
        Exception: Reported; the session stays locked.
    """


@hookspec
def kisoku_before_search(query: str, request: SearchRequest) -> str | None:
    """Change what is searched for.

    When: before each search, after its arguments were checked. Plugins form a chain in the order of loading: each gets
    the query as the one before left it.

    Args:
        query: The query as it is now.
        request: The search as it was asked for: the first query, agent, categories, context, session.

    Returns:
        The query to search with; None to leave it as it is.

    Raises:
        Exception: Reported, told in the notices and the trace of the result; the query stays as it was.
    """


@hookspec
def kisoku_after_search(result: SearchResult, session_id: str | None) -> None:
    """Hear what a search found.

    When: after each search, once it is recorded and before the caller has it. It cannot be changed.

    Args:
        result: Chunks, conflicts, notices and trace.
        session_id: The session, None outside one.

    Returns:
        Nothing.

    Raises:
        Exception: Reported, told in the notices of the result; the caller gets it all the same.
    """


@hookspec
def kisoku_conflicts_found(session_id: str | None, chapter: str, conflicts: Sequence[ConflictGroup]) -> None:
    """Hear of rules that cannot all be obeyed.

    When: a search met conflicts that its session did not know yet, after they are stored; outside any session each
    search that meets conflicts.

    Args:
        session_id: The session, None outside one.
        chapter: The chapter that is being written, "" when the caller named none.
        conflicts: The new ones, at least one.

    Returns:
        Nothing.

    Raises:
        Exception: Reported; the conflicts are returned all the same.
    """


@hookspec
def kisoku_conflict_resolved(decision: DecisionRecord) -> None:
    """Hear what a person decided.

    When: after a decision is stored, a changed one too.

    Args:
        decision: The conflict, both sides, the choice.

    Returns:
        Nothing.

    Raises:
        Exception: Reported; the decision stands.
    """


@hookspec
def kisoku_chapter_started(session_id: str, chapter: str) -> None:
    """Hear that work on a chapter begins.

    When: once for each chapter, when the orchestrator takes it or the host says so; not when it goes on after a
    decision or a restart.

    Args:
        session_id: The session.
        chapter: Title of the chapter.

    Returns:
        Nothing.

    Raises:
        Exception: Reported; the chapter goes on.
    """


@hookspec
def kisoku_chapter_finished(session_id: str, chapter: str, draft: str, findings: Sequence[Finding]) -> None:
    """Hear that a chapter is done.

    When: after the chapter is stored as finished, by the orchestrator or by the host.

    Args:
        session_id: The session.
        chapter: Title of the chapter.
        draft: Its text, "" when the host keeps it to itself.
        findings: What is left to say about it, broken rules among them.

    Returns:
        Nothing.

    Raises:
        Exception: Reported; the chapter stays finished.
    """


@hookspec
def kisoku_document_finished(metadata: SessionMetadata) -> None:
    """Hear that a document is done.

    When: once in a session's life, after it is stored as finished.

    Args:
        metadata: The session, the rule version used, every decision.

    Returns:
        Nothing.

    Raises:
        Exception: Reported; the document stays finished.
    """


@hookspec
def kisoku_lexicons() -> Mapping[str, LexiconFactory]:  # type: ignore[empty-body]  # as above
    """Offer words, value sets, units and names that the conflict detector knows in addition.

    When: at the first detection of conflicts.

    Returns:
        Factories by name; each is called without arguments and returns the path of a YAML file, or its content, in the
        shape of the bundled files. The name begins with ja, zh or en when there are words.
    """


@hookspec
def kisoku_query_transformers() -> Mapping[str, QueryTransformerFactory]:  # type: ignore[empty-body]  # as above
    """Offer ways of understanding queries.

    When: at the first search, when `query.mode` names one.

    Returns:
        Factories by name; each gets `QueryTransformerOptions` with the dictionary and the configured chat model.
    """
