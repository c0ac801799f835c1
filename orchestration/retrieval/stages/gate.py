"""Gates: a measured value that is too low ends a search, so that nothing further is spent on it.

Shared by all pipelines. A gate refuses with a code (requirements, two-stage-cascade) and a notice of the same name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ....domain.notices import GateCode, Language, notice
from ..state import RetrievalState


def refuse(state: RetrievalState, gate: GateCode, language: Language, detail: str = "") -> RetrievalState:
    """Return the state as refused by a gate; the engine stops there.

    Args:
        state: The search so far; its candidates stay for the trace.
        gate: Which gate.
        language: Of the notice.
        detail: What was measured, in a few words.
    """
    return replace(state.with_notice(notice(gate, language, detail)), refused=True, gate=gate)


@dataclass(frozen=True, slots=True)
class Gate:
    """A gate: refuses with `code` what measures less than `least`.

    Attributes:
        code: The gate's code.
        least: The smallest value that passes.
    """

    code: GateCode
    least: float

    def passes(self, measured: float) -> bool:
        """Return whether a value passes; what is no number does not."""
        return measured >= self.least

    def check(self, state: RetrievalState, measured: float, language: Language) -> RetrievalState:
        """Return the state, refused when the measured value is too low."""
        if self.passes(measured):
            return state
        return refuse(state, self.code, language, f"{measured:.4g} < {self.least:.4g}")

    def details(self, measured: float) -> Mapping[str, Any]:
        """Return what the trace says of the gate."""
        return {"gate": self.code, "measured": measured, "least": self.least, "passed": self.passes(measured)}
