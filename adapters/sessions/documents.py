"""Documents and their chapters in the session database."""

import contextlib
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from ...domain.errors import SessionError
from ...ports.document_store import ChapterRecord, DocumentRecord, DocumentStore
from . import tables


class SqlDocuments(DocumentStore):
    """The part of a SQL session store that keeps documents; the store around it has the connections."""

    @abstractmethod
    def _writing(self) -> contextlib.AbstractContextManager[Connection]:
        """Return a transaction."""

    @abstractmethod
    def _rows(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        """Return what a query finds."""

    def add_document(self, document: DocumentRecord, chapters: Sequence[ChapterRecord]) -> None:
        """Store a document with its chapters in one transaction; the primary key decides between two processes."""
        row = {"session_id": document.session_id, "body": document.model_dump_json()}
        try:
            with self._writing() as connection:
                connection.execute(sa.insert(tables.documents).values(row))
                if chapters:
                    connection.execute(sa.insert(tables.chapters), [_row(chapter) for chapter in chapters])
        except IntegrityError as error:
            raise SessionError(f"Session {document.session_id!r} has a document already.") from error

    def document(self, session_id: str) -> DocumentRecord | None:
        """Return the document of a session."""
        table = tables.documents
        rows = self._rows(sa.select(table.c.body).where(table.c.session_id == session_id))
        return DocumentRecord.model_validate_json(rows[0]["body"]) if rows else None

    def save_chapter(self, chapter: ChapterRecord) -> None:
        """Store a chapter in place of the one with its number."""
        table, row = tables.chapters, _row(chapter)
        this = (table.c.session_id == chapter.session_id) & (table.c.number == chapter.number)
        with self._writing() as connection:
            if connection.execute(sa.update(table).where(this).values(row)).rowcount == 0:
                connection.execute(sa.insert(table).values(row))

    def chapters(self, session_id: str) -> Sequence[ChapterRecord]:
        """Return the chapters of a session by number."""
        table = tables.chapters
        query = sa.select(table.c.body).where(table.c.session_id == session_id).order_by(table.c.number)
        return [ChapterRecord.model_validate_json(row["body"]) for row in self._rows(query)]


def _row(chapter: ChapterRecord) -> dict[str, Any]:
    return {"session_id": chapter.session_id, "number": chapter.number, "body": chapter.model_dump_json()}
