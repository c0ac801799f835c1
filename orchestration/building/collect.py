"""From a folder to documents and their categories."""

import fnmatch
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from ...config.safe_yaml import load_yaml
from ...config.settings import PartitionSettings
from ...domain.chunks import CATEGORIES, Category
from ...domain.errors import BuildError, ConfigError
from ...domain.names import document_name
from ...domain.partitions import partition_of
from .documents import UploadedFile

MAPPING_FILE = "handbook.yaml"


class _Mapping(BaseModel):
    """`handbook.yaml`: glob patterns, relative to the folder, by category and by partition. The first that fits counts.

    Without `categories` the folders are the categories; `partition_by: folder` makes the folder below the partition.
    """

    model_config = ConfigDict(extra="forbid")

    categories: dict[Category, list[str]] = Field(default_factory=dict)
    partitions: dict[str, list[str]] = Field(default_factory=dict)
    partition_by: Literal["none", "folder"] | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.categories or self.partitions or self.partition_by):
            msg = "it names no categories and no partitions"
            raise ValueError(msg)
        return self


@dataclass(frozen=True, slots=True)
class Collected:
    """Documents of a folder.

    Attributes:
        files: Documents, by path.
        categories: Category by document name.
        skipped: Files that are no documents or belong to no category, with the reason.
        partitions: Partition by document name, of those that belong to one.
    """

    files: tuple[UploadedFile, ...]
    categories: dict[str, str]
    skipped: tuple[tuple[str, str], ...] = field(default=())
    partitions: dict[str, str] = field(default_factory=dict)


def collect_documents(folder: Path, settings: PartitionSettings | None = None) -> Collected:
    """Read which documents a folder holds.

    The first folder level (`write`, `design`, `ref`) is the category, or `handbook.yaml` maps patterns to categories.
    Lock files (`~$…`) and hidden files are skipped, and so is what belongs to no category.

    Args:
        folder: The documents.
        settings: How partitions are named; patterns of `handbook.yaml` come first.

    Raises:
        BuildError: The folder does not exist, is empty, or has no category.
        ConfigError: `handbook.yaml` is malformed.
    """
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "does not exist"
        raise BuildError(f"{folder} {what}.", hint="Name the folder that holds write/, design/ or ref/.")
    mapping = _mapping(folder / MAPPING_FILE)
    partitioned = _Partitions.of(mapping, settings or PartitionSettings())
    partitions: dict[str, str] = {}
    files: list[UploadedFile] = []
    categories: dict[str, str] = {}
    skipped: list[tuple[str, str]] = []
    # What is a link to nothing is told too, since its document would be missing without a word.
    paths = sorted(p for p in folder.rglob("*") if (p.is_file() or _dangling(p)) and p != folder / MAPPING_FILE)
    if not paths:
        raise BuildError(f"The folder {folder} is empty.", hint="Put documents into write/, design/ or ref/.")
    for path in paths:
        relative = path.relative_to(folder)
        reason = "link to a file that does not exist" if _dangling(path) else _no_document(relative)
        category = None if reason else _category(relative, mapping)
        if category is None:
            skipped.append((relative.as_posix(), reason or "in no category"))
            continue
        name = document_name(path.name)
        if name in categories:
            raise BuildError(
                f"Two documents are called {name!r}; one is {relative.as_posix()}.", hint="Rename one of them."
            )
        files.append(UploadedFile(name, path=path))
        categories[name] = category
        if partition := partitioned.name(relative):
            partitions[name] = partition
    if not files:
        patterns = mapping is not None and mapping.categories
        where = "no pattern of handbook.yaml fits" if patterns else "there is no folder write/, design/ or ref/ in it"
        raise BuildError(
            f"{folder} has {len(paths)} files but no category: {where}.",
            hint="Move the files into such folders, or map patterns to categories in handbook.yaml.",
        )
    return Collected(tuple(files), categories, tuple(skipped), partitions)


@dataclass(frozen=True, slots=True)
class _Partitions:
    """How documents of a folder get their partitions."""

    patterns: Mapping[str, Sequence[str]]
    by_folder: bool
    depth: int
    """Folders above the one that names the partition."""

    @classmethod
    def of(cls, mapping: _Mapping | None, settings: PartitionSettings) -> "_Partitions":
        own = mapping.partitions if mapping else {}
        by = (mapping.partition_by if mapping else None) or settings.by
        patterns = {**own, **{name: globs for name, globs in settings.patterns.items() if name not in own}}
        return cls(patterns, by == "folder", 0 if mapping and mapping.categories else 1)

    def name(self, relative: Path) -> str:
        """Return the partition of a document, "" for none."""
        folders = relative.parts[self.depth : -1]
        return partition_of(relative.as_posix(), self.patterns, folder=folders[0] if self.by_folder and folders else "")


def _dangling(path: Path) -> bool:
    return path.is_symlink() and not path.exists()


def _no_document(relative: Path) -> str:
    if relative.name.startswith("~$"):
        return "lock file of an open editor"
    return "hidden" if any(part.startswith(".") for part in relative.parts) else ""


def _category(relative: Path, mapping: _Mapping | None) -> Category | None:
    if mapping is None or not mapping.categories:
        first = relative.parts[0] if len(relative.parts) > 1 else ""
        return next((c for c in CATEGORIES if c == first), None)
    path = relative.as_posix()
    for category, patterns in mapping.categories.items():
        if any(fnmatch.fnmatchcase(path, p) or fnmatch.fnmatchcase(relative.name, p) for p in patterns):
            return category
    return None


def _mapping(path: Path) -> _Mapping | None:
    if not path.exists():
        return None
    try:
        return _Mapping.model_validate(load_yaml(path.read_text(encoding="utf-8")))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is no valid YAML.") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or MAPPING_FILE
        raise ConfigError(
            f"{path} is wrong at {place}: {first['msg']}.",
            hint='Write for example:  categories: {write: ["*.docx"], design: ["設計/*"]}',
        ) from error
