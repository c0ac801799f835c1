"""A version, open for searching: its store, its keyword indexes and its models, each loaded when it is needed."""

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from ...config.settings import Settings
from ...domain.chunks import Category, RuleChunk
from ...domain.errors import HandbookCorruptError, KisokuError
from ...domain.manifest import Manifest
from ...domain.names import COLLECTIONS, keyword_collection
from ...domain.related_terms import term_collection
from ...plugins.manager import PluginManager
from ...ports.analyzer import Analyzer, AnalyzerOptions
from ...ports.embedder import Embedder
from ...ports.handbook_store import HandbookStore
from ...ports.keyword_index import KeywordIndex, KeywordIndexOptions
from ...ports.reranker import Reranker
from ...ports.sentence_store import SentenceStore, SentenceVectors
from ...ports.vector_store import VectorStoreAdapter, VectorStoreOptions
from ..building.recipe import NGRAM_ANALYZER
from ..models import Models
from .index_cache import IndexCache
from .related import RelatedTerms
from .scope import Scope

_CHUNKS_KEPT = 4096
_QUERIES_KEPT = 256


@dataclass(frozen=True, slots=True)
class SearchTools:
    """What opening a version needs from outside."""

    store: HandbookStore
    plugins: PluginManager
    models: Models
    settings: Settings
    sentences: SentenceStore | None = None


class OpenVersion:
    """One published version. Thread-safe; everything it needs is decided by its manifest, not by today's settings."""

    def __init__(self, manifest: Manifest, tools: SearchTools) -> None:
        self.manifest = manifest
        self._store = tools.store
        self._plugins = tools.plugins
        self._models = tools.models
        self._settings = tools.settings
        self._lock = threading.RLock()
        self._vectors: VectorStoreAdapter | None = None
        self._indexes: dict[Path, KeywordIndex] = {}
        self._folders: dict[tuple[Category, bool, str | None], Path] = {}
        self._partitions = IndexCache(self._load_index, tools.settings.partitions.kept)
        self._sentence_store = tools.sentences
        self._sentences: dict[str, SentenceVectors] = {}
        self._related: dict[Category, RelatedTerms] = {}
        self._analyzers: dict[str, Analyzer] = {}
        self.chunk = lru_cache(maxsize=_CHUNKS_KEPT)(self._read_chunk)
        self._query_terms = lru_cache(maxsize=_QUERIES_KEPT)(self._analyzed)

    def _read_chunk(self, chunk_id: str) -> RuleChunk:
        """Return a chunk of this version."""
        return self._store.chunk(chunk_id)

    def has(self, category: Category) -> bool:
        """Return whether this version has chunks of a category."""
        return COLLECTIONS[category] in self.manifest.collections

    def embedder(self) -> Embedder:
        """Return the model that embedded this version; no other may query it."""
        embedding = self.manifest.embedding
        return self._models.embedder(embedding.adapter, embedding.model, embedding.options)

    def reranker(self) -> Reranker | None:
        """Return the reranker recorded for this version, None when there is none."""
        if self.manifest.reranker is None:
            return None
        return self._models.reranker(self.manifest.reranker, self.manifest.embedding)

    def vectors(self) -> VectorStoreAdapter:
        """Return the vector store, opened once."""
        with self._lock:
            if self._vectors is None:
                folder = self._store.vector_folder(self.manifest.version)
                options = VectorStoreOptions(folder, read_only=True, options=self._settings.vector_store.options)
                self._vectors = self._plugins.vector_store(self.manifest.vector_store, options)
            return self._vectors

    def keyword_index(self, category: Category, *, ngram: bool = False, partition: str | None = None) -> KeywordIndex:
        """Return the keyword index of a category, loaded once, or of one partition of it, kept while it is used."""
        folder = self._index_folder(category, ngram=ngram, partition=partition)
        if partition is not None:
            return self._partitions.get(folder)
        with self._lock:
            index = self._indexes.get(folder)
            if index is None:
                index = self._indexes[folder] = self._load_index(folder)
            return index

    def has_loaded(self, category: Category, partition: str | None = None) -> bool:
        """Return whether a keyword index is in memory already."""
        folder = self._index_folder(category, partition=partition)
        return folder in (self._indexes if partition is None else self._partitions)

    def _index_folder(self, category: Category, *, ngram: bool = False, partition: str | None = None) -> Path:
        folder = self._folders.get((category, ngram, partition))
        if folder is None:
            name = keyword_collection(category, partition) + (f".{NGRAM_ANALYZER}" if ngram else "")
            folder = self._folders[category, ngram, partition] = self._store.keyword_folder(self.manifest.version, name)
        return folder

    def _load_index(self, folder: Path) -> KeywordIndex:
        keyword = self.manifest.keyword
        index = self._plugins.keyword_index(keyword.adapter, KeywordIndexOptions(k1=keyword.k1, b=keyword.b))
        index.load(folder)
        return index

    def sentences(self, category: Category) -> SentenceVectors | None:
        """Return the sentence vectors of a category, opened once; None when this version keeps none.

        Raises:
            HandbookCorruptError: They should be there and are missing or damaged.
        """
        return self._kept_vectors(COLLECTIONS[category])

    def _kept_vectors(self, collection: str) -> SentenceVectors | None:
        if self._sentence_store is None or not self.manifest.embedding.sentences:
            return None
        with self._lock:
            if collection not in self._sentences:
                folder = self._store.sentence_folder(self.manifest.version, collection)
                found = self._sentence_store.open(folder) if folder is not None else None
                if found is None:
                    raise HandbookCorruptError(f"The folder {folder} is missing.", hint="Build again.")
                self._sentences[collection] = found
            return self._sentences[collection]

    def related(self, category: Category) -> RelatedTerms | None:
        """Return the words of a category by meaning, opened once; None when this version keeps no vectors of them.

        Raises:
            HandbookCorruptError: They should be there and are missing or damaged.
        """
        vectors = self._kept_vectors(term_collection(category))
        if vectors is None:
            return None
        with self._lock:
            if category not in self._related:
                try:
                    index, embedder = self.keyword_index(category), self.embedder()
                except (KisokuError, OSError):
                    return None  # the channels that need them say so
                found = RelatedTerms(index, vectors, embedder)
                if not found.fits:
                    raise HandbookCorruptError(f"The word vectors of {COLLECTIONS[category]} are of other words.")
                self._related[category] = found
            return self._related[category]

    def analyzer(self, *, ngram: bool = False) -> Analyzer:
        """Return the analyzer of this version."""
        name = NGRAM_ANALYZER if ngram else self.manifest.keyword.analyzer
        with self._lock:
            if name not in self._analyzers:
                options = AnalyzerOptions() if ngram else AnalyzerOptions(self.manifest.keyword.analyzer_options)
                self._analyzers[name] = self._plugins.analyzer(name, options)
            return self._analyzers[name]

    def query_terms(self, text: str, *, ngram: bool = False) -> tuple[str, ...]:
        """Return the terms of a query; several stages ask for those of one query, so the last ones are kept."""
        return self._query_terms(text, ngram)

    def _analyzed(self, text: str, ngram: bool) -> tuple[str, ...]:
        return tuple(self.analyzer(ngram=ngram).analyze_query(text))

    def analyzer_change(self) -> str:
        """Return how today's analyzers differ from those that made the indexes, "" when they do not."""
        recorded = self.manifest.keyword
        pairs = [(recorded.analyzer_fingerprint, False), (recorded.ngram_fingerprint, True)]
        try:
            now = [(before, self.analyzer(ngram=ngram).fingerprint) for before, ngram in pairs if before]
        except KisokuError:
            return ""  # the keyword channel tells that the analyzer is missing
        return "; ".join(f"{before} -> {after}" for before, after in now if before != after)

    def warm_up(self, categories: Sequence[Category]) -> None:
        """Open the store, the indexes and the analyzers now rather than at the first search; faults are left to it."""
        for category in (c for c in categories if self.has(c)):
            for load in (
                self.vectors,
                lambda c=category: self.keyword_index(c),
                lambda c=category: self.sentences(c),
                lambda c=category: self.related(c),
                # With kana, so that the dictionary of Chinese waits for a text that needs it.
                lambda: self.analyzer().analyze("規則を読む"),
            ):
                with contextlib.suppress(KisokuError, KeyError, OSError):
                    load()

    def load(self, scope: Scope, *, rerank: bool = True) -> dict[str, str]:
        """Load models, store and the keyword indexes of a scope now.

        Returns:
            What could not be loaded and why; a search says so with a notice of its own.
        """
        parts: dict[str, Callable[[], object]] = {
            "embedding model": lambda: self.embedder().warm_up(),
            "vector store": self.vectors,
            "analyzer": lambda: self.analyzer().analyze("規則"),
        }
        if rerank:
            parts["reranker"] = self._warm_reranker
        for category, partition in scope.indexes(self.manifest):
            for ngram in (False, True):
                name = keyword_collection(category, partition) + (f".{NGRAM_ANALYZER}" if ngram else "")
                parts[f"keyword index {name}"] = partial(self.keyword_index, category, ngram=ngram, partition=partition)
        failed: dict[str, str] = {}
        for what, load in parts.items():
            try:
                load()
            except Exception as error:  # noqa: BLE001  # a model's or file's fault of any kind is told, not raised
                failed[what] = str(error)
        return failed

    def _warm_reranker(self) -> None:
        reranker = self.reranker()
        if reranker is not None:
            reranker.warm_up()

    @property
    def is_warm(self) -> bool:
        """Whether the store was opened already."""
        return self._vectors is not None

    def close(self) -> None:
        """Release the files of the vector store."""
        with self._lock:
            if self._vectors is not None:
                self._vectors.close()
                self._vectors = None
            self._sentences.clear()
            self._related.clear()

    def __del__(self) -> None:
        # At interpreter exit anything may be gone already; the operating system releases the files then.
        with contextlib.suppress(Exception):
            self.close()


class OpenVersions:
    """Keeps the versions that were searched last open."""

    def __init__(self, tools: SearchTools, kept: int = 3) -> None:
        self._tools = tools
        self._kept = kept
        self._open: OrderedDict[str, OpenVersion] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, version: str) -> OpenVersion:
        """Return a version, opening it when it is not.

        Raises:
            UnknownVersionError: It does not exist.
        """
        with self._lock:
            found = self._open.get(version)
            if found is None:
                found = OpenVersion(self._tools.store.manifest(version), self._tools)
                self._open[version] = found
            self._open.move_to_end(version)
            # One that falls out may still be searched by another thread: it is closed when nobody holds it.
            while len(self._open) > self._kept:
                self._open.popitem(last=False)
            return found

    def close(self) -> None:
        """Close every version."""
        with self._lock:
            for version in self._open.values():
                version.close()
            self._open.clear()
