"""Subset selection against every subset fitted by scikit-learn, and criteria against their definitions."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, lars_path
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from vizml import data, learn
from vizml.data import Dataset
from vizml.learn.linear_models.basis import basis_over
from vizml.learn.linear_models.standardised import StandardisedProblem
from vizml.learn.linear_models.subset_search import every_subset

DEGREE = 5
DATA = {
    "sine": data.generate("sine", n=70, seed=1), "cubic": data.generate("cubic", n=40, seed=2),
    "hetero": data.generate("hetero", n=90, seed=3), "twelve points": data.generate("sine", n=12, seed=4),
}  # fmt: skip
every_data = pytest.mark.parametrize("points", DATA.values(), ids=DATA)


def run(points, **values):
    return list(learn.run(learn.create("subset", **({"degree": DEGREE} | values)), points))


def rss_of(points, terms, degree=DEGREE):
    if not terms:
        return float(((points.y - points.y.mean()) ** 2).sum())
    powers = PolynomialFeatures(degree, include_bias=False).fit_transform(points.x[:, None])
    columns = StandardScaler().fit_transform(powers)[:, list(terms)]
    apart = points.y - LinearRegression().fit(columns, points.y).predict(columns)
    return float(apart @ apart)


@every_data
def test_the_error_of_each_subset_is_scikit_learns(points):
    sums = StandardisedProblem.over(
        basis_over("polynomial", DEGREE, points.x), points.x, points.y, standardise=True
    )
    shares = every_subset(sums)
    whole = rss_of(points, ())
    for mask in range(2**DEGREE):
        terms = [j for j in range(DEGREE) if mask >> j & 1]
        assert shares[mask] * whole == pytest.approx(rss_of(points, terms), rel=1e-8)


@every_data
def test_best_subset_search_is_exhaustive(points):
    path = run(points, method="best")[-1].path
    for size in range(DEGREE + 1):
        expected = min(combinations(range(DEGREE), size), key=lambda terms: rss_of(points, terms))
        assert path[size].terms == expected
        assert path[size].unexplained * rss_of(points, ()) == pytest.approx(rss_of(points, expected))


@every_data
def test_forward_selection_adds_the_term_that_reduces_rss_most(points):
    path, inside = run(points, method="forward")[-1].path, ()
    assert path[0].terms == ()
    for candidate in path[1:]:
        out = [j for j in range(DEGREE) if j not in inside]
        inside = min((tuple(sorted((*inside, j))) for j in out), key=lambda terms: rss_of(points, terms))
        assert candidate.terms == inside
        assert candidate.unexplained * rss_of(points, ()) == pytest.approx(rss_of(points, inside))


@every_data
def test_backward_elimination_drops_the_term_that_increases_rss_least(points):
    path = run(points, method="backward")[-1].path
    inside = path[0].terms
    assert inside == tuple(range(DEGREE))
    for candidate in path[1:]:
        shorter = [tuple(k for k in inside if k != j) for j in inside]
        inside = min(shorter, key=lambda terms: rss_of(points, terms))
        assert candidate.terms == inside
        assert candidate.unexplained * rss_of(points, ()) == pytest.approx(rss_of(points, inside))


@every_data
@pytest.mark.parametrize("criterion", ["adjr2", "aic", "bic", "cp"])
def test_the_criterion_picks_its_own_least(points, criterion):
    state = run(points, method="best", criterion=criterion)[-1]
    n, full = len(points), rss_of(points, range(DEGREE)) / (len(points) - DEGREE - 1)
    value = {
        "adjr2": lambda rss, p: rss / (n - p),
        "aic": lambda rss, p: n * np.log(rss / n) + 2 * p,
        "bic": lambda rss, p: n * np.log(rss / n) + p * np.log(n),
        "cp": lambda rss, p: rss / full - n + 2 * p,
    }[criterion]
    every = [terms for size in range(DEGREE + 1) for terms in combinations(range(DEGREE), size)]
    assert state.subset.terms == min(every, key=lambda terms: value(rss_of(points, terms), len(terms) + 1))
    assert criterion in state.note.lower() or criterion in ("adjr2", "cp")


@every_data
@pytest.mark.parametrize("criterion", ["aic", "bic", "cp"])
@pytest.mark.parametrize("method", ["best", "stagewise"])
def test_the_chart_and_the_readout_have_one_definition_of_a_criterion(points, criterion, method):
    name = {"aic": "AIC", "bic": "BIC", "cp": "Cp"}[criterion]
    for state in run(points, method=method, criterion=criterion, rounds=9, step=0.1):
        at = state.scores[state.index]
        assert at == state.loss == pytest.approx(state.metrics()[name], rel=1e-9)
        assert at in state.charts()[0].series[0].y


@every_data
def test_the_curve_and_its_figures_are_those_of_the_subset(points):
    state = run(points, method="best", criterion="bic")[-1]
    terms = state.subset.terms
    metrics = state.metrics()
    assert metrics["RSS"] == pytest.approx(rss_of(points, terms), rel=1e-8)
    assert metrics["terms"] == len(terms)
    powers = np.array([points.x ** (j + 1) for j in terms]).T.reshape(len(points), -1)
    theirs = LinearRegression().fit(powers, points.y) if terms else None
    if theirs is not None:
        assert np.allclose(state.coefficients[[j + 1 for j in terms]], theirs.coef_, rtol=1e-6)
    out = [j + 1 for j in range(DEGREE) if j not in terms]
    assert (state.coefficients[out] == 0).all()


def test_cp_of_the_full_model_is_the_number_of_its_coefficients():
    states = run(DATA["sine"], method="forward")
    assert states[DEGREE].metrics()["Cp"] == pytest.approx(DEGREE + 1)


def test_cp_of_stagewise_selection_is_about_the_full_model():
    points = DATA["sine"]
    state = run(points, method="stagewise", criterion="cp")[-1]
    noise = rss_of(points, range(DEGREE)) / (len(points) - DEGREE - 1)
    expected = state.rss / noise - len(points) + 2 * (state.subset.size + 1)
    assert state.metrics()["Cp"] == pytest.approx(expected)
    assert state.loss == pytest.approx(expected)


def test_with_the_hierarchy_a_power_brings_all_lower_ones():
    for method in ("best", "forward", "backward"):
        path = run(DATA["cubic"], method=method, hierarchy=True)[-1].path
        assert sorted(c.terms for c in path) == [tuple(range(size)) for size in range(DEGREE + 1)]
    free = run(Dataset.curve(np.linspace(-1, 1, 30), np.linspace(-1, 1, 30) ** 2), method="best")[-1]
    assert free.subset.terms == (1,)


def test_cross_validation_finds_the_degree_of_a_cubic():
    points = data.generate("cubic", n=300, noise=0.1, seed=5)
    states = run(points, method="forward", criterion="cv", hierarchy=True, degree=8)
    assert set(states[-1].subset.terms) >= {0, 1, 2}
    assert states[-1].subset.size <= 5
    assert [state.note.split(":")[0] for state in states[:3]] == [f"fold {k} of 10" for k in (1, 2, 3)]
    assert states[-1].metrics()["CV error"] == pytest.approx(0.01, rel=0.3)


@every_data
def test_small_steps_follow_the_lasso_at_first_and_end_in_least_squares(points):
    states = run(points, method="stagewise", step=0.002, rounds=2000, basis="fourier", degree=2)
    last = states[-2].path[-1]
    sums = states[-1].problem
    columns = sums.columns(points.x)
    target = (points.y - points.y.mean()) / points.y.std()
    _, _, ways = lars_path(columns, target, method="lasso")
    spent = np.abs(last.slopes).sum()
    sizes = np.abs(ways).sum(axis=0)
    expected = np.array([np.interp(spent, sizes, way) for way in ways])
    assert np.abs(last.slopes - expected).max() < 0.05
    shares = [candidate.unexplained for candidate in states[-1].path]
    assert all(after <= before for before, after in pairwise(shares))


def test_too_many_terms_are_searched_forward_with_a_note():
    state = run(DATA["sine"], method="best", basis="fourier", degree=15)[-1]
    assert "1,073,741,824 subsets" in state.note
    assert state.path[-1].size == 30


def test_too_few_points_say_so():
    points = Dataset.curve([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 4.0, 9.0])
    assert "BIC instead" in run(points.take(np.arange(3)), criterion="cv")[-1].note
    assert max(candidate.size for candidate in run(points)[-1].path) == 2
