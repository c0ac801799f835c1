"""`kisoku watch`."""

import contextlib
import signal
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Config, Json, Lang, Profile, Root, Set, open_app

if TYPE_CHECKING:
    from ...orchestration.building.collect import Collected
    from ...orchestration.building.progress import BuildReport
    from ...orchestration.building.watching import Rebuilt

_LONGEST_WAIT_MS = 60_000
"""A folder that never rests is read after this time all the same."""
_TICK_MS = 2_000


def watch(
    folder: Annotated[Path, typer.Argument(help="Folder with write/, design/, ref/ or a handbook.yaml.")],
    settle: Annotated[
        float, typer.Option("--settle", min=0.05, max=60, help="Seconds without a change before the build begins.")
    ] = 1.0,
    poll: Annotated[
        bool, typer.Option("--poll", help="Look at the files instead of waiting to be told (network drives).")
    ] = False,
    on_error: Annotated[
        str | None,
        typer.Option("--on-error", help="fail: bad documents stop the build; skip: build without them."),
    ] = None,
    root: Root = None,
    config: Config = None,
    profile: Profile = None,
    set_: Set = None,
    lang: Lang = None,
    json: Json = False,
) -> None:
    """Build now and again after every change of the folder, until Ctrl-C; --json prints one object a line."""
    from ...domain.errors import BuildError
    from ...orchestration.building.collect import collect_documents
    from ...orchestration.building.watching import rebuild_on_changes

    if not folder.is_dir():
        raise BuildError(f"{folder} is no folder.", hint="Name the folder that holds write/, design/ or ref/.")
    assignments = [*(set_ or ()), *([f"build.on_error={on_error}"] if on_error else ())]
    # A service manager says stop with SIGTERM: the build that runs is cleaned up as after Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with open_app(root, config, profile, assignments, lang) as app:

        def collect() -> "Collected":
            return collect_documents(folder, app.settings.partitions)

        def build(collected: "Collected") -> "BuildReport":
            return app.manager.build(collected.files, collected.categories, partitions=collected.partitions)

        try:
            for result in rebuild_on_changes(_changes(folder, app.settings.root, settle, poll=poll), collect, build):
                active = app.handbook_store.pointer()
                _tell(result, active.version if active else None, json=json)
        except KeyboardInterrupt:
            active = app.handbook_store.pointer()
            _say({"event": "stopped", "version": active.version if active else None}, json=json)


def _changes(folder: Path, handbook: Path, settle: float, *, poll: bool) -> Iterator[Collection[str]]:
    """Yield settled changes as paths relative to the folder, an empty batch when nothing happened for a while."""
    import watchfiles

    folder, handbook = folder.resolve(), handbook.resolve()

    def is_document(_: object, path: str) -> bool:
        # The build writes into the handbook, which may lie in the folder; lock files come and go with editors.
        relative = Path(path)
        hidden = any(part.startswith((".", "~$")) for part in relative.relative_to(folder).parts)
        return not hidden and not relative.is_relative_to(handbook)

    batches = watchfiles.watch(
        folder,
        watch_filter=is_document,
        debounce=_LONGEST_WAIT_MS,
        step=round(settle * 1000),
        rust_timeout=_TICK_MS,
        yield_on_timeout=True,
        force_polling=poll or None,
    )
    for batch in batches:
        yield {Path(path).relative_to(folder).as_posix() for _, path in batch}


def _tell(result: "Rebuilt", version: str | None, *, json: bool) -> None:
    from .build import as_json
    from .messages import error_text
    from .output import warn

    record: dict[str, object] = {"event": result.event, "version": version, "changes": list(result.changes)}
    if result.report is not None:
        record["build"] = as_json(result.report, result.skipped)
    if result.error is not None:
        failures = getattr(result.error, "failures", ())
        record["error"] = {"code": result.error.code, "message": str(result.error)}
        record["failures"] = [{"name": e.document, "error": e.category, "message": str(e)} for e in failures]
        if not json:
            for failure in failures:
                warn(f"{failure.document}: {failure.category}: {error_text(failure)}")
    _say(record | {"seconds": round(result.seconds, 3)}, json=json)


def _say(record: dict[str, object], *, json: bool) -> None:
    from json import dumps

    from .output import console, printable

    if json:
        text = dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
        return
    console().print(printable(_sentence(record)), soft_wrap=True)


def _sentence(record: dict[str, object]) -> str:
    from .messages import localised, tr

    version = record["version"] or tr("no version")
    if record["event"] == "stopped":
        return tr("Stopped. {version} stays active.", version=version)
    changes = record["changes"]
    names = ", ".join(map(str, changes[:5])) if isinstance(changes, list) else ""
    more = len(changes) - 5 if isinstance(changes, list) else 0
    if more > 0:
        names = tr("{names} and {count} more", names=names, count=more)
    after = tr(" after {names}", names=names) if names else ""
    if record["event"] == "unchanged":
        return tr("No change{after}: {version} is up to date.", after=after, version=version)
    if record["event"] == "failed":
        error = record["error"]
        return tr(
            "Not built{after}: {message} {version} stays active; the next change is tried again.",
            after=after,
            message=localised(error["message"]) if isinstance(error, dict) else "",
            version=version,
        )
    build = record["build"]
    counts = build["chunks"] if isinstance(build, dict) else {}
    return tr(
        "Built {version}{after}: embedded {embedded}, reused {reused}, dropped {dropped} in {seconds} s.",
        version=version,
        after=after,
        embedded=counts["embedded"],
        reused=counts["reused"],
        dropped=counts["dropped"],
        seconds=record["seconds"],
    )
