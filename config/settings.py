"""What can be set. The documented defaults stand in rag.yaml; a test holds both together."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from ..domain.chunks import ChunkingOptions

Positive = Annotated[int, Field(ge=1)]
Weight = Annotated[float, Field(ge=0)]


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EmbeddingSettings(_Section):
    """Embedding model. `model: auto` is bge-m3 where it is on the machine, else the bundled default."""

    adapter: str = "auto"
    model: str = "auto"
    batch_size: Positive = 32
    threads: Positive = 1
    device: str = ""
    price_per_million_tokens: Weight = 0.0
    sentences: bool | Literal["auto"] = "auto"
    options: dict[str, Any] = Field(default_factory=dict)


class RerankSettings(_Section):
    """Reranking. `auto` is the cross-encoder where bge-m3 embeds, else sentence similarity."""

    enabled: bool = True
    adapter: str = "auto"
    model: str = "auto"
    candidates: Positive = 30
    deadline_ms: Positive = 3000
    batch_size: Positive = 16
    device: str = ""
    options: dict[str, Any] = Field(default_factory=dict)


class KeywordSettings(_Section):
    """Keyword index and its BM25 parameters."""

    adapter: str = "bm25s"
    k1: Annotated[float, Field(ge=0)] = 1.2
    b: Annotated[float, Field(ge=0, le=1)] = 0.5
    analyzer: str = "auto"
    options: dict[str, Any] = Field(default_factory=dict)


class ChromaSettings(_Section):
    """Where Chroma keeps its data when it is created by hand through `StorageAdapterFactory`."""

    persist_dir: Path | None = None


class VectorStoreSettings(_Section):
    """Vector store: one folder per version below the handbook's root."""

    adapter: str = "chroma"
    chroma: ChromaSettings = ChromaSettings()
    options: dict[str, Any] = Field(default_factory=dict)


class ChunkingSettings(ChunkingOptions):
    """Chunking options for every document type; `by_type` overrides single ones for word, excel, ppt, markdown."""

    by_type: dict[str, dict[str, Any]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _overrides_are_valid(self) -> "ChunkingSettings":
        for doc_type in self.by_type:
            try:
                self.for_type(doc_type)
            except ValidationError as error:
                first = error.errors()[0]
                key = ".".join(("by_type", doc_type, *map(str, first["loc"])))
                msg = f"{key}: {first['msg'].removeprefix('Value error, ')}"
                raise ValueError(msg) from error
        return self

    def for_type(self, doc_type: str) -> ChunkingOptions:
        """Return the options that hold for a document type."""
        base = self.model_dump(exclude={"by_type"})
        return ChunkingOptions.model_validate(base | self.by_type.get(doc_type, {}))


class ChannelSettings(_Section):
    """One way of recall: how many it returns, and its weight in the fusion."""

    enabled: bool = True
    top_k: Positive = 30
    weight: Weight = 1.0


class FusionSettings(_Section):
    """rrf: by rank, with constant k; weighted: by standardised scores."""

    method: Literal["rrf", "weighted"] = "weighted"
    k: Positive = 60


class RelatedSettings(_Section):
    """Words of the handbook that count for a query's words: how many for each, from which cosine, and how much.

    An alternative counts its cosine to the `power`, times the BM25 score of the word that stands there.
    """

    enabled: bool = True
    terms: Annotated[int, Field(ge=1, le=100)] = 12
    least: Annotated[float, Field(ge=0, le=1)] = 0.5
    power: Annotated[float, Field(ge=0)] = 4.0


class CascadeSettings(_Section):
    """The cascade pipeline: how many each stage passes on, and what its gate lets through.

    `vector_least` and `rerank_least` are raw scores of the version's models; null is the default of the model, since
    cosines of USE, e5 and bge lie on different scales.
    """

    keyword_top_k: Positive = 30
    keyword_least: Annotated[int, Field(ge=0)] = 5
    vector_top_k: Positive = 15
    vector_least: float | None = None
    neighbours: Annotated[int, Field(ge=0)] = 2
    windows: Positive = 5
    rerank_least: float | None = None


class RetrievalSettings(_Section):
    """Searching. `hybrid` fuses channels; `cascade` narrows down from words over meaning to windows and parents."""

    pipeline: Literal["hybrid", "cascade"] = "hybrid"
    cascade: CascadeSettings = CascadeSettings()
    vector: ChannelSettings = ChannelSettings(top_k=100, weight=0.33)
    keyword: ChannelSettings = ChannelSettings(top_k=100, weight=0.4)
    ngram: ChannelSettings = ChannelSettings(top_k=100, weight=0.27)
    related: RelatedSettings = RelatedSettings()
    fusion: FusionSettings = FusionSettings()
    context_weight: Weight = 0.3
    expansion_weight: Weight = 0.7
    top_k: Positive = 5
    chapter_top_k: dict[str, Positive] = Field(default_factory=lambda: {"概要": 3, "DB": 8, "データベース": 8})


class PartitionSettings(_Section):
    """Partitions: parts of a handbook (a product, a site, a group of documents) that can be searched alone.

    `by: folder` takes the folder below the category as partition; `patterns` maps names to glob patterns of paths or
    document names and wins. A document in no partition holds for all of them.
    """

    by: Literal["none", "folder"] = "none"
    patterns: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    match_query: bool = False
    kept: Positive = 32


class ChatProviderSettings(_Section):
    """One endpoint of a chat model. `api_key_env` names the variable of the key; prices are per million tokens."""

    adapter: str
    model: str
    base_url: str = ""
    api_key_env: str = ""
    timeout_seconds: Annotated[float, Field(gt=0)] = 60
    max_retries: Annotated[int, Field(ge=0, le=10)] = 2
    price_per_million_prompt: Weight = 0.0
    price_per_million_completion: Weight = 0.0
    options: dict[str, Any] = Field(default_factory=dict)


class ChatSettings(_Section):
    """Chat models, in the order in which they are asked; without any, nothing of kisoku calls one."""

    providers: tuple[ChatProviderSettings, ...] = ()
    max_tokens: Positive = 1024
    evidence_characters: Positive = 8000


def _off(value: object) -> object:
    """Return the word that was written: YAML reads a bare `off` as false."""
    return "off" if value is False else value


class QuerySettings(_Section):
    """Understanding queries: off, by the dictionary (rules), or by a chat model on top of it (llm)."""

    mode: Annotated[str, Field(min_length=1), BeforeValidator(_off)] = "rules"
    dictionaries: tuple[Path, ...] = ()
    bundled_dictionary: bool = True
    max_added: Annotated[int, Field(ge=0, le=100)] = 12
    timeout_ms: Positive = 5000
    reference_threshold: Annotated[float, Field(ge=0, le=1)] = 0.3
    options: dict[str, Any] = Field(default_factory=dict)


class LookupSettings(_Section):
    """The evidence tool: how many chunks it looks at, how many blocks it gives, in how many characters.

    Boosts are the most that a domain, the keywords and the names of a query add to a score between 0 and 1.
    """

    candidates: Annotated[int, Field(ge=1, le=100)] = 12
    blocks: Annotated[int, Field(ge=1, le=100)] = 5
    budget: Positive = 6000
    snippet_characters: Positive = 900
    domain_boost: Annotated[float, Field(ge=0, le=1)] = 0.05
    keyword_boost: Annotated[float, Field(ge=0, le=1)] = 0.1
    entity_boost: Annotated[float, Field(ge=0, le=1)] = 0.1


class CacheSettings(_Section):
    """Query embeddings that are kept: in this process, and in Redis where a URL is given. 0 entries switch it off."""

    query_embeddings: Annotated[int, Field(ge=0)] = 1024
    redis_url: str = ""
    ttl_hours: Annotated[float, Field(gt=0)] = 24


class GateSettings(_Section):
    """The gate that refuses what the handbook does not answer. No profile: the bundled one of the embedding model."""

    enabled: bool = True
    profile: Path | None = None
    threshold: Annotated[float, Field(gt=0, lt=1)] | None = None
    least_chunks: Annotated[int, Field(ge=0)] = 200


class BuildSettings(_Section):
    """Building. `workers: 0` parses in this process; null uses every core."""

    on_error: Literal["fail", "skip"] = "fail"
    workers: Annotated[int, Field(ge=0)] | None = None
    document_seconds: Positive = 120
    document_memory_mb: Positive = 2048
    max_file_mb: Positive = 100
    max_inflated_mb: Positive = 500


class SessionSettings(_Section):
    """Session database; an empty URL is SQLite in the handbook's root."""

    url: str = ""


class ConflictSettings(_Section):
    """Conflict detection between the rules of one answer.

    `judge: llm` asks the chat model about what the rules found; `similarity: embedding` lets the version's embedder
    say how close two clauses are.
    """

    enabled: bool = True
    min_confidence: Annotated[float, Field(ge=0, le=1)] = 0.6
    judge: Literal["none", "llm"] = "none"
    similarity: Literal["none", "embedding"] = "none"
    lexicon: tuple[Path, ...] = ()


class TracingSettings(_Section):
    """Traces by OpenTelemetry. `auto`: where an OTLP endpoint is set, or the host has a tracer provider."""

    enabled: bool | Literal["auto"] = "auto"
    content: bool = True
    documents: Annotated[int, Field(ge=0, le=100)] = 30


class MetricsSettings(_Section):
    """Metrics by OpenTelemetry. `auto`: where an OTLP endpoint is set, or the host has a meter provider."""

    enabled: bool | Literal["auto"] = "auto"


class LoggingSettings(_Section):
    """What is logged to standard error where the host has no log handlers. `slow_ms: 0` calls no search slow."""

    format: Literal["console", "json"] = "console"
    level: Literal["debug", "info", "warning", "error"] = "warning"
    slow_ms: Annotated[int, Field(ge=0)] = 500


class Settings(_Section):
    """All settings."""

    root: Path = Path("kisoku-handbook")
    language: Literal["auto", "ja", "zh", "en"] = "auto"
    embedding: EmbeddingSettings = EmbeddingSettings()
    rerank: RerankSettings = RerankSettings()
    keyword: KeywordSettings = KeywordSettings()
    vector_store: VectorStoreSettings = VectorStoreSettings()
    chunking: ChunkingSettings = ChunkingSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    query: QuerySettings = QuerySettings()
    lookup: LookupSettings = LookupSettings()
    cache: CacheSettings = CacheSettings()
    gates: GateSettings = GateSettings()
    partitions: PartitionSettings = PartitionSettings()
    build: BuildSettings = BuildSettings()
    sessions: SessionSettings = SessionSettings()
    conflicts: ConflictSettings = ConflictSettings()
    chat: ChatSettings = ChatSettings()
    tracing: TracingSettings = TracingSettings()
    metrics: MetricsSettings = MetricsSettings()
    logging: LoggingSettings = LoggingSettings()
