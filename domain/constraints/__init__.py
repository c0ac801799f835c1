"""Constraints that rules state, and when two of them cannot both hold (spec: conflicts)."""

from .detect import DEFAULT_MIN_CONFIDENCE, detect_conflicts
from .lexicon import Lexicon
from .scan import scan_conflicts

__all__ = ["DEFAULT_MIN_CONFIDENCE", "Lexicon", "detect_conflicts", "scan_conflicts"]
