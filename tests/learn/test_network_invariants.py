"""Networks under changes that must not matter, and the figures and pictures that a trained one shows."""

import numpy as np
import pytest

from tests.learn.datasets import blobs, moons
from vizml import learn
from vizml.data import Dataset
from vizml.field import Raster

X, Y = moons(60)
THREE = blobs(60)
every_data = pytest.mark.parametrize("data", [(X, Y), THREE], ids=["two", "three"])


def states(points=X, labels=Y, seed=0, **values):
    model = learn.create("mlp", task="classify", **({"epochs": 15, "hidden": "4"} | values))
    return list(learn.run(model, Dataset(points, labels), seed))


def curve(x, y, **values):
    model = learn.create("mlp", task="regress", **({"epochs": 15, "hidden": "4"} | values))
    return list(learn.run(model, Dataset.curve(x, y), 0))[-1]


@every_data
@pytest.mark.parametrize("factor, shift", [(1e-3, 5.0), (250.0, -1e4)])
def test_neither_the_origin_nor_the_unit_matters(data, factor, shift):
    points, labels = data
    units = np.array([factor, 3 * factor])
    one, other = states(points, labels)[-1], states(points * units + shift, labels)[-1]
    assert np.allclose(one.proba(points), other.proba(points * units + shift), atol=1e-6)


def test_other_numbers_for_the_classes_are_the_same_classes():
    points, labels = THREE
    names = np.array([2, 5, 7])
    one, other = states(points, labels)[-1], states(points, names[labels])[-1]
    assert np.array_equal(one.scores(points), other.scores(points))
    assert np.array_equal(names[one.predict(points)], other.predict(points))


def test_unlabelled_points_are_not_learned_from():
    with_more = np.vstack([X, [[50.0, 50.0]]])
    one, other = states()[-1], states(with_more, np.append(Y, -1))[-1]
    assert np.array_equal(one.theta, other.theta)


@every_data
def test_a_seed_repeats_a_run_and_another_one_does_not(data):
    one, again, other = (states(*data, seed=seed)[-1].theta for seed in (3, 3, 4))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


@every_data
def test_the_loss_is_that_of_the_probabilities_without_a_penalty(data):
    points, labels = data
    for state in states(points, labels, l2=0.0)[::5]:
        own = state.proba(points)[np.arange(60), labels]
        assert state.loss == pytest.approx(-np.log(own).mean(), rel=1e-9)
        assert state.metrics()["loss"] == state.loss


def test_held_back_loss_is_that_of_the_points_with_rings():
    state = states(early_stop=True, l2=0.0)[-1]
    rows = [int(np.flatnonzero((point == X).all(axis=1))[0]) for point in state.held]
    judged = -np.log(state.proba(state.held)[np.arange(len(rows)), Y[rows]]).mean()
    assert len(rows) == 12
    assert min(state.history[:, 2]) == pytest.approx(judged)


@every_data
def test_uncertainty_is_one_where_all_classes_are_equal(data):
    points, labels = data
    state = states(points, labels)[-1]
    lens = state.lenses()[0]
    raster = Raster.over((-10, 10, -10, 10), 40, 40)
    shares = state.proba(raster.points())
    expected = -(shares * np.log(shares)).sum(axis=1) / np.log(shares.shape[1])
    assert np.allclose(lens.plane(raster).ravel(), expected, atol=1e-4)
    assert (lens.low, lens.high) == (0.0, 1.0)


def test_each_hidden_neuron_has_a_lens_that_its_node_focuses():
    state = states(hidden="3,2")[-1]
    names = [lens.name for lens in state.lenses()[1:]]
    assert names == [f"Neuron {id}" for id in ("1.1", "1.2", "1.3", "2.1", "2.2")]
    raster = Raster.over((-1, 2, -1, 1), 9, 7)
    for lens in state.lenses()[1:]:
        focused = state.focus(lens.name.split()[1]).lens
        assert np.array_equal(focused.plane(raster), lens.plane(raster))


def test_the_first_nodes_are_the_coordinates():
    state, raster = states()[-1], Raster.over((-1, 2, -1, 1), 9, 7)
    across, up = (state.focus(id).lens.plane(raster) for id in ("0.1", "0.2"))
    inside = (raster.points() - X.mean(axis=0)) / X.std(axis=0)
    assert np.allclose(np.column_stack([across.ravel(), up.ravel()]), inside, atol=1e-6)


def test_the_output_node_is_the_log_odds():
    state, raster = states()[-1], Raster.over((-1, 2, -1, 1), 9, 7)
    expected = state.scores(raster.points())[:, 1]
    assert np.allclose(state.focus("2.1").lens.plane(raster).ravel(), expected, atol=1e-5)


def test_figures_of_a_curve_are_those_of_its_residuals():
    x = np.linspace(0, 6, 50)
    y = np.sin(x)
    state = curve(x, y, epochs=60)
    apart = y - state.curve(x)
    assert state.metrics()["RSS"] == pytest.approx((apart**2).sum())
    assert state.metrics()["R²"] == pytest.approx(1 - (apart**2).mean() / y.var())


def test_a_level_curve_has_no_share_explained():
    assert "R²" not in curve(np.arange(6.0), np.full(6, 2.0)).metrics()
