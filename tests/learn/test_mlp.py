"""The network that classifies: gradients against differences, scikit-learn's steps, what it shows."""

import itertools

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_blobs, make_moons
from sklearn.neural_network import MLPClassifier

from vizml import learn
from vizml.field import Raster
from vizml.learn.networks.drawn import HELD
from vizml.learn.networks.objective import LOSSES, Objective, Sample
from vizml.learn.networks.plan import Plan, with_ones
from vizml.learn.networks.training import PATIENCE
from vizml.scene import Lens

SETS = {
    "moons": make_moons(120, noise=0.2, random_state=0),
    "imbalanced": make_blobs([110, 10], centers=[[0, 0], [2, 1]], random_state=3),
    "three": make_blobs(90, centers=3, cluster_std=2.0, random_state=4),
    "iris": (load_iris().data[:, 2:], load_iris().target),
    "tiny": (np.array([[0.0, 0], [1, 1], [2, 0], [3, 2]]), np.array([0, 0, 1, 1])),
}
ACTIVATIONS = ("tanh", "relu", "sigmoid")


def states(X, y, seed=0, **values):
    return list(learn.steps(learn.create("mlp", task="classify", **values), X, y, seed))


def fit(X, y, seed=0, **values):
    return states(X, y, seed, **values)[-1]


def around(X, width=60, height=50):
    (left, bottom), (right, top) = X.min(axis=0) - 1, X.max(axis=0) + 1
    return Raster.over((left, right, bottom, top), width, height)


def differences(f, theta, step=1e-5):
    """The gradient by central differences."""
    return np.array([(f(theta + e) - f(theta - e)) / (2 * step) for e in step * np.eye(len(theta))])


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("hidden", [(3,), (4, 3), (3, 4, 2)])
@pytest.mark.parametrize("loss, outputs", [("log", 1), ("log", 3), ("squared", 1), ("absolute", 1)])
def test_gradients_are_central_differences(activation, hidden, loss, outputs):
    rng = np.random.default_rng(1)
    plan = Plan((2, *hidden, outputs), activation)
    target = rng.normal(size=(1, 30)) if loss != "log" else np.eye(max(outputs, 2))[rng.integers(0, 2, 30)].T
    sample = Sample(with_ones(rng.normal(size=(2, 30))), target[-outputs:])
    objective = Objective(plan, LOSSES[loss], sample, l2=0.7)
    theta = plan.start(rng) + 0.1 * rng.normal(size=plan.size)
    exact = objective.gradient(theta, sample)
    assert np.abs(exact - differences(objective.value, theta)).max() < 1e-6


def test_gradients_of_a_thinned_network_are_central_differences():
    rng = np.random.default_rng(2)
    plan = Plan((2, 5, 4, 1), "tanh")
    sample = Sample(with_ones(rng.normal(size=(2, 20))), rng.integers(0, 2, (1, 20)).astype(float))
    objective = Objective(plan, LOSSES["log"], sample, l2=0.0)
    masks = [(rng.random((width, 20)) > 0.3) / 0.7 for width in (5, 4)]

    def thinned(theta):
        return LOSSES["log"].value(plan.signals(theta, sample.inputs, masks).outputs, sample.targets)

    theta = plan.start(rng)
    assert np.abs(objective.gradient(theta, sample, masks) - differences(thinned, theta)).max() < 1e-6


def transplanted(state, X, y, **values):
    """scikit-learn's network with the weights of a state, in the coordinates that ours sees."""
    inside = state.inputs.inside(X)[:-1].T
    names = {"sigmoid": "logistic"}
    activation = names.get(state.plan.activation, state.plan.activation)
    theirs = MLPClassifier(state.plan.sizes[1:-1], activation=activation, **values)
    theirs.partial_fit(inside, y, classes=np.unique(y))
    for matrix, weights, biases in zip(
        state.plan.matrices(state.theta), theirs.coefs_, theirs.intercepts_, strict=True
    ):
        weights[:], biases[:] = matrix[:, :-1].T, matrix[:, -1]
    return theirs, inside


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_probabilities_are_scikit_learns_with_the_same_weights(name, activation):
    X, y = SETS[name]
    state = fit(X, y, activation=activation, epochs=10)
    theirs, inside = transplanted(state, X, y)
    assert np.abs(state.proba(X) - theirs.predict_proba(inside)).max() < 1e-10


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("solver, momentum", [("gd", 0.0), ("momentum", 0.9)])
def test_a_descent_with_all_points_is_scikit_learns(name, solver, momentum):
    X, y = SETS[name]
    run = states(X, y, solver=solver, rate=0.1, batch=1024, epochs=20, l2=0.5)
    theirs, inside = transplanted(
        run[0], X, y, solver="sgd", momentum=momentum, nesterovs_momentum=False,
        learning_rate_init=0.1, batch_size=len(X), alpha=0.5,
    )  # fmt: skip
    for velocity in theirs._optimizer.velocities:
        velocity[:] = 0.0
    for state in run[1:]:
        theirs.partial_fit(inside, y)
        ours = state.plan.matrices(state.theta)
        for matrix, weights, biases in zip(ours, theirs.coefs_, theirs.intercepts_, strict=True):
            assert np.abs(matrix - np.column_stack([weights.T, biases])).max() < 1e-8


@pytest.mark.parametrize("solver", ["gd", "momentum", "rmsprop", "adam"])
@pytest.mark.parametrize("name", ["moons", "three"])
def test_every_solver_learns(solver, name):
    X, y = SETS[name]
    rate = {"gd": 0.5, "momentum": 0.1}.get(solver, 0.03)
    run = states(X, y, solver=solver, rate=rate)
    assert run[-1].loss < 0.4 * run[0].loss
    assert np.mean(run[-1].predict(X) == y) > 0.85


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("hidden", ["1", "8,8", "16,16,16"])
@pytest.mark.parametrize("name", ["moons", "three"])
def test_the_field_is_the_scores_beyond_a_band(activation, hidden, name):
    X, y = SETS[name]
    state, raster = fit(X, y, activation=activation, hidden=hidden, epochs=30), around(X, 300, 200)
    exact = state.scores(raster.points()).reshape(200, 300, -1).transpose(2, 0, 1)
    assert np.abs(state.field(raster) - exact).max() < 2e-6 * np.abs(exact).max()


def test_l2_shrinks_the_weights():
    X, y = SETS["moons"]
    free, held = (np.abs(fit(X, y, l2=l2).theta).sum() for l2 in (0.0, 10.0))
    assert held < 0.5 * free


def test_dropout_thins_training_only():
    X, y = SETS["moons"]
    state = fit(X, y, dropout=0.3, hidden="16", epochs=300)
    assert np.mean(state.predict(X) == y) > 0.85
    assert np.array_equal(state.scores(X), state.scores(X))


@pytest.mark.parametrize("text", ["", "0", "17", "8,,8", "4,4,4,4", "a", "8;8"])
def test_unfit_layers_are_refused(text):
    with pytest.raises(ValueError, match=r"^hidden must be one to 3 widths from 1 to 16"):
        learn.create("mlp", task="classify", hidden=text)


# early stopping and divergence


def test_early_stopping_returns_to_the_least_loss_of_the_points_held_back():
    X, y = make_moons(100, noise=0.4, random_state=0)
    run = states(X, y, early_stop=True, epochs=1000)
    last, judged = run[-1], run[-1].history[:, 2]
    best = int(np.argmin(judged))
    assert run[0].note.startswith("20 of 100 points held back for early stopping; start: ")
    assert len(run) - 2 == best + PATIENCE
    assert np.array_equal(last.theta, run[best].theta)
    assert f"back to epoch {best}" in last.note
    assert last.marks()[0].layer == HELD
    assert last.metrics()["held-back loss"] == judged[-1] or last.loss == run[best].loss


def test_points_held_back_are_a_fifth_of_each_class_and_not_learned_from():
    X, y = SETS["imbalanced"]
    first = states(X, y, early_stop=True, epochs=1, l2=0.0)[0]
    rows = [int(np.flatnonzero((point == X).all(axis=1))[0]) for point in first.held]
    assert np.bincount(y[rows]).tolist() == [22, 2]
    shown = np.setdiff1d(np.arange(len(X)), rows)
    f = first.scores(X[shown])[:, 1]
    assert first.loss == pytest.approx(np.mean(np.logaddexp(0, np.where(y[shown] == 1, -f, f))))


def test_too_few_points_are_all_learned_from():
    X, y = SETS["tiny"]
    run = states(X, y, early_stop=True, epochs=3)
    assert run[0].note.startswith("too few points (4) to hold any back for early stopping; ")
    assert not len(run[-1].held)


def test_divergence_is_said_and_the_last_good_weights_stay():
    X, y = SETS["three"]
    state = fit(X, y, solver="gd", rate=10.0, activation="relu", l2=1000.0)
    assert "diverged in epoch" in state.note
    assert np.isfinite(state.theta).all()
    assert np.isfinite(state.scores(X)).all()


# what it shows


@pytest.mark.parametrize("name, outputs", [("moons", 1), ("three", 3)])
def test_the_diagram_has_a_picture_for_each_neuron_and_a_line_for_each_weight(name, outputs):
    X, y = SETS[name]
    state = fit(X, y, hidden="4,3", epochs=3)
    diagram = state.diagram()
    assert len(diagram.nodes) == len({node.id for node in diagram.nodes}) == 2 + 4 + 3 + outputs
    assert len(diagram.links) == 2 * 4 + 4 * 3 + 3 * outputs
    assert all(node.picture.shape == (32, 32, 4) and node.picture.dtype == np.uint8 for node in diagram.nodes)
    assert all(0 <= node.x <= 1 and 0 <= node.y <= 1 for node in diagram.nodes)
    widest = max(diagram.links, key=lambda link: link.width)
    theta = state.theta * state.plan.weighing
    assert widest.ink == int(theta[np.argmax(np.abs(theta))] > 0)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_focus_of_a_node_is_what_its_neuron_puts_out(activation):
    X, y = SETS["three"]
    state, raster = fit(X, y, hidden="4,3", activation=activation, epochs=5), around(X)
    signals = state.plan.signals(state.theta, state.inputs.inside(raster.points()))
    for layer, units in enumerate((2, 4, 3, 3)):
        for unit in range(units):
            lens = state.focus(f"{layer}.{unit + 1}").lens
            assert isinstance(lens, Lens)
            assert lens.diverging
            exact = signals.layers[layer][unit].reshape(raster.shape)
            assert np.abs(lens.plane(raster) - exact).max() < 1e-5 * max(np.abs(exact).max(), 1)


def test_an_unknown_node_has_no_focus():
    state = fit(*SETS["moons"], epochs=1)
    for node in ("", "x", "0.0", "0.3", "1.9", "9.1", "1.x"):
        assert state.focus(node).lens is None


def test_uncertainty_is_the_entropy_of_the_probabilities():
    X, y = SETS["three"]
    state, raster = fit(X, y, epochs=20), around(X)
    p = state.proba(raster.points())
    entropy = -(p * np.log(np.maximum(p, 1e-300))).sum(axis=1) / np.log(3)
    lens = state.lenses()[0]
    assert np.abs(lens.plane(raster).ravel() - entropy).max() < 1e-5


def test_charts_count_the_steps_of_the_timeline():
    X, y = SETS["moons"]
    run = states(X, y, epochs=12)
    losses = [state.loss for state in run]
    for count, state in itertools.islice(enumerate(run, start=1), 3, None):
        (chart,) = state.charts()
        assert chart.cursor == "step"
        assert np.array_equal(chart.series[0].x, np.arange(1, count + 1))
        assert np.array_equal(chart.series[0].y, losses[:count])
