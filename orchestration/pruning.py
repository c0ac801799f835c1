"""Deleting old versions that nobody needs any more."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

from ..domain.errors import HandbookCorruptError, HandbookError, NoHandbookError
from ..ports.handbook_store import HandbookStore

Kept = Literal["active", "locked", "newest", ""]


@dataclass(frozen=True, slots=True)
class PrunedVersion:
    """One version: its size in bytes, and why it is kept ("" when it is not)."""

    version: str
    size: int
    kept: Kept


@dataclass(frozen=True, slots=True)
class PruneReport:
    """What pruning did, or would do."""

    versions: tuple[PrunedVersion, ...]
    dry_run: bool

    @property
    def removed(self) -> tuple[str, ...]:
        """Versions that were deleted, oldest first."""
        return tuple(v.version for v in self.versions if not v.kept)

    @property
    def freed(self) -> int:
        """Bytes that became free."""
        return sum(v.size for v in self.versions if not v.kept)


def prune(store: HandbookStore, keep: int, locked: Callable[[], Collection[str]], *, dry_run: bool) -> PruneReport:
    """Delete all versions but the newest, the active one, and those that open sessions are locked to.

    The version that was active before is not safe by itself: `keep` says how far back a rollback shall reach.

    Args:
        store: The handbook; the caller holds its writer's lock.
        keep: How many of the newest versions stay, at least 1.
        locked: Gives the versions that open sessions are locked to, as of now.
        dry_run: Only tell.

    Raises:
        NoHandbookError: There is no version.
        HandbookError: `keep` is below 1.
    """
    if keep < 1:
        raise HandbookError(f"At least one version has to be kept, not {keep}.", hint="Use --keep 1 or more.")
    pointer = store.pointer()
    if pointer is None:
        raise NoHandbookError("There is no handbook yet.", hint="Build one with: kisoku build DIR")
    versions = store.versions()
    newest, in_use = set(versions[-keep:]), set(locked())
    found = []
    for version in versions:
        kept: Kept = ""
        if version == pointer.version:
            kept = "active"
        elif version in in_use:
            kept = "locked"
        elif version in newest:
            kept = "newest"
        size = _size(store, version)
        unused = not kept and (dry_run or _removed(store, version, locked))
        found.append(PrunedVersion(version, size, kept if kept or unused else "locked"))
    return PruneReport(tuple(found), dry_run)


def _removed(store: HandbookStore, version: str, locked: Callable[[], Collection[str]]) -> bool:
    def still_unused() -> bool:
        # A session may have been locked to it since the list was read.
        return version not in locked()

    return store.remove(version, still_unused=still_unused)


def _size(store: HandbookStore, version: str) -> int:
    try:
        return store.size(version)
    except (OSError, HandbookCorruptError):
        return 0
