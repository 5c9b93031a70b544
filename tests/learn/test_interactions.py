"""Interactions, indicators of categories and their significance, against numpy, scipy and scikit-learn."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import Lasso, LinearRegression, Ridge
from sklearn.preprocessing import StandardScaler

from vizml import data, learn
from vizml.data import Column, Dataset
from vizml.field import Raster
from vizml.learn.linear_models.basis import basis_over
from vizml.learn.linear_models.inference import f_p_value, student_p_value
from vizml.learn.training_data import TrainingData

MEDIA = ("TV", "radio", "newspaper")
SALES = data.generate("advertising", seed=3).with_roles(inputs=MEDIA)
X, Y = SALES.matrix(MEDIA), SALES.column("sales").numbers
PAIRS = [*combinations(range(3), 2)]
NAMES = ["TV", "radio", "newspaper", "TV × radio", "TV × newspaper", "radio × newspaper"]


def products(X):
    return np.column_stack([X, *(X[:, i] * X[:, j] for i, j in PAIRS)])


def fit(id, points=SALES, **values):
    return learn.fit_data(learn.create(id, "regress", **values), points)


def rss(terms):
    columns = products(X)[:, list(terms)]
    left = Y - LinearRegression().fit(columns, Y).predict(columns) if terms else Y - Y.mean()
    return float(left @ left)


def closed(terms):
    """Whether every product comes with its factors."""
    return all({*PAIRS[j - 3]} <= {*terms} for j in terms if j >= 3)


@pytest.mark.parametrize("t", [0.0, 1e-3, 0.4, 1.0, 2.0, 5.0, 30.0, 200.0])
@pytest.mark.parametrize("freedom", [1, 2, 7, 196, 10_000])
def test_p_values_are_those_of_scipy(t, freedom):
    found = student_p_value(np.array([t, -t]), freedom)
    assert found == pytest.approx(2 * stats.t.sf(t, freedom), rel=1e-9)


@pytest.mark.parametrize("ratio", [1e-3, 0.5, 1.0, 3.0, 40.0])
@pytest.mark.parametrize("between, within", [(1, 5), (3, 196), (9, 30), (200, 10)])
def test_p_values_of_f_are_those_of_scipy(ratio, between, within):
    expected = stats.f.sf(ratio, between, within)
    assert f_p_value(ratio, between, within) == pytest.approx(expected, rel=1e-9)


def test_the_coefficients_of_advertising_and_auto_are_those_of_the_textbook():
    """The synthetic tables have the textbook's coefficients as least squares, to all its digits."""
    assert np.allclose(fit("linear").coefficients, [2.939, 0.046, 0.189, -0.001], atol=1e-9)
    assert fit("linear").equation == "sales = 2.939 + 0.046 TV + 0.189 radio − 0.001 newspaper"
    auto = fit("linear", data.generate("auto"), degree=2)
    assert np.allclose(auto.coefficients, [56.9001, -0.4662, 0.0012], rtol=1e-7)
    assert auto.equation == "mpg = 56.9 − 0.466 horsepower + 0.0012 horsepower²"


def test_a_formula_of_many_terms_is_not_written():
    assert fit("linear", degree=3, interactions=True).equation.count(" × ") == 3
    assert fit("linear", degree=6, interactions=True).equation == ""


@pytest.mark.parametrize("interactions", [False, True])
def test_coefficients_errors_and_significance_are_their_definitions(interactions):
    state = fit("linear", interactions=interactions)
    metrics, names = state.metrics(), ["intercept", *NAMES[: 6 if interactions else 3]]
    design = np.column_stack([np.ones(len(X)), products(X) if interactions else X])
    expected, *_ = np.linalg.lstsq(design, Y, rcond=None)
    left, freedom = Y - design @ expected, len(Y) - design.shape[1]
    errors = np.sqrt(np.diag(np.linalg.inv(design.T @ design)) * (left @ left) / freedom)
    for name, value, error in zip(names, expected, errors, strict=True):
        assert metrics[name] == pytest.approx(value, rel=1e-7)
        assert metrics[f"SE of {name}"] == pytest.approx(error, rel=1e-7)
        assert metrics[f"t of {name}"] == pytest.approx(value / error, rel=1e-7)
        assert metrics[f"p of {name}"] == pytest.approx(2 * stats.t.sf(abs(value / error), freedom), rel=1e-6)
    f = np.var(design @ expected) / (design.shape[1] - 1) / (left @ left) * freedom * len(Y)
    assert metrics["F"] == pytest.approx(f, rel=1e-7)
    table = next(chart for chart in state.charts() if chart.title == "Coefficients").heat
    assert table.rows == tuple(names)
    assert np.allclose(table.values[:, :2], np.column_stack([expected, errors]), rtol=1e-7)
    levels = [sum(row[3] < level for level in (0.05, 0.01, 0.001)) for row in table.values]
    assert (
        np.argsort(table.shades[:, 0], kind="stable").tolist() == np.argsort(levels, kind="stable").tolist()
    )


@pytest.mark.parametrize("degree", [1, 3])
def test_interactions_and_powers_are_scikit_learns(degree):
    raw = np.column_stack([StandardScaler().fit_transform(X) ** k for k in range(1, degree + 1)])
    raw = np.column_stack([raw, StandardScaler().fit_transform(products(X)[:, 3:])])
    state = fit("linear", degree=degree, interactions=True)
    assert np.allclose(state.predict(X), LinearRegression().fit(raw, Y).predict(raw), rtol=1e-8)
    terms = [x**k for x in X.T for k in range(1, degree + 1)]
    design = np.column_stack([np.ones(len(X)), *terms, products(X)[:, 3:]])
    assert np.allclose(design @ state.coefficients, state.predict(X), rtol=1e-8)


@pytest.mark.parametrize("id, Reference", [("ridge", Ridge), ("lasso", Lasso)])
def test_penalised_interactions_are_scikit_learns(id, Reference):
    state = fit(id, degree=1, interactions=True, lam=0.05)
    scaled = StandardScaler().fit_transform(products(X))
    theirs = Reference(alpha=0.05, tol=1e-12, max_iter=100_000).fit(scaled, Y)
    assert np.allclose(state.slopes * state.problem.deviation, theirs.coef_, atol=1e-6)
    assert np.allclose(state.predict(X), theirs.predict(scaled), atol=1e-6)


@pytest.mark.parametrize("axes", [("TV", "radio"), ("newspaper", "TV")])
def test_the_map_of_interactions_shows_the_predictions(axes):
    state = fit("linear", degree=2, interactions=True)
    view = state.on(axes=axes, at={"radio": 11.0} if "radio" not in axes else {"newspaper": 40.0})
    raster = Raster(np.linspace(0, 60, 7), np.linspace(-20, 90, 5))
    expected = state.predict(view.section.lift(raster.points())).reshape(5, 7)
    assert np.allclose(view.field(raster)[0], expected, rtol=1e-6)


@pytest.mark.parametrize("method", ["best", "forward", "backward"])
def test_with_the_hierarchy_a_product_comes_with_its_factors(method):
    path = fit("subset", degree=1, interactions=True, method=method, hierarchy=True).path
    assert sorted(subset.size for subset in path) == [*range(7)]
    assert all(closed(subset.terms) for subset in path)


def test_the_best_hierarchical_subsets_are_those_of_an_exhaustive_search():
    for subset in fit("subset", degree=1, interactions=True, method="best", hierarchy=True).path:
        every = [terms for terms in combinations(range(6), subset.size) if closed(terms)]
        assert subset.terms == min(every, key=rss)
        assert subset.unexplained * rss(()) == pytest.approx(rss(subset.terms))
        assert f"best of {len(every)}" in subset.note or not subset.terms


def test_without_the_hierarchy_a_product_may_be_alone():
    points = Dataset.of([Column("a", X[:, 0]), Column("b", X[:, 1]), Column("y", X[:, 0] * X[:, 1])])
    points = points.with_roles(inputs=("a", "b"), target="y")
    state = fit("subset", points, degree=1, interactions=True)
    assert [state.problem.names[j] for j in state.subset.terms] == ["a × b"]


def test_the_chart_of_subsets_counts_them():
    *_, counts = fit("subset", degree=1, interactions=True).charts()
    assert counts.series[0].y.tolist() == [1, 6, 15, 20, 15, 6, 1]
    assert "64 subsets" in counts.note
    assert "fits 22" in counts.note


def cars():
    rng = np.random.default_rng(4)
    origin, power = rng.integers(0, 3, 80), rng.uniform(50, 200, 80)
    turbo = rng.integers(0, 2, 80)
    mpg = 40 - 0.1 * power + np.array([0.0, 2.0, 5.0])[origin] - turbo + rng.normal(size=80)
    columns = [Column("power", power), Column("mpg", mpg), Column("turbo", turbo, ("no", "yes")),
               Column("origin", origin, ("USA", "Europe", "Japan"))]  # fmt: skip
    return Dataset.of(columns).with_roles(inputs=("power", "origin", "turbo"), target="mpg")


@pytest.mark.parametrize("degree, interactions", [(1, False), (2, True)])
def test_indicators_compare_categories_with_the_reference(degree, interactions):
    points = cars()
    state = fit("linear", points, degree=degree, interactions=interactions)
    origin, turbo = points.column("origin").values, points.column("turbo").values
    power = points.column("power").numbers
    europe, japan = (origin == 1) * 1.0, (origin == 2) * 1.0
    columns = [power**k for k in range(1, degree + 1)] + [europe, japan, turbo]
    if interactions:  # no row is of two origins
        columns += [power * europe, power * japan, power * turbo, europe * turbo, japan * turbo]
    design = np.column_stack([np.ones(80), *columns])
    expected, *_ = np.linalg.lstsq(design, points.column("mpg").numbers, rcond=None)
    assert state.inner.coefficients == pytest.approx(expected, rel=1e-5)
    assert state.metrics()["origin=Japan (against USA)"] == pytest.approx(expected[degree + 2], rel=1e-5)
    assert "+ 0 " not in state.equation


@pytest.mark.parametrize("basis", ["fourier", "bumps", "pieces"])
def test_an_indicator_is_linear_in_every_basis(basis):
    points = cars()
    power, origin, turbo = points.matrix(("power", "origin", "turbo")).T
    y = points.column("mpg").numbers
    columns = [basis_over(basis, 3, power).design(power), origin == 1, origin == 2, turbo]
    design = np.column_stack(columns)
    state = fit("ridge", points, basis=basis, degree=3, lam=0.0)
    expected = LinearRegression(fit_intercept=False).fit(design, y).predict(design)
    assert np.allclose(state.predict(points.matrix(("power", "origin", "turbo"))), expected, rtol=1e-6)


def test_too_many_interactions_are_refused():
    columns = tuple(f"x{j}" for j in range(30))
    many = TrainingData(np.eye(30), np.arange(30.0), columns=columns)
    with pytest.raises(learn.CannotLearn, match="30 inputs have 435 interactions: choose at most 20"):
        learn.fit_data(learn.create("linear", "regress", interactions=True), many)
