"""Levenberg-Marquardt: the Gauss-Newton matrix against differences, and the damping of its steps."""

from types import SimpleNamespace

import numpy as np
import pytest

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
