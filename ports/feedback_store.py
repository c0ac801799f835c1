"""Port: where feedback on searches is kept."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from ..domain.feedback import FeedbackRecord


class FeedbackStore(ABC):
    """A part of the session database.

    Contract (kept by `tests/contract/test_feedback_store.py`):

    - What was written is there after the process dies; reading makes nothing.
    - A record whose id is there already is left as it is, so that a file can be imported twice.
    """

    @abstractmethod
    def add_feedback(self, records: Sequence[FeedbackRecord]) -> int:
        """Store remarks in one transaction and return how many were new."""

    @abstractmethod
    def feedback(self) -> Sequence[FeedbackRecord]:
        """Return all remarks, oldest first."""
