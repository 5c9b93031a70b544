"""Jensen's inequality for convex functions and for the logarithm, which is concave."""

import re

import numpy as np
import pytest

from tests.evaluate.subjects import charts, subject

FUNCTIONS = {"log": np.log, "exp": np.exp, "square": np.square, "xlogx": lambda x: x * np.log(x)}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("lam", [0.2, 0.5])
def test_the_chord_is_above_a_convex_function_and_below_a_concave_one(function, lam):
    (chart,) = charts("convexity", subject(), function=function, lam=lam, first=0.5, second=3.0)
    named = {series.name: series for series in chart.series}
    of_mean, mean_of = named["f(E x)"], named["E f(x)"]
    f, mean = FUNCTIONS[function], lam * 0.5 + (1 - lam) * 3.0
    assert of_mean.x[0] == mean_of.x[0] == pytest.approx(mean)
    assert of_mean.y[0] == pytest.approx(f(mean))
    assert mean_of.y[0] == pytest.approx(np.average(f(np.array([0.5, 3.0])), weights=[lam, 1 - lam]))
    sign = -1 if function == "log" else 1
    assert sign * (mean_of.y[0] - of_mean.y[0]) > 0
    assert np.sign(np.diff(named["f(x)"].y, 2)) == pytest.approx(sign)


@pytest.mark.parametrize("values", [{"lam": 0.0}, {"lam": 1.0}, {"first": 2.0, "second": 2.0}])
def test_certain_values_have_equality(values):
    (chart,) = charts("convexity", subject(), **values)
    assert re.search(r"f\(E x\) = \S+ = E f\(x\)", chart.note)


def test_logarithms_of_negative_numbers_are_refused():
    with pytest.raises(ValueError, match="positive x only"):
        charts("convexity", subject(), function="log", first=-1.0)
