"""Correlations against numpy, and variance inflation factors against the inverse of their matrix."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression

from tests.evaluate.subjects import charts, subject
from vizml import data, learn
from vizml.data import Column, Dataset
from vizml.evaluate.diagnostics.collinearity import correlations, variance_inflation

X, Y = load_diabetes(return_X_y=True, scaled=False)
SALES = data.generate("advertising").with_roles(inputs=("TV", "radio", "newspaper"))


def last(id, points=SALES, model="linear"):
    return charts(id, subject(learn.create(model), points, share=0.0))[-1]


def table_of(**columns):
    points = Dataset.of([Column(name, values) for name, values in columns.items()])
    return points.with_roles(inputs=[*columns][:-1], target=[*columns][-1])


def test_correlations_are_those_of_numpy():
    assert np.allclose(correlations(X), np.corrcoef(X.T), atol=1e-12)


def test_factors_are_the_diagonal_of_the_inverse_correlations():
    expected = np.diag(np.linalg.inv(np.corrcoef(X.T)))
    assert variance_inflation(X) == pytest.approx(expected, rel=1e-8)
    r2 = LinearRegression().fit(X[:, 1:], X[:, 0]).score(X[:, 1:], X[:, 0])
    assert variance_inflation(X)[0] == pytest.approx(1 / (1 - r2), rel=1e-9)


def test_the_correlations_of_advertising_are_about_those_of_the_textbook():
    """James et al., table 3.5: radio and newspaper 0.35, TV and sales 0.78, radio and sales 0.58."""
    heat = last(
        "correlation", data.generate("advertising", n=5000).with_roles(inputs=("TV", "radio", "newspaper"))
    ).heat
    assert heat.rows == heat.columns == ("TV", "radio", "newspaper", "sales")
    at = {name: k for k, name in enumerate(heat.rows)}
    for a, b, r in [("radio", "newspaper", 0.3541), ("TV", "radio", 0.0548), ("TV", "sales", 0.7822),
                    ("radio", "sales", 0.5762), ("newspaper", "sales", 0.2283)]:  # fmt: skip
        assert heat.values[at[a], at[b]] == pytest.approx(r, abs=0.1)
    assert np.array_equal(heat.shades, np.abs(heat.values))


def test_inputs_that_others_determine_are_named():
    a, b = np.random.default_rng(0).normal(size=(2, 40))
    chart = last("vif", table_of(a=a, b=b, both=a + b, y=a))
    assert "infinite: a, b, both" in chart.note
    apart = last("vif", table_of(a=a, b=b, y=a))
    assert dict(zip(apart.y.ticks.values(), apart.series[0].x)) == pytest.approx(
        dict.fromkeys("ab", 1 / (1 - np.corrcoef(a, b)[0, 1] ** 2))
    )


def test_an_input_of_equal_values_has_neither():
    a = np.arange(9.0)
    points = table_of(a=a, same=np.ones(9), y=a)
    heat = last("correlation", points).heat
    assert np.isnan(heat.values[1]).all()
    assert heat.texts[1] == ("", "", "")
    assert heat.values[0, 2] == pytest.approx(1.0)
    assert np.isnan(last("vif", points).series[0].x[1])


def test_categories_are_compared_with_the_first():
    rng = np.random.default_rng(0)
    columns = [Column("a", rng.normal(size=30)), Column("kind", np.arange(30) % 3, ("u", "v", "w")),
               Column("y", rng.normal(size=30))]  # fmt: skip
    points = Dataset.of(columns).with_roles(inputs=("a", "kind"), target="y")
    assert last("correlation", points).heat.rows == ("a", "kind=v (against u)", "kind=w (against u)", "y")
    assert last("vif", points).series[0].x[1:] == pytest.approx([4 / 3, 4 / 3], rel=0.1)


@pytest.mark.parametrize("id", ["correlation", "vif"])
def test_a_single_point_has_a_sentence(id):
    with pytest.raises(ValueError, match="at least two points"):
        last(id, SALES.take(slice(1)))
