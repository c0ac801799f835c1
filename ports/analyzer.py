"""Port: from text to search terms."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class AnalyzerOptions:
    """Adapter-specific settings from the configuration."""

    options: Mapping[str, object] = field(default_factory=dict)


@runtime_checkable
class Analyzer(Protocol):
    """Turns a text into the terms that a keyword index holds.

    Contract (kept by `kisoku.testing.AnalyzerContract`):

    - Deterministic; safe to call from several threads.
    - Width and case are folded (NFKC, casefold) on both sides, identifiers and numbers stay whole ("F001", "3.2").
    - A text without letters, digits or ideographs gives no terms. No term is empty or holds white space.
    """

    @property
    def name(self) -> str:
        """Short stable name, recorded in the manifest ("auto")."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes whenever terms may differ (dictionary, library version, options); a change rebuilds the index."""
        ...

    def analyze(self, text: str) -> list[str]:
        """Return the terms of a text that is stored."""
        ...

    def analyze_query(self, text: str) -> list[str]:
        """Return the terms of a query; a Han-only query may be read as Japanese and as Chinese."""
        ...
