"""From pairs of clashing rules to conflict groups by topic (spec: conflicts, step 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..conflicts import ConflictGroup, ConflictMember, rule_hash
from .absence import AbsenceClaim
from .claims import Claim, FlagClaim
from .inclusion import InclusionClaim
from .lexicon import Lexicon
from .measures import QuantityClaim
from .naming import display_name, display_polarity, display_value
from .ordering import OrderClaim
from .presence import PresenceClaim
from .statements import Constraint, Statement
from .text import Language


@dataclass(frozen=True, slots=True)
class Side:
    """One rule of a clash.

    Attributes:
        chunk: Position of its chunk.
        statement: Its clause.
        value: Its value in identifiers of the lexicon.
        claim: The claim it makes; None where the words of the clause alone oppose it.
        positive: Where it makes no claim: the clause is affirmative.
    """

    chunk: int
    statement: Statement
    value: str
    claim: Claim | None = None
    positive: bool = True


@dataclass(frozen=True, slots=True)
class Clash:
    """Two rules that cannot both hold."""

    attribute: str
    a: Side
    b: Side
    confidence: float


def value_text(constraint: Constraint) -> str:
    """Return the claim's value for people."""
    match constraint.claim:
        case QuantityClaim(quantity=quantity):
            told = f"{ {'=': '', '>=': '≥ ', '<=': '≤ '}[quantity.operator] }{quantity.text}"
        case AbsenceClaim(unbounded=unbounded):
            told = "no limit" if unbounded else "none"
        case InclusionClaim(included=included):
            told = "included" if included else "left out"
        case FlagClaim(attribute=attribute, on=on):
            told = f"{attribute}: {'yes' if on else 'no'}"
        case OrderClaim(earlier=earlier, later=later):
            told = f"{', '.join(sorted(earlier))} < {', '.join(sorted(later))}"
        case PresenceClaim(banned=banned):
            told = "no" if banned else "yes"
        case chosen:
            told = " ".join([*sorted(chosen.allowed), *(f"≠{value}" for value in sorted(chosen.denied))])
    return told


@dataclass(frozen=True, slots=True)
class Wording:
    """How conflicts are put into words.

    Attributes:
        lexicon: The lexicon, for names.
        language: ja, zh or en; `auto` for the language of the rules themselves.
    """

    lexicon: Lexicon
    language: Language | Literal["auto"]

    def of(self, clash: Clash) -> Language:
        """Return the language in which a clash is told."""
        return clash.a.statement.language if self.language == "auto" else self.language


def group(
    clashes: Sequence[Clash], *, by_rule: bool = False, wording: Wording | None = None
) -> tuple[ConflictGroup, ...]:
    """Join clashes of one attribute into groups, the surest first.

    Args:
        clashes: Pairs of rules.
        by_rule: Join clashes that share a rule; otherwise those that share a chunk. Among the few chunks of an answer
            one chunk speaks of one topic; in a whole handbook joining by chunk would chain unrelated rules.
        wording: How values and the explanation are put into words; None for identifiers of the lexicon.
    """
    keys = [frozenset(_key(side, by_rule=by_rule) for side in (clash.a, clash.b)) for clash in clashes]
    homes: dict[tuple[str, tuple[int, str]], int] = {}
    parents = list(range(len(clashes)))

    def root(position: int) -> int:
        while parents[position] != position:
            parents[position] = parents[parents[position]]
            position = parents[position]
        return position

    for position, clash in enumerate(clashes):
        for key in keys[position]:
            home = homes.setdefault((clash.attribute, key), position)
            parents[root(position)] = root(home)
    joined: dict[int, list[Clash]] = {}
    for position, clash in enumerate(clashes):
        joined.setdefault(root(position), []).append(clash)
    groups = [sorted(found, key=lambda clash: -clash.confidence) for found in joined.values()]
    unique: dict[frozenset[tuple[int, str]], ConflictGroup] = {}
    for found in sorted(groups, key=lambda items: -items[0].confidence):
        members = frozenset(_key(side, by_rule=by_rule) for clash in found for side in (clash.a, clash.b))
        unique.setdefault(members, _conflict_group(found, by_rule=by_rule, wording=wording))
    return tuple(unique.values())


def _key(side: Side, *, by_rule: bool) -> tuple[int, str]:
    return (side.chunk, side.statement.rule.quote if by_rule else "")


def _conflict_group(clashes: Sequence[Clash], *, by_rule: bool, wording: Wording | None) -> ConflictGroup:
    sides: dict[tuple[int, str], Side] = {}
    for clash in clashes:
        for side in (clash.a, clash.b):
            sides.setdefault(_key(side, by_rule=by_rule), side)
    ordered = [sides[key] for key in sorted(sides)]
    attribute = clashes[0].attribute
    topic = _topic(clashes[0])
    values = [_value(side, clashes[0], wording) for side in ordered]
    named = attribute if wording is None else display_name(attribute, wording.lexicon, wording.of(clashes[0]))
    # A flag's value names its property, which the line begins with already.
    shown = " / ".join(
        f"{value.removeprefix(f'{named}: ')} ({side.statement.rule.source.document})"
        for side, value in zip(ordered, values, strict=True)
    )
    return ConflictGroup(
        topic=topic,
        attribute=attribute,
        members=tuple(_member(side, value) for side, value in zip(ordered, values, strict=True)),
        confidence=round(max(clash.confidence for clash in clashes), 3),
        explanation=f"{named}: {shown}",
    )


def _value(side: Side, clash: Clash, wording: Wording | None) -> str:
    if wording is None:
        return side.value
    language = wording.of(clash)
    if side.claim is None:
        return display_polarity(side.positive, language)
    return display_value(side.claim, wording.lexicon, language)


def _member(side: Side, value: str) -> ConflictMember:
    rule = side.statement.rule
    source = rule.source
    return ConflictMember(
        chunk_id=source.key,
        content_hash=source.content_hash,
        document=source.document,
        heading=source.headings[-1] if source.headings else "",
        rule=rule.quote,
        value=value,
        source_uri=source.source_uri,
        rule_hash=rule_hash(source.document, rule.quote),
    )


def _topic(clash: Clash) -> str:
    """Return the innermost heading, else the beginning of the rule."""
    source = clash.a.statement.rule.source
    return source.headings[-1] if source.headings else clash.a.statement.rule.quote[:40]
