"""The multilayer perceptron for regression: scikit-learn's steps, units of the data, and what it shows."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.neural_network import MLPRegressor

from vizml import data, learn
from vizml.data import Dataset
from vizml.learn.networks.training import GradientDescent
from vizml.learn.networks.views import VALIDATION
from vizml.learn.training_data import TrainingData

CURVES = {
    "sine": data.generate("sine", n=60, seed=0).points,
    "step": data.generate("step", n=80, seed=1).points,
    "hetero": data.generate("hetero", n=50, seed=2).points,
    "tiny": np.array([[0.0, 1.0], [0.5, -1.0], [2.0, 0.5]]),
}


def curves(points, seed=0, **values):
    return list(learn.steps(learn.create("mlp", task="regress", **values), points[:, 0], points[:, 1], seed))


def fitted(points, **values):
    return curves(points, **values)[-1]


def standardised(values):
    return (values - values.mean()) / values.std()


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
def test_full_batch_descent_of_a_regression_is_scikit_learns(name, activation):
    points = CURVES[name]
    u, t = standardised(points[:, 0])[:, None], standardised(points[:, 1])
    values = {"solver": "gd", "rate": 0.05, "batch": 1024, "epochs": 20, "l2": 0.5}
    run = curves(points, activation=activation, **values)
    theirs = MLPRegressor(
        hidden_layer_sizes=run[0].network.sizes[1:-1], solver="sgd", momentum=0.0,
        activation={"sigmoid": "logistic"}.get(activation, activation),
        nesterovs_momentum=False, learning_rate_init=0.05, batch_size=len(u), alpha=0.5,
    )  # fmt: skip
    theirs.partial_fit(u, t)
    for matrix, weights, biases in zip(
        run[0].network.matrices(run[0].theta), theirs.coefs_, theirs.intercepts_, strict=True
    ):
        weights[:], biases[:] = matrix[:, :-1].T, matrix[:, -1]
    for velocity in theirs._optimizer.velocities:  # noqa: SLF001 (scikit-learn names it so)
        velocity[:] = 0.0
    for state in run[1:]:
        theirs.partial_fit(u, t)
        curve = points[:, 1].mean() + points[:, 1].std() * theirs.predict(u)
        assert np.abs(state.predict(points[:, 0]) - curve).max() < 1e-8


@pytest.mark.parametrize("solver", ["momentum", "rmsprop", "adam"])
def test_it_learns_a_sine(solver):
    rate = {"momentum": 0.1}.get(solver, 0.01)
    state = fitted(CURVES["sine"], solver=solver, rate=rate, epochs=600)
    assert state.metrics()["R²"] > 0.9


@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_the_loss_is_in_the_units_of_y(loss):
    points = CURVES["sine"]
    state = fitted(points, loss=loss, l2=0.0, epochs=5)
    apart = np.abs(state.predict(points[:, 0]) - points[:, 1])
    assert state.loss == pytest.approx((apart**2 / 2 if loss == "squared" else apart).mean())


def test_other_units_of_x_and_y_give_the_same_curve():
    points = CURVES["sine"]
    small, large = fitted(points), fitted(points * [1000.0, 1e6])
    assert np.allclose(1e6 * small.predict(points[:, 0]), large.predict(1000 * points[:, 0]), rtol=1e-6)


def test_the_absolute_loss_follows_outliers_less():
    rng = np.random.default_rng(0)
    x = np.linspace(-1, 1, 60)
    y = 0.5 * x + 0.05 * rng.normal(size=60)
    y[::6] += 5
    off = [
        np.abs(fitted(np.column_stack([x, y]), loss=loss, hidden="3", l2=5.0).predict(x) - 0.5 * x).mean()
        for loss in ("squared", "absolute")
    ]
    assert off[1] < 0.5 * off[0]


def test_early_stopping_of_a_regression_returns_to_the_best_epoch():
    points = data.generate("sine", n=40, seed=3).points
    run = curves(points, solver="adam", early_stop=True, epochs=2000, hidden="16,16")
    best = int(np.argmin(run[-1].history[:, 2]))
    assert len(run) - 2 == best + GradientDescent.patience
    assert np.array_equal(run[-1].theta, run[best].theta)
    assert VALIDATION in [mark.layer for mark in run[-1].marks()]


def test_the_contributions_of_the_units_sum_to_the_curve():
    state = fitted(CURVES["sine"], hidden="5,4")
    x = np.linspace(-3, 9, 50)
    added = state.marks()[0].values(x)
    assert len(added) == 4
    level = state.outputs.centre[0]
    bias = state.network.matrices(state.theta)[-1][0, -1] * state.outputs.spread[0]
    total = level + bias + sum(each - level for each in added)
    assert np.allclose(total, state.predict(x))


def test_the_focus_of_a_unit_is_its_curve_over_the_range_of_y():
    state = fitted(CURVES["sine"], hidden="5,4")
    (path,) = state.on().focus("1.2").marks
    low, high = state.y.min(), state.y.max()
    matrix = state.network.matrices(state.theta)[0]
    u = (path.lines[0][:, 0] - state.scaler.centre[0]) / state.scaler.spread[0]
    exact = low + (np.tanh(matrix[1, 0] * u + matrix[1, 1]) + 1) / 2 * (high - low)
    assert np.allclose(path.lines[0][:, 1], exact)
    assert state.on().focus("9.9").marks == ()


def test_the_diagram_of_a_regression_has_all_units_and_weights():
    diagram = fitted(CURVES["sine"], hidden="5,4").diagram()
    assert len(diagram.nodes) == 1 + 5 + 4 + 1
    assert len(diagram.links) == 5 + 20 + 4
    assert diagram.nodes[0].texts == ("x",)
    assert diagram.nodes[-1].texts == ("y",)


def curve(x, y, **values):
    model = learn.create("mlp", task="regress", **({"epochs": 15, "hidden": "4"} | values))
    return list(learn.run(model, Dataset.curve(x, y), 0))[-1]


def test_figures_of_a_curve_are_those_of_its_residuals():
    x = np.linspace(0, 6, 50)
    y = np.sin(x)
    state = curve(x, y, epochs=60)
    apart = y - state.predict(x)
    assert state.metrics()["RSS"] == pytest.approx((apart**2).sum())
    assert state.metrics()["R²"] == pytest.approx(1 - (apart**2).mean() / y.var())


def test_a_level_curve_has_no_share_explained():
    assert "R²" not in curve(np.arange(6.0), np.full(6, 2.0)).metrics()


def test_with_ten_inputs_it_fits_a_regression():
    X, y = load_diabetes(return_X_y=True)
    table = TrainingData(X, y, columns=tuple(f"x{k}" for k in range(10)))
    *_, state = learn.run(learn.create("mlp", "regress", hidden="3", l2=5.0), table)
    assert 0.5 < state.metrics()["R²"] < 0.8
    assert len(state.diagram().nodes) == 10 + 3 + 1
