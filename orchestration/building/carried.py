"""What the indexes of a new version take over from the previous one: records of the vector store, analysed terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...domain.chunks import Category, RuleChunk
from ...domain.errors import HandbookCorruptError
from ...domain.manifest import Manifest
from ...domain.names import COLLECTIONS, collection_name
from ...ports.analyzer import Analyzer
from ...ports.handbook_store import HandbookStore, StagedVersion
from ...ports.vector_store import VectorStoreAdapter
from .vectors import record_metadata

_WORTH_COPYING = 0.5
"""Share of records that have to be the same before the files of the previous store are copied."""


@dataclass(frozen=True, slots=True)
class Carried:
    """The previous version and its chunks, as far as they are of use.

    Attributes:
        store: Where versions lie.
        previous: None when there is none.
        chunks: Its chunks by category.
        same_model: Its vectors may be taken over.
    """

    store: HandbookStore | None = None
    previous: Manifest | None = None
    chunks: Mapping[Category, Sequence[RuleChunk]] = field(default_factory=dict)
    same_model: bool = False

    def records(
        self,
        target: VectorStoreAdapter,
        adapter: str,
        version: str,
        searched: Mapping[Category, Sequence[RuleChunk]],
    ) -> frozenset[str]:
        """Take over the records that are the same but for version and number.

        Args:
            target: The new version's store, still empty.
            adapter: Its adapter.
            version: The new version.
            searched: Its chunks without parents.

        Returns:
            Ids of the chunks whose records are in the store now.
        """
        previous, store = self.previous, self.store
        if previous is None or store is None or not self.same_model or previous.vector_store != adapter:
            return frozenset()
        names: dict[str, str] = {}
        ids: dict[str, dict[str, str]] = {}
        for category, group in searched.items():
            same = _same_records(self.chunks.get(category, ()), group)
            if same:
                old = collection_name(category, previous.version)
                names[old], ids[old] = collection_name(category, version), same
        if sum(map(len, ids.values())) < _WORTH_COPYING * sum(map(len, searched.values())):
            return frozenset()
        try:
            taken = target.take_over(store.vector_folder(previous.version), names, ids)
        except HandbookCorruptError:
            return frozenset()
        return frozenset(new for old, same in ids.items() if names[old] in taken for new in same.values())

    def analysed(
        self, staged: StagedVersion, category: Category, chunks: Sequence[RuleChunk], analyzer: Analyzer
    ) -> list[Sequence[str]]:
        """Return the terms of chunks, analysing only texts that are new, and keep them for the next build.

        Args:
            staged: The version under construction.
            category: The chunks' category.
            chunks: Chunks that are searched.
            analyzer: The analyzer of the keyword channel.
        """
        collection, fingerprint = COLLECTIONS[category], analyzer.fingerprint
        known: dict[str, Sequence[str]] = {}
        if self.previous is not None and self.store is not None:
            known.update(self.store.terms(self.previous.version, collection, fingerprint))
        terms: dict[str, Sequence[str]] = {}
        for chunk in chunks:
            text_hash = chunk.search_hash
            if text_hash not in terms:
                found = known.get(text_hash)
                terms[text_hash] = analyzer.analyze(chunk.search_text) if found is None else found
        staged.write_terms(collection, fingerprint, terms)
        return [terms[chunk.search_hash] for chunk in chunks]


NOTHING_CARRIED = Carried()
"""There is no previous version."""


def _same_records(before: Sequence[RuleChunk], now: Sequence[RuleChunk]) -> dict[str, str]:
    """Return new id by old id of chunks whose text, vector and metadata are the same."""
    by_place = {(chunk.doc_id, chunk.position): chunk for chunk in before if not chunk.is_parent}
    same: dict[str, str] = {}
    for chunk in now:
        old = by_place.get((chunk.doc_id, chunk.position))
        if (
            old is not None
            and old.content == chunk.content
            and old.headings == chunk.headings
            and old.search_text == chunk.search_text
            and record_metadata(old) == record_metadata(chunk)
        ):
            same[old.chunk_id] = chunk.chunk_id
    return same
