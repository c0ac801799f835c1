"""Which of several rule texts contradict each other."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal

from ..conflicts import ConflictGroup, RuleText
from .absence import AbsenceClaim
from .agreement import Similarity, agreement
from .comparison import agree, clash, ignored_items, meant_besides
from .exemptions import CONFIDENCE as EXEMPTION
from .exemptions import exempted
from .extraction import extract
from .grouping import Clash, Side, Wording, group, value_text
from .leave import has_leave
from .lexicon import Lexicon
from .measures import QuantityClaim
from .polarity import opposite
from .scope_overlap import overlap
from .statements import ChunkConstraints, Constraint, Statement
from .text import Language

DEFAULT_MIN_CONFIDENCE = 0.6
_SAME_BEGINNING = 9
# How much more closely another clause must agree to answer one that seems to oppose.
_CLOSER = 0.05


def detect_conflicts(
    texts: Sequence[RuleText],
    lexicon: Lexicon,
    *,
    min_confidence: float = DEFAULT_MIN_CONFIDENCE,
    similarity: Similarity | None = None,
    language: Language | Literal["auto"] | None = None,
) -> tuple[ConflictGroup, ...]:
    """Return the groups of rules that cannot all be obeyed, the surest first.

    Args:
        texts: Chunks, as a search returned them.
        lexicon: Words, value sets and units.
        min_confidence: Clashes below this confidence, 0 to 1, are dropped.
        similarity: Optional meaning-based similarity of two clauses, 0 to 1, to refine the alignment of targets.
        language: In which values and explanations are told, `auto` for that of the rules; None for identifiers of the
            lexicon.
    """
    chunks = [extract(text, lexicon) for text in texts]
    clashes = [
        found
        for (i, a), (j, b) in combinations(enumerate(chunks), 2)
        for found in clashes_between(i, a, j, b, lexicon, min_confidence, similarity)
    ]
    return group(clashes, wording=Wording(lexicon, language) if language else None)


def clashes_between(  # noqa: PLR0917  # two chunks with their positions, and how to compare them
    i: int,
    a: ChunkConstraints,
    j: int,
    b: ChunkConstraints,
    lexicon: Lexicon,
    minimum: float,
    similarity: Similarity | None,
) -> list[Clash]:
    """Return the clashes of two chunks at positions i and j, of at least the minimum confidence."""
    found = exemption_clashes(i, a, j, b, minimum)
    if found or not are_in_force(a, b):
        return found
    rivals: dict[str, list[Constraint]] = {}
    for two in b.constraints:
        rivals.setdefault(_kind(two), []).append(two)
    claims = ((one, two) for one in a.constraints for two in rivals.get(_kind(one), ()))
    found = clashes_of(i, a, j, b, claims, lexicon, minimum, similarity)
    if not found:
        words = ((one, two) for one in a.statements for two in b.statements)
        found = polar_clashes(i, a, j, b, words, lexicon, minimum, similarity)
    return found


def _kind(constraint: Constraint) -> str:
    """Return what two claims must have in common to oppose each other: the property, or being about a number."""
    claim = constraint.claim
    return "number" if isinstance(claim, QuantityClaim | AbsenceClaim) else claim.attribute


def exemption_clashes(i: int, a: ChunkConstraints, j: int, b: ChunkConstraints, minimum: float) -> list[Clash]:
    """Return the clash of a chunk that binds everybody with one that takes somebody out."""
    if a.void or b.void or minimum > EXEMPTION:
        return []
    return [
        Clash(
            "applicability",
            Side(i, one, "yes" if binds else "no", positive=binds),
            Side(j, two, "no" if binds else "yes", positive=not binds),
            EXEMPTION,
        )
        for one, two, binds in exempted(a, b)
    ]


def are_in_force(a: ChunkConstraints, b: ChunkConstraints) -> bool:
    """Tell whether neither chunk is void or says which text prevails, nor has leave to be the other's exception."""
    return not (a.void or b.void or a.yields or b.yields or has_leave(a, b) or has_leave(b, a))


def clashes_of(  # noqa: PLR0917  # as above
    i: int,
    a: ChunkConstraints,
    j: int,
    b: ChunkConstraints,
    pairs: Iterable[tuple[Constraint, Constraint]],
    lexicon: Lexicon,
    minimum: float,
    similarity: Similarity | None,
) -> list[Clash]:
    """Return the clashes among pairs of constraints, the first of chunk a and the second of chunk b."""
    kinship = _kinship(a.source, b.source)
    found = []
    for one, two in pairs:
        confidence = kinship * clash(one, two, lexicon, similarity)
        if confidence >= minimum and not _answered(one, a, two, b, lexicon):
            sides = (
                Side(i, one.statement, value_text(one), one.claim),
                Side(j, two.statement, value_text(two), two.claim),
            )
            found.append(Clash(_attribute(one, two), *sides, confidence))
    return found


def _attribute(one: Constraint, two: Constraint) -> str:
    return next((c.claim.attribute for c in (one, two) if isinstance(c.claim, AbsenceClaim)), one.claim.attribute)


def polar_clashes(  # noqa: PLR0917  # as above
    i: int,
    a: ChunkConstraints,
    j: int,
    b: ChunkConstraints,
    pairs: Iterable[tuple[Statement, Statement]],
    lexicon: Lexicon,
    minimum: float,
    similarity: Similarity | None,
) -> list[Clash]:
    """Return the clashes among pairs of clauses of which one demands what the other bans or waives."""
    kinship = _kinship(a.source, b.source)
    found = []
    for left, right in pairs:
        confidence = kinship * opposite(left, right, lexicon, similarity)
        if confidence >= minimum and not _said_as_well(left, a, right, b):
            sides = tuple(
                Side(place, clause, _polarity(_negative(clause)), positive=not _negative(clause))
                for place, clause in ((i, left), (j, right))
            )
            found.append(Clash("polarity", sides[0], sides[1], confidence))
    return found


def _said_as_well(left: Statement, a: ChunkConstraints, right: Statement, b: ChunkConstraints) -> bool:
    """Tell whether one of the chunks also says what the other does, at least as closely: then both agree."""
    if "optional" in (left.duty, right.duty):
        # A waiver of a part stands beside demands of the rest.
        return False
    closeness = agreement(left, right, frozenset()).degree + _CLOSER
    return any(
        other.rule is not own.rule
        and other.prescribes
        and _negative(other) == _negative(rival)
        and agreement(other, rival, frozenset()).degree >= closeness
        for own, chunk, rival in ((left, a, right), (right, b, left))
        for other in chunk.statements
    )


def _kinship(a: RuleText, b: RuleText) -> float:
    """Rules of one document are rather about different things than at odds: below the default threshold."""
    if a.document != b.document and not _are_editions(a.document, b.document):
        return 1.0
    return 0.45 if a.headings == b.headings else 0.52


def _are_editions(a: str, b: str) -> bool:
    """Tell by how their names begin whether two documents are a template and a form of it, or editions of one."""
    shared = 0
    while shared < min(len(a), len(b)) and a[shared] == b[shared]:
        shared += 1
    return shared >= _SAME_BEGINNING and 2 * shared >= min(len(a), len(b))


def _negative(clause: Statement) -> bool:
    return clause.denied or clause.duty == "optional"


def _polarity(denied: bool) -> str:
    return "no" if denied else "yes"


def _answered(one: Constraint, a: ChunkConstraints, two: Constraint, b: ChunkConstraints, lexicon: Lexicon) -> bool:
    """Tell whether the other chunk also says the same as one of the rules, about a target at least as close."""
    if _counts_among(one, two, b) or _counts_among(two, one, a):
        return True
    if one.statement.scope.universal or two.statement.scope.universal:
        return False
    values = ignored_items(one.claim, two.claim, lexicon)
    # A word for a compared value may mean something besides ("ERROR" is an error); it is no target either.
    values |= meant_besides(one, two, values, lexicon)
    degree = agreement(one.statement, two.statement, values).degree
    return _echoed(two, one, a, lexicon, degree=degree, values=values) or _echoed(
        one, two, b, lexicon, degree=degree, values=values
    )


def _counts_among(rule: Constraint, rival: Constraint, others: ChunkConstraints) -> bool:
    """Tell whether the number of a rule is one of several that the rival's clause lists ("at 06:00 and 18:00")."""
    return isinstance(rule.claim, QuantityClaim) and any(
        other is not rival and other.statement is rival.statement and agree(other, rule) for other in others.constraints
    )


def _own(statement: Statement) -> Statement:
    """Return a clause with what it names itself, not what the clauses before it have told."""
    own = {item: weight for item, weight in statement.content.items() if item not in statement.inherited}
    return replace(statement, content=own) if own else statement


def _echoed(
    rule: Constraint,
    rival: Constraint,
    others: ChunkConstraints,
    lexicon: Lexicon,
    *,
    degree: float,
    values: frozenset[str],
) -> bool:
    for other in others.constraints:
        if other is rival or not agree(other, rule):
            continue
        # A neighbour about another target answers only when it is clearly the closer one.
        parallel = overlap(other.statement.scope, rival.statement.scope, values, lexicon) > 0
        if agreement(_own(other.statement), rule.statement, values).degree >= degree + (0.0 if parallel else 0.05):
            return True
    return False
