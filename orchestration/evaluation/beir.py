"""Running a BEIR set (corpus.jsonl, queries.jsonl, qrels) through the whole engine, stage by stage."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from ...domain.chunks import RuleChunk, content_hash
from ...domain.errors import ConfigError
from ...domain.manifest import CollectionInfo, Manifest
from ...domain.names import COLLECTIONS, chunk_id
from ...domain.ranking_metrics import percentile
from ...domain.search import SearchRequest
from ...ports.handbook_store import HandbookStore
from ..building.progress import Progress, ProgressCallback
from ..building.recipe import make_recipe
from ..building.tools import BuildTools
from ..building.vectors import vectors_for
from ..building.writing import write_version
from ..models import choose_embedding
from ..retrieval.engine import RetrievalEngine
from ..retrieval.version import OpenVersion
from .lines import read_lines
from .records import K, judged_scores
from .report import FINAL, EvaluationReport, QueryRecord


class _Passage(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str = Field(alias="_id")
    title: str = ""
    text: str


class _Query(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str = Field(alias="_id")
    text: str


@dataclass(frozen=True, slots=True)
class BeirSet:
    """A set: passages, queries that have judgements, graded judgements by query and passage."""

    passages: tuple[tuple[str, str, str], ...]
    """Id, title, text."""
    queries: Mapping[str, str]
    judgements: Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class StageScore:
    """Means over all queries of one stage's list."""

    stage: str
    ndcg_10: float
    recall_10: float
    mrr_10: float


@dataclass(frozen=True, slots=True)
class BeirReport:
    """What came out: scores by stage, times in seconds and milliseconds, model, how many a gate would refuse."""

    stages: tuple[StageScore, ...]
    queries: int
    passages: int
    model: str
    build_seconds: float
    p50_ms: float
    p95_ms: float
    refused: int = 0


def load_beir(folder: Path) -> BeirSet:
    """Read a set; judgements stand in qrels.tsv or qrels/test.tsv (query, passage, grade, with a header line).

    Raises:
        ConfigError: A file is missing or malformed.
    """
    qrels = next((p for p in (folder / "qrels.tsv", folder / "qrels" / "test.tsv") if p.is_file()), None)
    if qrels is None:
        raise ConfigError(f"{folder} has no qrels.tsv and no qrels/test.tsv.", hint="Name a folder in BEIR layout.")
    judgements: dict[str, dict[str, float]] = {}
    try:
        rows = qrels.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{qrels} cannot be read: {error}.") from error
    for number, row in enumerate(rows, start=1):
        if not row.strip():
            continue
        try:
            query, passage, grade = row.rstrip("\r").split("\t")
            judgements.setdefault(query, {})[passage] = float(grade)
        except ValueError as error:
            if number > 1:
                raise ConfigError(f"{qrels}, line {number}: expected query, passage, grade.") from error
    passages = tuple((p.id, p.title, p.text) for p in read_lines(folder / "corpus.jsonl", _Passage))
    queries = {q.id: q.text for q in read_lines(folder / "queries.jsonl", _Query) if q.id in judgements}
    if not passages or not queries:
        raise ConfigError(f"{folder} has no passages, or no query with a judgement.")
    return BeirSet(passages, queries, judgements)


def index_passages(data: BeirSet, store: HandbookStore, tools: BuildTools, tell: ProgressCallback) -> Manifest:
    """Publish a version in which each passage is one chunk: title as heading, text as content."""
    choice = tools.models.named(choose_embedding(tools.settings, tools.weights_present))
    recipe = make_recipe(tools, choice, (), None)
    embedder = tools.models.embedder(choice.adapter, choice.model)
    with store.write_lock():
        staged = store.stage()
        chunks = [_chunk(staged.version, n, *passage) for n, passage in enumerate(data.passages, start=1)]
        vectors, _ = vectors_for(
            chunks, embedder, None, lambda done, total, chars: tell(Progress("embed", done, total, total, chars))
        )
        write_version(staged, recipe, {"write": chunks}, vectors, tools, tell)
        manifest = Manifest(
            version=staged.version,
            created_at=tools.clock().isoformat(timespec="seconds"),
            tool_version=tools.tool_version,
            source_files=(),
            collections={
                COLLECTIONS["write"]: CollectionInfo(
                    chunk_count=len(chunks),
                    embedding_model=choice.model,
                    rerank_model=recipe.reranker.model,
                    embedded=len(chunks),
                    reused=0,
                )
            },
            embedding=recipe.embedding,
            reranker=recipe.reranker,
            vector_store=recipe.vector_store,
            keyword=recipe.keyword,
            chunking={},
            embedded=len(chunks),
            reused=0,
            dropped=0,
        )
        store.publish(staged, manifest)
    return manifest


def _chunk(version: str, number: int, identifier: str, title: str, text: str) -> RuleChunk:
    headings = (title,) if title else ()
    return RuleChunk(
        chunk_id=chunk_id("write", version, number),
        doc_id="",  # an id says nothing; a document's name would be searched
        doc_type="passage",
        content=text or title or identifier,
        headings=headings,
        source_uri=identifier,
        position=0,
        token_count=0,
        category="write",
        content_hash=content_hash(text, headings),
    )


def run_beir(data: BeirSet, version: OpenVersion, engine: RetrievalEngine, tell: ProgressCallback) -> BeirReport:
    """Search every query and score every stage's list."""
    return beir_report(evaluate_beir(data, version, engine, "", tell))


def evaluate_beir(
    data: BeirSet, version: OpenVersion, engine: RetrievalEngine, source: str, tell: ProgressCallback
) -> EvaluationReport:
    """Search every query and return what every stage found, query by query.

    A refusal is counted and the list scored as if there had been none.
    """
    records: list[QueryRecord] = []
    for done, (identifier, text) in enumerate(data.queries.items(), start=1):
        request = SearchRequest(query=text, agent="writer", categories=("write",), top_k=K)
        began = time.perf_counter()
        state = engine.run(version, request)
        elapsed = (time.perf_counter() - began) * 1000
        lists = {name: [version.chunk(e.id).source_uri for e in entries] for name, entries in state.channels.items()}
        lists["fusion"] = [version.chunk(e.id).source_uri for e in state.fused[:K]]
        lists[FINAL] = [c.source_uri for c in state.chunks]
        records.append(
            QueryRecord(
                id=identifier,
                query=text,
                answerable=True,
                refused=state.refused,
                gate=state.gate,
                scores={stage: judged_scores(ranked, data.judgements[identifier]) for stage, ranked in lists.items()},
                milliseconds=elapsed,
                stages={trace.stage: trace.milliseconds for trace in state.trace},
            )
        )
        tell(Progress("index", done, len(data.queries)))
    return EvaluationReport(
        kind="beir",
        source=source,
        model=version.manifest.embedding.model,
        chunks=len(data.passages),
        records=tuple(records),
    )


def beir_report(report: EvaluationReport) -> BeirReport:
    """Return the sums of an evaluation."""
    times = [record.milliseconds for record in report.records]
    return BeirReport(
        stages=tuple(
            StageScore(stage, values["ndcg@10"], values["recall@10"], values["mrr"])
            for stage, values in report.stages().items()
        ),
        queries=len(report.records),
        passages=report.chunks,
        model=report.model,
        build_seconds=0.0,
        p50_ms=percentile(times, 0.5),
        p95_ms=percentile(times, 0.95),
        refused=sum(record.refused for record in report.records),
    )
