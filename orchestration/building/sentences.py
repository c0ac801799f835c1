"""Sentence vectors of a version: what a search compares a query with, made once instead of at every search."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import compress

import numpy as np

from ...config.settings import Settings
from ...domain.chunks import Category, RuleChunk
from ...domain.errors import HandbookCorruptError
from ...domain.manifest import Manifest
from ...domain.names import COLLECTIONS
from ...domain.related_terms import comparable_terms, term_collection
from ...domain.sentences import sentences
from ...ports.handbook_store import HandbookStore, StagedVersion
from ...ports.sentence_store import SentenceBatch, SentenceVectors
from ..models import BUNDLED_MODEL
from .plan import BuildRecipe
from .progress import Progress, ProgressCallback, Stage
from .tools import BuildTools
from .vectors import embedded

SentencesBefore = Callable[[str], SentenceVectors | None]
"""Gives what the previous version has of a collection ("rules-write"), None when it has nothing to take over."""

_BATCH = 256


def keeps_sentences(settings: Settings, model: str) -> bool:
    """Return whether versions embedded with a model keep sentence vectors.

    `auto` keeps them where embedding is cheap: with the bundled model they add half to the time of a build, with a
    transformer on two cores they would add a quarter of an hour.
    """
    wanted = settings.embedding.sentences
    return model == BUNDLED_MODEL if wanted == "auto" else wanted


def nothing_before(_: str) -> SentenceVectors | None:
    """There is no previous version, or it has another model."""
    return None


def sentences_before(manifest: Manifest, store: HandbookStore, tools: BuildTools) -> SentencesBefore:
    """Return the way to the sentence vectors of a version; what is damaged there is made again."""

    def before(collection: str) -> SentenceVectors | None:
        folder = store.sentence_folder(manifest.version, collection)
        if folder is None or tools.sentences is None or not manifest.embedding.sentences:
            return None
        try:
            return tools.sentences.open(folder)
        except HandbookCorruptError:
            return None

    return before


def write_sentences(  # noqa: PLR0917  # what is written, where, with what, and what is known already
    staged: StagedVersion,
    recipe: BuildRecipe,
    chunks: Mapping[Category, Sequence[RuleChunk]],
    before: SentencesBefore,
    tools: BuildTools,
    tell: ProgressCallback,
) -> None:
    """Write the sentence vectors of every collection, when the recipe says so.

    A sentence that the previous version knows keeps its vector, wherever it stands; only new ones are embedded.

    Args:
        staged: The version under construction.
        recipe: What it is made with.
        chunks: Chunks that are searched (no parents).
        before: Sentence vectors of the previous version with the same model.
        tools: Models and the store.
        tell: Told after every batch.

    Raises:
        ModelError: The model cannot be loaded, or it fails on a text.
    """
    if not recipe.embedding.sentences or tools.sentences is None:
        return
    for category, group in chunks.items():
        collection = COLLECTIONS[category]
        folder = staged.sentence_folder(collection)
        if folder is None:
            return
        pieces = {chunk.content_hash: sentences(chunk.text) for chunk in group}
        distinct = list(dict.fromkeys(piece for parts in pieces.values() for piece in parts))
        batches = _batches(distinct, before(collection), recipe, tools, partial(_told, tell, "sentences"))
        tools.sentences.write(folder, recipe.embedding.dimension, batches, pieces)


def write_term_vectors(  # noqa: PLR0917  # what is written, where, with what, and what is known already
    staged: StagedVersion,
    recipe: BuildRecipe,
    category: Category,
    vocabulary: Sequence[str],
    before: SentencesBefore,
    tools: BuildTools,
    tell: ProgressCallback,
) -> None:
    """Write vectors of a collection's words, by which a search finds words that mean the same.

    Args:
        staged: The version under construction.
        recipe: What it is made with.
        category: Whose words.
        vocabulary: Distinct terms of its keyword index, in the order of the index.
        before: Vectors of the previous version with the same model.
        tools: Models and the store.
        tell: Told after every batch.

    Raises:
        ModelError: The model cannot be loaded, or it fails on a text.
    """
    if not recipe.embedding.sentences or tools.sentences is None:
        return
    collection = term_collection(category)
    folder = staged.sentence_folder(collection)
    if folder is not None:
        terms = comparable_terms(vocabulary)
        batches = _batches(terms, before(collection), recipe, tools, partial(_told, tell, "words"))
        tools.sentences.write(folder, recipe.embedding.dimension, batches, {})


def _told(tell: ProgressCallback, stage: Stage, done: int, total: int, characters: int) -> None:
    tell(Progress(stage, done, total, characters=characters))


def _batches(
    distinct: Sequence[str],
    before: SentenceVectors | None,
    recipe: BuildRecipe,
    tools: BuildTools,
    told: Callable[[int, int, int], None],
) -> Iterator[SentenceBatch]:
    """Yield all texts in order with their vectors, embedding those that are not known."""
    known = before.known(distinct) if before is not None else [False] * len(distinct)
    missing, done, characters = len(distinct) - sum(known), 0, 0
    for start in range(0, len(distinct), _BATCH):
        batch, is_known = distinct[start : start + _BATCH], np.array(known[start : start + _BATCH])
        rows = np.empty((len(batch), recipe.embedding.dimension), dtype=np.float32)
        if before is not None and is_known.any():
            rows[is_known] = before.of_sentences(list(compress(batch, is_known)))
        new = list(compress(batch, ~is_known))
        if new:
            rows[~is_known] = embedded(tools.models.embedder(recipe.embedding.adapter, recipe.embedding.model), new)
            done, characters = done + len(new), characters + sum(map(len, new))
            told(done, missing, characters)
        yield batch, rows
