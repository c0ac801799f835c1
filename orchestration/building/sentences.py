"""Sentence vectors of a version: what a search compares a query with, made once instead of at every search."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from ...config.settings import Settings
from ...domain.chunks import Category, RuleChunk
from ...domain.errors import HandbookCorruptError
from ...domain.manifest import Manifest
from ...domain.names import COLLECTIONS
from ...domain.sentences import sentences
from ...ports.handbook_store import HandbookStore, StagedVersion
from ...ports.sentence_store import SentenceBatch, SentenceVectors
from ..models import BUNDLED_MODEL
from .plan import BuildRecipe
from .progress import Progress, ProgressCallback
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
        batches = _batches(distinct, before(collection), recipe, tools, tell)
        tools.sentences.write(folder, recipe.embedding.dimension, batches, pieces)


def _batches(
    distinct: Sequence[str],
    before: SentenceVectors | None,
    recipe: BuildRecipe,
    tools: BuildTools,
    tell: ProgressCallback,
) -> Iterator[SentenceBatch]:
    known = before.known(distinct) if before is not None else [False] * len(distinct)
    kept = [piece for piece, is_known in zip(distinct, known, strict=True) if is_known]
    new = [piece for piece, is_known in zip(distinct, known, strict=True) if not is_known]
    for start in range(0, len(kept), _BATCH):
        batch = kept[start : start + _BATCH]
        if before is not None:
            yield batch, before.of_sentences(batch)
    if not new:
        return
    embedder = tools.models.embedder(recipe.embedding.adapter, recipe.embedding.model)
    characters = 0
    for start in range(0, len(new), _BATCH):
        batch = new[start : start + _BATCH]
        yield batch, embedded(embedder, batch)
        characters += sum(map(len, batch))
        tell(Progress("sentences", start + len(batch), len(new), characters=characters))
