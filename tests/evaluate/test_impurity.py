"""Impurity measures over p, against scipy and the definitions."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import entropy

from tests.evaluate.subjects import charts, subject
from vizml import data

WHO = subject("tree", data.generate("weather"), share=0.0)


def drawn(**values):
    (chart,) = charts("impurity", WHO, **values)
    return chart, {series.name: series for series in chart.series if series.name}


@pytest.mark.parametrize("unit, base", [("bits", 2), ("nats", np.e)])
def test_curves_are_those_of_the_definitions(unit, base):
    _, series = drawn(unit=unit)
    p = series["entropy"].x
    both = np.stack([p, 1 - p])
    assert series["entropy"].y == pytest.approx(entropy(both, base=base), abs=1e-12)
    assert series["Gini impurity"].y == pytest.approx(2 * p * (1 - p))
    assert series["misclassification error"].y == pytest.approx(both.min(axis=0))


def test_scaled_measures_have_the_maximum_one():
    drawn_series = drawn(scaled=True)[1]
    for series in (drawn_series[name] for name in ("entropy", "Gini impurity", "misclassification error")):
        assert (series.x[series.y.argmax()], series.y.max()) == (0.5, pytest.approx(1.0))


def test_values_at_p_and_examples_are_named():
    chart, _ = drawn(p=0.25)
    assert "p = 0.25: entropy 0.811, Gini impurity 0.375, misclassification error 0.25" in chart.note
    assert "log 5 = 2.32 bits" in chart.note
    assert [rule.x for rule in chart.rules] == [0.25, pytest.approx(9 / 14)]
    assert "share p of yes" in chart.x.title


@pytest.mark.parametrize(
    "model, criterion", [("tree", "Gini impurity"), ("c45", "entropy"), ("id3", "entropy")]
)
def test_the_gain_of_the_split_shown_is_the_distance_from_the_chord(model, criterion):
    who = subject(model, data.generate("weather"), share=0.0)
    root = next(state for state in who.history if len(state.learned()["n"]) > 1)
    (chart,) = charts("impurity", replace(who, state=root))
    series = {each.name.rstrip("0123456789."): each for each in chart.series if each.name}
    (p, _), (low, high) = series["gain of the split "].x, series["gain of the split "].y
    assert p == pytest.approx(9 / 14)
    curve = series[criterion]
    assert high == pytest.approx(np.interp(p, curve.x, curve.y), abs=1e-4)
    # the weighted entropy and the weighted Gini impurity of Quinlan's 14 days below the first split
    assert low == pytest.approx({"tree": 0.35714, "c45": 0.69354, "id3": 0.69354}[model], abs=1e-5)


def test_before_the_first_split_there_is_no_gain():
    start = replace(WHO, state=WHO.history[0])
    assert not [each for each in charts("impurity", start)[0].series if "gain" in each.name]
