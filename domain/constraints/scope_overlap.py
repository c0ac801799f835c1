"""Whether the scopes of two rules overlap."""

import re

from .facets import Facets, apart, are_siblings
from .lexicon import Family, Lexicon
from .scope import Scope
from .text import Language, scan

_GENERIC_ARTEFACTS = frozenset(
    {"design-doc", "source-code", "database", "api", "message-doc", "document", "manual", "excel-file"}
)
# Factors on the confidence, by what the difference in scope rests on.
_NAMED_ONLY_BY_DOCUMENT, _NAMED_BY_HEADING, _GENERIC = 0.6, 0.8, 0.9
_SIBLINGS = 0.5
# Characters of `u:` and a word.
_SHORTEST_VALUE = 3
_TITLE_WORD = re.compile(r"[a-z]{4,}")
# Stems long enough to tell, and those that titles of all kinds share.
_STEM = 4
_ANY_TITLE = frozenset(
    {"guidelin", "guid", "standard", "rule", "polic", "document", "manual", "describ", "procedur", "project"}
)
_TERRITORIES = frozenset({"overseas", "domestic"})
# Where one clause itself names its artefact and the other stands in a document about another one.
_TOLD = 0.8
_ONE_SIDED_TARGET, _INCLUSIVE, _NARROWER = 0.95, 0.9, 0.4


def overlap(a: Scope, b: Scope, values: frozenset[str], lexicon: Lexicon) -> float:
    """Return how surely two scopes overlap: 0 when they do not, 1 when nothing speaks against it.

    Args:
        a: One scope.
        b: The other.
        values: Concepts that are the compared values themselves and say nothing about scope.
        lexicon: The lexicon, for its families of exclusive concepts.
    """
    if _excepted(a, b) or _excepted(b, a) or _apart(a, b, values):
        return 0.0
    fit = _places(a, b) * (_SIBLINGS if are_siblings(a.title, b.title) else 1.0)
    if a.nested != b.nested:
        fit *= 0.5
    fit *= 0.75 if a.exceptional or b.exceptional else 1.0
    named = a.concepts | a.context | a.document | b.concepts | b.context | b.document
    told = {name for item in named for name in lexicon.families_of.get(item, ())}
    for family in (lexicon.families[name] for name in sorted(told)):
        members = frozenset(family.members) - values
        fit *= _family(a, b, family, members)
        if fit <= 0:
            return 0.0
    if a.open_exception or b.open_exception:
        fit *= _open_exception(a, b, values)
    return fit


def meanings_of_values(text: str, language: Language, values: frozenset[str], lexicon: Lexicon) -> frozenset[str]:
    """Return what the words for compared values mean beside being values ("配置管理员" is an administrator as well).

    A person who does something is no case in which a rule holds.

    Args:
        text: A normalised clause.
        language: Of the clause.
        values: The compared values; `u:…` for those in the words of the text.
        lexicon: The lexicon.
    """
    hits = scan(text, lexicon.index(language))
    spans = [
        (start, start + len(value) - 2)
        for value in values
        if value.startswith("u:") and len(value) > _SHORTEST_VALUE and (start := text.find(value[2:])) >= 0
    ]
    told = {hit for hit in hits if not values.isdisjoint(hit.ids)}
    told |= {hit for hit in hits if any(start <= hit.start and hit.end <= end for start, end in spans)}
    others = {name for hit in hits if hit not in told for name in hit.ids}
    names = {name for hit in told for name in hit.ids} - others
    return frozenset(names.union(*(lexicon.broader.get(name, ()) for name in names)) - others)


def _apart(a: Scope, b: Scope, values: frozenset[str]) -> bool:
    """Tell whether the cases that two rules name exclude each other; the clause counts before its surroundings."""
    ignored = frozenset({"period"}) if "daily" in values else frozenset()
    sides = [_nearest(scope.facets, scope.facets_around) for scope in (a, b)]
    return apart(sides[0], sides[1], ignored)


def _nearest(own: Facets, around: Facets) -> Facets:
    kinds = own.kinds()
    return Facets(own.named | {item for item in around.named if item[0] not in kinds}, own.conditions)


def _places(a: Scope, b: Scope) -> float:
    near_a, near_b = a.places or a.places_around, b.places or b.places_around
    if near_a and near_b:
        return 0.0 if near_a.isdisjoint(near_b) else 1.0
    if a.concepts & b.concepts & _TERRITORIES:
        # "海外拠点" and "overseas site": both name where, in words of their own.
        return 1.0
    if a.places or b.places:
        general = b if a.places else a
        return 0.9 if general.universal else 0.45
    return 0.8 if near_a or near_b else 1.0


def _excepted(general: Scope, special: Scope) -> bool:
    if not general.exceptions or special.universal:
        return False
    # What the other rule leaves out as well is no case of it.
    covered = special.concepts | special.words | special.context | special.document
    return bool(general.exceptions & (covered - special.exceptions)) or _excepts_document(general, special.title)


def _excepts_document(general: Scope, title: str) -> bool:
    """Tell whether an exception names what another document is about ("as described in the logging guidelines")."""
    words = _TITLE_WORD.findall(title.lower())
    stems = [item.removeprefix("u:") for item in general.exceptions if item.startswith("u:") and item.isascii()]
    return any(
        word.startswith(stem) for stem in stems if len(stem) >= _STEM and stem not in _ANY_TITLE for word in words
    )


def _open_exception(a: Scope, b: Scope, values: frozenset[str]) -> float:
    """A rule that yields to others is at odds with a second rule only when that one is not narrower."""
    general, special = (a, b) if a.open_exception else (b, a)
    if special.universal:
        return 0.9
    narrower = (special.concepts | special.words) - general.concepts - general.words - values
    return 0.45 if narrower else 0.7


def _family(a: Scope, b: Scope, family: Family, members: frozenset[str]) -> float:
    own_a, own_b = a.concepts & members, b.concepts & members
    near_a, near_b = (a.concepts | a.context) & members, (b.concepts | b.context) & members
    if own_a and own_b:
        near_a, near_b = own_a, own_b
    if near_a and near_b:
        return float(not near_a.isdisjoint(near_b))
    if family.role == "target":
        return _ONE_SIDED_TARGET if near_a or near_b else 1.0
    far_a, far_b = near_a or a.document & members, near_b or b.document & members
    if far_a and far_b:
        return _by_document(far_a, far_b, family) * (_TOLD if family.role == "artefact" and (own_a or own_b) else 1.0)
    if family.role == "artefact" or not family.narrowing or not (far_a or far_b):
        return 1.0
    if own_a or own_b:
        # A rule for a part of the cases beside a rule for all of them.
        return _INCLUSIVE if (b if own_a else a).universal else _NARROWER
    return _NAMED_BY_HEADING


def _by_document(a: frozenset[str], b: frozenset[str], family: Family) -> float:
    if a & b:
        return 1.0
    if family.role == "scope":
        return 0.0
    return _GENERIC if a <= _GENERIC_ARTEFACTS or b <= _GENERIC_ARTEFACTS else _NAMED_ONLY_BY_DOCUMENT
