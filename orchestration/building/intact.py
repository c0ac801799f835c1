"""Whether the active version is whole: "no change" may only be said of a version that can serve."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

from ...domain.chunks import Category, RuleChunk
from ...domain.errors import HandbookCorruptError
from ...domain.manifest import Manifest
from ...domain.names import COLLECTIONS, collection_name, keyword_collection
from ...domain.related_terms import term_collection
from ...ports.handbook_store import HandbookStore
from ...ports.keyword_index import KeywordIndexOptions
from ...ports.vector_store import VectorStoreOptions
from .recipe import NGRAM_ANALYZER
from .tools import BuildTools


def chunks_of(manifest: Manifest, store: HandbookStore) -> dict[Category, list[RuleChunk]]:
    """Return all chunks of a version.

    Raises:
        HandbookCorruptError: A chunk file is missing or damaged.
    """
    found: dict[Category, list[RuleChunk]] = {}
    for category in manifest.categories:
        found[category] = list(store.chunks(manifest.version, category))
        expected = manifest.collections[COLLECTIONS[category]].chunk_count
        if len(found[category]) != expected:
            raise HandbookCorruptError(
                f"{COLLECTIONS[category]} has {len(found[category])} chunk files, not {expected}."
            )
    return found


def require_intact(
    manifest: Manifest, chunks: Mapping[Category, Sequence[RuleChunk]], store: HandbookStore, tools: BuildTools
) -> None:
    """Open everything a search opens and compare the counts.

    Args:
        manifest: The version.
        chunks: Its chunks; all but parents have to be found.
        store: Where the version lies.
        tools: Plugins and settings.

    Raises:
        HandbookCorruptError: A part is missing or damaged.
    """
    _require_sentences(manifest, store, tools)
    plugins, version, keyword = tools.plugins, manifest.version, manifest.keyword
    options = VectorStoreOptions(
        store.vector_folder(version), read_only=True, options=tools.settings.vector_store.options
    )
    with closing(plugins.vector_store(manifest.vector_store, options)) as vectors:
        for category, group in chunks.items():
            collection = COLLECTIONS[category]
            expected = sum(not chunk.is_parent for chunk in group)
            counts = {"vectors": _count(vectors.count, collection_name(category, version))}
            options_of_index = KeywordIndexOptions(k1=keyword.k1, b=keyword.b)
            parts = manifest.partitions_of(category)
            for suffix in ("", f".{NGRAM_ANALYZER}"):
                for what, names in (("keyword index", (None,)), ("partitions of the keyword index", parts)):
                    found = 0
                    for partition in names:
                        index = plugins.keyword_index(keyword.adapter, options_of_index)
                        index.load(store.keyword_folder(version, keyword_collection(category, partition) + suffix))
                        found += index.count()
                    if names:
                        counts[f"{what}{suffix}"] = found
            for part, count in counts.items():
                if count != expected:
                    raise HandbookCorruptError(f"The {part} of {collection} has {count} entries, not {expected}.")


def _require_sentences(manifest: Manifest, store: HandbookStore, tools: BuildTools) -> None:
    if tools.sentences is None or not manifest.embedding.sentences:
        return
    for category in manifest.categories:
        for collection in (COLLECTIONS[category], term_collection(category)):
            folder = store.sentence_folder(manifest.version, collection)
            if folder is not None and tools.sentences.open(folder) is None:
                raise HandbookCorruptError(f"The folder {folder} is missing.")


def _count(count: Callable[[str], int], collection: str) -> int:
    try:
        return count(collection)
    except KeyError:
        return 0
