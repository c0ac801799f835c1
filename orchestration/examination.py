"""Looking for conflicts among the rules of one answer."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ..domain.conflicts import ConflictGroup
from ..domain.notices import Language, Notice, notice
from ..domain.search import ScoredChunk, StageTrace
from .conflicts import ConflictHandler


@dataclass(frozen=True, slots=True)
class Examination:
    """Conflicts that were found, what the caller must know, and the stage for the trace."""

    conflicts: tuple[ConflictGroup, ...]
    notices: tuple[Notice, ...]
    trace: StageTrace


def examine(
    handler: ConflictHandler, chunks: Sequence[ScoredChunk], session_id: str | None, chapter: str, language: Language
) -> Examination:
    """Look for conflicts; a fault there is told and never takes the answer down.

    Args:
        handler: Finds conflicts and keeps those of a session.
        chunks: The rules that are given.
        session_id: The session, None outside one.
        chapter: Title of the chapter that they are for.
        language: Of notices.
    """
    started, began = time.time(), time.perf_counter()
    conflicts: tuple[ConflictGroup, ...] = ()
    notices: tuple[Notice, ...] = ()
    details: dict[str, object] = {}
    try:
        found = handler.examine(chunks, session_id, chapter)
        conflicts = found.groups
        details = {"conflicts": [c.conflict_id for c in conflicts]}
        if found.dropped:
            details["dropped"] = [{"topic": g.topic, "reason": reason} for g, reason in found.dropped]
        if found.model_failure:
            details["model"] = f"unavailable: {found.model_failure}"
            notices = (notice("conflict_model_unavailable", language, found.model_failure),)
    except Exception as error:  # noqa: BLE001  # whatever a lexicon or rule text provokes, the rules are returned
        notices = (notice("conflicts_unavailable", language, str(error)),)
        details = {"degraded": f"{type(error).__name__}: {error}"}
    trace = StageTrace(
        stage="conflicts",
        milliseconds=(time.perf_counter() - began) * 1000,
        incoming=len(chunks),
        outgoing=len(conflicts),
        details=details,
        started=started,
    )
    return Examination(conflicts, notices, trace)
