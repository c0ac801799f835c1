"""Logistic regression with a ridge penalty, for few measurements and few samples."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...domain.answerability.model import SIGNS, GateModel, GateWeight, Measured, Measurement

_STEPS = 60
_SMALLEST = 1e-6
RIDGE = 3.0
"""Strength of the penalty, for standardised measurements and classes of equal weight."""

Rows = Sequence[Measured]


def fit(rows: Rows, unanswerable: Sequence[bool], names: Sequence[Measurement], threshold: float = 0.5) -> GateModel:
    """Fit a model by Newton's method; both classes weigh the same, whatever their shares.

    A measurement whose weight comes out with the wrong sign (`SIGNS`) is left out and the rest fitted again: with few
    samples that is noise, and it would refuse a query for matching well.

    Args:
        rows: Measurements of each query; one that says nothing counts as average.
        unanswerable: Whether the handbook does not answer it; both kinds occur.
        names: Which measurements to use; present in every row.
        threshold: Of the model.
    """
    used = [name for name in names if _varies(rows, name)]
    while True:
        means, scales, matrix = _standardised(rows, used)
        weights = _newton(matrix, np.array(unanswerable, dtype=np.float64))
        wrong = [n for n, w in zip(used, weights[1:], strict=True) if w * SIGNS[n] < 0]
        if not wrong:
            break
        used = [name for name in used if name not in wrong]
    return GateModel(
        weights={
            name: GateWeight(mean=mean, scale=scale, weight=float(weight))
            for name, mean, scale, weight in zip(used, means, scales, weights[1:], strict=True)
        },
        intercept=float(weights[0]),
        threshold=threshold,
    )


def held_out(rows: Rows, unanswerable: Sequence[bool], names: Sequence[Measurement], folds: int) -> list[float]:
    """Return for each query the probability of a model that was fitted without its fold.

    Folds are dealt out in order, each kind by itself, so that every fold has its share of both.
    """
    place: dict[bool, int] = {True: 0, False: 0}
    fold_of: list[int] = []
    for kind in unanswerable:
        fold_of.append(place[kind] % folds)
        place[kind] += 1
    found = [0.0] * len(rows)
    for fold in range(folds):
        inside = [i for i, own in enumerate(fold_of) if own != fold]
        model = fit([rows[i] for i in inside], [unanswerable[i] for i in inside], names)
        for i in (i for i, own in enumerate(fold_of) if own == fold):
            found[i] = model.probability(rows[i]) or 0.0
    return found


def _varies(rows: Rows, name: Measurement) -> bool:
    """A measurement that is the same for all queries says nothing of any."""
    known = [value for row in rows if (value := row[name]) is not None]
    return bool(known) and max(known) - min(known) > _SMALLEST


def _standardised(rows: Rows, names: Sequence[Measurement]) -> tuple[list[float], list[float], NDArray[np.float64]]:
    means, scales, columns = [], [], [np.ones(len(rows))]
    for name in names:
        values = [row[name] for row in rows]
        known = np.array([value for value in values if value is not None], dtype=np.float64)
        mean = float(known.mean()) if len(known) else 0.0
        scale = max(float(known.std()) if len(known) else 1.0, _SMALLEST)
        means.append(mean)
        scales.append(scale)
        columns.append(np.array([0.0 if value is None else (value - mean) / scale for value in values]))
    return means, scales, np.column_stack(columns)


def _newton(matrix: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    count, positive = len(target), target.sum()
    share = np.where(target == 1, count / (2 * positive), count / (2 * (count - positive)))
    penalty = np.diag([_SMALLEST, *[RIDGE] * (matrix.shape[1] - 1)])
    weights = np.zeros(matrix.shape[1])
    for _ in range(_STEPS):
        probability = 1 / (1 + np.exp(-np.clip(matrix @ weights, -50, 50)))
        gradient = matrix.T @ (share * (probability - target)) + penalty @ weights
        curvature = (matrix * (share * probability * (1 - probability))[:, None]).T @ matrix + penalty
        step = np.linalg.solve(curvature, gradient)
        weights -= step
        if float(np.abs(step).max()) < _SMALLEST:
            break
    return weights


def roc_area(scores: Sequence[float], positive: Sequence[bool]) -> float:
    """Return the area under the ROC curve: how often a positive scores above a negative; ties count half."""
    high = [s for s, p in zip(scores, positive, strict=True) if p]
    low = [s for s, p in zip(scores, positive, strict=True) if not p]
    if not high or not low:
        return 0.5
    return sum((a > b) + 0.5 * (a == b) for a in high for b in low) / (len(high) * len(low))


def weights_of(model: GateModel) -> Mapping[Measurement, float]:
    """Return the weight of each measurement."""
    return {name: weight.weight for name, weight in model.weights.items()}
