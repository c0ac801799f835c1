"""Writing a staged version: vectors, keyword indexes, chunk files."""

from collections.abc import Mapping, Sequence
from contextlib import closing

from ...domain.chunks import Category, RuleChunk
from ...domain.names import COLLECTIONS, collection_name, keyword_collection
from ...ports.analyzer import AnalyzerOptions
from ...ports.handbook_store import StagedVersion
from ...ports.keyword_index import KeywordIndexOptions
from ...ports.vector_store import VectorStoreOptions
from ...ports.vectors import Vector
from .carried import NOTHING_CARRIED, Carried
from .plan import BuildRecipe
from .progress import Progress, ProgressCallback
from .recipe import NGRAM_ANALYZER
from .sentences import SentencesBefore, nothing_before, write_sentences, write_term_vectors
from .tools import BuildTools
from .vectors import store_chunks


def write_version(  # noqa: PLR0917  # the parts of a version and where they go
    staged: StagedVersion,
    recipe: BuildRecipe,
    chunks: Mapping[Category, Sequence[RuleChunk]],
    vectors: Mapping[str, Vector],
    tools: BuildTools,
    tell: ProgressCallback,
    carried: Carried = NOTHING_CARRIED,
    sentences: SentencesBefore = nothing_before,
) -> None:
    """Write everything but the manifest; parents are stored and not searched."""
    every = _searched(chunks)
    write_sentences(staged, recipe, every, sentences, tools, tell)
    plugins, settings = tools.plugins, tools.settings
    options = VectorStoreOptions(staged.vector_folder(), options=settings.vector_store.options)
    analyzers = {
        "": plugins.analyzer(recipe.keyword.analyzer, AnalyzerOptions(recipe.keyword.analyzer_options)),
        f".{NGRAM_ANALYZER}": plugins.analyzer(NGRAM_ANALYZER, AnalyzerOptions()),
    }
    with closing(plugins.vector_store(recipe.vector_store, options)) as store:
        stored = carried.records(store, recipe.vector_store, staged.version, every)
        for done, (category, group) in enumerate(chunks.items()):
            collection = COLLECTIONS[category]
            tell(Progress("index", done, len(chunks), len(group), name=collection))
            searched = every[category]
            unstored = [chunk for chunk in searched if chunk.chunk_id not in stored]
            store_chunks(store, collection_name(category, staged.version), unstored, vectors)
            for suffix, analyzer in analyzers.items():
                keyword = KeywordIndexOptions(k1=recipe.keyword.k1, b=recipe.keyword.b)
                if suffix:
                    terms: list[Sequence[str]] = [analyzer.analyze(c.search_text) for c in searched]
                else:
                    terms = carried.analysed(staged, category, searched, analyzer)
                for partition, places in index_parts(searched):
                    index = plugins.keyword_index(recipe.keyword.adapter, keyword)
                    index.build([searched[i].chunk_id for i in places], [terms[i] for i in places])
                    index.save(staged.keyword_folder(keyword_collection(category, partition) + suffix))
                    if not suffix and partition is None:
                        write_term_vectors(staged, recipe, category, index.vocabulary(), sentences, tools, tell)
            staged.write_chunks(category, group)
    tell(Progress("index", len(chunks), len(chunks)))


def _searched(chunks: Mapping[Category, Sequence[RuleChunk]]) -> dict[Category, list[RuleChunk]]:
    return {category: [chunk for chunk in group if not chunk.is_parent] for category, group in chunks.items()}


def index_parts(chunks: Sequence[RuleChunk]) -> list[tuple[str | None, list[int]]]:
    """Return the places of all chunks, then of each partition's where there are any."""
    parts: dict[str, list[int]] = {}
    for place, chunk in enumerate(chunks):
        parts.setdefault(chunk.partition, []).append(place)
    whole: list[tuple[str | None, list[int]]] = [(None, list(range(len(chunks))))]
    return [*whole, *sorted(parts.items())] if parts.keys() - {""} else whole
