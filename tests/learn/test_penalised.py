"""Ridge, lasso and elastic net against scikit-learn and the optimality conditions."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, Lasso, Ridge
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

from vizml import data, learn
from vizml.data import Dataset
from vizml.learn.linear_models.basis import basis_over
from vizml.learn.linear_models.penalised_solver import Penalty, active_set, cross_validate_lambda
from vizml.learn.linear_models.standardised import StandardisedProblem

AGREEMENT = 1e-8  # of predictions, relative to the range of y
OBJECTIVE = 1e-6  # relative
CONDITION = 1e-9  # of the gradient, in units of the penalty's own


def few():
    x = np.linspace(-1, 1, 8)
    return Dataset.curve(x, np.sin(3 * x))


DATA = {
    "sine": data.generate("sine", n=80, seed=1), "cubic": data.generate("cubic", n=40, seed=2),
    "hetero": data.generate("hetero", n=120, seed=3), "step": data.generate("step", n=30, seed=4),
    "eight points": few(),
}  # fmt: skip
every_data = pytest.mark.parametrize("points", DATA.values(), ids=DATA)


def run(id, points, seed=0, **values):
    return list(learn.run(learn.create(id, **values), points, seed))


def fit(id, points, **values):
    return run(id, points, **values)[-1]


def piped(estimator, points, degree, *, standardise=True):
    steps = [PolynomialFeatures(degree, include_bias=False), *([StandardScaler()] * standardise), estimator]
    return make_pipeline(*steps).fit(points.x[:, None], points.y)


def near(state, theirs, points, tolerance=AGREEMENT):
    probes = np.linspace(points.x.min(), points.x.max(), 300)
    apart = np.abs(state.predict(probes) - theirs.predict(probes[:, None])).max()
    return apart < tolerance * np.ptp(points.y)


def penalised(state):
    """The coefficients that the penalty is about."""
    return state.slopes * state.problem.deviation * state.problem.penalty_scale


def objective(state, coefficients, lam, mix):
    rss = float(state.residuals @ state.residuals)
    size = mix * np.abs(coefficients).sum() + (1 - mix) / 2 * coefficients @ coefficients
    return rss / (2 * len(state.y)) + lam * size


# ridge


@every_data
@pytest.mark.parametrize("degree", [1, 3, 9, 15])
@pytest.mark.parametrize("lam", [1e-3, 1.0, 100.0])
def test_ridge_is_scikit_learns_on_standardised_powers(points, degree, lam):
    theirs = piped(Ridge(alpha=lam, solver="svd"), points, degree)
    state = fit("ridge", points, lam=lam, degree=degree)
    assert near(state, theirs, points)
    assert np.allclose(penalised(state), theirs[-1].coef_, rtol=1e-6, atol=1e-8)


@every_data
@pytest.mark.parametrize("degree", [1, 2, 4])
def test_ridge_without_scaling_penalises_data_units(points, degree):
    theirs = piped(Ridge(alpha=0.7, solver="svd"), points, degree, standardise=False)
    state = fit("ridge", points, lam=0.7, degree=degree, standardise=False)
    assert near(state, theirs, points)
    assert np.allclose(state.coefficients, [theirs[-1].intercept_, *theirs[-1].coef_], rtol=1e-7, atol=1e-9)


@every_data
def test_without_a_penalty_it_is_least_squares(points):
    for id in ("ridge", "lasso", "elastic_net"):
        state = fit(id, points, lam=0.0, degree=5)
        assert state.loss >= 0
        expected = learn.fit(learn.create("linear", degree=5), points.x, points.y)
        assert np.abs(state.predict(points.x) - expected.predict(points.x)).max() < 1e-7


@every_data
def test_effective_coefficients_are_the_trace_of_the_hat(points):
    n, lam = len(points), 0.5
    hat = np.empty((n, n))
    for i, unit in enumerate(np.eye(n)):
        hat[:, i] = fit("ridge", Dataset.curve(points.x, unit), lam=lam, degree=4).predict(points.x)
    assert fit("ridge", points, lam=lam, degree=4).degrees_of_freedom == pytest.approx(
        np.trace(hat), rel=1e-9
    )


# lasso and elastic net


@every_data
@pytest.mark.parametrize("degree", [1, 3, 9])
@pytest.mark.parametrize("lam", [3e-3, 0.03, 0.3])
@pytest.mark.parametrize("mix", [1.0, 0.5, 0.1])
def test_the_objective_is_that_of_scikit_learn_or_lower(points, degree, lam, mix):
    settings = {"alpha": lam, "tol": 1e-7, "max_iter": 20_000}
    made = Lasso(**settings) if mix == 1 else ElasticNet(l1_ratio=mix, **settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        theirs = piped(made, points, degree)
    id = {"id": "lasso"} if mix == 1 else {"id": "elastic_net", "mix": mix}
    state = fit(points=points, lam=lam, degree=degree, **id)
    apart = points.y - theirs.predict(points.x[:, None])
    coefficients = theirs[-1].coef_
    size = mix * np.abs(coefficients).sum() + (1 - mix) / 2 * coefficients @ coefficients
    their_objective = apart @ apart / (2 * len(points)) + lam * size
    assert state.loss == pytest.approx(objective(state, penalised(state), lam, mix), rel=1e-9)
    assert state.loss <= their_objective * (1 + OBJECTIVE)
    if degree <= 3:
        assert state.loss == pytest.approx(their_objective, rel=OBJECTIVE)


@every_data
@pytest.mark.parametrize("basis", ["polynomial", "fourier", "bumps", "pieces"])
@pytest.mark.parametrize("lam", [1e-4, 1e-2])
def test_the_conditions_of_the_optimum_hold(points, basis, lam):
    state = fit("lasso", points, lam=lam, basis=basis, degree=15)
    columns = state.problem.columns(points.x)
    gradient = columns.T @ state.residuals / len(points)
    zero = state.slopes == 0
    assert (np.abs(gradient[zero]) <= lam + CONDITION).all()
    assert np.allclose(gradient[~zero], lam * np.sign(state.slopes[~zero]), atol=CONDITION)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("share", [0.9, 0.3, 0.01])
def test_active_sets_alone_find_the_optimum_of_columns_that_are_alike(seed, share):
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(40, 1)) + 0.3 * rng.normal(size=(40, 12))
    columns = (columns - columns.mean(axis=0)) / columns.std(axis=0)
    gram, pull = columns.T @ columns / 40, columns.T @ rng.normal(size=40) / 40
    linear, square = np.full(12, share * np.abs(pull).max()), np.full(12, 0.01 * (seed % 2))
    slopes = active_set(gram, pull, linear, square)
    gradient = pull - gram @ slopes - square * slopes
    zero = slopes == 0
    assert not zero.all()
    assert (np.abs(gradient[zero]) <= linear[zero] + CONDITION).all()
    assert np.allclose(gradient[~zero], (linear * np.sign(slopes))[~zero], atol=CONDITION)


def test_lasso_in_data_units():
    points = DATA["cubic"]
    theirs = piped(Lasso(alpha=0.05, tol=1e-12, max_iter=100_000), points, 3, standardise=False)
    state = fit("lasso", points, lam=0.05, degree=3, standardise=False)
    assert np.allclose(state.coefficients, [theirs[-1].intercept_, *theirs[-1].coef_], atol=1e-6)


def test_elastic_net_is_between_ridge_and_lasso():
    points = DATA["sine"]
    kept = [
        (fit("elastic_net", points, lam=0.05, mix=mix, basis="fourier", degree=8).slopes != 0).sum()
        for mix in (0.0, 0.5, 1.0)
    ]
    assert kept[0] == 16
    assert kept[0] >= kept[1] >= kept[2]


@every_data
def test_the_objective_falls_with_each_sweep(points):
    losses = [state.loss for state in run("lasso", points, lam=0.01, degree=9)]
    assert len(losses) > 1
    assert all(after <= before * (1 + 1e-12) + 1e-300 for before, after in pairwise(losses))


# choosing the strength


@pytest.mark.parametrize("id", ["ridge", "lasso", "elastic_net"])
def test_cross_validation_is_what_scikit_learn_finds_in_the_same_folds(id):
    points, degree = DATA["cubic"], 4
    penalty = learn.create(id).penalty
    basis = basis_over("polynomial", degree, points.x)
    sums = StandardisedProblem.over(basis, points.x, points.y, standardise=True)
    parts = list(KFold(5).split(points.x))
    masks = [np.isin(np.arange(len(points)), out) for _, out in parts]
    *_, found = cross_validate_lambda(penalty, sums, points.x[:, None], points.y, masks, standardise=True)
    for i in (5, 25, 45):
        lam = found.lams[i]
        settings = {"alpha": lam} | ({} if id == "ridge" else {"tol": 1e-12, "max_iter": 100_000})
        make = {"ridge": Ridge, "lasso": Lasso, "elastic_net": ElasticNet}[id]
        for k, (kept, out) in enumerate(parts):
            theirs = piped(make(**settings), points.take(kept), degree)
            error = np.mean((points.y[out] - theirs.predict(points.x[out][:, None])) ** 2)
            assert found.errors[k, i] == pytest.approx(error, rel=1e-5)


@pytest.mark.parametrize("id", ["ridge", "lasso", "elastic_net"])
def test_the_strength_with_the_least_error_is_taken(id):
    states = run(id, DATA["sine"], lam="cv", folds=5)
    state, validation = states[-1], states[-1].validation
    assert state.lam == validation.lams[validation.mean.argmin()]
    assert len(validation.errors) == 5
    assert [s.note.split(":")[0] for s in states[:5]] == [f"fold {k} of 5" for k in range(1, 6)]
    assert validation.one_standard_error >= validation.best
    assert state.metrics()["CV error"] == pytest.approx(validation.mean.min())
    assert state.metrics()["λ (one-standard-error rule)"] == validation.one_standard_error
    assert state.charts()[1].title == "Cross-validation of λ"


def test_two_points_are_too_few_to_choose():
    assert "too few points" in fit("ridge", Dataset.curve([0.0, 1.0], [1.0, 2.0]), lam="cv").note


# trouble


@pytest.mark.parametrize("id", ["ridge", "lasso", "elastic_net"])
@pytest.mark.parametrize("lam", [1e-6, 1e-2, "cv"])
def test_fifteen_powers_of_eight_far_points_give_a_curve(id, lam):
    x = 1e6 + np.linspace(0, 1, 8)
    y = np.sin(6 * x)
    state = fit(id, Dataset.curve(x, y), lam=lam, degree=15)
    between = state.predict(np.linspace(x[0], x[-1], 200))
    assert np.isfinite(between).all()
    assert np.abs(between).max() < 3
    assert state.loss <= fit(id, Dataset.curve(x, y), lam=max(state.lam, 1e-6) * 2, degree=15).loss


def test_unidentifiable_terms_are_in_the_note():
    x = 1e6 + np.linspace(0, 1, 8)
    assert "are identifiable" in fit("ridge", Dataset.curve(x, np.sin(6 * x)), lam=0.0, degree=15).note


# charts


@pytest.mark.parametrize("id", ["ridge", "lasso", "elastic_net"])
def test_the_path_ends_in_the_coefficients(id):
    points = DATA["sine"]
    sums = fit(id, points, basis="fourier", degree=3).problem
    lam = float(Penalty(1.0).grid(sums)[20]) if id != "ridge" else 3.0
    state = fit(id, points, basis="fourier", degree=3, lam=lam)
    chart = state.charts()[0]
    assert [series.name for series in chart.series] == list(state.problem.names)
    for series, value in zip(chart.series, penalised(state)):
        assert np.interp(np.log(lam), np.log(series.x), series.y) == pytest.approx(value, abs=0.02)
    largest = [abs(series.y[-1]) for series in chart.series]
    assert max(largest) < (0.05 if id == "ridge" else 1e-9)


@pytest.mark.parametrize("id, word", [("ridge", "disc"), ("lasso", "diamond"), ("elastic_net", "rounded")])
def test_the_penalty_ball_touches_the_contour_at_the_solution(id, word):
    state = fit(id, DATA["sine"], basis="fourier", degree=2, lam=0.05, first=1, second=3)
    chart = state.charts()[-1]
    assert word in chart.title
    assert chart.square, "a disc is round, and a diamond stands on a right angle"
    ball = next(series for series in chart.series if "equal penalty" in series.name)
    price = state.problem.deviation * state.problem.penalty_scale

    def half_error(pair):
        slopes = np.tile(state.slopes, (len(pair), 1))
        slopes[:, [0, 2]] = pair / price[[0, 2]]
        return state.problem.half_error(slopes)

    here = penalised(state)[[0, 2]]
    on_ball = half_error(np.column_stack([ball.x, ball.y]))
    assert on_ball.min() >= half_error(here[None])[0] - 1e-9
    assert on_ball.min() <= half_error(here[None])[0] + 2e-4, "181 points around the ball miss it by a little"
