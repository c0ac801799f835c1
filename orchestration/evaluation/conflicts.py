"""Conflict predictions for labelled pairs and retrieved sets (spec: quality, `kisoku eval conflicts`)."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from ...domain.conflicts import RuleText
from ...domain.constraints import DEFAULT_MIN_CONFIDENCE, Lexicon, detect_conflicts
from .lines import read_lines


class LabelledText(BaseModel):
    """A chunk of the evaluation data; other fields than these are ignored."""

    model_config = ConfigDict(frozen=True)

    doc: str
    headings: tuple[str, ...] = ()
    text: str

    def as_rule(self, key: str) -> RuleText:
        """Return the chunk as the detector takes it."""
        return RuleText(key=key, document=self.doc, headings=self.headings, text=self.text)


class PairPrediction(BaseModel):
    """One line of a pair prediction file: `{"id", "conflict", "confidence"}`.

    Attributes:
        id: Of the pair.
        conflict: The two rules cannot both hold.
        confidence: 0 to 1; 0 when nothing was found.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    conflict: bool
    confidence: float


class SetPrediction(BaseModel):
    """One line of a set prediction file: `{"id", "groups"}`.

    Attributes:
        id: Of the set.
        groups: Indices of the chunks of each conflict group.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    groups: tuple[tuple[int, ...], ...]


class _Pair(BaseModel):
    id: str
    a: LabelledText
    b: LabelledText


class _Set(BaseModel):
    id: str
    chunks: tuple[LabelledText, ...]


def predict_pairs(
    path: Path, lexicon: Lexicon, *, min_confidence: float = DEFAULT_MIN_CONFIDENCE
) -> Iterator[PairPrediction]:
    """Yield a prediction for every pair of a JSON Lines file, in order.

    Args:
        path: Lines `{"id", "a": {"doc", "headings", "text"}, "b": {…}}`.
        lexicon: The rule lexicon.
        min_confidence: Threshold of the detector.

    Raises:
        ConfigError: The file cannot be read, or a line has another shape.
    """
    for pair in read_lines(path, _Pair):
        groups = detect_conflicts((pair.a.as_rule("a"), pair.b.as_rule("b")), lexicon, min_confidence=min_confidence)
        confidence = max((group.confidence for group in groups), default=0.0)
        yield PairPrediction(id=pair.id, conflict=bool(groups), confidence=confidence)


def predict_sets(
    path: Path, lexicon: Lexicon, *, min_confidence: float = DEFAULT_MIN_CONFIDENCE
) -> Iterator[SetPrediction]:
    """Yield the conflict groups of every retrieved set of a JSON Lines file, in order.

    Args:
        path: Lines `{"id", "chunks": [{"doc", "headings", "text"}, …]}`.
        lexicon: The rule lexicon.
        min_confidence: Threshold of the detector.

    Raises:
        ConfigError: The file cannot be read, or a line has another shape.
    """
    for item in read_lines(path, _Set):
        texts = tuple(chunk.as_rule(str(index)) for index, chunk in enumerate(item.chunks))
        groups = detect_conflicts(texts, lexicon, min_confidence=min_confidence)
        indices = tuple(tuple(int(member.chunk_id) for member in group.members) for group in groups)
        yield SetPrediction(id=item.id, groups=indices)
