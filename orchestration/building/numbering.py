"""From drafts to the chunks of a version: ids, positions, parents."""

from collections.abc import Iterable, Mapping, Sequence

from ...domain.chunks import Category, ChunkDraft, RuleChunk, content_hash
from ...domain.names import chunk_id
from .parsing import ChunkerRoute


class ChunkNumbers:
    """Gives chunk ids of one version: each category counts from 1, documents in the order they come."""

    def __init__(self, version: str) -> None:
        self._version = version
        self._last: dict[Category, int] = {}

    def _take(self, category: Category, amount: int) -> list[str]:
        first = self._last.get(category, 0) + 1
        self._last[category] = first + amount - 1
        return [chunk_id(category, self._version, number) for number in range(first, first + amount)]

    def from_drafts(
        self,
        document: str,
        category: Category,
        route: ChunkerRoute,
        drafts: Sequence[ChunkDraft],
        partition: str = "",
    ) -> list[RuleChunk]:
        """Return the chunks of a document that was parsed."""
        ids = self._take(category, len(drafts))
        return [
            RuleChunk(
                chunk_id=ids[position],
                doc_id=document,
                doc_type=route.doc_type,
                content=draft.content,
                headings=draft.headings,
                source_uri=draft.locator.uri(document),
                position=position,
                token_count=draft.token_count,
                category=category,
                kind=draft.kind,
                content_hash=content_hash(draft.content, draft.headings),
                parent_id=None if draft.parent is None else ids[draft.parent],
                is_parent=draft.is_parent,
                partition=partition,
                start=draft.start,
                end=draft.end,
                locator=draft.locator,
            )
            for position, draft in enumerate(drafts)
        ]

    def taken_over(self, category: Category, chunks: Sequence[RuleChunk]) -> list[RuleChunk]:
        """Return the chunks of an unchanged document under the ids of this version."""
        ids = self._take(category, len(chunks))
        renamed: Mapping[str, str] = {chunk.chunk_id: ids[i] for i, chunk in enumerate(chunks)}
        return [
            chunk.model_copy(
                update={
                    "chunk_id": renamed[chunk.chunk_id],
                    "parent_id": None if chunk.parent_id is None else renamed[chunk.parent_id],
                }
            )
            for chunk in chunks
        ]


def by_document(chunks: Iterable[RuleChunk]) -> dict[str, list[RuleChunk]]:
    """Group chunks by document, each in its own order."""
    groups: dict[str, list[RuleChunk]] = {}
    for chunk in chunks:
        groups.setdefault(chunk.doc_id, []).append(chunk)
    for group in groups.values():
        group.sort(key=lambda c: c.position)
    return groups
