"""The network that makes a curve: scikit-learn's steps, units of the data, what it shows."""

import numpy as np
import pytest
from sklearn.neural_network import MLPRegressor

from vizml import data, learn
from vizml.learn.networks.drawn import HELD
from vizml.learn.networks.training import PATIENCE

SETS = {
    "sine": data.generate("sine", n=60, seed=0).points,
    "step": data.generate("step", n=80, seed=1).points,
    "hetero": data.generate("hetero", n=50, seed=2).points,
    "tiny": np.array([[0.0, 1.0], [0.5, -1.0], [2.0, 0.5]]),
}


def states(points, seed=0, **values):
    return list(learn.steps(learn.create("mlp", task="regress", **values), points[:, 0], points[:, 1], seed))


def fit(points, **values):
    return states(points, **values)[-1]


def standardised(values):
    return (values - values.mean()) / values.std()


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("activation", ["tanh", "relu", "sigmoid"])
def test_a_descent_with_all_points_is_scikit_learns(name, activation):
    points = SETS[name]
    u, t = standardised(points[:, 0])[:, None], standardised(points[:, 1])
    values = {"solver": "gd", "rate": 0.05, "batch": 1024, "epochs": 20, "l2": 0.5}
    run = states(points, activation=activation, **values)
    theirs = MLPRegressor(
        hidden_layer_sizes=run[0].plan.sizes[1:-1], solver="sgd", momentum=0.0,
        activation={"sigmoid": "logistic"}.get(activation, activation),
        nesterovs_momentum=False, learning_rate_init=0.05, batch_size=len(u), alpha=0.5,
    )  # fmt: skip
    theirs.partial_fit(u, t)
    for matrix, weights, biases in zip(
        run[0].plan.matrices(run[0].theta), theirs.coefs_, theirs.intercepts_, strict=True
    ):
        weights[:], biases[:] = matrix[:, :-1].T, matrix[:, -1]
    for velocity in theirs._optimizer.velocities:
        velocity[:] = 0.0
    for state in run[1:]:
        theirs.partial_fit(u, t)
        curve = points[:, 1].mean() + points[:, 1].std() * theirs.predict(u)
        assert np.abs(state.predict(points[:, 0]) - curve).max() < 1e-8


@pytest.mark.parametrize("solver", ["momentum", "rmsprop", "adam"])
def test_it_learns_a_sine(solver):
    rate = {"momentum": 0.1}.get(solver, 0.01)
    state = fit(SETS["sine"], solver=solver, rate=rate, epochs=600)
    assert state.metrics()["R²"] > 0.9


@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_the_loss_is_told_in_the_units_of_y(loss):
    points = SETS["sine"]
    state = fit(points, loss=loss, l2=0.0, epochs=5)
    apart = np.abs(state.predict(points[:, 0]) - points[:, 1])
    assert state.loss == pytest.approx((apart**2 / 2 if loss == "squared" else apart).mean())


def test_other_units_of_x_and_y_give_the_same_curve():
    points = SETS["sine"]
    small, large = fit(points), fit(points * [1000.0, 1e6])
    assert np.allclose(1e6 * small.predict(points[:, 0]), large.predict(1000 * points[:, 0]), rtol=1e-6)


def test_the_absolute_loss_follows_outliers_less():
    rng = np.random.default_rng(0)
    x = np.linspace(-1, 1, 60)
    y = 0.5 * x + 0.05 * rng.normal(size=60)
    y[::6] += 5
    off = [
        np.abs(fit(np.column_stack([x, y]), loss=loss, hidden="3", l2=5.0).predict(x) - 0.5 * x).mean()
        for loss in ("squared", "absolute")
    ]
    assert off[1] < 0.5 * off[0]


def test_early_stopping_returns_to_the_best_epoch():
    points = data.generate("sine", n=40, seed=3).points
    run = states(points, solver="adam", early_stop=True, epochs=2000, hidden="16,16")
    best = int(np.argmin(run[-1].history[:, 2]))
    assert len(run) - 2 == best + PATIENCE
    assert np.array_equal(run[-1].theta, run[best].theta)
    assert HELD in [mark.layer for mark in run[-1].marks()]


# what it shows


def test_what_the_neurons_add_is_the_curve():
    state = fit(SETS["sine"], hidden="5,4")
    x = np.linspace(-3, 9, 50)
    added = state.marks()[0].values(x)
    assert len(added) == 4
    level = state.outputs.centre[0]
    bias = state.plan.matrices(state.theta)[-1][0, -1] * state.outputs.spread[0]
    total = level + bias + sum(each - level for each in added)
    assert np.allclose(total, state.predict(x))


def test_the_focus_of_a_neuron_is_its_curve_over_the_range_of_y():
    state = fit(SETS["sine"], hidden="5,4")
    (path,) = state.focus("1.2").marks
    low, high = state.y.min(), state.y.max()
    matrix = state.plan.matrices(state.theta)[0]
    u = (path.lines[0][:, 0] - state.inputs.centre[0]) / state.inputs.spread[0]
    exact = low + (np.tanh(matrix[1, 0] * u + matrix[1, 1]) + 1) / 2 * (high - low)
    assert np.allclose(path.lines[0][:, 1], exact)
    assert state.focus("9.9").marks == ()


def test_the_diagram_has_all_neurons_and_weights():
    diagram = fit(SETS["sine"], hidden="5,4").diagram()
    assert len(diagram.nodes) == 1 + 5 + 4 + 1
    assert len(diagram.links) == 5 + 20 + 4
    assert diagram.nodes[0].texts == ("x",)
    assert diagram.nodes[-1].texts == ("y",)
