"""From pairs of clashing rules to conflict groups by topic (spec: conflicts, step 5)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..conflicts import ConflictGroup, ConflictMember, rule_hash
from .claims import FlagClaim, QuantityClaim
from .ordering import OrderClaim
from .statements import Constraint, Statement


@dataclass(frozen=True, slots=True)
class Side:
    """One rule of a clash: its chunk's position, clause and value as shown to people."""

    chunk: int
    statement: Statement
    value: str


@dataclass(frozen=True, slots=True)
class Clash:
    """Two rules that cannot both hold."""

    attribute: str
    a: Side
    b: Side
    confidence: float


def value_text(constraint: Constraint) -> str:
    """Return the claim's value for people."""
    claim = constraint.claim
    if isinstance(claim, QuantityClaim):
        return f"{ {'=': '', '>=': '≥ ', '<=': '≤ '}[claim.quantity.operator] }{claim.quantity.text}"
    if isinstance(claim, FlagClaim):
        return f"{claim.attribute}: {'yes' if claim.on else 'no'}"
    if isinstance(claim, OrderClaim):
        return f"{', '.join(sorted(claim.earlier))} < {', '.join(sorted(claim.later))}"
    return " ".join([*sorted(claim.allowed), *(f"≠{value}" for value in sorted(claim.denied))])


def group(clashes: Sequence[Clash]) -> tuple[ConflictGroup, ...]:
    """Join clashes that share a rule and an attribute into groups, the surest first."""
    groups: list[list[Clash]] = []
    for clash in sorted(clashes, key=lambda item: -item.confidence):
        keys = {clash.a.chunk, clash.b.chunk}
        home = [
            found
            for found in groups
            if found[0].attribute == clash.attribute and any(keys & {other.a.chunk, other.b.chunk} for other in found)
        ]
        merged = [clash]
        for found in home:
            merged = [*found, *merged]
            groups.remove(found)
        groups.append(merged)
    unique: dict[frozenset[int], ConflictGroup] = {}
    for found in sorted(groups, key=lambda items: -items[0].confidence):
        members = frozenset(side.chunk for clash in found for side in (clash.a, clash.b))
        unique.setdefault(members, _conflict_group(found))
    return tuple(unique.values())


def _conflict_group(clashes: Sequence[Clash]) -> ConflictGroup:
    sides: dict[int, Side] = {}
    for clash in clashes:
        for side in (clash.a, clash.b):
            sides.setdefault(side.chunk, side)
    ordered = [sides[chunk] for chunk in sorted(sides)]
    attribute = clashes[0].attribute
    topic = _topic(clashes[0])
    shown = " / ".join(f"{side.value} ({side.statement.rule.source.document})" for side in ordered)
    return ConflictGroup(
        topic=topic,
        attribute=attribute,
        members=tuple(_member(side) for side in ordered),
        confidence=round(max(clash.confidence for clash in clashes), 3),
        explanation=f"{attribute}: {shown}",
    )


def _member(side: Side) -> ConflictMember:
    rule = side.statement.rule
    source = rule.source
    return ConflictMember(
        chunk_id=source.key,
        content_hash=source.content_hash,
        document=source.document,
        heading=source.headings[-1] if source.headings else "",
        rule=rule.quote,
        value=side.value,
        source_uri=source.source_uri,
        rule_hash=rule_hash(source.document, rule.quote),
    )


def _topic(clash: Clash) -> str:
    """Return the innermost heading, else the beginning of the rule."""
    source = clash.a.statement.rule.source
    return source.headings[-1] if source.headings else clash.a.statement.rule.quote[:40]
