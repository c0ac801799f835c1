"""What became of files when they were cut, for a rule author to check: `kisoku chunks --report`."""

import functools
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from ..domain.accounting import Account, OutlineEntry
from ..domain.blocks import Anchor, Omission
from ..domain.chunks import ChunkDraft, ChunkedDocument
from ..domain.errors import DocumentError
from .building.parsing import ParseTask, chunk_document
from .chunking import Accountant, ChunkingTools, run_files

LONGEST_TEXT = 2000
"""Characters of one left-out text that are kept."""
_MOST_TEXT = 400_000
"""Characters of all left-out texts of one document that are kept."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One text that is in no chunk on purpose.

    Attributes:
        text: Its beginning, at most `LONGEST_TEXT` characters; "" when the document left out too much to keep.
        characters: Its whole length without white space.
        reason: Why.
        anchor: Where it stands.
    """

    text: str
    characters: int
    reason: str
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class ReportedDocument:
    """What a worker returns of one document.

    Attributes:
        drafts: Its chunks.
        left_out: What is in no chunk, in document order.
        account: What became of every character; None when the chunker does not hand over what it read.
        title: The document's own title.
    """

    drafts: tuple[ChunkDraft, ...]
    left_out: tuple[LeftOut, ...]
    account: Account | None
    title: str


@dataclass(frozen=True, slots=True)
class TokenFigures:
    """Lengths of the chunks that are searched (parents are not), in tokens."""

    least: int
    median: float
    most: int


@dataclass(frozen=True, slots=True)
class FileReport:
    """The report of one file.

    Attributes:
        file: Path relative to the folder given, the name for a single file.
        name: Its name, as source URIs show it.
        doc_type: word, excel, …; "" when no chunker saw it.
        chunker: Registered name of the chunker.
        provider: The chunker's distribution and version.
        title: The document's own title.
        drafts: Chunks.
        left_out: What is in no chunk on purpose.
        account: What became of every character; None when that cannot be said.
        outline: Headings with their chunks; from the chunks' heading paths where there is no account.
        error: Why it was refused or skipped.
    """

    file: str
    name: str
    doc_type: str = ""
    chunker: str = ""
    provider: str = ""
    title: str = ""
    drafts: tuple[ChunkDraft, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    account: Account | None = None
    outline: tuple[OutlineEntry, ...] = field(default=())
    error: DocumentError | None = None

    @property
    def has_gap(self) -> bool:
        """Whether text is neither in a chunk nor left out for a reason."""
        return self.account is not None and self.account.missing > 0

    @property
    def kinds(self) -> dict[str, int]:
        """Chunks by kind, parents apart, the most frequent first."""
        counts = Counter("parent" if draft.is_parent else str(draft.kind) for draft in self.drafts)
        return dict(counts.most_common())

    @property
    def tokens(self) -> TokenFigures | None:
        """Token figures, None when there are no chunks."""
        counts = [draft.token_count for draft in self.drafts if not draft.is_parent]
        return TokenFigures(min(counts), median(counts), max(counts)) if counts else None

    @property
    def coverage(self) -> float | None:
        """Percentage of the characters that are accounted for; None when unknown, 100 for an empty document."""
        if self.account is None:
            return None
        total = self.account.characters
        return 100 * (total - self.account.missing) / total if total else 100.0

    @property
    def by_reason(self) -> dict[str, list[LeftOut]]:
        """What was left out, by reason; the reason with the most characters first."""
        groups: defaultdict[str, list[LeftOut]] = defaultdict(list)
        for item in self.left_out:
            groups[item.reason].append(item)
        sizes = {reason: sum(item.characters for item in items) for reason, items in groups.items()}
        return {reason: groups[reason] for reason in sorted(groups, key=lambda reason: (-sizes[reason], reason))}


def report_files(paths: Sequence[Path], tools: ChunkingTools) -> Iterator[FileReport]:
    """Cut files and report on each, in the order of their paths.

    Raises:
        BuildError: A path does not exist.
    """
    task = functools.partial(report_document, accountant=tools.account)
    for outcome in run_files(paths, tools, task):
        route, document = outcome.route, outcome.result
        if document is None or route is None:
            doc_type = route.doc_type if route else ""
            yield FileReport(outcome.file, outcome.name, doc_type, error=outcome.error)
            continue
        account = document.account
        yield FileReport(
            outcome.file,
            outcome.name,
            route.doc_type,
            route.name,
            route.provider,
            document.title,
            document.drafts,
            document.left_out,
            account,
            account.outline if account else _outline_of(document.drafts),
        )


def report_document(task: ParseTask, accountant: Accountant) -> ReportedDocument:
    """Parse and cut one document and account for its text; runs in a worker process.

    Raises:
        DocumentError: As `parse_document`.
    """
    return chunk_document(task, functools.partial(_reported, accountant))


def _reported(accountant: Accountant, chunked: ChunkedDocument) -> ReportedDocument:
    account = accountant(chunked.extracted, chunked) if chunked.extracted is not None else None
    return ReportedDocument(tuple(chunked.chunks), _bounded(chunked.omissions), account, str(chunked.title))


def _bounded(omissions: Sequence[Omission]) -> tuple[LeftOut, ...]:
    kept = 0
    result: list[LeftOut] = []
    for omission in omissions:
        text = omission.text[:LONGEST_TEXT] if kept < _MOST_TEXT else ""
        kept += len(text)
        characters = len("".join(omission.text.split()))
        result.append(LeftOut(text, characters, str(omission.reason), omission.anchor))
    return tuple(result)


def _outline_of(drafts: Sequence[ChunkDraft]) -> tuple[OutlineEntry, ...]:
    """Return the outline that heading paths show: each new path opens its headings."""
    opened: list[tuple[tuple[str, ...], int]] = []
    counts: Counter[int] = Counter()
    current: list[int] = []
    path: tuple[str, ...] = ()
    for number, draft in enumerate(drafts):
        same = 0
        while same < min(len(path), len(draft.headings)) and path[same] == draft.headings[same]:
            same += 1
        del current[same:]
        for depth in range(same, len(draft.headings)):
            current.append(len(opened))
            opened.append((draft.headings[: depth + 1], number))
        path = draft.headings
        counts.update(() if draft.is_parent else current)
    return tuple(
        OutlineEntry(opening[-1], len(opening), counts[index], before) for index, (opening, before) in enumerate(opened)
    )
