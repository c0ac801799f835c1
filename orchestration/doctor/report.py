"""What the doctor found."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

Check = Literal[
    "pointer",
    "manifest",
    "chunks",
    "vectors",
    "keyword",
    "sentences",
    "model",
    "leftovers",
    "foreign",
    "writer",
    "sessions",
]
"""What was looked at."""
Repair = Literal["possible", "done", "failed", "none"]
"""`possible`: --repair mends it; `none`: it needs a person, or nothing at all."""


class Finding(BaseModel):
    """Something that is not as it should be, or worth knowing.

    Attributes:
        check: What was looked at.
        severity: `fault` makes the handbook unhealthy, `note` does not.
        version: The version it concerns, None for the whole handbook.
        message: One sentence for a person.
        repair: Whether it can be mended, or was.
        hint: What to do about it, "" for nothing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    check: Check
    severity: Literal["fault", "note"] = "fault"
    version: str | None = None
    message: str
    repair: Repair = "none"
    hint: str = ""


class DoctorReport(BaseModel):
    """What was looked at and found.

    Attributes:
        versions: Versions that were looked at, oldest first.
        findings: Everything found, with what became of it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    versions: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def healthy(self) -> bool:
        """Whether no fault is left."""
        return all(f.severity == "note" or f.repair == "done" for f in self.findings)


def some(names: Sequence[str], most: int = 3) -> str:
    """Return the first names and how many more there are."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
