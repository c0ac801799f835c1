"""What became of each document, and what of it goes into the version."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...domain.chunks import CATEGORIES, Category, RuleChunk
from ...domain.errors import DocumentError, SkippedDocumentError
from ...domain.manifest import Failure, Manifest, SourceFile
from .documents import Document
from .numbering import ChunkNumbers, by_document
from .parsing import ParsedDocument
from .plan import BuildPlan, PlannedDocument
from .progress import DocumentReport
from .vectors import VectorCount


@dataclass(slots=True)
class Outcome:
    """Documents as parsed, those that could not be, and files that are no documents."""

    parsed: dict[str, ParsedDocument] = field(default_factory=dict)
    failures: list[DocumentError] = field(default_factory=list)
    skipped: list[DocumentError] = field(default_factory=list)

    def add(self, error: DocumentError) -> None:
        """Note why a document has no chunks; what is no document at all is no failure."""
        (self.skipped if isinstance(error, SkippedDocumentError) else self.failures).append(error)


def without_failed(plan: BuildPlan, outcome: Outcome, previous: Manifest | None) -> BuildPlan:
    """Leave out what could not be read; what was readable before and is not now counts as deleted."""
    gone = {e.document for e in (*outcome.failures, *outcome.skipped)}
    kept = tuple(p for p in plan.documents if p.document.name not in gone)
    lost = {s.name for s in previous.source_files if s.name in gone} if previous else set[str]()
    return BuildPlan(
        kept, tuple(sorted({*plan.deleted, *lost})), plan.recipe_changed, plan.same_model, plan.invalidated
    )


def failures_of(outcome: Outcome, documents: Sequence[Document]) -> tuple[Failure, ...]:
    """Return the failures as the manifest records them."""
    hashes = {d.name: d.hash for d in documents}
    return tuple(
        Failure(name=e.document, hash=hashes[e.document], category=e.category, message=e.message)
        for e in outcome.failures
    )


def number_chunks(
    version: str, plan: BuildPlan, outcome: Outcome, before: Mapping[Category, Sequence[RuleChunk]]
) -> dict[Category, list[RuleChunk]]:
    """Return the chunks of the new version by category, documents in the order of their names."""
    numbers = ChunkNumbers(version)
    old = {category: by_document(chunks) for category, chunks in before.items()}
    numbered: dict[Category, list[RuleChunk]] = {category: [] for category in CATEGORIES}
    for planned in plan.documents:
        name, category = planned.document.name, planned.document.category
        if planned.state == "unchanged":
            chunks = numbers.taken_over(category, old.get(category, {}).get(name, []))
        else:
            chunks = numbers.from_drafts(
                name, category, planned.route, outcome.parsed[name].drafts, planned.document.partition
            )
        numbered[category].extend(chunks)
    return {category: chunks for category, chunks in numbered.items() if chunks}


def source_file(planned: PlannedDocument, outcome: Outcome, previous: Manifest | None) -> SourceFile:
    """Return a document's entry in the manifest."""
    document, before = planned.document, planned.before
    if planned.state == "unchanged" and before is not None and previous is not None:
        return before.model_copy(update={"built": f"reuse_from_{previous.version}"})
    parsed = outcome.parsed[document.name]
    return SourceFile(
        name=document.name,
        hash=document.hash,
        type=document.category,
        built="rebuilt",
        doc_type=planned.route.doc_type,
        chunk_count=len(parsed.drafts),
        chunker=planned.route.label,
        provider=planned.route.provider,
        title=parsed.title,
        omitted_characters=dict(parsed.omitted),
        partition=document.partition,
        parent_count=sum(draft.is_parent for draft in parsed.drafts),
    )


def document_report(
    planned: PlannedDocument, numbered: Mapping[Category, Sequence[RuleChunk]], count: VectorCount
) -> DocumentReport:
    """Return what a report says of a document."""
    document = planned.document
    mine = [c for c in numbered.get(document.category, ()) if c.doc_id == document.name]
    embedded = sum(c.search_hash in count.embedded and not c.is_parent for c in mine)
    return DocumentReport(document.name, document.category, planned.state, len(mine), embedded)
