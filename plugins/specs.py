"""The hooks.

Registration hooks return named factories; a name that two plugins claim is reported and the first one found
(built-ins before third parties) keeps it. Nothing heavy may be imported in a hook: a factory is called when, and only
when, the configuration or a manifest names it.

A hook that raises, or returns something else than its mapping, is reported by `kisoku plugins` with the plugin, its
distribution and version; the rest of kisoku goes on without it.
"""

from collections.abc import Callable, Mapping

from ..ports.analyzer import Analyzer, AnalyzerOptions
from ..ports.chat_model import ChatModel
from ..ports.chunker import Chunker
from ..ports.embedder import Embedder, EmbedderOptions
from ..ports.keyword_index import KeywordIndex, KeywordIndexOptions
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
