"""Ten processes search while another builds twenty versions and prunes: every answer is of exactly one version."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BUILDS, READERS = 20, 10
READER = """
import json, pathlib, sys
sys.path.insert(0, sys.argv[1])
import fault_worker
from kisoku.domain.errors import UnknownVersionError
root, stop = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
job = {"root": str(root), "store": sys.argv[4], "embedder": "tiny"}
seen = []
print("ready", flush=True)
while True:
    last = stop.exists()
    with fault_worker.open_app(job) as app:
        for _ in range(3):
            try:
                found = app.service.search(session_id=None, query="改訂番号", agent="qa", top_k=30, record=False)
            except UnknownVersionError:
                seen.append(None)  # active when the search began, pruned before it was opened
                continue
            seen.append([found.version, sorted(c.content for c in found.chunks), [n.code for n in found.notices]])
    if last:
        break
print(json.dumps(seen, ensure_ascii=False))
"""
WRITER = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
import fault_worker
from fault_worker import conftest
root, rules = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
with fault_worker.open_app({"root": str(root), "store": sys.argv[4], "embedder": "tiny"}) as app:
    for number in range(2, int(sys.argv[5]) + 2):
        for category in ("write", "design"):
            text = f"# 改訂\\n\\n改訂番号は{number}とする({category})。\\n"
            (rules / category / f"{category}.md").write_text(text, encoding="utf-8")
        assert conftest.build_folder(app, rules).version == f"v{number}"
        if number % 5 == 0:
            app.manager.prune(3)
"""


def start(code, *arguments):
    command = [sys.executable, "-P", "-c", code, str(Path(__file__).parent), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("store", ["numpy", "chroma"])
def test_every_answer_is_of_exactly_one_version(store, tmp_path):
    root, rules, stop = tmp_path / "h", tmp_path / "rules", tmp_path / "stop"
    builds, readers = (BUILDS, READERS) if store == "numpy" else (6, 3)
    for category in ("write", "design"):
        (rules / category).mkdir(parents=True)
        (rules / category / f"{category}.md").write_text(
            f"# 改訂\n\n改訂番号は1とする({category})。\n", encoding="utf-8"
        )
    first = start(WRITER.replace("range(2,", "range(1,").replace(" + 2", " + 1"), root, rules, store, 1)
    assert first.communicate(timeout=120)[1] == ""
    reading = [start(READER, root, stop, store) for _ in range(readers)]
    assert [reader.stdout.readline() for reader in reading] == ["ready\n"] * readers
    try:
        writer = start(WRITER, root, rules, store, builds)
        assert writer.communicate(timeout=500)[1] == ""
        assert writer.returncode == 0
    finally:
        stop.touch()
        ends = [reader.communicate(timeout=120) for reader in reading]
    versions = set()
    for out, err in ends:
        assert err == ""
        answers = [answer for answer in json.loads(out) if answer is not None]
        for version, contents, notices in answers:
            number = int(version.removeprefix("v"))
            assert contents == sorted(f"改訂番号は{number}とする({c})。" for c in ("write", "design"))
            assert notices == []
            versions.add(version)
        # The active version only moves on.
        numbers = [int(version.removeprefix("v")) for version, _, _ in answers]
        assert numbers == sorted(numbers)
        assert numbers[-1] == builds + 1
    assert len(versions) > 2
