"""The `kisoku` command. Commands import what they need when they run, so that --help is quick."""

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
    transfer,
    versions,
    watch,
)
from .messages import error_text, forget_language, tr

# Before anything imports numpy: BLAS threads spin on a busy machine, and a 2 ms query then takes 200 ms.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

app = typer.Typer(
    name="kisoku",
    help="Versioned rule handbooks for agents: build from Office files, search with evidence, settle conflicts.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("build")(build.build)
app.command("search")(search.search)
app.command("ask")(ask.ask)
app.command("lookup")(lookup.lookup)
app.add_typer(versions.app, name="versions")
app.command("rollback")(versions.rollback)
app.command("reindex")(reindex.reindex)
app.command("watch")(watch.watch)
app.command("prune")(transfer.prune)
app.command("export")(transfer.export_)
app.command("import")(transfer.import_)
app.command("doctor")(doctor.doctor)
app.command("chunks")(chunks.chunks)
app.command("generate")(generate.generate)
app.command("mcp")(mcp.mcp)
app.command("demo")(demo.demo)
app.command("plugins")(inspect.plugins)
app.command("trace")(inspect.trace)
app.add_typer(evaluate.app, name="eval")
app.add_typer(feedback.app, name="feedback")
app.add_typer(conflicts.app, name="conflicts")
app.add_typer(sessions.app, name="session")
app.add_typer(inspect.config, name="config")


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
