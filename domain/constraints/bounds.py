"""When two numbers cannot both be the rule."""

from .lexicon import Lexicon
from .measures import QuantityClaim
from .opposition import Opposition
from .values import Quantity, same_amount

COUNTS = frozenset({"item", "times", "person", "char", "generation", "bare"})
"""Kinds of numbers that are also written without a unit."""

# Kinds of numbers that few things have.
_TELLING_DIMENSIONS = frozenset(
    {
        "dpi",
        "percent",
        "rate",
        "pixel",
        "level",
        "money",
        "space",
        "effort",
        "ratio",
        "proportion",
        "bandwidth",
        "weight",
        "temperature",
    }
)
# How much more closely where the property is qualified by different words.
_QUALIFIED = 0.3
# Properties of so many things that beside another property they tell nothing apart.
_ANYTHING = frozenset({"deadline", "interval", "alert-threshold"})
_LEAST_NEEDED, _LEAST_TELLING = 0.2, 0.1
# Kinds of numbers whose unit is plain from the property.
_COUNTED = COUNTS | {"line", "level", "space", "page"}


def oppose_quantities(a: QuantityClaim, b: QuantityClaim, lexicon: Lexicon) -> Opposition | None:
    """Return how two numbers oppose each other, None when they do not."""
    same_kind = a.attribute == b.attribute
    named = a.properties & b.properties
    if "bare" in (a.attribute, b.attribute) and not named and not _told_by_property(a, b, lexicon):
        # A number without a unit may be anything: a reference, a figure number.
        return None
    counted = _counts_alike(a, b, named, lexicon)
    if not (same_kind or counted or _measures(a, b, named, lexicon) or _told_by_property(a, b, lexicon)):
        return None
    one, two = _bounds(a, b)
    if not incompatible(one, two):
        return None
    told = (_told(a, lexicon), _told(b, lexicon))
    # Two properties that both clauses name are two things, unless one stands around the other.
    if not named and all(told) and told[0].isdisjoint(b.around) and told[1].isdisjoint(a.around):
        return None
    needed = _needed(a, b, lexicon)
    threshold = one.operator == two.operator
    least = _LEAST_NEEDED
    if any(not lexicon.attributes[name].general for name in a.properties & b.properties):
        # A property of few things names the thing nearly by itself.
        least = _LEAST_TELLING
    return Opposition(0.95 if threshold else 0.8, max(least, needed if threshold else needed + 0.05))


def _told(claim: QuantityClaim, lexicon: Lexicon) -> frozenset[str]:
    """Return the properties by which a number is told from others; a deadline may be of anything."""
    return frozenset(name for name in claim.properties if name not in _ANYTHING and name in lexicon.attributes)


def _counts_alike(a: QuantityClaim, b: QuantityClaim, named: frozenset[str], lexicon: Lexicon) -> bool:
    """Tell whether two counts in different units are values of one property (20行, 50件 to a page)."""
    kinds = {a.attribute, b.attribute}
    return kinds <= (_COUNTED | {"char"}) and any(kinds <= set(lexicon.attributes[name].dimensions) for name in named)


def _bounds(a: QuantityClaim, b: QuantityClaim) -> tuple[Quantity, Quantity]:
    """Return both numbers; a cell that leaves its bound open takes over the other's."""
    one, two = a.quantity, b.quantity
    if a.open_bound:
        return one.with_operator(two.operator), two
    return one, two.with_operator(one.operator) if b.open_bound else two


def _needed(a: QuantityClaim, b: QuantityClaim, lexicon: Lexicon) -> float:
    """Return how closely the targets of two numbers must agree."""
    same_kind = a.attribute == b.attribute
    named = a.properties & b.properties
    needed = 0.35 if same_kind else 0.55
    if any(not lexicon.attributes[name].general for name in named):
        needed -= 0.25
    elif named:
        needed -= 0.15
    elif (a.properties & b.around) or (b.properties & a.around):
        needed -= 0.08
    elif any(not lexicon.attributes[name].general for name in (*a.properties, *b.properties)):
        needed += 0.06
    if a.attribute in _TELLING_DIMENSIONS and same_kind:
        needed -= 0.15
    if named and a.modifiers and b.modifiers and a.modifiers.isdisjoint(b.modifiers):
        needed += _QUALIFIED
    return needed


def _told_by_property(a: QuantityClaim, b: QuantityClaim, lexicon: Lexicon) -> bool:
    """Tell whether a bare number's property is measured in the other's unit ("length: 10", "8 digits")."""
    bare, other = (a, b) if a.attribute == "bare" else (b, a)
    return (
        bare.attribute == "bare"
        and other.attribute in _COUNTED
        and any(other.attribute in lexicon.attributes[name].dimensions for name in bare.properties)
    )


def _measures(a: QuantityClaim, b: QuantityClaim, named: frozenset[str], lexicon: Lexicon) -> bool:
    """Tell whether a number without unit and one with a unit may be values of one property."""
    kinds = {a.attribute, b.attribute}
    if "bare" not in kinds:
        return False
    (other,) = kinds - {"bare"}
    return other in COUNTS or any(other in lexicon.attributes[name].dimensions and other == "space" for name in named)


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
