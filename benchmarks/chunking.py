"""Reading documents: kisoku (read, cut, count tokens) against MarkItDown and docling (read), file by file.

    python benchmarks/chunking.py FOLDER... [--markitdown-python PATH] [--docling-python PATH] [--repeat 2] [--json]

Every tool reads every file in a fresh process of its own: first, untimed, the smallest other file of the same format
that it can read, which loads libraries and tokenizer; then the file, timed. Peak memory is the process's ru_maxrss (MB
of 10^6 bytes), interpreter and libraries included. Of `--repeat` processes the best time counts. A tool that is not
installed is skipped with a word; one installed in an environment of its own is given by that environment's Python.
Processes have limits of time and memory, since folders may hold hostile files.

Ratios above 1 say that kisoku is faster or smaller. Totals take the files that both tools read. MarkItDown and docling
stop at Markdown text; kisoku goes on to chunks whose tokens are counted by the bundled model's tokenizer.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

SUFFIXES = (".docx", ".xlsx", ".pptx")
TOOLS = ("kisoku", "markitdown", "docling")
WARM_UPS = 8
_KB = 1024
_MB = 1_000_000


@dataclass(frozen=True)
class Measurement:
    """What one tool needed for one file; `error` says why it has no result."""

    tool: str
    file: str
    seconds: float = 0.0
    peak_mb: float = 0.0
    characters: int = 0
    error: str = ""


def reader(tool: str) -> Callable[[Path], int]:
    """Return a function that reads a file and returns how many characters came out; imports happen here."""
    if tool == "kisoku":
        return _kisoku()
    if tool == "markitdown":
        from markitdown import MarkItDown

        converter = MarkItDown(enable_plugins=False)
        return lambda path: len(converter.convert(path).text_content)
    from docling.document_converter import DocumentConverter

    docling = DocumentConverter()
    return lambda path: len(docling.convert(path).document.export_to_markdown())


def _kisoku() -> Callable[[Path], int]:
    from functools import partial

    from kisoku.adapters.chunking.guard import ParseLimits, inspect
    from kisoku.domain.chunks import ChunkingOptions
    from kisoku.orchestration.building.parsing import ChunkerRoutes, ParseTask, TokenizerChoice, parse_document
    from kisoku.plugins.manager import shared_manager
    from kisoku.ports.chunker import SourceDocument

    routes = ChunkerRoutes(shared_manager())
    tokenizer = TokenizerChoice("use", "use-multilingual-v3")
    guard = partial(inspect, limits=ParseLimits())

    def read(path: Path) -> int:
        document = SourceDocument(path.name, path.read_bytes())
        task = ParseTask(document, routes.require(path.name).name, ChunkingOptions(), tokenizer, guard)
        return sum(len(draft.content) for draft in parse_document(task).drafts)

    return read


def work(tool: str, file: Path, warm_ups: Sequence[Path], memory_mb: int) -> None:
    """Measure in this process and print the result as JSON."""
    import resource

    if memory_mb:
        resource.setrlimit(resource.RLIMIT_AS, (memory_mb * _MB, memory_mb * _MB))
    read = reader(tool)
    for warm_up in warm_ups:
        try:
            read(warm_up)
        except Exception:  # noqa: BLE001, S112  # damaged files are among them; the next will do
            continue
        break
    else:
        print(f"nothing to warm up with for {file.name}: its time includes loading", file=sys.stderr)
    began = time.perf_counter()
    try:
        characters, error = read(file), ""
    except Exception as failure:  # noqa: BLE001  # whatever a tool raises is its answer to that file
        characters, error = 0, f"{type(failure).__name__}: {str(failure).splitlines()[0] if str(failure) else ''}"
    seconds = time.perf_counter() - began
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else _KB
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / _MB
    print(json.dumps(asdict(Measurement(tool, str(file), seconds, peak, characters, error))))


def measure(python: str, tool: str, file: Path, warm_ups: Sequence[Path], arguments: argparse.Namespace) -> Measurement:
    """Measure in fresh processes and return the best; a process that dies or takes too long is an error."""
    command = [python, "-P", __file__, "--memory-mb", str(arguments.memory_mb), "--work", tool, str(file)]
    command += map(str, warm_ups)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    best: Measurement | None = None
    for _ in range(arguments.repeat):
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=arguments.seconds, check=False, env=environment
            )
        except subprocess.TimeoutExpired:
            return Measurement(tool, str(file), error=f"took more than {arguments.seconds} seconds")
        lines = done.stdout.strip().splitlines()
        if done.returncode != 0 or not lines:
            return Measurement(tool, str(file), error=f"ended with exit code {done.returncode}")
        found = Measurement(**json.loads(lines[-1]))
        if found.error:
            return found
        if best is None or found.seconds < best.seconds:
            best = found
    assert best is not None
    return best


def installed(python: str, tool: str) -> bool:
    """Return whether that Python has the tool."""
    done = subprocess.run([python, "-P", "-c", f"import {tool}"], capture_output=True, check=False)
    return done.returncode == 0


def ratio(mine: float, other: float) -> float:
    return other / mine if mine else 0.0


def totals(results: Sequence[Measurement], other: str) -> dict[str, float]:
    """Return sums over the files that kisoku and the other tool both read."""
    by_key = {(result.tool, result.file): result for result in results if not result.error}
    both = [
        (mine, by_key[other, mine.file])
        for (tool, file), mine in by_key.items()
        if tool == "kisoku" and (other, file) in by_key
    ]
    if not both:
        return {"files": 0}
    mine_seconds, other_seconds = sum(a.seconds for a, _ in both), sum(b.seconds for _, b in both)
    megabytes = sum(Path(a.file).stat().st_size for a, _ in both) / _MB
    return {
        "files": len(both),
        "kisoku_seconds": mine_seconds,
        "other_seconds": other_seconds,
        "time_ratio": ratio(mine_seconds, other_seconds),
        "kisoku_mb_per_second": megabytes / mine_seconds,
        "other_mb_per_second": megabytes / other_seconds,
        "faster_files": sum(a.seconds < b.seconds for a, b in both),
        "kisoku_peak_mb": max(a.peak_mb for a, _ in both),
        "other_peak_mb": max(b.peak_mb for _, b in both),
        "smaller_files": sum(a.peak_mb < b.peak_mb for a, b in both),
    }


def table(results: Sequence[Measurement], tools: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the report: slowest ratio first, so that what is to be mended stands on top."""
    others = [tool for tool in tools if tool != "kisoku"]
    by_key = {(result.tool, result.file): result for result in results}
    head = "".join(f" {tool[:10] + ' s':>12} {'times':>7} {'MB':>6} {'times':>6}" for tool in others)
    yield f"{'kisoku s':>9} {'MB':>6}{head}  file"
    for mine in sorted((r for r in results if r.tool == "kisoku"), key=lambda r: _first_ratio(r, by_key, others)):
        cells = f"{mine.seconds:9.3f} {mine.peak_mb:6.0f}" if not mine.error else f"{'-':>9} {'-':>6}"
        for tool in others:
            other = by_key[tool, mine.file]
            if other.error:
                cells += f" {'-':>12} {'-':>7} {'-':>6} {'-':>6}"
            elif mine.error:
                cells += f" {other.seconds:12.3f} {'-':>7} {other.peak_mb:6.0f} {'-':>6}"
            else:
                times, sizes = ratio(mine.seconds, other.seconds), ratio(mine.peak_mb, other.peak_mb)
                cells += f" {other.seconds:12.3f} {times:7.2f} {other.peak_mb:6.0f} {sizes:6.2f}"
        errors = [f"{tool}: {by_key[tool, mine.file].error[:70]}" for tool in tools if by_key[tool, mine.file].error]
        yield f"{cells}  {'/'.join(Path(mine.file).parts[-2:])}{'  [' + '; '.join(errors) + ']' if errors else ''}"
    for tool in others:
        sums = totals(results, tool)
        if sums["files"]:
            yield (
                f"kisoku / {tool}: {sums['files']} files read by both, {sums['kisoku_seconds']:.2f} s / "
                f"{sums['other_seconds']:.2f} s, {sums['time_ratio']:.2f} times as fast "
                f"({sums['kisoku_mb_per_second']:.2f} / {sums['other_mb_per_second']:.2f} MB/s), faster on "
                f"{sums['faster_files']}; highest peak {sums['kisoku_peak_mb']:.0f} / {sums['other_peak_mb']:.0f} MB, "
                f"smaller on {sums['smaller_files']}"
            )


def _first_ratio(
    mine: Measurement, by_key: dict[tuple[str, str], Measurement], others: Sequence[str]
) -> tuple[bool, float]:
    other = by_key[others[0], mine.file] if others else mine
    failed = bool(mine.error or other.error)
    return failed, 0.0 if failed else ratio(mine.seconds, other.seconds)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", type=Path, nargs="*", metavar="FOLDER", help="folders with documents, or documents")
    parser.add_argument("--markitdown-python", default=sys.executable, help="Python of an environment with MarkItDown")
    parser.add_argument("--docling-python", default=sys.executable, help="Python of an environment with docling")
    parser.add_argument("--repeat", type=int, default=1, help="processes for each tool and file; the best time counts")
    parser.add_argument("--seconds", type=float, default=60, help="limit of time for a process")
    parser.add_argument("--memory-mb", type=int, default=4000, help="limit of address space for a process; 0: none")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--work", nargs="+", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    if arguments.work:
        tool, file, *warm_ups = arguments.work
        work(tool, Path(file), [Path(path) for path in warm_ups], arguments.memory_mb)
        return
    found = [file for path in arguments.paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    files = [file for file in found if file.suffix.lower() in SUFFIXES and file.is_file()]
    pythons = {
        "kisoku": sys.executable,
        "markitdown": arguments.markitdown_python,
        "docling": arguments.docling_python,
    }
    tools = [tool for tool in TOOLS if installed(pythons[tool], tool)]
    for tool in TOOLS:
        if tool not in tools:
            print(f"{tool} is not installed for {pythons[tool]}: skipped", file=sys.stderr)
    if not files or "kisoku" not in tools:
        sys.exit("There is nothing to measure: give folders with .docx, .xlsx or .pptx files.")
    results = []
    for number, file in enumerate(files, start=1):
        same = [other for other in files if other.suffix.lower() == file.suffix.lower() and other != file]
        # A file is its own warm-up only when it is the only one of its format.
        warm_ups = sorted(same, key=lambda other: other.stat().st_size)[:WARM_UPS] or [file]
        results += [measure(pythons[tool], tool, file, warm_ups, arguments) for tool in tools]
        print(f"{number}/{len(files)} {file.name}", file=sys.stderr)
    if arguments.json:
        sums = {tool: totals(results, tool) for tool in tools if tool != "kisoku"}
        print(json.dumps({"files": [asdict(r) for r in results], "totals": sums}, ensure_ascii=False, indent=1))
        return
    for line in table(results, tools):
        print(line)


if __name__ == "__main__":
    main()
