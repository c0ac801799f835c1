"""The declarative knowledge of the conflict detector: words, value sets, families, units.

A word identifier is one of: a *concept* (what a rule is about), a member of an *enum* (a closed value set), an
*attribute* (what a number measures), a *flag* (what is demanded or forbidden as such), `stop` (neutral), or a marker:
`m.…` for modality, negation, scope and order, `op.…` for comparison operators.
"""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from pydantic import BaseModel, ConfigDict

from .text import Language, normalise


class Family(BaseModel):
    """Concepts that exclude each other.

    Attributes:
        role: `target`: the thing described; `scope`: where or for whom a rule holds; `artefact`: the kind of product.
        members: Concept identifiers.
        narrowing: A scope named by one rule only makes that rule a narrower one beside a general one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Literal["target", "scope", "artefact"]
    members: tuple[str, ...]
    narrowing: bool = True


class ValueSet(BaseModel):
    """A closed set of values of which a target has one.

    Attributes:
        values: Identifiers of the values.
        hosts: When given, the rule must also name one of these concepts.
        names: Words for the property itself; they say nothing about whose property it is.
        standalone: The value set alone tells what the rule is about.
        needed: How closely the targets must agree, 0 to 1; None for the usual.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    values: tuple[str, ...]
    hosts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    standalone: bool = False
    needed: float | None = None


class QuantityAttribute(BaseModel):
    """A property that numbers measure.

    Attributes:
        dimensions: Kinds of numbers it can have.
        limit: It is an upper limit even where the rule does not say so ("deadline: 5 days").
        least: It is a least value even where the rule does not say so ("coverage: 100 %").
        general: Many things have it, so that naming it says nothing about whose property it is.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    dimensions: tuple[str, ...]
    limit: bool = False
    general: bool = False
    least: bool = False


class Unit(BaseModel):
    """A unit of measure or a counter word; `factor` leads to the dimension's base unit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    dimension: str
    factor: float
    words: tuple[str, ...]


class Lexicon(BaseModel):
    """Everything the detector knows; built by `config.lexicon.load_lexicon` from YAML.

    Attributes:
        families: Concepts that exclude each other, by name.
        broader: Concept to the wider concepts it also counts as.
        enums: Closed value sets by name.
        attributes: What numbers measure.
        flags: Features that are on or off.
        flag_hosts: Flag to concepts of which the rule must also name one.
        whole_flags: Flags that are things of their own, not properties of something else.
        light: Acts and general things: they say less of what a rule is about, and a ban of one says nothing alone.
        units: Units by name.
        words: Language to identifier to words.
        names: Identifier to its name in each language, for people.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    families: dict[str, Family]
    broader: dict[str, tuple[str, ...]] = {}
    enums: dict[str, ValueSet]
    attributes: dict[str, QuantityAttribute]
    flags: tuple[str, ...]
    flag_hosts: dict[str, tuple[str, ...]] = {}
    whole_flags: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    units: dict[str, Unit]
    words: dict[Language, dict[str, tuple[str, ...]]]
    names: dict[str, dict[Language, str]] = {}

    def __hash__(self) -> int:
        """Hash by identity, so that what is read with a lexicon can be remembered."""
        return id(self)

    @cached_property
    def enum_of(self) -> dict[str, tuple[str, ...]]:
        """Value identifier to the value sets it belongs to."""
        found: dict[str, tuple[str, ...]] = {}
        for name, values in self.enums.items():
            for value in values.values:
                found[value] = (*found.get(value, ()), name)
        return found

    @cached_property
    def flag_set(self) -> frozenset[str]:
        """The flags, for look-up."""
        return frozenset(self.flags)

    @cached_property
    def light_set(self) -> frozenset[str]:
        """The acts and general things, for look-up."""
        return frozenset(self.light)

    @cached_property
    def families_of(self) -> dict[str, tuple[str, ...]]:
        """Concept to the families it is a member of."""
        found: dict[str, tuple[str, ...]] = {}
        for name, family in self.families.items():
            for member in family.members:
                found[member] = (*found.get(member, ()), name)
        return found

    def stands_alone(self, name: str) -> bool:
        """Tell whether a value set tells by itself what a rule is about; unknown sets do not."""
        values = self.enums.get(name)
        return values is not None and values.standalone

    @cached_property
    def unit_words(self) -> dict[str, str]:
        """Normalised unit word to unit name."""
        return {normalise(word): name for name, unit in self.units.items() for word in unit.words}

    @cached_property
    def unit_pattern(self) -> str:
        """Alternation of all unit words, longest first; Latin words end at a word boundary."""
        words = sorted(self.unit_words, key=len, reverse=True)
        return "|".join(
            re.escape(word) + (r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalpha() else "") for word in words
        )

    def index(self, language: Language) -> "WordIndex":
        """Return the look-up table for texts of a language; English words are read in every language."""
        found = self._indexes.get(language)
        if found is None:
            # Two threads may make it at once; both make the same.
            found = self._indexes[language] = WordIndex(self, language)
        return found

    @cached_property
    def _indexes(self) -> dict[Language, "WordIndex"]:
        return {}


_NO_THINGS = frozenset({"stop", "plain"})


_SHORTEST_PHRASE = 4
# What makes a case the name of a scale: 重大度 and 严重程度 are no 重大 and no 严重.
_SCALE = re.compile("程?度|性|级别|等级")


def _inside(word: str, short: Mapping[str, tuple[str, ...]], sizes: Mapping[str, set[int]]) -> str:
    """Return the first of some words that stands inside a longer one, "" when none does; Latin words are whole."""
    for start in range(len(word) - 1):
        for size in sizes.get(word[start : start + 2], ()):
            piece = word[start : start + size]
            if (
                piece in short
                and len(piece) < len(word)
                and (not piece.isascii() or _is_whole(word, start, size))
                and not _SCALE.match(word, start + size)
            ):
                return piece
    return ""


def _is_whole(word: str, start: int, size: int) -> bool:
    before, behind = word[start - 1 : start], word[start + size : start + size + 1]
    return not (before.isascii() and before.isalnum()) and not (behind.isascii() and behind.isalnum())


class WordIndex:
    """All words of one language, by first character, for longest-match look-up."""

    def __init__(self, lexicon: Lexicon, language: Language) -> None:
        self._values = lexicon.enum_of.keys() | lexicon.attributes.keys() | lexicon.flag_set
        self._inner: dict[str, tuple[str, ...]] = {}
        found: dict[str, tuple[str, ...]] = {}
        sources: tuple[Language, ...] = ("en",) if language == "en" else ("en", language)
        for source in sources:
            for identifier, words in lexicon.words.get(source, {}).items():
                # English markers are no grammar of Japanese or Chinese sentences.
                if source != language and (identifier.startswith(("m.", "op.")) or identifier == "stop"):
                    continue
                for word in words:
                    key = normalise(word)
                    if identifier not in found.get(key, ()):
                        found[key] = (*found.get(key, ()), identifier)
        self._keep_cases(found, lexicon)
        self.words = {
            word: (ids, frozenset(name.removeprefix("m.") for name in ids if name.startswith("m.")))
            for word, ids in found.items()
        }
        lengths: dict[str, set[int]] = {}
        for word in self.words:
            lengths.setdefault(word[0], set()).add(len(word))
        self.lengths = {first: tuple(sorted(sizes, reverse=True)) for first, sizes in lengths.items()}

    @staticmethod
    def _keep_cases(found: dict[str, tuple[str, ...]], lexicon: Lexicon) -> None:
        """Add to longer words the cases that they name inside: these tell where a rule holds ("in production")."""
        cases = {member for family in lexicon.families.values() if family.role == "scope" for member in family.members}
        short = {
            word: kept
            for word, ids in found.items()
            if len(word) > 1 and (kept := tuple(name for name in ids if name in cases))
        }
        sizes: dict[str, set[int]] = {}
        for word in short:
            sizes.setdefault(word[:2], set()).add(len(word))
        for word, ids in found.items():
            if (
                word in short
                or len(word) < _SHORTEST_PHRASE
                or any(n in _NO_THINGS or n in lexicon.enum_of for n in ids)
            ):
                continue
            named = _inside(word, short, sizes)
            if named:
                found[word] = (*ids, *(name for name in short[named] if name not in ids))

    def things_in(self, word: str) -> tuple[str, ...]:
        """Return the things that a word for a value or a property names inside it ("遗留缺陷" names 缺陷).

        The longest word of a text wins; what it says of a thing must not hide the thing.
        """
        found = self._inner.get(word)
        if found is None:
            found = self._inner[word] = self._read_inside(word)
        return found

    def _read_inside(self, word: str) -> tuple[str, ...]:
        ids = self.words[word][0] if word in self.words else ()
        if not ids or not all(name in self._values for name in ids):
            return ()
        inside: list[str] = []
        position = 0
        while position < len(word):
            sizes = (size for size in self.lengths.get(word[position], ()) if size < len(word))
            piece = next(
                (word[position : position + size] for size in sizes if word[position : position + size] in self.words),
                "",
            )
            names, markers = self.words[piece] if piece else ((), frozenset())
            if len(piece) > 1 and not markers and not any(n in self._values or n in _NO_THINGS for n in names):
                inside.extend(n for n in names if not n.startswith("op."))
            position += len(piece) or 1
        return tuple(inside)
