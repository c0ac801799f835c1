"""Refuses what the handbook does not answer, so that nobody writes from rules that only look related."""

from dataclasses import dataclass
from typing import Any

from ....config.gate_profiles import gate_profile
from ....config.settings import GateSettings
from ....domain.notices import Language
from ..answerability import Measurements, measure
from ..scope import Scope
from ..state import RetrievalState, StageResult
from ..version import OpenVersion
from .gate import refuse


@dataclass(frozen=True, slots=True)
class AnswerabilityStage:
    """Gate `low_relevance`: a calibrated model judges whether the candidates can hold an answer.

    A small handbook is never judged: what it does not mention says little of it.
    """

    settings: GateSettings
    language: Language
    name: str = "answerability"

    def run(self, version: OpenVersion, state: RetrievalState) -> StageResult:
        """Judge."""
        count = len(state.chunks)
        size = Scope(tuple(version.manifest.categories)).children(version.manifest)
        skipped = self._skipped(state, size)
        if skipped:
            return StageResult(state, count, count, {"skipped": skipped})
        try:
            measured = measure(version, state)
        except Exception as error:  # noqa: BLE001  # a damaged index has its own notice; without measurements nothing is refused
            return StageResult(state, count, count, {"skipped": f"cannot be measured: {error}"})
        return self._judged(version, state, measured)

    def _skipped(self, state: RetrievalState, size: int) -> str:
        if not self.settings.enabled:
            return "off"
        if not state.fused:
            return "nothing was found"
        if size < self.settings.least_chunks:
            return f"a handbook of {size} chunks is too small to judge by"
        return ""

    def _judged(self, version: OpenVersion, state: RetrievalState, measured: Measurements) -> StageResult:
        count = len(state.chunks)
        profile = gate_profile(version.manifest.embedding.model, self.settings.profile)
        details: dict[str, Any] = {
            "gate": "low_relevance",
            "profile": profile.model,
            "measured": {name: None if value is None else round(value, 4) for name, value in measured.items()},
        }
        judged = profile.judge(measured)
        if judged is None:
            return StageResult(state, count, count, details | {"skipped": "the profile needs other measurements"})
        model, probability = judged
        threshold = self.settings.threshold or model.threshold
        refused = probability >= threshold
        details |= {
            "by": list(model.weights),
            "probability": round(probability, 4),
            "threshold": threshold,
            "passed": not refused,
        }
        if refused:
            state = refuse(state, "low_relevance", self.language, f"{probability:.2f} >= {threshold:.2f}")
        return StageResult(state, count, 0 if refused else count, details)
