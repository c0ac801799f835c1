"""Convert files of the formats from before 2007 (.doc, .xls, .ppt) where LibreOffice is installed."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from ...domain.errors import CorruptDocumentError, DocumentTooLargeError
from ...ports.chunker import SourceDocument

_PROGRAMS = ("soffice", "libreoffice")


def converter() -> str | None:
    """Return the path of LibreOffice, None when it is not on the search path."""
    return next((path for path in map(shutil.which, _PROGRAMS) if path), None)


def convert(document: SourceDocument, program: str, legacy: str, target: str, seconds: float) -> bytes:
    """Return the document's bytes in the current format.

    LibreOffice runs without a window, with a profile of its own that is thrown away: a running LibreOffice is left
    alone and macros are not run. The document's name is data and never becomes part of a path.

    Args:
        document: The legacy file.
        program: LibreOffice.
        legacy: Its real suffix (".doc").
        target: The suffix to convert to (".docx").
        seconds: How long it may take.

    Raises:
        CorruptDocumentError: LibreOffice cannot convert it.
        DocumentTooLargeError: It took too long.
    """
    with tempfile.TemporaryDirectory(prefix="kisoku-") as folder:
        place = Path(folder)
        source = place / f"document{legacy}"
        source.write_bytes(document.data)
        command = [
            program,
            f"-env:UserInstallation={(place / 'profile').as_uri()}",
            "--headless",
            "--norestore",
            "--convert-to",
            target.removeprefix("."),
            "--outdir",
            str(place / "out"),
            str(source),
        ]
        try:
            subprocess.run(  # noqa: S603  # a program from the search path, arguments made here
                command, check=False, capture_output=True, stdin=subprocess.DEVNULL, timeout=seconds
            )
        except subprocess.TimeoutExpired as error:
            raise DocumentTooLargeError(
                document.name,
                f"{document.name} took LibreOffice longer than {seconds:g} seconds to convert.",
                hint=f"Save it as {target} by hand.",
            ) from error
        except OSError as error:
            raise _failed(document, target) from error
        result = place / "out" / f"document{target}"
        if not result.is_file():
            raise _failed(document, target)
        return result.read_bytes()


def _failed(document: SourceDocument, target: str) -> CorruptDocumentError:
    return CorruptDocumentError(
        document.name,
        f"LibreOffice cannot convert {document.name}.",
        hint=f"Open it in its application and save it as {target}.",
    )
