"""Chunks of files without building a handbook: what `kisoku chunks` shows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from ..config.settings import Settings
from ..domain.accounting import Account
from ..domain.blocks import ExtractedDocument
from ..domain.chunks import ChunkDraft, ChunkedDocument
from ..domain.errors import BuildError, CorruptDocumentError, DocumentError
from ..ports.chunker import SourceDocument
from ..ports.worker_pool import WorkerPool
from .building.parsing import (
    ChunkerRoute,
    ChunkerRoutes,
    Inspect,
    ParseTask,
    TokenizerChoice,
    attributed,
    parse_document,
    route_of,
)
from .models import Models, WeightsPresent, choose_embedding

R = TypeVar("R")
Accountant = Callable[[ExtractedDocument, ChunkedDocument], Account]
"""Says what became of every character; picklable for worker processes."""


@dataclass(frozen=True, slots=True)
class ChunkingTools:
    """What cutting files needs from outside."""

    settings: Settings
    routes: ChunkerRoutes
    models: Models
    pool: WorkerPool
    inspect: Inspect
    weights_present: WeightsPresent
    account: Accountant


@dataclass(frozen=True, slots=True)
class ChunkedFile:
    """One file: its chunks and what was left out (characters by reason), or why it has none.

    Attributes:
        file: Path relative to the folder given, the name for a single file.
        name: Its name, as source URIs show it.
        doc_type: word, excel, ….
        drafts: Chunks.
        omitted: Characters left out, by reason.
        error: Why it was refused or skipped.
    """

    file: str
    name: str
    doc_type: str = ""
    drafts: tuple[ChunkDraft, ...] = ()
    omitted: tuple[tuple[str, int], ...] = ()
    error: DocumentError | None = None


@dataclass(frozen=True, slots=True)
class FileOutcome(Generic[R]):
    """One file: what a task made of it, or why it was refused or skipped; `route` is None when no chunker saw it."""

    file: str
    name: str
    route: ChunkerRoute | None = None
    result: R | None = None
    error: DocumentError | None = None


def chunk_files(paths: Sequence[Path], tools: ChunkingTools) -> Iterator[ChunkedFile]:
    """Cut files, and every file below folders, in the order of their paths.

    Raises:
        BuildError: A path does not exist.
    """
    for outcome in run_files(paths, tools, parse_document):
        parsed = outcome.result
        yield ChunkedFile(
            outcome.file,
            outcome.name,
            outcome.route.doc_type if outcome.route else "",
            parsed.drafts if parsed else (),
            tuple(sorted(parsed.omitted.items())) if parsed else (),
            outcome.error,
        )


def run_files(paths: Sequence[Path], tools: ChunkingTools, task: Callable[[ParseTask], R]) -> Iterator[FileOutcome[R]]:
    """Run a task for every file, and every file below folders, in workers; outcomes in the order of their paths.

    Raises:
        BuildError: A path does not exist.
    """
    files = _files(paths)
    routes: dict[str, ChunkerRoute] = {}
    early: dict[str, DocumentError] = {}
    choice = tools.models.named(choose_embedding(tools.settings, tools.weights_present))
    tokenizer = TokenizerChoice.of(choice.adapter, tools.models.embedder_options(choice.model))

    def tasks() -> Iterator[tuple[str, ParseTask]]:
        for label, path in files.items():
            try:
                document = _read(path)
                route = route_of(document, tools.routes, tools.inspect)
            except DocumentError as error:
                early[label] = error
                continue
            routes[label] = route
            options = tools.settings.chunking.for_type(route.doc_type)
            yield label, ParseTask(document, route.name, options, tokenizer, tools.inspect)

    done: dict[str, FileOutcome[R]] = {}

    def take(label: str) -> FileOutcome[R]:
        return done.pop(label) if label in done else FileOutcome(label, files[label].name, error=early[label])

    order = list(files)
    position = 0
    for outcome in tools.pool.run(task, tasks()):
        label = outcome.name
        route = routes[label]
        error = outcome.error and attributed(outcome.error, route)
        done[label] = FileOutcome(label, files[label].name, route, outcome.result, error)
        while position < len(order) and (order[position] in done or order[position] in early):
            yield take(order[position])
            position += 1
    for label in order[position:]:
        yield take(label)


def _read(path: Path) -> SourceDocument:
    try:
        return SourceDocument(path.name, path.read_bytes())
    except OSError as error:
        cause = error.strerror or str(error)
        raise CorruptDocumentError(path.name, f"The file of {path.name!r} cannot be read: {cause}.") from error


def _files(paths: Sequence[Path]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for path in paths:
        if path.is_dir():
            files.update(
                {found.relative_to(path).as_posix(): found for found in sorted(path.rglob("*")) if found.is_file()}
            )
        elif path.is_file():
            files[path.name if path.name not in files else path.as_posix()] = path
        else:
            raise BuildError(f"{path} does not exist.")
    return files
