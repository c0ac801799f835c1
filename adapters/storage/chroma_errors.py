"""Chroma's errors as those of the port. Nothing of Chroma is imported before one is raised."""

from collections.abc import Iterator
from contextlib import contextmanager

from ...domain.errors import HandbookCorruptError


@contextmanager
def started() -> Iterator[None]:
    """Chroma stops a system that could not start, as on a full disk, and fails at that: the cause is in the context."""
    try:
        yield
    except AttributeError as error:
        cause = error.__context__ or error
        raise HandbookCorruptError(f"The vector store cannot be opened: {cause}") from error


@contextmanager
def translated() -> Iterator[None]:
    """Turn Chroma's errors into those of the port; a collection that is not there is a `KeyError`."""
    try:
        yield
    except BaseException as error:
        of_port = _of_port(error)
        if of_port is None:
            raise
        raise of_port from error


def _of_port(error: BaseException) -> Exception | None:
    # A panic of the Rust part is no Exception, since pyo3 derives it from BaseException.
    if type(error).__name__ == "PanicException":
        return HandbookCorruptError(f"The vector store cannot be read: {error}")
    if not type(error).__module__.startswith("chromadb"):
        return None
    from chromadb.errors import ChromaError, InvalidArgumentError, InvalidDimensionException, NotFoundError

    if isinstance(error, InvalidArgumentError | InvalidDimensionException):
        return ValueError(str(error))
    if isinstance(error, NotFoundError):
        return KeyError(str(error))
    if isinstance(error, ChromaError):
        return HandbookCorruptError(f"The vector store cannot be read: {error}")
    return None
