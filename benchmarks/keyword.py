"""Keyword channel: bm25s against rank_bm25 on 20,000 synthetic chunks, in one process.

    python benchmarks/keyword.py [--chunks 20000] [--queries 50]

Terms follow Zipf's law with the vocabulary of a Japanese handbook (two-character words over a thousand characters);
chunks have 20 to 160 terms. Prints build, load and query times, their ratio, and whether the rankings are identical.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from kisoku.adapters.keyword.bm25s_index import Bm25sIndex
from kisoku.adapters.keyword.rank_bm25_index import RankBm25Index
from kisoku.ports.keyword_index import KeywordIndex

VOCABULARY = 30_000
EXPONENT = 1.07
TOP_K = 10
T = TypeVar("T")


def corpus(chunks: int, queries: int) -> tuple[list[list[str]], list[list[str]]]:
    """Return the terms of chunks and of queries; a query has 3 to 12 terms of one chunk, as a question would."""
    random = np.random.default_rng(20)
    words = [chr(0x4E00 + number % 1000) + chr(0x4E00 + number // 1000) for number in range(VOCABULARY)]
    weights = 1 / np.arange(1, VOCABULARY + 1) ** EXPONENT
    lengths = random.integers(20, 160, size=chunks)
    drawn = random.choice(VOCABULARY, size=int(lengths.sum()), p=weights / weights.sum())
    texts = [[words[number] for number in part] for part in np.split(drawn, np.cumsum(lengths)[:-1])]
    asked = []
    for row in random.integers(chunks, size=queries):
        text = texts[row]
        asked.append([text[at] for at in random.integers(len(text), size=random.integers(3, 12))])
    return texts, asked


def timed(call: Callable[[], T]) -> tuple[float, T]:
    """Return seconds and what the call returned."""
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=20_000)
    parser.add_argument("--queries", type=int, default=50)
    arguments = parser.parse_args()
    texts, asked = corpus(arguments.chunks, arguments.queries)
    ids = [f"rules-write_v1_{number:05}" for number in range(len(texts))]
    medians: dict[str, float] = {}
    rankings: dict[str, list[list[str]]] = {}
    print(f"{len(texts):,} chunks, {len(asked)} queries, top {TOP_K}")
    print(f"{'':10} {'build s':>8} {'load s':>8} {'p50 ms':>8} {'p99 ms':>8}")
    indexes: list[tuple[str, Callable[[], KeywordIndex]]] = [("bm25s", Bm25sIndex), ("rank_bm25", RankBm25Index)]
    for name, make in indexes:
        built, index = make(), make()
        build, _ = timed(lambda built=built: built.build(ids, texts))
        with tempfile.TemporaryDirectory() as folder:
            built.save(Path(folder))
            load, _ = timed(lambda index=index, folder=folder: index.load(Path(folder)))
            answers = [timed(lambda index=index, query=query: index.query(query, TOP_K)) for query in asked]
        times = sorted(seconds * 1000 for seconds, _ in answers)
        medians[name] = statistics.median(times)
        rankings[name] = [[hit.id for hit in hits] for _, hits in answers]
        p99 = times[int(len(times) * 0.99)]
        print(f"{name:10} {build:8.2f} {load:8.3f} {medians[name]:8.2f} {p99:8.2f}")
    print(f"ratio of medians: {medians['rank_bm25'] / medians['bm25s']:.0f}")
    print(f"identical rankings: {rankings['bm25s'] == rankings['rank_bm25']}")


if __name__ == "__main__":
    main()
