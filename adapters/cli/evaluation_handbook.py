"""The handbook that an evaluation searches: one of the user's own, or a throw-away one."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .options import open_app

if TYPE_CHECKING:
    from ...domain.manifest import Manifest
    from ...orchestration.bootstrap import Kisoku
    from ...orchestration.building.progress import BuildReport


@dataclass(frozen=True, slots=True)
class SettingOptions:
    """The options that choose settings, as a command got them."""

    config: Path | None
    profile: str | None
    assignments: Sequence[str] | None
    lang: str | None


@dataclass(frozen=True, slots=True)
class EvaluatedHandbook:
    """An open handbook with the version to search; `report` is of the build, None for one of the user's own."""

    app: "Kisoku"
    manifest: "Manifest"
    report: "BuildReport | None"
    build_seconds: float


@contextmanager
def evaluated_handbook(
    docs: Path | None, root: Path | None, options: SettingOptions, *, quiet: bool
) -> Iterator[EvaluatedHandbook]:
    """Open the handbook of `root`, or build one from the documents of `docs` in a temporary folder.

    Raises:
        ConfigError: Not exactly one of the two is given, or there is nothing to search.
    """
    from ...domain.errors import ConfigError

    if (docs is None) == (root is None):
        raise ConfigError("Name either --docs or --root.", hint="--docs builds a throw-away handbook.")
    if root is not None:
        with open_app(root, options.config, options.profile, list(options.assignments or ()), options.lang) as kisoku:
            pointer = kisoku.handbook_store.pointer()
            if pointer is None:
                raise ConfigError(f"{root} holds no handbook.", hint="kisoku build makes one; --docs a throw-away one.")
            yield EvaluatedHandbook(kisoku, kisoku.manager.get_version(pointer.version), None, 0.0)
        return
    if docs is None:  # never, by the check above
        return
    from ...orchestration.evaluation.retrieval import build_from_folder
    from .messages import error_text, tr
    from .output import warn
    from .progress import BuildBar

    assignments = ["build.on_error=skip", *(options.assignments or ())]
    with (
        tempfile.TemporaryDirectory(prefix="kisoku-eval-") as scratch,
        open_app(Path(scratch) / "handbook", options.config, options.profile, assignments, options.lang) as kisoku,
    ):
        began = time.perf_counter()
        with BuildBar(enabled=not quiet) as bar:
            report = build_from_folder(kisoku.manager, docs, bar, kisoku.settings.partitions)
        built = time.perf_counter() - began
        for failure in report.failures:
            cause = f"{failure.category}: {error_text(failure)}"
            warn(tr("left out {name}: {cause}", name=failure.document, cause=cause))
        if report.version is None:
            raise ConfigError(f"{docs} gave nothing to search.")
        yield EvaluatedHandbook(kisoku, kisoku.manager.get_version(report.version), report, built)
