"""Networks: layers and their derivatives; Levenberg-Marquardt: the Gauss-Newton matrix and its damping."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import expit
from sklearn.datasets import make_moons
from sklearn.metrics import log_loss, mean_absolute_error, mean_squared_error

from vizml import learn
from vizml.learn.iterative_training import validation_rows
from vizml.learn.networks import views
from vizml.learn.networks.mlp import hidden_sizes
from vizml.learn.networks.network import (
    ACTIVATIONS,
    LOSSES,
    SMALLEST_RESIDUAL,
    Network,
    NetworkObjective,
    Sample,
    with_ones,
)
from vizml.learn.networks.training import LevenbergMarquardt
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


every_activation = pytest.mark.parametrize("activation", ACTIVATIONS)
TARGETS = {
    "squared": np.random.default_rng(0).normal(size=(1, 20)),
    "absolute": np.random.default_rng(1).normal(size=(1, 20)),
    "log": (np.arange(20) % 2.0)[None],
    "log of three": np.eye(3)[np.arange(20) % 3].T,
}
every_loss = pytest.mark.parametrize("name", TARGETS)
smooth_losses = pytest.mark.parametrize("name", ["squared", "log", "log of three"])


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def loss_of(name):
    return LOSSES[name.split()[0]]


def linearised(objective, theta):
    optimiser = LevenbergMarquardt(objective, theta, 100, 1e-3)
    assert list(optimiser.linearise()) == []
    return optimiser


# derivatives


@every_activation
@pytest.mark.parametrize("sizes", [(2, 4, 1), (1, 3, 5, 2)])
def test_gradients_of_each_point_are_differences(activation, sizes, rng):
    network, inputs = Network(sizes, activation), with_ones(rng.normal(size=(sizes[0], 6)))
    theta = rng.normal(size=network.size)
    for output in range(sizes[-1]):
        one = np.zeros((sizes[-1], 6))
        one[output] = 1.0
        rays = network.gradients(theta, network.forward(theta, inputs), one)
        for k, step in enumerate(1e-6 * np.eye(network.size)):
            ahead, behind = (network.forward(theta + way * step, inputs).outputs[output] for way in (1, -1))
            assert np.allclose(rays[k], (ahead - behind) / 2e-6, atol=1e-7)


def test_gradients_of_all_points_sum_to_the_gradient(rng):
    network, inputs = Network((2, 4, 3, 2), "tanh"), with_ones(rng.normal(size=(2, 30)))
    theta, error = rng.normal(size=network.size), rng.normal(size=(2, 30))
    activations = network.forward(theta, inputs)
    assert np.allclose(
        network.gradients(theta, activations, error).sum(axis=1), network.gradient(theta, activations, error)
    )


@smooth_losses
def test_roots_factor_the_hessian_of_a_loss(name, rng):
    target, loss = TARGETS[name], loss_of(name)
    outputs, near = rng.normal(size=target.shape), 1e-5
    roots = loss.roots(outputs, target)
    curvature = np.einsum("ram,rbm->abm", roots, roots)
    for k in range(len(target)):
        step = near * np.eye(len(target))[k][:, None]
        ahead, behind = loss.gradient(outputs + step, target), loss.gradient(outputs - step, target)
        assert np.allclose(curvature[k], (ahead - behind) / (2 * near), atol=1e-8)


def test_the_parabola_of_an_absolute_residual_bounds_it(rng):
    target, loss = np.zeros((1, 400)), LOSSES["absolute"]
    sides = rng.choice([-1.0, 1.0], (1, 400))
    outputs, moved = sides * rng.uniform(SMALLEST_RESIDUAL, 3.0, (1, 400)), rng.normal(size=(1, 400))
    bend = loss.roots(outputs, target)[0] ** 2
    parabola = np.abs(outputs) + np.sign(outputs) * (moved - outputs) + bend * (moved - outputs) ** 2 / 2
    assert (parabola >= np.abs(moved) - 1e-12).all()
    assert np.allclose(np.abs(outputs) - bend * outputs**2 / 2, np.abs(outputs) / 2)


def test_the_curvature_of_the_absolute_loss_is_bounded():
    assert LOSSES["absolute"].roots(np.zeros((1, 1)), np.zeros((1, 1))) ** 2 == pytest.approx(
        1 / SMALLEST_RESIDUAL
    )


def test_large_scores_have_no_curvature():
    for rows in (1, 3):
        outputs = 700.0 * np.arange(1, rows + 1)[:, None]
        assert np.abs(LOSSES["log"].roots(outputs, np.ones((rows, 1)))).max() < 1e-100


@smooth_losses
def test_the_hessian_is_exact_in_the_weights_of_the_linear_layer(name, rng):
    """Which it is in those of its last layer; so the matrix has J's second derivatives there."""
    target, network = TARGETS[name], Network((2, 3, len(TARGETS[name])), "tanh")
    sample = Sample(with_ones(rng.normal(size=(2, 20))), target)
    objective = NetworkObjective(network, loss_of(name), sample, 0.7)
    theta = rng.normal(size=network.size)
    optimiser, last = linearised(objective, theta), slice(network.bounds[-2], None)
    for k in range(network.bounds[-2], network.size):
        step = 1e-5 * np.eye(network.size)[k]
        ahead, behind = (objective.gradient(theta + turn * step, sample) for turn in (1, -1))
        assert np.allclose(optimiser.hessian[k, last], ((ahead - behind) / 2e-5)[last], atol=1e-8)


@every_loss
def test_the_gradient_is_that_of_the_objective(name, rng):
    target, network = TARGETS[name], Network((2, 3, len(TARGETS[name])), "sigmoid")
    objective = NetworkObjective(
        network, loss_of(name), Sample(with_ones(rng.normal(size=(2, 20))), target), 0.7
    )
    theta = rng.normal(size=network.size)
    optimiser = linearised(objective, theta)
    assert np.allclose(optimiser.gradient, objective.gradient(theta, objective.sample), atol=1e-14)


# steps


class Bowl:
    """J = theta' H theta / 2 of a sample of two points: whatever is asked of an Objective."""

    def __init__(self, H, rise=0.0):
        self.H, self.rise = np.array(H, dtype=float), rise
        self.sample, self.l2 = Sample(np.zeros((1, 2)), np.zeros((1, 2))), 0.0
        self.unit, self.network = 1.0, SimpleNamespace(penalised=np.zeros(len(H)))

    def evaluate(self, theta):
        J = theta @ self.H @ theta / 2
        return SimpleNamespace(theta=theta, activations=None, J=J + self.rise * (theta != 1.0).any())

    def gauss_newton(self, here, part):
        return 2 * self.H, 2 * self.H @ here.theta


def test_a_step_as_predicted_divides_the_damping_by_three():
    bowl = Bowl([[4.0, 1.0], [1.0, 2.0]])
    optimiser = linearised(bowl, np.ones(2))
    assert optimiser.damping == pytest.approx(0.1 * 4.0)
    after = optimiser.attempt()
    expected = np.ones(2) - np.linalg.inv(bowl.H + 0.4 * np.eye(2)) @ bowl.H @ np.ones(2)
    assert np.allclose(optimiser.here.theta, expected)
    assert after == pytest.approx(expected @ bowl.H @ expected / 2)
    assert optimiser.damping == pytest.approx(0.4 / 3)


def test_rejected_steps_multiply_the_damping_by_two_four_and_eight():
    optimiser = linearised(Bowl(np.eye(2), rise=100.0), np.ones(2))
    dampings = [optimiser.damping]
    for _ in range(3):
        assert optimiser.attempt() > optimiser.here.J
        assert list(optimiser.linearise()) == []
        dampings.append(optimiser.damping)
    assert np.allclose(optimiser.here.theta, 1.0)
    assert np.allclose(np.array(dampings) / dampings[0], [1, 2, 8, 64])


def test_half_the_predicted_reduction_keeps_the_damping():
    bowl = Bowl(np.eye(2))
    optimiser = linearised(bowl, np.ones(2))
    promised = (bowl.evaluate(np.ones(2)).J, np.ones(2) / 1.1)
    gain = promised[1] @ (0.1 * promised[1] + np.ones(2)) / 2
    bowl.rise = bowl.evaluate(np.ones(2)).J - bowl.evaluate(np.ones(2) - promised[1]).J - gain / 2
    optimiser.attempt()
    assert optimiser.damping == pytest.approx(0.1)
