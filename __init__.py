"""kisoku (規則): versioned rule handbooks for agents that write documents.

Importing the package loads no model and no heavy library; each name below is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .adapters.storage.chroma import ChromaAdapter as ChromaAdapter
    from .domain.answers import Answer as Answer
    from .domain.chunks import RuleChunk as RuleChunk
    from .domain.conflicts import ConflictGroup as ConflictGroup
    from .domain.context import assemble_context as assemble_context
    from .domain.errors import KisokuError as KisokuError
    from .domain.evidence import LookupResult as LookupResult
    from .domain.manifest import Manifest as Manifest
    from .domain.metrics import RetrievalMetrics as RetrievalMetrics
    from .domain.search import SearchArguments as SearchArguments
    from .domain.search import SearchContext as SearchContext
    from .domain.search import SearchResult as SearchResult
    from .orchestration.bootstrap import Kisoku as Kisoku
    from .orchestration.bootstrap import StorageAdapterFactory as StorageAdapterFactory
    from .orchestration.building.documents import UploadedFile as UploadedFile
    from .orchestration.conflicts import ConflictHandler as ConflictHandler
    from .orchestration.generation.agents import AgentSet as AgentSet
    from .orchestration.generation.orchestrator import GenerationOrchestrator as GenerationOrchestrator
    from .orchestration.generation.outline import Outline as Outline
    from .orchestration.handbook import RuleHandbookManager as RuleHandbookManager
    from .orchestration.service import RagService as RagService
    from .orchestration.sessions import SessionVersion as SessionVersion
    from .plugins.markers import hookimpl as hookimpl
    from .ports.vector_store import VectorHit as VectorHit
    from .ports.vector_store import VectorStoreAdapter as VectorStoreAdapter

_PLACES = {
    "Answer": "domain.answers",
    "AgentSet": "orchestration.generation.agents",
    "ChromaAdapter": "adapters.storage.chroma",
    "ConflictGroup": "domain.conflicts",
    "ConflictHandler": "orchestration.conflicts",
    "GenerationOrchestrator": "orchestration.generation.orchestrator",
    "Kisoku": "orchestration.bootstrap",
    "KisokuError": "domain.errors",
    "LookupResult": "domain.evidence",
    "Manifest": "domain.manifest",
    "Outline": "orchestration.generation.outline",
    "RagService": "orchestration.service",
    "RetrievalMetrics": "domain.metrics",
    "RuleChunk": "domain.chunks",
    "RuleHandbookManager": "orchestration.handbook",
    "SearchArguments": "domain.search",
    "SearchContext": "domain.search",
    "SearchResult": "domain.search",
    "SessionVersion": "orchestration.sessions",
    "StorageAdapterFactory": "orchestration.bootstrap",
    "UploadedFile": "orchestration.building.documents",
    "VectorHit": "ports.vector_store",
    "VectorStoreAdapter": "ports.vector_store",
    "assemble_context": "domain.context",
    "hookimpl": "plugins.markers",
}
__all__ = sorted(_PLACES)  # noqa: PLE0605  # one list of names, not two


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{place}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_PLACES]
