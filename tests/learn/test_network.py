"""Parts of a network: initial weights, derivatives, losses, validation rows and diagrams."""

import math

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import make_moons
from sklearn.metrics import log_loss, mean_absolute_error, mean_squared_error

from vizml import learn
from vizml.learn.iterative_training import validation_rows
from vizml.learn.networks import views
from vizml.learn.networks.mlp import hidden_sizes
from vizml.learn.networks.network import ACTIVATIONS, LOSSES, Network, NetworkObjective, Sample, with_ones
from vizml.learn.state import softmax

RNG = np.random.default_rng(0)
X, Y = make_moons(50, noise=0.2, random_state=0)
SAMPLE = Sample(with_ones(X.T), Y[None].astype(float))
NETWORK = Network((2, 4, 3, 1), "tanh")


@pytest.mark.parametrize("text, found", [("8,8", (8, 8)), ("1", (1,)), (" 3, 16 ,2 ", (3, 16, 2))])
def test_sizes_are_parsed(text, found):
    assert hidden_sizes(text) == found


def test_biases_are_not_penalised():
    assert NETWORK.penalised.sum() == 4 * 2 + 3 * 4 + 1 * 3
    assert all(not matrix[:, -1].any() for matrix in NETWORK.matrices(NETWORK.penalised))
    sample = Sample(SAMPLE.inputs[:, :10], SAMPLE.targets[:, :10])
    costly, free = (NetworkObjective(NETWORK, LOSSES["log"], sample, l2) for l2 in (2.0, 0.0))
    theta = RNG.normal(size=NETWORK.size)
    weights = np.concatenate([matrix[:, :-1].ravel() for matrix in NETWORK.matrices(theta)])
    assert costly.value(theta) - free.value(theta) == pytest.approx(2.0 / (2 * 10) * (weights**2).sum())


@pytest.mark.parametrize("name, reach", [("tanh", math.sqrt(6 / 24)), ("relu", math.sqrt(6 / 8))])
def test_initial_weights_are_glorots_or_hes(name, reach):
    first, _ = (
        np.abs(each) for each in Network((8, 16, 1), name).matrices(Network((8, 16, 1), name).initial(RNG))
    )
    assert not first[:, -1].any()
    assert 0.9 * reach < first.max() <= reach


def test_with_one_input_the_first_biases_are_random():
    network = Network((1, 16, 16, 1), "tanh")
    first, *others = network.matrices(network.initial(np.random.default_rng(0)))
    assert -1 <= first[:, -1].min() < -0.5 < 0.5 < first[:, -1].max() <= 1
    assert not any(matrix[:, -1].any() for matrix in others)


def test_losses_are_scikit_learns():
    one, target = RNG.normal(size=(1, 20)), RNG.integers(0, 2, (1, 20)).astype(float)
    assert LOSSES["log"].value(one, target) == pytest.approx(log_loss(target[0], expit(one[0])))
    three, own = RNG.normal(size=(3, 20)), np.arange(20) % 3
    expected = log_loss(own, softmax(three.T))
    assert LOSSES["log"].value(three, np.eye(3)[own].T) == pytest.approx(expected)
    assert LOSSES["squared"].value(one, target) == pytest.approx(mean_squared_error(target, one) / 2)
    assert LOSSES["absolute"].value(one, target) == pytest.approx(mean_absolute_error(target, one))


def test_two_outputs_for_two_classes_or_their_difference_cost_the_same():
    f, target = 800 * RNG.normal(size=(1, 20)), RNG.integers(0, 2, (1, 20)).astype(float)
    both = LOSSES["log"].value(np.vstack([0 * f, f]), np.vstack([1 - target, target]))
    assert LOSSES["log"].value(f, target) == pytest.approx(both)


def test_validation_rows_are_a_share_of_each_class():
    labels = np.repeat([0, 1, 2], [50, 20, 2])
    held = validation_rows(labels, np.random.default_rng(0))
    assert np.bincount(labels[held]).tolist() == [10, 4]
    assert held.tolist() == sorted(set(held.tolist()))
    large = validation_rows(labels * 10**12, np.random.default_rng(0))  # codes of classes may be any numbers
    assert np.array_equal(large, held)


def test_no_class_is_held_out_entirely_and_few_points_not_at_all():
    assert (validation_rows(np.arange(30), np.random.default_rng(0))).tolist() == []
    assert validation_rows(np.zeros(22, dtype=int), np.random.default_rng(0)).tolist() == []
    assert len(validation_rows(np.zeros(23, dtype=int), np.random.default_rng(0))) == 5


def trained(hidden):
    return learn.fit(learn.create("mlp", "classify", hidden=hidden, epochs=1), X, Y)


def test_lines_are_as_wide_as_their_weights_and_coloured_by_sign():
    theta = np.array([2.0, -4.0, 100.0, 0.0, 50.0])  # the biases are no lines
    links = trained("1").later(theta=theta).diagram().links
    assert [(link.start, link.end) for link in links] == [("0.1", "1.1"), ("0.2", "1.1"), ("1.1", "2.1")]
    assert [link.width for link in links] == pytest.approx(
        [(views.THINNEST + views.THICKEST) / 2, views.THICKEST, views.THINNEST]
    )
    assert [link.ink for link in links[:2]] == [views.POSITIVE, views.NEGATIVE]


def test_thumbnails_are_blue_below_orange_above_and_clear_between():
    picture = views.thumbnail(np.array([[-9.0, 1.0, 3.0, 5.0, 4.0]]), 1.0, 5.0)
    assert picture[0, :, 3].tolist() == [255, 255, 0, 255, 128]
    assert picture[0, 0, :3].tolist() == picture[0, 1, :3].tolist() == views.COLOURS[0].tolist()
    assert picture[0, 3, :3].tolist() == picture[0, 4, :3].tolist() == views.COLOURS[1].tolist()
    assert not views.thumbnail(np.full((2, 2), 7.0), 7.0, 7.0)[..., 3].any()


def differences(f, theta, step=1e-5):
    """The gradient by central differences."""
    return np.array([(f(theta + e) - f(theta - e)) / (2 * step) for e in step * np.eye(len(theta))])


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("hidden", [(3,), (4, 3), (3, 4, 2)])
@pytest.mark.parametrize("loss, outputs", [("log", 1), ("log", 3), ("squared", 1), ("absolute", 1)])
def test_gradients_are_central_differences(activation, hidden, loss, outputs):
    rng = np.random.default_rng(1)
    network = Network((2, *hidden, outputs), activation)
    target = rng.normal(size=(1, 30)) if loss != "log" else np.eye(max(outputs, 2))[rng.integers(0, 2, 30)].T
    sample = Sample(with_ones(rng.normal(size=(2, 30))), target[-outputs:])
    objective = NetworkObjective(network, LOSSES[loss], sample, l2=0.7)
    theta = network.initial(rng) + 0.1 * rng.normal(size=network.size)
    exact = objective.gradient(theta, sample)
    assert np.abs(exact - differences(objective.value, theta)).max() < 1e-6


def test_gradients_with_dropout_are_central_differences():
    rng = np.random.default_rng(2)
    network = Network((2, 5, 4, 1), "tanh")
    sample = Sample(with_ones(rng.normal(size=(2, 20))), rng.integers(0, 2, (1, 20)).astype(float))
    objective = NetworkObjective(network, LOSSES["log"], sample, l2=0.0)
    masks = [(rng.random((width, 20)) > 0.3) / 0.7 for width in (5, 4)]

    def thinned(theta):
        return LOSSES["log"].value(network.forward(theta, sample.inputs, masks).outputs, sample.targets)

    theta = network.initial(rng)
    assert np.abs(objective.gradient(theta, sample, masks) - differences(thinned, theta)).max() < 1e-6


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_do_not_overflow(name):
    z = np.array([-1e6, 1e6])
    ACTIVATIONS[name].apply(z)
    assert z.tolist() == {"tanh": [-1, 1], "relu": [0, 1e6], "sigmoid": [0, 1]}[name]
