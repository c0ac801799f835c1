"""When two constraints cannot both hold (spec: conflicts, step 4)."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from .claims import Claim, EnumClaim, FlagClaim, QuantityClaim, TermClaim
from .content import alignment
from .lexicon import Lexicon
from .ordering import OrderClaim
from .scope_overlap import overlap
from .statements import Constraint, Statement
from .values import Quantity, same_amount

Similarity = Callable[[str, str], float]

_SHORT_TERM = 2
# What holds the thing that is required or waived, and the least weight of the thing itself.
_CONTAINERS, _LEAST = frozenset({"item", "change-history"}), 0.6
_NEARLY_SAME = 0.85
_BANNED_PREDICATE = re.compile(
    r"([一-龥々]{1,6})[ぁ-ん]{0,5}(?:ない|ません|ず|禁止|禁じ|不可)(?:[ぁ-ん]{0,4}|もの?とする|こと)[。.]?$"
)
_HAN = re.compile(r"[一-龥々]")
# Characters from the end: where a predicate's last word stands, and the whole predicate with its object.
_PREDICATE_END, _PREDICATE_REACH = 6, 14
# Share of character bigrams (Dice) from which the subjects of two rows may be the same thing, differently written.
_SAME_ROW = 0.5
# Weights of shared content: the least that counts as naming one thing, and as speaking of one subject.
_ONE_WORD, _ONE_SUBJECT = 0.35, 1.1
_COUNTS = frozenset({"item", "times", "person", "char", "generation", "bare"})
_POLARITY_ALIGNMENT, _POLARITY_SHARED = 0.62, 1.6


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two statements speak of the same thing: 0 to 1, and the weight of what both name."""

    degree: float
    shared: float


@dataclass(frozen=True, slots=True)
class _Opposition:
    """Two claims on one attribute: how surely they exclude each other, and how closely their targets must agree."""

    strength: float
    needed: float


def clash(a: Constraint, b: Constraint, lexicon: Lexicon, similarity: Similarity | None = None) -> float:
    """Return the confidence, 0 to 1, that two constraints cannot both be obeyed."""
    opposition = _oppose(a.claim, b.claim, lexicon)
    if opposition is None or not _binding(a, b) or _other_rows(a.statement, b.statement):
        return 0.0
    fit = overlap(a.statement.scope, b.statement.scope, _own_values(a.claim, b.claim, lexicon), lexicon)
    if fit <= 0:
        return 0.0
    found = agreement(a.statement, b.statement, ignored_items(a.claim, b.claim, lexicon), similarity)
    if opposition.needed == 0:
        return opposition.strength * fit
    if found.shared < 0.5:  # noqa: PLR2004  # not even one word in common
        return 0.0
    return (
        opposition.strength * fit * min(1.0, 0.5 + 0.5 * found.degree / max(opposition.needed, 0.01))
        if found.degree >= opposition.needed
        else opposition.strength * fit * found.degree / opposition.needed * 0.6
    )


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


def opposite(a: Statement, b: Statement, lexicon: Lexicon, similarity: Similarity | None = None) -> float:
    """Return the confidence that one clause demands what the other forbids, from their words alone."""
    if not (a.prescribes and b.prescribes) or "should" in (a.modality, b.modality) or _other_rows(a, b):
        return 0.0
    if (a.duty == "optional") != (b.duty == "optional"):
        demand, waiver = (a, b) if b.duty == "optional" else (b, a)
        return 0.0 if demand.denied else _dispensed(demand, waiver, lexicon)
    if a.denied == b.denied or not (a if a.denied else b).forbids or a.duty == "optional":
        return 0.0
    found = agreement(a, b, frozenset(), similarity)
    enough = 1.0 if found.degree >= _NEARLY_SAME else _POLARITY_SHARED
    if found.degree < _POLARITY_ALIGNMENT or found.shared < enough:
        return 0.0
    banned, demanded = (a, b) if a.denied else (b, a)
    if _differ(a, b, lexicon) or (_counts(a, b) and found.degree < _NEARLY_SAME) or not _same_action(banned, demanded):
        return 0.0
    fit = overlap(a.scope, b.scope, frozenset(), lexicon)
    return fit * min(1.0, 0.35 + 0.6 * found.degree)


def _other_rows(a: Statement, b: Statement) -> bool:
    """Tell whether both stand in table rows about different things: two columns may have different 桁数."""
    one, two = a.rule.subject, b.rule.subject
    if not one or not two or one in two or two in one:
        return False
    pairs_one, pairs_two = ({text[i : i + 2] for i in range(len(text) - 1)} for text in (one, two))
    shared = 2 * len(pairs_one & pairs_two) / max(1, len(pairs_one) + len(pairs_two))
    return shared < _SAME_ROW


def _same_action(banned: Statement, demanded: Statement) -> bool:
    """Tell whether what one clause forbids is what the other demands, by the characters of the Japanese predicate.

    "記載しない" answers "記載する" and "記述する", not "参照する". Predicates without Han characters (しない, つけない)
    say too little to tell; other languages put the verb where their content words already show it.
    """
    if banned.language != "ja" or demanded.language != "ja":
        return True
    found = _BANNED_PREDICATE.search(banned.text)
    if found is None or not _HAN.search(demanded.text[-_PREDICATE_END:]):
        return True
    return not set(found[1]).isdisjoint(demanded.text[-_PREDICATE_REACH:])


def _differ(a: Statement, b: Statement, lexicon: Lexicon) -> bool:
    """Tell whether two clauses name different values of one set: then demand and ban may well agree."""
    for values in lexicon.enums.values():
        one, two = a.content.keys() & set(values.values), b.content.keys() & set(values.values)
        if one and two and one.isdisjoint(two):
            return True
    return False


def _counts(a: Statement, b: Statement) -> bool:
    """Clauses with numbers are compared by their numbers, unless one of them is a bare permission."""
    return (a.numbers or b.numbers) and "may" not in (a.modality, b.modality)


def _dispensed(required: Statement, optional: Statement, lexicon: Lexicon) -> float:
    """Return the confidence that one clause makes optional what the other requires, perhaps among other things."""
    named = {item: max(weight, _LEAST) for item, weight in optional.topic.items() if item not in _CONTAINERS}
    weight = sum(named.values())
    found = sum(weight for item, weight in named.items() if item in required.content)
    around = sum(
        0.7 * weight for item, weight in named.items() if item not in required.content and item in required.around
    )
    shared_around = optional.around & (required.around | required.content.keys())
    if weight == 0 or found < _ONE_WORD or found + around < _POLARITY_ALIGNMENT * weight:
        return 0.0
    if found + around + 0.5 * len(shared_around) < _ONE_SUBJECT:
        # Nothing else tells that both speak of one thing.
        return 0.0
    return 0.85 * overlap(required.scope, optional.scope, frozenset(), lexicon)


def agreement(a: Statement, b: Statement, ignored: frozenset[str], similarity: Similarity | None = None) -> Agreement:
    """Return how far two statements speak of the same thing, whole clauses or topics, whichever agrees better."""
    if a.language != b.language:
        ignored |= frozenset(item for item in (*a.content, *b.content) if item.startswith("u:"))
    clause, shared = alignment(a.content, b.content, a.around, b.around, ignored)
    topic, topic_shared = alignment(a.topic, b.topic, a.around, b.around, ignored)
    degree = max(clause, topic if topic_shared >= 1.0 else 0.0)
    meaning = similarity(a.text, b.text) if similarity is not None else 0.0
    return Agreement(max(degree, meaning), max(shared, topic_shared, meaning))


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
        return _quantities(a, b)
    if a.attribute != b.attribute:
        return None
    if isinstance(a, EnumClaim) and isinstance(b, EnumClaim):
        return _enums(a, b, lexicon)
    if isinstance(a, TermClaim) and isinstance(b, TermClaim):
        return _terms(a, b)
    if isinstance(a, OrderClaim) and isinstance(b, OrderClaim):
        first, second = a.earlier & b.later, a.later & b.earlier
        return _Opposition(0.9, 0.0) if first and second and first != second else None
    opposed = isinstance(a, FlagClaim) and isinstance(b, FlagClaim) and a.on != b.on
    return _Opposition(0.95, 0.25) if opposed else None


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


def _quantities(a: QuantityClaim, b: QuantityClaim) -> _Opposition | None:
    same_kind = a.attribute == b.attribute
    named = a.properties & b.properties
    if "bare" in (a.attribute, b.attribute) and not named:
        # A number without a unit may be anything: a reference, a figure number.
        return None
    if not same_kind and not ("bare" in (a.attribute, b.attribute) and {a.attribute, b.attribute} <= _COUNTS):
        return None
    if a.modifiers and b.modifiers and a.modifiers.isdisjoint(b.modifiers) and a.properties & b.properties:
        return None
    if not incompatible(a.quantity, b.quantity):
        return None
    needed = 0.4 if same_kind else 0.55
    if a.properties and b.properties:
        if a.properties.isdisjoint(b.properties):
            return None
        needed -= 0.15
    elif (a.properties & b.around) or (b.properties & a.around):
        needed -= 0.08
    elif a.properties or b.properties or a.attribute == "item":
        needed += 0.15
    threshold = a.quantity.operator == b.quantity.operator
    return _Opposition(0.95 if threshold else 0.8, needed if threshold else needed + 0.1)


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
    return frozenset({a.attribute}) if isinstance(a, FlagClaim) else frozenset()


def ignored_items(a: Claim, b: Claim, lexicon: Lexicon) -> frozenset[str]:
    """Return the items that must not count when targets are aligned: the compared values themselves."""
    if isinstance(a, OrderClaim | FlagClaim):
        return frozenset()
    values = _own_values(a, b, lexicon)
    if a.attribute in lexicon.enums:
        return values | frozenset(lexicon.enums[a.attribute].names)
    return values
