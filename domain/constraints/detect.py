"""Which of several rule texts contradict each other."""

from collections.abc import Sequence
from itertools import combinations

from ..conflicts import ConflictGroup, RuleText
from .agreement import Similarity, agreement
from .claims import QuantityClaim
from .comparison import agree, clash, ignored_items
from .extraction import extract
from .grouping import Clash, Side, group, value_text
from .lexicon import Lexicon
from .polarity import opposite
from .scope_overlap import overlap
from .statements import ChunkConstraints, Constraint

DEFAULT_MIN_CONFIDENCE = 0.6


def detect_conflicts(
    texts: Sequence[RuleText],
    lexicon: Lexicon,
    *,
    min_confidence: float = DEFAULT_MIN_CONFIDENCE,
    similarity: Similarity | None = None,
) -> tuple[ConflictGroup, ...]:
    """Return the groups of rules that cannot all be obeyed, the surest first.

    Args:
        texts: Chunks, as a search returned them.
        lexicon: Words, value sets and units.
        min_confidence: Clashes below this confidence, 0 to 1, are dropped.
        similarity: Optional meaning-based similarity of two clauses, 0 to 1, to refine the alignment of targets.
    """
    chunks = [extract(text, lexicon) for text in texts]
    clashes = [
        found
        for (i, a), (j, b) in combinations(enumerate(chunks), 2)
        for found in clashes_between(i, a, j, b, lexicon, min_confidence, similarity)
    ]
    return group(clashes)


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
    if a.void or b.void or a.yields or b.yields:
        return []
    kinship = _kinship(a.source, b.source)
    found = []
    for one in a.constraints:
        for two in b.constraints:
            confidence = kinship * clash(one, two, lexicon, similarity)
            if confidence >= minimum and not _answered(one, a, two, b, lexicon):
                sides = Side(i, one.statement, value_text(one)), Side(j, two.statement, value_text(two))
                found.append(Clash(one.claim.attribute, *sides, confidence))
    if not found:
        for left in a.statements:
            for right in b.statements:
                confidence = kinship * opposite(left, right, lexicon, similarity)
                if confidence >= minimum:
                    sides = Side(i, left, _polarity(left.denied)), Side(j, right, _polarity(right.denied))
                    found.append(Clash("polarity", *sides, confidence))
    return found


def _kinship(a: RuleText, b: RuleText) -> float:
    """Rules of one document are rather about different things than at odds: below the default threshold."""
    if a.document != b.document:
        return 1.0
    return 0.45 if a.headings == b.headings else 0.52


def _polarity(denied: bool) -> str:
    return "no" if denied else "yes"


def _answered(one: Constraint, a: ChunkConstraints, two: Constraint, b: ChunkConstraints, lexicon: Lexicon) -> bool:
    """Tell whether the other chunk also says the same as one of the rules, about a target at least as close."""
    if one.statement.scope.universal or two.statement.scope.universal:
        return False
    values = ignored_items(one.claim, two.claim, lexicon)
    degree = agreement(one.statement, two.statement, values).degree
    return _echoed(two, one, a, lexicon, degree=degree, values=values) or _echoed(
        one, two, b, lexicon, degree=degree, values=values
    )


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
        if isinstance(rule.claim, QuantityClaim) and other.statement is rival.statement:
            return True
        # A neighbour about another target answers only when it is clearly the closer one.
        parallel = overlap(other.statement.scope, rival.statement.scope, values, lexicon) > 0
        if agreement(other.statement, rule.statement, values).degree >= degree + (0.0 if parallel else 0.05):
            return True
    return False
