"""What a build needs from outside."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from ...config.settings import Settings
from ...plugins.manager import PluginManager
from ...ports.sentence_store import SentenceStore
from ...ports.version_archive import VersionArchive
from ...ports.worker_pool import WorkerPool
from ..models import Models, WeightsPresent
from .parsing import Inspect


@dataclass(frozen=True, slots=True)
class BuildTools:
    """What a build needs from outside."""

    plugins: PluginManager
    settings: Settings
    models: Models
    pool: WorkerPool
    inspect: Inspect
    weights_present: WeightsPresent
    clock: Callable[[], datetime]
    tool_version: str
    sentences: SentenceStore | None = None
    archives: VersionArchive | None = None
