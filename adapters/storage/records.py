"""What both stores ask of a call before anything is written."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from ...ports.vector_store import MetadataValue
from ...ports.vectors import Matrix, Vector

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,510}[A-Za-z0-9]")


def checked_name(name: str) -> str:
    """Return a collection name of 3 to 512 ASCII letters, digits, `.`, `_`, `-`; else `ValueError`."""
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} is no collection name: 3 to 512 letters, digits, dots, hyphens, first and last a letter or digit"
        )
    return name


def checked_matrix(
    ids: Sequence[str],
    embeddings: Matrix | Sequence[Sequence[float]],
    documents: Sequence[str],
    metadatas: Sequence[Mapping[str, MetadataValue]],
) -> Matrix:
    """Return the vectors as float32 (n, dimension).

    Raises:
        ValueError: The lists differ in length, ids repeat, vectors differ in dimension or are not finite.
    """
    matrix = np.asarray(embeddings, dtype=np.float32)  # rows of unequal length are a ValueError of numpy's
    if not len(ids) == len(matrix) == len(documents) == len(metadatas):
        raise ValueError(
            f"{len(ids)} ids, {len(matrix)} embeddings, {len(documents)} documents and {len(metadatas)} metadatas"
        )
    if len(set(ids)) != len(ids):
        raise ValueError("ids repeat within one call")
    if len(ids) and (matrix.ndim != 2 or matrix.shape[1] == 0):  # noqa: PLR2004  # rows and columns
        raise ValueError(f"embeddings have shape {matrix.shape}, expected ({len(ids)}, dimension)")
    if not np.isfinite(matrix).all():
        raise ValueError("embeddings hold values that are not finite")
    return matrix


def checked_query(query_embedding: Vector | Sequence[float]) -> Vector:
    """Return the query as float32 (dimension,); `ValueError` for another shape or values that are not finite."""
    vector = np.asarray(query_embedding, dtype=np.float32)
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise ValueError(f"the query has shape {vector.shape} or values that are not finite")
    return vector


def require_dimension(collection: str, expected: int, found: int) -> None:
    """Raise `ValueError` unless both dimensions agree."""
    if expected != found:
        raise ValueError(f"{collection} holds vectors of dimension {expected}, got {found}")
