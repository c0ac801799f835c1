"""The built-in adapters, registered through the same hooks as anybody's.

Each factory imports its adapter when it is called, so that `kisoku --help` loads nothing heavy.
"""

from collections.abc import Mapping

from ..ports.analyzer import Analyzer, AnalyzerOptions
from ..ports.chat_model import ChatModel
from ..ports.chunker import Chunker
from ..ports.embedder import Embedder, EmbedderOptions
from ..ports.keyword_index import KeywordIndex, KeywordIndexOptions
from ..ports.query_transformer import QueryTransformer, QueryTransformerOptions
from ..ports.reranker import Reranker, RerankerOptions
from ..ports.vector_store import VectorStoreAdapter, VectorStoreOptions
from .markers import hookimpl
from .specs import (
    AnalyzerFactory,
    ChatModelFactory,
    ChunkerFactory,
    EmbedderFactory,
    KeywordIndexFactory,
    QueryTransformerFactory,
    RerankerFactory,
    VectorStoreFactory,
)


def _word() -> Chunker:
    from ..adapters.chunking.word.chunker import WordChunker

    return WordChunker()


def _excel() -> Chunker:
    from ..adapters.chunking.excel.chunker import ExcelChunker

    return ExcelChunker()


def _powerpoint() -> Chunker:
    from ..adapters.chunking.powerpoint.chunker import PowerPointChunker

    return PowerPointChunker()


def _markdown() -> Chunker:
    from ..adapters.chunking.markdown.chunker import MarkdownChunker

    return MarkdownChunker()


def _chroma(options: VectorStoreOptions) -> VectorStoreAdapter:
    from ..adapters.storage.chroma import ChromaAdapter

    return ChromaAdapter(options)


def _numpy_store(options: VectorStoreOptions) -> VectorStoreAdapter:
    from ..adapters.storage.memory import MemoryVectorStore

    return MemoryVectorStore(options)


def _use(options: EmbedderOptions) -> Embedder:
    from ..adapters.embedding.use import UseEmbedder

    return UseEmbedder(options)


def _e5(options: EmbedderOptions) -> Embedder:
    from ..adapters.embedding.e5 import E5Embedder

    return E5Embedder(options)


def _sentence_transformers(options: EmbedderOptions) -> Embedder:
    from ..adapters.embedding.sentence_transformers import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(options)


def _openai_compatible_embedder(options: EmbedderOptions) -> Embedder:
    from ..adapters.embedding.openai_compatible import OpenAICompatibleEmbedder

    return OpenAICompatibleEmbedder(options)


def _ollama_embedder(options: EmbedderOptions) -> Embedder:
    from ..adapters.embedding.ollama import OllamaEmbedder

    return OllamaEmbedder(options)


def _cross_encoder(options: RerankerOptions) -> Reranker:
    from ..adapters.rerank.cross_encoder import CrossEncoderReranker

    return CrossEncoderReranker(options)


def _sentence(options: RerankerOptions) -> Reranker:
    from ..adapters.rerank.sentence import SentenceSimilarityReranker

    return SentenceSimilarityReranker(options)


def _llm(options: RerankerOptions) -> Reranker:
    from ..adapters.rerank.llm import LlmReranker

    return LlmReranker(options)


def _none(options: RerankerOptions) -> Reranker:
    from ..adapters.rerank.none import NoReranker

    return NoReranker(options)


def _bm25s(options: KeywordIndexOptions) -> KeywordIndex:
    from ..adapters.keyword.bm25s_index import Bm25sIndex

    return Bm25sIndex(options)


def _rank_bm25(options: KeywordIndexOptions) -> KeywordIndex:
    from ..adapters.keyword.rank_bm25_index import RankBm25Index

    return RankBm25Index(options)


def _auto(options: AnalyzerOptions) -> Analyzer:
    from ..adapters.analysis.auto import AutoAnalyzer

    return AutoAnalyzer(options)


def _japanese(options: AnalyzerOptions) -> Analyzer:
    from ..adapters.analysis.japanese import JapaneseAnalyzer

    return JapaneseAnalyzer(options)


def _chinese(options: AnalyzerOptions) -> Analyzer:
    from ..adapters.analysis.chinese import ChineseAnalyzer

    return ChineseAnalyzer(options)


def _english(options: AnalyzerOptions) -> Analyzer:
    from ..adapters.analysis.english import EnglishAnalyzer

    return EnglishAnalyzer(options)


def _bigram(options: AnalyzerOptions) -> Analyzer:
    from ..adapters.analysis.ngram import BigramAnalyzer

    return BigramAnalyzer(options)


def _plain_query(options: QueryTransformerOptions) -> QueryTransformer:
    from ..adapters.query.off import PlainQuery

    return PlainQuery(options)


def _rule_query(options: QueryTransformerOptions) -> QueryTransformer:
    from ..adapters.query.rules import RuleQuery

    return RuleQuery(options)


def _model_query(options: QueryTransformerOptions) -> QueryTransformer:
    from ..adapters.query.llm import ModelQuery

    return ModelQuery(options)


def _openai_compatible_chat(options: Mapping[str, object]) -> ChatModel:
    from ..adapters.chat.openai_compatible import OpenAICompatibleChat

    return OpenAICompatibleChat(options)


def _ollama_chat(options: Mapping[str, object]) -> ChatModel:
    from ..adapters.chat.ollama import OllamaChat

    return OllamaChat(options)


@hookimpl
def kisoku_chunkers() -> Mapping[str, ChunkerFactory]:
    """Word, Excel, PowerPoint, Markdown."""
    return {"word": _word, "excel": _excel, "powerpoint": _powerpoint, "markdown": _markdown}


@hookimpl
def kisoku_vector_stores() -> Mapping[str, VectorStoreFactory]:
    """Chroma, and exact search over one numpy matrix."""
    return {"chroma": _chroma, "numpy": _numpy_store}


@hookimpl
def kisoku_embedders() -> Mapping[str, EmbedderFactory]:
    """USE and e5 from wheels, anything that sentence-transformers loads, models behind HTTP."""
    return {
        "use": _use,
        "e5": _e5,
        "sentence-transformers": _sentence_transformers,
        "openai-compatible": _openai_compatible_embedder,
        "ollama": _ollama_embedder,
    }


@hookimpl
def kisoku_rerankers() -> Mapping[str, RerankerFactory]:
    """Cross-encoder, best sentence by the version's own embedder, a chat model, none."""
    return {"cross-encoder": _cross_encoder, "sentence": _sentence, "llm": _llm, "none": _none}


@hookimpl
def kisoku_keyword_indexes() -> Mapping[str, KeywordIndexFactory]:
    """bm25s, and rank_bm25 as its reference."""
    return {"bm25s": _bm25s, "rank_bm25": _rank_bm25}


@hookimpl
def kisoku_analyzers() -> Mapping[str, AnalyzerFactory]:
    """By language, one language each, character bigrams."""
    return {"auto": _auto, "ja": _japanese, "zh": _chinese, "en": _english, "bigram": _bigram}


@hookimpl
def kisoku_query_transformers() -> Mapping[str, QueryTransformerFactory]:
    """By a dictionary, by a chat model on top of it, not at all."""
    return {"off": _plain_query, "rules": _rule_query, "llm": _model_query}


@hookimpl
def kisoku_chat_models() -> Mapping[str, ChatModelFactory]:
    """OpenAI-compatible endpoints, Ollama."""
    return {"openai-compatible": _openai_compatible_chat, "ollama": _ollama_chat}
