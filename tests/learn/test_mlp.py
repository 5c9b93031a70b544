"""The multilayer perceptron for both tasks: scikit-learn's steps, early stopping, invariances, views."""

import itertools

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_blobs, make_moons

from tests.learn.datasets import around, blobs, moons
from tests.learn.networks import transplanted
from vizml import learn
from vizml.data import Dataset, load
from vizml.field import Raster
from vizml.learn.networks.training import GradientDescent
from vizml.learn.networks.views import VALIDATION
from vizml.learn.training_data import TrainingData
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
    for velocity in theirs._optimizer.velocities:  # noqa: SLF001 (scikit-learn names it so)
        velocity[:] = 0.0
    for state in run[1:]:
        theirs.partial_fit(inside, y)
        ours = state.network.matrices(state.theta)
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


def test_dropout_applies_to_training_only():
    X, y = SETS["moons"]
    state = fit(X, y, dropout=0.3, hidden="16", epochs=300)
    assert np.mean(state.predict(X) == y) > 0.85
    assert np.array_equal(state.scores(X), state.scores(X))


@pytest.mark.parametrize("text", ["", "0", "17", "8,,8", "4,4,4,4", "-3", "2.5", "a", "8;8"])
def test_unfit_layers_are_refused(text):
    with pytest.raises(ValueError, match=r"^hidden must be one to 3 numbers of units from 1 to 16"):
        learn.create("mlp", task="classify", hidden=text)


# early stopping and divergence


def test_early_stopping_returns_to_the_least_loss_of_the_points_validation_rows():
    X, y = make_moons(100, noise=0.4, random_state=0)
    run = states(X, y, early_stop=True, epochs=1000)
    last, judged = run[-1], run[-1].history[:, 2]
    best = int(np.argmin(judged))
    assert run[0].note.startswith("20 of 100 points held out for validation; start: ")
    assert len(run) - 2 == best + GradientDescent.patience
    assert np.array_equal(last.theta, run[best].theta)
    assert f"back to epoch {best}" in last.note
    assert last.marks()[0].layer == VALIDATION
    assert last.metrics()["validation loss"] == judged[-1] or last.loss == run[best].loss
    validation = last.charts()[0].series[1]
    assert validation.name == "validation"
    assert np.array_equal(validation.y, judged)


def test_validation_points_are_a_fifth_of_each_class_and_not_trained_on():
    X, y = SETS["imbalanced"]
    first = states(X, y, early_stop=True, epochs=1, l2=0.0)[0]
    rows = first.validation
    assert np.bincount(y[rows]).tolist() == [22, 2]
    shown = np.setdiff1d(np.arange(len(X)), rows)
    f = first.scores(X[shown])[:, 1]
    assert first.loss == pytest.approx(np.mean(np.logaddexp(0, np.where(y[shown] == 1, -f, f))))


def test_too_few_points_are_all_trained_on():
    X, y = SETS["tiny"]
    run = states(X, y, early_stop=True, epochs=3)
    assert run[0].note.startswith("too few points (4) for a validation set; ")
    assert not len(run[-1].validation)


def test_divergence_is_reported_and_the_last_finite_weights_stay():
    X, y = SETS["three"]
    state = fit(X, y, solver="gd", rate=10.0, activation="relu", l2=1000.0)
    assert "diverged in epoch" in state.note
    assert np.isfinite(state.theta).all()
    assert np.isfinite(state.scores(X)).all()


# what it shows


@pytest.mark.parametrize("name, outputs", [("moons", 1), ("three", 3)])
def test_the_diagram_has_a_picture_for_each_unit_and_a_line_for_each_weight(name, outputs):
    X, y = SETS[name]
    state = fit(X, y, hidden="4,3", epochs=3)
    diagram = state.diagram()
    assert len(diagram.nodes) == len({node.id for node in diagram.nodes}) == 2 + 4 + 3 + outputs
    assert len(diagram.links) == 2 * 4 + 4 * 3 + 3 * outputs
    assert all(node.picture.shape == (32, 32, 4) and node.picture.dtype == np.uint8 for node in diagram.nodes)
    assert all(0 <= node.x <= 1 and 0 <= node.y <= 1 for node in diagram.nodes)
    widest = max(diagram.links, key=lambda link: link.width)
    theta = state.theta * state.network.penalised
    assert widest.ink == int(theta[np.argmax(np.abs(theta))] > 0)


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_focus_of_a_node_is_the_output_of_its_unit(activation):
    X, y = SETS["three"]
    state, raster = fit(X, y, hidden="4,3", activation=activation, epochs=5), around(X)
    activations = state.network.forward(state.theta, state.scaler.inputs(raster.points()))
    for layer, units in enumerate((2, 4, 3, 3)):
        for unit in range(units):
            lens = state.on().focus(f"{layer}.{unit + 1}").lens
            assert isinstance(lens, Lens)
            assert lens.diverging
            exact = activations.layers[layer][unit].reshape(raster.shape)
            assert np.abs(lens.plane(raster) - exact).max() < 1e-5 * max(np.abs(exact).max(), 1)


def test_an_unknown_node_has_no_focus():
    state = fit(*SETS["moons"], epochs=1)
    for node in ("", "x", "0.0", "0.3", "1.9", "9.1", "1.x", "-1.1", "1.1.1"):
        assert state.on().focus(node).lens is None


def test_charts_count_the_steps_of_the_timeline():
    X, y = SETS["moons"]
    run = states(X, y, epochs=12)
    losses = [state.loss for state in run]
    for count, state in itertools.islice(enumerate(run, start=1), 3, None):
        (chart,) = state.charts()
        assert (chart.cursor, len(chart.series)) == ("step", 1)
        assert np.array_equal(chart.series[0].x, np.arange(1, count + 1))
        assert np.array_equal(chart.series[0].y, losses[:count])


# invariances

X, Y = moons(60)
THREE = blobs(60)
every_data = pytest.mark.parametrize("data", [(X, Y), THREE], ids=["two", "three"])


def trained(points=X, labels=Y, seed=0, **values):
    model = learn.create("mlp", task="classify", **({"epochs": 15, "hidden": "4"} | values))
    return list(learn.run(model, Dataset(points, labels), seed))


@every_data
@pytest.mark.parametrize("factor, shift", [(1e-3, 5.0), (250.0, -1e4)])
def test_neither_the_origin_nor_the_unit_matters(data, factor, shift):
    points, labels = data
    units = np.array([factor, 3 * factor])
    one, other = trained(points, labels)[-1], trained(points * units + shift, labels)[-1]
    assert np.allclose(one.proba(points), other.proba(points * units + shift), atol=1e-6)


@every_data
def test_the_loss_is_that_of_the_probabilities_without_a_penalty(data):
    points, labels = data
    for state in trained(points, labels, l2=0.0)[::5]:
        own = state.proba(points)[np.arange(60), labels]
        assert state.loss == pytest.approx(-np.log(own).mean(), rel=1e-9)
        assert state.metrics()["loss"] == state.loss


def test_the_validation_loss_is_that_of_the_validation_points():
    state = trained(early_stop=True, l2=0.0)[-1]
    rows = state.validation
    judged = -np.log(state.proba(X[rows])[np.arange(len(rows)), Y[rows]]).mean()
    assert len(rows) == 12
    assert min(state.history[:, 2]) == pytest.approx(judged)


@every_data
def test_uncertainty_is_one_where_all_classes_are_equal(data):
    points, labels = data
    state = trained(points, labels)[-1]
    lens = state.on().lenses()[0]
    raster = Raster.over((-10, 10, -10, 10), 40, 40)
    shares = state.proba(raster.points())
    expected = -(shares * np.log(shares)).sum(axis=1) / np.log(shares.shape[1])
    assert np.allclose(lens.plane(raster).ravel(), expected, atol=1e-4)
    assert (lens.low, lens.high) == (0.0, 1.0)


def test_each_hidden_unit_has_a_lens_that_its_node_focuses():
    state = trained(hidden="3,2")[-1]
    names = [lens.name for lens in state.on().lenses()[1:]]
    assert names == [f"Unit {id}" for id in ("1.1", "1.2", "1.3", "2.1", "2.2")]
    raster = Raster.over((-1, 2, -1, 1), 9, 7)
    for lens in state.on().lenses()[1:]:
        focused = state.on().focus(lens.name.split()[1]).lens
        assert np.array_equal(focused.plane(raster), lens.plane(raster))


# more inputs


def test_with_four_inputs_it_classifies_and_draws_sections():
    X, y = load_iris(return_X_y=True)
    table = TrainingData(X, labels=y, columns=("a", "b", "c", "d"))
    *_, state = learn.run(learn.create("mlp", epochs=100), table)
    assert np.mean(state.predict(X) == y) > 0.95
    view, raster = state.on(axes=("b", "d")), Raster.over((1, 5, 0, 3), 20, 10)
    lifted = np.tile(np.median(X, axis=0), (200, 1))
    lifted[:, [1, 3]] = raster.points()
    assert np.allclose(view.field(raster), state.scores(lifted).T.reshape(3, 10, 20), atol=1e-4)
    for node, layer, unit in (("0.2", 0, 1), ("1.3", 1, 2), ("3.1", 3, 0)):
        exact = state.layers(lifted)[layer][unit].reshape(10, 20)
        assert np.allclose(view.focus(node).lens.plane(raster), exact, atol=1e-4)
    nodes = state.diagram().nodes
    assert {node.texts for node in nodes[:4]} == {("a",), ("b",), ("c",), ("d",)}
    assert {node.shape for node in nodes} == {"circle"}


def test_the_diagram_has_a_column_for_each_layer():
    state = learn.fit_data(learn.create("mlp", hidden="8,12", epochs=1), load("moons:n=20"))
    assert {node.x for node in state.diagram().nodes} == {0.0, 1 / 3, 2 / 3, 1.0}
