"""Everything the command says, in the user's language.

The English sentence is the key. `tr` looks up a sentence that the command line itself says. `localised` turns a
finished English sentence of a deeper layer (an error, a hint, a warning of a build) into the user's language by finding
the template that it was made from, so that errors stay plain English for logs and programs and no layer below knows
about languages. The catalogues in `catalogue/` are loaded when a language other than English speaks. A test finds every
sentence that lacks a translation.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ...domain.errors import KisokuError
    from ...domain.notices import Language

_PLACEHOLDER = re.compile(r"\{(\w*)[^{}]*\}")


class _Template(NamedTuple):
    """A sentence with places for arguments: its fixed parts, the names between them, and the translation.

    Every argument is as short as the fixed parts allow, from left to right.
    """

    parts: tuple[str, ...]
    names: tuple[str, ...]
    translation: str

    def arguments(self, text: str) -> dict[str, str] | None:
        """Return what stands at the places of `text`; None when it was not made from this template."""
        first, *between, last = self.parts
        position, end = len(first), len(text) - len(last)
        if position > end or not text.startswith(first) or not text.endswith(last):
            return None
        found = []
        for part in between:
            at = text.find(part, position, end)
            if at < 0:
                return None
            found.append(text[position:at])
            position = at + len(part)
        return dict(zip(self.names, (*found, text[position:end]), strict=True))


class _Speaker:
    """The language of this process, None before it is chosen; one command speaks one language."""

    language: "Language | None" = None


def choose_language(language: "str | None" = None) -> "Language":
    """Speak a language from here on: the one given, else KISOKU_LANGUAGE, else that of the locale."""
    import os

    from ...config.language import environment_language
    from ...domain.notices import LANGUAGES

    wanted = language or os.environ.get("KISOKU_LANGUAGE", "")
    chosen = next((known for known in LANGUAGES if known == wanted), None) or environment_language()
    _Speaker.language = chosen
    return chosen


def forget_language() -> None:
    """Choose anew when something is said next."""
    _Speaker.language = None


def spoken() -> "Language":
    """Return the language that is spoken."""
    return _Speaker.language or choose_language()


def tr(text: str, **values: object) -> str:
    """Return a sentence of the command line in the user's language, with its places filled.

    Args:
        text: The English sentence, places as `{name}`.
        **values: What stands there; numbers formatted by the caller or by the place (`{seconds:.1f}`).
    """
    said = _phrases(spoken()).get(text, text)
    return said.format(**values) if values else said


def localised(text: str) -> str:
    """Return a finished English sentence in the user's language; unchanged when no template fits.

    Arguments that are sentences or phrases themselves are treated alike.
    """
    if spoken() == "en" or not text.strip():
        return text
    exact = _phrases(spoken()).get(text)
    if exact is not None:
        return exact
    for template in _templates(spoken()):
        found = template.arguments(text)
        if found is not None:
            return _filled(template.translation, found)
    return text


def _filled(translation: str, arguments: Mapping[str, str]) -> str:
    told = {name: _argument(name, value) for name, value in arguments.items()}
    return _PLACEHOLDER.sub(lambda place: told.get(place[1], place[0]), translation)


def error_text(error: "KisokuError") -> str:
    """Return an error and its hint in the user's language."""
    message, hint = localised(error.message), localised(error.hint)
    joint = "" if message.endswith("。") or not hint else " "
    return f"{message}{joint}{hint}"


def _argument(name: str, value: str) -> str:
    """Return an argument as it is said: phrases and the `none` of an empty list, but no names, which are data."""
    return localised(value.strip()) if " " in value.strip() or (name, value) == ("names", "none") else value


@lru_cache(maxsize=3)
def _phrases(language: "Language") -> Mapping[str, str]:
    if language == "en":
        return {}
    return {english: told[language] for english, told in catalogue().items() if language in told}


@lru_cache(maxsize=3)
def _templates(language: "Language") -> tuple[_Template, ...]:
    """Return templates with places, those with most fixed text first: the more it fixes, the surer the match."""
    made = []
    for english, said in _phrases(language).items():
        names = tuple(place[1] for place in _PLACEHOLDER.finditer(english))
        if names:
            made.append(_Template(tuple(_PLACEHOLDER.split(english)[::2]), names, said))
    return tuple(sorted(made, key=lambda template: -sum(map(len, template.parts))))


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Return every English sentence with its translations by language."""
    from importlib import resources

    from ...config.safe_yaml import load_yaml

    found: dict[str, Mapping[str, str]] = {}
    for entry in sorted((resources.files(__package__) / "catalogue").iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".yaml"):
            found |= load_yaml(entry.read_text(encoding="utf-8"))
    return found
