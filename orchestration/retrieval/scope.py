"""Which part of a version a search reads: categories and partitions."""

from dataclasses import dataclass

from ...domain.chunks import Category
from ...domain.manifest import Manifest, SourceFile
from ...domain.names import COLLECTIONS
from ...domain.partitions import COMMON


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search reads.

    Attributes:
        categories: Categories that the version has, of those asked for.
        partitions: Named partitions; None for everything. Documents in no partition are always read.
    """

    categories: tuple[Category, ...]
    partitions: tuple[str, ...] | None = None

    def indexes(self, manifest: Manifest) -> tuple[tuple[Category, str | None], ...]:
        """Return the keyword indexes to ask: category, and partition or None for the whole category."""
        found: list[tuple[Category, str | None]] = []
        for category in self.categories:
            parts = manifest.partitions_of(category)
            if self.partitions is None or not parts:
                found.append((category, None))
            else:
                found.extend((category, part) for part in parts if self._reads(part))
        return tuple(found)

    def condition(self, manifest: Manifest, category: Category) -> dict[str, list[str]] | None:
        """Return the condition on vectors of a category, None when all of it is read."""
        parts = manifest.partitions_of(category)
        if self.partitions is None or not parts:
            return None
        return {"partition": [part for part in parts if self._reads(part)]}

    def documents(self, manifest: Manifest) -> tuple[SourceFile, ...]:
        """Return the documents that are read."""
        return tuple(s for s in manifest.source_files if s.type in self.categories and self._reads(s.partition))

    def children(self, manifest: Manifest) -> int:
        """Return how many chunks are searched, parents left out."""
        if not manifest.source_files:
            # An evaluation set: passages without documents.
            return sum(manifest.collections[COLLECTIONS[c]].chunk_count for c in self.categories)
        return sum(s.chunk_count - s.parent_count for s in self.documents(manifest))

    def _reads(self, partition: str) -> bool:
        return self.partitions is None or partition == COMMON or partition in self.partitions
