"""A search narrowed by what was understood of its query is tried again without, when it finds too little."""

from dataclasses import replace

from ...domain.evidence import Scale, similarity
from ...domain.search import AttemptName, FallbackReason, SearchAttempt, SearchRequest, StageTrace
from .engine import RetrievalEngine
from .state import RetrievalState
from .version import OpenVersion


def search_with_fallback(
    engine: RetrievalEngine,
    version: OpenVersion,
    request: SearchRequest,
    *,
    reference: float,
    scale: Scale,
    prepared: RetrievalState | None = None,
) -> RetrievalState:
    """Search, and search again for the original query in all categories when a narrowed search was poor.

    Args:
        engine: The pipeline.
        version: What is searched.
        request: What is asked.
        reference: Best similarity, 0 to 1, below which a narrowed search is poor (requirements, evidence-lookup §4).
        scale: What the model's cosines mean.
        prepared: The state after understanding, when that was done before.

    Returns:
        The state of the attempt that counts; its trace holds the stages of both and a stage `fallback` between them.
    """
    first = engine.run(version, request, prepared)
    if not first.filtered:
        return replace(first, attempts=(_attempt("UNFILTERED_VECTOR", first, scale),))
    attempt = _attempt("FILTERED_VECTOR", first, scale)
    reason = _reason(attempt, reference)
    if reason is None:
        return replace(first, attempts=(attempt,))
    again = engine.run(version, request.model_copy(update={"plain": True}))
    note = StageTrace(
        stage="fallback",
        milliseconds=0.0,
        incoming=len(first.chunks),
        outgoing=len(again.chunks),
        details={"reason": reason, "similarity": attempt.similarity, "reference": reference, "query": request.query},
        started=again.trace[0].started if again.trace else 0.0,
    )
    notices = {n.code: n for n in again.notices}
    # A refusal of the first attempt is not the answer; its degradations are.
    notices |= {n.code: n for n in first.notices if n.code != first.gate}
    return replace(
        again,
        understood=first.understood,
        notices=tuple(notices.values()),
        trace=(*first.trace, note, *again.trace),
        steps=(*first.steps, *again.steps),
        attempts=(attempt, _attempt("UNFILTERED_VECTOR_RETRY", again, scale)),
        fallback_reason=reason,
    )


def _reason(attempt: SearchAttempt, reference: float) -> FallbackReason | None:
    if not attempt.found:
        return "filtered_vector_no_evidence"
    # Without cosines nothing can be said of the quality; what was found then counts.
    if attempt.similarity is not None and attempt.similarity < reference:
        return "filtered_vector_low_quality"
    return None


def _attempt(name: AttemptName, state: RetrievalState, scale: Scale) -> SearchAttempt:
    cosines = [chunk.vector for chunk in state.chunks if chunk.vector is not None]
    return SearchAttempt(
        name=name,
        query=state.request.query,
        categories=state.request.categories,
        found=0 if state.refused else len(state.chunks),
        similarity=similarity(max(cosines), scale) if cosines else None,
        refused=state.refused,
        gate=state.gate,
    )
