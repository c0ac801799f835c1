"""The gate's model: a logistic regression over few measurements, calibrated per embedding model."""

import math
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Measurement = Literal["sentence", "vector", "coverage", "related_coverage", "unknown_names", "open_quantity"]
MEASUREMENTS: tuple[Measurement, ...] = (
    "sentence",
    "vector",
    "coverage",
    "related_coverage",
    "unknown_names",
    "open_quantity",
)
Measured = Mapping[Measurement, float | None]
"""By name; None: it says nothing for this query; absent: it cannot be measured here.

- sentence: greatest cosine of the query with one sentence of the candidates.
- vector: greatest cosine of the query with a chunk.
- coverage: greatest share of the query's words, by rarity, that one candidate holds.
- related_coverage: the same of the first few candidates, where a word of like meaning counts in part.
- unknown_names: share of names that the handbook never mentions.
- open_quantity: 1 when a number is asked for that no candidate gives; less, the more of the query's words stand around
  one; 0 when none is asked for.
"""
SIGNS: Mapping[Measurement, int] = {
    "sentence": -1,
    "vector": -1,
    "coverage": -1,
    "related_coverage": -1,
    "unknown_names": 1,
    "open_quantity": 1,
}
"""Which way a measurement must point; a calibration that finds otherwise has found noise."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class GateWeight(_Part):
    """How one measurement counts: weight x (value - mean) / scale."""

    mean: float
    scale: Annotated[float, Field(gt=0)]
    weight: float


class GateModel(_Part):
    """One regression over the measurements it names.

    Attributes:
        weights: By measurement.
        intercept: Log odds of an average query.
        threshold: Probability of being unanswerable from which a search is refused.
    """

    weights: dict[Measurement, GateWeight]
    intercept: float
    threshold: Annotated[float, Field(gt=0, lt=1)]

    def probability(self, measured: Measured) -> float | None:
        """Return the probability that the handbook does not answer, None when a measurement is absent."""
        if not self.weights.keys() <= measured.keys():
            return None
        odds = self.intercept
        for name, weight in self.weights.items():
            value = measured[name]
            if value is not None:
                odds += weight.weight * (value - weight.mean) / weight.scale
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, odds))))


class GateProfile(_Part):
    """What a calibration found for an embedding model.

    Attributes:
        model: Name of the embedding model, `any` for the profile of words alone.
        calibrated: On what, when and with what result, for people.
        models: In order of preference; the first whose measurements are all there decides.
    """

    model: str
    calibrated: str = ""
    models: Annotated[tuple[GateModel, ...], Field(min_length=1)]

    def judge(self, measured: Measured) -> tuple[GateModel, float] | None:
        """Return the model that decides and its probability, None when none can."""
        for model in self.models:
            probability = model.probability(measured)
            if probability is not None:
                return model, probability
        return None
