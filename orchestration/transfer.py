"""One version as one file: export and import."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ..domain.chunks import Category, RuleChunk
from ..domain.errors import HandbookCorruptError, HandbookError
from ..domain.manifest import Manifest, RerankInfo
from ..domain.names import chunk_id, collection_name, split_chunk_id
from ..ports.analyzer import AnalyzerOptions
from ..ports.handbook_store import HandbookStore, StagedVersion
from ..ports.vector_store import VectorStoreOptions
from ..ports.vectors import Vector
from ..ports.version_archive import VersionArchive
from .building.carried import Carried
from .building.intact import chunks_of, require_intact
from .building.plan import BuildRecipe
from .building.progress import Progress, ProgressCallback
from .building.recipe import NGRAM_ANALYZER
from .building.sentences import sentences_before
from .building.tools import BuildTools
from .building.vectors import KnownVectors
from .building.writing import write_version


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was exported: the version, the file, its size in bytes, files in it."""

    version: str
    path: Path
    size: int
    files: int


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What was imported.

    Attributes:
        version: Its name here: the next free number, since numbers only grow and stand in every chunk id.
        exported_as: Its name where it was exported.
        active: It is the active version now.
        documents: How many documents it has.
        chunks: How many chunks it has.
    """

    version: str
    exported_as: str
    active: bool
    documents: int
    chunks: int


def export_version(store: HandbookStore, tools: BuildTools, version: str, target: Path) -> ExportReport:
    """Write a version into one file. One that is damaged is not exported.

    Raises:
        UnknownVersionError: It does not exist.
        HandbookCorruptError: Files of it are missing or damaged.
        HandbookError: The file cannot be written.
    """
    manifest = store.manifest(version)
    require_intact(manifest, chunks_of(manifest, store), store, tools)
    files = list(store.files(version))
    size = _archives(tools).write(target, manifest, files)
    return ExportReport(version, target, size, len(files))


def import_version(
    store: HandbookStore, tools: BuildTools, source: Path, *, activate: bool, tell: ProgressCallback
) -> ImportReport:
    """Add a version from a file; the caller holds the writer's lock.

    The file is unpacked and verified aside, opened as a handbook of its own, and its one version is written anew
    under the next number: chunk ids and collections carry the number. Vectors and terms are taken over, nothing is
    embedded, and no model is loaded.

    Raises:
        HandbookCorruptError: The file is damaged, truncated, or no export.
        HandbookSchemaError: Another version of kisoku wrote it.
        ConfigError: It needs a vector store or keyword index that no plugin offers here.
    """
    staged = store.stage()
    try:
        with _archives(tools).opened(source) as (other, exported_as):
            manifest = other.manifest(exported_as)
            before = chunks_of(manifest, other)
            require_intact(manifest, before, other, tools)
            written = _write(staged, tools, (other, manifest, before), tell)
        tell(Progress("publish", 0, 1))
        store.publish(staged, written, activate=activate)
        tell(Progress("publish", 1, 1))
    except BaseException:
        store.discard(staged)
        raise
    now = store.manifest(staged.version)
    chunks = sum(collection.chunk_count for collection in now.collections.values())
    return ImportReport(staged.version, exported_as, bool(now.active), len(now.source_files), chunks)


def _archives(tools: BuildTools) -> VersionArchive:
    if tools.archives is None:
        raise HandbookError("This program was set up without a way to read and write exported versions.")
    return tools.archives


def _write(
    staged: StagedVersion,
    tools: BuildTools,
    imported: tuple[HandbookStore, Manifest, Mapping[Category, Sequence[RuleChunk]]],
    tell: ProgressCallback,
) -> Manifest:
    other, manifest, before = imported
    chunks = {category: [_renamed(c, staged.version) for c in group] for category, group in before.items()}
    written = _as_of_here(manifest, staged.version, tools)
    recipe = BuildRecipe(
        embedding=written.embedding,
        reranker=written.reranker or RerankInfo(adapter="none", model="none"),
        vector_store=written.vector_store,
        keyword=written.keyword,
        chunking=written.chunking,
    )
    carried = Carried(other, manifest, before, same_model=True)
    sentences = sentences_before(manifest, other, tools)
    vectors = _vectors(other, manifest, before, tools)
    write_version(staged, recipe, chunks, vectors, tools, tell, carried, sentences)
    return written


def _renamed(chunk: RuleChunk, version: str) -> RuleChunk:
    def renamed(identifier: str) -> str:
        category, _, number = split_chunk_id(identifier)
        return chunk_id(category, version, number)

    parent = None if chunk.parent_id is None else renamed(chunk.parent_id)
    return chunk.model_copy(update={"chunk_id": renamed(chunk.chunk_id), "parent_id": parent})


def _as_of_here(manifest: Manifest, version: str, tools: BuildTools) -> Manifest:
    """Return the manifest under the new number, with the analyzers that are installed here."""
    keyword, plugins = manifest.keyword, tools.plugins
    here = keyword.model_copy(
        update={
            "analyzer_fingerprint": plugins.analyzer(
                keyword.analyzer, AnalyzerOptions(keyword.analyzer_options)
            ).fingerprint,
            "ngram_fingerprint": plugins.analyzer(NGRAM_ANALYZER, AnalyzerOptions()).fingerprint,
        }
    )
    return manifest.model_copy(update={"version": version, "keyword": here, "active": None, "active_previous": None})


def _vectors(
    other: HandbookStore, manifest: Manifest, before: Mapping[Category, Sequence[RuleChunk]], tools: BuildTools
) -> dict[str, Vector]:
    places = {
        chunk.search_hash: (collection_name(category, manifest.version), chunk.chunk_id)
        for category, group in before.items()
        for chunk in group
        if not chunk.is_parent
    }
    options = VectorStoreOptions(
        other.vector_folder(manifest.version), read_only=True, options=tools.settings.vector_store.options
    )
    try:
        with closing(tools.plugins.vector_store(manifest.vector_store, options)) as vectors:
            return KnownVectors(vectors, places).fetch(list(places))
    except KeyError as error:
        raise HandbookCorruptError(f"A vector is missing in the file: {error}.") from error
