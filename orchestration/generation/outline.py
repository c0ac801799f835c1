"""What is to be written: title, language, chapters; read from YAML."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ...domain.errors import ConfigError
from ...domain.notices import Language
from ...ports.agents import ChapterTask

_MOST_CHAPTERS = 1000
_MOST_BYTES = 5_000_000
Line = Annotated[str, Field(min_length=1, max_length=2000)]


class OutlineChapter(BaseModel):
    """A chapter: its title, what to look rules up for (the title when nothing is named), elements, relation."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    title: Line
    topics: tuple[Line, ...] = ()
    elements: tuple[Line, ...] = ()
    relation: str = ""

    def task(self) -> ChapterTask:
        """Return the chapter as agents get it."""
        return ChapterTask(self.title, self.topics or (self.title,), self.elements, self.relation)


class Outline(BaseModel):
    """A document to write.

    Attributes:
        title: Title of the document.
        language: Its language; told by the letters of titles and topics when not given.
        chapters: In order; a text alone is a title.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    title: Line
    language: Language = "ja"
    chapters: Annotated[tuple[OutlineChapter, ...], Field(min_length=1, max_length=_MOST_CHAPTERS)]

    @field_validator("chapters", mode="before")
    @classmethod
    def _titles_alone(cls, value: Any) -> Any:
        if isinstance(value, list):
            return [{"title": entry} if isinstance(entry, str) else entry for entry in value]
        return value

    @model_validator(mode="before")
    @classmethod
    def _language_by_letters(cls, value: Any) -> Any:
        if isinstance(value, Mapping) and value.get("language") is None:
            return {**value, "language": language_of(str(value))}
        return value

    @classmethod
    def of(cls, title: str, *tasks: ChapterTask, language: Language | None = None) -> Self:
        """Return an outline of chapters that are there as tasks."""
        chapters = [
            {"title": t.title, "topics": t.topics, "elements": t.elements, "relation": t.relation} for t in tasks
        ]
        return cls.model_validate({"title": title, "language": language, "chapters": chapters})


def language_of(text: str) -> Language:
    """Return ja where there is kana, zh where there are ideographs alone, else en.

    Example:
        >>> language_of("機能一覧の書き方"), language_of("功能列表"), language_of("List of functions")
        ('ja', 'zh', 'en')
    """
    if any("\u3041" <= c <= "\u30ff" for c in text):
        return "ja"
    return "zh" if any("\u4e00" <= c <= "\u9fff" for c in text) else "en"


def load_outline(path: Path) -> Outline:
    """Read an outline from a YAML file.

    Raises:
        ConfigError: It cannot be read, is no YAML, or does not say what is to be written; the message names the place.
    """
    import yaml

    hint = "An outline has `title:` and `chapters:`, a list of titles or of title, topics, elements, relation."
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ConfigError(f"{path} is larger than {_MOST_BYTES:,} bytes; that is no outline.")
        content = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        cause = "; ".join(str(error).split("\n")[:3])
        raise ConfigError(f"{path} is no YAML in UTF-8: {cause}.", hint=hint) from error
    if not isinstance(content, dict):
        raise ConfigError(f"{path} holds no outline.", hint=hint)
    try:
        return Outline.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the outline"
        raise ConfigError(f"{path}: {place}: {first['msg']}.", hint=hint) from error
