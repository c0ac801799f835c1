"""Writing a staged version: vectors, keyword indexes, chunk files."""

from collections.abc import Mapping, Sequence
from contextlib import closing

from ...domain.chunks import Category, RuleChunk
from ...domain.names import COLLECTIONS, collection_name
from ...ports.analyzer import AnalyzerOptions
from ...ports.handbook_store import StagedVersion
from ...ports.keyword_index import KeywordIndexOptions
from ...ports.vector_store import VectorStoreOptions
from ...ports.vectors import Vector
from .plan import BuildRecipe
from .progress import Progress, ProgressCallback
from .recipe import NGRAM_ANALYZER
from .tools import BuildTools
from .vectors import store_chunks


def write_version(  # noqa: PLR0917  # the parts of a version and where they go
    staged: StagedVersion,
    recipe: BuildRecipe,
    chunks: Mapping[Category, Sequence[RuleChunk]],
    vectors: Mapping[str, Vector],
    tools: BuildTools,
    tell: ProgressCallback,
) -> None:
    """Write everything but the manifest; parents are stored and not searched."""
    plugins, settings = tools.plugins, tools.settings
    options = VectorStoreOptions(staged.vector_folder(), options=settings.vector_store.options)
    analyzers = {
        "": plugins.analyzer(recipe.keyword.analyzer, AnalyzerOptions(settings.keyword.options)),
        f".{NGRAM_ANALYZER}": plugins.analyzer(NGRAM_ANALYZER, AnalyzerOptions()),
    }
    with closing(plugins.vector_store(recipe.vector_store, options)) as store:
        for done, (category, group) in enumerate(chunks.items()):
            collection = COLLECTIONS[category]
            tell(Progress("index", done, len(chunks), len(group), name=collection))
            searched = [chunk for chunk in group if not chunk.is_parent]
            store_chunks(store, collection_name(category, staged.version), searched, vectors)
            for suffix, analyzer in analyzers.items():
                keyword = KeywordIndexOptions(k1=recipe.keyword.k1, b=recipe.keyword.b)
                index = plugins.keyword_index(recipe.keyword.adapter, keyword)
                index.build([c.chunk_id for c in searched], [analyzer.analyze(c.search_text) for c in searched])
                index.save(staged.keyword_folder(collection + suffix))
            staged.write_chunks(category, group)
    tell(Progress("index", len(chunks), len(chunks)))
