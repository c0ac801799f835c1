"""When two constraints cannot both hold (spec: conflicts, step 4)."""

import re
from dataclasses import replace

from .absence import AbsenceClaim
from .agreement import Agreement, Similarity, acquaintance, agreement, kinship_of_topics, other_rows
from .bounds import COUNTS, oppose_quantities
from .claims import Claim, EnumClaim, FlagClaim, TermClaim
from .forms import GRADES, PLACE, are_forms
from .inclusion import InclusionClaim, common_thing
from .lexicon import Lexicon
from .measures import QuantityClaim
from .opposition import (
    Opposition,
    oppose_absence,
    oppose_choices,
    oppose_flags,
    oppose_inclusions,
    oppose_orders,
    oppose_presence,
    oppose_terms,
    oppose_values,
)
from .ordering import OrderClaim
from .presence import PresenceClaim, contradicted
from .scope_overlap import meanings_of_values, overlap
from .slots import SlotClaim, comparable
from .statements import Constraint
from .values import same_amount

# Much in common makes up for what only one clause says: agreement per weight of shared content, and the most of it.
_BY_WEIGHT, _MOST_BY_WEIGHT = 0.28, 0.7
# The least that two clauses must share: a word, less where one demands what the other bans.
_ONE_WORD, _LITTLE = 0.5, 0.3
_SIDES_OF_PROJECT = frozenset({"japan-side", "china-side"})
_ACTORS = frozenset({"actor", "approving-role", "choice-role"})
# Concepts of what people do to a document or a system.
_ACTS = frozenset({"approval", "review", "make-it", "check-it", "deploy", "submit", "register-action", "confirm-it"})
# Least weight of a word that names what a number belongs to; factor where clauses share nothing but the property.
_BEGINS = re.compile(r"開始|始業|始め|から(?!の)|起動|开始|启动|起始|\b(?:starts?|begins?|opens?)\b")
_ENDS = re.compile(
    r"終了|終わ|まで|完了|締|结束|完成|截止|之前|\b(?:ends?|by|until|closes?|finish(?:es|ed)?|complete[sd]?)\b"
)
_WORD, _ONLY_PROPERTY = 0.35, 0.6
# Least kinship of topics of two numbers of one telling property.
_TOLD_PROPERTY = 0.9
# Weight of a word with which a clause clearly names its target.
_CLEAR = 1.0


def clash(a: Constraint, b: Constraint, lexicon: Lexicon, similarity: Similarity | None = None) -> float:
    """Return the confidence, 0 to 1, that two constraints cannot both be obeyed."""
    opposition = oppose(a.claim, b.claim, lexicon)
    if opposition is None or not _can_meet(a, b):
        return 0.0
    values = _own_values(a.claim, b.claim, lexicon)
    if isinstance(a.claim, InclusionClaim):
        # What is left out is what the rules are at odds about, and no case that one of them yields to.
        a, b = (_without_exceptions(side, values) for side in (a, b))
    fit = overlap(a.statement.scope, b.statement.scope, values | meant_besides(a, b, values, lexicon), lexicon)
    if fit <= 0:
        return 0.0
    if not are_forms(a.claim.attribute):
        kinship = kinship_of_topics(a.statement, b.statement, values, lexicon)
        # In English the property itself is the topic more often than not ("no line is longer", "lines of up to").
        told = a.statement.language == "en" and _share_telling_property(a.claim, b.claim, lexicon)
        fit *= max(kinship, _TOLD_PROPERTY if told else 0.0) * _property_fit(a, b, lexicon)
    if not isinstance(a.claim, TermClaim | OrderClaim) and not _names_thing(a.claim, lexicon):
        by_words = isinstance(a.claim, PresenceClaim)
        told = isinstance(a.claim, EnumClaim) and lexicon.stands_alone(a.claim.attribute)
        fit *= acquaintance(
            a.statement, b.statement, values | {a.claim.attribute}, similarity, by_words=by_words, told=told
        )
    if opposition.needed == 0:
        return opposition.strength * fit
    found = agreement(a.statement, b.statement, ignored_items(a.claim, b.claim, lexicon), similarity)
    return opposition.strength * fit * _assurance(found, opposition.needed, presence=isinstance(a.claim, PresenceClaim))


def _without_exceptions(side: Constraint, values: frozenset[str]) -> Constraint:
    scope = side.statement.scope
    return replace(side, statement=replace(side.statement, scope=replace(scope, exceptions=scope.exceptions - values)))


def meant_besides(a: Constraint, b: Constraint, values: frozenset[str], lexicon: Lexicon) -> frozenset[str]:
    """Return what words for compared people and values mean besides: who does something is no case in which a rule holds."""  # noqa: E501  # a pattern stays in one line
    if a.claim.attribute not in _ACTORS and not isinstance(a.claim, EnumClaim | TermClaim):
        return frozenset()
    sides = (a.statement, b.statement)
    # "日本側PM" and "中国側PM" are two people, and no two cases.
    meant = _SIDES_OF_PROJECT if a.claim.attribute in _ACTORS else frozenset[str]()
    return meant.union(*(meanings_of_values(s.text, s.language, values, lexicon) for s in sides))


def _names_thing(claim: Claim, lexicon: Lexicon) -> bool:
    """Tell whether a property says by itself what the rule is about ("no foreign keys"), whatever its topic is."""
    return are_forms(claim.attribute) or (isinstance(claim, FlagClaim) and claim.attribute in lexicon.whole_flags)


def _can_meet(a: Constraint, b: Constraint) -> bool:
    """Tell whether two constraints of opposed claims can be about one thing at all."""
    if isinstance(a.claim, QuantityClaim) and a.claim.attribute == b.claim.attribute == "clock":
        # When something begins and when it has to be over are two times.
        ends = {bool(_BEGINS.search(side.statement.text)) for side in (a, b)}
        if len(ends) > 1 and any(_ENDS.search(side.statement.text) for side in (a, b)):
            return False
    same_language = a.statement.language == b.statement.language
    if isinstance(a.claim, TermClaim) and isinstance(b.claim, TermClaim) and not same_language:
        # "該当なし" and "not applicable" may be one wording; what tells is a ban of what the other demands, or complete
        # lists of different lengths.
        banned = a.claim.allowed & b.claim.denied or b.claim.allowed & a.claim.denied
        listed = a.claim.closed and b.claim.closed and len(a.claim.allowed) != len(b.claim.allowed)
        if not banned and not listed:
            return False
    readable = not isinstance(a.claim, SlotClaim) or comparable(a.claim, same_language)
    return readable and _same_act(a, b) and _binding(a, b) and not other_rows(a.statement, b.statement)


def _assurance(found: Agreement, needed: float, *, presence: bool) -> float:
    """Return how surely two clauses speak of one thing, 0 to 1, from how far they agree and have to."""
    if found.shared < (_LITTLE if presence else _ONE_WORD):
        return 0.0
    degree = max(found.degree, min(_MOST_BY_WEIGHT, _BY_WEIGHT * found.shared))
    return 0.6 * degree / needed if degree < needed else min(1.0, 0.5 + 0.5 * degree / needed)


def _share_telling_property(a: Claim, b: Claim, lexicon: Lexicon) -> bool:
    if not isinstance(a, QuantityClaim) or not isinstance(b, QuantityClaim):
        return False
    return any(not lexicon.attributes[name].general for name in a.properties & b.properties)


def _property_fit(a: Constraint, b: Constraint, lexicon: Lexicon) -> float:
    """Return 1, or less where two numbers share a general property and perhaps nothing else."""
    if not isinstance(a.claim, QuantityClaim) or not isinstance(b.claim, QuantityClaim):
        return 1.0
    named = a.claim.properties & b.claim.properties
    general = named and all(lexicon.attributes[name].general for name in named)
    return _targets_meet(a, b, lexicon) if general else 1.0


def oppose(a: Claim, b: Claim, lexicon: Lexicon) -> Opposition | None:
    """Return how two claims oppose each other, None when they do not."""
    if isinstance(a, QuantityClaim) and isinstance(b, QuantityClaim):
        return oppose_quantities(a, b, lexicon)
    if isinstance(a, AbsenceClaim) or isinstance(b, AbsenceClaim):
        return oppose_absence(a, b)
    return _oppose_alike(a, b, lexicon) if a.attribute == b.attribute else None


def _oppose_alike(a: Claim, b: Claim, lexicon: Lexicon) -> Opposition | None:
    match a, b:
        case EnumClaim(), EnumClaim():
            found = oppose_values(a, b, lexicon)
        case TermClaim(), TermClaim():
            found = oppose_terms(a, b)
        case SlotClaim(), SlotClaim():
            found = oppose_choices(a, b)
        case PresenceClaim(), PresenceClaim():
            found = oppose_presence(a, b, lexicon)
        case OrderClaim(), OrderClaim():
            found = oppose_orders(a, b)
        case InclusionClaim(), InclusionClaim():
            found = oppose_inclusions(a, b, lexicon)
        case FlagClaim(), FlagClaim():
            found = oppose_flags(a, b, lexicon)
        case _:
            found = None
    return found


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
    return "count" if isinstance(claim, QuantityClaim) and claim.attribute in COUNTS else claim.attribute


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
        obliged = (b if a.statement.modality == "may" else a).statement.duty == "required"
        return mine.only or other.only or bool(other.denied) or obliged
    return True


def _own_values(a: Claim, b: Claim, lexicon: Lexicon) -> frozenset[str]:
    """Concepts that are the values compared, and so no part of the target."""
    found: frozenset[str] = frozenset()
    match a, b:
        case EnumClaim(), EnumClaim():
            found = _values_of_set(a.attribute, lexicon)
        case TermClaim(), TermClaim():
            found = frozenset(f"u:{term}" for term in (*a.allowed, *a.denied, *b.allowed, *b.denied))
        case SlotClaim(), SlotClaim():
            found = frozenset(f"u:{value}" for value in (*a.allowed, *a.denied, *b.allowed, *b.denied))
        case OrderClaim(), OrderClaim():
            # "承認前に": the state is the order itself, no case in which it holds.
            states = lexicon.families.get("doc-state")
            found = a.earlier | a.later | b.earlier | b.later | frozenset(states.members if states else ())
        case PresenceClaim(), PresenceClaim():
            found = contradicted(a, b, lexicon)
        case InclusionClaim(), InclusionClaim():
            found = common_thing(a, b, lexicon)
        case FlagClaim(), _:
            found = frozenset({a.attribute})
        case _:
            pass
    return found


def _values_of_set(attribute: str, lexicon: Lexicon) -> frozenset[str]:
    """Return the values of a closed set; those of a scale are its grades."""
    if attribute.startswith(PLACE):
        sides = lexicon.families.get("direction")
        return frozenset({"page-header", "page-footer", *(sides.members if sides else ())})
    if attribute.startswith(GRADES) and "severity" in lexicon.families:
        return frozenset(lexicon.families["severity"].members)
    return frozenset(lexicon.enums[attribute].values) if attribute in lexicon.enums else frozenset()


def ignored_items(a: Claim, b: Claim, lexicon: Lexicon) -> frozenset[str]:
    """Return the items that must not count when targets are aligned: the compared values themselves."""
    if isinstance(a, OrderClaim | FlagClaim):
        return frozenset()
    values = _own_values(a, b, lexicon)
    if a.attribute in lexicon.enums:
        return values | frozenset(lexicon.enums[a.attribute].names)
    return values
