"""What differs between two versions, down to the words of a chunk; and versions that cannot be read."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from ..domain.chunks import RuleChunk
from ..domain.errors import HandbookCorruptError
from ..domain.manifest import ActivePointer, Manifest
from ..ports.handbook_store import HandbookStore

Change = Literal["added", "removed", "changed"]
_ALIKE = 0.5
"""Share of common characters from which two chunks of a document count as one that was changed."""
_NEAR = 2
_MOST_PAIRS = 40_000
"""Above so many pairs only chunks under the same heading path or at the same place are compared."""


@dataclass(frozen=True, slots=True)
class VersionState:
    """A version as it is listed: its manifest, or why that cannot be read."""

    version: str
    active: bool
    manifest: Manifest | None
    damage: str = ""


@dataclass(frozen=True, slots=True)
class VersionContent:
    """A version's manifest and all its chunks."""

    manifest: Manifest
    chunks: tuple[RuleChunk, ...]


class ChunkSide(BaseModel):
    """A chunk on one side of a comparison."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    chunk_id: str
    source_uri: str
    headings: tuple[str, ...]
    content: str


class ChunkChange(BaseModel):
    """A chunk that differs.

    Attributes:
        change: added, removed or changed.
        before: The chunk in the older version, None when it was added.
        after: The chunk in the newer version, None when it was removed.
        diff: Unified diff of heading path and content, without the lines that name files.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    change: Change
    before: ChunkSide | None = None
    after: ChunkSide | None = None
    diff: tuple[str, ...] = ()


class DocumentChange(BaseModel):
    """A document that differs, with its chunks that do. `moved` names categories when it changed its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    change: Change
    moved: tuple[str, str] | None = None
    chunks: tuple[ChunkChange, ...] = ()
    unchanged_chunks: int = 0


class VersionDiff(BaseModel):
    """What differs between two versions; `recipe` says in sentences what else than documents does."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    before: str
    after: str
    documents: tuple[DocumentChange, ...]
    unchanged_documents: int
    recipe: tuple[str, ...] = ()

    def count(self, change: Change) -> int:
        """Return how many chunks were added, removed or changed."""
        return sum(c.change == change for d in self.documents for c in d.chunks)


def version_state(store: HandbookStore, version: str, pointer: ActivePointer | None) -> VersionState:
    """Return a version as it is listed."""
    active = pointer is not None and pointer.version == version
    try:
        return VersionState(version, active, store.manifest(version))
    except HandbookCorruptError as error:
        return VersionState(version, active, None, str(error))


def diff_versions(before: VersionContent, after: VersionContent) -> VersionDiff:
    """Compare two versions.

    Chunks of a document are matched in three steps: the same text; then the same heading path, nearest in position;
    then similarity of text. What is left is added or removed.
    """
    old, new = _by_document(before.chunks), _by_document(after.chunks)
    sources = [{s.name: s for s in content.manifest.source_files} for content in (before, after)]
    documents, unchanged = [], 0
    for name in sorted(sources[0].keys() | sources[1].keys()):
        types = [by_name[name].type if name in by_name else None for by_name in sources]
        chunks, same = _chunk_changes(old.get(name, []), new.get(name, []))
        moved = (types[0], types[1]) if types[0] and types[1] and types[0] != types[1] else None
        if not chunks and not moved and None not in types:
            # A file may be saved anew without a change of what it says.
            unchanged += 1
            continue
        change: Change = "added" if types[0] is None else "removed" if types[1] is None else "changed"
        documents.append(
            DocumentChange(name=name, change=change, moved=moved, chunks=tuple(chunks), unchanged_chunks=same)
        )
    return VersionDiff(
        before=before.manifest.version,
        after=after.manifest.version,
        documents=tuple(documents),
        unchanged_documents=unchanged,
        recipe=tuple(_recipe_changes(before.manifest, after.manifest)),
    )


def _by_document(chunks: Iterable[RuleChunk]) -> dict[str, list[RuleChunk]]:
    groups: dict[str, list[RuleChunk]] = {}
    for chunk in chunks:
        groups.setdefault(chunk.doc_id, []).append(chunk)
    for group in groups.values():
        group.sort(key=lambda chunk: chunk.position)
    return groups


def _chunk_changes(old: list[RuleChunk], new: list[RuleChunk]) -> tuple[list[ChunkChange], int]:
    before, after, same = _without_equal(old, new)
    pairs = _matched(before, after)
    partners = {id(pair[1]): pair[0] for pair in pairs}
    matched = {id(pair[0]) for pair in pairs}
    changes = [_changed(partners[id(c)], c) if id(c) in partners else _one(c, "added") for c in after]
    changes += [_one(c, "removed") for c in before if id(c) not in matched]
    return changes, same


def _without_equal(old: list[RuleChunk], new: list[RuleChunk]) -> tuple[list[RuleChunk], list[RuleChunk], int]:
    """Take out chunks with the same text, each as often as it occurs on both sides."""
    waiting: dict[str, list[RuleChunk]] = {}
    for chunk in old:
        waiting.setdefault(chunk.content_hash, []).append(chunk)
    after = []
    for chunk in new:
        partners = waiting.get(chunk.content_hash)
        if partners:
            partners.pop(0)
        else:
            after.append(chunk)
    left = {id(chunk) for group in waiting.values() for chunk in group}
    before = [chunk for chunk in old if id(chunk) in left]
    return before, after, len(new) - len(after)


def _matched(before: Sequence[RuleChunk], after: Sequence[RuleChunk]) -> list[tuple[RuleChunk, RuleChunk]]:
    """Return pairs of an old and a new chunk that are the same rule in two wordings, best pairs first."""
    every = len(before) * len(after) <= _MOST_PAIRS
    scored = []
    for i, old in enumerate(before):
        for j, new in enumerate(after):
            same_place = old.headings == new.headings
            if not every and not same_place and abs(old.position - new.position) > _NEAR:
                continue
            ratio = _similarity(old, new)
            if ratio >= _ALIKE or (same_place and ratio >= _ALIKE / 2):
                scored.append((-(ratio + 0.25 * same_place), abs(old.position - new.position), i, j))
    used: tuple[set[int], set[int]] = (set(), set())
    pairs = []
    for _, _, i, j in sorted(scored):
        if i not in used[0] and j not in used[1]:
            used[0].add(i)
            used[1].add(j)
            pairs.append((before[i], after[j]))
    return pairs


def _similarity(old: RuleChunk, new: RuleChunk) -> float:
    matcher = difflib.SequenceMatcher(None, old.content, new.content, autojunk=False)
    if matcher.real_quick_ratio() < _ALIKE / 2 or matcher.quick_ratio() < _ALIKE / 2:
        return 0.0
    return matcher.ratio()


def _side(chunk: RuleChunk) -> ChunkSide:
    return ChunkSide(
        chunk_id=chunk.chunk_id, source_uri=chunk.source_uri, headings=chunk.headings, content=chunk.content
    )


def _changed(old: RuleChunk, new: RuleChunk) -> ChunkChange:
    lines = list(difflib.unified_diff(old.text.splitlines(), new.text.splitlines(), lineterm="", n=1))
    return ChunkChange(change="changed", before=_side(old), after=_side(new), diff=tuple(lines[2:]))


def _one(chunk: RuleChunk, change: Literal["added", "removed"]) -> ChunkChange:
    sign = "+" if change == "added" else "-"
    diff = tuple(f"{sign}{line}" for line in chunk.text.splitlines())
    if change == "added":
        return ChunkChange(change=change, after=_side(chunk), diff=diff)
    return ChunkChange(change=change, before=_side(chunk), diff=diff)


def _recipe_changes(before: Manifest, after: Manifest) -> Iterable[str]:
    for what, old, new in (
        ("Embedding model", before.embedding.model, after.embedding.model),
        ("Reranker", _reranker(before), _reranker(after)),
        ("Vector store", before.vector_store, after.vector_store),
        ("Analyzer", before.keyword.analyzer_fingerprint, after.keyword.analyzer_fingerprint),
        ("Version of kisoku", before.tool_version, after.tool_version),
    ):
        if old != new:
            yield f"{what}: {old} -> {new}."
    for doc_type in sorted(before.chunking.keys() & after.chunking.keys()):
        if before.chunking[doc_type] != after.chunking[doc_type]:
            yield f"Chunking options of {doc_type} differ."


def _reranker(manifest: Manifest) -> str:
    return manifest.reranker.model if manifest.reranker else "none"
