"""What a command costs that starts a process of its own: `kisoku --help` and the first search.

    python -P benchmarks/startup.py [--root HANDBOOK] [--runs 9] [--query TEXT]

Without --root a handbook is built from the sample rules of the package with the bundled model. The commands run once
unmeasured, so that bytecode and the user's cache are there, then `--runs` times. Prints the median and the least of CPU
time (user and system) and of wall time in seconds. CPU time tells more on a busy machine.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import kisoku

_QUERY = "表の見出し行は塗りつぶす？"
_KISOKU = (sys.executable, "-P", "-m", "kisoku")


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU and wall time of one process, in seconds."""

    cpu: float
    wall: float


def cost_of(command: tuple[str, ...], environment: dict[str, str]) -> Cost:
    """Run a command to its end; one that fails ends the measurement."""
    before, began = os.times(), time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    wall, after = time.perf_counter() - began, os.times()
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(used, wall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, help="a handbook that was built before; searches are recorded in it")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--query", default=_QUERY)
    arguments = parser.parse_args()
    environment = os.environ | dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    with tempfile.TemporaryDirectory(prefix="kisoku-benchmark-") as scratch:
        root = arguments.root
        if root is None:
            root = Path(scratch, "handbook")
            rules = Path(kisoku.__file__).parent / "examples" / "sample-rules" / "rules"
            cost_of((*_KISOKU, "build", str(rules), "--root", str(root)), environment)
        search = (*_KISOKU, "search", arguments.query, "--agent", "writer", "--root", str(root))
        print(f"{'command':<22} {'cpu s':>7} {'least':>7} {'wall s':>7} {'least':>7}")
        for name, command in (
            ("python -c pass", (sys.executable, "-P", "-c", "pass")),
            ("kisoku --help", (*_KISOKU, "--help")),
            ("kisoku search", search),
            ("kisoku search --json", (*search, "--json")),
        ):
            cost_of(command, environment)
            costs = [cost_of(command, environment) for _ in range(arguments.runs)]
            cpu, wall = [c.cpu for c in costs], [c.wall for c in costs]
            print(f"{name:<22} {median(cpu):>7.2f} {min(cpu):>7.2f} {median(wall):>7.2f} {min(wall):>7.2f}")


if __name__ == "__main__":
    main()
