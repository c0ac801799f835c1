"""What a stage is."""

from typing import Protocol

from ..state import RetrievalState, StageResult
from ..version import OpenVersion


class Stage(Protocol):
    """One step of a pipeline."""

    @property
    def name(self) -> str:
        """What the trace calls it."""
        ...

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Return the new state and what was decided."""
        ...
