"""A real PostgreSQL server for the tests that need one, started on a loopback port and thrown away afterwards."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

import pytest


def _programs() -> Path | None:
    """Return the folder of the newest server on this machine; Debian keeps it out of PATH."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if shutil.which("initdb"):
        found.append(Path(shutil.which("initdb")).parent)
    return max(found, key=lambda path: path.parent.name, default=None)


def _owner() -> dict[str, object]:
    """PostgreSQL refuses to run as root, so it runs as the user that its package makes."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    pytest.skip("PostgreSQL does not run as root, and there is no other user")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="session")
def postgresql_server():
    """URL of a server, without a database."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed (kisoku[postgresql])")
    programs = _programs()
    if programs is None:
        pytest.skip("no PostgreSQL on this machine (apt-get install postgresql)")
    owner, port = _owner(), _free_port()
    folder = Path(tempfile.mkdtemp(prefix="kisoku-postgresql-"))
    if owner:
        os.chown(folder, owner["user"], owner["group"])
    quiet = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT, **owner}
    data = folder / "data"
    server = None
    try:
        subprocess.run(
            [programs / "initdb", "-D", data, "-U", "kisoku", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
            check=True, timeout=120, **quiet,
        )  # fmt: skip
        settings = ["fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=50"]
        server = subprocess.Popen(
            [programs / "postgres", "-D", data, "-k", folder, "-h", "127.0.0.1", "-p", str(port)]
            + [word for setting in settings for word in ("-c", setting)],
            **quiet,
        )
        url = f"kisoku@127.0.0.1:{port}"
        for _ in range(600):
            with contextlib.suppress(psycopg.OperationalError):
                psycopg.connect(f"postgresql://{url}/postgres").close()
                break
            assert server.poll() is None, "PostgreSQL ended at once"
            time.sleep(0.1)
        yield url
    finally:
        if server is not None:
            server.send_signal(signal.SIGQUIT)
            server.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgresql(postgresql_server) -> str:
    """SQLAlchemy URL of an empty database of the test's own."""
    import psycopg

    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(f"postgresql://{postgresql_server}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"postgresql+psycopg://{postgresql_server}/{name}"
