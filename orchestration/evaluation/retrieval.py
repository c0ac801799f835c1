"""Running labelled queries over a folder of documents, in a throw-away handbook."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from ...config.settings import PartitionSettings
from ...domain.search import SearchResult
from ..building.collect import collect_documents
from ..building.progress import BuildReport, ProgressCallback
from ..handbook import RuleHandbookManager
from ..service import RagService
from .labels import LabelledQuery

RESULTS = 10
"""Chunks per query in a run."""


class RetrievedLine(BaseModel):
    """One line of a run: the chunks found, best first, whether a gate refused, and the time it took."""

    model_config = ConfigDict(frozen=True)

    id: str
    chunks: tuple[dict[str, Any], ...]
    refused: bool
    latency_ms: float


def build_from_folder(
    manager: RuleHandbookManager,
    folder: Path,
    on_progress: ProgressCallback,
    partitions: PartitionSettings | None = None,
) -> BuildReport:
    """Build a handbook from every document of a folder."""
    collected = collect_documents(folder, partitions)
    return manager.build(
        collected.files, collected.categories, partitions=collected.partitions, on_progress=on_progress
    )


def run_queries(
    service: RagService,
    queries: list[LabelledQuery],
    *,
    agent_context: bool,
    on_query: Callable[[int], None] = lambda _: None,
    on_result: Callable[[LabelledQuery, SearchResult], None] = lambda _query, _result: None,
) -> Iterator[RetrievedLine]:
    """Search each query and yield its line.

    Args:
        service: Over the handbook that was built.
        queries: The set.
        agent_context: Pass the context that a line carries (`context: {chapter, elements, …}`).
        on_query: Called with the number of queries done.
        on_result: Called with each query and what was found.
    """
    for done, query in enumerate(queries, start=1):
        began = time.perf_counter()
        result: SearchResult = service.search(
            session_id=None,
            query=query.query,
            category=query.category,
            top_k=RESULTS,
            agent=query.agent,
            context=query.context if agent_context else None,
            partitions=query.partitions,
            record=False,
        )
        elapsed = (time.perf_counter() - began) * 1000
        on_result(query, result)
        chunks = tuple(
            {"doc_id": c.doc_id, "content": c.content, "score": c.score, "headings": list(c.headings)}
            # A refused search gives its caller nothing; a run shows what it would have given, as the score's ground.
            for c in (result.withheld if result.refused else result.chunks)
        )
        yield RetrievedLine(id=query.id, chunks=chunks, refused=result.refused, latency_ms=round(elapsed, 3))
        on_query(done)
