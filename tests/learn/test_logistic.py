"""Logistic regression and its features against scikit-learn, each optimiser against Newton's method."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import PolynomialFeatures as Reference

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.field import Raster
from vizml.learn.iterative_training import validation_rows
from vizml.learn.linear_models.logistic import PolynomialFeatures, polynomial_plane_of

COEFFICIENTS = 1e-4  # relative, as promised

DATA = {
    "two classes": moons(200), "three classes": blobs(150, centers=3), "five classes": blobs(150, centers=5),
    "imbalanced": make_blobs([120, 8], cluster_std=2.0, random_state=3)[:2],
    "tiny": (np.array([[0.0, 0.0], [1.0, 0.5], [0.2, 1.0], [2.0, 1.0]]), np.array([0, 1, 0, 1])),
    "stretched": (moons(100)[0] * [100.0, 0.1] + [30.0, -2.0], moons(100)[1]),
}  # fmt: skip
every_data = pytest.mark.parametrize("X, y", DATA.values(), ids=DATA)


def fit(X, y, **values):
    return learn.fit(learn.create("logistic", **values), X, y)


def off(ours, theirs):
    return np.abs(ours - theirs).max() / np.abs(theirs).max()


@every_data
@pytest.mark.parametrize("l2", [0.1, 1.0, 30.0])
def test_newton_finds_the_coefficients_of_scikit_learn(X, y, l2):
    reference = LogisticRegression(C=1 / l2, solver="newton-cholesky", tol=1e-10, max_iter=1000).fit(X, y)
    state = fit(X, y, l2=l2)
    assert off(state.coefficients, reference.coef_) < COEFFICIENTS
    assert off(state.in_data_units[:, 0], reference.intercept_) < COEFFICIENTS
    assert np.allclose(state.proba(X), reference.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize("name", ["two classes", "three classes"])
def test_polynomial_features_are_those_of_scikit_learn(name, degree):
    X, y = DATA[name]
    expanded = Reference(degree, include_bias=False).fit_transform(X)
    reference = LogisticRegression(C=1, solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(expanded, y)
    state = fit(X, y, degree=degree, tol=1e-10)
    assert off(state.coefficients, reference.coef_) < COEFFICIENTS
    assert off(state.in_data_units[:, 0], reference.intercept_) < COEFFICIENTS


@pytest.mark.parametrize("l1", [1.0, 10.0])
def test_l1_agrees_and_sets_weights_to_zero(l1):
    X, y = DATA["two classes"]
    noisy = Reference(2, include_bias=False).fit_transform(X)
    reference = LogisticRegression(C=1 / l1, l1_ratio=1, solver="saga", tol=1e-10, max_iter=100_000)
    coefficients = reference.fit(noisy, y).coef_[0]
    state = fit(X, y, l1=l1, l2=0.0, degree=2)
    assert np.abs(state.coefficients[0] - coefficients).max() < 1e-3
    assert np.array_equal(state.coefficients[0] == 0, coefficients == 0)


@pytest.mark.parametrize("solver", ["gd", "momentum", "adam", "minibatch", "sgd", "rmsprop"])
@pytest.mark.parametrize("name", ["two classes", "three classes"])
def test_every_solver_goes_down_to_where_newton_is(name, solver):
    X, y = DATA[name]
    rates = {"gd": 2.0, "minibatch": 0.1, "momentum": 0.03, "rmsprop": 0.003, "adam": 0.01, "sgd": 0.02}
    state = fit(X, y, solver=solver, rate=rates[solver], epochs=100 if solver == "sgd" else 400)
    best = fit(X, y)
    assert best.loss <= state.loss * (1 + 1e-9)
    assert state.loss < best.loss * 1.03


@pytest.mark.parametrize("l1", [0.0, 2.0])
def test_newton_never_rises(l1):
    for X, y in DATA.values():
        losses = [state.loss for state in learn.steps(learn.create("logistic", l1=l1), X, y)]
        assert all(after <= before for before, after in pairwise(losses))


def test_the_first_state_is_uniform():
    X, y = DATA["three classes"]
    first = next(learn.steps(learn.create("logistic"), X, y))
    assert np.allclose(first.proba(X), 1 / 3)
    assert first.loss == pytest.approx(len(X) * np.log(3))
    assert first.note.startswith("start: all weights 0, loss 164.8")


@pytest.mark.parametrize("name", ["tiny", "three classes"])
def test_separable_classes_without_a_penalty_end_and_say_so(name):
    X, y = DATA["tiny"] if name == "tiny" else blobs(30, centers=3, seed=5)
    if name != "tiny":
        X = X + 100 * np.array([[0, 0], [1, 0], [0, 1]])[y]
    state = fit(X, y, l2=0.0)
    assert "the classes are separable" in state.note
    assert np.array_equal(state.predict(X), y)
    assert np.isfinite(state.coefficients).all()


def test_too_high_a_rate_is_shown_as_divergence():
    X, y = DATA["two classes"]
    run = list(learn.steps(learn.create("logistic", solver="gd", rate=100.0, l2=1e3), X, y))
    assert run[-1].note.startswith("diverged in epoch ")
    assert "a lower learning rate helps" in run[-1].note
    assert np.isfinite(run[-1].weights).all()


def test_early_stopping_returns_to_the_best_weights_of_a_run_that_diverges():
    X, y = moons(120)
    model = learn.create("logistic", solver="gd", rate=100.0, l2=1e3, early_stop=True)
    *_, diverged, last = learn.steps(model, X, y)
    assert diverged.note.startswith("diverged in epoch ")
    assert last.note.startswith("back to epoch ")
    assert last.validation_loss <= diverged.validation_loss


def test_ending_worse_than_it_began_is_said():
    X, y = DATA["two classes"]
    assert "the loss is higher than at the start" in fit(X, y, solver="gd", rate=100.0, epochs=7).note


@pytest.mark.parametrize("solver", ["newton", "gd"])
def test_early_stopping_returns_to_the_lowest_loss_of_the_points_held_out(solver):
    X, y = moons(120)
    values = {"degree": 6, "l2": 0.0, "rate": 1.0, "epochs": 300, "early_stop": True}
    run = list(learn.steps(learn.create("logistic", solver=solver, **values), X, y))
    held = validation_rows(y, np.random.default_rng(0))
    sign = 2 * y[held] - 1
    judged = [np.logaddexp(0.0, -sign * state.scores(X[held])[:, 1]).mean() for state in run]
    assert "24 of 120 points held out for validation; start" in run[0].note
    assert [state.metrics()["validation loss"] for state in run] == pytest.approx(judged)
    assert judged[-1] == min(judged) < judged[-2]
    best = judged.index(min(judged))
    assert np.array_equal(run[-1].weights, run[best].weights)
    assert "which has the lowest validation loss" in run[-1].note


DEGREES = pytest.mark.parametrize("degree", [1, 2, 3, 6])


def cloud(n=40, seed=0, centre=(3.0, -20.0), scale=(2.0, 0.1)):
    return np.random.default_rng(seed).normal(size=(n, 2)) * scale + centre


def plain(degree):
    return PolynomialFeatures(degree, np.zeros(2), np.ones(2))


@DEGREES
def test_products_come_in_the_order_of_scikit_learn(degree):
    X = cloud(centre=(0.3, -0.2), scale=(1.0, 2.0))
    reference = Reference(degree)
    assert np.allclose(plain(degree).design(X), reference.fit_transform(X), rtol=1e-12)
    assert [tuple(row) for row in reference.powers_] == plain(degree).exponents


@DEGREES
def test_names_are_those_of_scikit_learn(degree):
    theirs = Reference(degree).fit(np.zeros((1, 2))).get_feature_names_out(["x", "y"])
    assert plain(degree).names == [name.replace(" ", "") for name in theirs[1:]]


def test_coordinates_inside_have_middle_0_and_spread_1():
    X = cloud()
    inside = PolynomialFeatures.over(X, 1).design(X)[:, 1:]
    assert np.allclose(inside.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(inside.std(axis=0), 1)


def test_not_centred_each_feature_is_one_term():
    X = cloud()
    features = PolynomialFeatures.over(X, 3, centred=False)
    assert not features.centre.any()
    assert np.allclose(features.scale, np.sqrt((X**2).mean(axis=0)))
    units = features.data_units()
    assert np.array_equal(units, np.diag(np.diag(units)))


@pytest.mark.parametrize("place", [(5.0, -3.0), (1e9, 1e-9), (0.0, 0.0)])
def test_points_on_one_spot_have_a_scale_of_one(place):
    features = PolynomialFeatures.over(np.tile(place, (7, 1)), 2)
    assert features.scale.tolist() == [1.0, 1.0]
    assert np.isfinite(features.design(np.tile(place, (7, 1)))).all()


def test_a_constant_input_does_not_affect_the_other():
    X = cloud()
    X[:, 0] = 0.1  # whose mean is not 0.1 to the last digit
    assert PolynomialFeatures.over(X, 1).scale[0] == 1.0
    assert PolynomialFeatures.over(X, 1).scale[1] == pytest.approx(X[:, 1].std())


def test_a_narrow_axis_far_out_still_counts():
    X = np.column_stack([1e6 + np.array([0.0, 1e-3, 2e-3]), np.arange(3.0)])
    assert PolynomialFeatures.over(X, 1).scale[0] == pytest.approx(X[:, 0].std())


@DEGREES
def test_weights_in_data_units_give_the_same_sums(degree):
    X = cloud(centre=(1.5, -2.0), scale=(2.0, 0.7))
    features = PolynomialFeatures.over(X, degree)
    weights = np.random.default_rng(1).normal(size=len(features.exponents))
    theirs = Reference(degree).fit_transform(X) @ (features.data_units() @ weights)
    assert np.allclose(features.design(X) @ weights, theirs, rtol=1e-8, atol=1e-8 * np.abs(theirs).max())


@given(
    st.floats(-100, 100), st.floats(-100, 100), st.floats(0.1, 10), st.floats(0.1, 10), st.integers(0, 10**6)
)
def test_the_shape_of_a_polynomial_does_not_depend_on_where_its_points_lie(right, up, wide, high, seed):
    """Centred and scaled features are the same whatever the units of x and y."""
    X = cloud(12, seed, (0.0, 0.0), (1.0, 1.0))
    moved = X * [wide, high] + [right, up]
    ours = PolynomialFeatures.over(X, 3).design(X)
    assert np.allclose(PolynomialFeatures.over(moved, 3).design(moved), ours, rtol=1e-8, atol=1e-8)


@DEGREES
def test_the_painted_plane_has_the_sum_at_every_pixel(degree):
    X = cloud()
    features = PolynomialFeatures.over(X, degree)
    weights = np.random.default_rng(2).normal(size=len(features.exponents))
    raster = Raster.over((X[:, 0].min(), X[:, 0].max(), X[:, 1].min(), X[:, 1].max()), 23, 17)
    out = np.full(raster.shape, np.nan, dtype=np.float32)
    polynomial_plane_of(features, weights, raster, out)
    expected = (features.design(raster.points()) @ weights).reshape(raster.shape)
    assert np.abs(out - expected).max() < 1e-5 * np.abs(expected).max()


@pytest.mark.parametrize("inputs, degree, terms", [(13, 6, "27,132"), (30, 3, "5,456"), (14, 4, "3,060")])
def test_more_terms_than_fit_into_memory_are_refused(inputs, degree, terms):
    X = np.random.default_rng(0).normal(size=(20, inputs))
    says = f"degree {degree} of {inputs} inputs has {terms} terms, more than 1,000: choose a lower degree"
    with pytest.raises(learn.CannotLearn, match=says):
        fit(X, np.arange(20) % 2, degree=degree)


def test_many_inputs_of_degree_one_are_not_refused():
    X = np.random.default_rng(0).normal(size=(30, 1200))
    assert fit(X, np.arange(30) % 2, epochs=1, solver="lbfgs").progress == 1.0
