"""Manifests: what a version is made of (requirements, rag-layer §4.3). Immutable once published."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from .chunks import Category, ChunkingOptions
from .names import COLLECTIONS

SCHEMA_VERSION: Final = 1


class SourceFile(BaseModel):
    """A document of a version.

    Attributes:
        name: The document's name.
        hash: `sha256:` and 64 hex digits of its bytes.
        type: Its category.
        built: `rebuilt`, or `reuse_from_v2` when it was taken over whole.
        doc_type: word, excel, ….
        chunk_count: Chunks it gave.
        chunker: Name and version of the chunker.
        provider: Distribution the chunker comes from.
        title: The document's own title, "" when it has none.
        omitted_characters: Characters left out, by reason.
        partition: The part of the handbook it belongs to, "" for none.
        parent_count: Chunks among them that are only shown when a child was found.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    hash: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
    type: Category
    built: Annotated[str, Field(pattern=r"^(rebuilt|reuse_from_v[0-9]+)$")]
    doc_type: str
    chunk_count: Annotated[int, Field(ge=0)]
    chunker: str
    provider: str = ""
    title: str = ""
    omitted_characters: dict[str, int] = Field(default_factory=dict)
    partition: str = ""
    parent_count: Annotated[int, Field(ge=0)] = 0


class CollectionInfo(BaseModel):
    """One category of a version.

    Attributes:
        chunk_count: Chunks that are searched, and parents.
        embedding_model: Model that embedded them.
        rerank_model: Reranker chosen when it was built, "" for none.
        embedded: Chunks embedded for this version.
        reused: Chunks whose vectors were taken over.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    chunk_count: int
    embedding_model: str
    rerank_model: str
    embedded: int
    reused: int


class EmbeddingInfo(BaseModel):
    """The embedding model of a version: adapter, model name, dimension, distribution of the adapter.

    `options` holds the adapter's own settings, as far as they decide the vectors (a prefix, a dimension) and not how
    the model is reached (an address, the name of a key); None in versions made before they were recorded.
    `sentences` says that the version keeps vectors of sentences too; versions made before there were any do not.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    adapter: str
    model: str
    dimension: int
    provider: str = ""
    sentences: bool = False
    options: dict[str, Any] | None = None


class RerankInfo(BaseModel):
    """The reranker of a version: adapter and model name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    adapter: str
    model: str


class KeywordInfo(BaseModel):
    """Keyword index and analyzers of a version."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    adapter: str
    k1: float
    b: float
    analyzer: str
    analyzer_fingerprint: str
    analyzer_options: dict[str, Any] = Field(default_factory=dict)
    ngram_fingerprint: str = ""


class Failure(BaseModel):
    """A document that is not in the version, and why."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    hash: str
    category: str
    message: str


class Manifest(BaseModel):
    """A version.

    `active` and `active_previous` are derived from `active.json` when a manifest is read; they are not in the file,
    since two places for one truth could disagree after a crash.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = SCHEMA_VERSION
    version: str
    created_at: str
    tool_version: str
    source_files: tuple[SourceFile, ...]
    collections: dict[str, CollectionInfo]
    embedding: EmbeddingInfo
    reranker: RerankInfo | None = None
    vector_store: str
    keyword: KeywordInfo
    chunking: dict[str, ChunkingOptions]
    failures: tuple[Failure, ...] = ()
    embedded: int
    reused: int
    dropped: int
    active: bool | None = None
    active_previous: str | None = None

    def stored(self) -> dict[str, Any]:
        """Return what the immutable file holds."""
        return self.model_dump(mode="json", exclude={"active", "active_previous"})

    def source(self, name: str) -> SourceFile | None:
        """Return the entry of a document, None when the version does not have it."""
        return next((s for s in self.source_files if s.name == name), None)

    @property
    def partitions(self) -> tuple[str, ...]:
        """Names of the partitions that documents belong to, sorted."""
        return tuple(sorted({s.partition for s in self.source_files} - {""}))

    def partitions_of(self, category: Category) -> tuple[str, ...]:
        """Return the partitions that a category has keyword indexes of; none when no document of it is in one.

        Where there are any, "" stands for the documents that belong to none.
        """
        found = {s.partition for s in self.source_files if s.type == category and s.chunk_count}
        return tuple(sorted(found)) if found - {""} else ()

    @property
    def categories(self) -> tuple[Category, ...]:
        """Categories that hold chunks."""
        return tuple(c for c, name in COLLECTIONS.items() if name in self.collections)


class ActivePointer(BaseModel):
    """`active.json`: the single commit point.

    Attributes:
        version: The active version.
        previous: The version that was active before.
        last: Highest number ever published, so that numbers only grow, also after the highest was deleted.
            A manifest above it was never committed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    previous: str | None = None
    last: Annotated[int, Field(ge=1)]
