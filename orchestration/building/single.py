"""One document alone: the set of documents of a new version that differs from the active one in a single place."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...domain.chunks import Category
from ...domain.errors import HandbookError
from ...domain.manifest import Failure, Manifest, SourceFile
from ...domain.names import document_name
from .documents import Document, UploadedFile, resolve_documents


@dataclass(frozen=True, slots=True)
class SingleChange:
    """Documents of a version of which all but one stay as they are.

    Attributes:
        documents: Every document, sorted by name; those that stay carry no bytes.
        failures: What the active version records of documents that could not be read, but for the one at hand.
    """

    documents: tuple[Document, ...]
    failures: tuple[Failure, ...]


def replaced(
    manifest: Manifest, file: UploadedFile, category: str | None, partition: str | None = None
) -> SingleChange:
    """Return the documents of a version with one of them changed or added.

    Args:
        manifest: The active version.
        file: The document.
        category: Its category; None for the one it has already.
        partition: Its partition; None for the one it has already.

    Raises:
        HandbookError: The name is refused, or a new document has no category.
    """
    name = document_name(file.name)
    known = manifest.source(name)
    if category is None:
        if known is None:
            raise HandbookError(
                f"{manifest.version} has no document {name!r} yet, so its category has to be named.",
                hint="Add --category write, design or ref.",
            )
        category = known.type
    if partition is None:
        partition = known.partition if known else ""
    (document,) = resolve_documents([file], {name: category}, {name: partition})
    return _change(manifest, name, [document])


def removed(manifest: Manifest, name: str) -> SingleChange:
    """Return the documents of a version without one of them.

    Raises:
        HandbookError: It is not there.
    """
    name = document_name(name)
    if manifest.source(name) is None and name not in {failure.name for failure in manifest.failures}:
        raise HandbookError(
            f"{manifest.version} has no document {name!r}.", hint="kisoku versions show lists its documents."
        )
    return _change(manifest, name, [])


def _change(manifest: Manifest, name: str, documents: Sequence[Document]) -> SingleChange:
    kept = [_kept(source) for source in manifest.source_files if source.name != name]
    failures = tuple(failure for failure in manifest.failures if failure.name != name)
    return SingleChange(tuple(sorted([*kept, *documents], key=lambda document: document.name)), failures)


def _kept(source: SourceFile) -> Document:
    category: Category = source.type
    return Document(source.name, category, source.hash, b"", partition=source.partition, kept=True)
