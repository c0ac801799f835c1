"""A writer that dies, or whose disk fails, at every step there is: what is left is exactly old or new, and goes on.

Every point is a fork of a program (fault_worker.py): one that writes and ends at the n-th call by which it changes the
disk (writes end half-way), and one that opens what is left as a process of its own, searches every version, has the
doctor compare everything in both directions, carries the same action out again, and looks for leftovers.

In CI most points have the exact store and an embedder without a model, some have Chroma and the bundled model.
KISOKU_FAULT_POINTS=all runs every step of everything with both (thousands of points, about an hour).
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

WORKER = Path(__file__).with_name("fault_worker.py")
EVERYTHING = os.environ.get("KISOKU_FAULT_POINTS") == "all"
TEMPLATES = {
    "build": "one",
    "prune": "four",
    "rollback": "two",
    "first": "empty",
    "reindex": "one",
    "import": "one",
    "repair": "broken",
}
STRIDE = {"build": 1, "prune": 1, "rollback": 1, "first": 4, "reindex": 4, "import": 4, "repair": 3}
"""In CI every so many steps of an action; builds, publishing, prunes and rollbacks at each."""
RULES = {
    "write/記入規則.md": "# 規則\n\n## 表\n\n表のヘッダー行は太字とする。\n\n## 文体\n\n本文は「である調」とする。\n",
    "design/設計方針.md": "# 方針\n\n## 可用性\n\n夜間バッチは再実行しても結果が変わらない。\n",
    "design/命名規則.md": "# 命名規則\n\n## テーブル名\n\nテーブル名は英小文字で付ける。\n",
}
EDITED = "# 命名規則\n\n## 列名\n\n列名はスネークケースで付け、三十文字を超えない。\n"

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def run_jobs(jobs, workers=2):
    """Run jobs in programs side by side; results in the order of the jobs."""

    def run(part):
        done = subprocess.run(
            [sys.executable, "-P", str(WORKER)], input=json.dumps(part), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return [json.loads(line) for line in done.stdout.splitlines()]

    parts = [jobs[start::workers] for start in range(workers) if jobs[start::workers]]
    results = [None] * len(jobs)
    with ThreadPoolExecutor(workers) as pool:
        for start, found in enumerate(pool.map(run, parts)):
            results[start::workers] = found
    return results


class Ground:
    """Prepared handbooks over one vector store, and what each action makes of them without a fault."""

    def __init__(self, folder: Path, **options: str) -> None:
        self.base = {"folder": str(folder), **options}
        for name in ("rules", "edited"):
            for place, text in RULES.items():
                path = folder / name / place
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(EDITED if name == "edited" and "命名" in place else text, encoding="utf-8")
        (prepared,) = run_jobs([self.base | {"work": "prepare"}])
        assert prepared["code"] == 0, prepared
        actions = list(TEMPLATES)
        whole = run_jobs([self.job("killed", action, 0, check="check") for action in actions])
        assert all(r["code"] == r["after"]["code"] == 0 for r in whole), whole
        self.steps = {action: r["steps"] for action, r in zip(actions, whole, strict=True)}
        self.after = {action: r["after"].get("state") for action, r in zip(actions, whole, strict=True)}
        self.again = {action: r["after"]["next"] for action, r in zip(actions, whole, strict=True)}
        readable = [action for action in actions if action != "repair"]
        seen = run_jobs([self.job("seen", action, 0) for action in readable])
        self.before = {
            a: {k: r[k] for k in ("active", "versions", "answers")} for a, r in zip(readable, seen, strict=True)
        }

    def job(self, work, action, at, **more):
        return self.base | {"work": work, "action": action, "template": TEMPLATES[action], "at": at, **more}

    def points(self, stride):
        """Steps of every action: every `stride`-th, and the last, which comes after the commit."""
        return [
            (action, at)
            for action, steps in self.steps.items()
            for at in sorted({*range(1, steps + 1, 1 if EVERYTHING else stride[action]), steps})
        ]

    def assert_old_or_new(self, action, found, where):
        """The state is one of the two, to the letter; of a prune also with some of the versions deleted."""
        assert found["code"] == 0, (where, found.get("traceback", found))
        if action == "repair":
            return
        assert found["faults"] == [], where
        state, before, after = found["state"], self.before[action], self.after[action]
        if action == "prune":
            assert state["active"] == before["active"]
            assert set(after["versions"]) <= set(state["versions"]) <= set(before["versions"])
            assert all(before["answers"][v] == answer for v, answer in state["answers"].items()), where
        else:
            assert state in (before, after), (where, state)

    def assert_goes_on(self, action, found, where):
        """The same action again ends where it would have, and nothing is left over."""
        if action == "import" and found["state"] == self.after[action]:
            assert found["next"]["active"] == "v3", where  # it was imported already, so this is a second copy
        else:
            wanted = self.after[action] if action != "repair" else self.again[action]
            assert found["next"] == wanted, (where, found["next"])
        assert found["left"] == [], where


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """The exact store and an embedder without a model."""
    return Ground(tmp_path_factory.mktemp("quick"), store="numpy", embedder="tiny")


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """Chroma and the bundled model."""
    return Ground(tmp_path_factory.mktemp("real"), store="chroma", embedder="counting")


def assert_killed(ground, points):
    jobs = [ground.job("killed", action, at, check="check") for action, at in points]
    sides = Counter()
    for (action, at), result in zip(points, run_jobs(jobs), strict=True):
        where = f"{action}, step {at} of {ground.steps[action]}"
        assert result["code"] == 9, (where, result)
        ground.assert_old_or_new(action, result["after"], where)
        ground.assert_goes_on(action, result["after"], where)
        if action != "repair":
            sides[action, result["after"]["state"] == ground.after[action]] += 1
    # Of each action both sides of its commit were met.
    assert {action for action, new in sides if new} == {action for action, new in sides if not new}


def test_killed_at_every_step(quick):
    points = quick.points(STRIDE)
    assert len(points) >= 500
    assert_killed(quick, points)


def test_killed_at_steps_with_chroma_and_the_bundled_model(real):
    assert_killed(real, real.points(dict.fromkeys(STRIDE, 50) | {"build": 12, "rollback": 5}))


def test_killed_by_a_signal_at_any_moment(real):
    # Also inside of libraries, whose writes cannot be counted.
    chance = random.Random(20260102)  # noqa: S311  # moments, no secrets
    moments = [chance.uniform(0.001, 0.8) for _ in range(200 if EVERYTHING else 8)]
    jobs = [real.job("killed", "build", 0, check="check", kill_after=moment) for moment in moments]
    for moment, result in zip(moments, run_jobs(jobs), strict=True):
        real.assert_old_or_new("build", result["after"], f"build, after {moment} s")
        real.assert_goes_on("build", result["after"], f"build, after {moment} s")


@pytest.mark.parametrize("mode", ["ENOSPC", "EIO"])
def test_a_disk_that_fails_at_a_step_is_a_typed_error(mode, quick):
    points = quick.points(
        {"build": 5, "prune": 6, "rollback": 1, "first": 20, "reindex": 20, "import": 20, "repair": 10}
    )
    jobs = [quick.job("fail", action, at, mode=mode, check="check") for action, at in points]
    for (action, at), result in zip(points, run_jobs(jobs), strict=True):
        where = f"{mode} in {action}, step {at}"
        assert result["code"] == 0, (where, result)
        assert result["outcome"] != "bug", (where, result["message"])
        quick.assert_old_or_new(action, result["after"], where)
        quick.assert_goes_on(action, result["after"], where)
        if result["outcome"] == "done" and action != "repair":
            assert result["after"]["state"] == quick.after[action], where


def told(look):
    """Whether an answer says itself that something is wrong."""
    return "error" in look or bool(look["notices"])


def test_a_disk_that_loses_what_it_took_never_gives_a_wrong_answer(quick):
    whole, _ = run_jobs([quick.job("killed", "build", 0, check="look"), quick.job("seen", "build", 0)])
    good, old = whole["after"], quick.before["build"]["answers"]["v1"]
    points = range(1, quick.steps["build"] + 1, 1 if EVERYTHING else 2)
    results = run_jobs([quick.job("fail", "build", at, mode="lost", check="flipped") for at in points])
    hit = 0
    for at, result in zip(points, results, strict=True):
        if not result["happened"]:
            continue
        hit += 1
        after = result["after"]
        assert after["code"] == 0, (at, after)
        assert result["outcome"] != "bug", (at, result)
        look = {k: v for k, v in after.items() if k != "before"}
        assert told(look) or look in (good, look | {"version": "v1"}), (at, after)
        # The last good version goes on, unless it is the pointer itself that was lost.
        assert after["before"] == old or "active.json" in after["before"], (at, after)
    assert hit > 15


@pytest.fixture(params=["numpy", "chroma"])
def flippable(request):
    return request.getfixturevalue("quick" if request.param == "numpy" else "real")


def test_a_flipped_bit_is_told_or_without_effect(flippable):
    ground = flippable
    root = Path(ground.base["folder"]) / "two"
    files = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.stat().st_size and ("v2" in path.as_posix() or path.name == "active.json")
    ]
    assert len(files) > 15
    chance = random.Random(7)  # noqa: S311  # places, no secrets
    each = 60 if EVERYTHING else 2
    places = [(name, chance.randrange((root / name).stat().st_size * 8)) for name in files for _ in range(each)]
    # The first page of a database is written by every opening, so no seal covers it: look there more often.
    places += [(n, chance.randrange(4096 * 8)) for n in files if n.endswith(".sqlite3") for _ in range(each * 6)]
    base = ground.job("flipped", "rollback", 0)
    good, *results = run_jobs([base | {"work": "look"}, *(base | {"flip": n, "place": p} for n, p in places)])
    old = ground.before["rollback"]["answers"]["v1"]
    seen = Counter()
    for (name, place), result in zip(places, results, strict=True):
        assert result["code"] == 0, (name, place, result)
        look = {k: v for k, v in result.items() if k != "before"}
        seen["told" if told(look) else "without effect"] += 1
        assert told(look) or look == good, (name, place, look)
        assert result["before"] == old or name == "active.json", (name, place, result["before"])
    assert seen["told"] > 10
