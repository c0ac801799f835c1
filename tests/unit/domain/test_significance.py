"""Paired tests, against values worked out by hand and by enumeration."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kisoku.domain.significance import mcnemar_exact, paired_randomisation


@pytest.mark.parametrize(
    ("better", "worse", "p"), [(0, 0, 1.0), (1, 1, 1.0), (8, 1, 20 / 512), (0, 5, 2 / 32), (10, 0, 2 / 1024)]
)
def test_mcnemar(better, worse, p):
    assert mcnemar_exact(better, worse) == pytest.approx(p)
    assert mcnemar_exact(worse, better) == pytest.approx(p)


def test_randomisation_of_few_differences_is_exact():
    assert paired_randomisation([]) == paired_randomisation([0.0, 0.0]) == 1.0
    assert paired_randomisation([1.0, 1.0, 1.0]) == 0.25
    assert paired_randomisation([0.1, 0.0, 0.2, -0.3]) == 1.0
    assert paired_randomisation([0.1] * 10) == 2 / 1024


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=7))
def test_randomisation_agrees_with_enumeration(differences):
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
            for signs in itertools.product((1, -1), repeat=len(differences))]  # fmt: skip
    expected = sum(total >= abs(sum(differences)) for total in sums) / len(sums)
    assert paired_randomisation(differences) == pytest.approx(expected)


def test_randomisation_of_many_differences_is_near_and_always_the_same():
    clear, chance = [0.5] * 30, [0.5, -0.5] * 20
    assert paired_randomisation(clear) < 0.001
    assert paired_randomisation(chance) > 0.9
    assert paired_randomisation(clear[:20] + [-0.5] * 10) == paired_randomisation(clear[:20] + [-0.5] * 10)
