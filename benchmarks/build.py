"""A full build of 50 documents against a rebuild after one edit, each in a process of its own.

    python -P benchmarks/build.py [--documents 50] [--set embedding.model=multilingual-e5-small-q4]

Documents are generated: Word, Excel and Markdown in turn, each with chapters of rule sentences. One sentence of one
document is edited between the builds. Prints seconds, chunks embedded and reused, and the highest memory of any process
of each build, also as ratios to the full build.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import docx
import openpyxl

CHAPTERS = 8
SENTENCES = 12
THINGS = ["画面", "帳票", "テーブル", "列", "索引", "項目", "見出し", "図", "表", "表題", "罫線", "用語"]
DEEDS = ["記載する", "省略しない", "太字とする", "中央に置く", "承認を得る", "番号を付ける", "残す"]
Chapter = tuple[str, list[str]]


@dataclass(frozen=True, slots=True)
class Run:
    """One build: what it is called, its report, seconds, peak memory in bytes."""

    name: str
    report: dict[str, object]
    seconds: float
    peak: int

    def chunks(self, state: str) -> int:
        """Return the chunks embedded or reused."""
        counts = self.report["chunks"]
        assert isinstance(counts, dict)
        return int(counts[state])


def chapters(number: int) -> list[Chapter]:
    rng = random.Random(number)  # noqa: S311  # reproducible documents, no secret

    def sentence() -> str:
        first, second = rng.sample(THINGS, 2)
        third, deed = rng.choice(THINGS), rng.choice(DEEDS)
        return f"{first}F{rng.randrange(1000):03d}の{second}は、レビューの前に{third}と照らして{deed}。"

    return [
        (f"{n}. {rng.choice(THINGS)}の規則", [sentence() for _ in range(SENTENCES)]) for n in range(1, CHAPTERS + 1)
    ]


def write(folder: Path, number: int, content: list[Chapter]) -> None:
    name = f"規則{number:03d}"
    if number % 3 == 0:
        document = docx.Document()
        for title, sentences in content:
            document.add_heading(title, 1)
            for text in sentences:
                document.add_paragraph(text)
        document.save(str(folder / f"{name}.docx"))
    elif number % 3 == 1:
        book = openpyxl.Workbook()
        book.remove(book.worksheets[0])
        for title, sentences in content:
            sheet = book.create_sheet(title[:30])
            sheet.append(["番号", "規則"])
            for row, text in enumerate(sentences, start=1):
                sheet.append([row, text])
        book.save(folder / f"{name}.xlsx")
    else:
        parts = [f"# {title}\n\n" + "\n".join(sentences) for title, sentences in content]
        (folder / f"{name}.md").write_text("\n\n".join(parts), encoding="utf-8")


def build(name: str, rules: Path, root: Path, options: list[str]) -> Run:
    command = [sys.executable, "-P", "-m", "kisoku", "build", str(rules), "--root", str(root), "--json", *options]
    output = root.parent / "report.json"
    began = time.perf_counter()
    with output.open("wb") as file:
        process = subprocess.Popen(command, stdout=file)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(process.returncode)
    report = json.loads(output.read_text(encoding="utf-8"))
    scale = 1 if sys.platform == "darwin" else 1024
    return Run(name, report, time.perf_counter() - began, usage.ru_maxrss * scale)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=50)
    parser.add_argument("--set", action="append", default=[], help="a setting, as for kisoku build")
    arguments = parser.parse_args()
    options = [part for text in arguments.set for part in ("--set", text)]
    with tempfile.TemporaryDirectory(prefix="kisoku-benchmark-") as scratch:
        rules = Path(scratch, "rules", "write")
        rules.mkdir(parents=True)
        for number in range(arguments.documents):
            write(rules, number, chapters(number))
        root = Path(scratch, "handbook")
        runs = [build("full build", rules.parent, root, options)]
        edited = chapters(0)
        edited[2][1][0] = "画面の一覧は、承認を得たあとに版数とともに改訂履歴へ書き加える。"
        write(rules, 0, edited)
        runs.append(build("one sentence edited", rules.parent, root, options))
        runs.append(build("nothing edited", rules.parent, root, options))
        size = sum(p.stat().st_size for p in root.rglob("*") if p.is_file())
    full = runs[0]
    print(f"{arguments.documents} documents, {full.chunks('embedded')} chunks, {full.report['embedding_model']}")
    print(f"{'':<20} {'seconds':>8} {'of full':>8} {'embedded':>9} {'reused':>7} {'peak MB':>8} {'of full':>8}")
    for run in runs:
        print(
            f"{run.name:<20} {run.seconds:>8.1f} {run.seconds / full.seconds:>8.0%} {run.chunks('embedded'):>9}"
            f" {run.chunks('reused'):>7} {run.peak / 1e6:>8.0f} {run.peak / full.peak:>8.0%}"
        )
    stages = {run.name: run.report["seconds"] for run in runs}
    print("seconds by stage: " + "; ".join(f"{name}: {value}" for name, value in stages.items()))
    print(f"two versions on disk: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
