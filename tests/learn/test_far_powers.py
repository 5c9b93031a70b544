"""Polynomial bases far from 0 against exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from vizml import learn
from vizml.data import Dataset

FAR = 1e6 + np.linspace(0, 1, 8)
Y = np.array([0.3, 1.1, -0.4, 0.8, 2.0, 1.2, -1.0, 0.5])
BETWEEN = 1e6 + np.linspace(0.03, 0.97, 11)


def exact_ridge(x, y, degree, lam, at):
    """The minimum of RSS + lam |b|^2 over standardised powers, in whole numbers: b_j = beta_j s_j."""
    x, y, at = ([Fraction(float(value)) for value in values] for values in (x, y, at))
    n, powers = len(x), range(1, degree + 1)
    means = [sum(value**j for value in x) / n for j in powers]
    centred = [[value**j - mean for j, mean in zip(powers, means)] for value in x]
    level = sum(y) / n
    columns = list(zip(*centred))
    system = [[sum(a * b for a, b in zip(one, other)) for other in columns] for one in columns]
    for j, column in enumerate(columns):
        system[j][j] += Fraction(lam) * sum(value * value for value in column) / n
    target = [sum(a * (value - level) for a, value in zip(column, y)) for column in columns]
    beta = solved(system, target)
    return [float(level + sum(b * (v**j - m) for b, j, m in zip(beta, powers, means))) for v in at]


def solved(system, target):
    """Gauss's elimination."""
    rows = [[*row, value] for row, value in zip(system, target)]
    size = len(rows)
    for i in range(size):
        pivot = next(k for k in range(i, size) if rows[k][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, size):
            share = rows[k][i] / rows[i][i]
            rows[k] = [a - share * b for a, b in zip(rows[k], rows[i])]
    found = [Fraction(0)] * size
    for i in reversed(range(size)):
        found[i] = (rows[i][size] - sum(rows[i][k] * found[k] for k in range(i + 1, size))) / rows[i][i]
    return found


def fit(id, **values):
    return learn.fit_data(learn.create(id, "regress", **values), Dataset.curve(FAR, Y))


@pytest.mark.parametrize("lam", [10.0, 0.1, 1e-4])
@pytest.mark.parametrize("degree", [2, 15])
def test_ridge_on_far_powers_is_that_of_exact_arithmetic(degree, lam):
    state = fit("ridge", degree=degree, lam=lam)
    assert np.abs(state.predict(BETWEEN) - exact_ridge(FAR, Y, degree, lam, BETWEEN)).max() < 1e-6


@pytest.mark.parametrize("degree", [2, 15])
def test_bayes_on_far_powers_is_that_of_exact_arithmetic(degree):
    state = fit("bayes_linear", degree=degree, alpha=0.5, beta=5.0)
    assert np.abs(state.predict(BETWEEN) - exact_ridge(FAR, Y, degree, 0.1, BETWEEN)).max() < 1e-6


@pytest.mark.parametrize("mix, id", [(1.0, "lasso"), (0.5, "elastic_net")])
def test_the_objective_of_far_powers_is_no_higher_than_with_one_of_them(mix, id):
    state = fit(id, degree=15, lam=0.05)
    u = (FAR - FAR.mean()) / FAR.std()
    c, spread = float(u @ (Y - Y.mean())) / 8, 0.05
    slope = np.sign(c) * max(abs(c) - spread * mix, 0) / (1 + spread * (1 - mix))
    rest = Y - Y.mean() - slope * u
    alone = rest @ rest / 16 + spread * (mix * abs(slope) + (1 - mix) / 2 * slope**2)
    assert state.loss <= alone + 1e-9
    assert state.loss >= 0.9 * alone


@pytest.mark.parametrize("basis", ["fourier", "bumps", "pieces"])
@pytest.mark.parametrize("id", ["linear", "ridge", "lasso", "elastic_net", "bayes_linear", "subset"])
def test_other_bases_do_not_mind_where_zero_is(id, basis):
    near = learn.create(id, "regress", basis=basis, degree=15)
    here = learn.fit_data(near, Dataset.curve(FAR - 1e6, Y)).predict(BETWEEN - 1e6)
    assert np.abs(fit(id, basis=basis, degree=15).predict(BETWEEN) - here).max() < 1e-5


FREE = ("knn", "kernel_smoother", "svr", "gp", "mlp", "tree", "random_forest", "gradient_boosting", "bagging")


@pytest.mark.parametrize("id", FREE)
def test_curves_without_a_basis_do_not_mind_where_zero_is(id):
    near = learn.create(id, "regress")
    here = learn.fit_data(near, Dataset.curve(FAR - 1e6, Y)).predict(BETWEEN - 1e6)
    assert np.abs(fit(id).predict(BETWEEN) - here).max() < 1e-5


@pytest.mark.parametrize("degree", [8, 15])
def test_underdetermined_least_squares_interpolates_and_reports_the_rank(degree):
    state = fit("linear", degree=degree)
    assert np.abs(state.residuals).max() < 1e-6
    assert "are identifiable (minimum-norm solution of the pseudo-inverse)" in state.note
    assert np.abs(state.predict(BETWEEN)).max() < 10 * np.abs(Y).max()
    assert state.band(BETWEEN) is None


@pytest.mark.parametrize("method", ["best", "forward", "backward", "stagewise"])
@pytest.mark.parametrize("criterion", ["adjr2", "aic", "bic", "cp", "cv"])
def test_subsets_of_far_powers_are_lines_or_say_so(method, criterion):
    state = fit("subset", degree=15, method=method, criterion=criterion)
    assert np.isfinite(state.predict(BETWEEN)).all()
    assert np.abs(state.predict(BETWEEN) - Y.mean()).max() < 5 * np.ptp(Y)
    assert state.note
