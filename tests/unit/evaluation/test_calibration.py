"""Fitting the gate to labelled queries."""

import math
import random

import pytest
from kisoku.config.gate_profiles import gate_profile
from kisoku.domain.errors import ConfigError
from kisoku.orchestration.evaluation.calibration import calibrate, choose, operating_points, profile_yaml
from kisoku.orchestration.evaluation.labels import GoldPassage, LabelledQuery
from kisoku.orchestration.evaluation.logistic import fit, held_out, roc_area

ANSWERED = LabelledQuery(id="a", query="q", gold=(GoldPassage(doc="d", all_of=("x",)),))
UNANSWERED = LabelledQuery(id="u", query="q", gold=())


def drawn(count: int, mean: float, seed: int) -> list[dict]:
    draw = random.Random(seed)  # noqa: S311  # a sample, no secret
    return [
        {
            "vector": draw.gauss(mean, 0.05),
            "coverage": draw.gauss(mean, 0.1),
            "unknown_names": 0.0,
            "open_quantity": 0.0,
        }
        for _ in range(count)
    ]


def rows(good: int = 60, bad: int = 12) -> list:
    return [(ANSWERED, r) for r in drawn(good, 0.5, 1)] + [(UNANSWERED, r) for r in drawn(bad, 0.3, 2)]


def test_roc_area_counts_pairs():
    assert roc_area([3, 2, 1], [True, False, False]) == 1.0
    assert roc_area([1, 2, 2], [True, True, False]) == pytest.approx((0 + 0.5) / 2)
    assert roc_area([1], [True]) == 0.5


def test_the_fit_separates_and_ignores_the_shares_of_the_kinds():
    measured, kinds = [r for _, r in rows()], [not q.gold for q, _ in rows()]
    model = fit(measured, kinds, ["vector", "coverage"])
    assert all(w.weight < 0 for w in model.weights.values())
    likely = [model.probability(r) for r in measured]
    assert roc_area(likely, kinds) > 0.99
    twice = fit(measured + measured[:60], kinds + kinds[:60], ["vector", "coverage"])
    assert twice.probability(measured[0]) == pytest.approx(model.probability(measured[0]), abs=0.05)


def test_a_measurement_that_points_the_wrong_way_is_left_out():
    measured = [r | {"coverage": 1 - r["vector"]} for _, r in rows()]
    kinds = [not q.gold for q, _ in rows()]
    assert set(fit(measured, kinds, ["vector", "coverage"]).weights) == {"vector"}


def test_held_out_queries_are_judged_by_models_that_never_saw_them():
    measured, kinds = [r for _, r in rows()], [not q.gold for q, _ in rows()]
    found = held_out(measured, kinds, ["vector", "coverage"], folds=6)
    # The first of each kind are the first fold.
    inside = [i for i in range(72) if not ((i < 60 and i % 6 == 0) or (i >= 60 and (i - 60) % 6 == 0))]
    model = fit([measured[i] for i in inside], [kinds[i] for i in inside], ["vector", "coverage"])
    assert found[0] == pytest.approx(model.probability(measured[0]))
    assert found[60] == pytest.approx(model.probability(measured[60]))


def test_operating_points_and_the_choice():
    points = operating_points([0.9, 0.8, 0.6, 0.2], [True, False, True, False], share=0.5)
    assert [(p.recall, p.false_refusals) for p in points] == [(0.5, 0.0), (0.5, 0.5), (1.0, 0.5), (1.0, 1.0)]
    assert [p.precision for p in points] == pytest.approx([1.0, 0.5, 2 / 3, 0.5])
    assert points[0].threshold == pytest.approx(0.85)
    assert choose(points, most_false=0.6) == points[2]
    assert choose(points, most_false=0.1) == points[0]


def test_a_calibration_writes_a_profile_that_can_be_used(tmp_path):
    found = calibrate(rows(), "my-model", share=0.12, most_false=0.06, note="test", cosines=[0.2, 0.5, 0.4])
    assert (found.answerable, found.unanswerable, found.cascade_cosine) == (60, 12, 0.2)
    assert [v.measurements[0] for v in found.variants] == ["vector", "coverage"]
    best = found.variants[0].chosen
    assert best.recall >= 0.8
    assert best.false_refusals <= 0.06
    path = tmp_path / "mine.yaml"
    path.write_text(profile_yaml(found.profile), encoding="utf-8")
    read = gate_profile("my-model", path)
    assert read.model == "my-model"
    answered = read.judge({"vector": 0.5, "coverage": 0.5, "unknown_names": 0.0, "open_quantity": 0.0})
    refused = read.judge({"vector": 0.25, "coverage": 0.2, "unknown_names": 0.0, "open_quantity": 0.0})
    assert answered[1] < answered[0].threshold <= refused[1]


def test_too_few_labels_are_an_error():
    with pytest.raises(ConfigError, match="60 answerable and 3 unanswerable"):
        calibrate(rows(bad=3), "m", share=0.1, most_false=0.1, note="")


def test_profiles_of_other_models_and_broken_files(tmp_path):
    assert gate_profile("use-multilingual-v3").model == "use-multilingual-v3"
    assert gate_profile("nobody's").model == "any"
    other = tmp_path / "other.yaml"
    other.write_text(profile_yaml(gate_profile("any")).replace("any", "another", 1), encoding="utf-8")
    assert gate_profile("use-multilingual-v3", other).model == "use-multilingual-v3"
    for content, message in (("model: [", "no valid YAML"), ("model: x", "malformed at models"), ("", "malformed")):
        bad = tmp_path / f"{len(message)}{len(content)}.yaml"
        bad.write_text(content)
        with pytest.raises(ConfigError, match=message):
            gate_profile("m", bad)
    with pytest.raises(ConfigError, match="cannot be read"):
        gate_profile("m", tmp_path / "none.yaml")


@pytest.mark.parametrize("name", ["any", "use-multilingual-v3"])
def test_bundled_profiles_point_the_right_way(name):
    from kisoku.domain.answerability.model import SIGNS

    profile = gate_profile(name)
    for model in profile.models:
        assert all(weight.weight * SIGNS[measurement] > 0 for measurement, weight in model.weights.items())
        assert math.isfinite(model.intercept)
    assert set(profile.models[-1].weights) <= {"coverage", "unknown_names", "open_quantity"}
