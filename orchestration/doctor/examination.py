"""One version, looked over: store, indexes and sentences against the chunk files, those against the manifest."""

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field

import numpy as np

from ...domain.chunks import Category, RuleChunk, content_hash
from ...domain.errors import HandbookCorruptError, KisokuError
from ...domain.manifest import Manifest
from ...domain.names import COLLECTIONS, collection_name, keyword_collection
from ...domain.related_terms import term_collection
from ...ports.handbook_care import HandbookCare, RebuiltPart
from ...ports.handbook_store import HandbookStore
from ...ports.keyword_index import KeywordIndexOptions
from ...ports.sentence_store import SentenceStore
from ...ports.vector_store import VectorStoreAdapter, VectorStoreOptions
from ...ports.vectors import Matrix, Vector
from ..building.recipe import NGRAM_ANALYZER
from ..building.tools import BuildTools
from ..building.writing import index_parts
from .report import Check, Finding, some

_PROBES = 16
"""Vectors of a collection that are searched for: each has to find itself."""
_SAME = 0.999


@dataclass(slots=True)
class Examination:
    """What is known of a version so far.

    Attributes:
        version: Its name.
        manifest: None when it cannot be read.
        chunks: Its chunks by category, as far as they can be read.
        chunks_intact: Every chunk is there and is what was written.
        unreadable: Ids of chunks whose files are damaged; what the indexes have of them is no second fault.
        findings: What was found.
    """

    version: str
    manifest: Manifest | None = None
    chunks: dict[Category, list[RuleChunk]] = field(default_factory=dict)
    chunks_intact: bool = False
    unreadable: set[str] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)

    @property
    def damaged_parts(self) -> list[RebuiltPart]:
        """Parts that can be made again and need it."""
        found = {f.check for f in self.findings if f.severity == "fault"}
        parts: tuple[RebuiltPart, ...] = ("vectors", "keyword", "sentences")
        return [part for part in parts if part in found]

    @property
    def searched(self) -> dict[Category, list[RuleChunk]]:
        """Chunks that are searched: all but parents."""
        return {category: [c for c in group if not c.is_parent] for category, group in self.chunks.items()}

    def fault(self, check: Check, message: str, hint: str = "") -> None:
        """Note a fault; what is made from chunks can be mended when these are intact."""
        mendable = self.chunks_intact and check in {"vectors", "keyword", "sentences"}
        self.findings.append(
            Finding(
                check=check, version=self.version, message=message, repair="possible" if mendable else "none", hint=hint
            )
        )


def examine_version(version: str, care: HandbookCare, store: HandbookStore, tools: BuildTools) -> Examination:
    """Look a version over; nothing is changed and no model is loaded."""
    found = Examination(version)
    try:
        found.manifest = manifest = care.manifest(version)
    except HandbookCorruptError as error:
        found.fault("manifest", error.message, error.hint)
        return found
    _examine_chunks(found, manifest, care)
    _examine_vectors(found, manifest, store, tools)
    _examine_keyword(found, manifest, store, tools)
    _examine_sentences(found, manifest, store, tools)
    if manifest.embedding.adapter not in tools.plugins.names("kisoku_embedders"):
        found.fault(
            "model",
            f"No plugin offers the embedding adapter {manifest.embedding.adapter}; keywords alone answer.",
            "Install the plugin that it was built with, or build again.",
        )
    return found


def _examine_chunks(found: Examination, manifest: Manifest, care: HandbookCare) -> None:
    for category in manifest.categories:
        collection, chunks = COLLECTIONS[category], []
        for identifier, chunk in care.chunks(found.version, category):
            wrong = _fault_of_chunk(identifier, category, chunk)
            if wrong:
                found.fault("chunks", wrong)
                found.unreadable.add(identifier)
            elif isinstance(chunk, RuleChunk):
                chunks.append(chunk)
        found.chunks[category] = chunks
        expected = manifest.collections[collection].chunk_count
        if len(chunks) != expected:
            found.fault("chunks", f"{collection} has {len(chunks)} good chunk files, not {expected}.")
    _compare_documents(found, manifest)
    faults = [f for f in found.findings if f.check == "chunks"]
    found.chunks_intact = not faults
    if faults:
        hint = f"Roll back to another version, restore the folder chunks/{found.version} from a copy, or build again."
        found.findings[:] = [f if f.check != "chunks" else f.model_copy(update={"hint": hint}) for f in found.findings]


def _fault_of_chunk(identifier: str, category: Category, chunk: RuleChunk | HandbookCorruptError) -> str:
    if isinstance(chunk, HandbookCorruptError):
        return chunk.message
    if (chunk.chunk_id, chunk.category) != (identifier, category):
        return f"The chunk file of {identifier} holds {chunk.chunk_id} ({chunk.category})."
    if content_hash(chunk.content, chunk.headings) != chunk.content_hash:
        return f"The text of {identifier} is not the one that was written (content_hash)."
    return ""


def _compare_documents(found: Examination, manifest: Manifest) -> None:
    counts = Counter(chunk.doc_id for group in found.chunks.values() for chunk in group)
    for source in manifest.source_files:
        if counts[source.name] != source.chunk_count:
            found.fault("chunks", f"{source.name} has {counts[source.name]} good chunks, not {source.chunk_count}.")
    strange = sorted(counts.keys() - {source.name for source in manifest.source_files})
    if strange:
        found.fault("chunks", f"There are chunks of documents that the manifest does not name: {some(strange)}.")


def _examine_vectors(found: Examination, manifest: Manifest, store: HandbookStore, tools: BuildTools) -> None:
    options = VectorStoreOptions(
        store.vector_folder(found.version), read_only=True, options=tools.settings.vector_store.options
    )
    try:
        with closing(tools.plugins.vector_store(manifest.vector_store, options)) as vectors:
            expected = {collection_name(c, found.version): group for c, group in found.searched.items()}
            strange = sorted(set(vectors.collections()) - set(expected))
            if strange:
                found.fault("vectors", f"The vector store has collections that belong to nothing: {some(strange)}.")
            for name, chunks in expected.items():
                _examine_collection(found, vectors, name, [c.chunk_id for c in chunks], manifest.embedding.dimension)
    except KisokuError as error:
        found.fault("vectors", error.message)
    except OSError as error:
        found.fault("vectors", f"The vector store cannot be opened: {error}.")


def _examine_collection(
    found: Examination, vectors: VectorStoreAdapter, name: str, expected: Sequence[str], dimension: int
) -> None:
    try:
        ids = vectors.ids(name)
    except KeyError:
        found.fault("vectors", f"The vector store has no collection {name}.")
        return
    if _examine_ids(found, "vectors", f"The vector store's {name}", ids, expected):
        return
    count = vectors.count(name)
    if count != len(ids):
        found.fault("vectors", f"The vector store counts {count} vectors in {name} and lists {len(ids)}.")
    if not ids:
        return
    matrix = vectors.vectors(name, ids)
    if matrix.shape[1] != dimension:
        found.fault("vectors", f"{name} has vectors of {matrix.shape[1]} numbers, not {dimension}.")
        return
    broken = ~np.isfinite(matrix).all(axis=1)
    zero = ~broken & ~matrix.any(axis=1)
    for what, rows in (("numbers that are not finite", broken), ("nothing but zeros", zero)):
        if rows.any():
            names = [ids[row] for row in np.flatnonzero(rows)]
            found.fault("vectors", f"Vectors of {name} hold {what}: {some(names)}.")
    if not broken.any() and not zero.any():
        _probe(found, vectors, name, ids, matrix)


def _probe(found: Examination, vectors: VectorStoreAdapter, name: str, ids: Sequence[str], matrix: Matrix) -> None:
    """A graph that lost its edges has every vector and finds none."""
    step = max(1, len(ids) // _PROBES)
    lost = []
    for row in range(0, len(ids), step):
        hits = vectors.query(name, matrix[row], 1)
        if not hits or hits[0].score < _SAME:
            lost.append(ids[row])
    if lost:
        found.fault("vectors", f"A search of {name} does not find its own vectors: {some(lost)}.")


def _examine_keyword(found: Examination, manifest: Manifest, store: HandbookStore, tools: BuildTools) -> None:
    keyword = manifest.keyword
    for category, chunks in found.searched.items():
        for partition, places in index_parts(chunks):
            for suffix in ("", f".{NGRAM_ANALYZER}"):
                name = keyword_collection(category, partition) + suffix
                try:
                    index = tools.plugins.keyword_index(
                        keyword.adapter, KeywordIndexOptions(k1=keyword.k1, b=keyword.b)
                    )
                    index.load(store.keyword_folder(found.version, name))
                except (KisokuError, OSError) as error:
                    found.fault("keyword", getattr(error, "message", str(error)))
                    continue
                expected = [chunks[place].chunk_id for place in places]
                ids = index.ids()
                if ids is not None:
                    _examine_ids(found, "keyword", f"The keyword index {name}", ids, expected)
                elif index.count() != len(expected):
                    found.fault("keyword", f"The keyword index {name} has {index.count()} texts, not {len(expected)}.")


def _examine_ids(found: Examination, check: Check, what: str, ids: Sequence[str], expected: Sequence[str]) -> bool:
    """Compare ids in both directions; return whether they differ."""
    differences = {
        "lacks": sorted(set(expected) - set(ids)),
        "has what is in no chunk file:": sorted(set(ids) - set(expected) - found.unreadable),
        "has twice": sorted(name for name, count in Counter(ids).items() if count > 1),
    }
    for verb, names in differences.items():
        if names:
            found.fault(check, f"{what} {verb} {some(names)}.")
    return any(differences.values())


def _examine_sentences(found: Examination, manifest: Manifest, store: HandbookStore, tools: BuildTools) -> None:
    if tools.sentences is None or not manifest.embedding.sentences:
        return
    for category, chunks in found.searched.items():
        _examine_words(found, category, store, tools.sentences)
        collection = COLLECTIONS[category]
        folder = store.sentence_folder(found.version, collection)
        try:
            vectors = tools.sentences.open(folder) if folder is not None else None
        except KisokuError as error:
            found.fault("sentences", error.message)
            continue
        if vectors is None:
            found.fault("sentences", f"There are no sentence vectors of {collection}.")
            continue
        hashes = list(dict.fromkeys(chunk.content_hash for chunk in chunks))
        matrices = vectors.of_chunks(hashes)
        lacking = [content for content, matrix in zip(hashes, matrices, strict=True) if matrix is None]
        if lacking:
            found.fault("sentences", f"The sentence vectors of {collection} lack {len(lacking)} chunks.")
        if vectors.chunk_count > len(hashes) and not found.unreadable:
            more = vectors.chunk_count - len(hashes)
            found.fault("sentences", f"The sentence vectors of {collection} have {more} chunks that are in no file.")
        if any(matrix is not None and not np.isfinite(matrix).all() for matrix in matrices):
            found.fault("sentences", f"The sentence vectors of {collection} hold numbers that are not finite.")


def _examine_words(found: Examination, category: Category, store: HandbookStore, files: SentenceStore) -> None:
    folder = store.sentence_folder(found.version, term_collection(category))
    try:
        vectors = files.open(folder) if folder is not None else None
    except KisokuError as error:
        found.fault("sentences", error.message)
        return
    if vectors is None:
        found.fault("sentences", f"There are no word vectors of {COLLECTIONS[category]}.")


def good_vectors(found: Examination, store: HandbookStore, tools: BuildTools) -> dict[str, Vector]:
    """Return the vectors that can still be read and used, by the hash of the embedded text."""
    manifest = found.manifest
    kept: dict[str, Vector] = {}
    if manifest is None:
        return kept
    options = VectorStoreOptions(
        store.vector_folder(found.version), read_only=True, options=tools.settings.vector_store.options
    )
    try:
        with closing(tools.plugins.vector_store(manifest.vector_store, options)) as vectors:
            names = set(vectors.collections())
            for category, chunks in found.searched.items():
                name = collection_name(category, found.version)
                known = set(vectors.ids(name)) if name in names else set()
                present = [chunk for chunk in chunks if chunk.chunk_id in known]
                if not present:
                    continue
                matrix = vectors.vectors(name, [chunk.chunk_id for chunk in present])
                if matrix.shape[1] == manifest.embedding.dimension:
                    rows = zip(present, matrix, strict=True)
                    kept |= {c.search_hash: row for c, row in rows if np.isfinite(row).all() and row.any()}
    except (KisokuError, OSError, KeyError):
        return {}
    return kept
