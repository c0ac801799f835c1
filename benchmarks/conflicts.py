"""Processor time of conflict detection over ten chunks, as a search returns them: `conflicts.py [SETS.jsonl]`."""

import json
import statistics
import sys
import time
from pathlib import Path

from kisoku.config.lexicon import load_lexicon
from kisoku.domain.conflicts import RuleText
from kisoku.domain.constraints import detect_conflicts
from kisoku.domain.constraints.text import scan
from kisoku.domain.constraints.values import find_quantities
from kisoku.domain.constraints.wording import find_quoted

ROUNDS = 40
BUILT_IN = (
    "本文の文字サイズは10.5ポイントとする。見出しはこの限りではない。",
    "本文には9ptの明朝体を用い、行間は1.5行とする。",
    "図の名称は図の下に中央揃えで記載する。表の名称は表の上に置く。",
    "対象: 図 | 位置: 上 | 配置: 中央揃え | 太字: なし",
    "パスワードは12文字以上とし、過去5世代と同じものは設定できないようにする。",
    "操作ログは半年間保存する。その後は圧縮して別媒体に移し、申請があった場合に限り取り出す。",
    "设计书由项目经理批准后发布，评审意见须在三个工作日内答复。",
    "Reviewers respond within five working days unless the release plan sets another date.",
    "ファイル名の先頭には文書番号を付け、末尾には版数を付ける。日付は付けない。",
    "該当する情報がない欄には全角ハイフンを記入し、空欄のまま提出してはならない。",
)


def sets(path: Path | None) -> list[list[RuleText]]:
    if path is None:
        return [[RuleText(key=str(i), document=f"doc{i}", text=text) for i, text in enumerate(BUILT_IN)]]
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    chunks = [chunk for line in lines for chunk in line["chunks"]]
    rules = [
        RuleText(key=str(i), document=c["doc"], headings=tuple(c["headings"]), text=c["text"])
        for i, c in enumerate(chunks)
    ]
    return [rules[start : start + 10] for start in range(0, len(rules) - 9, 10)]


def main() -> None:
    lexicon = load_lexicon()
    data = sets(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    detect_conflicts(data[0], lexicon)
    taken = []
    for _ in range(ROUNDS):
        for texts in data:
            # Every round reads the texts for the first time; processor time does not count what else the machine does.
            scan.cache_clear()
            find_quantities.cache_clear()
            find_quoted.cache_clear()
            start = time.process_time()
            detect_conflicts(texts, lexicon)
            taken.append(1000 * (time.process_time() - start))
    taken.sort()
    p50, p95 = statistics.median(taken), taken[int(0.95 * len(taken))]
    print(f"{len(data)} sets of 10 chunks, {len(taken)} runs: p50 {p50:.1f} ms, p95 {p95:.1f} ms")


if __name__ == "__main__":
    main()
