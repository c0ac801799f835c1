"""What the settings ask a version to be made with."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...domain.manifest import EmbeddingInfo, KeywordInfo, Manifest
from ...ports.analyzer import AnalyzerOptions
from ..models import EmbeddingChoice, choose_reranker, recorded_options

if TYPE_CHECKING:
    from .plan import BuildRecipe
    from .tools import BuildTools

NGRAM_ANALYZER = "bigram"
"""Analyzer of the third channel; its indexes stand beside those of the keyword channel."""


def make_recipe(
    tools: "BuildTools", choice: EmbeddingChoice, doc_types: Iterable[str], previous: Manifest | None
) -> "BuildRecipe":
    """Return the recipe of today's settings.

    Args:
        tools: Plugins, settings and models.
        choice: The embedding model.
        doc_types: Types of the documents at hand.
        previous: The active version; the dimension of a model it used is known without loading it.

    Raises:
        ConfigError: An adapter is unknown.
        ModelError: The embedding model cannot be loaded.
    """
    # A search needs the name above and builds nothing.
    from .plan import BuildRecipe
    from .sentences import keeps_sentences

    settings, plugins = tools.settings, tools.plugins
    keyword = settings.keyword
    analyzer = plugins.analyzer(keyword.analyzer, AnalyzerOptions(keyword.options))
    dimension = _dimension(tools, choice, previous)
    return BuildRecipe(
        embedding=EmbeddingInfo(
            adapter=choice.adapter,
            model=choice.model,
            dimension=dimension,
            provider=plugins.provider("kisoku_embedders", choice.adapter),
            options=recorded_options(settings.embedding.options),
            sentences=tools.sentences is not None and keeps_sentences(settings, choice.model),
        ),
        reranker=choose_reranker(settings, choice),
        vector_store=settings.vector_store.adapter,
        keyword=KeywordInfo(
            adapter=keyword.adapter,
            k1=keyword.k1,
            b=keyword.b,
            analyzer=keyword.analyzer,
            analyzer_fingerprint=analyzer.fingerprint,
            analyzer_options=dict(keyword.options),
            ngram_fingerprint=plugins.analyzer(NGRAM_ANALYZER, AnalyzerOptions()).fingerprint,
        ),
        chunking={doc_type: settings.chunking.for_type(doc_type) for doc_type in sorted(set(doc_types))},
    )


def _dimension(tools: "BuildTools", choice: EmbeddingChoice, previous: Manifest | None) -> int:
    if previous is not None:
        known = previous.embedding
        same = known.options is None or known.options == recorded_options(tools.settings.embedding.options)
        if same and (known.adapter, known.model) == (choice.adapter, choice.model):
            return known.dimension
    return tools.models.embedder(choice.adapter, choice.model).dimension
