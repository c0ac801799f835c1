"""Embedding the texts of several searches in one call."""

from collections.abc import Sequence
from dataclasses import replace

from ...config.settings import Settings
from .stages.query import embed_queries
from .state import RetrievalState
from .version import OpenVersion


def embed_together(settings: Settings, version: OpenVersion, states: Sequence[RetrievalState]) -> list[RetrievalState]:
    """Return the states with the vectors of their queries and contexts; each different text is embedded once.

    A model that cannot be used leaves the states as they are: every search then degrades by itself, with its notice.

    Args:
        settings: Whether vectors and contexts count.
        version: Whose model.
        states: Searches of that version, understood.
    """
    retrieval = settings.retrieval
    if not retrieval.vector.enabled:
        return list(states)
    contexts = [s.request.context.text() if retrieval.context_weight > 0 else "" for s in states]
    texts = list(dict.fromkeys(text for text in (*(s.request.query for s in states), *contexts) if text))
    if not texts:
        return list(states)
    try:
        rows = dict(zip(texts, embed_queries(version, texts).matrix, strict=True))
    except Exception:  # noqa: BLE001  # a model's fault of any kind; each search finds it again and says so
        return list(states)
    return [
        replace(state, query_vector=rows[state.request.query], context_vector=rows.get(context))
        for state, context in zip(states, contexts, strict=True)
    ]
