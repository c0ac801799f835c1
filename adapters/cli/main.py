"""The `kisoku` command. Commands import what they need when they run, so that --help is quick."""

import atexit
import gc
import os
import sys
from typing import Annotated

import typer

from . import (
    ask,
    build,
    chunks,
    conflicts,
    demo,
    doctor,
    evaluate,
    feedback,
    generate,
    inspect,
    lookup,
    mcp,
    reindex,
    search,
    sessions,
    settings,
    stats,
    traces,
    transfer,
    versions,
    watch,
)
from .messages import error_text, forget_language, tr

# Before anything imports numpy: BLAS threads spin on a busy machine, and a 2 ms query then takes 200 ms.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

_YOUNG_OBJECTS = 50_000
"""Python looks for cycles after 700 new objects by default; a search makes half a million, of which all but a few
stay, and spent 0.25 s of CPU time on looking."""

app = typer.Typer(
    name="kisoku",
    help="Versioned rule handbooks for agents: build from Office files, search with evidence, settle conflicts.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_BUILD, _SEARCH, _CONFLICTS = "Build", "Search", "Conflicts"
_DOCUMENTS, _OPERATE, _EVALUATE, _SERVE = "Sessions and documents", "Operate", "Evaluate", "Serve"
for _panel, _name, _command in (
    (_BUILD, "build", build.build),
    (_BUILD, "watch", watch.watch),
    (_BUILD, "reindex", reindex.reindex),
    (_BUILD, "chunks", chunks.chunks),
    (_SEARCH, "search", search.search),
    (_SEARCH, "ask", ask.ask),
    (_SEARCH, "lookup", lookup.lookup),
    (_OPERATE, "rollback", versions.rollback),
    (_OPERATE, "prune", transfer.prune),
    (_OPERATE, "export", transfer.export_),
    (_OPERATE, "import", transfer.import_),
    (_OPERATE, "doctor", doctor.doctor),
    (_OPERATE, "plugins", inspect.plugins),
    (_OPERATE, "stats", stats.stats),
    (_SEARCH, "trace", traces.trace),
    (_OPERATE, "stats", stats.stats),
    (_DOCUMENTS, "generate", generate.generate),
    (_SERVE, "mcp", mcp.mcp),
    (_SERVE, "demo", demo.demo),
):
    app.command(_name, rich_help_panel=_panel)(_command)
for _panel, _name, _group in (
    (_CONFLICTS, "conflicts", conflicts.app),
    (_DOCUMENTS, "session", sessions.app),
    (_OPERATE, "versions", versions.app),
    (_OPERATE, "config", settings.app),
    (_EVALUATE, "eval", evaluate.app),
    (_EVALUATE, "feedback", feedback.app),
):
    app.add_typer(_group, name=_name, rich_help_panel=_panel)


def _show_version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        sys.stdout.write(f"kisoku {version('kisoku')}\n")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Versioned rule handbooks for agents: build from Office files, search with evidence, settle conflicts."""
    del version  # handled by its callback


def run() -> None:
    """Run the command; every error that kisoku raises on purpose is one sentence and exit code 1."""
    forget_language()
    gc.set_threshold(_YOUNG_OBJECTS)
    # The last thing at exit: memory goes back as a whole, so looking through it for cycles (0.2 s) is for nothing.
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
    try:
        app()
    except KeyboardInterrupt:
        sys.stderr.write(f"{tr('stopped')}\n")
        sys.exit(130)
    except BrokenPipeError:
        # The reader of a pipe went away (`kisoku … | head`), which is no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        from ...domain.errors import BuildError, KisokuError
        from .output import fail

        if not isinstance(error, KisokuError):
            raise
        if isinstance(error, BuildError):
            for failure in error.failures:
                fail(f"{failure.document}: {failure.category}: {error_text(failure)}")
        fail(error_text(error))
        sys.exit(1)
