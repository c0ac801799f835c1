"""All errors that kisoku raises on purpose.

The tree::

    KisokuError                     root: `message` for people, `code` for programs, `hint` what to do
    ├── ConfigError                 a setting is wrong
    ├── DocumentError               one document cannot be read; `category`, `document`
    │   ├── EncryptedDocumentError      encrypted
    │   ├── CorruptDocumentError        corrupt
    │   ├── DocumentTooLargeError       too-large
    │   ├── UnsupportedDocumentError    unsupported
    │   └── SkippedDocumentError        skip (lock files, hidden files)
    ├── HandbookError
    │   ├── NoHandbookError         nothing was built yet
    │   ├── UnknownVersionError     that version does not exist
    │   ├── HandbookLockedError     another process is writing
    │   ├── BuildError              documents failed; `failures` lists every one
    │   └── HandbookCorruptError    what is on disk contradicts itself
    │       └── HandbookSchemaError     another version of kisoku wrote it
    ├── SessionError                session or lock is not as the call needs it
    ├── RetrievalError              the search cannot be carried out as asked
    ├── ConflictError               unknown conflict, decision that does not fit
    ├── ModelError                  a model cannot be loaded or used, for good
    │   └── TransientModelError     a later try may succeed
    └── PluginError                 a plugin is broken or incompatible

Permanent and transient faults differ: only `TransientModelError` is worth a retry.
"""

from collections.abc import Sequence
from typing import ClassVar


class KisokuError(Exception):
    """Root of all errors that kisoku raises on purpose.

    Attributes:
        message: One sentence for a person, without a stack trace.
        hint: What to do about it; empty when there is nothing to say.
        code: Stable word for programs.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class ConfigError(KisokuError):
    """A setting is unknown, malformed or contradicts another."""

    code = "config"


class DocumentError(KisokuError):
    """One document cannot be turned into chunks.

    Attributes:
        document: The document's name.
        category: One of encrypted, corrupt, too-large, unsupported, skip.
    """

    code = "document"
    category: ClassVar[str] = "corrupt"

    def __init__(self, document: str, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.document = document

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword arguments do not survive the default pickling; these errors cross process borders.
        return (_rebuild, (type(self), self.document, self.message, self.hint))


def _rebuild(kind: type[DocumentError], document: str, message: str, hint: str) -> DocumentError:
    return kind(document, message, hint=hint)


class EncryptedDocumentError(DocumentError):
    """The file is protected by a password."""

    category = "encrypted"


class CorruptDocumentError(DocumentError):
    """The file is truncated, damaged or not what its name says."""

    category = "corrupt"


class DocumentTooLargeError(DocumentError):
    """The file passes a limit of size, entries, characters, memory or time."""

    category = "too-large"


class UnsupportedDocumentError(DocumentError):
    """No chunker reads this format."""

    category = "unsupported"


class SkippedDocumentError(DocumentError):
    """The file is no document: a lock file of an open editor, a hidden file."""

    category = "skip"


class HandbookError(KisokuError):
    """A handbook cannot do what was asked."""

    code = "handbook"


class NoHandbookError(HandbookError):
    """No version was ever published here."""

    code = "no-handbook"


class UnknownVersionError(HandbookError):
    """The version named does not exist."""

    code = "unknown-version"


class HandbookLockedError(HandbookError):
    """Another process is writing this handbook."""

    code = "handbook-locked"


class BuildError(HandbookError):
    """Documents failed and the build was told to stop on failures.

    Attributes:
        failures: Every failed document's error, in document order.
    """

    code = "build-failed"

    def __init__(self, message: str, failures: Sequence[DocumentError] = (), *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.failures = tuple(failures)


class HandbookCorruptError(HandbookError):
    """Files of the handbook are missing, damaged or contradict each other."""

    code = "handbook-corrupt"


class HandbookSchemaError(HandbookCorruptError):
    """A file has a schema that this version of kisoku does not read."""

    code = "handbook-schema"


class SessionError(KisokuError):
    """A session is unknown, or locked to another version."""

    code = "session"


class RetrievalError(KisokuError):
    """A search is impossible as asked: unknown agent, unknown category, empty query."""

    code = "retrieval"


class ConflictError(KisokuError):
    """A conflict is unknown, or the decision does not fit it."""

    code = "conflict"


class ModelError(KisokuError):
    """A model cannot be loaded or used."""

    code = "model"


class TransientModelError(ModelError):
    """A model failed in a way that a later try may not.

    Attributes:
        retry_after: Seconds that the server asks to wait, None when it does not say.
    """

    code = "model-transient"

    def __init__(self, message: str, *, hint: str = "", retry_after: float | None = None) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


class PluginError(KisokuError):
    """A plugin failed to import, registered nonsense or raised."""

    code = "plugin"
