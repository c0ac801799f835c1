"""What builds cost: full, no change, one edit, a rename, a deletion, another model; each in a process of its own.

    python -P benchmarks/build.py [--documents 50] [--docs DIR] [--scales 1,3,10] [--set KEY=VALUE] [--other-model NAME]

Documents are generated (Word, Excel and Markdown in turn, each with chapters of rule sentences), or copied from DIR, a
folder as for `kisoku build`. Scales multiply them: generated documents all differ; copies of real ones differ in their
names, which are part of what is embedded. The edit is one sentence of a generated document, or one cell of a real one.

Prints wall-clock and processor seconds (of all processes; steadier than the clock on a busy machine), chunks embedded
and reused, the highest memory of any process and the size of the version, each also as a ratio to the full build.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

import docx
import openpyxl

CELL = re.compile(r'<c r="([A-Z]+\d+)"([^>]*?) t="s"([^>]*)><v>\d+</v></c>')
CHAPTERS = 8
SENTENCES = 12
THINGS = ["画面", "帳票", "テーブル", "列", "索引", "項目", "見出し", "図", "表", "表題", "罫線", "用語"]
DEEDS = ["記載する", "省略しない", "太字とする", "中央に置く", "承認を得る", "番号を付ける", "残す"]
Chapter = tuple[str, list[str]]


@dataclass(frozen=True, slots=True)
class Run:
    """One build: its name and report, seconds by the clock and of processors, peak memory and disk in bytes."""

    name: str
    report: dict[str, object]
    seconds: float
    processor: float
    peak: int
    disk: int

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
    before = size(root)
    began = time.perf_counter()
    with output.open("wb") as file:
        process = subprocess.Popen(command, stdout=file)
        _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(process.returncode)
    report = json.loads(output.read_text(encoding="utf-8"))
    scale = 1 if sys.platform == "darwin" else 1024
    processor = usage.ru_utime + usage.ru_stime
    return Run(name, report, seconds, processor, usage.ru_maxrss * scale, size(root) - before)


def size(root: Path) -> int:
    return sum(p.stat().st_size for p in root.rglob("*") if p.is_file())


def generate(rules: Path, documents: int) -> None:
    (rules / "write").mkdir(parents=True)
    for number in range(documents):
        write(rules / "write", number, chapters(number))


def copy(source: Path, rules: Path, scale: int) -> None:
    for path in sorted(p for p in source.rglob("*") if p.is_file()):
        for number in range(scale):
            name = path.name if number == 0 else f"{path.stem} 写し{number}{path.suffix}"
            target = rules / path.relative_to(source).with_name(name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def edit(rules: Path, *, generated: bool) -> Path:
    """Change one sentence or one cell, and return the document."""
    if generated:
        edited = chapters(0)
        edited[2][1][0] = "画面の一覧は、承認を得たあとに版数とともに改訂履歴へ書き加える。"
        write(rules / "write", 0, edited)
        return rules / "write" / "規則000.docx"
    books = sorted(rules.rglob("*.xlsx"), key=lambda p: p.stat().st_size)
    path = books[len(books) // 2]
    with zipfile.ZipFile(path) as package:
        parts = {info: package.read(info) for info in package.infolist()}
    sheets = [info for info in parts if re.fullmatch(r"xl/worksheets/sheet\d+\.xml", info.filename)]
    sheet = max(sheets, key=lambda info: len(CELL.findall(parts[info].decode())))
    xml = parts[sheet].decode()
    cell = list(CELL.finditer(xml))[-1]
    text = f'<c r="{cell[1]}"{cell[2]} t="inlineStr"{cell[3]}><is><t>承認のあとに書き換える。</t></is></c>'
    parts[sheet] = (xml[: cell.start()] + text + xml[cell.end() :]).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for info, data in parts.items():
            package.writestr(info, data)
    return path


def measure(rules: Path, root: Path, options: list[str], other: list[str], *, generated: bool) -> list[Run]:
    runs = [build("full build", rules, root, options), build("no change", rules, root, options)]
    edited = edit(rules, generated=generated)
    runs.append(build("one edit", rules, root, options))
    renamed = edited.with_name(f"{edited.stem} 改{edited.suffix}")
    edited.rename(renamed)
    runs.append(build("one renamed", rules, root, options))
    renamed.unlink()
    runs.append(build("one deleted", rules, root, options))
    runs.append(build("another model", rules, root, [*options, *other]))
    return runs


def show(scale: int, documents: int, runs: list[Run]) -> None:
    full = runs[0]
    print(f"{scale}x: {documents} documents, {full.chunks('embedded')} chunks, {full.report['embedding_model']}")
    print(
        f"{'':<14} {'seconds':>8} {'ratio':>6} {'cpu s':>8} {'ratio':>6} {'embedded':>9} {'reused':>7}"
        f" {'peak MB':>8} {'ratio':>6} {'disk MB':>8} {'ratio':>6}"
    )
    for run in runs:
        print(
            f"{run.name:<14} {run.seconds:>8.1f} {run.seconds / full.seconds:>6.1%}"
            f" {run.processor:>8.1f} {run.processor / full.processor:>6.1%}"
            f" {run.chunks('embedded'):>9} {run.chunks('reused'):>7}"
            f" {run.peak / 1e6:>8.0f} {run.peak / full.peak:>6.0%} {run.disk / 1e6:>8.1f} {run.disk / full.disk:>6.0%}"
        )
    print("seconds by stage: " + "; ".join(f"{run.name}: {run.report['seconds']}" for run in runs), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=50, help="generated documents at scale 1")
    parser.add_argument("--docs", type=Path, help="a folder of real documents instead")
    parser.add_argument("--scales", default="1", help="for example 1,3,10")
    parser.add_argument("--set", action="append", default=[], help="a setting, as for kisoku build")
    parser.add_argument("--other-model", help="the other model; without it the same one with other options")
    arguments = parser.parse_args()
    options = [part for text in arguments.set for part in ("--set", text)]
    # An option that no adapter reads makes every vector count as another model's.
    other = f"embedding.model={arguments.other_model}" if arguments.other_model else "embedding.options={benchmark: 1}"
    first: Run | None = None
    for scale in map(int, arguments.scales.split(",")):
        with tempfile.TemporaryDirectory(prefix="kisoku-benchmark-") as scratch:
            rules = Path(scratch, "rules")
            if arguments.docs:
                copy(arguments.docs, rules, scale)
            else:
                generate(rules, arguments.documents * scale)
            documents = sum(p.is_file() for p in rules.rglob("*"))
            runs = measure(rules, Path(scratch, "handbook"), options, ["--set", other], generated=not arguments.docs)
        show(scale, documents, runs)
        first = first or runs[0]
        print(
            f"full build at {scale}x: {runs[0].processor / first.processor:.1f} times the processor time of the first,"
            f" {runs[0].peak / first.peak:.1f} times the memory, {runs[0].disk / first.disk:.1f} times the disk\n"
        )


if __name__ == "__main__":
    main()
