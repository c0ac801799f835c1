"""Making parts of a version again from its chunks, as its own manifest says."""

from collections.abc import Mapping, Sequence
from contextlib import closing

from ...config.settings import Settings
from ...domain.chunks import Category, RuleChunk
from ...domain.errors import HandbookError, KisokuError
from ...domain.manifest import Manifest
from ...domain.names import collection_name, keyword_collection
from ...ports.analyzer import AnalyzerOptions
from ...ports.handbook_care import HandbookCare, RebuiltPart
from ...ports.handbook_store import HandbookStore, StagedVersion
from ...ports.keyword_index import KeywordIndexOptions
from ...ports.vector_store import VectorStoreOptions
from ...ports.vectors import Vector
from ..building.carried import NOTHING_CARRIED
from ..building.plan import BuildRecipe
from ..building.progress import ProgressCallback
from ..building.recipe import NGRAM_ANALYZER
from ..building.sentences import sentences_before, write_sentences, write_term_vectors
from ..building.tools import BuildTools
from ..building.vectors import store_chunks, vectors_for
from ..building.writing import index_parts
from ..models import EmbeddingChoice, choose_reranker
from .examination import Examination, good_vectors


def repair_parts(
    found: Examination, care: HandbookCare, store: HandbookStore, tools: BuildTools, tell: ProgressCallback
) -> dict[RebuiltPart, str]:
    """Make every damaged part of a version again; the caller holds the writer's lock.

    Args:
        found: What was found; its chunks are intact.
        care: Puts the parts into place.
        store: Where the version lies.
        tools: Plugins and models.
        tell: Told as it goes on.

    Returns:
        For each damaged part "" when it was made again, else why it could not be.
    """
    manifest = found.manifest
    if manifest is None or not found.chunks_intact:
        return {}
    outcome: dict[RebuiltPart, str] = {}
    staged = care.begin(found.version)
    work = _Work(found, manifest, staged, store, tools, tell)
    steps = {"vectors": work.vectors, "keyword": work.keyword, "sentences": work.sentences}
    try:
        for part in found.damaged_parts:
            try:
                steps[part]()
                care.replace(staged, part)
                outcome[part] = ""
            except KisokuError as error:
                outcome[part] = str(error)
            except OSError as error:
                raise HandbookError(
                    f"The {part} of {found.version} cannot be written: {error}.",
                    hint="Check free space and permissions.",
                ) from error
    finally:
        care.end(staged)
    return outcome


class _Work:
    """The steps for one version."""

    def __init__(  # noqa: PLR0917  # what is repaired, from what, into what
        self,
        found: Examination,
        manifest: Manifest,
        staged: StagedVersion,
        store: HandbookStore,
        tools: BuildTools,
        tell: ProgressCallback,
    ) -> None:
        self._found = found
        self._manifest = manifest
        self._staged = staged
        self._store = store
        self._tools = tools
        self._tell = tell

    def vectors(self) -> None:
        """Embed with the version's own model what is lost or no vector; keep what can still be read."""
        searched = self._found.searched
        every = [chunk for group in searched.values() for chunk in group]
        vectors: dict[str, Vector] = dict(good_vectors(self._found, self._store, self._tools))
        lost = [chunk for chunk in every if chunk.search_hash not in vectors]
        if lost:
            info = self._manifest.embedding
            embedder = self._tools.models.embedder(info.adapter, info.model)
            if embedder.dimension != info.dimension:
                raise HandbookError(
                    f"The model {info.model} gives vectors of {embedder.dimension} numbers, not {info.dimension}."
                )
            made, _ = vectors_for(lost, embedder, None, lambda *_: None)
            vectors |= made
        self._write_vectors(searched, vectors)

    def _write_vectors(self, searched: Mapping[Category, Sequence[RuleChunk]], vectors: Mapping[str, Vector]) -> None:
        options = VectorStoreOptions(self._staged.vector_folder(), options=self._tools.settings.vector_store.options)
        with closing(self._tools.plugins.vector_store(self._manifest.vector_store, options)) as store:
            for category, chunks in searched.items():
                store_chunks(store, collection_name(category, self._found.version), chunks, vectors)

    def keyword(self) -> None:
        """Analyse all chunks with the version's analyzer."""
        keyword, plugins = self._manifest.keyword, self._tools.plugins
        words = plugins.analyzer(keyword.analyzer, AnalyzerOptions(keyword.analyzer_options))
        bigrams = plugins.analyzer(NGRAM_ANALYZER, AnalyzerOptions())
        for category, chunks in self._found.searched.items():
            terms: dict[str, list[Sequence[str]]] = {
                "": NOTHING_CARRIED.analysed(self._staged, category, chunks, words),
                f".{NGRAM_ANALYZER}": [bigrams.analyze(chunk.search_text) for chunk in chunks],
            }
            for partition, places in index_parts(chunks):
                for suffix, found in terms.items():
                    index = plugins.keyword_index(keyword.adapter, KeywordIndexOptions(k1=keyword.k1, b=keyword.b))
                    index.build([chunks[i].chunk_id for i in places], [found[i] for i in places])
                    index.save(self._staged.keyword_folder(keyword_collection(category, partition) + suffix))

    def sentences(self) -> None:
        """Embed the sentences that no intact collection holds."""
        before = sentences_before(self._manifest, self._store, self._tools)
        recipe = _recipe(self._manifest, self._tools.settings)
        write_sentences(self._staged, recipe, self._found.searched, before, self._tools, self._tell)
        keyword = self._manifest.keyword
        words = self._tools.plugins.analyzer(keyword.analyzer, AnalyzerOptions(keyword.analyzer_options))
        for category, chunks in self._found.searched.items():
            # Terms in order of appearance, as the keyword index counts them.
            terms = dict.fromkeys(term for chunk in chunks for term in words.analyze(chunk.search_text))
            write_term_vectors(self._staged, recipe, category, list(terms), before, self._tools, self._tell)


def _recipe(manifest: Manifest, settings: Settings) -> BuildRecipe:
    choice = EmbeddingChoice(manifest.embedding.adapter, manifest.embedding.model, "the version's own")
    return BuildRecipe(
        embedding=manifest.embedding,
        reranker=manifest.reranker or choose_reranker(settings, choice),
        vector_store=manifest.vector_store,
        keyword=manifest.keyword,
        chunking=manifest.chunking,
    )
