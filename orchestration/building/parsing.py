"""From bytes to chunk drafts, one document at a time, in a worker process."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from ...domain.chunks import ChunkDraft, ChunkedDocument, ChunkingOptions
from ...domain.errors import DocumentError, DocumentTooLargeError, UnsupportedDocumentError
from ...plugins.manager import PluginManager, shared_manager
from ...ports.chunker import Chunker, SourceDocument
from ...ports.embedder import Embedder, EmbedderOptions

R = TypeVar("R")
Inspect = Callable[[SourceDocument], SourceDocument]
"""Refuses bad input before it is parsed, and converts what can be converted."""


@dataclass(frozen=True, slots=True)
class ChunkerRoute:
    """Which chunker reads a document: registered name, document type, version, distribution."""

    name: str
    doc_type: str
    version: str
    provider: str

    @property
    def built_in(self) -> bool:
        """Whether the chunker comes with kisoku."""
        return self.provider.split(" ")[0] == "kisoku"

    @property
    def label(self) -> str:
        """Name and version, as manifests record it."""
        return f"{self.name} {self.version}"


class ChunkerRoutes:
    """Chooses a chunker by a document's extension; of two that claim one, the built-in, then the first loaded."""

    def __init__(self, plugins: PluginManager) -> None:
        self._by_suffix: dict[str, ChunkerRoute] = {}
        for name, chunker in plugins.chunkers().items():
            route = ChunkerRoute(name, chunker.doc_type, chunker.version, plugins.provider("kisoku_chunkers", name))
            for suffix in sorted(chunker.suffixes):
                self._by_suffix.setdefault(suffix, route)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Every extension that can be read."""
        return tuple(sorted(self._by_suffix))

    def find(self, document: str) -> ChunkerRoute | None:
        """Return the route of a document's name, None when nobody reads its format."""
        return self._by_suffix.get(SourceDocument(document, b"").suffix)

    def require(self, document: str) -> ChunkerRoute:
        """Return the route of a document's name.

        Raises:
            UnsupportedDocumentError: Nobody reads its format.
        """
        route = self.find(document)
        if route is None:
            known = " ".join(self.suffixes)
            raise UnsupportedDocumentError(
                document, f"No chunker reads {document!r}.", hint=f"Formats: {known}; plugins add others."
            )
        return route


def is_no_document(name: str) -> bool:
    """Tell a lock file of an open editor, or a hidden file, by its name."""
    return name.startswith((".", "~$"))


def route_of(document: SourceDocument, routes: ChunkerRoutes, inspect: Inspect) -> ChunkerRoute:
    """Return who reads a document.

    Raises:
        SkippedDocumentError: It is a lock file of an open editor, or hidden.
        DocumentError: Nobody reads it; encrypted, legacy and broken files have better reasons than "no chunker".
    """
    route = routes.find(document.name)
    if route is None or is_no_document(document.name):
        inspect(document)
        return routes.require(document.name)
    return route


@dataclass(frozen=True, slots=True)
class TokenizerChoice:
    """The embedding adapter and options whose tokenizer counts tokens; picklable for worker processes."""

    adapter: str
    model: str
    batch_size: int = 32
    threads: int = 1
    options: tuple[tuple[str, object], ...] = field(default=(), hash=False)
    """Left out of the hash: settings may hold lists."""

    @classmethod
    def of(cls, adapter: str, options: EmbedderOptions) -> "TokenizerChoice":
        """Return the tokenizer of an embedder with its options."""
        return cls(adapter, options.model, options.batch_size, options.threads, tuple(options.options.items()))

    def embedder(self, plugins: PluginManager) -> Embedder:
        """Create the embedder; only its tokenizer will be loaded."""
        options = EmbedderOptions(
            model=self.model, batch_size=self.batch_size, threads=self.threads, options=dict(self.options)
        )
        return plugins.embedder(self.adapter, options)


@dataclass(frozen=True, slots=True)
class ParseTask:
    """Everything a worker needs for one document."""

    document: SourceDocument
    chunker: str
    options: ChunkingOptions
    tokenizer: TokenizerChoice
    inspect: Inspect


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a worker returns: drafts, characters left out by reason, the document's title."""

    drafts: tuple[ChunkDraft, ...]
    omitted: Mapping[str, int]
    title: str


@lru_cache(maxsize=4)
def _tokenizer(choice: TokenizerChoice) -> Embedder:
    return choice.embedder(shared_manager())


@lru_cache(maxsize=16)
def _chunker(name: str) -> Chunker:
    return shared_manager().chunker(name)


def parse_document(task: ParseTask) -> ParsedDocument:
    """Parse and cut one document; runs in a worker process.

    Raises:
        DocumentError: The document cannot be read, or its chunker failed; a plugin's fault is the document's error.
    """
    return chunk_document(task, _parsed)


def chunk_document(task: ParseTask, then: Callable[[ChunkedDocument], R]) -> R:
    """Parse and cut one document and return what `then` makes of its chunks.

    Raises:
        DocumentError: As `parse_document`; what `then` cannot make anything of is the chunker's fault too.
    """
    document = task.inspect(task.document)
    name = document.name
    try:
        chunked = _chunker(task.chunker).chunk(document, task.options, _tokenizer(task.tokenizer).count_tokens)
        wrong = _nonsense(chunked)
        if not wrong:
            return then(chunked)
    except MemoryError:
        raise
    except DocumentError as error:
        raise _as_known(error, name) from error
    except (Exception, SystemExit) as error:
        cause = f"{type(error).__name__}: {error}".splitlines()[0]
        raise DocumentError(name, f"The {_chunker_label(task.chunker)} failed on {name!r}: {cause}.") from error
    raise DocumentError(name, f"The {_chunker_label(task.chunker)} returned {wrong} for {name!r}.")


def _parsed(chunked: ChunkedDocument) -> ParsedDocument:
    omitted = Counter[str]()
    for omission in chunked.omissions:
        omitted[str(omission.reason)] += len(omission.text)
    return ParsedDocument(tuple(chunked.chunks), dict(omitted), str(chunked.title))


def attributed(error: DocumentError, route: ChunkerRoute) -> DocumentError:
    """Return the error of a document, with the chunker named when it ran out of time, memory or its process.

    The pool sees a worker die and knows nothing of chunkers. Built-in chunkers go without saying.
    """
    label = f"chunker {route.name!r} of {route.provider}"
    if not isinstance(error, DocumentTooLargeError) or route.built_in or label in error.message:
        return error
    message = f"{error.message.removesuffix('.')} (read by the {label})."
    return type(error)(error.document, message, hint=error.hint)


def _as_known(error: DocumentError, document: str) -> DocumentError:
    """Return a chunker's error as one of kisoku's own classes: another's may not survive the way between processes."""
    kind = next(
        k for k in type(error).__mro__ if issubclass(k, DocumentError) and k.__module__ == DocumentError.__module__
    )
    return kind(document, str(getattr(error, "message", error)), hint=str(getattr(error, "hint", "")))


def _chunker_label(name: str) -> str:
    return f"chunker {name!r} of {shared_manager().provider('kisoku_chunkers', name)}"


def _nonsense(chunked: object) -> str:
    """Return what is wrong with the answer of a chunker, "" when all is well."""
    if type(chunked) is not ChunkedDocument:
        return f"{type(chunked).__name__} instead of a ChunkedDocument"
    for index, draft in enumerate(chunked.chunks):
        # Not a subclass: this process may have its module, the one that asked may not.
        if type(draft) is not ChunkDraft:
            return f"{type(draft).__name__} instead of chunk drafts"
        if draft.parent is not None and not 0 <= draft.parent < index:
            return f"a chunk whose parent ({draft.parent}) does not stand before it"
        if not draft.content.strip():
            return "a chunk without text"
    return ""
