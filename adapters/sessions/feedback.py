"""Feedback on searches in the session database."""

import contextlib
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from ...domain.feedback import FeedbackRecord
from ...ports.feedback_store import FeedbackStore
from . import tables


class SqlFeedback(FeedbackStore):
    """The part of a SQL session store that keeps feedback; the store around it has the connections."""

    @abstractmethod
    def _writing(self) -> contextlib.AbstractContextManager[Connection]:
        """Return a transaction."""

    @abstractmethod
    def _rows(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        """Return what a query finds."""

    def add_feedback(self, records: Sequence[FeedbackRecord]) -> int:
        """Store what is new."""
        table, added = tables.feedback, 0
        with self._writing() as connection:
            for record in records:
                known = sa.select(table.c.number).where(table.c.feedback_id == record.feedback_id)
                if connection.execute(known).first() is None:
                    row = {"feedback_id": record.feedback_id, "body": record.model_dump_json()}
                    connection.execute(sa.insert(table).values(row))
                    added += 1
        return added

    def feedback(self) -> Sequence[FeedbackRecord]:
        """Return all remarks."""
        query = sa.select(tables.feedback.c.body).order_by(tables.feedback.c.number)
        return [FeedbackRecord.model_validate_json(row["body"]) for row in self._rows(query)]
