"""Which embedder, fusion and rerank weights? nDCG@10 and milliseconds on a labelled set in BEIR layout.

Run from the repository's root::

    python -P benchmarks/embedding.py DIR [--embedder use|e5|NAME OR FOLDER] [--depth 30] [--candidates 20] [--limit N]

DIR holds corpus.jsonl (`_id`, `title`, `text`), queries.jsonl (`_id`, `text`) and qrels.tsv. `--grid` tries the
neighbouring settings too. The defaults of the sentence reranker and of weighted fusion come from here.
"""

import argparse
import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from kisoku.adapters.analysis.auto import AutoAnalyzer
from kisoku.adapters.analysis.ngram import BigramAnalyzer
from kisoku.adapters.embedding.e5 import E5Embedder
from kisoku.adapters.embedding.sentence_transformers import SentenceTransformerEmbedder
from kisoku.adapters.embedding.use import UseEmbedder
from kisoku.adapters.keyword.bm25s_index import Bm25sIndex
from kisoku.adapters.rerank.sentence import SentenceSimilarityReranker
from kisoku.domain.fusion import Ranked, reciprocal_rank_fusion, weighted_fusion
from kisoku.domain.ranking_metrics import ndcg
from kisoku.ports.analyzer import Analyzer
from kisoku.ports.embedder import Embedder, EmbedderOptions
from kisoku.ports.reranker import RerankCandidate, Reranker, RerankerOptions

Channels = dict[str, list[Ranked]]
WEIGHTS = {"lexical": 0.3, "ngram": 0.3, "vector": 0.4}
GRID = (
    {"lexical": 0.4, "ngram": 0.3, "vector": 0.3},
    {"lexical": 0.35, "ngram": 0.3, "vector": 0.35},
    {"lexical": 0.2, "ngram": 0.3, "vector": 0.5},
    {"lexical": 0.5, "ngram": 0.0, "vector": 0.5},
)
RERANK_GRID = (
    (0.4, 0.4, 0.0, 0.2),
    (0.4, 0.2, 0.0, 0.4),
    (0.3, 0.2, 0.2, 0.3),
    (0.3, 0.3, 0.1, 0.3),
    (0.3, 0.0, 0.0, 0.7),
)
"""Weights of sentence, lexical, vector and fused score."""


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Texts, queries and judgements, by id."""

    texts: dict[str, str]
    queries: dict[str, str]
    judged: dict[str, dict[str, float]]


def read(folder: Path, limit: int | None) -> LabelledSet:
    def lines(name: str) -> list[str]:
        return (folder / name).read_text(encoding="utf-8").splitlines()

    texts = {row["_id"]: f"{row['title']}\n{row['text']}" for row in map(json.loads, lines("corpus.jsonl"))}
    queries = {row["_id"]: row["text"] for row in map(json.loads, lines("queries.jsonl"))}
    judged: dict[str, dict[str, float]] = {}
    for query, text, grade in (line.split("\t") for line in lines("qrels.tsv")):
        if query in queries:  # not the header
            judged.setdefault(query, {})[text] = float(grade)
    return LabelledSet(texts, {i: queries[i] for i in list(queries)[:limit]}, judged)


def embedder_named(name: str) -> Embedder:
    bundled = {"use": UseEmbedder, "e5": E5Embedder}
    if name in bundled:
        return bundled[name](EmbedderOptions())
    return SentenceTransformerEmbedder(EmbedderOptions(model=name))


def keyword_channel(data: LabelledSet, analyzer: Analyzer, depth: int) -> dict[str, list[Ranked]]:
    index = Bm25sIndex()
    index.build(list(data.texts), [analyzer.analyze(text) for text in data.texts.values()])
    return {
        i: [Ranked(hit.id, hit.score) for hit in index.query(analyzer.analyze_query(text), depth)]
        for i, text in data.queries.items()
    }


def vector_channel(data: LabelledSet, embedder: Embedder, depth: int) -> dict[str, list[Ranked]]:
    embedder.warm_up()
    started = time.perf_counter()
    passages = embedder.embed_passages(list(data.texts.values()))
    seconds = time.perf_counter() - started
    characters = sum(map(len, data.texts.values()))
    print(f"{embedder.name}: {characters / seconds:,.0f} characters a second over {len(data.texts)} texts")
    ids, found, spent = list(data.texts), {}, []
    for i, text in data.queries.items():
        started = time.perf_counter()
        scores = passages @ embedder.embed_query(text)
        spent.append(time.perf_counter() - started)
        found[i] = [Ranked(ids[place], float(scores[place])) for place in np.argsort(-scores, kind="stable")[:depth]]
    print(f"{embedder.name}: {1000 * statistics.median(spent):.1f} ms a query (median)")
    return found


def quality(data: LabelledSet, ranking: dict[str, list[str]]) -> float:
    return statistics.fmean(ndcg(ranking[i], data.judged[i], 10) for i in data.queries)


def rerank(
    data: LabelledSet, channels: dict[str, Channels], fused: dict[str, list[Ranked]], model: Reranker, candidates: int
) -> tuple[float, list[float]]:
    """Return nDCG@10 and the seconds of every query."""
    ranking, spent = {}, []
    for i, query in data.queries.items():
        lexical, vector = ({hit.id: hit.score for hit in channels[i][name]} for name in ("lexical", "vector"))
        chosen = [
            RerankCandidate(hit.id, data.texts[hit.id], hit.id, lexical.get(hit.id), vector.get(hit.id), hit.score)
            for hit in fused[i][:candidates]
        ]
        started = time.perf_counter()
        scores = model.rerank(query, chosen)
        spent.append(time.perf_counter() - started)
        ranking[i] = [c.id for _, c in sorted(zip(scores, chosen, strict=True), key=lambda pair: -pair[0])]
    return quality(data, ranking), spent


def report(name: str, value: float, spent: Sequence[float] = ()) -> None:
    timing = f"   {1000 * statistics.median(spent):6.1f} ms median, {1000 * max(spent):6.1f} most" if spent else ""
    print(f"{name:<64} nDCG@10 {value:.4f}{timing}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--embedder", default="use")
    parser.add_argument("--depth", type=int, default=30)
    parser.add_argument("--candidates", type=int, default=20)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--grid", action="store_true")
    parser.add_argument("--no-rerank", action="store_true")
    arguments = parser.parse_args()

    data, embedder = read(arguments.folder, arguments.limit), embedder_named(arguments.embedder)
    lists = {
        "lexical": keyword_channel(data, AutoAnalyzer(), arguments.depth),
        "ngram": keyword_channel(data, BigramAnalyzer(), arguments.depth),
        "vector": vector_channel(data, embedder, arguments.depth),
    }
    for name, found in lists.items():
        report(name, quality(data, {i: [hit.id for hit in hits] for i, hits in found.items()}))
    channels = {i: {name: found[i] for name, found in lists.items()} for i in data.queries}

    for names in (("lexical", "vector"), ("lexical", "ngram", "vector")):
        for depth in sorted({10, arguments.depth}):
            fused = {
                i: reciprocal_rank_fusion({name: hits[name][:depth] for name in names}) for i, hits in channels.items()
            }
            report(f"rrf of {', '.join(names)}, top {depth}", _fused_quality(data, fused))

    options = [{}]
    if arguments.grid:
        signals = ("sentence", "lexical", "vector", "fused")
        options += [{f"{s}_weight": w for s, w in zip(signals, row, strict=True)} for row in RERANK_GRID]
    for weights in (WEIGHTS, *(GRID if arguments.grid else ())):
        fused = {i: weighted_fusion(hits, weights=weights) for i, hits in channels.items()}
        report(f"weighted {weights}", _fused_quality(data, fused))
        if arguments.no_rerank:
            continue
        for option in options:
            model = SentenceSimilarityReranker(RerankerOptions(embedder=_Remembering(embedder), options=option))
            value, spent = rerank(data, channels, fused, model, arguments.candidates)
            report(f"  then sentences of {arguments.candidates} {tuple(option.values()) or '(defaults)'}", value, spent)


def _fused_quality(data: LabelledSet, fused: dict[str, list[Ranked]]) -> float:
    return quality(data, {i: [hit.id for hit in hits] for i, hits in fused.items()})


_SEEN: dict[str, np.ndarray] = {}


class _Remembering(Embedder):
    """An embedder that asks its model once per sentence, so that a grid costs one pass over the corpus."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    def embed_passages(self, texts: Sequence[str]) -> np.ndarray:
        new = [text for text in dict.fromkeys(texts) if text not in _SEEN]
        _SEEN.update(zip(new, self._inner.embed_passages(new), strict=True))
        return np.stack([_SEEN[text] for text in texts]) if texts else np.zeros((0, self.dimension), np.float32)

    def embed_query(self, text: str) -> np.ndarray:
        return self._inner.embed_query(text)

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)


if __name__ == "__main__":
    main()
