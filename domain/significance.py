"""Paired tests of two systems on the same queries: pure functions."""

import itertools
import math
import random
from collections.abc import Sequence

_EXACT = 14
"""Up to so many differences every assignment of signs is tried (16,384)."""
_ROUNDS = 10_000


def mcnemar_exact(better: int, worse: int) -> float:
    """Return the two-sided p-value of McNemar's test, exact by the binomial distribution.

    Args:
        better: Queries that only the new system gets right.
        worse: Queries that only the old one gets right.
    """
    count = better + worse
    if count == 0:
        return 1.0
    tail = sum(math.comb(count, k) for k in range(min(better, worse) + 1))
    return min(1.0, tail / math.pow(2, count - 1))


def paired_randomisation(differences: Sequence[float], *, rounds: int = _ROUNDS, seed: int = 0) -> float:
    """Return the two-sided p-value of Fisher's paired randomisation test (Smucker, Allan and Carterette 2007).

    Under the null hypothesis each difference could as well have the other sign. Few differences are tried in every
    assignment of signs, many in `rounds` random ones, always the same.

    Args:
        differences: New minus old, one a query.
        rounds: Random assignments.
        seed: Of the random numbers.
    """
    changed = [d for d in differences if d != 0]
    if not changed:
        return 1.0
    # A sum that equals the observed one up to rounding is as extreme as it.
    observed = abs(math.fsum(changed)) * (1 - 1e-12)
    if len(changed) <= _EXACT:
        signs = itertools.product((1, -1), repeat=len(changed))
        extreme = [abs(math.fsum(s * d for s, d in zip(row, changed, strict=True))) >= observed for row in signs]
        return sum(extreme) / len(extreme)
    draw = random.Random(seed)  # noqa: S311  # statistics, no secret
    count = sum(abs(math.fsum(d if draw.getrandbits(1) else -d for d in changed)) >= observed for _ in range(rounds))
    return (count + 1) / (rounds + 1)
