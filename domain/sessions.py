"""Sessions: what a finished document says about the rules behind it (requirements, rag-layer §7.5 and §8.3)."""

from pydantic import BaseModel, ConfigDict

from .conflicts import DecisionRecord


class SessionMetadata(BaseModel):
    """What goes into the finished document: the rule version used and every conflict decision."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    session_id: str
    rule_version: str
    created_at: str
    finished_at: str | None
    conflict_decisions: tuple[DecisionRecord, ...]
