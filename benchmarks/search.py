"""Search without model inference: whole searches over 1,000 and 10,000 synthetic chunks.

    python -P benchmarks/search.py [--chunks 1000 10000] [--queries 300]

100,000 chunks take four minutes and 2.4 GB of memory to publish.

The handbook is published by the path of `kisoku eval beir`, with a vector store, both keyword indexes and a file a
chunk. Vectors come from a stand-in model that makes them from checksums of the texts (clustered, 512 dimensions), so a
query's vector costs microseconds; reranking is off. Prints p50 and p99 of the engine in wall and in CPU time (of all
threads; the one to go by on a machine with other work), the ratio from size to size, and the first search of a fresh
process.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from kisoku.config.loading import load_settings
from kisoku.domain.ranking_metrics import percentile
from kisoku.domain.search import SearchRequest
from kisoku.orchestration.bootstrap import Kisoku
from kisoku.orchestration.evaluation.beir import BeirSet, index_passages
from kisoku.plugins.manager import PluginManager
from kisoku.plugins.markers import hookimpl
from kisoku.plugins.specs import EmbedderFactory
from kisoku.ports.embedder import Embedder, EmbedderOptions
from kisoku.ports.vectors import Matrix, Vector

DIMENSION = 512
CLUSTERS = 100
SPREAD = 0.7
THINGS = ["画面", "帳票", "テーブル", "列", "索引", "項目", "見出し", "図", "表", "表題", "罫線", "用語"]
DEEDS = ["記載する", "省略しない", "太字とする", "中央に置く", "承認を得る", "番号を付ける", "残す"]
ADVERBS = ["必ず", "原則として", "章ごとに", "承認後に", "左詰めで", "初出時に", "更新のたびに", "三日以内に"]
_CENTRES = np.random.default_rng(1).standard_normal((CLUSTERS, DIMENSION), dtype=np.float32)


class ChecksumEmbedder(Embedder):
    """Vectors from checksums: deterministic, clustered as real ones are, and free."""

    def __init__(self, _: EmbedderOptions) -> None:
        """Load nothing."""

    @property
    def name(self) -> str:
        """The stand-in's name."""
        return "checksum"

    @property
    def dimension(self) -> int:
        """As of the bundled model."""
        return DIMENSION

    def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text."""
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vector:
        """Return a centre with noise, normalised."""
        seed = zlib.crc32(text.encode())
        row = _CENTRES[seed % CLUSTERS] + SPREAD * np.random.default_rng(seed).standard_normal(DIMENSION)
        return (row / np.linalg.norm(row)).astype(np.float32)

    def count_tokens(self, text: str) -> int:
        """Count characters."""
        return len(text)


@hookimpl
def kisoku_embedders() -> Mapping[str, EmbedderFactory]:
    return {"checksum": ChecksumEmbedder}


def sentence(rng: random.Random) -> str:
    first, second = rng.sample(THINGS, 2)
    return f"{first}F{rng.randrange(1000):03d}の{second}は{rng.choice(ADVERBS)}{rng.choice(DEEDS)}。"


def paragraph(rng: random.Random) -> str:
    return "".join(sentence(rng) for _ in range(rng.randint(3, 8)))


def synthetic(chunks: int, queries: int) -> BeirSet:
    rng = random.Random(7)  # noqa: S311  # a reproducible sample, no secret
    passages = tuple((f"p{n}", f"{n // 10 + 1}. {rng.choice(THINGS)}の規則", paragraph(rng)) for n in range(chunks))
    asked = {f"q{n}": f"{rng.choice(THINGS)}の{rng.choice(THINGS)}の書き方" for n in range(queries)}
    return BeirSet(passages, asked, {q: {"p0": 1.0} for q in asked})


def opened(root: Path) -> Kisoku:
    plugins = PluginManager(load_entry_points=False)
    plugins.register(sys.modules[__name__], "benchmark")
    assignments = [
        f"root={str(root)!r}",
        "embedding.adapter=checksum",
        "embedding.model=checksum",
        "rerank.enabled=false",
        "rerank.adapter=none",
    ]
    return Kisoku(load_settings(assignments=assignments, environment={}).settings, plugins=plugins)


def measure(root: Path, chunks: int, queries: int) -> tuple[float, list[float], list[float]]:
    """Return seconds to publish, and milliseconds of every search after a first round, in wall and in CPU time."""
    data = synthetic(chunks, queries)
    with opened(root) as app:
        began = time.perf_counter()
        manifest = index_passages(data, app.handbook_store, app.build_tools, lambda _: None)
        published = time.perf_counter() - began
        version = app.versions.get(manifest.version)
        # Query vectors are given: they lie in the process's cache, as after any search for the same words.
        version.embedder().embed_queries(list(data.queries.values()))
        times, cpu_times = [], []
        for text in [*list(data.queries.values())[:20], *data.queries.values()]:
            request = SearchRequest(query=text, agent="writer", categories=("write",), top_k=10)
            began, cpu = time.perf_counter(), time.process_time()
            app.engine.run(version, request)
            cpu_times.append((time.process_time() - cpu) * 1000)
            times.append((time.perf_counter() - began) * 1000)
    return published, times[20:], cpu_times[20:]


def first_search(root: Path) -> None:
    """Print milliseconds from here to a first result and of a second one, with everything still to be opened."""
    began = time.perf_counter()
    with opened(root) as app:
        for _ in range(2):
            app.service.search(session_id=None, query="表の罫線の書き方", agent="writer", record=False)
            print(f"{(time.perf_counter() - began) * 1000:.0f}", end=" ")
            began = time.perf_counter()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--first", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.first is not None:
        first_search(arguments.first)
        return
    print(f"{'':19}{'wall':>9}{'':9}{'CPU':>9}")
    print(f"{'chunks':>8} {'publish s':>10}{'   p50 ms   p99 ms' * 2} {'first ms':>9} {'second ms':>10}")
    medians: list[float] = []
    with tempfile.TemporaryDirectory(prefix="kisoku-benchmark-") as scratch:
        for chunks in arguments.chunks:
            root = Path(scratch, str(chunks))
            published, times, cpu_times = measure(root, chunks, arguments.queries)
            command = [sys.executable, "-P", __file__, "--first", str(root)]
            fresh = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            medians.append(percentile(cpu_times, 0.5))
            figures = [percentile(series, at) for series in (times, cpu_times) for at in (0.5, 0.99)]
            print(
                f"{chunks:>8,} {published:>10.1f}{''.join(f'{figure:>9.2f}' for figure in figures)}"
                f" {fresh[0]:>9} {fresh[1]:>10}",
                flush=True,
            )
    for place in range(1, len(medians)):
        before, after = arguments.chunks[place - 1 : place + 1]
        ratio = medians[place] / medians[place - 1]
        print(f"{before:,} -> {after:,}: {after / before:.0f} times the chunks, {ratio:.2f} times the CPU time (p50)")


if __name__ == "__main__":
    main()
