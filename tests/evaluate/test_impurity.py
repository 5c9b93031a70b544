"""Impurity measures over p, against scipy and the definitions."""

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
    for series in drawn(scaled=True)[1].values():
        assert (series.x[series.y.argmax()], series.y.max()) == (0.5, pytest.approx(1.0))


def test_values_at_p_and_examples_are_named():
    chart, _ = drawn(p=0.25)
    assert "p = 0.25: entropy 0.811, Gini impurity 0.375, misclassification error 0.25" in chart.note
    assert "log 5 = 2.32 bits" in chart.note
    assert [rule.x for rule in chart.rules] == [0.25, pytest.approx(9 / 14)]
    assert "share p of yes" in chart.x.title
