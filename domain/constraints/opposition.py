"""When two claims of one kind exclude each other, and how closely targets must agree (spec: conflicts, step 4)."""

import re
from dataclasses import dataclass

from .absence import AbsenceClaim, is_contradicted
from .claims import Claim, EnumClaim, FlagClaim, TermClaim
from .forms import are_forms, build_apart
from .inclusion import InclusionClaim, common_thing
from .lexicon import Lexicon
from .measures import QuantityClaim
from .ordering import OrderClaim
from .presence import ACTS, PresenceClaim, contradicted, is_elsewhere, is_whole
from .side_by_side import SIDES, are_swapped
from .slots import SlotClaim, excluded

_SHORT_TERM = 2
# A wording that is a pattern or an example of one: two of them may be one form.
_PATTERN = re.compile(r"[\d○〇◯△□x×]")
# An unknown word in katakana, which is whole; of other words only pairs of characters are known.
_KATAKANA = re.compile(r"u:[\u30a1-\u30fc]{3,}$")
# How closely targets must agree, beside the thing that one rule demands and the other bans.
_PRESENCE = 0.27
# The same where only what is done is named in both ("no change of fonts", "changes are recorded").
_PRESENCE_OF_ACT = 0.5
# The same for values that no list knows, and how much less where both rules say that theirs is the only one.
_CHOICE, _BOTH_ONLY = 0.45, 0.15
# The same where neither rule says that its value is the only one.
_PLAINLY_SAME = 0.75
_FLAG = 0.22
# The same where something is banned only from a place that the other rule does not name.
_PLACED = 1.0
# The same where a rule gives a number for what the other says is not there, or has no bound.
_ABSENCE = 0.25
# The same where one rule counts in what the other leaves out.
_INCLUSION = 0.3
# How much more closely where it is not there at all, which is said of many things.
_NOT_AT_ALL = 0.15
# Choices of which a target has one even where the rule does not say so.
_PLAIN_CHOICES = frozenset({"choice-role", "choice-unit"})
# How much less closely the targets must agree where a rule says that its value is the only one.
_ONLY = 0.1


@dataclass(frozen=True, slots=True)
class Opposition:
    """Two claims on one attribute: how surely they exclude each other, and how closely their targets must agree."""

    strength: float
    needed: float


def oppose_values(a: EnumClaim, b: EnumClaim, lexicon: Lexicon) -> Opposition | None:
    """Return how two choices from a closed set oppose each other."""
    if are_forms(a.attribute):
        (one,), (two,) = a.allowed, b.allowed
        return Opposition(0.85, 0.0) if build_apart(a.attribute, one, two) else None
    values = lexicon.enums.get(a.attribute)
    if values is not None and values.needed is not None:
        needed = max(0.0, values.needed - (_ONLY if a.only or b.only else 0.0))
    else:
        needed = 0.22 if values is not None and values.hosts else 0.2
        if values is not None and values.standalone:
            needed = 0.0
    if (a.bare and a.denied & b.allowed) or (b.bare and b.denied & a.allowed):
        # What a clause bans without naming anything else, it bans for all that has the property.
        needed = 0.0
    if a.allowed and b.allowed and a.allowed.isdisjoint(b.allowed):
        return Opposition(0.95, needed)
    if (a.allowed and a.allowed <= b.denied) or (b.allowed and b.allowed <= a.denied):
        return Opposition(0.95, needed)
    if a.allowed and b.allowed and ((a.only and b.allowed - a.allowed) or (b.only and a.allowed - b.allowed)):
        return Opposition(0.85, needed)
    return None


def oppose_terms(a: TermClaim, b: TermClaim) -> Opposition | None:
    """Return how two wordings oppose each other."""
    if (a.allowed and a.allowed & b.denied) or (b.allowed and b.allowed & a.denied):
        telling = any(_is_telling(term) for term in (a.allowed & b.denied) | (b.allowed & a.denied))
        return Opposition(0.9, 0.0 if telling else 0.25)
    if a.closed and b.closed and a.allowed and b.allowed and a.allowed != b.allowed:
        return Opposition(0.9, 0.4)
    if a.worded and b.worded and _are_spellings(a.allowed, b.allowed):
        return Opposition(0.85, 0.0)
    patterns = all(any(_PATTERN.search(term) for term in claim.allowed) for claim in (a, b))
    if (
        not patterns
        and a.worded
        and b.worded
        and len(a.allowed) == 1
        and len(b.allowed) == 1
        and a.allowed != b.allowed
    ):
        return Opposition(0.8, 0.6)
    return None


def _are_spellings(one: frozenset[str], two: frozenset[str]) -> bool:
    """Tell whether two rules demand spellings of one word that differ in a long vowel, a hyphen or a space."""
    if len(one) != 1 or len(two) != 1 or one == two:
        return False
    (first,), (second,) = one, two
    bare = [re.sub(r"[ー\-・ ]", "", word) for word in (first, second)]
    return bare[0] == bare[1] and len(bare[0]) >= _SHORT_TERM


def _is_telling(term: str) -> bool:
    """Tell whether a term is more than a sign or a syllable, and so tells by itself what the rule is about."""
    return len(term) > _SHORT_TERM or (len(term) == _SHORT_TERM and not term.isascii())


def oppose_choices(a: SlotClaim, b: SlotClaim) -> Opposition | None:
    """Return how two values that no list knows oppose each other."""
    strength = excluded(a, b)
    if not strength:
        return None
    if a.only or b.only or a.denied or b.denied:
        return Opposition(strength, _CHOICE - (_BOTH_ONLY if a.only and b.only else 0.0))
    return Opposition(strength, _CHOICE if a.attribute in _PLAIN_CHOICES else _PLAINLY_SAME)


def oppose_presence(a: PresenceClaim, b: PresenceClaim, lexicon: Lexicon) -> Opposition | None:
    """Return how a demand and a ban oppose each other."""
    common = contradicted(a, b, lexicon)
    if not common:
        return None
    needed = _PRESENCE_OF_ACT if common <= ACTS | lexicon.light_set else _PRESENCE
    if is_elsewhere(a, b):
        return Opposition(0.85, _PLACED)
    return Opposition(0.85, 0.0 if is_whole(a, b, common, lexicon) else needed)


def oppose_orders(a: OrderClaim, b: OrderClaim) -> Opposition | None:
    """Return how two orders oppose each other."""
    if a.attribute == SIDES:
        return Opposition(0.85, 0.2) if are_swapped(a, b) else None
    first, second = a.earlier & b.later, a.later & b.earlier
    told = first and second and (_names_step(first) or _names_step(second)) and first != second
    told = told and (len(first) > 1 or len(second) > 1 or (_names_step(first) and _names_step(second)))
    return Opposition(0.9, 0.0) if told else None


def _names_step(items: frozenset[str]) -> bool:
    """Tell whether shared items name a step: a concept, or more than one unknown word."""
    return len(items) > 1 or any(not item.startswith("u:") or _KATAKANA.match(item) for item in items)


def oppose_absence(a: Claim, b: Claim) -> Opposition | None:
    """Return how a rule that something measured is not there opposes a number for it."""
    absence, number = (a, b) if isinstance(a, AbsenceClaim) else (b, a)
    if not isinstance(absence, AbsenceClaim) or not isinstance(number, QuantityClaim):
        return None
    if not is_contradicted(absence, number):
        return None
    return Opposition(0.9, _ABSENCE if absence.unbounded else _ABSENCE + _NOT_AT_ALL)


def oppose_inclusions(a: InclusionClaim, b: InclusionClaim, lexicon: Lexicon) -> Opposition | None:
    """Return how a rule that counts something in opposes one that leaves it out."""
    return Opposition(0.9, _INCLUSION) if common_thing(a, b, lexicon) else None


def oppose_flags(a: FlagClaim, b: FlagClaim, lexicon: Lexicon) -> Opposition | None:
    """Return how two features oppose each other; what need not be there may be."""
    if {a.force, b.force} == {"waived", "may"}:
        return None
    needed = 0.0 if a.attribute in lexicon.whole_flags else _FLAG
    return Opposition(0.95, needed) if a.on != b.on else None
