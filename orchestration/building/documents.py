"""The documents of a build: names, hashes, what changed."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...domain.chunks import CATEGORIES, Category, as_category
from ...domain.errors import CorruptDocumentError, DocumentError, HandbookError
from ...domain.names import document_name
from ...domain.partitions import partition_name


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A document as the Parser hands it in: a name, and its bytes or the path of a file that holds them."""

    name: str
    data: bytes | None = None
    path: Path | None = None

    def read(self) -> bytes:
        """Return the bytes.

        Raises:
            OSError: The path cannot be read.
        """
        if self.data is not None:
            return self.data
        if self.path is None:
            raise HandbookError(f"The document {self.name!r} has neither data nor a path.")
        return self.path.read_bytes()


@dataclass(frozen=True, slots=True)
class Document:
    """A document with its one spelling of the name, its category and the hash of its bytes.

    `error` says why the bytes could not be read; they are then empty. `kept` says that they were not given, since
    the document stays as it is in the active version.
    """

    name: str
    category: Category
    hash: str
    data: bytes
    error: DocumentError | None = None
    partition: str = ""
    kept: bool = False


def resolve_documents(
    files: Sequence[UploadedFile], categories: Mapping[str, str], partitions: Mapping[str, str] | None = None
) -> list[Document]:
    """Check names and categories and hash the contents.

    Args:
        files: The whole set of documents.
        categories: A category for each document name.
        partitions: A partition for document names that belong to one.

    Returns:
        Documents sorted by name.

    Raises:
        HandbookError: A name is refused or given twice, or a document has no category.
        RetrievalError: A category is unknown.
    """
    normal = {document_name(name): category for name, category in categories.items()}
    parts = {document_name(name): partition_name(part) for name, part in (partitions or {}).items() if part}
    documents: dict[str, Document] = {}
    for file in files:
        name = document_name(file.name)
        if name in documents:
            raise HandbookError(f"Two documents are called {name!r}.", hint="Rename one of them.")
        category = normal.get(name)
        if category is None:
            raise HandbookError(f"The document {name!r} has no category.", hint=f"Use one of {', '.join(CATEGORIES)}.")
        data, failure = b"", None
        try:
            data = file.read()
        except OSError as error:
            failure = CorruptDocumentError(name, f"The file of {name!r} cannot be read: {error.strerror or error}.")
        digest = "sha256:" + hashlib.sha256(data).hexdigest()
        documents[name] = Document(name, as_category(category), digest, data, failure, parts.get(name, ""))
    return [documents[name] for name in sorted(documents)]
