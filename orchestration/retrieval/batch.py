"""Preparing several searches together: understood one by one, embedded in one call."""

from collections.abc import Sequence
from dataclasses import replace

from ...config.settings import Settings
from ...domain.names import BUILTIN_VERSION
from ...domain.search import SearchRequest
from .engine import RetrievalEngine
from .stages.query import embed_queries
from .state import RetrievalState
from .version import OpenVersion, OpenVersions


def prepare_together(
    engine: RetrievalEngine, versions: OpenVersions, settings: Settings, asked: Sequence[tuple[str, SearchRequest]]
) -> list[RetrievalState | None]:
    """Understand every query, then embed all texts of a version in one call.

    Args:
        engine: The pipeline.
        versions: Where versions are opened.
        settings: Whether vectors and contexts count.
        asked: Version name and request of each search.

    Returns:
        One state per search for `RetrievalEngine.run`; None for the built-in rules, which are not searched.
    """
    states: list[RetrievalState | None] = [
        None if name == BUILTIN_VERSION else engine.prepare(versions.get(name), request) for name, request in asked
    ]
    for version in dict.fromkeys(name for name, _ in asked if name != BUILTIN_VERSION):
        places = [place for place, (name, _) in enumerate(asked) if name == version]
        mine = [state for place in places if (state := states[place]) is not None]
        for place, state in zip(places, embed_together(settings, versions.get(version), mine), strict=True):
            states[place] = state
    return states


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
