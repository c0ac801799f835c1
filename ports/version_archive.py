"""Port: a version of a handbook as one file."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from ..domain.manifest import Manifest
from .handbook_store import HandbookStore


class VersionArchive(Protocol):
    """Writes and reads files that hold one version.

    Contract:

    - A file is there whole or not at all, and what is read back is what was written, or an error.
    - Files come from anywhere: no entry is ever written outside the folder meant for it, and none is trusted before
      its checksum was compared.
    """

    def write(self, target: Path, manifest: Manifest, files: Iterable[tuple[str, Path]]) -> int:
        """Write a version.

        Args:
            target: The file to be; one that exists is replaced in one step.
            manifest: The version's manifest.
            files: Place below a handbook's folder, and file.

        Returns:
            Size in bytes.

        Raises:
            HandbookError: It cannot be written.
        """
        ...

    def opened(self, source: Path) -> AbstractContextManager[tuple[HandbookStore, str]]:
        """Unpack and verify a file; gives a handbook that holds its one version, and that version's name.

        The handbook is gone when the context is left.

        Raises:
            HandbookCorruptError: The file is damaged, truncated, or no export.
            HandbookSchemaError: Another version of kisoku wrote it.
        """
        ...
