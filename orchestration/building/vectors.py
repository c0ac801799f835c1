"""Vectors of a new version: taken over where the text is the same, embedded where it is not."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...domain.chunks import RuleChunk
from ...domain.errors import KisokuError, ModelError
from ...ports.embedder import Embedder
from ...ports.vector_store import MetadataValue, VectorStoreAdapter
from ...ports.vectors import Matrix, Vector

_BATCH = 64
"""Chunks per step of the progress bar; adapters make batches of their own below it."""


@dataclass(frozen=True, slots=True)
class KnownVectors:
    """Vectors of the previous version by hash of the embedded text, read from its store when they are needed."""

    store: VectorStoreAdapter
    places: Mapping[str, tuple[str, str]]
    """Collection name and chunk id by hash of the embedded text."""

    def fetch(self, hashes: Sequence[str]) -> dict[str, Vector]:
        """Return the vectors of those hashes that are known."""
        by_collection: dict[str, list[tuple[str, str]]] = {}
        for text_hash in hashes:
            place = self.places.get(text_hash)
            if place is not None:
                by_collection.setdefault(place[0], []).append((text_hash, place[1]))
        found: dict[str, Vector] = {}
        for collection, entries in by_collection.items():
            rows = self.store.vectors(collection, [identifier for _, identifier in entries])
            found.update({text_hash: rows[i] for i, (text_hash, _) in enumerate(entries)})
        return found


@dataclass(frozen=True, slots=True)
class VectorCount:
    """How many distinct texts were embedded and taken over, and which hashes were embedded."""

    embedded: frozenset[str]
    reused: frozenset[str]


def vectors_for(
    chunks: Sequence[RuleChunk],
    embedder: Embedder,
    known: KnownVectors | None,
    on_progress: Callable[[int, int, int], None],
) -> tuple[dict[str, Vector], VectorCount]:
    """Return a vector for every distinct embedded text, by its hash.

    Args:
        chunks: Chunks that are searched (no parents).
        embedder: The version's model.
        known: What the previous version has, when it has the same model.
        on_progress: Called with texts embedded, texts to embed, characters embedded.

    Raises:
        ModelError: The model cannot be loaded, or it fails on a text.
    """
    texts: dict[str, str] = {}
    for chunk in chunks:
        texts.setdefault(chunk.search_hash, chunk.search_text)
    found = known.fetch(list(texts)) if known is not None else {}
    reused = frozenset(found)
    missing = [text_hash for text_hash in texts if text_hash not in found]
    characters = 0
    on_progress(0, len(missing), 0)
    for start in range(0, len(missing), _BATCH):
        batch = missing[start : start + _BATCH]
        rows = embedded(embedder, [texts[text_hash] for text_hash in batch])
        found.update({text_hash: rows[i] for i, text_hash in enumerate(batch)})
        characters += sum(len(texts[text_hash]) for text_hash in batch)
        on_progress(start + len(batch), len(missing), characters)
    return found, VectorCount(frozenset(missing), reused)


def embedded(embedder: Embedder, texts: Sequence[str]) -> Matrix:
    """Embed; a model of somebody else's may raise or return anything."""
    try:
        rows = np.asarray(embedder.embed_passages(texts), dtype=np.float32)
    except (KisokuError, MemoryError):
        raise
    except Exception as error:
        cause = f"{type(error).__name__}: {error}".splitlines()[0]
        raise ModelError(f"The embedding model {embedder.name} failed: {cause}.") from error
    expected = (len(texts), embedder.dimension)
    if rows.shape != expected or not np.isfinite(rows).all():
        shown = "numbers that are not finite" if rows.shape == expected else f"an array of shape {rows.shape}"
        raise ModelError(f"The embedding model {embedder.name} returned {shown} for {len(texts)} texts.")
    return rows


def store_chunks(
    store: VectorStoreAdapter, collection: str, chunks: Sequence[RuleChunk], vectors: Mapping[str, Vector]
) -> None:
    """Write chunks and their vectors into a new collection."""
    store.create_collection(collection)
    for start in range(0, len(chunks), 1000):
        batch = chunks[start : start + 1000]
        rows: Matrix = np.stack([vectors[chunk.search_hash] for chunk in batch])
        store.upsert(
            collection,
            [chunk.chunk_id for chunk in batch],
            rows,
            [chunk.content for chunk in batch],
            [record_metadata(chunk) for chunk in batch],
        )


def record_metadata(chunk: RuleChunk) -> dict[str, MetadataValue]:
    """Return what the vector store keeps beside a chunk's text."""
    return {
        "doc_id": chunk.doc_id,
        "doc_type": chunk.doc_type,
        "category": chunk.category,
        "kind": chunk.kind,
        "source_uri": chunk.source_uri,
        "content_hash": chunk.content_hash,
        "position": chunk.position,
        "partition": chunk.partition,
    }
