"""Gates: what passes, what refuses, and what is said of it."""

import pytest
from kisoku.domain.notices import GATE_CODES, LANGUAGES, notice
from kisoku.domain.search import SearchRequest
from kisoku.orchestration.retrieval.stages.gate import Gate, refuse
from kisoku.orchestration.retrieval.state import RetrievalState

STATE = RetrievalState(SearchRequest(query="表", agent="qa", categories=("write",), top_k=5))


@pytest.mark.parametrize(("measured", "passed"), [(0.31, True), (0.3, True), (0.29, False), (float("nan"), False)])
def test_the_least_value_passes(measured, passed):
    gate = Gate("vector_low_score", 0.3)
    state = gate.check(STATE, measured, "en")
    assert state.refused is not passed
    assert gate.details(measured)["passed"] is passed


def test_a_refusal_names_gate_and_measure():
    state = Gate("bm25_low_recall", 5).check(STATE, 2, "en")
    assert (state.gate, [n.code for n in state.notices]) == ("bm25_low_recall", ["bm25_low_recall"])
    assert state.notices[0].detail == "2 < 5"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", GATE_CODES)
def test_every_gate_speaks_every_language(code, language):
    state = refuse(STATE, code, language, "why")
    assert state.notices == (notice(code, language, "why"),)
    assert state.notices[0].text
