"""What a build has to do, from the documents handed in and the active version's manifest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...domain.chunks import ChunkingOptions
from ...domain.manifest import EmbeddingInfo, KeywordInfo, Manifest, RerankInfo, SourceFile
from .documents import Document
from .parsing import ChunkerRoute

State = Literal["new", "changed", "unchanged", "rechunked"]


@dataclass(frozen=True, slots=True)
class BuildRecipe:
    """Everything beside the documents that decides what a version looks like; compared with the manifest's own."""

    embedding: EmbeddingInfo
    reranker: RerankInfo
    vector_store: str
    keyword: KeywordInfo
    chunking: Mapping[str, ChunkingOptions]


@dataclass(frozen=True, slots=True)
class PlannedDocument:
    """A document, who reads it, and whether its chunks can be taken over."""

    document: Document
    route: ChunkerRoute
    state: State
    before: SourceFile | None


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """What a build has to do.

    Attributes:
        documents: Every readable document, sorted by name.
        deleted: Documents of the previous version that are gone.
        recipe_changed: The version has to be made anew although no document changed.
        same_model: Vectors of the previous version can be taken over.
        invalidated: Why, one sentence each.
    """

    documents: tuple[PlannedDocument, ...]
    deleted: tuple[str, ...] = ()
    recipe_changed: bool = False
    same_model: bool = False
    invalidated: tuple[str, ...] = field(default=())

    @property
    def nothing_to_do(self) -> bool:
        """True when the active version already is what was asked for."""
        return not self.deleted and not self.recipe_changed and all(p.state == "unchanged" for p in self.documents)


def plan_build(
    documents: Sequence[tuple[Document, ChunkerRoute]],
    previous: Manifest | None,
    recipe: BuildRecipe,
) -> BuildPlan:
    """Compare what is asked for with the active version.

    Args:
        documents: Documents with the chunkers that read them.
        previous: Manifest of the active version, None when there is none.
        recipe: What the settings ask for today.
    """
    if previous is None:
        return BuildPlan(tuple(PlannedDocument(d, r, "new", None) for d, r in documents), recipe_changed=True)
    planned = tuple(_compare(d, r, previous, recipe) for d, r in documents)
    names = {d.name for d, _ in documents}
    deleted = tuple(s.name for s in previous.source_files if s.name not in names)
    reasons = tuple(_reasons(planned, previous, recipe))
    settled = (
        # A newer distribution of the same adapter and model makes the same vectors.
        _same_model(recipe.embedding, previous.embedding)
        and recipe.embedding.sentences == previous.embedding.sentences
        and recipe.reranker == previous.reranker
        and recipe.vector_store == previous.vector_store
        and recipe.keyword == previous.keyword
    )
    return BuildPlan(
        planned,
        deleted,
        recipe_changed=not settled,
        same_model=_same_model(recipe.embedding, previous.embedding),
        invalidated=reasons,
    )


def _same_model(now: EmbeddingInfo, before: EmbeddingInfo) -> bool:
    """Return whether vectors of both are comparable; older versions do not record their options."""
    names = (now.adapter, now.model, now.dimension) == (before.adapter, before.model, before.dimension)
    return names and (before.options is None or before.options == now.options)


def _compare(document: Document, route: ChunkerRoute, previous: Manifest, recipe: BuildRecipe) -> PlannedDocument:
    before = previous.source(document.name)
    state: State
    if before is None:
        state = "new"
    elif (before.hash, before.type, before.partition) != (document.hash, document.category, document.partition):
        state = "changed"
    elif (
        before.chunker != route.label
        or previous.chunking.get(route.doc_type) != recipe.chunking.get(route.doc_type)
        # Limits are counted by the model's tokenizer: another model, other chunks.
        or not _same_model(recipe.embedding, previous.embedding)
    ):
        state = "rechunked"
    else:
        state = "unchanged"
    return PlannedDocument(document, route, state, before)


def _reasons(planned: Sequence[PlannedDocument], previous: Manifest, recipe: BuildRecipe) -> list[str]:
    reasons = []
    if recipe.embedding.model != previous.embedding.model or recipe.embedding.adapter != previous.embedding.adapter:
        change = f"{previous.embedding.model} -> {recipe.embedding.model}"
        reasons.append(f"The embedding model changed ({change}): every chunk is embedded again.")
    elif not _same_model(recipe.embedding, previous.embedding):
        reasons.append("The options of the embedding model changed: every chunk is embedded again.")
    doc_types = sorted(
        {p.route.doc_type for p in planned if p.before and previous.chunking.get(p.route.doc_type) is not None}
    )
    reasons.extend(
        f"The chunking options of {doc_type} changed: its documents are cut again."
        for doc_type in doc_types
        if previous.chunking[doc_type] != recipe.chunking.get(doc_type)
    )
    labels = sorted({p.route.label for p in planned if p.before and p.before.chunker != p.route.label})
    reasons.extend(f"The chunker changed ({label}): its documents are cut again." for label in labels)
    if recipe.keyword.analyzer_fingerprint != previous.keyword.analyzer_fingerprint:
        reasons.append("The analyzer changed: every text is analysed again, the keyword indexes are made again.")
    elif recipe.keyword != previous.keyword:
        reasons.append("Analyzer or keyword settings changed: the keyword indexes are made again.")
    if recipe.vector_store != previous.vector_store:
        reasons.append(f"The vector store changed ({previous.vector_store} -> {recipe.vector_store}).")
    if recipe.embedding.sentences != previous.embedding.sentences:
        reasons.append("Vectors of sentences are " + ("added." if recipe.embedding.sentences else "left out."))
    if recipe.reranker != previous.reranker:
        reasons.append("The reranker changed.")
    return reasons
