"""When two constraints cannot both hold (spec: conflicts, step 4)."""

from dataclasses import dataclass

from .agreement import Similarity, agreement, kinship_of_topics, other_rows
from .claims import Claim, EnumClaim, FlagClaim, QuantityClaim, TermClaim
from .lexicon import Lexicon
from .ordering import OrderClaim
from .presence import PresenceClaim, contradicted, is_whole
from .scope_overlap import overlap
from .slots import SlotClaim, comparable, excluded
from .statements import Constraint
from .values import Quantity, same_amount

_SHORT_TERM = 2
_ACTORS = frozenset({"actor", "approving-role", "choice-role"})
# Concepts of what people do to a document or a system.
_ACTS = frozenset({"approval", "review", "make-it", "check-it", "deploy", "submit", "register-action", "confirm-it"})
# Much in common makes up for what only one clause says: agreement per weight of shared content, and the most of it.
_BY_WEIGHT, _MOST_BY_WEIGHT = 0.28, 0.7
# Least weight of a word that names what a number belongs to; factor where clauses share nothing but the property.
_WORD, _ONLY_PROPERTY = 0.35, 0.6
# Weight of a word with which a clause clearly names its target.
_CLEAR = 1.0
# How closely targets must agree, beside the thing that one rule demands and the other bans.
_PRESENCE = 0.27
# Kinds of numbers that few things have.
_LITTLE = 0.3
_TELLING_DIMENSIONS = frozenset({"dpi", "percent", "rate", "pixel", "level", "money", "space", "effort", "ratio"})
# How much more closely where the property is qualified by different words.
_QUALIFIED = 0.3
# The same for values that no list knows.
_CHOICE, _BOTH_ONLY = 0.45, 0.15
_COUNTS = frozenset({"item", "times", "person", "char", "generation", "bare"})


@dataclass(frozen=True, slots=True)
class _Opposition:
    """Two claims on one attribute: how surely they exclude each other, and how closely their targets must agree."""

    strength: float
    needed: float


def clash(a: Constraint, b: Constraint, lexicon: Lexicon, similarity: Similarity | None = None) -> float:
    """Return the confidence, 0 to 1, that two constraints cannot both be obeyed."""
    opposition = _oppose(a.claim, b.claim, lexicon)
    if opposition is None or not _same_act(a, b) or not _binding(a, b) or other_rows(a.statement, b.statement):
        return 0.0
    if isinstance(a.claim, SlotClaim) and not comparable(a.claim, a.statement.language == b.statement.language):
        return 0.0
    fit = overlap(a.statement.scope, b.statement.scope, _own_values(a.claim, b.claim, lexicon), lexicon)
    if fit <= 0:
        return 0.0
    found = agreement(a.statement, b.statement, ignored_items(a.claim, b.claim, lexicon), similarity)
    fit *= kinship_of_topics(a.statement, b.statement)
    if isinstance(a.claim, QuantityClaim) and isinstance(b.claim, QuantityClaim):
        named = a.claim.properties & b.claim.properties
        fit *= (
            _targets_meet(a, b, lexicon) if named and all(lexicon.attributes[name].general for name in named) else 1.0
        )
    if opposition.needed == 0:
        return opposition.strength * fit
    degree = max(found.degree, min(_MOST_BY_WEIGHT, _BY_WEIGHT * found.shared))
    if found.shared < (_LITTLE if isinstance(a.claim, PresenceClaim) else 0.5):  # noqa: PLR2004  # not even one word in common
        return 0.0
    if degree < opposition.needed:
        return opposition.strength * fit * degree / opposition.needed * 0.6
    return opposition.strength * fit * min(1.0, 0.5 + 0.5 * degree / max(opposition.needed, 0.01))


def _same_act(a: Constraint, b: Constraint) -> bool:
    """Two people clash only when they are to do the same."""
    if a.claim.attribute not in _ACTORS or b.claim.attribute not in _ACTORS:
        return True
    acts = [side.statement.content.keys() & _ACTS for side in (a, b)]
    return not (acts[0] and acts[1] and acts[0].isdisjoint(acts[1]))


def _targets_meet(a: Constraint, b: Constraint, lexicon: Lexicon) -> float:
    """Return 1, or less when two clauses share the property that is measured and nothing of whose property it is."""
    targets = [
        {
            item: weight
            for item, weight in side.statement.content.items()
            if item not in lexicon.attributes and weight >= _WORD
        }
        for side in (a, b)
    ]
    near = [target.keys() | side.statement.around for target, side in zip(targets, (a, b), strict=True)]
    named = all(targets) or max(max(target.values(), default=0.0) for target in targets) >= _CLEAR
    apart = named and targets[0].keys().isdisjoint(near[1]) and targets[1].keys().isdisjoint(near[0])
    apart = apart and not a.statement.scope.facets.named & b.statement.scope.facets.named
    return _ONLY_PROPERTY if apart and a.statement.language == b.statement.language else 1.0


def block_of(claim: Claim) -> str:
    """Return what two claims must have in common to be compared at all: the property, or one name for all counts."""
    return "count" if isinstance(claim, QuantityClaim) and claim.attribute in _COUNTS else claim.attribute


def agree(a: Constraint, b: Constraint) -> bool:
    """Tell whether two constraints demand the same of the same attribute."""
    one, two = a.claim, b.claim
    if isinstance(one, EnumClaim) and isinstance(two, EnumClaim):
        return one.attribute == two.attribute and bool(one.allowed & two.allowed)
    if isinstance(one, QuantityClaim) and isinstance(two, QuantityClaim):
        return one.attribute == two.attribute and same_amount(one.quantity.amount, two.quantity.amount, one.attribute)
    if isinstance(one, TermClaim) and isinstance(two, TermClaim):
        return bool(one.allowed & two.allowed)
    return one == two


def _binding(a: Constraint, b: Constraint) -> bool:
    """A recommendation beside a must is no conflict, nor is a permission unless the other side forbids or limits."""
    kinds = {a.statement.modality, b.statement.modality}
    if "should" in kinds:
        return False
    if "may" in kinds and isinstance(a.claim, EnumClaim) and isinstance(b.claim, EnumClaim):
        mine, other = (a.claim, b.claim) if a.statement.modality == "may" else (b.claim, a.claim)
        return mine.only or other.only or bool(other.denied)
    return True


def _oppose(a: Claim, b: Claim, lexicon: Lexicon) -> _Opposition | None:
    if isinstance(a, QuantityClaim) and isinstance(b, QuantityClaim):
        return _quantities(a, b, lexicon)
    if a.attribute != b.attribute:
        return None
    if isinstance(a, EnumClaim) and isinstance(b, EnumClaim):
        return _enums(a, b, lexicon)
    if isinstance(a, TermClaim) and isinstance(b, TermClaim):
        return _terms(a, b)
    if isinstance(a, SlotClaim) and isinstance(b, SlotClaim):
        strength = excluded(a, b)
        return _Opposition(strength, _CHOICE - (_BOTH_ONLY if a.only and b.only else 0.0)) if strength else None
    if isinstance(a, PresenceClaim) and isinstance(b, PresenceClaim):
        common = contradicted(a, b, lexicon)
        return _Opposition(0.85, 0.0 if is_whole(a, b, common) else _PRESENCE) if common else None
    if isinstance(a, OrderClaim) and isinstance(b, OrderClaim):
        first, second = a.earlier & b.later, a.later & b.earlier
        return _Opposition(0.9, 0.0) if first and second and first != second else None
    opposed = isinstance(a, FlagClaim) and isinstance(b, FlagClaim) and a.on != b.on
    return _Opposition(0.95, 0.22) if opposed else None


def _enums(a: EnumClaim, b: EnumClaim, lexicon: Lexicon) -> _Opposition | None:
    values = lexicon.enums.get(a.attribute)
    if values is not None and values.needed is not None:
        needed = values.needed
    else:
        needed = 0.22 if values is not None and values.hosts else 0.3
        if values is not None and values.standalone:
            needed = 0.0
    if a.allowed and b.allowed and a.allowed.isdisjoint(b.allowed):
        return _Opposition(0.95, needed)
    if (a.allowed and a.allowed <= b.denied) or (b.allowed and b.allowed <= a.denied):
        return _Opposition(0.95, needed)
    if a.allowed and b.allowed and ((a.only and b.allowed - a.allowed) or (b.only and a.allowed - b.allowed)):
        return _Opposition(0.85, needed)
    return None


def _terms(a: TermClaim, b: TermClaim) -> _Opposition | None:
    if (a.allowed and a.allowed & b.denied) or (b.allowed and b.allowed & a.denied):
        telling = any(_is_telling(term) for term in (a.allowed & b.denied) | (b.allowed & a.denied))
        return _Opposition(0.9, 0.0 if telling else 0.25)
    if a.closed and b.closed and a.allowed and b.allowed and a.allowed != b.allowed:
        return _Opposition(0.9, 0.4)
    if a.worded and b.worded and len(a.allowed) == 1 and len(b.allowed) == 1 and a.allowed != b.allowed:
        return _Opposition(0.8, 0.6)
    return None


def _is_telling(term: str) -> bool:
    """Tell whether a term is more than a sign or a syllable, and so tells by itself what the rule is about."""
    return len(term) > _SHORT_TERM or (len(term) == _SHORT_TERM and not term.isascii())


def _quantities(a: QuantityClaim, b: QuantityClaim, lexicon: Lexicon) -> _Opposition | None:
    same_kind = a.attribute == b.attribute
    named = a.properties & b.properties
    if "bare" in (a.attribute, b.attribute) and not named:
        # A number without a unit may be anything: a reference, a figure number.
        return None
    if not same_kind and not _measures(a, b, named, lexicon):
        return None
    one, two = a.quantity, b.quantity
    if a.open_bound:
        one = one.with_operator(two.operator)
    elif b.open_bound:
        two = two.with_operator(one.operator)
    if not incompatible(one, two):
        return None
    needed = 0.4 if same_kind else 0.55
    if a.properties and b.properties:
        if a.properties.isdisjoint(b.properties):
            return None
        needed -= 0.15
    elif (a.properties & b.around) or (b.properties & a.around):
        needed -= 0.08
    elif a.attribute == "item" or any(not lexicon.attributes[name].general for name in (*a.properties, *b.properties)):
        needed += 0.15
    if a.attribute in _TELLING_DIMENSIONS and same_kind:
        needed -= 0.15
    if a.modifiers and b.modifiers and a.modifiers.isdisjoint(b.modifiers) and a.properties & b.properties:
        needed += _QUALIFIED
    threshold = one.operator == two.operator
    return _Opposition(0.95 if threshold else 0.8, max(0.2, needed if threshold else needed + 0.05))


def _measures(a: QuantityClaim, b: QuantityClaim, named: frozenset[str], lexicon: Lexicon) -> bool:
    """Tell whether a number without unit and one with a unit may be values of one property."""
    kinds = {a.attribute, b.attribute}
    if "bare" not in kinds:
        return False
    (other,) = kinds - {"bare"}
    return other in _COUNTS or any(other in lexicon.attributes[name].dimensions and other == "space" for name in named)


def incompatible(a: Quantity, b: Quantity) -> bool:
    """Tell whether two bounds differ as rules.

    Two different minima (or maxima, or exact values) are two different rules; a minimum beside a maximum is none unless
    nothing satisfies both.
    """
    dimension = a.dimension if a.dimension != "bare" else b.dimension
    if same_amount(a.amount, b.amount, dimension):
        return False
    if a.operator == b.operator:
        return True
    lower, upper = (a, b) if a.operator == ">=" or b.operator == "<=" else (b, a)
    return lower.amount > upper.amount


def _own_values(a: Claim, b: Claim, lexicon: Lexicon) -> frozenset[str]:
    """Concepts that are the values compared, and so no part of the target."""
    if isinstance(a, EnumClaim) and isinstance(b, EnumClaim):
        return frozenset(lexicon.enums[a.attribute].values) if a.attribute in lexicon.enums else frozenset()
    if isinstance(a, TermClaim) and isinstance(b, TermClaim):
        return frozenset(f"u:{term}" for term in (*a.allowed, *a.denied, *b.allowed, *b.denied))
    if isinstance(a, OrderClaim) and isinstance(b, OrderClaim):
        return a.earlier | a.later | b.earlier | b.later
    if isinstance(a, PresenceClaim) and isinstance(b, PresenceClaim):
        return contradicted(a, b, lexicon)
    if isinstance(a, SlotClaim) and isinstance(b, SlotClaim):
        return frozenset(f"u:{value}" for value in (*a.allowed, *a.denied, *b.allowed, *b.denied))
    return frozenset({a.attribute}) if isinstance(a, FlagClaim) else frozenset()


def ignored_items(a: Claim, b: Claim, lexicon: Lexicon) -> frozenset[str]:
    """Return the items that must not count when targets are aligned: the compared values themselves."""
    if isinstance(a, OrderClaim | FlagClaim):
        return frozenset()
    values = _own_values(a, b, lexicon)
    if a.attribute in lexicon.enums:
        return values | frozenset(lexicon.enums[a.attribute].names)
    return values
